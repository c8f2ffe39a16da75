/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A small HTTP server with smem_acc_api.h: /health, a counter as metrics, and keys with values. The
 * program asks itself by a plain socket; with a port as argument it serves until its input ends.
 *
 *     cc 14_http.c $(pkg-config --cflags --libs mf_smem) -o 14_http && ./14_http 8080
 *     curl -X PUT --data hello 'http://127.0.0.1:8080/api/v1/key?name=greeting'
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "smem/host/smem.h"
#include "smem/host/smem_acc_api.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char name[64], value[256];
static unsigned long puts_served;

static int32_t reply(smem_acc_http_request_t request, uint16_t status, const char *text)
{
    return smem_acc_http_request_reply(request, status, "text/plain", text, (uint32_t)strlen(text));
}

static int32_t on_health(void *context, smem_acc_http_request_t request)
{
    (void)context;
    return reply(request, 200, "well\n");
}

static int32_t on_metrics(void *context, smem_acc_http_request_t request)
{
    char text[64];
    (void)context;
    pthread_mutex_lock(&lock);
    snprintf(text, sizeof text, "puts_total %lu\n", puts_served);
    pthread_mutex_unlock(&lock);
    return reply(request, 200, text);
}

/* PUT /api/v1/key?name=NAME, with the value as body. */
static int32_t on_put(void *context, smem_acc_http_request_t request)
{
    uint32_t length;
    const char *body = (const char *)smem_acc_http_request_body(request, &length);
    const char *key = smem_acc_http_request_param(request, "name");
    (void)context;
    if (key == NULL || length >= sizeof value) return reply(request, 400, "a name and a short value are needed\n");
    pthread_mutex_lock(&lock);
    snprintf(name, sizeof name, "%s", key);
    snprintf(value, sizeof value, "%.*s", (int)length, body);
    puts_served++;
    pthread_mutex_unlock(&lock);
    return reply(request, 201, "kept\n");
}

static int32_t on_get(void *context, smem_acc_http_request_t request)
{
    const char *key = smem_acc_http_request_param(request, "name");
    char found[sizeof value] = "";
    (void)context;
    pthread_mutex_lock(&lock);
    if (key != NULL && strcmp(key, name) == 0) memcpy(found, value, sizeof found);
    pthread_mutex_unlock(&lock);
    return found[0] != 0 ? reply(request, 200, found) : reply(request, 404, "no such key\n");
}

static int32_t on_broken(void *context, smem_acc_link_t link)
{
    (void)context, (void)link;
    return 0;
}

/* Sends `text`, and says whether the answer contains `expected`. */
static int asks(struct sockaddr_in address, const char *text, const char *expected)
{
    char answer[1024];
    size_t length = 0;
    ssize_t bytes;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return 0;
    if (write(fd, text, strlen(text)) != (ssize_t)strlen(text)) return 0;
    while ((bytes = read(fd, answer + length, sizeof answer - 1 - length)) > 0) length += (size_t)bytes;
    answer[length] = 0;
    close(fd);
    printf("%s\n", answer);
    return strstr(answer, expected) != NULL;
}

int main(int argc, char **argv)
{
    smem_acc_http_server_options_t options;
    smem_acc_server_t server = smem_acc_http_server_create();
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0), good;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET, address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 0));
    /* Without an argument: a port that is free now. */
    if (fd < 0 || (argc == 1 && bind(fd, (struct sockaddr *)&address, sizeof address) != 0)
        || (argc == 1 && getsockname(fd, (struct sockaddr *)&address, &length) != 0)) return 1;
    close(fd);

    memset(&options, 0, sizeof options);
    options.listen_ip = "127.0.0.1", options.listen_port = ntohs(address.sin_port);
    options.worker_count = 2, options.max_body_size = 1 << 20;
    smem_acc_server_set_link_broken_handler(server, on_broken, NULL);
    smem_acc_http_server_register_handler(server, MFX_ACC_HTTP_GET, "/health", on_health, NULL);
    smem_acc_http_server_register_handler(server, MFX_ACC_HTTP_GET, "/metrics", on_metrics, NULL);
    smem_acc_http_server_register_handler(server, MFX_ACC_HTTP_PUT, "/api/v1/key", on_put, NULL);
    smem_acc_http_server_register_handler(server, MFX_ACC_HTTP_GET, "/api/v1/key", on_get, NULL);
    if (smem_acc_http_server_start(server, &options, NULL) != 0) {
        fprintf(stderr, "start: %s\n", smem_get_last_err_msg());
        return 1;
    }
    if (argc > 1) {
        while (getchar() != EOF) {}
        good = 1;
    } else {
        good = asks(address, "GET /health HTTP/1.0\r\n\r\n", "well")
            && asks(address, "PUT /api/v1/key?name=a+b HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello", "201 Created")
            && asks(address, "GET /api/v1/key?name=a%20b HTTP/1.0\r\n\r\n", "hello")
            && asks(address, "GET /metrics HTTP/1.0\r\n\r\n", "puts_total 1")
            && asks(address, "GET /nothing HTTP/1.0\r\n\r\n", "404 Not Found");
    }
    smem_acc_server_destroy(server);
    return good ? 0 : 2;
}
