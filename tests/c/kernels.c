/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kernels: wrong arguments and stale handles, without an accelerator and on the simulator; a copy that
 * arrives. */
#include "ranks.h"

#include "smem/host/smem_shm.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)

static const mfx_launch_options_t one = {1, 0, NULL};

/* Share Memory with this process as the whole world. */
static int32_t init(const char *device)
{
    char url[64];
    smem_shm_config_t config;
    setenv("MF_DEVICE", device, 1);
    free_url(url, sizeof url);
    OK(smem_shm_config_init(&config));
    return smem_shm_init(url, 1, 0, 0, &config);
}

/* Errors independent of the accelerator. */
static void bad_input(void)
{
    mfx_kernel_t h = NULL;
    uint64_t words[2] = {0, 0};
    void *none = words; /* an address that is no handle */
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_load(NULL, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_load_data(words, 16, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_load_data(NULL, 16, &h));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_unload(NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_unload(none));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_launch(NULL, "mf_copy", NULL, &one, words, 8));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_launch(none, "mf_copy", NULL, &one, words, 8));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_launch(none, "mf_copy", NULL, NULL, words, 8));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_launch(none, NULL, NULL, &one, words, 8));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_launch(none, "mf_copy", NULL, &one, NULL, 8));
    CHECK(h == NULL);
}

static void without_an_accelerator(void)
{
    mfx_kernel_t h = NULL;
    FAILS(SMEM_NOT_INIT, mfx_kernel_load(NULL, &h));
    OK(init("none"));
    bad_input();
    CHECK(mfx_kernel_load(NULL, &h) == SMEM_NOT_EXIST);
    CHECK(strstr(smem_get_last_err_msg(), "MF_DEVICE=sim") != NULL);
    CHECK(h == NULL);
    smem_shm_uninit(0);
}

static void on_the_simulator(void)
{
    mfx_kernel_t h = NULL;
    smem_shm_t memory;
    void *gva = NULL;
    char text[] = "from a kernel", got[sizeof text];
    uint64_t words[3], binary_bytes = 0;
    const void *binary = NULL;
    if (init("sim") != 0) {
        printf("skip kernels on the simulator: %s\n", smem_get_last_err_msg());
        return;
    }
    bad_input();
    FAILS(SMEM_NOT_EXIST, mfx_kernel_load("/nowhere/kernels.o", &h));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_load("/etc/passwd", &h));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_load_data(text, sizeof text, &h));
    if (mfx_kernel_load(NULL, &h) != 0) {
        printf("skip the kernels of the library: %s\n", smem_get_last_err_msg());
        smem_shm_uninit(0);
        return;
    }
    CHECK(strstr(mfx_kernel_table_json(), "\"mf_copy\"") != NULL);
    FAILS(SMEM_NOT_EXIST, mfx_kernel_built_in("no such chip", &binary, &binary_bytes));
    OK(mfx_kernel_built_in("sim", &binary, &binary_bytes));
    CHECK(binary_bytes > 4 && memcmp(binary, "\177ELF", 4) == 0);
    memory = smem_shm_create(0, 1, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &gva);
    CHECK(memory != NULL);
    OK(mfx_shm_copy(memory, gva, text, sizeof text));
    words[0] = (uint64_t)(uintptr_t)gva + 4096;
    words[1] = (uint64_t)(uintptr_t)gva;
    words[2] = sizeof text;
    OK(mfx_kernel_launch(h, "mf_copy", memory, &one, words, sizeof words));
    OK(mfx_shm_copy(memory, got, (char *)gva + 4096, sizeof got));
    CHECK(memcmp(text, got, sizeof text) == 0);

    FAILS(SMEM_NOT_EXIST, mfx_kernel_launch(h, "mf_coyp", memory, &one, words, sizeof words));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_launch(h, "mf_copy", memory, &one, words, sizeof words - 1));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_launch(h, "mf_copy", memory, &one, words, sizeof words - 8));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_launch(h, "mf_copy", words, &one, words, sizeof words));
    words[0] = 4096; /* no device memory */
    CHECK(mfx_kernel_launch(h, "mf_copy", NULL, &one, words, sizeof words) == SMEM_ERROR);
    CHECK(strstr(smem_get_last_err_msg(), "mf_copy") != NULL);
    OK(smem_shm_destroy(memory, 0));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_launch(h, "mf_copy", memory, &one, words, sizeof words));
    smem_shm_uninit(0);
    OK(mfx_kernel_unload(h));
    FAILS(SMEM_INVALID_PARAM, mfx_kernel_unload(h));
}

/* In processes of their own, because the device of a process does not change. */
int main(int argc, char **argv)
{
    (void)argc;
    if (!is_rank()) return run_ranks(2, argv);
    if (env_u32("RANK") == 0)
        without_an_accelerator();
    else
        on_the_simulator();
    return check_result();
}
