/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Arguments of the message and HTTP servers that are refused, with their codes; null, stale and made-up
 * handles. */
#include <sched.h>
#include <time.h>

#include "acc.h"

static int32_t on_http(void *context, smem_acc_http_request_t request)
{
    (void)context;
    return smem_acc_http_request_reply(request, 200, "text/plain", NULL, 0);
}

static void start_tcp(void)
{
    uint16_t port = free_port();
    smem_acc_tcp_server_options_t good = tcp_options(port, 2), bad;
    smem_acc_server_t server = smem_acc_tcp_server_create(), http = smem_acc_http_server_create();
    CHECK(server != NULL && http != NULL && server != http);

    FAILS(-4, smem_acc_tcp_server_start(NULL, &good, NULL));
    FAILS(-4, smem_acc_tcp_server_start(server, NULL, NULL));
    FAILS(-4, smem_acc_tcp_server_start(http, &good, NULL));
    /* Handlers are missing, one after the other. */
    FAILS(-4, smem_acc_tcp_server_start(server, &good, NULL));
    smem_acc_server_set_request_handler(server, ECHO, echo, NULL);
    FAILS(-4, smem_acc_tcp_server_start(server, &good, NULL));
    smem_acc_server_set_link_broken_handler(server, count_broken, NULL);
    FAILS(-4, smem_acc_tcp_server_start(server, &good, NULL));
    smem_acc_server_set_new_link_handler(server, take_link, NULL);
    smem_acc_server_set_new_link_handler(server, NULL, NULL);
    FAILS(-4, smem_acc_tcp_server_start(server, &good, NULL));
    smem_acc_server_set_new_link_handler(server, take_link, NULL);

#define REFUSES(change) \
    do { bad = good; change; FAILS(-4, smem_acc_tcp_server_start(server, &bad, NULL)); } while (0)
    REFUSES(bad.worker_count = 0);
    REFUSES(bad.worker_count = 257);
    REFUSES(bad.link_send_queue_size = 31);
    REFUSES(bad.link_send_queue_size = 256);
    REFUSES(bad.listen_port = 0);
    REFUSES(bad.listen_ip = NULL);
    REFUSES(bad.listen_ip = "");
    REFUSES(bad.listen_ip = "no address");
#undef REFUSES

    OK(smem_acc_tcp_server_start(server, &good, NULL));
    bad = good;
    bad.worker_count = 0;
    OK(smem_acc_tcp_server_start(server, &bad, NULL));
    {
        smem_acc_server_t second = smem_acc_tcp_server_create();
        smem_acc_server_set_request_handler_v2(second, ECHO, NULL, NULL);
        smem_acc_server_set_request_handler(second, ECHO, echo, NULL);
        smem_acc_server_set_link_broken_handler(second, count_broken, NULL);
        smem_acc_server_set_new_link_handler(second, take_link, NULL);
        FAILS(-17, smem_acc_tcp_server_start(second, &good, NULL));
        smem_acc_server_destroy(second);
    }
    smem_acc_server_stop(server);
    smem_acc_server_stop(server);
    smem_acc_server_destroy(server);
    (void)smem_get_and_clear_last_err_msg();
    smem_acc_server_destroy(server);
    CHECK(smem_get_last_err_code() == -4);
    smem_acc_server_destroy(http);
}

