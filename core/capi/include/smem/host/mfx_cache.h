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

#define MFX_CACHE_NAME_BYTES_MAX 255 /* bytes of a member's name at most, without the zero at its end */

#define MFX_CACHE_KEEP   1u /* put: a value that is there stays */
#define MFX_CACHE_PIN    2u /* put: the value is not evicted until it is unpinned, removed or replaced */
#define MFX_CACHE_PREFER 4u /* put: the member `preferred` holds the value, if it has room */

#define MFX_CACHE_GUEST       1u /* open: the contribution holds neither values nor a part of the index */
#define MFX_CACHE_DISK_ALL    2u /* open: the tier on disk takes all values that leave memory */
#define MFX_CACHE_DISK_REUSED 4u /* open: it takes values that were read, or replaced an earlier one */

#define MFX_CACHE_REMOVED 0u /* event: a program removed the value */
#define MFX_CACHE_EVICTED 1u /* event: it was evicted to make room */

/* A cache, as this process opened it. */
typedef void *mfx_cache_t;

/* A value that is being written: see mfx_cache_write_begin. */
typedef void *mfx_cache_writer_t;

/* Values that come to memory of this host: see mfx_cache_prefetch. */
typedef void *mfx_cache_prefetch_t;

/* Configuration of a cache in this process. Programs built for earlier releases pass the first three fields
 * only, which are 16 bytes, or all up to name, 40 bytes: the settings decide on the disk. */
typedef struct mfx_cache_config {
    uint32_t structBytes;  /* sizeof(mfx_cache_config_t) */
    uint32_t replicas;     /* copies of each value on different members, 1 to MFX_CACHE_REPLICAS_MAX; 0: 1 */
    uint64_t indexEntries; /* keys that the index of this member has room for; 0: one for each 2 KiB of its
                              contribution */
    uint64_t readLeaseMs;  /* lease that each get begins, in milliseconds; 0: none */
    uint32_t flags;        /* MFX_CACHE_GUEST; MFX_CACHE_DISK_ALL or MFX_CACHE_DISK_REUSED, neither: as
                              MF_CACHE_DISK_ADMISSION says */
    uint32_t reserved;     /* 0 */
    const char *name;      /* of this member, 1 to MFX_CACHE_NAME_BYTES_MAX bytes, such as "host:port"; null: the
                              name of the host, a colon, the rank */
    const char *disk;      /* folder on a local disk for a tier below the memory, in UTF-8, or several,
                              separated by colons; rank-N in each is used, with the rank. Null: MF_CACHE_DISK */
    uint64_t diskBytes;    /* size of the tier, all folders together, 16 MiB or more; 0: MF_CACHE_DISK_BYTES.
                              Folders that exist keep their size */
} mfx_cache_config_t;

/* Options of a put. */
typedef struct mfx_cache_put {
    uint32_t replicas;  /* copies, 1 to MFX_CACHE_REPLICAS_MAX; 0: as the cache was opened with */
    uint32_t flags;     /* MFX_CACHE_KEEP, MFX_CACHE_PIN, MFX_CACHE_PREFER */
    uint32_t preferred; /* rank from mfx_cache_find_member; read with MFX_CACHE_PREFER alone */
} mfx_cache_put_t;

/* A piece of a value, in memory of the program. */
typedef struct mfx_cache_piece {
    void *address;   /* its first byte; may be null when bytes is 0. A put only reads there */
    uint64_t bytes;  /* its length */
    uint64_t offset; /* mfx_cache_get_ranges: where it begins in the value; else not read */
} mfx_cache_piece_t;

/* A member of a cache. */
typedef struct mfx_cache_member {
    uint64_t capacityBytes; /* its bytes for values; 0: it keeps none */
    uint32_t rank;
    uint32_t near;  /* 1: it is on this host, and its memory is mapped here; else 0 */
    char name[256]; /* with a zero at its end */
} mfx_cache_member_t;

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

