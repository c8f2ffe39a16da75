/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Wrong arguments, wrong order and stale handles of Share Memory; one process is the whole world. */
#include "ranks.h"

#include "smem/host/smem_shm.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)

static smem_shm_config_t defaults(void)
{
    smem_shm_config_t config;
    memset(&config, 0xA5, sizeof config);
    OK(smem_shm_config_init(&config));
    return config;
}

static void on_exit_status(int status) { (void)status; }
static void on_exit_context(int status, void *context) { (void)status, (void)context; }

/* Every function of a handle, with one that is not usable for the given reason; destroy has a code of its
 * own. */
static void unusable(smem_shm_t h, int32_t code, int32_t destroy_code)
{
    char one[1] = {0}, key[] = "key";
    uint32_t reach = 7;
    int32_t number = 7;
    void *address = NULL;
    uint64_t bytes = 7;
    FAILS_WITH(0, code, smem_shm_get_symmetric_size(h));
    FAILS_WITH(UINT32_MAX, code, smem_shm_get_global_rank(h));
    FAILS_WITH(UINT32_MAX, code, smem_shm_get_global_rank_size(h));
    FAILS(code, smem_shm_set_extra_context(h, one, 1));
    FAILS(code, smem_shm_topology_can_reach(h, 0, &reach));
    FAILS(code, smem_shm_control_barrier(h));
    FAILS(code, smem_shm_control_allgather(h, one, 1, one, 1));
    FAILS(code, smem_shm_subgroup_barrier(h, key, 1, 0));
    FAILS(code, smem_shm_subgroup_allgather(h, key, 1, 0, one, 1, one, 1));
    FAILS(code, smem_shm_atomic_alloc_value(h, 1, &number));
    FAILS(code, smem_shm_atomic_release_value(h, 0));
    FAILS(code, smem_shm_register_exit(h, on_exit_status));
    smem_shm_global_exit(h, 0);
    check_last_error(code, "smem_shm_global_exit", __FILE__, __LINE__);
    FAILS_WITH(0, code, mfx_shm_local_bytes(h));
    FAILS(code, mfx_shm_allgather(h, one, 1, one, 1, 1000));
    FAILS(code, mfx_shm_copy(h, one, one, 1));
    FAILS(code, mfx_shm_map(h, 0, &address, &bytes));
    FAILS(code, mfx_shm_on_exit(h, on_exit_context, NULL));
    FAILS(destroy_code, smem_shm_destroy(h, 0));
    CHECK(reach == 7 && number == 7 && bytes == 7 && address == NULL);
}

static void before_init(void)
{
    void *gva = NULL;
    bool is_memory = true;
    unusable(NULL, SMEM_INVALID_PARAM, SMEM_INVALID_PARAM);
    unusable((smem_shm_t)1, SMEM_NOT_INIT, SMEM_NOT_INIT);
    FAILS_NULL(SMEM_NOT_INIT, smem_shm_create(0, 1, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &gva));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(0, 1, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, NULL));
    CHECK(smem_shm_query_support_data_operation() == SMEMS_DATA_OP_MTE);
    FAILS_WITH(UINT32_MAX, SMEM_NOT_INIT, mfx_shm_rank());
    FAILS_WITH(0, SMEM_NOT_INIT, mfx_shm_world_size());
    CHECK(strcmp(mfx_shm_device(), "") == 0);
    FAILS(SMEM_NOT_INIT, mfx_device_malloc(1, &gva));
    FAILS(SMEM_NOT_INIT, mfx_device_is_memory(&gva, &is_memory));
    FAILS_NULL(SMEM_NOT_INIT, mfx_device_json());
    FAILS(SMEM_NOT_INIT, mfx_device_copy(&gva, &gva, 1));
    smem_shm_uninit(0);
    smem_shm_uninit(7);
}

