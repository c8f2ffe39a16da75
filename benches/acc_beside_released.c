/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Message servers of one library, which is named: two processes of this host, one link.
 *
 *   acc_beside_released LIBRARY [CALLS]
 *
 * Prints a line for each figure: its name, and microseconds; benches/acc_beside_released.py runs it with two
 * libraries in turns. The program is the same for both and uses nothing but their C functions.
 *
 *   chain     round trips of 64 bytes: the callback that gets an answer sends the next message
 *   wait      round trips of 64 bytes: the sender waits for the answer in its own thread
 *   one_way   messages of 64 bytes by four threads on one link, until the other side has handled all; of one
 *   large     1 MiB and a short answer
 */
#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "smem/host/smem.h"
#include "smem/host/smem_acc_api.h"

#define SMALL 64
#define LARGE (1u << 20)
#define SENDERS 4

enum { ECHO = 1, COUNTED, SETTLE, SWALLOW };

/* The functions of the library that are used, each by its own prototype. */
#define EACH(USE) \
    USE(smem_acc_tcp_server_create) \
    USE(smem_acc_tcp_server_start) \
    USE(smem_acc_server_stop) \
    USE(smem_acc_server_connect) \
    USE(smem_acc_server_set_new_link_handler) \
    USE(smem_acc_server_set_link_broken_handler) \
    USE(smem_acc_server_set_request_handler) \
    USE(smem_acc_link_send) \
    USE(smem_set_extern_logger)

#define DECLARE(name) static __typeof__(&name) f_##name;
EACH(DECLARE)

static void fail(const char *what)
{
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static void ignore(int level, const char *text)
{
    (void)level, (void)text;
}

static void open_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) fail(dlerror());
#define FIND(name) if ((f_##name = (__typeof__(&name))dlsym(library, #name)) == NULL) fail(#name);
    EACH(FIND)
    /* A full queue is no news here. */
    f_smem_set_extern_logger(ignore);
}

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* Sends, again as long as the queue of the link is full. */
static void send_message(smem_acc_link_t link, int16_t type, uint32_t sequence, const void *data, uint32_t bytes)
{
    double end = now_us() + 60e6;
    while (f_smem_acc_link_send(link, type, 0, sequence, data, bytes) != 0) {
        if (now_us() > end) fail("smem_acc_link_send");
        sched_yield();
    }
}

/* ---- Callbacks of both sides ---- */

static atomic_uint left, counted;
static sem_t answered;
static char body[LARGE];

static int32_t take(void *context, const smem_acc_connect_request_t *request, smem_acc_link_t link)
{
    (void)context, (void)request, (void)link;
    return 0;
}

static int32_t broken(void *context, smem_acc_link_t link)
{
    (void)context, (void)link;
    return 0;
}

static int32_t answer(void *context, const smem_acc_message_t *message, const void *data, uint32_t bytes,
                      smem_acc_link_t link)
{
    (void)context;
    send_message(link, message->type, message->seq_no, data, bytes < SMALL ? bytes : SMALL);
    return 0;
}

static int32_t count(void *context, const smem_acc_message_t *message, const void *data, uint32_t bytes,
                     smem_acc_link_t link)
{
    (void)context, (void)message, (void)data, (void)bytes, (void)link;
    atomic_fetch_add(&counted, 1);
    return 0;
}

static int32_t note(void *context, const smem_acc_message_t *message, const void *data, uint32_t bytes,
                    smem_acc_link_t link)
{
    (void)context, (void)message, (void)data, (void)bytes, (void)link;
    sem_post(&answered);
    return 0;
}

/* Says when so many have been counted. */
static int32_t settle(void *context, const smem_acc_message_t *message, const void *data, uint32_t bytes,
                      smem_acc_link_t link)
{
    while (atomic_load(&counted) < message->seq_no) sched_yield();
    atomic_fetch_sub(&counted, message->seq_no);
    return answer(context, message, data, bytes, link);
}

static int32_t go_on(void *context, const smem_acc_message_t *message, const void *data, uint32_t bytes,
                     smem_acc_link_t link)
{
    (void)context, (void)data, (void)bytes;
    if (atomic_load(&left) > 1) {
        atomic_fetch_sub(&left, 1);
        send_message(link, message->type, message->seq_no + 1, body, SMALL);
    } else {
        sem_post(&answered);
    }
    return 0;
}