/* Figures of the tier on disk of this process, since it was opened. */
typedef struct mfx_cache_disk_stats {
    uint32_t structBytes;   /* sizeof(mfx_cache_disk_stats_t), which the caller writes */
    uint32_t off;           /* 1: a fault has switched the disk off, and it is tried again; else 0 */
    uint64_t capacityBytes; /* size of the tier */
    uint64_t bytes;         /* of values on disk, in whole pages */
    uint64_t values;        /* values on disk */
    uint64_t hits;          /* gets of this process that read a value from it */
    uint64_t admissions;    /* values that entered its queue */
    uint64_t drops;         /* values that it did not keep: full queue, fault, too large */
    uint64_t lost;          /* values on disk that were lost: to make room there, or by damage */
    uint64_t demotions;     /* values that left memory for it */
    uint64_t promotions;    /* values that came back into memory */
    uint64_t queueBytes;    /* bytes in its queue */
    uint64_t writtenBytes;  /* bytes written, with heads and padding */
    uint64_t faults;        /* disk calls that failed */
} mfx_cache_disk_stats_t;

/* Results of a prefetch, in keys. The rest of keys is not done yet. */
typedef struct mfx_cache_prefetch_counts {
    uint64_t keys;    /* of the call */
    uint64_t present; /* values that were in memory of this host already */
    uint64_t fetched; /* values that came from a disk or from another host */
    uint64_t missing; /* keys without a value */
    uint64_t failed;  /* values that did not come: no room in memory, a disk or a member that does not answer, a
                         key that is empty or too long */
    uint64_t dropped; /* keys that the queue had no room for, or that were not done at the deadline */
} mfx_cache_prefetch_counts_t;

MFX_STATIC_ASSERT(sizeof(mfx_cache_config_t) == 56, "mfx_cache_config_t is 56 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_cache_put_t) == 12, "mfx_cache_put_t is 12 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_cache_piece_t) == 24, "mfx_cache_piece_t is 24 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_cache_member_t) == 272, "mfx_cache_member_t is 272 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_cache_lease_t) == 48, "mfx_cache_lease_t is 48 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_cache_stats_t) == 80, "mfx_cache_stats_t is 80 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_cache_disk_stats_t) == 104, "mfx_cache_disk_stats_t is 104 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_cache_prefetch_counts_t) == 48, "mfx_cache_prefetch_counts_t is 48 bytes");

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
 * A pool that has a cache in this process may be opened again: both are one member, with the index, the name,
 * the role and the disk of the first, and each has replicas and leases of its own.
 *
 * Errors: SMEM_INVALID_PARAM also when a field is out of its range, or a contribution or the world, for
 * diskBytes or MFX_CACHE_DISK_ALL or MFX_CACHE_DISK_REUSED without a folder, and for a guest with disk ·
 * SMEM_NOT_STARTED the pool has not been joined · SMEM_NO_RESOURCES 64 caches are open · SMEM_RES_IN_USE
 * another process, job or user has a folder of the disk · errors of the folders.
 */
mfx_cache_t mfx_cache_open(smem_bm_t pool, const mfx_cache_config_t *config);

/* Closes a cache. With the last one of this process in the pool its member leaves: values of which only its
 * contribution had a copy are gone for all. The handle is stale afterwards; null and stale ones: SMEM_OK. */
int32_t mfx_cache_close(mfx_cache_t cache);

/*
 * The same, but with the last cache of this process in the pool values in memory move to the tier on disk
 * before, for at most limit_ms: recently read values first, then the newest. Another start with the
 * same folders may offer them. Without a tier, and for another than the last, nothing is saved. Blocks for
 * the disk; the queue of at most 256 MiB is written after the limit.
 *
 * *saved, *left (may be null): values that moved, and that stayed: the time was over, or the disk does not
 * take them.
 */
