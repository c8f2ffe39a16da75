/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Messages between servers in C: what travels, callbacks that block, calls in callbacks, peers that die
 * and come back, forked children.
 */
#include "acc.h"

#include <signal.h>
#include <sys/wait.h>

static counter_t answers = COUNTER, sent = COUNTER, broken = COUNTER, entered = COUNTER, door = COUNTER;
static smem_acc_message_v2_t last;
static char last_data[64];
static uint32_t last_length;

static int32_t on_answer(void *context, const smem_acc_message_v2_t *message, const void *data, uint32_t data_len,
                         smem_acc_link_t link)
{
    CHECK(context == &answers && smem_acc_link_get_context(link) == 42);
    last = *message;
    last_length = data_len;
    if (data_len > 0 && data_len <= sizeof last_data) memcpy(last_data, data, data_len);
    counter_add(&answers, 1);
    return 0;
}

static int32_t on_sent(void *context, int32_t result, const smem_acc_message_v2_t *message, const void *data,
                       uint32_t data_len)
{
    CHECK(context == &sent && result == MFX_ACC_SENT && message->type == ECHO);
    CHECK(data_len == 5 && memcmp(data, "back", 5) == 0);
    counter_add(&sent, 1);
    return 0;
}

static int32_t echo_v2(void *context, const smem_acc_message_v2_t *message, const void *data, uint32_t data_len,
                       smem_acc_link_t link)
{
    (void)context;
    return smem_acc_link_send_v2(link, message->type, message->result, message->seq_no, data, data_len, NULL, 0);
}

/* Every field, with and without checksum. */
static void fields(void)
{
    uint16_t port = free_port();
    smem_acc_server_t server = echo_server(port, 2, NULL), client = smem_acc_tcp_server_create();
    smem_acc_tcp_server_options_t options = tcp_options(0, 2);
    smem_acc_connect_request_t request = connect_request(9);
    smem_acc_link_t link = NULL;
    long before = counter_get(&answers);
    smem_acc_server_set_link_broken_handler(client, count_broken, NULL);
    smem_acc_server_set_request_handler(client, ECHO, echo, NULL);
    smem_acc_server_set_request_handler_v2(client, ECHO, on_answer, &answers);
    smem_acc_server_set_sent_handler_v2(client, ECHO, on_sent, &sent);
    OK(smem_acc_tcp_server_start(client, &options, NULL));
    OK(smem_acc_server_connect(client, "127.0.0.1", port, &request, 30, &link));
    smem_acc_link_set_context(link, 42);

    OK(smem_acc_link_send_v2(link, ECHO, -3, UINT32_MAX, "123456789", 9, "back", 5));
    CHECK(counter_wait(&answers, before + 1) && counter_wait(&sent, 1));
    CHECK(last.type == ECHO && last.result == -3 && last.seq_no == UINT32_MAX && last.body_len == 9 && last.crc == 0);
    CHECK(last_length == 9 && memcmp(last_data, "123456789", 9) == 0);

    /* The other side sends checksums from now on; the one of "123456789" is known. */
    smem_acc_server_set_request_handler_v2(server, ECHO, echo_v2, NULL);
    OK(smem_acc_link_send_v2(link, ECHO, 7, 0, "123456789", 9, "back", 5));
    CHECK(counter_wait(&answers, before + 2));
    CHECK(last.crc == 0xe3069283u && last.seq_no == 0 && last.result == 7);

    smem_acc_link_release(link);
    smem_acc_server_destroy(client);
    smem_acc_server_destroy(server);
}

static int32_t stop_inside(void *context, const smem_acc_message_t *message, const void *data, uint32_t data_len,
                           smem_acc_link_t link)
{
    (void)message, (void)data, (void)data_len;
    (void)smem_get_and_clear_last_err_msg();
    smem_acc_server_stop(context);
    CHECK(smem_get_last_err_code() == -1);
    (void)smem_get_and_clear_last_err_msg();
    smem_acc_server_destroy(context);
    CHECK(smem_get_last_err_code() == -1);
    OK(smem_acc_server_release_link(context, link));
    OK(smem_acc_server_release_link(context, link));
    counter_add(&entered, 1);
    return 1;
}

/* Stop, destroy and release inside a callback. */
static void inside(void)
{
    uint16_t port = free_port();
    counter_t here = COUNTER, there = COUNTER;
    smem_acc_server_t server = echo_server(port, 1, &there), client = echo_server(0, 1, &here);
    smem_acc_connect_request_t request = connect_request(0);
    smem_acc_link_t link = NULL;
    smem_acc_server_set_request_handler(server, ECHO, stop_inside, server);
    OK(smem_acc_server_connect(client, "127.0.0.1", port, &request, 1, &link));
    OK(smem_acc_link_send(link, ECHO, 0, 0, NULL, 0));
    CHECK(counter_wait(&entered, 1) && counter_wait(&here, 1) && counter_wait(&there, 1));
    smem_acc_link_release(link);
    smem_acc_server_destroy(server);
    smem_acc_server_destroy(client);
    CHECK(counter_get(&here) == 1 && counter_get(&there) == 1);
}

static int32_t block(void *context, const smem_acc_message_t *message, const void *data, uint32_t data_len,
                     smem_acc_link_t link)
{
    (void)context, (void)data, (void)data_len, (void)link, (void)message;
    counter_add(&entered, 1);
    CHECK(counter_wait(&door, 1));
    return 0;
}

