/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Servers for programs that bring their own protocols: messages over links, and HTTP. docs/acc.md is the
 * guide.
 *
 * The words Local, Blocks, and the rules on errors, are defined in smem.h; the codes in smem_acc_def.h. All
 * functions may be called from any thread, also inside callbacks where nothing else is said. Requests, sent
 * notices and new links are served on the worker_count threads of a server; a callback that blocks takes one
 * of them. A forked child cannot use its parent's objects.
 */
#ifndef MF_SMEM_ACC_API_H
#define MF_SMEM_ACC_API_H

#include "smem_acc_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a message server, which is not started. Local. NULL on failure: 256 servers exist. */
smem_acc_server_t smem_acc_tcp_server_create(void);

/* Makes an HTTP server, which is not started. Local. NULL on failure: 256 servers exist. */
smem_acc_server_t smem_acc_http_server_create(void);

/* Stops a server, as smem_acc_server_stop, and ends it. Local, blocks. NULL is ignored. Links that are
 * retained stay valid and cannot send. In a callback of the server: nothing is done, the last error is
 * MFX_ACC_ERROR. */
void smem_acc_server_destroy(smem_acc_server_t server);

/*
 * Starts a message server. Local. At least one request handler and a link broken handler must be set, with a
 * listener a new link handler, too. Started already: 0, nothing changes.
 *
 * tls: null or enable_tls 0 is plaintext. Else both ends show certificates; host names are not compared.
 *
 * Errors: MFX_ACC_INVALID_PARAM null, a handler is missing, an option is out of range, an HTTP server, a file
 * of tls is not usable · MFX_ACC_ADDRESS_IN_USE · MFX_ACC_ERROR an error of the system.
 */
int32_t smem_acc_tcp_server_start(smem_acc_server_t server, const smem_acc_tcp_server_options_t *options,
                                  const smem_tls_options_t *tls);

/* Starts an HTTP server. Local. At least one route and a link broken handler must be set. All else, and the
 * errors, as smem_acc_tcp_server_start. With tls, clients must show certificates. */
int32_t smem_acc_http_server_start(smem_acc_server_t server, const smem_acc_http_server_options_t *options,
                                   const smem_tls_options_t *tls);

/* Stops a server: when it returns, no callback runs and none will. Local, blocks as long as callbacks do. Its
 * links end without callbacks. NULL is ignored. In a callback of the server: nothing is done, the last
 * error is MFX_ACC_ERROR. */
void smem_acc_server_stop(smem_acc_server_t server);

/* Accepts the folder of a TLS library. Local. It is not used, TLS is built in. Errors:
 * MFX_ACC_INVALID_PARAM null. */
int32_t smem_acc_server_load_tls_library(smem_acc_server_t server, const char *path);

/*
 * Connects to the message server at peer_ip. Blocks the calling thread alone, also in callbacks.
 *
 * max_retry_times: attempts, a second apart, of at most 30 s each; 0 fails without any. A refusal by the
 * other side ends them. *link: owned, smem_acc_link_release gives it back.
 *
 * Errors: MFX_ACC_INVALID_PARAM null, no address, an HTTP server · MFX_ACC_NOT_STARTED · MFX_ACC_REFUSED
 * magic, version, certificate, or the program there · MFX_ACC_NOT_CONNECTED · MFX_ACC_TIMEOUT ·
 * MFX_ACC_ERROR 0 attempts.
 */
int32_t smem_acc_server_connect(smem_acc_server_t server, const char *peer_ip, uint16_t port,
                                const smem_acc_connect_request_t *request, uint32_t max_retry_times, smem_acc_link_t *link);

/* Ends a link of the server; its broken callback follows, at both sides. Local. An owned handle stays owned.
 * Errors: MFX_ACC_NULL server or link is null · MFX_ACC_INVALID_PARAM a link of another server, a stale
 * handle. */
int32_t smem_acc_server_release_link(smem_acc_server_t server, smem_acc_link_t link);

/* Sets what decrypts the password of the private key. Local. For all these setters: null clears the
 * handler, and a null server is ignored. */
void smem_acc_server_set_decrypt_handler(smem_acc_server_t server, smem_decrypt_cb callback, void *context);

/* Sets the handler for connecting peers. Local. */
void smem_acc_server_set_new_link_handler(smem_acc_server_t server, smem_acc_new_link_cb callback, void *context);

