/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The main thread ends by itself while threads of the library run: signals of the process arrive all the
 * same. */
#include "ranks.h"

#include <pthread.h>
#include <sys/syscall.h>

#include "check.h"

#define MIB ((uint64_t)1 << 20)

enum { AS_IT_IS, WITH_A_HANDLER, WITH_SIGWAIT, AFTER_THE_LIBRARY };

static int reports[2];

static void report(char what)
{
    if (write(reports[1], &what, 1) != 1) _exit(3);
}

static void handler(int number)
{
    (void)number;
    report('h');
    _exit(7);
}

static void *waiter(void *mask)
{
    int number = 0;
    report('w');
    sigwait((sigset_t *)mask, &number);
    _exit(number == SIGTERM ? 8 : 3);
}

static void *worker(void *unused)
{
    (void)unused;
    report('r');
    return NULL;
}

/* A member of a job of one; its main thread exits. */
static void member(int how)
{
    static sigset_t mask;
    char url[64];
    pthread_t thread;
    smem_bm_config_t config;
    smem_bm_t pool;
    free_url(url, sizeof url);
    OK(smem_bm_config_init(&config));
    config.rankId = 0;
    OK(smem_bm_init(url, 1, 0, &config));
    pool = smem_bm_create(0, 0, SMEMB_DATA_OP_HOST_SHM, 2 * MIB, 0, 0);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0));
    if (how == WITH_A_HANDLER) signal(SIGTERM, handler);
    if (how == WITH_SIGWAIT) {
        sigemptyset(&mask);
        sigaddset(&mask, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &mask, NULL);
        CHECK(pthread_create(&thread, NULL, waiter, &mask) == 0);
    }
    if (how == AFTER_THE_LIBRARY) {
        smem_bm_destroy(pool);
        smem_bm_uninit(0);
        CHECK(pthread_create(&thread, NULL, worker, NULL) == 0);
    }
    fflush(stdout);
    if (check_result() != 0) _exit(check_result());
    report('m');
    pthread_exit(NULL);
}

/* Waits until the main thread of the child is gone and only its place in the list of threads is left. */
static void wait_until_main_is_gone(pid_t child)
{
    char path[64], text[256], *state;
    int turn;
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)child, (int)child);
    for (turn = 0; turn < 3000; turn++) {
        FILE *file = fopen(path, "r");
        size_t got = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
        if (file == NULL) return; /* all of it is gone */
        fclose(file);
        text[got] = 0;
        state = strrchr(text, ')');
        if (state != NULL && state[2] == 'Z') return;
        usleep(10000);
    }
    CHECK(!"the main thread is gone");
}

/* The status with which the child ends: by itself, or by the signal. */
static int ends(int how, const char *words, int number)
{
    pid_t child, ended = 0;
    int status = 0, turn;
    CHECK(pipe(reports) == 0);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(reports[0]);
        member(how);
        _exit(3);
    }
    close(reports[1]);
    for (; *words != 0; words++) {
        char got = 0;
        CHECK(read(reports[0], &got, 1) == 1);
    }
    wait_until_main_is_gone(child);
    if (number != 0) CHECK(kill(child, number) == 0);
    for (turn = 0; turn < 1500 && ended == 0; turn++) {
        ended = waitpid(child, &status, WNOHANG);
        if (ended == 0) usleep(10000);
    }
    if (ended == 0) {
        printf("case %d: the signal did not end the process\n", how);
        check_count();
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    close(reports[0]);
    return status;
}

int main(void)
{
    int status = ends(AS_IT_IS, "m", SIGTERM);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    status = ends(AS_IT_IS, "m", SIGINT);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    status = ends(WITH_A_HANDLER, "m", SIGTERM);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    /* A thread of the program with sigwait gets the signal. */
    status = ends(WITH_SIGWAIT, "mw", SIGTERM);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 8);
    /* The library does not keep a process alive after its other threads have ended. */
    status = ends(AFTER_THE_LIBRARY, "mr", 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return check_result();
}
