/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Requests and answers over links of smem_acc_api.h: a server adds numbers, and a client asks it, here in
 * one process. A program matches answers with requests by the sequence number, which travels unchanged.
 *
 *     cc 13_messages.c $(pkg-config --cflags --libs mf_smem) -o 13_messages && ./13_messages
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "smem/host/smem.h"
#include "smem/host/smem_acc_api.h"

#define ADD 1      /* a type of messages: numbers in, their sum out */
#define REQUESTS 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uint64_t sums[REQUESTS];
static int answered;

/* The server takes every peer, and keeps its name on the link. */
static int32_t on_new_link(void *context, const smem_acc_connect_request_t *request, smem_acc_link_t link)
{
    (void)context;
    smem_acc_link_set_context(link, request->rank_id);
    return 0;
}

static int32_t on_broken(void *context, smem_acc_link_t link)
{
    printf("%s: link %" PRIu32 " has ended\n", (const char *)context, smem_acc_link_id(link));
    return 0;
}

/* A reply is a message on the same link. */
static int32_t on_add(void *context, const smem_acc_message_t *message, const void *data, uint32_t data_len,
                      smem_acc_link_t link)
{
    uint64_t sum = 0, number;
    uint32_t at;
    (void)context;
    for (at = 0; at + sizeof number <= data_len; at += sizeof number) {
        memcpy(&number, (const char *)data + at, sizeof number);
        sum += number;
    }
    return smem_acc_link_send(link, ADD, 0, message->seq_no, &sum, sizeof sum);
}

static int32_t on_sum(void *context, const smem_acc_message_t *message, const void *data, uint32_t data_len,
                      smem_acc_link_t link)
{
    (void)context, (void)link;
    if (message->seq_no >= REQUESTS || data_len != sizeof sums[0]) return -1;
    pthread_mutex_lock(&lock);
    memcpy(&sums[message->seq_no], data, data_len);
    answered++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

/* A port that was free a moment ago. */
static uint16_t free_port(void)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0
        || getsockname(fd, (struct sockaddr *)&address, &length) != 0) return 0;
    close(fd);
    return ntohs(address.sin_port);
}

static int failed(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, smem_get_last_err_msg());
    return 1;
}

int main(void)
{
    smem_acc_tcp_server_options_t options;
    smem_acc_connect_request_t request;
    smem_acc_server_t server = smem_acc_tcp_server_create(), client = smem_acc_tcp_server_create();
    smem_acc_link_t link = NULL;
    uint64_t numbers[3];
    uint32_t i;

    memset(&options, 0, sizeof options);
    options.listen_ip = "127.0.0.1", options.listen_port = free_port(), options.enable_listener = 1;
    options.worker_count = 2, options.link_send_queue_size = 32, options.magic = 3867, options.version = 1;
    smem_acc_server_set_new_link_handler(server, on_new_link, NULL);
    smem_acc_server_set_link_broken_handler(server, on_broken, (void *)"server");
    smem_acc_server_set_request_handler(server, ADD, on_add, NULL);
    if (smem_acc_tcp_server_start(server, &options, NULL) != 0) return failed("start");

    memset(&request, 0, sizeof request);
    request.magic = options.magic, request.version = options.version, request.rank_id = 7;
    options.enable_listener = 0;
    smem_acc_server_set_link_broken_handler(client, on_broken, (void *)"client");
    smem_acc_server_set_request_handler(client, ADD, on_sum, NULL);
    if (smem_acc_tcp_server_start(client, &options, NULL) != 0) return failed("start of the client");
    if (smem_acc_server_connect(client, "127.0.0.1", options.listen_port, &request, 30, &link) != 0) return failed("connect");

    for (i = 0; i < REQUESTS; i++) {
        numbers[0] = i, numbers[1] = 10, numbers[2] = 100;
        if (smem_acc_link_send(link, ADD, 0, i, numbers, sizeof numbers) != 0) return failed("send");
    }
    pthread_mutex_lock(&lock);
    while (answered < REQUESTS) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    for (i = 0; i < REQUESTS; i++) {
        if (sums[i] != i + 110) return 2;
    }
    printf("%d answers\n", answered);

    smem_acc_link_release(link);
    smem_acc_server_destroy(client); /* a server stops when it is destroyed */
    smem_acc_server_destroy(server);
    return 0;
}