int32_t mfx_cache_close_saving(mfx_cache_t cache, uint64_t limit_ms, uint64_t *saved, uint64_t *left);

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

/* The same, unless the value is leased, by mfx_cache_lease or a get. A pin is no lease, and hides the leases
 * of its value. A lease that begins during the call may come too late. Errors: SMEM_RES_IN_USE the value is
 * leased, and stays; the text says for how long. */
int32_t mfx_cache_remove_unleased(mfx_cache_t cache, const void *key, uint64_t keyBytes, bool *found);

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

/* The same for values that are not leased: see mfx_cache_remove_unleased. */
int32_t mfx_cache_clear_unleased(mfx_cache_t cache, uint64_t *removed);

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

/* Returns figures of the tier on disk; *found reports whether this process has one, else the figures are 0.
 * Local. Errors: SMEM_INVALID_PARAM also when structBytes is another size. */
int32_t mfx_cache_disk_stats(mfx_cache_t cache, mfx_cache_disk_stats_t *stats, bool *found);

/* ---- Values in pieces ---- */

/* Puts a value that lies in several pieces, one behind the other: as mfx_cache_put. pieces may be null when
 * count is 0; the value is empty then. */
int32_t mfx_cache_put_pieces(mfx_cache_t cache, const void *key, uint64_t keyBytes, const mfx_cache_piece_t *pieces,
                             uint32_t count, const mfx_cache_put_t *how, bool *stored);

/*
 * Copies a value to several pieces, which it fills one behind the other; it may have been put in other
 * pieces. Otherwise as mfx_cache_get, with all pieces as the buffer.
 *
 * lease_ms: a lease of so many milliseconds begins; 0: readLeaseMs of the cache.
 */
int32_t mfx_cache_get_pieces(mfx_cache_t cache, const void *key, uint64_t keyBytes, const mfx_cache_piece_t *pieces,
                             uint32_t count, uint64_t lease_ms, uint64_t *bytes, bool *found);

/* Copies parts of a value, by offset and length, all of the same value; *bytes is the length of all of it.
 * Errors: SMEM_INVALID_PARAM also when a part ends beyond the value; nothing is copied then. Otherwise as
 * mfx_cache_get_pieces. */
int32_t mfx_cache_get_ranges(mfx_cache_t cache, const void *key, uint64_t keyBytes, const mfx_cache_piece_t *pieces,
                             uint32_t count, uint64_t lease_ms, uint64_t *bytes, bool *found);

/*
 * Begins a value of so many bytes that is written in pieces: mfx_cache_write, in any order, then
 * mfx_cache_write_end, which makes it visible, or mfx_cache_write_cancel. Its room is taken at once, and
 * no other call sees it before. NULL on failure; errors as for mfx_cache_put, and SMEM_NO_RESOURCES with 4096
 * such values. The last mfx_cache_close cancels unfinished values.
 */
mfx_cache_writer_t mfx_cache_write_begin(mfx_cache_t cache, const void *key, uint64_t keyBytes, uint64_t bytes,
                                         const mfx_cache_put_t *how);

/* Writes bytes at an offset of the value. Bytes that are never written have any contents. Errors:
 * SMEM_INVALID_PARAM also when they end beyond the value · SMEM_NOT_CONNECTED the members that had the
 * pieces are gone: cancel, and begin again. */
int32_t mfx_cache_write(mfx_cache_writer_t writer, uint64_t offset, const void *data, uint64_t bytes);

/* Makes the value visible, and ends the handle, also when it fails. *stored (may be null): false when
 * MFX_CACHE_KEEP kept a value that was there. Errors as for mfx_cache_put and mfx_cache_write. */
int32_t mfx_cache_write_end(mfx_cache_writer_t writer, bool *stored);

/* Gives the room of the value up, and ends the handle; null and stale ones: SMEM_OK. */
int32_t mfx_cache_write_cancel(mfx_cache_writer_t writer);

