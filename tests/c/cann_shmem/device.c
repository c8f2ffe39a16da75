/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Heaps in the memory of an accelerator: any function of the host on device memory and host memory, and
 * what else is passed by pointers to device memory. Each PE has a device of its own. Without ACL the same
 * calls are made in host memory. */
#include <shmem.h>

#include "acl.h"

enum { COUNT = 100 };

/* True if the numbers count up from the first. */
static int counts(const void *from, int32_t first, aclshmem_mem_type_t side)
{
    int32_t found[COUNT];
    copy(found, from, sizeof found, side == DEVICE_SIDE ? TO_HOST : 0);
    for (int i = 0; i < COUNT; i++) {
        if (found[i] != first + i) return 0;
    }
    return 1;
}

static void copies(int me, int next, int before, aclshmem_mem_type_t side)
{
    int32_t own[COUNT], *there = (int32_t *)aclshmemx_calloc(COUNT, sizeof *there, side);
    int32_t *outside = (int32_t *)allocate(sizeof own);
    for (int i = 0; i < COUNT; i++) own[i] = 0;
    aclshmem_int32_get(own, there, COUNT, next);
    for (int i = 0; i < COUNT; i++) CHECK(own[i] == 0);
    aclshmem_barrier_all();

    for (int i = 0; i < COUNT; i++) own[i] = 1000 * me + i;
    aclshmem_int32_put(there, own, COUNT, next);
    aclshmem_barrier_all();
    CHECK(counts(there, 1000 * before, side));
    aclshmem_barrier_all();

    /* From memory of the device that is in no heap, and into such. */
    for (int i = 0; i < COUNT; i++) own[i] = 2000 * me + i;
    copy(outside, own, sizeof own, TO_DEVICE);
    aclshmem_putmem_nbi(there, outside, sizeof own, next);
    aclshmem_barrier_all();
    CHECK(counts(there, 2000 * before, side));
    aclshmem_getmem(outside, there, sizeof own, next);
    CHECK(counts(outside, 2000 * me, DEVICE_SIDE));
    aclshmem_barrier_all();

    aclshmem_int32_p(there + 1, 70 + me, next);
    aclshmem_barrier_all();
    CHECK(aclshmem_int32_g(there + 1, me) == 70 + before && aclshmem_int32_g(there + 1, next) == 70 + me);
    aclshmem_barrier_all();

    /* Every third one, from every second one. */
    for (int i = 0; i < COUNT; i++) own[i] = i % 2 == 0 ? 500 + i / 2 : -1;
    aclshmem_int32_iput(there, own, 3, 2, 30, next);
    aclshmem_barrier_all();
    CHECK(aclshmem_int32_g(there + 3, me) == 501 && aclshmem_int32_g(there + 4, me) == 2000 * before + 4);
    aclshmem_int32_iget(own, there, 1, 3, 30, next);
    for (int i = 0; i < 30; i++) CHECK(own[i] == 500 + i);
    aclshmem_barrier_all();

    /* Target of a pointer to another PE's memory. */
    int32_t *mapped = (int32_t *)aclshmem_ptr(there, next);
    CHECK(aclshmem_ptr(there, me) == there && aclshmem_ptr(there, 1000) == NULL && aclshmem_ptr(own, next) == NULL);
    CHECK((mapped != NULL) == (getenv("MF_SHM") == NULL || next == me));
    if (mapped != NULL) {
        const int32_t value = 900 + me;
        copy(mapped + 1, &value, sizeof value, side == DEVICE_SIDE ? TO_DEVICE : 0);
        CHECK(aclshmem_int32_g(there + 1, next) == value);
    }
    aclshmem_barrier_all();
    release(outside);
    aclshmemx_free(there, side);
}

/* A signal to oneself may be in memory of the device outside of the heap. */
static void signals_outside(int me)
{
    if (!has_device) return;
    int32_t *data = (int32_t *)aclshmem_calloc(COUNT, sizeof *data), own[COUNT], found[2] = { 0, 40 };
    int32_t *outside = (int32_t *)allocate(sizeof found);
    for (int i = 0; i < COUNT; i++) own[i] = 300 + i;
    copy(outside, found, sizeof found, TO_DEVICE);
    aclshmem_int32_put_signal(data, own, COUNT, (uint8_t *)outside, 6, ACLSHMEM_SIGNAL_SET, me);
    CHECK(counts(data, 300, DEVICE_SIDE));
    aclshmemx_putmem_signal(data, own, sizeof *own, outside + 1, 2, ACLSHMEM_SIGNAL_ADD, me);
    aclshmemx_putmem_signal_nbi(data, own, 0, outside + 1, 1, ACLSHMEM_SIGNAL_ADD, me);
    /* Refused: not aligned, and no memory of the next PE. */
    aclshmemx_putmem_signal(data, own, sizeof *own, (char *)outside + 1, 9, ACLSHMEM_SIGNAL_SET, me);
    if (aclshmem_n_pes() > 1) {
        aclshmemx_putmem_signal(data, own, sizeof *own, outside, 9, ACLSHMEM_SIGNAL_SET, (me + 1) % aclshmem_n_pes());
    }
    copy(found, outside, sizeof found, TO_HOST);
    CHECK(found[0] == 6 && found[1] == 43);
    release(outside);
    aclshmem_free(data);
}