/* Sets the handler for ended links. Local. */
void smem_acc_server_set_link_broken_handler(smem_acc_server_t server, smem_acc_link_broken_cb callback, void *context);

/* Sets what gets messages of a type; it replaces one of the other form. Messages of types without a
 * handler are dropped, with a log line. Local. */
void smem_acc_server_set_request_handler(smem_acc_server_t server, int16_t message_type, smem_acc_request_cb callback,
                                         void *context);
void smem_acc_server_set_request_handler_v2(smem_acc_server_t server, int16_t message_type,
                                            smem_acc_request_cb_v2 callback, void *context);

/* Sets the handler for sent messages of a type; it replaces one of the other form. Local. */
void smem_acc_server_set_sent_handler(smem_acc_server_t server, int16_t message_type, smem_acc_sent_cb callback,
                                      void *context);
void smem_acc_server_set_sent_handler_v2(smem_acc_server_t server, int16_t message_type, smem_acc_sent_cb_v2 callback,
                                         void *context);

/* Takes a share in a link that a callback was lent. Local. Each is given back once. The handle is the
 * same. NULL for null, and when the link is gone. */
smem_acc_link_t smem_acc_link_retain(smem_acc_link_t link);

/* Gives a share back. Local. It does not end the link. NULL is ignored. */
void smem_acc_link_release(smem_acc_link_t link);

/* Number of a link, which no other of its server has. Local. UINT32_MAX for null. */
uint32_t smem_acc_link_id(smem_acc_link_t link);

/* Sets and gives the number that the program keeps on a link. Local. 0 for null. */
void smem_acc_link_set_context(smem_acc_link_t link, uint64_t context);
uint64_t smem_acc_link_get_context(smem_acc_link_t link);

/*
 * Sends a message. Returns when the socket has it, or a copy of it waits. Messages of one thread keep
 * their order, and each arrives whole.
 *
 * data: data_len bytes, at most 64 MiB; may be null with 0 bytes.
 *
 * Errors: MFX_ACC_INVALID_PARAM null, too long, a stale handle · MFX_ACC_QUEUE_FULL at once ·
 * MFX_ACC_LINK_BROKEN.
 */
int32_t smem_acc_link_send(smem_acc_link_t link, int16_t message_type, int16_t result, uint32_t sequence,
                           const void *data, uint32_t data_len);

/* The same; the sent handler of the type gets callback_data back, and the body travels with its checksum. */
int32_t smem_acc_link_send_v2(smem_acc_link_t link, int16_t message_type, int16_t result, uint32_t sequence,
                              const void *data, uint32_t data_len, const void *callback_data,
                              uint32_t callback_data_len);

/* Sets what serves requests of a method (MFX_ACC_HTTP_*) and a path, which begins with a slash and must
 * be equal; the path "*" serves all that have no route. The first of a route stays. Local. Errors:
 * MFX_ACC_INVALID_PARAM null, another method, another path, a message server. */
int32_t smem_acc_http_server_register_handler(smem_acc_server_t server, uint8_t method, const char *path,
                                              smem_acc_http_cb callback, void *context);

/* The body of a request, lent while its handler runs. *length: its bytes; may be null. Local. */
const void *smem_acc_http_request_body(smem_acc_http_request_t request, uint32_t *length);

/* The first value of a parameter of the query, lent while the handler runs; NULL if absent. Local. */
const char *smem_acc_http_request_param(smem_acc_http_request_t request, const char *name);

/* Calls callback for every parameter of the query, in order of names. Local.
 * Errors: MFX_ACC_INVALID_PARAM null, a stale handle. */
int32_t smem_acc_http_request_visit_params(smem_acc_http_request_t request, smem_acc_http_param_cb callback,
                                           void *context);

/* Answers a request. Local. A handler that returns without an answer gives 500.
 * Errors: MFX_ACC_INVALID_PARAM null, a status outside 100 to 599, a line end in content_type, the
 * handler has returned · MFX_ACC_ERROR it was answered before. */
int32_t smem_acc_http_request_reply(smem_acc_http_request_t request, uint16_t status, const char *content_type,
                                    const void *body, uint32_t body_len);

#ifdef __cplusplus
}
#endif

#endif