/* ---- Prefetch ---- */

/*
 * Starts to bring values into memory of this host, from disks and from other hosts, on threads of this
 * process: call it where it is known which values will be got soon. NULL on failure. Local, non-blocking.
 *
 * keys, keyBytes: count keys; the lists may be null when count is 0.
 * deadline_ms:    time after which keys that are not done are dropped, an hour at most.
 *
 * At most 65536 keys of this process wait. A key that waits already is not queued again; a value that is in
 * memory here costs a lookup. A value of another host gets a copy in free room of this member; a guest lets
 * values come back from disks, and copies none. Keys that fail are counted.
 *
 * Errors: SMEM_INVALID_PARAM only for the handle, null lists and null keys · SMEM_NO_RESOURCES no thread can
 * be started, or 4096 prefetches are not ended.
 */
mfx_cache_prefetch_t mfx_cache_prefetch(mfx_cache_t cache, const void *keys[], size_t keyBytes[], uint32_t count,
                                        uint64_t deadline_ms);

/* Waits until all keys are done, until the deadline, or for timeout_ms; 0 returns at once. counts (may be
 * null) gets the results up to now, which do not change any more when *done is true. The handle is valid also
 * after the end of the cache. Local. */
int32_t mfx_cache_prefetch_wait(mfx_cache_prefetch_t prefetch, uint64_t timeout_ms,
                                mfx_cache_prefetch_counts_t *counts, bool *done);

/* Ends the handle; the prefetch goes on. Null and stale handles: SMEM_OK. */
int32_t mfx_cache_prefetch_end(mfx_cache_prefetch_t prefetch);

/* ---- Members ---- */

/* Lists the members by rank, at most `most` of them; *count is how many there are. members may be null when
 * most is 0. */
int32_t mfx_cache_members(mfx_cache_t cache, mfx_cache_member_t *members, uint32_t most, uint32_t *count);

/* Finds the nearest member that keeps values by its name or, if none has it, by its host, a name without
 * ":port". *rank is written when *found says that there is one. */
int32_t mfx_cache_find_member(mfx_cache_t cache, const char *name, uint32_t *rank, bool *found);

/* Writes the ranks of the members that hold a value, ascending, at most `most`. *count: number of such
 * members, 0 for an absent value. *bytes: length of the value, may be null. ranks may be null if most is 0.
 * The value may be replaced or evicted at once. Errors as for mfx_cache_exists. */
int32_t mfx_cache_locate(mfx_cache_t cache, const void *key, uint64_t keyBytes, uint32_t *ranks, uint32_t most,
                         uint32_t *count, uint64_t *bytes);

/* ---- Events ---- */

/*
 * Starts to record events: removals by this process, and evictions by its puts. At most `most` events wait
 * for mfx_cache_events; later events are counted as lost. Replacement, and loss of a member, cause no event.
 * 0 stops the recording. A second call discards the recorded events and starts again. Local.
 */
int32_t mfx_cache_watch(mfx_cache_t cache, uint64_t most);

/*
 * Returns and removes the oldest events, at most `most`. Local, non-blocking.
 *
 * keys:     buffer of capacity bytes, at least MFX_CACHE_KEY_BYTES_MAX; receives the concatenated keys.
 * keyBytes: array of `most` lengths of keys.
 * changes:  array of `most` values MFX_CACHE_REMOVED or MFX_CACHE_EVICTED.
 * *count:   number of returned events.
 * *lost:    number of lost events; 0 as long as recorded events remain.
 *
 * Errors: SMEM_INVALID_PARAM also for a smaller buffer · SMEM_NOT_STARTED without mfx_cache_watch.
 */
int32_t mfx_cache_events(mfx_cache_t cache, void *keys, uint64_t capacity, uint64_t *keyBytes, uint32_t *changes,
                         uint32_t most, uint32_t *count, uint64_t *lost);

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
