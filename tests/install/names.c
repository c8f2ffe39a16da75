/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* All names of the library that are given as arguments lead to the copy that this program is linked to. */
#include <dlfcn.h>
#include <stdio.h>

#include "smem/host/mfx.h"

int main(int count, char **names)
{
    const char *(*linked)(void) = mfx_version;
    int i, wrong = 0;
    for (i = 1; i < count; i++) {
        void *opened = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        void *found = opened == NULL ? NULL : dlsym(opened, "mfx_version");
        if (found != *(void **)&linked) {
            printf("%s: %s\n", names[i], opened == NULL ? dlerror() : "another copy");
            wrong = 1;
        }
    }
    return wrong;
}
