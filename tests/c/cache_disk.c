/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A cache with a tier on disk: more values than fit into memory, figures, refusals, and programs of earlier
 * releases, which get the tier of the settings. */
#include "ranks.h"

#include <ftw.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include "check.h"
#include "smem/host/mfx_cache.h"

#define MIB ((uint64_t)1 << 20)
#define VALUES 400u
#define VALUE_BYTES ((uint64_t)64 << 10) /* 25 MiB in all, in a contribution of 16 MiB */
#define WAIT_S 30

static char value[64 << 10], got[64 << 10];

static mfx_cache_config_t config_of(const char *disk, uint64_t bytes, uint32_t flags)
{
    mfx_cache_config_t config;
    memset(&config, 0, sizeof config);
    config.structBytes = sizeof config;
    config.disk = disk;
    config.diskBytes = bytes;
    config.flags = flags;
    return config;
}

/* Puts all values, and again those that were evicted because the puts were faster than the disk. */
static bool put_all(mfx_cache_t cache)
{
    const mfx_cache_put_t keep = {0, MFX_CACHE_KEEP, 0};
    const time_t end = time(NULL) + WAIT_S;
    uint32_t key, put = 1;
    while (put > 0 && time(NULL) < end) {
        for (key = 0, put = 0; key < VALUES; key++) {
            bool stored = false;
            fill(value, sizeof value, key);
            OK(mfx_cache_put(cache, &key, sizeof key, value, VALUE_BYTES, &keep, &stored));
            put += stored;
            sched_yield();
        }
    }
    return put == 0;
}

/* Gets a value; one on disk comes once there is room in memory for it. */
static bool got_value(mfx_cache_t cache, uint32_t key)
{
    const time_t end = time(NULL) + WAIT_S;
    uint64_t bytes = 0;
    bool found = false;
    while (!found && time(NULL) < end) {
        OK(mfx_cache_get(cache, &key, sizeof key, got, sizeof got, &bytes, &found));
        sched_yield();
    }
    return found && bytes == VALUE_BYTES && filled(got, sizeof got, key);
}

static void more_than_memory(mfx_cache_t cache)
{
    mfx_cache_disk_stats_t disk;
    mfx_cache_stats_t stats;
    uint32_t key;
    bool found = false;
    CHECK(put_all(cache));
    for (key = 0; key < VALUES; key++) CHECK(got_value(cache, key));
    OK(mfx_cache_stats(cache, &stats));
    CHECK(stats.capacityBytes < VALUES * VALUE_BYTES);
    memset(&disk, 0xff, sizeof disk);
    disk.structBytes = sizeof disk;
    OK(mfx_cache_disk_stats(cache, &disk, &found));
    CHECK(found && disk.structBytes == sizeof disk && disk.off == 0 && disk.faults == 0);
    CHECK(disk.capacityBytes > 0 && disk.capacityBytes <= 64 * MIB && disk.lost == 0);
    CHECK(disk.values > 0 && disk.bytes >= disk.values * VALUE_BYTES);
    CHECK(disk.hits > 0 && disk.demotions > 0 && disk.admissions > 0);
    disk.structBytes = 96;
    FAILS(SMEM_INVALID_PARAM, mfx_cache_disk_stats(cache, &disk, &found));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_disk_stats(cache, NULL, &found));
}

/* Values on disk come into memory, and bad keys are counted. */
static void prefetched(mfx_cache_t cache)
{
    static uint32_t numbers[VALUES];
    const void *keys[VALUES];
    size_t lengths[VALUES];
    mfx_cache_prefetch_counts_t counts;
    mfx_cache_prefetch_t prefetch;
    bool done = false;
    uint32_t key;
    for (key = 0; key < VALUES; key++) {
        numbers[key] = key, keys[key] = &numbers[key], lengths[key] = sizeof key;
    }
    lengths[0] = 0;
    prefetch = mfx_cache_prefetch(cache, keys, lengths, VALUES, WAIT_S * 1000);
    CHECK(prefetch != NULL);
    OK(mfx_cache_prefetch_wait(prefetch, WAIT_S * 1000, &counts, &done));
    CHECK(done && counts.keys == VALUES && counts.dropped == 0 && counts.failed >= 1 && counts.fetched > 0);
    CHECK(counts.present + counts.fetched + counts.missing + counts.failed == VALUES);
    OK(mfx_cache_prefetch_wait(prefetch, 0, NULL, &done));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_prefetch_wait(prefetch, 0, &counts, NULL));
    OK(mfx_cache_prefetch_end(prefetch));
    OK(mfx_cache_prefetch_end(prefetch));
    OK(mfx_cache_prefetch_end(NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_prefetch_wait(prefetch, 0, &counts, &done));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_cache_prefetch(NULL, keys, lengths, VALUES, 1));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_cache_prefetch(cache, NULL, lengths, VALUES, 1));
    keys[1] = NULL;
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_cache_prefetch(cache, keys, lengths, VALUES, 1));
    /* A deadline that has passed. */
    prefetch = mfx_cache_prefetch(cache, keys + 2, lengths + 2, VALUES - 2, 0);
    OK(mfx_cache_prefetch_wait(prefetch, 0, &counts, &done));
    CHECK(done && counts.dropped == VALUES - 2);
    OK(mfx_cache_prefetch_end(prefetch));
}