static void start_http(void)
{
    smem_acc_http_server_options_t good, bad;
    smem_acc_tcp_server_options_t tcp = tcp_options(free_port(), 1);
    smem_acc_server_t server = smem_acc_http_server_create(), messages = smem_acc_tcp_server_create();
    smem_acc_connect_request_t request = connect_request(0);
    smem_acc_link_t link = NULL;
    memset(&good, 0, sizeof good);
    good.listen_ip = "127.0.0.1";
    good.listen_port = free_port();
    good.worker_count = 2;
    good.max_body_size = 1 << 20;

    FAILS(-4, smem_acc_http_server_start(NULL, &good, NULL));
    FAILS(-4, smem_acc_http_server_start(server, NULL, NULL));
    FAILS(-4, smem_acc_http_server_start(messages, &good, NULL));
    FAILS(-4, smem_acc_tcp_server_start(server, &tcp, NULL));
    smem_acc_server_set_link_broken_handler(server, count_broken, NULL);
    FAILS(-4, smem_acc_http_server_start(server, &good, NULL));

    FAILS(-4, smem_acc_http_server_register_handler(NULL, 0, "/", on_http, NULL));
    FAILS(-4, smem_acc_http_server_register_handler(server, 9, "/", on_http, NULL));
    FAILS(-4, smem_acc_http_server_register_handler(server, 255, "/", on_http, NULL));
    FAILS(-4, smem_acc_http_server_register_handler(server, 0, NULL, on_http, NULL));
    FAILS(-4, smem_acc_http_server_register_handler(server, 0, "", on_http, NULL));
    FAILS(-4, smem_acc_http_server_register_handler(server, 0, "health", on_http, NULL));
    FAILS(-4, smem_acc_http_server_register_handler(server, 0, "/", NULL, NULL));
    OK(smem_acc_http_server_register_handler(server, 0, "/", on_http, NULL));
    OK(smem_acc_http_server_register_handler(server, 0, "/", on_http, &good));
    OK(smem_acc_http_server_register_handler(server, 8, "*", on_http, NULL));

#define REFUSES(change) \
    do { bad = good; change; FAILS(-4, smem_acc_http_server_start(server, &bad, NULL)); } while (0)
    REFUSES(bad.worker_count = 0);
    REFUSES(bad.worker_count = 257);
    REFUSES(bad.listen_port = 0);
    REFUSES(bad.listen_ip = NULL);
    REFUSES(bad.listen_ip = "");
#undef REFUSES
    OK(smem_acc_http_server_start(server, &good, NULL));
    OK(smem_acc_http_server_start(server, &good, NULL));
    FAILS(-4, smem_acc_server_connect(server, "127.0.0.1", 1, &request, 1, &link));

    FAILS(-4, smem_acc_http_request_reply(NULL, 200, "text/plain", NULL, 0));
    FAILS(-4, smem_acc_http_request_visit_params(NULL, NULL, NULL));
    CHECK(smem_acc_http_request_param(NULL, "a") == NULL);
    {
        uint32_t length = 9;
        CHECK(smem_acc_http_request_body(NULL, &length) == NULL && length == 0);
        CHECK(smem_acc_http_request_body(NULL, NULL) == NULL);
    }
    smem_acc_server_destroy(server);
    smem_acc_server_destroy(messages);
}

static void tls(void)
{
    smem_acc_tcp_server_options_t good = tcp_options(free_port(), 1);
    smem_tls_options_t files;
    smem_acc_server_t server = smem_acc_tcp_server_create();
    memset(&files, 0, sizeof files);
    smem_acc_server_set_request_handler(server, ECHO, echo, NULL);
    smem_acc_server_set_link_broken_handler(server, count_broken, NULL);
    smem_acc_server_set_new_link_handler(server, take_link, NULL);
    files.enable_tls = 1;
    FAILS(-4, smem_acc_tcp_server_start(server, &good, &files));
    files.tls_top_path = files.tls_ca_path = files.tls_crl_path = "/";
    files.tls_ca_file = files.tls_cert = files.tls_private_key = "/nowhere/at/all.pem";
    FAILS(-4, smem_acc_tcp_server_start(server, &good, &files));
    FAILS(-4, smem_acc_server_load_tls_library(NULL, "/opt"));
    FAILS(-4, smem_acc_server_load_tls_library(server, NULL));
    OK(smem_acc_server_load_tls_library(server, "/nowhere/"));
    files.enable_tls = 0;
    OK(smem_acc_tcp_server_start(server, &good, &files));
    smem_acc_server_destroy(server);
}

