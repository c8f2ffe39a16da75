/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Constants and types of transfers: see smem_trans.h. */
#ifndef MF_SMEM_TRANS_DEF_H
#define MF_SMEM_TRANS_DEF_H

#include "smem_bm_def.h"

/* An endpoint, as seen by this process. The value is opaque; it is never the address of anything. */
typedef void *smem_trans_t;

#define SMEM_TRANS_RANK_COUNT_MAX 512 /* endpoints of a process */

/* Role of an endpoint. Both sides read and write in any role. */
typedef enum smem_trans_role {
    SMEM_TRANS_NONE = 0,
    SMEM_TRANS_SENDER = 1,
    SMEM_TRANS_RECEIVER = 2,
    SMEM_TRANS_BOTH = 3,
    SMEM_TRANS_BUTT = 4
} smem_trans_role_t;

/* Configuration of an endpoint; smem_trans_config_init fills in the defaults given here. */
typedef struct smem_trans_config {
    smem_trans_role_t role;             /* SMEM_TRANS_SENDER */
    uint32_t initTimeout;               /* 120: seconds to reach the store, 1 to UINT32_MAX */
    uint32_t deviceId;                  /* UINT32_MAX: host memory only; else the logical number of the accelerator whose
                                           memory is transferred, too; ignored without one (setting MF_DEVICE) */
    uint32_t flags;                     /* 0; unknown bits are ignored */
    smem_bm_data_op_type_t dataOpType;  /* SMEMB_DATA_OP_HOST_TCP, with an accelerator _SDMA: engines that data asks for,
                                           as of pools, but nothing warns where the default does not reach, and with
                                           MF_STRICT_ENGINE=1 it is refused only there; bits without a meaning and 0 ask
                                           for nothing. Messages (mfx_trans_notify) ask for no engine */
    char nic[64];                       /* "": where this process listens for others, as the setting MF_NIC writes it, or
                                           tcp://host:port */
#if MFX_ABI_NEXT
    char url[64];                       /* "": host:port at which others meet this endpoint; port 0: any, no host: all
                                           addresses of this machine. smem_trans_config_init does not write the last 64
                                           bytes of this longer structure, the end of decrypterLibPath */
#endif
    smem_tls_config_t hcomTlsConfig;    /* off: certificates towards the store; with any, data is encrypted, too */
} smem_trans_config_t;

/* Pieces of 16-bit numbers that become bytes in the transfer: see smem_trans_batch_quant_write. */
typedef struct smem_trans_quant_copy_param {
    const char *remoteUniqueId; /* name of the other endpoint */
    void **localAddrs;          /* numbers here; those in memory of the accelerator become bytes there */
    void **remoteAddrs;         /* where the bytes go there */
    size_t *dataSizes;          /* bytes of each piece here: two for each number */
    float **scale;              /* for each piece a factor for each unit; NULL, for all or for one: 1 */
    float **offset;             /* for each piece a summand for each unit; NULL, for all or for one: 0 */
    uint32_t batchSize;         /* number of pieces */
    uint32_t unitNum;           /* numbers of a unit; 0: each piece is one */
    void *stream;               /* when this stream gets there; NULL: at once */
    uint32_t inputType;         /* 0: bfloat16, 1: float16 */
    uint32_t flags;             /* pass 0 */
} smem_trans_quant_copy_param_t;

/* Direction of a batch, of smem_trans_batch_copy. */
typedef enum smem_trans_opcode {
    SMEM_TRANS_OP_READ = 0, /* from the other endpoint to here */
    SMEM_TRANS_OP_WRITE = 1 /* from here to the other endpoint */
} smem_trans_opcode_t;

/* States of a batch, of smem_trans_batch_status_query; all other values are codes of failures. */
#define SMEM_TRANS_BATCH_DONE 0    /* all is copied */
#define SMEM_TRANS_BATCH_PENDING 1 /* it goes on */

/* Pieces of a batch. */
typedef struct smem_trans_batch_params {
    const char *destUrl;        /* host:port at which the other endpoint is met */
    void **srcList;             /* addresses here, in both directions */
    void **destList;            /* addresses there, in both directions */
    size_t *sizeList;           /* bytes of each piece */
    uint32_t batchSize;         /* number of pieces, 1 or more */
    smem_trans_opcode_t opcode;
    void *stream;               /* when this stream gets there; NULL: at once */
    uint32_t flags;             /* pass 0 */
} smem_trans_batch_params_t;

/* Called with the name of an endpoint that is gone, on a thread of the library. It must not throw. */
typedef void (*smem_trans_peer_down_callback_t)(const char *peerUniqueId, void *userData);

MFX_STATIC_ASSERT(sizeof(smem_trans_role_t) == 4, "enums are 4 bytes; do not compile with -fshort-enums");
#if MFX_ABI_NEXT
MFX_STATIC_ASSERT(sizeof(smem_trans_config_t) == 1944, "smem_trans_config_t is 1944 bytes");
#else
MFX_STATIC_ASSERT(sizeof(smem_trans_config_t) == 1880, "smem_trans_config_t is 1880 bytes");
#endif

#endif