static void init(const char *url)
{
    smem_shm_config_t config = defaults();
    FAILS(SMEM_INVALID_PARAM, smem_shm_config_init(NULL));
    CHECK(config.shmInitTimeout == 120 && config.shmCreateTimeout == 120 && config.controlOperationTimeout == 120);
    CHECK(config.startConfigStoreServer && config.flags == 0);
    FAILS(SMEM_INVALID_PARAM, smem_shm_init(NULL, 1, 0, 0, &config));
    FAILS(SMEM_INVALID_PARAM, smem_shm_init(url, 1, 0, 0, NULL));
    FAILS(SMEM_INVALID_PARAM, smem_shm_init("udp://127.0.0.1:5570", 1, 0, 0, &config));
    FAILS(SMEM_INVALID_PARAM, smem_shm_init("tcp://127.0.0.1", 1, 0, 0, &config));
    FAILS(SMEM_INVALID_PARAM, smem_shm_init(url, 0, 0, 0, &config));
    FAILS(SMEM_INVALID_PARAM, smem_shm_init(url, 16385, 0, 0, &config));
    FAILS(SMEM_INVALID_PARAM, smem_shm_init(url, 1, 1, 0, &config));
    FAILS(SMEM_INVALID_PARAM, smem_shm_init(url, 1, UINT32_MAX, 0, &config));
    config.shmInitTimeout = 0;
    FAILS(SMEM_INVALID_PARAM, smem_shm_init(url, 1, 0, 0, &config));
    config = defaults();
    config.shmCreateTimeout = 0;
    FAILS(SMEM_INVALID_PARAM, smem_shm_init(url, 1, 0, 0, &config));
    config = defaults();
    config.controlOperationTimeout = 0;
    FAILS(SMEM_INVALID_PARAM, smem_shm_init(url, 1, 0, 0, &config));
    config = defaults();
    config.flags = 0xFFFFFFFFu; /* unknown bits are ignored */
    OK(smem_shm_init(url, 1, 0, 0, &config));
    OK(smem_shm_init(url, 1, 0, 0, &config)); /* again: nothing */
    CHECK(mfx_shm_rank() == 0 && mfx_shm_world_size() == 1 && strcmp(mfx_shm_device(), "host") == 0);
}

static void create(void)
{
    void *gva = NULL;
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(0, 1, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, NULL));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(64, 1, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &gva));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(UINT32_MAX, 1, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &gva));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(0, 0, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &gva));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(0, 2, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &gva));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(0, 1, 1, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &gva));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(0, 1, 0, 0, SMEMS_DATA_OP_MTE, 0, &gva));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(0, 1, 0, 2 * MIB + 1, SMEMS_DATA_OP_MTE, 0, &gva));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(0, 1, 0, 64 * 1024 * MIB + 2 * MIB, SMEMS_DATA_OP_MTE, 0, &gva));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(0, 1, 0, 2 * MIB, (smem_shm_data_op_type)0, 0, &gva));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_shm_create(0, 1, 0, 2 * MIB, (smem_shm_data_op_type)8, 0, &gva));
    CHECK(gva == NULL);
}

