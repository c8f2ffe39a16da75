/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Buffers and communicators: two in one process, refusals, stale handles and ids. */
#include "ranks.h"

#include "check.h"
#include "smem/host/mfx_hmc.h"

#define HERE "127.0.0.1"
#define BYTES ((uint64_t)1 << 20)
#define BEYOND (UINT64_MAX - 2)

static void memory(void)
{
    int32_t type = -1, device = -1, resolved = -1, absent = 0;
    void *address = NULL;
    char bytes[16] = "0123456789abcde", back[16] = "";
    OK(mfx_hmc_memory_check(0, MFX_HMC_CPU, &resolved));
    CHECK(resolved == MFX_HMC_CPU);
    OK(mfx_hmc_memory_check(0, MFX_HMC_DEFAULT, &resolved));
    CHECK(resolved == mfx_hmc_memory_supported());
    FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_memory_check(0, 7, NULL));
    FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_memory_check(0, -1, NULL));
    for (type = MFX_HMC_NVIDIA_GPU; type <= MFX_HMC_ASCEND_NPU; type++) {
        absent = mfx_hmc_memory_check(0, type, NULL);
        CHECK(absent == MFX_HMC_SUCCESS || absent == MFX_HMC_UNSUPPORT);
    }
    OK(mfx_hmc_memory_allocate(0, MFX_HMC_CPU, 5000, 1, &address));
    OK(mfx_hmc_memory_copy(0, MFX_HMC_CPU, address, bytes, sizeof bytes, MFX_HMC_TO_DEVICE));
    OK(mfx_hmc_memory_copy(0, MFX_HMC_CPU, back, address, sizeof back, MFX_HMC_TO_HOST));
    CHECK(memcmp(bytes, back, sizeof back) == 0);
    OK(mfx_hmc_memory_copy(0, MFX_HMC_CPU, back, address, 0, MFX_HMC_ON_DEVICE));
    FAILS(MFX_HMC_ERROR, mfx_hmc_memory_copy(0, MFX_HMC_CPU, NULL, address, 0, MFX_HMC_ON_DEVICE));
    FAILS(MFX_HMC_ERROR, mfx_hmc_memory_copy(0, MFX_HMC_CPU, back, NULL, 1, MFX_HMC_ON_DEVICE));
    FAILS(MFX_HMC_ERROR, mfx_hmc_memory_copy(0, MFX_HMC_CPU, back, address, 1, 4));
    OK(mfx_hmc_memory_kind(address, &type, &device));
    CHECK(type == MFX_HMC_CPU && device == 0);
    FAILS(MFX_HMC_ERROR, mfx_hmc_memory_kind(NULL, &type, NULL));
    OK(mfx_hmc_stream_synchronize(0, MFX_HMC_CPU, NULL));
    OK(mfx_hmc_memory_free(0, MFX_HMC_CPU, address));
    FAILS(MFX_HMC_ERROR, mfx_hmc_memory_free(0, MFX_HMC_CPU, address));
    FAILS(MFX_HMC_ERROR, mfx_hmc_memory_free(0, MFX_HMC_CPU, NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_memory_allocate(0, MFX_HMC_CPU, 0, 0, &address));
    FAILS(MFX_HMC_ERROR, mfx_hmc_memory_allocate(0, MFX_HMC_CPU, 1, 0, NULL));
}

static void buffers(mfx_hmc_buffer_t buffer)
{
    mfx_hmc_buffer_info_t info;
    mfx_hmc_buffer_t stale;
    char got[8] = "";
    OK(mfx_hmc_buffer_info(buffer, &info));
    CHECK(info.ptr != NULL && info.bytes == BYTES && info.type == MFX_HMC_CPU && info.resolved == MFX_HMC_CPU);
    OK(mfx_hmc_buffer_write(buffer, "1234567", 8, BYTES - 8, 0));
    OK(mfx_hmc_buffer_copy_within(buffer, BYTES - 10, BYTES - 8, 8));
    OK(mfx_hmc_buffer_read(buffer, got, 8, BYTES - 10, 0));
    CHECK(memcmp(got, "1234567", 8) == 0);
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_write(buffer, got, 8, BYTES - 7, 0));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_write(buffer, got, 5, BEYOND, 0));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_read(buffer, got, 5, BEYOND, 0));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_read(buffer, got, 1, 0, 1));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_read(buffer, NULL, 1, 0, 0));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_copy_within(buffer, BEYOND, 0, 5));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_copy_within(buffer, 0, BEYOND, 5));
    FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_buffer_create(0, 99, BYTES, &stale));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_create(0, MFX_HMC_CPU, 0, &stale));
    OK(mfx_hmc_buffer_create(0, MFX_HMC_CPU, 100, &stale));
    OK(mfx_hmc_buffer_destroy(stale));
    OK(mfx_hmc_buffer_destroy(stale));
    OK(mfx_hmc_buffer_destroy(NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_info(stale, &info));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_info(NULL, &info));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_write((mfx_hmc_buffer_t)(uintptr_t)12345, got, 1, 0, 0));
}