static smem_acc_server_t start(uint16_t port)
{
    smem_acc_server_t server = f_smem_acc_tcp_server_create();
    smem_acc_tcp_server_options_t options;
    memset(&options, 0, sizeof options);
    options.listen_ip = "127.0.0.1";
    options.listen_port = port;
    options.worker_count = 2;
    options.link_send_queue_size = 255;
    options.magic = 3867;
    options.version = 1;
    options.enable_listener = port != 0;
    f_smem_acc_server_set_new_link_handler(server, take, NULL);
    f_smem_acc_server_set_link_broken_handler(server, broken, NULL);
    if (port != 0) {
        f_smem_acc_server_set_request_handler(server, ECHO, answer, NULL);
        f_smem_acc_server_set_request_handler(server, SWALLOW, answer, NULL);
        f_smem_acc_server_set_request_handler(server, COUNTED, count, NULL);
        f_smem_acc_server_set_request_handler(server, SETTLE, settle, NULL);
    } else {
        f_smem_acc_server_set_request_handler(server, ECHO, go_on, NULL);
        f_smem_acc_server_set_request_handler(server, SWALLOW, note, NULL);
        f_smem_acc_server_set_request_handler(server, SETTLE, note, NULL);
    }
    if (server == NULL || f_smem_acc_tcp_server_start(server, &options, NULL) != 0) fail("smem_acc_tcp_server_start");
    return server;
}

/* ---- Measurements ---- */

static smem_acc_link_t the_link;
static unsigned calls = 3000;

static void wait_for_answer(void)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 60;
    if (sem_timedwait(&answered, &end) != 0) fail("an answer");
}

static void chain(unsigned number)
{
    atomic_store(&left, number);
    send_message(the_link, ECHO, 0, body, SMALL);
    wait_for_answer();
}

static void round_trips(unsigned number, int16_t type, uint32_t bytes)
{
    for (unsigned i = 0; i < number; i++) {
        atomic_store(&left, 1);
        send_message(the_link, type, i, body, bytes);
        wait_for_answer();
    }
}

static void *send_all(void *argument)
{
    unsigned number = *(unsigned *)argument;
    for (unsigned i = 0; i < number; i++) send_message(the_link, COUNTED, i, body, SMALL);
    return NULL;
}

static void one_way(unsigned number)
{
    pthread_t threads[SENDERS];
    unsigned each = number / SENDERS;
    for (int i = 0; i < SENDERS; i++) pthread_create(&threads[i], NULL, send_all, &each);
    for (int i = 0; i < SENDERS; i++) pthread_join(threads[i], NULL);
    send_message(the_link, SETTLE, each * SENDERS, body, SMALL);
    wait_for_answer();
}

static void figure(const char *name, double began, unsigned number)
{
    printf("%s %.3f\n", name, (now_us() - began) / number);
    fflush(stdout);
}

static void measure(uint16_t port)
{
    smem_acc_connect_request_t request;
    smem_acc_server_t server = start(0);
    memset(&request, 0, sizeof request);
    request.magic = 3867;
    request.version = 1;
    if (f_smem_acc_server_connect(server, "127.0.0.1", port, &request, 10, &the_link) != 0) fail("connect");
    chain(calls / 4);
    double began = now_us();
    chain(calls);
    figure("chain", began, calls);
    began = now_us();
    round_trips(calls, ECHO, SMALL);
    figure("wait", began, calls);
    one_way(calls);
    began = now_us();
    one_way(calls * 4);
    figure("one_way", began, calls * 4);
    round_trips(4, SWALLOW, LARGE);
    began = now_us();
    round_trips(40, SWALLOW, LARGE);
    figure("large", began, 40);
}

static uint16_t free_port(void)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        fail("bind");
    close(listener);
    return ntohs(address.sin_port);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: acc_beside_released LIBRARY [CALLS]\n");
        return 2;
    }
    if (argc > 2) calls = (unsigned)atoi(argv[2]);
    uint16_t port = free_port();
    int ready[2];
    if (pipe(ready) != 0 || sem_init(&answered, 0, 0) != 0) fail("pipe");
    pid_t child = fork();
    if (child == 0) {
        char one = 1;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        open_library(argv[1]);
        start(port);
        if (write(ready[1], &one, 1) != 1) fail("write");
        for (;;) pause();
    }
    char one;
    close(ready[1]);
    if (read(ready[0], &one, 1) != 1) fail("the other process");
    open_library(argv[1]);
    measure(port);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    fflush(stdout);
    /* Work of the library's threads at exit is not part of it. */
    _exit(0);
}
