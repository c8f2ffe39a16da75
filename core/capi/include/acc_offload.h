/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A pool of host memory that kernels reach, and copies of many pieces on the stream of an accelerator: the
 * interface of libmf_acc_offload.so. Link with -lmf_acc_offload; the library needs libmf_smem.so beside it.
 *
 * All functions are local unless they say otherwise, and may be called from any thread. They return 0 or an
 * address, and on failure -1, or 0 for an address; smem_get_last_err_msg (smem/host/smem.h) has the reason.
 *
 * The four operations take addresses of arrays, as numbers. With an accelerator they run on the default
 * stream of the calling thread's context and return at once; arrays, counts and contents are read when the
 * stream gets there, and again in each replay of a captured graph. Without one they run in the call. For
 * another stream see smem/host/mfx_offload.h.
 */
#ifndef MF_ACC_OFFLOAD_H
#define MF_ACC_OFFLOAD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Accessibility of the pool. */
typedef enum {
    OFFLOAD_SCENE_LOCAL = 0,  /* memory of this process */
    OFFLOAD_SCENE_SHARED = 1, /* one address space of all ranks on this machine */
} offload_scene_t;

#define OFFLOAD_FLAG_GIANT_PAGE (1u << 0) /* accepted; pools take huge pages where the machine has them */
#define OFFLOAD_ENTRY_GATHER_MAX_ENTRY_BYTES 65536

/* Configuration of the pool. Sizes are bytes and are rounded up to 1 GiB. */
typedef struct {
    uint32_t device_id;        /* accelerator of the pool; ignored without one */
    uint64_t reserve_size;     /* address space of one slot, the same in all ranks */
    uint64_t alloc_size;       /* memory of this rank; LOCAL: as much as reserve_size; SHARED: at most, or 0 */
    uint32_t world_size;       /* SHARED: number of ranks */
    uint32_t rank_id;          /* SHARED: own rank, which is also the slot; rank 0 serves the store */
    offload_scene_t scene;     /* accessibility */
    char store_url[64];        /* SHARED: "tcp://HOST:PORT"; empty: MF_CONFIG_STORE_URL, else port
                                  8500 + device_id / ranks per machine on 127.0.0.1 */
    uint32_t flags;            /* OFFLOAD_FLAG_GIANT_PAGE; other bits are ignored */
    uint32_t local_world_size; /* SHARED: ranks per machine; 0: world_size */
} offload_config_t;

/*
 * Makes the pool of this process. 0 without an effect if it has one. SHARED is collective over all ranks,
 * and blocks until all have come, at most MF_OFFLOAD_TIMEOUT (120 s).
 *
 * Fails for impossible sizes and ranks, a device that is not there or for which the library has no kernels,
 * and in SHARED on all ranks if two have different values of reserve_size, world_size, local_world_size or
 * chips.
 */
int32_t offload_init(const offload_config_t *config);

/* Ends the pool when streams are past its operations: all its addresses are invalid then. Nothing without a
 * pool. In SHARED rank 0 ends last. */
void offload_uninit(void);

/* Allocates a block of this rank's memory at a multiple of 16; 0 if no free part is large enough. flags are
 * ignored. */
uint64_t offload_malloc(uint64_t size, uint64_t flags);

/* Frees a block. Other addresses change nothing. */
void offload_free(uint64_t ptr, uint64_t flags);

/* Writes the address of this rank's memory under which kernels reach hostPtr, the same number. Fails
 * outside that memory, also for memory of other ranks. */
int32_t offload_get_dva(uint64_t hostPtr, uint64_t *dvaPtr);

/* Copies len[i] (uint32_t) bytes from src[i] to dst[i] (uint64_t) for i below size[0] (uint32_t). Pieces
 * of 0 bytes are skipped; the order of pieces is undefined. */
int32_t offload_sparse_copy(uint64_t srcPtr, uint64_t dstPtr, uint64_t lenPtr, uint64_t sizePtr, uint16_t deviceId);

/* Copies the pieces i below numLocalExpert[0] (uint32_t) that have a groupList[i] (int64_t) other than
 * 0: the j-th of them, len[i] bytes from src[i] to dst[j], and packedGroupList[j] becomes groupList[i]. */
int32_t offload_group_pack_copy(uint64_t srcPtr, uint64_t dstPtr, uint64_t lenPtr, uint64_t numLocalExpertPtr,
                                uint64_t groupListPtr, uint64_t packedGroupListPtr, uint16_t deviceId);

/* Copies pages of key-value caches between accelerator and host. meta has int64_t words: components (at
 * most 4), pages, tokens of a page, direction (2: to the host), address of the device's token indices,
 * of the host's, layout, 0; then for each component: base on the device, on the host, bytes between
 * layers on the device, between pages on the device, between pages on the host, between layers on the
 * host, width, first layer, layer behind the last. The first token index of a page, divided by the
 * tokens of a page, is its number. */
int32_t offload_kv_exchange_copy(uint64_t metaPtr, uint16_t deviceId);

/* Registers the table of a SHARED pool, once: entries of entryBytes (1 to
 * OFFLOAD_ENTRY_GATHER_MAX_ENTRY_BYTES), rowsPerSlot of them from the beginning of each slot, which this
 * rank's memory must hold. All ranks register the same. */
int32_t offload_register_entry_table(uint32_t entryBytes, uint32_t rowsPerSlot);

/* Copies entry ids[i] (8 bytes, of which the low 32 bits count) of the table to row i of dst for i below
 * count[0] (uint32_t). Entry e is row e % rowsPerSlot of slot e / rowsPerSlot. */
int32_t offload_entry_gather(uint64_t dstPtr, uint64_t idsPtr, uint64_t countPtr, uint16_t deviceId);

#ifdef __cplusplus
}
#endif

#endif
