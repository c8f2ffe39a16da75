/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Types and codes of the message and HTTP servers. */
#ifndef MF_SMEM_ACC_DEF_H
#define MF_SMEM_ACC_DEF_H

#include "smem_def.h"
#include "smem_tls_options.h"

/* Opaque values; they are never the address of anything. Stale and made-up ones are refused. */
typedef void *smem_acc_server_t;
typedef void *smem_acc_link_t;
/* A request, while its handler runs. */
typedef void *smem_acc_http_request_t;

/* ---- Codes of these functions. 0 is success. ---- */

#define MFX_ACC_ERROR           (-1)    /* failed for a reason that no other code names */
#define MFX_ACC_NO_MEMORY       (-3)    /* the system refused memory */
#define MFX_ACC_INVALID_PARAM   (-4)    /* an argument is not acceptable */
#define MFX_ACC_NOT_STARTED     (-5)    /* the server is not started, or of the parent of this process */
#define MFX_ACC_TIMEOUT         (-6)    /* the deadline passed */
#define MFX_ACC_NOT_CONNECTED   (-7)    /* the other side cannot be reached */
#define MFX_ACC_REFUSED         (-9)    /* the other side does not take the link; the text says why */
#define MFX_ACC_QUEUE_FULL      (-10)   /* too many messages wait on the link */
#define MFX_ACC_LINK_BROKEN     (-11)   /* the link has ended */
#define MFX_ACC_ADDRESS_IN_USE  (-17)   /* the address is in use */
#define MFX_ACC_NULL            (-3000) /* a null handle, of smem_acc_server_release_link */

/* ---- Results for a sent handler ---- */

#define MFX_ACC_SENT         0 /* the socket has taken the message */
#define MFX_ACC_SENT_TIMEOUT 1 /* the other side took nothing for a minute; the link ends */
#define MFX_ACC_SENT_BROKEN  2 /* the link has ended before */

/* ---- Methods of HTTP ---- */

#define MFX_ACC_HTTP_GET     0
#define MFX_ACC_HTTP_HEAD    1
#define MFX_ACC_HTTP_POST    2
#define MFX_ACC_HTTP_PUT     3
#define MFX_ACC_HTTP_DELETE  4
#define MFX_ACC_HTTP_CONNECT 5
#define MFX_ACC_HTTP_OPTIONS 6
#define MFX_ACC_HTTP_TRACE   7
#define MFX_ACC_HTTP_PATCH   8

/* Options of a message server. */
typedef struct smem_acc_tcp_server_options {
    const char *listen_ip;         /* IPv4 or IPv6 address; needed with a listener */
    uint16_t listen_port;          /* not 0 with a listener */
    uint16_t worker_count;         /* threads that run callbacks, 1 to 256 */
    uint16_t link_send_queue_size; /* messages that may wait on a link, 32 to 255 */
    int16_t magic;                 /* must be that of peers that connect */
    int16_t version;               /* must be that of peers that connect */
    uint8_t enable_listener;       /* 0: it only connects to others */
} smem_acc_tcp_server_options_t;

/* Options of an HTTP server. */
typedef struct smem_acc_http_server_options {
    const char *listen_ip; /* IPv4 or IPv6 address */
    uint16_t listen_port;  /* not 0 */
    uint16_t worker_count; /* threads that run callbacks, 1 to 256 */
    size_t max_body_size;  /* bytes; longer bodies get 413 */
} smem_acc_http_server_options_t;

/* First message of a connecting peer. */
typedef struct smem_acc_connect_request {
    int16_t magic;     /* must be that of the listener */
    int16_t version;   /* must be that of the listener */
    uint8_t reconnect; /* travels to the listener */
    uint64_t rank_id;  /* travels to the listener, as the name of the peer */
} smem_acc_connect_request_t;

/* Header of a body. All fields are the caller's. */
typedef struct smem_acc_message {
    int16_t type;      /* selects the handler */
    int16_t result;
    uint32_t body_len; /* bytes of the body */
    uint32_t seq_no;
} smem_acc_message_t;

/* The same with a checksum. */
typedef struct smem_acc_message_v2 {
    int16_t type;
    int16_t result;
    uint32_t body_len;
    uint32_t seq_no;
    uint32_t crc;      /* CRC-32C of the body, compared on arrival; 0 for messages of smem_acc_link_send */
} smem_acc_message_v2_t;

MFX_STATIC_ASSERT(sizeof(smem_acc_tcp_server_options_t) == 24, "smem_acc_tcp_server_options_t is 24 bytes");
MFX_STATIC_ASSERT(sizeof(smem_acc_http_server_options_t) == 24, "smem_acc_http_server_options_t is 24 bytes");
MFX_STATIC_ASSERT(sizeof(smem_acc_connect_request_t) == 16, "smem_acc_connect_request_t is 16 bytes");
MFX_STATIC_ASSERT(sizeof(smem_acc_message_t) == 12, "smem_acc_message_t is 12 bytes");
MFX_STATIC_ASSERT(sizeof(smem_acc_message_v2_t) == 16, "smem_acc_message_v2_t is 16 bytes");

#ifdef __cplusplus
extern "C" {
#endif

/* Asked for each peer that connects; another number than 0 refuses it, and travels to the peer. request and
 * link are lent for the call. The callback has returned before a request of the link is delivered, and before
 * smem_acc_server_connect returns at the other side. It must not throw. */
typedef int32_t (*smem_acc_new_link_cb)(void *context, const smem_acc_connect_request_t *request, smem_acc_link_t link);

/* Gets a message. All is lent for the call; data is never null. One at a time for each link, in order. The
 * result is logged. It must not throw. */
typedef int32_t (*smem_acc_request_cb)(void *context, const smem_acc_message_t *message, const void *data,
                                       uint32_t data_len, smem_acc_link_t link);
typedef int32_t (*smem_acc_request_cb_v2)(void *context, const smem_acc_message_v2_t *message, const void *data,
                                          uint32_t data_len, smem_acc_link_t link);

/* Gets what became of a message: MFX_ACC_SENT, MFX_ACC_SENT_TIMEOUT or MFX_ACC_SENT_BROKEN.
 * It must not throw. */
typedef int32_t (*smem_acc_sent_cb)(void *context, int32_t result, const smem_acc_message_t *message);
typedef int32_t (*smem_acc_sent_cb_v2)(void *context, int32_t result, const smem_acc_message_v2_t *message,
                                       const void *callback_data, uint32_t callback_data_len);

/* Notified once of each link that has ended, on a thread of its own: it may block, connect, send, and
 * wait for an answer. It must not throw. */
typedef int32_t (*smem_acc_link_broken_cb)(void *context, smem_acc_link_t link);

/* Serves a request of HTTP, and answers it with smem_acc_http_request_reply before it returns.
 * It must not throw. */
typedef int32_t (*smem_acc_http_cb)(void *context, smem_acc_http_request_t request);

/* Gets a parameter of a query; both are lent for the call. It must not throw. */
typedef void (*smem_acc_http_param_cb)(void *context, const char *name, const char *value);

/* Decrypts the password of a private key: writes a C string of at most plain_text_len bytes, its end
 * included, and returns 0; anything else makes the start fail. It must not throw. */
typedef int32_t (*smem_decrypt_cb)(void *context, const char *cipher_text, size_t cipher_text_len, uint8_t *plain_text,
                                   size_t plain_text_len);

#ifdef __cplusplus
}
#endif

#endif