static void object(smem_shm_t h, char *gva)
{
    static char big[65537], all[65537];
    uint32_t reach = 0;
    int32_t first = -1, second = -1;
    void *view = NULL, *free_me = NULL;
    uint64_t bytes = 0;
    bool is_memory = true;
    CHECK(smem_shm_get_symmetric_size(h) >= 2 * MIB && mfx_shm_local_bytes(h) == 2 * MIB);
    CHECK(smem_shm_get_global_rank(h) == 0 && smem_shm_get_global_rank_size(h) == 1);

    FAILS(SMEM_INVALID_PARAM, smem_shm_set_extra_context(h, NULL, 1));
    FAILS(SMEM_INVALID_PARAM, smem_shm_set_extra_context(h, big, 0));
    FAILS(SMEM_INVALID_PARAM, smem_shm_set_extra_context(h, big, 65537));
    OK(smem_shm_set_extra_context(h, big, 65536));
    OK(smem_shm_set_extra_context(h, big, 1));

    FAILS(SMEM_INVALID_PARAM, smem_shm_topology_can_reach(h, 0, NULL));
    FAILS(SMEM_INVALID_PARAM, smem_shm_topology_can_reach(h, 1, &reach));
    OK(smem_shm_topology_can_reach(h, 0, &reach));
    CHECK((reach & SMEMS_DATA_OP_MTE) != 0);

    OK(smem_shm_control_barrier(h));
    FAILS(SMEM_INVALID_PARAM, smem_shm_control_allgather(h, NULL, 1, all, 1));
    FAILS(SMEM_INVALID_PARAM, smem_shm_control_allgather(h, big, 1, NULL, 1));
    FAILS(SMEM_INVALID_PARAM, smem_shm_control_allgather(h, big, 0, all, 0));
    FAILS(SMEM_INVALID_PARAM, smem_shm_control_allgather(h, big, 65537, all, 65537));
    FAILS(SMEM_INVALID_PARAM, smem_shm_control_allgather(h, big, 8, all, 7));
    FAILS(SMEM_INVALID_PARAM, smem_shm_control_allgather(h, big, 8, all, 16));
    FAILS(SMEM_INVALID_PARAM, smem_shm_control_allgather(h, big, 8, all, UINT32_MAX));
    memset(big, 5, sizeof big);
    OK(smem_shm_control_allgather(h, big, 65536, all, 65536));
    CHECK(all[0] == 5 && all[65535] == 5 && all[65536] == 0);
    FAILS(SMEM_INVALID_PARAM, mfx_shm_allgather(h, NULL, 1, all, 1, 1000));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_allgather(h, big, 1, NULL, 1, 1000));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_allgather(h, big, 0, all, 0, 1000));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_allgather(h, big, 8, all, 7, 1000));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_allgather(h, big, UINT64_MAX, all, 16, 1000));
    OK(mfx_shm_allgather(h, big, sizeof big, all, sizeof big, 1000));
    CHECK(all[65536] == 5);

    memset(big, 'k', sizeof big);
    big[64] = '\0';
    FAILS(SMEM_INVALID_PARAM, smem_shm_subgroup_barrier(h, big, 1, 0)); /* 64 bytes */
    FAILS(SMEM_INVALID_PARAM, smem_shm_subgroup_barrier(h, "", 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_shm_subgroup_barrier(h, NULL, 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_shm_subgroup_barrier(h, "\xff", 1, 0));
    FAILS(SMEM_INVALID_PARAM, smem_shm_subgroup_barrier(h, "key", 0, 0));
    FAILS(SMEM_INVALID_PARAM, smem_shm_subgroup_barrier(h, "key", 1, 1));
    FAILS(SMEM_INVALID_PARAM, smem_shm_subgroup_barrier(h, "key", 2, 0));
    FAILS(SMEM_INVALID_PARAM, smem_shm_subgroup_allgather(h, "key", 1, 0, NULL, 1, all, 1));
    FAILS(SMEM_INVALID_PARAM, smem_shm_subgroup_allgather(h, "key", 1, 0, big, 2, all, 1));
    FAILS(SMEM_INVALID_PARAM, smem_shm_subgroup_allgather(h, "key", 0, 0, big, 1, all, 0));
    big[63] = '\0';
    OK(smem_shm_subgroup_barrier(h, big, 1, 0));
    OK(smem_shm_subgroup_allgather(h, "key", 1, 0, big, 4, big, 4)); /* in place */
    CHECK(memcmp(big, "kkkk", 4) == 0);

    FAILS(SMEM_INVALID_PARAM, smem_shm_atomic_alloc_value(h, 1, (int32_t *)NULL));
    FAILS(SMEM_INVALID_PARAM, smem_shm_atomic_alloc_value(h, 0, &first));
    FAILS(SMEM_INVALID_PARAM, smem_shm_atomic_alloc_value(h, SMEM_SHM_ATOMIC_NUM_LIMIT + 1, &first));
    OK(smem_shm_atomic_alloc_value(h, 2, &first));
    OK(smem_shm_atomic_alloc_value(h, SMEM_SHM_ATOMIC_NUM_LIMIT, &second));
    CHECK(first == 0 && second == 1);
    FAILS(SMEM_ERROR, smem_shm_atomic_alloc_value(h, 2, &first));
    OK(smem_shm_atomic_release_value(h, 0));
    FAILS(SMEM_NOT_EXIST, smem_shm_atomic_release_value(h, 0));
    FAILS(SMEM_NOT_EXIST, smem_shm_atomic_release_value(h, -1));
    FAILS(SMEM_NOT_EXIST, smem_shm_atomic_release_value(h, SMEM_SHM_ATOMIC_NUM_LIMIT));
    OK(smem_shm_atomic_alloc_value(h, 1, &first));
    CHECK(first == 0);

    FAILS(SMEM_INVALID_PARAM, smem_shm_register_exit(h, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_on_exit(h, NULL, NULL));
    OK(smem_shm_register_exit(h, on_exit_status));
    FAILS(SMEM_DUPLICATED, smem_shm_register_exit(h, on_exit_status));

    FAILS(SMEM_INVALID_PARAM, mfx_shm_copy(h, NULL, big, 1));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_copy(h, gva, NULL, 1));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_copy(h, gva, big, 0));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_copy(h, all, big, 1)); /* neither end is in the object */
    FAILS(SMEM_INVALID_PARAM, mfx_shm_copy(h, gva + 2 * MIB - 1, big, 2));
    OK(mfx_shm_copy(h, gva + 7, "hello", 6));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_map(h, 1, &view, &bytes));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_map(h, 0, NULL, &bytes));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_map(h, 0, &view, NULL));
    OK(mfx_shm_map(h, 0, &view, &bytes));
    CHECK(bytes == 2 * MIB && strcmp((char *)view + 7, "hello") == 0);
    OK(smem_shm_destroy(h, 0));
    CHECK(strcmp((char *)view + 7, "hello") == 0); /* the view outlives the object */
    OK(mfx_shm_unmap(view, bytes));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_unmap(NULL, 1));
    FAILS(SMEM_INVALID_PARAM, mfx_shm_unmap((char *)view + 1, 4096));

    FAILS(SMEM_INVALID_PARAM, mfx_device_malloc(1, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_device_malloc(0, &free_me));
    FAILS(SMEM_NOT_EXIST, mfx_device_malloc(64, &free_me));
    FAILS(SMEM_INVALID_PARAM, mfx_device_free(NULL));
    FAILS(SMEM_NOT_EXIST, mfx_device_free(big));
    FAILS(SMEM_NOT_EXIST, mfx_device_copy(big, all, 1));
    FAILS(SMEM_INVALID_PARAM, mfx_device_copy(NULL, all, 1));
    FAILS_NULL(SMEM_NOT_EXIST, mfx_device_json());
    OK(mfx_device_is_memory(big, &is_memory));
    CHECK(!is_memory);
}

