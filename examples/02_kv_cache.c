/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A KV-block cache: blocks of 64 KiB live on the rank that the hash of their key names. The store of the job
 * is the index (key to pool address); the blocks themselves go straight to their place, and are fetched many
 * at a time.
 *
 *     cc 02_kv_cache.c $(pkg-config --cflags --libs mf_smem) -o 02_kv_cache
 *     mf run -n 4 -- ./02_kv_cache
 */
#include "job.h"

#define BLOCK ((size_t)64 << 10)
#define BLOCKS 64u  /* made by each rank */
#define SLOTS 256u  /* room on each rank */

static smem_bm_t pool;

static uint32_t hash(const char *key)
{
    uint32_t value = 2166136261u; /* FNV-1a */
    for (; *key != '\0'; key++) value = (value ^ (unsigned char)*key) * 16777619u;
    return value ^ (value >> 15);
}

static void key_of(char *key, size_t size, uint32_t sequence, uint32_t block)
{
    snprintf(key, size, "sequence %u block %u", (unsigned)sequence, (unsigned)block);
}

/* Content of block `block` of sequence `sequence` at `i`. */
static unsigned char content(uint32_t sequence, uint32_t block, size_t i)
{
    return (unsigned char)(sequence * 61 + block * 7 + i * 3 + (i >> 8));
}

/* Takes a free slot on the rank that the key hashes to, puts the block there, and writes the index. */
static void put(const char *key, const unsigned char *block)
{
    uint32_t owner = hash(key) % mfx_bm_world_size();
    char counter[32], *slot;
    int64_t used = 0;
    smem_copy_params params;
    snprintf(counter, sizeof counter, "slots of %u", (unsigned)owner);
    job_must(mfx_store_add(NULL, counter, 1, &used), "mfx_store_add");
    job_require(used <= (int64_t)SLOTS, "finding a free slot");
    slot = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, (uint16_t)owner) + (size_t)(used - 1) * BLOCK;
    memset(&params, 0, sizeof params);
    params.src = block;
    params.dest = slot;
    params.dataSize = BLOCK;
    job_must(smem_bm_copy(pool, &params, SMEMB_COPY_H2GH, 0), "smem_bm_copy");
    job_must(mfx_store_set(NULL, key, &slot, sizeof slot), "mfx_store_set");
}

/* Finds the keys of a sequence and fetches all blocks with one call. Returns how many other ranks they came
 * from. */
static uint32_t get_all(uint32_t sequence, unsigned char *blocks)
{
    void *sources[BLOCKS], *destinations[BLOCKS];
    uint64_t bytes[BLOCKS], size = 0;
    uint32_t block, remote = 0;
    smem_batch_copy_params params;
    for (block = 0; block < BLOCKS; block++) {
        char key[64];
        key_of(key, sizeof key, sequence, block);
        job_must(mfx_store_get(NULL, key, 60000, &sources[block], sizeof sources[block], &size), "mfx_store_get");
        if (smem_bm_get_rank_id_by_gva(pool, sources[block]) != smem_bm_get_rank_id()) remote++;
        destinations[block] = blocks + block * BLOCK;
        bytes[block] = BLOCK;
    }
    memset(&params, 0, sizeof params);
    params.sources = sources;
    params.destinations = destinations;
    params.dataSizes = bytes;
    params.batchSize = BLOCKS;
    job_must(smem_bm_copy_batch(pool, &params, SMEMB_COPY_GH2H, 0), "smem_bm_copy_batch");
    return remote;
}

int main(void)
{
    unsigned char *blocks = (unsigned char *)malloc(BLOCKS * BLOCK);
    uint32_t me, block, theirs, remote;
    size_t i;
    job_require(blocks != NULL, "malloc");
    job_start();
    me = smem_bm_get_rank_id();
    pool = smem_bm_create(0, 0, SMEMB_DATA_OP_HOST_SHM, SLOTS * BLOCK, 0, 0);
    job_require(pool != NULL, "smem_bm_create");
    job_must(smem_bm_join(pool, 0), "smem_bm_join");
    job_meet("joined");

    for (block = 0; block < BLOCKS; block++) { /* each rank fills the cache with one sequence of its own */
        char key[64];
        for (i = 0; i < BLOCK; i++) blocks[i] = content(me, block, i);
        key_of(key, sizeof key, me, block);
        put(key, blocks);
    }
    theirs = (me + 1) % mfx_bm_world_size(); /* and goes on with that of its neighbour, as a decoder does after prefill */
    remote = get_all(theirs, blocks);
    for (i = 0; i < BLOCKS * BLOCK; i++)
        job_require(blocks[i] == content(theirs, (uint32_t)(i / BLOCK), i % BLOCK), "comparing the blocks");
    job_say("fetched %u blocks of sequence %u, %u of them from other ranks; all as written", BLOCKS, (unsigned)theirs,
            (unsigned)remote);

    job_meet("done");
    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    free(blocks);
    return 0;
}