static void refused(mfx_hmc_buffer_t buffer, mfx_hmc_comm_t comm, uint16_t port)
{
    mfx_hmc_comm_t stale;
    uint16_t found = 0;
    uint64_t id = 7, ids[2] = {0, 999};
    FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_comm_create(buffer, 0, &stale));
    FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_comm_create(buffer, 17, &stale));
    FAILS(MFX_HMC_ERROR, mfx_hmc_comm_create(NULL, 1, &stale));
    FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_comm_listen(comm, HERE, port, 2));
    FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_comm_listen(comm, HERE, 0, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_comm_listen(comm, NULL, port, MFX_HMC_UCX));
    FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_comm_connect(comm, "", port, MFX_HMC_UCX));
    FAILS(MFX_HMC_NOT_FOUND, mfx_hmc_comm_check(comm, HERE, port, MFX_HMC_RDMA));
    FAILS(MFX_HMC_NOT_FOUND, mfx_hmc_comm_port_of(comm, "127.0.0.9", MFX_HMC_UCX, &found));
    FAILS(MFX_HMC_NOT_FOUND, mfx_hmc_put(comm, HERE, port, 0, 0, 1, MFX_HMC_RDMA));
    FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_put(comm, HERE, port, 0, 0, 1, 9));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put(comm, HERE, port, BEYOND, 0, 5, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_get(comm, HERE, port, 0, BEYOND, 5, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put_nb(comm, HERE, port, 0, BYTES, 1, MFX_HMC_UCX, &id));
    CHECK(id == 0);
    FAILS(MFX_HMC_ERROR, mfx_hmc_get_nb(comm, HERE, port, BYTES, 0, 1, MFX_HMC_UCX, &id));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put_pipeline(comm, HERE, port, 1, 0, BYTES, 0, 0, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_get_pipeline(comm, HERE, port, 0, 1, BYTES, 0, 0, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put_from(comm, HERE, port, &id, BYTES, 1, MFX_HMC_UCX));
    ids[0] = BYTES;
    FAILS(MFX_HMC_ERROR, mfx_hmc_await(comm, ids, 1, 1, 0));
    ids[0] = 0;
    FAILS(MFX_HMC_TIMEOUT, mfx_hmc_await(comm, ids, 1, UINT64_MAX, 1));
    FAILS(MFX_HMC_NOT_FOUND, mfx_hmc_wait(comm, 999));
    FAILS(MFX_HMC_NOT_FOUND, mfx_hmc_wait_all(comm, ids, 2));
    FAILS(MFX_HMC_ERROR, mfx_hmc_wait_all(comm, NULL, 2));
    FAILS(MFX_HMC_ERROR, mfx_hmc_wait_all(comm, ids, UINT64_MAX / 2));
    OK(mfx_hmc_comm_create(buffer, 16, &stale));
    OK(mfx_hmc_comm_destroy(stale));
    OK(mfx_hmc_comm_destroy(stale));
    OK(mfx_hmc_comm_destroy(NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_comm_stop(stale));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put(stale, HERE, port, 0, 0, 1, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put(NULL, HERE, port, 0, 0, 1, MFX_HMC_UCX));
}

/* A null where there must be something, in every function; nothing is done. */
static void nulls(mfx_hmc_buffer_t buffer, mfx_hmc_comm_t comm, uint16_t port)
{
    char bytes[8] = "";
    uint64_t id = 7;
    mfx_hmc_frame_t frame;
    void *message = NULL;
    FAILS(MFX_HMC_ERROR, mfx_hmc_memory_allocate(0, MFX_HMC_CPU, 8, 0, NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_create(0, MFX_HMC_CPU, 8, NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_info(buffer, NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_write(buffer, NULL, 1, 0, 0));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_write(NULL, bytes, 1, 0, 0));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_read(NULL, bytes, 1, 0, 0));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_copy_within(NULL, 0, 0, 1));
    FAILS(MFX_HMC_ERROR, mfx_hmc_comm_create(buffer, 1, NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_comm_connect(comm, NULL, port, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_comm_disconnect(comm, NULL, port, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_comm_check(comm, NULL, port, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_comm_port_of(comm, HERE, MFX_HMC_UCX, NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put(comm, NULL, port, 0, 0, 1, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_get(comm, NULL, port, 0, 0, 1, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put_from(comm, NULL, port, bytes, 0, 1, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put_from(comm, HERE, port, NULL, 0, 1, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_await(comm, NULL, 1, 1, 0));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put_nb(comm, NULL, port, 0, 0, 1, MFX_HMC_UCX, &id));
    FAILS(MFX_HMC_ERROR, mfx_hmc_get_nb(comm, NULL, port, 0, 0, 1, MFX_HMC_UCX, NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put_pipeline(comm, NULL, port, 0, 0, 1, 0, 0, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_get_pipeline(comm, NULL, port, 0, 0, 1, 0, 0, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_send_data(comm, NULL, port, bytes, 1, MFX_HMC_CPU, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_send_data(comm, HERE, port, NULL, 1, MFX_HMC_CPU, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_recv_data(comm, NULL, port, bytes, 1, MFX_HMC_CPU, MFX_HMC_UCX, NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_recv_data(comm, HERE, port, NULL, 1, MFX_HMC_CPU, MFX_HMC_UCX, &id));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_start(NULL, port, NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_start_plain(NULL, port));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_connect_tcp(1, NULL, port, 2));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_connect_uds(1, NULL, 2));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_send(1, 2, 0, NULL, 4));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_recv(1, 0, NULL, &message));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_recv(1, 0, &frame, NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_recv_into(1, 0, 1, NULL, 8));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_payload(NULL, NULL));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_send_to(NULL, 1, 0, bytes, 8));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_recv_from(NULL, 0, &frame, &message));
    FAILS(MFX_HMC_ERROR, mfx_hmc_ctrl_close_address(NULL));
    OK(mfx_hmc_ctrl_release(NULL));
    CHECK(message == NULL);
}

/* Numbers that mean nothing, in every function that takes one. */
static void numbers(mfx_hmc_buffer_t buffer, mfx_hmc_comm_t comm, uint16_t port)
{
    static const int32_t conns[] = {-1, 2, INT32_MAX, INT32_MIN}, types[] = {-1, 7, INT32_MAX, INT32_MIN};
    char bytes[8] = "";
    void *address = NULL;
    uint16_t found = 0;
    size_t at = 0;
    for (at = 0; at < 4; at++) {
        const int32_t conn = conns[at], type = types[at];
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_comm_listen(comm, HERE, port, conn));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_comm_connect(comm, HERE, port, conn));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_comm_disconnect(comm, HERE, port, conn));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_comm_check(comm, HERE, port, conn));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_comm_port_of(comm, HERE, conn, &found));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_get(comm, HERE, port, 0, 0, 1, conn));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_put_from(comm, HERE, port, bytes, 0, 1, conn));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_put_nb(comm, HERE, port, 0, 0, 1, conn, NULL));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_get_nb(comm, HERE, port, 0, 0, 1, conn, NULL));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_put_pipeline(comm, HERE, port, 0, 0, 1, 0, 0, conn));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_get_pipeline(comm, HERE, port, 0, 0, 1, 0, 0, conn));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_send_data(comm, HERE, port, bytes, 1, MFX_HMC_CPU, conn));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_recv_data(comm, HERE, port, bytes, 1, MFX_HMC_CPU, conn, NULL));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_send_data(comm, HERE, port, bytes, 1, type, MFX_HMC_UCX));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_recv_data(comm, HERE, port, bytes, 1, type, MFX_HMC_UCX, NULL));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_memory_allocate(0, type, 8, 0, &address));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_memory_free(0, type, bytes));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_memory_copy(0, type, bytes, bytes, 1, MFX_HMC_ON_DEVICE));
        FAILS(MFX_HMC_INVALID_CONFIG, mfx_hmc_stream_synchronize(0, type, NULL));
    }
    /* Lengths: none, to the end, one beyond, and round it. */
    OK(mfx_hmc_put(comm, HERE, port, BYTES, BYTES, 0, MFX_HMC_UCX));
    OK(mfx_hmc_get(comm, HERE, port, BYTES - 1, BYTES - 1, 1, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_get(comm, HERE, port, BYTES, BYTES - 1, 1, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put(comm, HERE, port, BYTES + 1, 0, 0, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_put(comm, HERE, port, 1, 1, UINT64_MAX, MFX_HMC_UCX));
    OK(mfx_hmc_buffer_write(buffer, bytes, 0, BYTES, 0));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_write(buffer, bytes, 0, BYTES + 1, 0));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_read(buffer, bytes, UINT64_MAX, 1, 0));
    FAILS(MFX_HMC_ERROR, mfx_hmc_buffer_copy_within(buffer, 1, 0, BYTES));
    CHECK(address == NULL);
}

