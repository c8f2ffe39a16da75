/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program that is not linked with the library: it loads it later, and its variables stay its own. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static long word = 5;

static int mappings_of_variables(void)
{
    char line[512];
    int count = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) count += strstr(line, "mf-static-data") != NULL;
    if (file != NULL) (void)fclose(file);
    return count;
}

int main(int count, char **arguments)
{
    void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    void (*init)(void) = NULL, (*finalize)(void) = NULL;
    int (*is_accessible)(const void *, int) = NULL;

    if (library == NULL) return puts(dlerror()) & 0;
    *(void **)&init = dlsym(library, "shmem15_init");
    *(void **)&finalize = dlsym(library, "shmem15_finalize");
    *(void **)&is_accessible = dlsym(library, "shmem15_addr_accessible");
    init();
    const int wanted = count > 2, found = is_accessible(&word, 0);
    printf("%d mappings, accessible %d, value %ld\n", mappings_of_variables(), found, word);
    const int holds = (mappings_of_variables() > 0) == wanted && found == wanted && word == 5;
    finalize();
    return holds ? 0 : 1;
}
