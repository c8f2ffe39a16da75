/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A cache of values by key in a pool: for blocks of the KV caches of inference engines, and other data that a
 * job computes once and reads often.
 *
 * Every member opens the cache over a pool that it has joined; there is no server. The host memory of the
 * members' contributions holds an index and the values. A lookup is two one-sided reads, a get one copy more
 * and a check behind it: no other member acts for it. If memory is short, the least recently used values are
 * evicted; a put never waits for memory. See docs/kv-cache.md.
 *
 * Keys are bytes, 1 to MFX_CACHE_KEY_BYTES_MAX, zero bytes included; values are 0 bytes to 1 TiB. Values,
 * buffers and keys are not used after the call. A value or buffer lies in memory of this process, of the
 * pool, or of the accelerator of the pool.
 *
 * The words Local, One-sided and Blocks, and the rules on threads, fork and errors, are defined in smem.h.
 * All functions may be called from any thread, and are one-sided unless they say otherwise; with members on
 * other hosts they block, each exchange at most for the timeout of the network. Errors of all that take a
 * cache: SMEM_INVALID_PARAM null, stale or made-up handle, null mandatory pointer, a key that is empty or too
 * long · SMEM_NOT_INIT in a forked child.
 */
#ifndef MF_MFX_CACHE_H
#define MF_MFX_CACHE_H

#include "smem_bm_def.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MFX_CACHE_KEY_BYTES_MAX 4096 /* bytes of a key at most; hash what is longer */
#define MFX_CACHE_REPLICAS_MAX  4    /* copies of a value at most */

#define MFX_CACHE_KEEP 1u /* put: a value that is there stays */
#define MFX_CACHE_PIN  2u /* put: the value is not evicted until it is unpinned, removed or replaced */

/* A cache, as this process opened it. */
typedef void *mfx_cache_t;

/* Configuration of a cache; the same in all members. */
typedef struct mfx_cache_config {
    uint32_t structBytes;  /* sizeof(mfx_cache_config_t) */
    uint32_t replicas;     /* copies of each value on different members, 1 to MFX_CACHE_REPLICAS_MAX; 0: 1 */
    uint64_t indexEntries; /* keys that the index of this member has room for; 0: one for each 2 KiB of its
                              contribution */
} mfx_cache_config_t;

/* Options of a put. */
typedef struct mfx_cache_put {
    uint32_t replicas; /* copies, 1 to MFX_CACHE_REPLICAS_MAX; 0: as the cache was opened with */
    uint32_t flags;    /* MFX_CACHE_KEEP, MFX_CACHE_PIN */
} mfx_cache_put_t;

/* A value that is neither evicted nor overwritten for a while. */
typedef struct mfx_cache_lease {
    const void *address; /* its first byte, to read in place; null where it is not mapped here */
    uint64_t bytes;      /* its length */
    uint64_t untilMs;    /* when that ends, in milliseconds since 1970 by the clock of this host */
    uint64_t place, state, stamp; /* for mfx_cache_lease_valid */
} mfx_cache_lease_t;

/* State of a cache, and counts of this process since it was opened. */
typedef struct mfx_cache_stats {
    uint64_t members;         /* processes that take part */
    uint64_t capacityBytes;   /* bytes for values, of all members */
    uint64_t managedBytes;    /* bytes that this process manages, in any contribution */
    uint64_t freeBytes;       /* of those, bytes that nothing has been put to */
    uint64_t hits;            /* values that were got or leased */
    uint64_t misses;          /* keys that had none */
    uint64_t puts;            /* values that were put */
    uint64_t removals;        /* values that were removed */
    uint64_t evictions;       /* values that were evicted from what this process manages */
    uint64_t replicasMissing; /* replicas that found no member, or no room */
} mfx_cache_stats_t;

MFX_STATIC_ASSERT(sizeof(mfx_cache_config_t) == 16, "mfx_cache_config_t is 16 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_cache_put_t) == 8, "mfx_cache_put_t is 8 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_cache_lease_t) == 48, "mfx_cache_lease_t is 48 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_cache_stats_t) == 80, "mfx_cache_stats_t is 80 bytes");

/* ---- Start and end ---- */

/*
 * Opens the cache in a pool that this process has created and joined. Local: others open theirs when they
 * like. Blocks until the members that are there have settled, at most 10 seconds. NULL on failure.
 *
 * pool:   from smem_bm_create or smem_bm_create2; this process contributes host memory, 2 MiB to 4 TiB, and
 *         nothing else uses it: the cache writes where it likes. The world has at most 4096 ranks. Close the
 *         cache before the pool is destroyed; smem_bm_uninit closes it.
 * config: null is one copy of each value, and an index by the size of the contribution.
 *
 * Errors: SMEM_INVALID_PARAM also when a field is out of its range, or a contribution or the world ·
 * SMEM_NOT_STARTED the pool has not been joined · SMEM_NO_RESOURCES 64 caches are open.
 */
mfx_cache_t mfx_cache_open(smem_bm_t pool, const mfx_cache_config_t *config);

/* Closes the cache in this process: values of which only its contribution had a copy are gone for all. The
 * handle is stale afterwards; null and stale ones: SMEM_OK. */
int32_t mfx_cache_close(mfx_cache_t cache);

/* ---- One key ---- */

/*
 * Puts a value.
 *
 * value:   bytes of it; may be null when bytes is 0.
 * how:     null is {0, 0}: as many copies as the cache has, and a value that is there is replaced.
 * *stored: false when MFX_CACHE_KEEP kept the value that was there; may be null.
 *
 * A member that reads the key meanwhile gets the old value or the new one, whole.
 *
 * Errors: SMEM_INVALID_PARAM also for no such flag, too many replicas · SMEM_NO_RESOURCES the value does not
 * fit beside pinned and leased ones, or is larger than any contribution · SMEM_TIMEOUT names the member that
 * holds the lock of the key. The previous value stays.
 */
