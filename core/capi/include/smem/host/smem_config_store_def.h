/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Types of the config store server functions. */
#ifndef MF_SMEM_CONFIG_STORE_DEF_H
#define MF_SMEM_CONFIG_STORE_DEF_H

#include "smem_def.h"
#include "smem_tls_options.h"

/* A config store server of this process. The value is opaque; it is never the address of anything. */
typedef void *smem_config_store_t;

/* Leader of a store. Valid during the call that hands it over. */
typedef struct smem_config_store_leader_info {
    uint8_t is_leader;                    /* whether it is this process */
    const char *bindable_leader_address;  /* "ip:port" of the leader, "[ip]:port" for IPv6; "" if unknown */
} smem_config_store_leader_info_t;

MFX_STATIC_ASSERT(sizeof(smem_config_store_leader_info_t) == 16, "smem_config_store_leader_info_t is 16 bytes");

#ifdef __cplusplus
extern "C" {
#endif

/* Notified that the connection link_id of the member rank_id broke, or that it was silent for the lease.
 * The result is ignored. It must not throw. */
typedef int32_t (*smem_config_store_broken_cb)(void *context, uint32_t link_id, uint32_t rank_id);

/* Receives the leader of the store. It must not throw. */
typedef void (*smem_config_store_leader_change_cb)(void *context, const smem_config_store_leader_info_t *leader);

#ifdef __cplusplus
}
#endif

#endif