static void kernel_build(void)
{
    const char *const sources[] = {__FILE__}, *const missing[] = {"/nowhere/kernel.cpp"};
    mfx_kernel_build_t build;
    memset(&build, 0, sizeof build);
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_build(NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_build(&build));
    build.home = build.scratch = build.output = "/nowhere";
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_build(&build)); /* no sources */
    build.sourceCount = 1;
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_build(&build));
    build.sources = missing;
    FAILS(SMEM_NOT_EXIST, mfx_kernel_build(&build));
    build.sources = sources;
    FAILS(SMEM_NOT_EXIST, mfx_kernel_build(&build)); /* no headers */
    build.flagCount = 1;
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_build(&build));
}

int main(void)
{
    char url[64];
    void *gva = NULL;
    smem_shm_t h, stale;
    setenv("MF_DEVICE", "none", 1);
    free_url(url, sizeof url);
    kernel_build();
    before_init();
    init(url);
    unusable(NULL, SMEM_INVALID_PARAM, SMEM_INVALID_PARAM);
    unusable((smem_shm_t)1, SMEM_INVALID_PARAM, SMEM_NOT_EXIST);
    unusable((smem_shm_t)UINTPTR_MAX, SMEM_INVALID_PARAM, SMEM_NOT_EXIST);
    create();
    h = smem_shm_create(63, 1, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0xFFFFFFFFu, &gva);
    CHECK(h != NULL && gva != NULL);
    if (h == NULL) return check_result();
    FAILS_NULL(SMEM_DUPLICATED, smem_shm_create(63, 1, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &gva));
    object(h, (char *)gva);
    unusable(h, SMEM_INVALID_PARAM, SMEM_NOT_EXIST);
    stale = h;
    h = smem_shm_create(63, 1, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &gva); /* the id is free again */
    CHECK(h != NULL && h != stale);
    unusable(stale, SMEM_INVALID_PARAM, SMEM_NOT_EXIST);
    smem_shm_uninit(0); /* takes the object with it */
    unusable(h, SMEM_NOT_INIT, SMEM_NOT_INIT);
    smem_shm_uninit(0);
    return check_result();
}
