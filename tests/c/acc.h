/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Common parts of the tests of message and HTTP servers: counters that callbacks raise and tests wait for. */
#ifndef MF_TESTS_ACC_H
#define MF_TESTS_ACC_H

#include "ranks.h"

#include <pthread.h>
#include <time.h>

#include "smem/host/smem_acc_api.h"

#include "check.h"

#define ECHO 7
#define LIMIT_S 40

/* A number that threads raise and wait for. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    long value;
} counter_t;

#define COUNTER { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 }

static inline long counter_add(counter_t *counter, long more)
{
    long value;
    pthread_mutex_lock(&counter->lock);
    value = counter->value += more;
    pthread_cond_broadcast(&counter->changed);
    pthread_mutex_unlock(&counter->lock);
    return value;
}

static inline long counter_get(counter_t *counter)
{
    return counter_add(counter, 0);
}

/* Waits until the number is at least this; 0 when the deadline came before. */
static inline int counter_wait(counter_t *counter, long value)
{
    struct timespec end;
    int is_there;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += LIMIT_S;
    pthread_mutex_lock(&counter->lock);
    while (counter->value < value && pthread_cond_timedwait(&counter->changed, &counter->lock, &end) == 0) {}
    is_there = counter->value >= value;
    pthread_mutex_unlock(&counter->lock);
    return is_there;
}

static inline smem_acc_tcp_server_options_t tcp_options(uint16_t port, uint16_t workers)
{
    smem_acc_tcp_server_options_t options;
    memset(&options, 0, sizeof options);
    options.listen_ip = "127.0.0.1";
    options.listen_port = port;
    options.worker_count = workers;
    options.link_send_queue_size = 32;
    options.magic = 3867;
    options.version = 1;
    options.enable_listener = port != 0;
    return options;
}

static inline smem_acc_connect_request_t connect_request(uint64_t rank)
{
    smem_acc_connect_request_t request;
    memset(&request, 0, sizeof request);
    request.magic = 3867;
    request.version = 1;
    request.rank_id = rank;
    return request;
}

/* Takes every peer. */
static inline int32_t take_link(void *context, const smem_acc_connect_request_t *request, smem_acc_link_t link)
{
    (void)context;
    smem_acc_link_set_context(link, request->rank_id);
    return 0;
}

/* Counts, where there is a counter. */
static inline int32_t count_broken(void *context, smem_acc_link_t link)
{
    (void)link;
    if (context != NULL) counter_add((counter_t *)context, 1);
    return 0;
}

static inline int32_t echo(void *context, const smem_acc_message_t *message, const void *data, uint32_t data_len,
                           smem_acc_link_t link)
{
    (void)context;
    return smem_acc_link_send(link, message->type, message->result, message->seq_no, data, data_len);
}

/* A started message server with `echo`; port 0: without a listener. */
static inline smem_acc_server_t echo_server(uint16_t port, uint16_t workers, counter_t *broken)
{
    smem_acc_server_t server = smem_acc_tcp_server_create();
    smem_acc_tcp_server_options_t options = tcp_options(port, workers);
    smem_acc_server_set_new_link_handler(server, take_link, NULL);
    smem_acc_server_set_link_broken_handler(server, count_broken, broken);
    smem_acc_server_set_request_handler(server, ECHO, echo, NULL);
    OK(smem_acc_tcp_server_start(server, &options, NULL));
    return server;
}

#endif