int main(void)
{
    mfx_hmc_buffer_t theirs, own;
    mfx_hmc_comm_t listener, dialer;
    uint16_t port = 0, found = 1;
    uint64_t ids[2] = {1, 1};
    char got[8] = "";
    memory();
    OK(mfx_hmc_buffer_create(0, MFX_HMC_CPU, BYTES, &theirs));
    OK(mfx_hmc_buffer_create(0, MFX_HMC_CPU, BYTES, &own));
    buffers(own);
    OK(mfx_hmc_comm_create(theirs, 1, &listener));
    OK(mfx_hmc_comm_create(own, 4, &dialer));
    /* They live as long as their communicators. */
    OK(mfx_hmc_buffer_destroy(theirs));
    port = free_port();
    OK(mfx_hmc_comm_listen(listener, HERE, port, MFX_HMC_UCX));
    OK(mfx_hmc_comm_listen(listener, HERE, port, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_comm_listen(dialer, HERE, port, MFX_HMC_UCX));
    OK(mfx_hmc_comm_connect(dialer, HERE, port, MFX_HMC_UCX));
    OK(mfx_hmc_comm_connect(dialer, HERE, port, MFX_HMC_UCX));
    OK(mfx_hmc_comm_check(dialer, HERE, port, MFX_HMC_UCX));
    OK(mfx_hmc_comm_port_of(dialer, HERE, MFX_HMC_UCX, &found));
    CHECK(found == port);
    refused(own, dialer, port);
    nulls(own, dialer, port);
    numbers(own, dialer, port);
    OK(mfx_hmc_buffer_write(own, "abcdefg", 8, 0, 0));
    OK(mfx_hmc_put(dialer, HERE, port, 0, 100, 8, MFX_HMC_UCX));
    OK(mfx_hmc_get(dialer, HERE, port, 200, 100, 8, MFX_HMC_UCX));
    /* The word is not 0 when it is there. */
    OK(mfx_hmc_put_from(dialer, HERE, port, "abcdefg", 800, 8, MFX_HMC_UCX));
    ids[0] = 800;
    OK(mfx_hmc_await(listener, ids, 1, 1, 60000));
    OK(mfx_hmc_put_nb(dialer, HERE, port, 0, 300, 8, MFX_HMC_UCX, &ids[0]));
    OK(mfx_hmc_put_nb(dialer, HERE, port, 0, 400, 8, MFX_HMC_UCX, NULL));
    OK(mfx_hmc_flush(dialer));
    OK(mfx_hmc_wait(dialer, ids[0]));
    OK(mfx_hmc_get_nb(dialer, HERE, port, 500, 300, 8, MFX_HMC_UCX, &ids[1]));
    ids[0] = 0;
    OK(mfx_hmc_wait_all(dialer, ids, 2));
    OK(mfx_hmc_wait_all(dialer, NULL, 0));
    OK(mfx_hmc_put_pipeline(dialer, HERE, port, 0, 0, BYTES, 1000, 64, MFX_HMC_UCX));
    OK(mfx_hmc_get_pipeline(dialer, HERE, port, 0, 0, BYTES, 0, 0, MFX_HMC_UCX));
    OK(mfx_hmc_buffer_read(own, got, 8, 500, 0));
    CHECK(memcmp(got, "abcdefg", 8) == 0);
    /* From the other end, which knows the dialer by port 0: it does not listen. */
    OK(mfx_hmc_get(listener, HERE, 0, 0, 200, 8, MFX_HMC_UCX));
    OK(mfx_hmc_put(listener, HERE, 0, 0, 600, 8, MFX_HMC_UCX));
    OK(mfx_hmc_buffer_read(own, got, 8, 600, 0));
    CHECK(memcmp(got, "abcdefg", 8) == 0);
    OK(mfx_hmc_comm_stop(listener));
    OK(mfx_hmc_put(dialer, HERE, port, 0, 0, 8, MFX_HMC_UCX));
    OK(mfx_hmc_comm_disconnect(dialer, HERE, port, MFX_HMC_UCX));
    OK(mfx_hmc_comm_disconnect(dialer, HERE, port, MFX_HMC_UCX));
    FAILS(MFX_HMC_NOT_FOUND, mfx_hmc_put(dialer, HERE, port, 0, 0, 8, MFX_HMC_UCX));
    FAILS(MFX_HMC_ERROR, mfx_hmc_comm_connect(dialer, HERE, port, MFX_HMC_UCX));
    OK(mfx_hmc_comm_destroy(listener));
    OK(mfx_hmc_comm_destroy(dialer));
    OK(mfx_hmc_buffer_destroy(own));
    return check_result();
}