static void links(void)
{
    uint16_t port = free_port();
    counter_t broken = COUNTER;
    smem_acc_server_t server = echo_server(port, 1, NULL), client = echo_server(0, 1, &broken);
    smem_acc_server_t idle = smem_acc_tcp_server_create();
    smem_acc_connect_request_t request = connect_request(5);
    smem_acc_link_t link = &port, foreign = NULL;
    char data[8] = "data";

    FAILS(-4, smem_acc_server_connect(NULL, "127.0.0.1", port, &request, 1, &link));
    FAILS(-4, smem_acc_server_connect(client, NULL, port, &request, 1, &link));
    CHECK(link == NULL);
    FAILS(-4, smem_acc_server_connect(client, "localhost", port, &request, 1, &link));
    FAILS(-4, smem_acc_server_connect(client, "127.0.0.1", port, NULL, 1, &link));
    FAILS(-4, smem_acc_server_connect(client, "127.0.0.1", port, &request, 1, NULL));
    FAILS(-1, smem_acc_server_connect(client, "127.0.0.1", port, &request, 0, &link));
    FAILS(-5, smem_acc_server_connect(idle, "127.0.0.1", port, &request, 1, &link));
    FAILS(-7, smem_acc_server_connect(client, "127.0.0.1", free_port(), &request, 1, &link));
    request.magic = 1;
    FAILS(-9, smem_acc_server_connect(client, "127.0.0.1", port, &request, 30, &link));
    request = connect_request(5);
    OK(smem_acc_server_connect(client, "127.0.0.1", port, &request, 1, &link));
    OK(smem_acc_server_connect(server, "127.0.0.1", port, &request, 1, &foreign));

    CHECK(smem_acc_link_retain(NULL) == NULL);
    CHECK(smem_acc_link_id(NULL) == UINT32_MAX && smem_acc_link_get_context(NULL) == 0);
    CHECK(smem_acc_link_id(&data) == UINT32_MAX && smem_acc_link_get_context(&data) == 0);
    CHECK(smem_acc_link_retain(&data) == NULL);
    smem_acc_link_set_context(NULL, 1);
    smem_acc_link_set_context(&data, 1);
    smem_acc_link_release(NULL);
    smem_acc_link_release(&data);
    smem_acc_link_release((smem_acc_link_t)(uintptr_t)-1);

    FAILS(-4, smem_acc_link_send(NULL, ECHO, 0, 0, data, 4));
    FAILS(-4, smem_acc_link_send(&data, ECHO, 0, 0, data, 4));
    FAILS(-4, smem_acc_link_send(link, ECHO, 0, 0, NULL, 4));
    FAILS(-4, smem_acc_link_send(link, ECHO, 0, 0, data, (64u << 20) + 1));
    OK(smem_acc_link_send(link, ECHO, 0, 0, NULL, 0));
    FAILS(-4, smem_acc_link_send_v2(NULL, ECHO, 0, 0, data, 4, NULL, 0));
    FAILS(-4, smem_acc_link_send_v2(link, ECHO, 0, 0, NULL, 4, NULL, 0));
    FAILS(-4, smem_acc_link_send_v2(link, ECHO, 0, 0, data, 4, NULL, 1));
    OK(smem_acc_link_send_v2(link, ECHO, 0, 0, NULL, 0, NULL, 0));

    FAILS(-3000, smem_acc_server_release_link(NULL, link));
    FAILS(-3000, smem_acc_server_release_link(client, NULL));
    FAILS(-4, smem_acc_server_release_link(client, foreign));
    FAILS(-4, smem_acc_server_release_link(client, &data));
    FAILS(-4, smem_acc_server_release_link(&data, link));

    /* A share is there until it is given back, also of a link that has ended. */
    CHECK(smem_acc_link_retain(link) == link);
    OK(smem_acc_server_release_link(client, link));
    CHECK(counter_wait(&broken, 1));
    FAILS(-11, smem_acc_link_send(link, ECHO, 0, 0, data, 4));
    smem_acc_link_set_context(link, 77);
    smem_acc_link_release(link);
    CHECK(smem_acc_link_get_context(link) == 77 && smem_acc_link_id(link) != UINT32_MAX);
    smem_acc_link_release(link);
    /* The thread that has reported the end gives back its own share just after. */
    for (time_t end = time(NULL) + 30; smem_acc_link_id(link) != UINT32_MAX && time(NULL) < end;) {
        sched_yield();
    }
    FAILS_WITH(UINT32_MAX, -4, smem_acc_link_id(link));
    FAILS(-4, smem_acc_link_send(link, ECHO, 0, 0, data, 4));
    smem_acc_link_release(link);
    CHECK(counter_get(&broken) == 1);

    smem_acc_server_stop(server);
    FAILS(-11, smem_acc_link_send(foreign, ECHO, 0, 0, data, 4));
    smem_acc_server_destroy(server);
    CHECK(smem_acc_link_id(foreign) != UINT32_MAX);
    smem_acc_link_release(foreign);
    FAILS(-4, smem_acc_server_connect(server, "127.0.0.1", port, &request, 1, &link));
    smem_acc_server_destroy(client);
    smem_acc_server_destroy(idle);
}

/* Setters, with nothing and with something made up. */
static void setters(void)
{
    smem_acc_server_t made_up[2] = { NULL, (smem_acc_server_t)(uintptr_t)4096 };
    int i;
    for (i = 0; i < 2; i++) {
        smem_acc_server_set_decrypt_handler(made_up[i], NULL, NULL);
        smem_acc_server_set_new_link_handler(made_up[i], take_link, NULL);
        smem_acc_server_set_link_broken_handler(made_up[i], count_broken, NULL);
        smem_acc_server_set_request_handler(made_up[i], ECHO, echo, NULL);
        smem_acc_server_set_request_handler_v2(made_up[i], ECHO, NULL, NULL);
        smem_acc_server_set_sent_handler(made_up[i], ECHO, NULL, NULL);
        smem_acc_server_set_sent_handler_v2(made_up[i], ECHO, NULL, NULL);
        smem_acc_server_stop(made_up[i]);
        smem_acc_server_destroy(made_up[i]);
    }
}

int main(void)
{
    start_tcp();
    start_http();
    tls();
    links();
    setters();
    return check_result();
}