/* One link's callback blocks; another link goes on. */
static void blocking(void)
{
    uint16_t port = free_port();
    smem_acc_server_t server = echo_server(port, 2, NULL), client = smem_acc_tcp_server_create();
    smem_acc_tcp_server_options_t options = tcp_options(0, 1);
    smem_acc_connect_request_t request = connect_request(0);
    smem_acc_link_t slow = NULL, quick = NULL;
    long before = counter_get(&answers), was_in = counter_get(&entered);
    smem_acc_server_set_link_broken_handler(client, count_broken, NULL);
    smem_acc_server_set_request_handler_v2(client, ECHO, on_answer, &answers);
    smem_acc_server_set_request_handler(server, ECHO + 1, block, NULL);
    OK(smem_acc_tcp_server_start(client, &options, NULL));
    OK(smem_acc_server_connect(client, "127.0.0.1", port, &request, 1, &slow));
    OK(smem_acc_server_connect(client, "127.0.0.1", port, &request, 1, &quick));
    CHECK(smem_acc_link_id(slow) != smem_acc_link_id(quick));
    smem_acc_link_set_context(quick, 42);
    OK(smem_acc_link_send(slow, ECHO + 1, 0, 0, NULL, 0));
    CHECK(counter_wait(&entered, was_in + 1));
    OK(smem_acc_link_send(quick, ECHO, 0, 0, NULL, 0));
    CHECK(counter_wait(&answers, before + 1));
    counter_add(&door, 1);
    smem_acc_link_release(slow);
    smem_acc_link_release(quick);
    smem_acc_server_destroy(client);
    smem_acc_server_destroy(server);
}

static uint16_t reconnect_port;
static smem_acc_server_t reconnecting;
static smem_acc_link_t expected_link;

/* Connects again, sends, and waits for the answer, all inside the callback. */
static int32_t reconnect(void *context, smem_acc_link_t link)
{
    smem_acc_connect_request_t request = connect_request(3);
    smem_acc_link_t again = NULL;
    long before = counter_get(&answers);
    (void)context;
    CHECK(smem_acc_link_id(link) == smem_acc_link_id(expected_link));
    request.reconnect = 1;
    OK(smem_acc_server_connect(reconnecting, "127.0.0.1", reconnect_port, &request, 30, &again));
    smem_acc_link_set_context(again, 42);
    OK(smem_acc_link_send(again, ECHO, 1, 2, "again", 6));
    CHECK(counter_wait(&answers, before + 1));
    smem_acc_link_release(again);
    counter_add(&broken, 1);
    return 0;
}

/* A server in a process of its own, which is killed; its port. */
static pid_t start_child(uint16_t port)
{
    int ready[2];
    char byte = 0;
    pid_t child;
    CHECK(pipe(ready) == 0);
    child = fork();
    if (child == 0) {
        smem_acc_server_t server = echo_server(port, 2, NULL);
        if (server == NULL || check_failures > 0 || write(ready[1], "r", 1) != 1) _exit(3);
        for (;;) pause();
    }
    close(ready[1]);
    CHECK(child > 0 && read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    return child;
}

static void end_child(pid_t child)
{
    int status = 0;
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

static void killed_peer(void)
{
    smem_acc_tcp_server_options_t options = tcp_options(0, 1);
    smem_acc_connect_request_t request = connect_request(3);
    uint16_t first_port = free_port();
    pid_t first = start_child(first_port), second;
    reconnect_port = free_port();
    second = start_child(reconnect_port);
    reconnecting = smem_acc_tcp_server_create();
    smem_acc_server_set_link_broken_handler(reconnecting, reconnect, NULL);
    smem_acc_server_set_request_handler_v2(reconnecting, ECHO, on_answer, &answers);
    OK(smem_acc_tcp_server_start(reconnecting, &options, NULL));
    OK(smem_acc_server_connect(reconnecting, "127.0.0.1", first_port, &request, 30, &expected_link));
    end_child(first);
    CHECK(counter_wait(&broken, 1));
    smem_acc_server_set_link_broken_handler(reconnecting, count_broken, NULL);
    end_child(second);
    smem_acc_link_release(expected_link);
    smem_acc_server_destroy(reconnecting);
}

/* A forked child uses nothing of its parent, and may make its own. */
static void forked(void)
{
    uint16_t port = free_port();
    counter_t ended = COUNTER;
    smem_acc_server_t server = echo_server(port, 1, NULL), client = echo_server(0, 1, &ended);
    smem_acc_connect_request_t request = connect_request(0);
    smem_acc_link_t link = NULL, other = NULL;
    int status = 0;
    pid_t child;
    OK(smem_acc_server_connect(client, "127.0.0.1", port, &request, 1, &link));
    child = fork();
    if (child == 0) {
        FAILS(-5, smem_acc_link_send(link, ECHO, 0, 0, NULL, 0));
        FAILS(-5, smem_acc_server_connect(client, "127.0.0.1", port, &request, 1, &other));
        FAILS(-5, smem_acc_server_release_link(client, link));
        smem_acc_server_stop(client);
        smem_acc_server_destroy(client);
        {
            smem_acc_server_t own = echo_server(0, 1, NULL);
            OK(smem_acc_server_connect(own, "127.0.0.1", port, &request, 1, &other));
            OK(smem_acc_link_send(other, ECHO, 0, 0, NULL, 0));
            smem_acc_link_release(other);
            smem_acc_server_destroy(own);
        }
        _exit(check_failures > 0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    OK(smem_acc_link_send(link, ECHO, 0, 0, NULL, 0));
    CHECK(counter_get(&ended) == 0);
    smem_acc_link_release(link);
    smem_acc_server_destroy(client);
    smem_acc_server_destroy(server);
}

int main(void)
{
    /* Children first: they are forked from a process that has no threads of its own yet. */
    killed_peer();
    fields();
    inside();
    blocking();
    forked();
    return check_result();
}