static void signals(int me, int pes, int next, int before)
{
    int32_t *data = (int32_t *)aclshmem_calloc(COUNT, sizeof *data), own[COUNT];
    int32_t *signals[2] = { (int32_t *)aclshmem_calloc(4, sizeof *data), (int32_t *)aclshmemx_calloc(4, sizeof *data, HOST_SIDE) };
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < COUNT; i++) own[i] = 100 * (me + side) + i;
        aclshmem_int32_put_signal(data, own, COUNT, (uint8_t *)signals[side], 5, ACLSHMEM_SIGNAL_SET, next);
        aclshmem_signal_wait_until(signals[side], ACLSHMEM_CMP_EQ, 5);
        CHECK(counts(data, 100 * (before + side), DEVICE_SIDE));
        aclshmem_barrier_all();
        for (int pe = 0; pe < pes; pe++) aclshmemx_putmem_signal_nbi(data, own, 0, signals[side] + 1, 2, ACLSHMEM_SIGNAL_ADD, pe);
        aclshmem_signal_wait_until(signals[side] + 1, ACLSHMEM_CMP_GE, 2 * pes);
        aclshmem_barrier_all();
    }
    CHECK(aclshmem_int32_g(signals[0] + 1, next) == 2 * pes && signals[1][1] == 2 * pes);
    aclshmem_free(data);
    aclshmem_free(signals[0]);
    aclshmemx_free(signals[1], HOST_SIDE);
}

/* Waits and tests, with their other arguments in device memory, too. */
static void waits(int pes)
{
    int16_t *words = (int16_t *)aclshmem_calloc((size_t)pes + 1, sizeof *words), value = 0;
    int status[COUNT] = { 0 }, *device_status = (int *)allocate(sizeof status), held = -1;
    size_t *indices = (size_t *)allocate(COUNT * sizeof *indices), *result = (size_t *)allocate(sizeof *result), found = 7;
    int16_t values[COUNT], *device_values = (int16_t *)allocate(sizeof values);
    for (int pe = 0; pe < pes; pe++) values[pe] = (int16_t)(pe + 1);
    status[0] = pes > 1;
    copy(device_status, status, sizeof status, TO_DEVICE);
    copy(device_values, values, sizeof values, TO_DEVICE);
    aclshmem_int16_test_any(words, (size_t)pes, device_status, ACLSHMEM_CMP_NE, 0, result);
    copy(&found, result, sizeof found, TO_HOST);
    CHECK(found == SIZE_MAX);
    aclshmem_barrier_all();
    for (int pe = 0; pe < pes; pe++) aclshmem_int16_p(words + job_rank(), (int16_t)(job_rank() + 1), pe);
    aclshmem_int16_wait_until_all_vector(words, (size_t)pes, NULL, ACLSHMEM_CMP_EQ, device_values);
    aclshmem_int16_wait_until_any(words, (size_t)pes, device_status, ACLSHMEM_CMP_NE, 0, result);
    copy(&found, result, sizeof found, TO_HOST);
    CHECK(found < (size_t)pes && status[found] == 0);
    aclshmem_int16_wait_until_some(words, (size_t)pes, indices, device_status, ACLSHMEM_CMP_GT, 0, &found);
    CHECK(found == (size_t)(pes > 1 ? pes - 1 : 1));
    copy(&found, indices, sizeof found, TO_HOST);
    CHECK(found == (size_t)(pes > 1));
    aclshmem_int16_test_all_vector(words, (size_t)pes, NULL, ACLSHMEM_CMP_EQ, device_values, &held);
    CHECK(held == 1);
    aclshmem_int16_wait_until(words, ACLSHMEM_CMP_EQ, 1);
    copy(&value, words + pes, sizeof value, TO_HOST);
    CHECK(value == 0);
    release(device_status);
    release(device_values);
    release(indices);
    release(result);
    aclshmem_free(words);
}

int main(void)
{
    const int me = job_rank(), pes = job_ranks(), next = (me + 1) % pes, before = (me + pes - 1) % pes;
    open_acl();
    CHECK(has_device || getenv("MF_TEST_DEVICE") == NULL);
    const size_t unused = unused_bytes();
    aclshmemx_init_attr_t attr = job_attributes(0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    CHECK(!has_device || unused_bytes() + HEAP_BYTES <= unused);

    copies(me, next, before, DEVICE_SIDE);
    copies(me, next, before, HOST_SIDE);
    signals(me, pes, next, before);
    signals_outside(me);
    waits(pes);

    /* The host's heap is for loads and stores; the device's heap has its own addresses. */
    char *host = (char *)aclshmemx_malloc(64, HOST_SIDE), *device = (char *)aclshmem_align(4096, 64);
    CHECK(host != NULL && device != NULL && (size_t)device % 4096 == 0);
    CHECK(aclshmemx_get_heap_base(HOST_SIDE) != NULL && aclshmemx_get_heap_base(HOST_SIDE) != aclshmemx_get_heap_base(DEVICE_SIDE));
    memset(host, me + 1, 64);
    aclshmem_barrier_all();
    /* From one heap to the other. */
    aclshmem_putmem(device, host, 64, next);
    aclshmem_barrier_all();
    memset(host, 0, 64);
    aclshmem_barrier_all();
    aclshmem_putmem(host, device, 64, next);
    aclshmem_barrier_all();
    CHECK(host[0] == (before + pes - 1) % pes + 1 && host[63] == host[0]);
    aclshmemx_free(host, HOST_SIDE);
    aclshmem_free(device);
    CHECK_CODE(aclshmem_finalize(), 0);
    CHECK(!has_device || pes > 1 || unused_bytes() == unused);
    return check_result();
}
