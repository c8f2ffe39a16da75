/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Config store servers: a store as an object, with callbacks and a status.
 *
 * smem_create_config_store of smem.h is a shorter call for the same server. The words Local, Blocks, and the
 * rules on threads, fork and errors, are defined in smem.h. Callbacks run on internal threads, without a lock
 * of the library held.
 */
#ifndef MF_SMEM_CONFIG_STORE_API_H
#define MF_SMEM_CONFIG_STORE_API_H

#include "smem_config_store_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Chooses TLS for the servers that this process makes afterwards. Local. The strings are copied; the files
 * are read when a server is made.
 *
 * tls: null or enable_tls 0 is plaintext. tls_library: ignored, TLS is built in; may be null.
 * decrypter_library: library with the function DecryptPassword for the password of the key; may be null.
 *
 * Errors: SMEM_INVALID_PARAM a string that is needed is missing, or the library cannot be opened.
 */
int32_t smem_config_store_set_tls(const smem_tls_options_t *tls, const char *tls_library,
                                  const char *decrypter_library);

/* Starts a config store server, as smem_create_config_store; url is the same. Local. When this process serves
 * the url already, the handle is one more for that server. NULL on failure.
 * Errors: as smem_create_config_store · SMEM_NO_RESOURCES 64 handles exist. */
smem_config_store_t smem_config_store_create_server(const char *url);

/* Ends the server of store, and forgets that this process serves url (null: the server's own). Local. A null,
 * stale or made-up handle is ignored. Waits for callbacks that are in progress, unless called from one. */
void smem_config_store_destroy_server(smem_config_store_t store, const char *url);

/* Has callback called with context for every member that is lost; null ends it. Local. The last one given
 * counts. */
void smem_config_store_set_server_broken_handler(smem_config_store_t store, smem_config_store_broken_cb callback,
                                                 void *context);

/* Has callback called with context at once if the leader is known, and after each change; null ends it.
 * Local. Returns 0 registered, 1 the leader of the store cannot change.
 * Errors: SMEM_ERROR null handle · SMEM_INVALID_PARAM unknown handle. */
int32_t smem_config_store_set_leader_handler(smem_config_store_t store, smem_config_store_leader_change_cb callback,
                                             void *context);

/*
 * Writes the state of this process's config stores, as a JSON array with one object for each. Local. See
 * docs/store.md for its fields.
 *
 * json: room for bufLen bytes, terminator included; null asks for the size only. *outLen: bytes of the text
 * without terminator, or, with SMEM_BUFFER_TOO_SMALL, the room that is needed; may be null when json is not.
 *
 * Errors: SMEM_INVALID_PARAM both pointers null · SMEM_BUFFER_TOO_SMALL · SMEM_NOT_EXIST this process has
 * no store; json is "[]" and *outLen 2.
 */
int32_t smem_config_store_get_cluster_status(char *json, uint32_t bufLen, uint32_t *outLen);

#ifdef __cplusplus
}
#endif

#endif
