/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An HTTP server in C, asked through plain sockets. */
#include "acc.h"

static char visited[256];
static smem_acc_http_request_t kept;

static void visit(void *context, const char *name, const char *value)
{
    size_t length = strlen(visited);
    CHECK(context == visited);
    snprintf(visited + length, sizeof visited - length, "%s=%s;", name, value);
}

static int32_t on_get(void *context, smem_acc_http_request_t request)
{
    const char *first = smem_acc_http_request_param(request, "name");
    const char *again = smem_acc_http_request_param(request, "other");
    uint32_t length = 9;
    CHECK(context == &kept);
    kept = request;
    CHECK(smem_acc_http_request_body(request, &length) != NULL && length == 0);
    CHECK(smem_acc_http_request_param(request, NULL) == NULL && smem_acc_http_request_param(request, "none") == NULL);
    CHECK(first != NULL && strcmp(first, "one two") == 0);
    CHECK(again != NULL && strcmp(again, "") == 0 && strcmp(first, "one two") == 0);
    visited[0] = 0;
    FAILS(-4, smem_acc_http_request_visit_params(request, NULL, NULL));
    OK(smem_acc_http_request_visit_params(request, visit, visited));
    CHECK(strcmp(visited, "name=one two;name=second;other=;") == 0);

    FAILS(-4, smem_acc_http_request_reply(request, 99, "text/plain", "x", 1));
    FAILS(-4, smem_acc_http_request_reply(request, 600, "text/plain", "x", 1));
    FAILS(-4, smem_acc_http_request_reply(request, 200, NULL, "x", 1));
    FAILS(-4, smem_acc_http_request_reply(request, 200, "text/plain\r\nX: y", "x", 1));
    FAILS(-4, smem_acc_http_request_reply(request, 200, "text/plain", NULL, 1));
    OK(smem_acc_http_request_reply(request, 200, "text/plain", "got it", 6));
    FAILS(-1, smem_acc_http_request_reply(request, 200, "text/plain", "got it", 6));
    return 0;
}

static int32_t on_post(void *context, smem_acc_http_request_t request)
{
    uint32_t length = 0;
    const void *body = smem_acc_http_request_body(request, &length);
    (void)context;
    return smem_acc_http_request_reply(request, 201, "application/octet-stream", body, length);
}

static int32_t on_silence(void *context, smem_acc_http_request_t request)
{
    (void)context, (void)request;
    return 0;
}

/* Sends `text`, and reads until the other side closes. */
static void ask(uint16_t port, const char *text, char *answer, size_t size)
{
    struct sockaddr_in address;
    size_t length = 0;
    ssize_t bytes;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    while (length + 1 < size && (bytes = read(fd, answer + length, size - length - 1)) > 0) length += (size_t)bytes;
    answer[length] = 0;
    close(fd);
}

static void answers(uint16_t port, const char *text, const char *begin, const char *end)
{
    char answer[4096];
    size_t length;
    ask(port, text, answer, sizeof answer);
    length = strlen(answer);
    if (strncmp(answer, begin, strlen(begin)) != 0 || length < strlen(end)
        || strcmp(answer + length - strlen(end), end) != 0) {
        printf("\"%s\" gave \"%s\"\n", text, answer);
        check_count();
    }
}

int main(void)
{
    counter_t broken = COUNTER;
    smem_acc_http_server_options_t options;
    smem_acc_server_t server = smem_acc_http_server_create();
    memset(&options, 0, sizeof options);
    options.listen_ip = "127.0.0.1";
    options.listen_port = free_port();
    options.worker_count = 2;
    options.max_body_size = 16;
    smem_acc_server_set_link_broken_handler(server, count_broken, &broken);
    OK(smem_acc_http_server_register_handler(server, MFX_ACC_HTTP_GET, "/health", on_get, &kept));
    OK(smem_acc_http_server_register_handler(server, MFX_ACC_HTTP_GET, "/health", on_silence, NULL));
    OK(smem_acc_http_server_register_handler(server, MFX_ACC_HTTP_POST, "/api/v1/keys", on_post, NULL));
    OK(smem_acc_http_server_register_handler(server, MFX_ACC_HTTP_DELETE, "*", on_silence, NULL));
    OK(smem_acc_http_server_start(server, &options, NULL));

#define CLOSES "Connection: close\r\n\r\n"
#define GET "GET /health?name=one+two&other&name=s%65cond HTTP/1.1\r\n"
    answers(options.listen_port, GET CLOSES, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n",
            "Connection: close\r\n\r\ngot it");
    FAILS(-4, smem_acc_http_request_reply(kept, 200, "text/plain", NULL, 0));
    CHECK(smem_acc_http_request_body(kept, NULL) == NULL);
    answers(options.listen_port, "POST /api/v1/keys HTTP/1.1\r\nContent-Length: 4\r\n" CLOSES "body", "HTTP/1.1 201 Created\r\n",
            "\r\n\r\nbody");
    answers(options.listen_port, "POST /api/v1/keys HTTP/1.1\r\nContent-Length: 17\r\n\r\n", "HTTP/1.1 413 ", CLOSES);
    answers(options.listen_port, "POST /health HTTP/1.1\r\n" CLOSES, "HTTP/1.1 405 ", CLOSES);
    answers(options.listen_port, "HEAD /health HTTP/1.1\r\n" CLOSES, "HTTP/1.1 405 ", CLOSES);
    answers(options.listen_port, "GET /nowhere HTTP/1.1\r\n" CLOSES, "HTTP/1.1 404 ", CLOSES);
    answers(options.listen_port, "DELETE /any HTTP/1.1\r\n" CLOSES, "HTTP/1.1 500 ", CLOSES);
    answers(options.listen_port, "rubbish\r\n\r\n", "HTTP/1.1 400 ", CLOSES);
    /* Two requests at once on one connection. */
    answers(options.listen_port, GET "\r\n" GET CLOSES, "HTTP/1.1 200 OK\r\n", "got it");
    CHECK(counter_wait(&broken, 9));
    smem_acc_server_destroy(server);
    return check_result();
}