int32_t mfx_cache_put(mfx_cache_t cache, const void *key, uint64_t keyBytes, const void *value, uint64_t bytes,
                      const mfx_cache_put_t *how, bool *stored);

/*
 * Copies a value to buffer.
 *
 * buffer: room for capacity bytes; may be null when that is 0. *bytes: length of the value, 0 without one.
 * *found: whether there is one.
 *
 * Errors: SMEM_INVALID_PARAM also when the value is longer than capacity; the text has both. Ask
 * mfx_cache_size first where lengths differ. Without a value or after an error buffer may hold other bytes
 * than before.
 */
int32_t mfx_cache_get(mfx_cache_t cache, const void *key, uint64_t keyBytes, void *buffer, uint64_t capacity,
                      uint64_t *bytes, bool *found);

/* Returns the length of a value, and whether there is one. */
int32_t mfx_cache_size(mfx_cache_t cache, const void *key, uint64_t keyBytes, uint64_t *bytes, bool *found);

/* Returns whether there is a value. It may be evicted at once; mfx_cache_lease keeps it. */
int32_t mfx_cache_exists(mfx_cache_t cache, const void *key, uint64_t keyBytes, bool *found);

/* Removes a value and its copies; *found (may be null) reports whether there was one. */
int32_t mfx_cache_remove(mfx_cache_t cache, const void *key, uint64_t keyBytes, bool *found);

/* Keeps a value from being evicted, or, with pin false, no longer; *found (may be null) reports whether there
 * is one. */
int32_t mfx_cache_pin(mfx_cache_t cache, const void *key, uint64_t keyBytes, bool pin, bool *found);

/*
 * Keeps a value where it is for for_ms milliseconds: it is not evicted, and its bytes are not overwritten,
 * also when the key is removed or put again. The clocks of members agree to less than that. *lease is written
 * when *found says that there is a value.
 */
int32_t mfx_cache_lease(mfx_cache_t cache, const void *key, uint64_t keyBytes, uint64_t for_ms,
                        mfx_cache_lease_t *lease, bool *found);

/*
 * Returns whether a lease is still valid: true until untilMs, also where the clock was set meanwhile, false
 * once the member that has them has died.
 */
int32_t mfx_cache_lease_valid(mfx_cache_t cache, const mfx_cache_lease_t *lease, bool *valid);

/*
 * Removes all values that are there when the call begins, also pinned ones; *removed (may be null) gets how
 * many. Concurrent puts may stay or go. Blocks for about a microsecond for each value.
 *
 * Errors: as mfx_cache_remove; some values are removed then.
 */
int32_t mfx_cache_clear(mfx_cache_t cache, uint64_t *removed);

/*
 * Lists keys that have values, in no order, a part of them in each call.
 *
 * *from: 0 in the first call; then the value that the call wrote there, 0 when all were listed.
 * keys:     room for capacity bytes, at least MFX_CACHE_KEY_BYTES_MAX; gets the keys, one behind the other.
 * keyBytes: room for the lengths of most keys, at least 1.
 * *count:   how many keys there are in this part; may be 0 although there are more.
 *
 * Keys that are put or removed between the first call and the last may be listed or not; while members come
 * or go a key may be listed twice. Blocks for about a microsecond for each key, for some round trips where it
 * is on another host.
 *
 * Errors: SMEM_INVALID_PARAM also when there is less room than that.
 */
int32_t mfx_cache_keys(mfx_cache_t cache, uint64_t *from, void *keys, uint64_t capacity, uint64_t *keyBytes,
                       uint32_t most, uint32_t *count);

/* Returns the state of the cache, and counts of this process. Local. */
int32_t mfx_cache_stats(mfx_cache_t cache, mfx_cache_stats_t *stats);

/* ---- Many keys ---- */

/*
 * The same for count keys, in their order. A key that fails does not stop the others: codes (may be null)
 * gets the code of each, SMEM_OK or an error, and the call fails with the first of them, whose text names the
 * item from 0. Lists may be null when count is 0.
 */

/* Puts values; stored (may be null) gets a truth value for each. */
int32_t mfx_cache_put_batch(mfx_cache_t cache, const void *keys[], size_t keyBytes[], const void *values[],
                            size_t sizes[], uint32_t count, const mfx_cache_put_t *how, bool *stored, int32_t *codes);

/* Copies values to buffers; bytes gets the length of each, UINT64_MAX without a value. */
int32_t mfx_cache_get_batch(mfx_cache_t cache, const void *keys[], size_t keyBytes[], void *buffers[],
                            size_t capacities[], uint32_t count, uint64_t *bytes, int32_t *codes);

/* Returns lengths, UINT64_MAX where there is no value. */
int32_t mfx_cache_size_batch(mfx_cache_t cache, const void *keys[], size_t keyBytes[], uint32_t count,
                             uint64_t *bytes, int32_t *codes);

/* Returns for each key whether there is a value. */
int32_t mfx_cache_exists_batch(mfx_cache_t cache, const void *keys[], size_t keyBytes[], uint32_t count, bool *found,
                               int32_t *codes);

/* Returns how many of the keys have a value before the first that has none: the length of a cached prefix.
 * Fails with the first error. */
int32_t mfx_cache_count_prefix(mfx_cache_t cache, const void *keys[], size_t keyBytes[], uint32_t count,
                               uint32_t *leading);

#ifdef __cplusplus
}
#endif

#endif
