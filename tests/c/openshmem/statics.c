/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Globals and statics of the main program are symmetric: a peer's writes appear in the plain variable, and
 * vice versa. */
#include <shmem.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define CHUNK ((size_t)1 << 20)

/* Initial contents of the variables: constants of the file, zeroes, a large untouched part. */
long initialised[4] = {11, 22, 33, 44};
long zero;
static long hidden = 5;
static short pair[3] = {-1, -2, -3};
static char huge[1 << 30];
static long *pointer = &initialised[2];
static __thread long of_thread = 9;
static const char constant[] = "a constant of some length";
static long set_before_main;

__attribute__((constructor)) static void before_main(void) { set_before_main = 77; }

static long *in_function(void)
{
    static long kept = 6;
    return &kept;
}

/* Pages of memory that this process has, in bytes. */
static size_t resident(void)
{
    long total = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &total, &pages) != 2) pages = -1;
    if (file != NULL) (void)fclose(file);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void values_are_kept(void)
{
    CHECK(initialised[0] == 11 && initialised[3] == 44 && zero == 0 && hidden == 5 && pair[2] == -3);
    CHECK(*pointer == 33 && *in_function() == 6 && set_before_main == 77 && constant[0] == 'a');
}

static void writes_arrive(int me, int left, int right)
{
    volatile long *seen = &zero;

    shmem_long_p(&zero, 100 + me, right);
    shmem_long_p(&initialised[1], 200 + me, right);
    shmem_long_p(in_function(), 300 + me, right);
    shmem_putmem(&huge[900 * CHUNK + 5], "neighbour", 10, right);
    shmem_short_p(&pair[1], (short)(me + 1), right);
    shmem_barrier_all();
    CHECK(*seen == 100 + left && initialised[1] == 200 + left && *in_function() == 300 + left);
    CHECK(initialised[0] == 11 && initialised[2] == 33 && pair[0] == -1 && pair[1] == left + 1);
    CHECK(strcmp(&huge[900 * CHUNK + 5], "neighbour") == 0 && huge[900 * CHUNK + 4] == 0);

    /* The program's own writes are visible to others, also between the heap and variables. */
    hidden = 1000 + me;
    memset(&huge[3 * CHUNK], me + 1, 64);
    long *block = (long *)shmem_malloc(sizeof(long));
    *block = 2000 + me;
    shmem_barrier_all();
    CHECK(shmem_long_g(&hidden, right) == 1000 + right);
    shmem_getmem(&huge[4 * CHUNK], &huge[3 * CHUNK], 64, left);
    CHECK(huge[4 * CHUNK] == left + 1 && huge[4 * CHUNK + 63] == left + 1);
    shmem_long_get(&zero, block, 1, right);
    CHECK(*seen == 2000 + right);
    shmem_long_iput(initialised, block, 3, 1, 1, right);
    shmem_long_put_nbi(&set_before_main, &hidden, 1, right);
    shmem_quiet();
    shmem_barrier_all();
    CHECK(initialised[0] == 2000 + left && set_before_main == 1000 + left);
    shmem_free(block);
}

static void atomics_and_waits(int me, int pes, int right)
{
    static long count, flag;

    for (int pe = 0; pe < pes; pe++) shmem_long_atomic_add(&count, me + 1, pe);
    shmem_barrier_all();
    CHECK(count == (long)pes * (pes + 1) / 2);
    CHECK(shmem_long_atomic_fetch(&count, right) == count);
    shmem_barrier_all();
    /* A peer waits for this PE's store. */
    shmem_long_p(&flag, 1, right);
    shmem_quiet();
    while (*(volatile long *)&flag == 0) usleep(100);
    shmem_barrier_all();
}

static void pointers_lead_to_variables(int me, int pes)
{
    static long word;

    CHECK(shmem_ptr(&word, me) == (void *)&word && shmem_addr_accessible(&word, me));
    CHECK(shmem_ptr(&word, pes) == NULL && shmem_ptr(&word, -1) == NULL);
    word = 10 + me;
    shmem_barrier_all();
    for (int pe = 0; pe < pes; pe++) {
        long *there = (long *)shmem_ptr(&word, pe);
        CHECK(shmem_addr_accessible(&word, pe) == 1 && shmem_pe_accessible(pe) == 1);
        CHECK(there == NULL || *(volatile long *)there == 10 + pe);
    }
    shmem_barrier_all();
}