static void refusals(smem_bm_t pool, const char *folder)
{
    const uint32_t both = MFX_CACHE_DISK_ALL | MFX_CACHE_DISK_REUSED;
    mfx_cache_config_t config = config_of(folder, 64 * MIB, both);
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_cache_open(pool, &config));
    config = config_of(folder, MIB, 0);
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_cache_open(pool, &config));
    config = config_of(":", 64 * MIB, 0);
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_cache_open(pool, &config));
    config = config_of(folder, 64 * MIB, MFX_CACHE_GUEST);
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_cache_open(pool, &config));
    config = config_of(folder, 64 * MIB, 8);
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_cache_open(pool, &config));
    config = config_of(folder, 64 * MIB, 0);
    config.structBytes = 48;
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_cache_open(pool, &config));
}

/* Passes the first bytes of a configuration, behind which nothing can be read. */
static mfx_cache_t opened_earlier(smem_bm_t pool, uint32_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = (char *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mfx_cache_config_t config = config_of(NULL, 0, 0);
    mfx_cache_t cache;
    char *place = pages + page - bytes;
    CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
    config.structBytes = bytes;
    memcpy(place, &config, bytes);
    cache = mfx_cache_open(pool, (const mfx_cache_config_t *)(const void *)place);
    CHECK(cache != NULL);
    munmap(pages, 2 * page);
    return cache;
}

static void earlier_programs(smem_bm_t pool)
{
    const uint32_t sizes[2] = {16, 40};
    mfx_cache_disk_stats_t disk;
    bool found = false;
    int32_t at;
    for (at = 0; at < 2; at++) {
        mfx_cache_t cache = opened_earlier(pool, sizes[at]);
        disk.structBytes = sizeof disk;
        OK(mfx_cache_disk_stats(cache, &disk, &found));
        CHECK(found && disk.capacityBytes > 0 && disk.capacityBytes <= 32 * MIB && disk.values == 0);
        OK(mfx_cache_close(cache));
    }
}

/* Closes the cache: values in memory are on disk then, and are there again at the next start. */
static void saved(smem_bm_t pool, mfx_cache_t cache, const char *folders)
{
    const mfx_cache_config_t config = config_of(folders, 64 * MIB, MFX_CACHE_DISK_ALL);
    const uint32_t key = 1000;
    uint64_t count = 0, left = 7;
    fill(value, sizeof value, key);
    OK(mfx_cache_put(cache, &key, sizeof key, value, VALUE_BYTES, NULL, NULL));
    OK(mfx_cache_close_saving(cache, WAIT_S * 1000, &count, &left));
    CHECK(count >= 1 && left == 0);
    OK(mfx_cache_close_saving(cache, 1, &count, &left));
    CHECK(count == 0);
    OK(mfx_cache_close_saving(NULL, 1, NULL, NULL));
    cache = mfx_cache_open(pool, &config);
    CHECK(cache != NULL && got_value(cache, key));
    OK(mfx_cache_close(cache));
}

static void guest(smem_bm_t pool)
{
    const mfx_cache_config_t config = config_of(NULL, 0, MFX_CACHE_GUEST);
    mfx_cache_t cache = mfx_cache_open(pool, &config);
    mfx_cache_disk_stats_t disk;
    bool found = true;
    disk.structBytes = sizeof disk;
    OK(mfx_cache_disk_stats(cache, &disk, &found));
    CHECK(!found && disk.capacityBytes == 0 && disk.values == 0);
    OK(mfx_cache_close(cache));
}

static int removed(const char *path, const struct stat *state, int flag, struct FTW *at)
{
    (void)state, (void)flag, (void)at;
    return remove(path);
}

int main(void)
{
    char folder[] = "/tmp/mf-cache-disk-XXXXXX", set[64], folders[128], url[64];
    mfx_cache_config_t config;
    mfx_cache_t cache;
    smem_bm_t pool;
    if (mkdtemp(folder) == NULL) return 1;
    snprintf(set, sizeof set, "%s/set", folder);
    snprintf(folders, sizeof folders, "%s/a:%s/b", folder, folder);
    setenv("MF_CACHE_DISK", set, 1);
    setenv("MF_CACHE_DISK_BYTES", "32MiB", 1);
    free_url(url, sizeof url);
    OK(init_rank(url, 1, 0));
    pool = smem_bm_create(0, 0, SMEMB_DATA_OP_SDMA, 16 * MIB, 0, 0);
    OK(smem_bm_join(pool, 0));
    refusals(pool, folder);
    config = config_of(folders, 64 * MIB, MFX_CACHE_DISK_ALL);
    cache = mfx_cache_open(pool, &config);
    CHECK(cache != NULL);
    more_than_memory(cache);
    prefetched(cache);
    saved(pool, cache, folders);
    earlier_programs(pool);
    guest(pool);
    smem_bm_uninit(0);
    CHECK(nftw(folder, removed, 8, FTW_DEPTH | FTW_PHYS) == 0);
    return check_result();
}
