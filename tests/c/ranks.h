/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Ranks of the C tests: the program starts itself again once per rank, with RANK, WORLD_SIZE and MF_TEST_URL
 * set. Include it first: it asks the C library for more than ISO C.
 */
#ifndef MF_TESTS_RANKS_H
#define MF_TESTS_RANKS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "smem/host/mfx.h"
#include "smem/host/smem.h"
#include "smem/host/smem_bm.h"

#define RANKS_MAX 8
#define MEET_S 30 /* deadline of a meeting of all ranks */

/* Binds a TCP socket of the loopback interface to a port that the kernel chooses; the socket listens. */
static inline int listen_anywhere(uint16_t *port)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 8) != 0
        || getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        perror("listen on the loopback interface");
        exit(2);
    }
    *port = ntohs(address.sin_port);
    return fd;
}

/* A port that is free on all interfaces, below the kernel's ephemeral ports, so that no socket takes it
 * meanwhile. */
static inline uint16_t free_port(void)
{
    static unsigned tried;
    for (;;) {
        struct sockaddr_in address;
        uint16_t port = (uint16_t)(10000 + ((unsigned)getpid() * 7 + tried++) % 20000);
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), is_free;
        memset(&address, 0, sizeof address);
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        is_free = bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
        close(fd);
        if (is_free) return port;
        if (tried > 20000) {
            fprintf(stderr, "no port is free\n");
            exit(2);
        }
    }
}

/* Writes a store URL with a port that was free a moment ago. */
static inline void free_url(char *url, size_t size)
{
    snprintf(url, size, "tcp://127.0.0.1:%u", (unsigned)free_port());
}

static inline uint32_t env_u32(const char *name)
{
    const char *text = getenv(name);
    return text == NULL ? 0 : (uint32_t)strtoul(text, NULL, 10);
}

/* True if this process is one of the ranks. */
static inline int is_rank(void)
{
    return getenv("MF_TEST_URL") != NULL;
}

/* This program once more, by the command in MF_TEST_RUNNER if there is one. Returns only when that failed. */
static inline void run_again(char **argv)
{
    char self[4096], command[8192];
    const char *runner = getenv("MF_TEST_RUNNER");
    ssize_t bytes;
    if (runner == NULL || runner[0] == 0) {
        execv("/proc/self/exe", argv);
        return;
    }
    bytes = readlink("/proc/self/exe", self, sizeof self - 1);
    if (bytes <= 0) return;
    self[bytes] = 0;
    snprintf(command, sizeof command, "exec %s '%s' %s", runner, self, argv[1] != NULL ? argv[1] : "");
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
}

static inline pid_t start_rank(uint32_t rank, char **argv)
{
    char text[16];
    pid_t parent = getpid();
    pid_t child = fork();
    if (child != 0) return child;
    /* A rank must not outlive a launcher that was killed for being late. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(2);
    snprintf(text, sizeof text, "%u", (unsigned)rank);
    setenv("RANK", text, 1);
    run_again(argv);
    _exit(2);
}

/* Runs the ranks and waits for them; ends the others when one fails. Returns the exit status for main. */
static inline int run_ranks(uint32_t count, char **argv)
{
    char url[64], text[16];
    pid_t ranks[RANKS_MAX];
    uint32_t running = 0, r;
    int failed = 0;
    free_url(url, sizeof url);
    snprintf(text, sizeof text, "%u", (unsigned)count);
    setenv("MF_TEST_URL", url, 1);
    setenv("WORLD_SIZE", text, 1);
    for (r = 0; r < count && r < RANKS_MAX; r++) {
        ranks[r] = start_rank(r, argv);
        if (ranks[r] > 0) running++;
    }
    if (running < count) failed = 1;
    while (running > 0) {
        int status = 0;
        pid_t ended = wait(&status);
        if (ended < 0) return 2;
        running--;
        for (r = 0; r < count; r++) {
            if (ranks[r] != ended) continue;
            ranks[r] = 0;
            if (status == 0) break;
            printf("rank %u ended with %s %d\n", (unsigned)r, WIFSIGNALED(status) ? "signal" : "status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            if (!failed) {
                uint32_t other;
                for (other = 0; other < count; other++)
                    if (ranks[other] > 0) kill(ranks[other], SIGKILL);
            }
            failed = 1;
        }
    }
    return failed;
}

/* Initialises with a given rank and short timeouts. */
static inline int32_t init_rank(const char *url, uint32_t world_size, uint16_t rank)
{
    smem_bm_config_t config;
    int32_t code = smem_bm_config_init(&config);
    if (code != SMEM_OK) return code;
    config.initTimeout = config.createTimeout = config.controlOperationTimeout = MEET_S;
    config.autoRanking = false;
    config.rankId = rank;
    return smem_bm_init(url, world_size, 0, &config);
}

/* Waits for all ranks; the program cannot go on without them. */
static inline void meet(const char *name)
{
    int32_t code = mfx_bm_barrier(name, 0, MEET_S);
    if (code == SMEM_OK) return;
    printf("meeting \"%s\": %d %s\n", name, (int)code, smem_get_last_err_msg());
    fflush(stdout);
    _exit(3);
}

/* Fills a buffer with bytes that depend on position and seed; no two seeds below 251 agree anywhere. */
static inline void fill(void *buffer, size_t bytes, unsigned seed)
{
    unsigned char *at = (unsigned char *)buffer;
    size_t i;
    for (i = 0; i < bytes; i++) at[i] = (unsigned char)((i * 7 + seed) % 251);
}

/* True if a buffer holds fill()'s output. */
static inline int filled(const void *buffer, size_t bytes, unsigned seed)
{
    const unsigned char *at = (const unsigned char *)buffer;
    size_t i;
    for (i = 0; i < bytes; i++)
        if (at[i] != (unsigned char)((i * 7 + seed) % 251)) return 0;
    return 1;
}

#endif