/* The address is refused, and the message describes it. */
static void refused(void *address, int pe, const char *text)
{
    (void)smem_get_and_clear_last_err_msg();
    shmem_char_p((char *)address, 1, pe);
    const char *message = smem_get_last_err_msg();
    if (strstr(message, text) == NULL) {
        CHECK(!"the message says what the address is");
        printf("    expected: %s\n    in: %s\n", text, message);
    }
    CHECK(shmem_addr_accessible(address, pe) == 0 && shmem_ptr(address, pe) == NULL);
    (void)smem_get_and_clear_last_err_msg();
}

static void other_variables_are_not(int right)
{
    long automatic = 1;
    char *allocated = (char *)malloc(1);

    refused(&automatic, right, "automatic variable");
    if (allocated != NULL) refused(allocated, right, "symmetric");
    refused((void *)(uintptr_t)&constant[1], right, "constant of the main program");
    refused(&of_thread, right, "symmetric");
    refused(dlsym(RTLD_DEFAULT, "puts"), right, "shared library /");
    refused(NULL, right, "no memory");
    /* Past the end, and more than there are. */
    (void)smem_get_and_clear_last_err_msg();
    shmem_putmem(&huge[sizeof(huge) - 8], huge, (size_t)1 << 30, right);
    CHECK(strstr(smem_get_last_err_msg(), "statics") != NULL && strstr(smem_get_last_err_msg(), "bytes 1073741824") != NULL);
    (void)smem_get_and_clear_last_err_msg();
    free(allocated);
}

/* A child has private copies with the former contents; its writes do not reach the parent, nor peers' writes
 * the child. */
static void children_have_copies(int me, int left, int right)
{
    static long word, other;
    int status = -1, to_child[2], to_parent[2];
    char byte = 0;

    word = 50 + me;
    huge[5 * CHUNK] = 7;
    shmem_barrier_all();
    if (pipe(to_child) != 0 || pipe(to_parent) != 0) abort();
    pid_t child = fork();
    if (child == 0) {
        int wrong = *(volatile long *)&word != 50 + me || huge[5 * CHUNK] != 7 || huge[6 * CHUNK] != 0;
        word = 1;
        other = 2;
        wrong |= write(to_parent[1], &byte, 1) != 1 || read(to_child[0], &byte, 1) != 1;
        wrong |= *(volatile long *)&word != 1 || *(volatile long *)&other != 2;
        shmem_long_p(&word, 3, right);
        _exit(wrong);
    }
    CHECK(read(to_parent[0], &byte, 1) == 1 && *(volatile long *)&word == 50 + me && *(volatile long *)&other == 0);
    shmem_barrier_all();
    shmem_long_p(&other, 60 + me, right);
    shmem_barrier_all();
    CHECK(*(volatile long *)&other == 60 + left);
    CHECK(write(to_child[1], &byte, 1) == 1 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(*(volatile long *)&word == 50 + me);
    for (int i = 0; i < 2; i++) CHECK(close(to_child[i]) == 0 && close(to_parent[i]) == 0);
    /* Another program begins with its own. */
    CHECK(system("exit 3") == 3 << 8);
    shmem_barrier_all();
}

static void *in_thread(void *left)
{
    static long word;
    const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();

    shmem_long_p(&word, 70 + me, right);
    shmem_barrier_all();
    CHECK(*(volatile long *)&word == 70 + *(int *)left);
    return NULL;
}

int main(void)
{
    /* The messages are meant. */
    setenv("MF_LOG_LEVEL", "5", 1);
    values_are_kept();
    zero = 1;
    const size_t before = resident();
    for (int life = 0; life < 2; life++) {
        shmem_init();
        const int me = shmem_my_pe(), pes = shmem_n_pes(), left = (me + pes - 1) % pes, right = (me + 1) % pes;
        if (life == 0) {
            CHECK(zero == 1);
            zero = 0;
            values_are_kept();
        } else {
            /* Values of the first life are still there. */
            CHECK(zero == 2000 + right && initialised[0] == 2000 + left);
        }
        shmem_barrier_all();
        if (life == 0) {
            writes_arrive(me, left, right);
            children_have_copies(me, left, right);
        }
        if (life == 0) atomics_and_waits(me, pes, right);
        pointers_lead_to_variables(me, pes);
        other_variables_are_not(right);
        pthread_t thread;
        int from = left;
        CHECK(pthread_create(&thread, NULL, in_thread, &from) == 0 && pthread_join(thread, NULL) == 0);
        /* 1 GiB of zeroes stays one hole. */
        CHECK(resident() - before < (size_t)200 << 20);
        shmem_finalize();
        CHECK(zero == 2000 + right && shmem_ptr(&zero, me) == NULL);
    }
    return check_result();
}
