/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Operations of the generated files on each function: TRY_ and the name of its operation, called with the
 * function and the type of its elements. Each PE writes to a place of its own at its right neighbour, and
 * reads it again.
 */
#ifndef MF_TESTS_CANN_SHMEM_FUNCTIONS_H
#define MF_TESTS_CANN_SHMEM_FUNCTIONS_H

#if defined(OF_TODAY)
#include <shmem.h>
#elif defined(OF_DECEMBER)
#include <aclshmem.h>
#else
#include <shmem_api.h>
#endif

#include <unistd.h>

#include "job.h"

enum { COUNT = 5, PLACE_BYTES = 1024 };

typedef struct { unsigned char bytes[1]; } bits8;
typedef struct { unsigned char bytes[2]; } bits16;
typedef struct { unsigned char bytes[4]; } bits32;
typedef struct { unsigned char bytes[8]; } bits64;
typedef struct { unsigned char bytes[16]; } bits128;

static int me, pes, peer;
/* A place for each PE, and this PE's own, which it uses at the neighbour. */
static char *places, *mine;
static double source_words[PLACE_BYTES / sizeof(double)], found_words[PLACE_BYTES / sizeof(double)];
static char *const source = (char *)source_words, *const found = (char *)found_words;

/* Bytes that differ from the last call's. */
static void fill(void)
{
    static unsigned state = 1;
    for (int i = 0; i < PLACE_BYTES; i++) {
        state = state * 1103515245U + 12345U;
        source[i] = (char)(state >> 16);
    }
    memset(found, 0, PLACE_BYTES);
}

#ifdef OF_G0
#define BARRIER ((void)shmem_malloc(0))
static shmem_init_attr_t attributes;
#else
#define BARRIER aclshmem_barrier_all()
static aclshmemx_init_attr_t attributes;
#endif

static void begin(void)
{
    me = job_rank();
    pes = job_ranks();
    peer = (me + 1) % pes;
    attributes.my_rank = me;
    attributes.n_ranks = pes;
    attributes.local_mem_size = HEAP_BYTES;
    attributes.option_attr.data_op_engine_type = SHMEM_DATA_OP_MTE;
    attributes.option_attr.shm_init_timeout = 60;
    attributes.option_attr.control_operation_timeout = 60;
    job_address(attributes.ip_port, 0);
#ifdef OF_G0
    CHECK(shmem_init_attr(&attributes) == 0);
#else
    CHECK(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == 0);
#endif
    places = (char *)shmem_calloc((size_t)pes, PLACE_BYTES);
    CHECK(places != NULL);
    mine = places + (size_t)me * PLACE_BYTES;
}

static int end(void)
{
    BARRIER;
    shmem_free(places);
    CHECK(shmem_finalize() == 0);
    return check_result();
}

#define NOTHING ((void)0)

/* Puts without completion are complete after a barrier, which all PEs make: each tries the same functions. */
#define WRITTEN(T, stride, from_stride) do { \
        BARRIER; \
        shmem_getmem(found, mine, PLACE_BYTES, peer); \
        for (size_t i = 0; i < COUNT; i++) { \
            CHECK(memcmp(found + i * (stride) * sizeof(T), source + i * (from_stride) * sizeof(T), sizeof(T)) == 0); \
        } \
    } while (0)
#define READ(T, stride, from_stride) do { \
        for (size_t i = 0; i < COUNT; i++) { \
            CHECK(memcmp(found + i * (stride) * sizeof(T), source + i * (from_stride) * sizeof(T), sizeof(T)) == 0); \
        } \
    } while (0)
#define SEND do { fill(); shmem_putmem(mine, source, PLACE_BYTES, peer); } while (0)

#define PUT(f, T) do { fill(); f((T *)mine, (T *)source, COUNT, peer); WRITTEN(T, 1, 1); } while (0)
#define GET(f, T) do { SEND; f((T *)found, (T *)mine, COUNT, peer); BARRIER; READ(T, 1, 1); } while (0)
#define IPUT(f, T) do { fill(); f((T *)mine, (T *)source, 2, 3, COUNT, peer); WRITTEN(T, 2, 3); } while (0)
#define IGET(f, T) do { SEND; f((T *)found, (T *)mine, 3, 2, COUNT, peer); READ(T, 3, 2); } while (0)
/* A value that every type has. */
#define P(f, T) do { \
        const T value = (T)(rand() % 100); \
        f((T *)mine, value, peer); \
        BARRIER; \
        shmem_getmem(found, mine, sizeof(T), peer); \
        CHECK(*(T *)found == value); \
    } while (0)
#define G(f, T) do { \
        T value = (T)(rand() % 100); \
        shmem_putmem(mine, &value, sizeof(T), peer); \
        CHECK(f((T *)mine, peer) == value); \
    } while (0)

#define TRY_aclshmem_put(f, T) PUT(f, T)
#define TRY_aclshmem_put_nbi(f, T) PUT(f, T)
#define TRY_aclshmem_get(f, T) GET(f, T)
#define TRY_aclshmem_get_nbi(f, T) GET(f, T)
#define TRY_aclshmem_put_mem(f, T) PUT(f, T)
#define TRY_aclshmem_put_mem_nbi(f, T) PUT(f, T)
#define TRY_aclshmem_get_mem(f, T) GET(f, T)
#define TRY_aclshmem_get_mem_nbi(f, T) GET(f, T)
#define TRY_aclshmem_iput(f, T) IPUT(f, T)
#define TRY_aclshmem_iget(f, T) IGET(f, T)
#define TRY_aclshmem_p(f, T) P(f, T)
#define TRY_aclshmem_g(f, T) G(f, T)
#define TRY_aclshmem_putmem(f, T) PUT(f, char)
#define TRY_aclshmem_putmem_nbi(f, T) PUT(f, char)
#define TRY_aclshmem_getmem(f, T) GET(f, char)
#define TRY_aclshmem_getmem_nbi(f, T) GET(f, char)
#define TRY_shmem_put_mem(f, T) PUT(f, T)
#define TRY_shmem_put_mem_nbi(f, T) PUT(f, T)
#define TRY_shmem_get_mem(f, T) GET(f, T)
#define TRY_shmem_get_mem_nbi(f, T) GET(f, T)
#define TRY_shmem_p(f, T) P(f, T)
#define TRY_shmem_g(f, T) G(f, T)
#define TRY_shmem_putmem(f, T) PUT(f, char)
#define TRY_shmem_putmem_nbi(f, T) PUT(f, char)
#define TRY_shmem_getmem(f, T) GET(f, char)
#define TRY_shmem_getmem_nbi(f, T) GET(f, char)

/* Order. */
#define TRY_aclshmem_barrier_all(f, T) f()
#define TRY_aclshmem_sync_all(f, T) f()
#define TRY_aclshmem_fence(f, T) f()
#define TRY_aclshmem_quiet(f, T) f()

/* The heap. */
static inline void try_block(void *block, size_t alignment, int is_zero)
{
    static const char zeros[64] = {0};
    CHECK(block != NULL && (size_t)block % alignment == 0);
    CHECK(!is_zero || memcmp(block, zeros, sizeof zeros) == 0);
    memset(block, 0x5a, 64);
}
#define BLOCK(taken, alignment, is_zero, release) do { \
        void *block = taken; \
        try_block(block, alignment, is_zero); \
        release; \
    } while (0)
#define TRY_aclshmem_malloc(f, T) BLOCK(f(64), 64, 0, aclshmem_free(block))
#define TRY_aclshmem_calloc(f, T) BLOCK(f(8, 8), 64, 1, aclshmem_free(block))
#define TRY_aclshmem_align(f, T) BLOCK(f(4096, 64), 4096, 0, aclshmem_free(block))
#define TRY_aclshmem_free(f, T) BLOCK(aclshmem_malloc(64), 64, 0, f(block))
#define TRY_aclshmemx_malloc(f, T) do { \
        BLOCK(f(64, DEVICE_SIDE), 64, 0, aclshmemx_free(block, DEVICE_SIDE)); \
        BLOCK(f(64, HOST_SIDE), 64, 0, aclshmemx_free(block, HOST_SIDE)); \
    } while (0)
#define TRY_aclshmemx_calloc(f, T) BLOCK(f(8, 8, HOST_SIDE), 64, 1, aclshmemx_free(block, HOST_SIDE))
#define TRY_aclshmemx_align(f, T) BLOCK(f(4096, 64, HOST_SIDE), 4096, 0, aclshmemx_free(block, HOST_SIDE))
#define TRY_aclshmemx_free(f, T) BLOCK(aclshmemx_malloc(64, HOST_SIDE), 64, 0, f(block, HOST_SIDE))
#define TRY_aclshmemx_get_heap_base(f, T) CHECK(f(DEVICE_SIDE) != NULL && (char *)f(DEVICE_SIDE) <= places)
#define TRY_aclshmem_ptr(f, T) CHECK(f(mine, me) == mine && f(mine, pes) == NULL && f(mine, -1) == NULL && f(source, me) == NULL)
#define TRY_aclshmem_get_memory_stats(f, T) do { \
        uint64_t total = 0, used = 0, available = 0; \
        CHECK(f(&total, &used, &available) == 0 && total == HEAP_BYTES && used > 0 && used + available == total); \
        CHECK(f(NULL, NULL, NULL) == 0); \
    } while (0)
#define TRY_shmem_malloc(f, T) BLOCK(f(64), 64, 0, shmem_free(block))
#define TRY_shmem_calloc(f, T) BLOCK(f(8, 8), 64, 1, shmem_free(block))
#define TRY_shmem_align(f, T) BLOCK(f(4096, 64), 4096, 0, shmem_free(block))
#define TRY_shmem_free(f, T) BLOCK(shmem_malloc(64), 64, 0, f(block))
#define TRY_shmem_ptr(f, T) TRY_aclshmem_ptr(f, T)

/* Begin and end: the library has begun, so these are refused. The real calls are in begin and end. */
#define TRY_aclshmemx_init_status(f, T) CHECK(f() == ACLSHMEM_STATUS_IS_INITIALIZED)
#define TRY_shmem_init_status(f, T) CHECK(f() == SHMEM_STATUS_IS_INITIALIZED)
#define TRY_aclshmemx_init_attr(f, T) CHECK(f(ACLSHMEMX_INIT_WITH_DEFAULT, NULL) == -1 && f(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) == -4)
#define TRY_shmem_init_attr(f, T) CHECK(f(NULL) == -1 && f(&attributes) == -4)
#define TRY_shmem_init(f, T) CHECK(f() == -4)
#define TRY_shmem_init_with_attr(f, T) do { shmem_attr_t attr = SHMEM_ATTR_INITIALIZER; CHECK(f(&attr) == -4 && f(NULL) == -1); } while (0)
#define TRY_aclshmemx_get_uniqueid(f, T) do { \
        aclshmemx_uniqueid_t id; \
        CHECK(f(NULL) == -1 && f(&id) == 0 && id.version == ACLSHMEM_UNIQUEID_VERSION); \
    } while (0)
#define TRY_shmem_get_uniqueid(f, T) do { \
        shmem_uniqueid_t id; \
        memset(&id, 0, sizeof id); \
        CHECK(f(NULL) == -1 && f(&id) == 0 && id.version == 0x10040); \
    } while (0)
#define TRY_aclshmemx_set_attr_uniqueid_args(f, T) do { \
        aclshmemx_uniqueid_t id = ACLSHMEM_UNIQUEID_INITIALIZER; \
        aclshmemx_init_attr_t attr; \
        CHECK(f(1, 2, 4096, &id, &attr) == 0 && attr.my_pe == 1 && attr.n_pes == 2 && attr.local_mem_size == 4096); \
        CHECK(attr.comm_args != NULL && f(0, 1, 1, NULL, &attr) == -1 && f(0, 1, 1, &id, NULL) == -1); \
        CHECK(f(0, 1, ((int64_t)40 << 30) + 1, &id, &attr) == -2 && f(0, 16385, 1, &id, &attr) == -2); \
    } while (0)
#define TRY_shmemx_set_attr_uniqueid_args(f, T) do { \
        shmemx_uniqueid_t id = SHMEM_UNIQUEID_INITIALIZER; \
        shmem_init_attr_t *attr = NULL; \
        CHECK(f(1, 2, 4096, &id, &attr) == 0 && attr != NULL && attr->my_rank == 1 && attr->comm_args != NULL); \
        CHECK(f(1, 2, 4096, &id, NULL) == -1 && f(1, 2, 4096, NULL, &attr) == -1 && f(1, 16385, 1, &id, &attr) == -2); \
    } while (0)
#define TRY_shmem_set_attr(f, T) do { \
        shmem_init_attr_t *attr = NULL; \
        CHECK(f(1, 2, 4096, "tcp://127.0.0.1:8666", &attr) == 0 && attr != NULL && attr->my_rank == 1 && attr->n_ranks == 2); \
        CHECK(attr->local_mem_size == 4096 && strcmp(attr->ip_port, "tcp://127.0.0.1:8666") == 0); \
        CHECK(attr->option_attr.shm_init_timeout == 120 && attr->option_attr.data_op_engine_type == SHMEM_DATA_OP_MTE); \
        CHECK(f(1, 2, 4096, NULL, &attr) == 0 && f(1, 2, 4096, "", &attr) == -2 && f(1, 2, 4096, NULL, NULL) == -1); \
        CHECK(f(16385, 2, 4096, NULL, &attr) == -2 && f(1, 16385, 4096, NULL, &attr) == -2); \
        CHECK(f(1, 2, ((uint64_t)40 << 30) + 1, NULL, &attr) == -2); \
    } while (0)
#define TRY_shmem_set_data_op_engine_type(f, T) do { \
        shmem_init_attr_t attr; \
        CHECK(f(&attr, SHMEM_DATA_OP_SDMA) == 0 && attr.option_attr.data_op_engine_type == SHMEM_DATA_OP_SDMA); \
        CHECK(f(NULL, SHMEM_DATA_OP_SDMA) == -1); \
    } while (0)
#define TRY_shmem_set_timeout(f, T) do { \
        shmem_init_attr_t attr; \
        CHECK(f(&attr, 7) == 0 && attr.option_attr.shm_init_timeout == 7 && attr.option_attr.shm_create_timeout == 7); \
        CHECK(attr.option_attr.control_operation_timeout == 7 && f(NULL, 7) == -1); \
    } while (0)
#define TRY_shmem_set_attr_uniqueid_args(f, T) do { \
        shmem_uniqueid_t id = SHMEM_UNIQUEID_INITIALIZER; \
        CHECK(f(me, pes, NULL, &attributes) == -1 && f(me, pes, &id, NULL) == -1 && f(me + 1, pes, &id, &attributes) == -1); \
        CHECK(f(me, pes, &id, &attributes) == -1); \
        id.version = 1; \
        CHECK(f(me, pes, &id, &attributes) == -1); \
    } while (0)
#define TRY_aclshmem_finalize(f, T) NOTHING
#define TRY_shmem_finalize(f, T) NOTHING
#define TRY_aclshmemx_finalize(f, T) CHECK(f(7) == -4 && f(UINT64_MAX) == -4)
#define TRY_aclshmemx_init_attr_with_buffers(f, T) do { \
        aclshmemx_buffer_desc_t buffer; \
        memset((void *)&buffer, 0, sizeof buffer); \
        CHECK(f(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes, NULL, 1) == -1 && f(ACLSHMEMX_INIT_WITH_DEFAULT, NULL, &buffer, 1) == -1); \
        CHECK(f(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes, &buffer, 1) == -4); \
    } while (0)
#define TRY_aclshmemx_get_buffer_ptr(f, T) CHECK(f(mine) == NULL && f(source) == NULL && f(NULL) == NULL)
#define TRY_aclshmemx_instance_ctx_get(f, T) CHECK(f() != NULL && f()->id == 0 && f()->instance != NULL)
#define TRY_aclshmemx_instance_ctx_set(f, T) CHECK(f(0) == 0 && f(1) == -4 && f(UINT64_MAX) == -4)
#define TRY_aclshmem_my_pe(f, T) CHECK(f() == me)
#define TRY_aclshmem_n_pes(f, T) CHECK(f() == pes)
#define TRY_shmem_my_pe(f, T) CHECK(f() == me)
#define TRY_shmem_n_pes(f, T) CHECK(f() == pes)
#define TRY_aclshmem_info_get_version(f, T) do { \
        int major = 0, minor = 0; \
        f(&major, &minor); \
        f(NULL, NULL); \
        int alone = 7; \
        f(&alone, NULL); \
        f(NULL, &alone); \
        CHECK(alone == 7); \
        CHECK(major == 1 && minor == 1); \
    } while (0)
#define TRY_shmem_info_get_version(f, T) TRY_aclshmem_info_get_version(f, T)
#define TRY_aclshmem_info_get_name(f, T) do { \
        char name[256]; \
        f(name); \
        f(NULL); \
        CHECK(strcmp(name, "ACLSHMEM v1.1.1") == 0); \
    } while (0)
#define TRY_shmem_info_get_name(f, T) TRY_aclshmem_info_get_name(f, T)
/* These end all PEs: a program of its own tries them. */
#define TRY_aclshmem_global_exit(f, T) NOTHING
#define TRY_shmem_global_exit(f, T) NOTHING

/* Too late, which is no error. */
#define TRY_aclshmemx_set_conf_store_tls(f, T) CHECK(f(false, NULL, 0) == 0 && f(true, NULL, 0) == 0)
#define TRY_shmem_set_conf_store_tls(f, T) TRY_aclshmemx_set_conf_store_tls(f, T)
#define TRY_aclshmemx_set_config_store_tls_key(f, T) CHECK(f(NULL, 0, NULL, 0, NULL) == 0)
#define TRY_shmem_set_config_store_tls_key(f, T) TRY_aclshmemx_set_config_store_tls_key(f, T)

/* Log and profile. */
static inline void take_line(int level, const char *text) { CHECK(level >= 0 && text != NULL); }
#define TRY_aclshmemx_set_extern_logger(f, T) CHECK(f(NULL) == -1 && f(take_line) == 0 && f(take_line) == 0)
#define TRY_shmem_set_extern_logger(f, T) TRY_aclshmemx_set_extern_logger(f, T)
#define TRY_aclshmemx_set_log_level(f, T) CHECK(f(5) == -2 && f(-1) == -2 && f(4) == 0 && f(3) == 0)
#define TRY_shmem_set_log_level(f, T) TRY_aclshmemx_set_log_level(f, T)
static inline void take_record(const void *record, size_t bytes) { CHECK((record == NULL) == (bytes == 0)); }
#define TRY_aclshmemx_watch_state(f, T) CHECK(f(take_record) == 0 && f(NULL) == 0)
static inline void take_exception(void *info) { CHECK(info != NULL); }
#define TRY_aclshmemx_enable_exception_report(f, T) CHECK(f(take_exception, ACLSHMEMX_EXCEPTION_REPORT_INFO) == 0)
#define TRY_aclshmemx_report_exception(f, T) CHECK(f() == 0)
#define TRY_aclshmemx_show_prof(f, T) f()
#define TRY_aclshmemx_get_prof(f, T) do { aclshmem_prof_pe_t *profs = NULL; f(&profs, false); f(NULL, false); CHECK(profs == NULL); } while (0)

/* Engines. */
#define TRY_aclshmemx_set_mte_config(f, T) CHECK(f(0, 16384, 0) == 0 && f(0, 0, 0) == 0)
#define TRY_aclshmemx_set_sdma_config(f, T) CHECK(f(0, 64, 0) == 0)
#define TRY_aclshmemx_set_rdma_config(f, T) CHECK(f(0, 128, 0) == 0 && f(0, 127, 0) == -2)
#define TRY_aclshmemx_set_udma_config(f, T) CHECK(f(0, 128, 0) == 0 && f(0, 127, 0) == -2)
#define TRY_aclshmemx_set_qp_num(f, T) CHECK(f(ACLSHMEM_DATA_OP_UDMA, 33) == -2 && f(ACLSHMEM_DATA_OP_UDMA, 2) == -100)
#define TRY_aclshmemx_set_shared_jetty(f, T) CHECK(f(ACLSHMEM_DATA_OP_UDMA, true) == 0 && f(ACLSHMEM_DATA_OP_MTE, true) == -100)
#define TRY_shmem_mte_set_ub_params(f, T) CHECK(f(0, 16384, 0) == 0)
#define TRY_util_get_ffts_config(f, T) CHECK(f() == 0)
#define TRY_shmemx_get_ffts_config(f, T) CHECK(f() == 0)

/* Signals: words of 32 bits, behind the data. */
static inline int32_t *signal_word(void) { return (int32_t *)(void *)(mine + PLACE_BYTES - 64); }
static inline int32_t signal_there(void)
{
    int32_t value = 0;
    shmem_getmem(&value, signal_word(), sizeof value, peer);
    return value;
}
#define SIGNAL(f, T, word) do { \
        int32_t one = 5; \
        fill(); \
        shmem_putmem(signal_word(), &one, sizeof one, peer); \
        f((T *)mine, (T *)source, COUNT, word, 7, SHMEM_SIGNAL_ADD, peer); \
        WRITTEN(T, 1, 1); \
        CHECK(signal_there() == 12); \
        f((T *)mine, (T *)source, 0, word, -3, SHMEM_SIGNAL_SET, peer); \
        BARRIER; \
        CHECK(signal_there() == -3); \
        f((T *)mine, (T *)source, COUNT, word, 1, 2, peer); \
        BARRIER; \
        CHECK(signal_there() == -3); \
    } while (0)
#define TRY_aclshmem_put_signal(f, T) SIGNAL(f, T, (SIGNAL_POINTER_##T)signal_word())
#define TRY_aclshmem_put_signal_nbi(f, T) TRY_aclshmem_put_signal(f, T)
#define TRY_aclshmem_put_mem_signal(f, T) SIGNAL(f, T, (uint8_t *)signal_word())
#define TRY_aclshmem_put_mem_signal_nbi(f, T) TRY_aclshmem_put_mem_signal(f, T)
#define TRY_shmem_put_mem_signal(f, T) TRY_aclshmem_put_mem_signal(f, T)
#define TRY_shmem_put_mem_signal_nbi(f, T) TRY_aclshmem_put_mem_signal(f, T)
#define TRY_aclshmemx_putmem_signal(f, T) SIGNAL(f, char, signal_word())
#define TRY_aclshmemx_putmem_signal_nbi(f, T) SIGNAL(f, char, signal_word())
#define TRY_shmem_putmem_signal(f, T) SIGNAL(f, char, signal_word())
#define TRY_shmem_putmem_signal_nbi(f, T) SIGNAL(f, char, signal_word())
/* Functions of a type take the signal as bytes, functions of a size as a number. */
#define SIGNAL_POINTER_float uint8_t *
#define SIGNAL_POINTER_double uint8_t *
#define SIGNAL_POINTER_int8_t uint8_t *
#define SIGNAL_POINTER_int16_t uint8_t *
#define SIGNAL_POINTER_int32_t uint8_t *
#define SIGNAL_POINTER_int64_t uint8_t *
#define SIGNAL_POINTER_uint8_t uint8_t *
#define SIGNAL_POINTER_uint16_t uint8_t *
#define SIGNAL_POINTER_uint32_t uint8_t *
#define SIGNAL_POINTER_uint64_t uint8_t *
#define SIGNAL_POINTER_char uint8_t *
#define SIGNAL_POINTER_bits8 int32_t *
#define SIGNAL_POINTER_bits16 int32_t *
#define SIGNAL_POINTER_bits32 int32_t *
#define SIGNAL_POINTER_bits64 int32_t *
#define SIGNAL_POINTER_bits128 int32_t *

/* Teams: here the world team; another program tries others. */
#define TRY_aclshmem_team_my_pe(f, T) CHECK(f(0) == me && f(-1) == -1 && f(1) == -1 && f(5000) == -1)
#define TRY_aclshmem_team_n_pes(f, T) CHECK(f(0) == pes && f(-1) == -1 && f(1) == -1 && f(5000) == -1)
#define TRY_aclshmem_team_translate_pe(f, T) CHECK(f(0, peer, 0) == peer && f(0, pes, 0) == -1 && f(-1, 0, 0) == -1 && f(0, 0, 9) == -1)
#define TRY_aclshmem_team_split_strided(f, T) do { \
        int team = 7; \
        CHECK(f(0, 0, 1, pes, &team) == 0 && team == 1); \
        shmem_team_destroy(team); \
        CHECK(f(0, pes, 1, 1, &team) == -1 && team == -1 && f(0, 0, 0, 1, &team) == -1 && f(0, 0, 1, pes + 1, &team) == -1); \
        CHECK(f(-1, 0, 1, 1, &team) == -1 && f(9, 0, 1, 1, &team) == -1 && f(0, 0, 1, 1, NULL) == -1 && f(0, 0, 1, 0, &team) == -1); \
    } while (0)
#define TRY_aclshmem_team_split_2d(f, T) do { \
        int x = 7, y = 7; \
        CHECK(f(0, 100, &x, &y) == 0 && x == 1 && y == 2); \
        CHECK(shmem_team_n_pes(x) == pes && shmem_team_n_pes(y) == 1); \
        shmem_team_destroy(x); \
        shmem_team_destroy(y); \
        CHECK(f(0, 0, &x, &y) == -1 && x == -1 && y == -1 && f(0, 1, NULL, &y) == -1 && f(0, 1, &x, NULL) == -1 && f(9, 1, &x, &y) == -1); \
    } while (0)
#define TRY_aclshmem_team_get_config(f, T) do { \
        union { aclshmem_team_config_t config; unsigned char bytes[80]; } config; \
        memset(&config, 1, sizeof config); \
        CHECK(f(0, &config.config) == 0 && config.bytes[0] == 0 && config.bytes[63] == 0 && config.bytes[64] == 1); \
        CHECK(f(0, NULL) != 0 && f(9, &config.config) != 0 && f(-1, &config.config) != 0); \
    } while (0)
#define TRY_shmem_team_get_config(f, T) do { \
        union { shmem_team_config_t config; unsigned char bytes[80]; } config; \
        memset(&config, 1, sizeof config); \
        CHECK(f(0, &config.config) == 0 && config.bytes[0] == 0 && config.bytes[3] == 0 && config.bytes[4] == 1); \
        CHECK(f(0, NULL) != 0 && f(9, &config.config) != 0); \
    } while (0)
#define TRY_aclshmem_team_destroy(f, T) do { f(0); f(-1); f(77); CHECK(shmem_team_n_pes(0) == pes); } while (0)
#define TRY_shmem_team_my_pe(f, T) TRY_aclshmem_team_my_pe(f, T)
#define TRY_shmem_team_n_pes(f, T) TRY_aclshmem_team_n_pes(f, T)
#define TRY_shmem_team_translate_pe(f, T) TRY_aclshmem_team_translate_pe(f, T)
#define TRY_shmem_team_split_strided(f, T) TRY_aclshmem_team_split_strided(f, T)
#define TRY_shmem_team_split_2d(f, T) TRY_aclshmem_team_split_2d(f, T)
#define TRY_shmem_team_destroy(f, T) TRY_aclshmem_team_destroy(f, T)
#define TRY_aclshmem_barrier(f, T) do { f(0); f(-1); f(9); } while (0)
#define TRY_aclshmem_sync(f, T) do { f(0); f(-1); f(9); } while (0)

/* Waits and tests of words of this PE: their conditions hold already; another program waits longer. */
#define WAITED(T) \
    T *words = (T *)(void *)places; \
    T values[COUNT]; \
    int status[COUNT] = {0, 0, 1, 0, 0}; \
    size_t indices[COUNT] = {9, 9, 9, 9, 9}, found_at = 99; \
    int holds = 7; \
    BARRIER; \
    for (int i = 0; i < COUNT; i++) values[i] = words[i] = (T)(i + 1); \
    (void)values; (void)status; (void)indices; (void)found_at; (void)holds
#define TRY_aclshmem_signal_wait_until(f, T) do { \
        WAITED(int32_t); \
        f(&words[1], SHMEM_CMP_EQ, 2); \
        f(&words[1], SHMEM_CMP_NE, -1); \
        f(&words[1], 6, 3); \
        f(NULL, SHMEM_CMP_EQ, 3); \
    } while (0)
#define TRY_aclshmem_wait_until(f, T) do { WAITED(T); f(&words[2], SHMEM_CMP_EQ, (T)3); f(&words[2], SHMEM_CMP_GE, (T)2); f(&words[2], -1, (T)9); } while (0)
#define TRY_aclshmem_wait(f, T) do { WAITED(T); f(&words[2], (T)7); } while (0)
#define TRY_aclshmem_wait_until_all(f, T) do { WAITED(T); f(words, COUNT, NULL, SHMEM_CMP_GT, (T)0); f(words, COUNT, status, SHMEM_CMP_NE, (T)3); f(words, 0, NULL, SHMEM_CMP_EQ, (T)77); } while (0)
#define TRY_aclshmem_wait_until_all_vector(f, T) do { WAITED(T); f(words, COUNT, NULL, SHMEM_CMP_EQ, values); values[2] = (T)77; f(words, COUNT, status, SHMEM_CMP_EQ, values); } while (0)
#define TRY_aclshmem_wait_until_any(f, T) do { \
        WAITED(T); \
        f(words, COUNT, NULL, SHMEM_CMP_EQ, (T)4, &found_at); \
        CHECK(found_at == 3); \
        f(words, 0, NULL, SHMEM_CMP_EQ, (T)4, &found_at); \
        CHECK(found_at == SIZE_MAX); \
    } while (0)
#define TRY_aclshmem_wait_until_any_vector(f, T) do { WAITED(T); values[0] = values[1] = values[3] = values[4] = (T)77; f(words, COUNT, NULL, SHMEM_CMP_EQ, values, &found_at); CHECK(found_at == 2); } while (0)
#define SOME(f, T, argument) do { \
        f(words, COUNT, indices, status, SHMEM_CMP_GE, argument, &found_at); \
        CHECK(found_at == 3 && indices[0] == 1 && indices[1] == 3 && indices[2] == 4 && indices[3] == 9); \
        f(words, 0, indices, NULL, SHMEM_CMP_GE, argument, &found_at); \
        CHECK(found_at == 0 && indices[0] == 1); \
    } while (0)
#define TRY_aclshmem_wait_until_some(f, T) do { WAITED(T); SOME(f, T, (T)2); } while (0)
#define TRY_aclshmem_wait_until_some_vector(f, T) do { WAITED(T); for (int i = 0; i < COUNT; i++) values[i] = (T)2; SOME(f, T, values); } while (0)
#define TRY_aclshmem_test(f, T) do { \
        WAITED(T); \
        f(&words[1], SHMEM_CMP_EQ, (T)2, &holds); \
        CHECK(holds == 1); \
        f(&words[1], SHMEM_CMP_LT, (T)2, &holds); \
        CHECK(holds == 0); \
        f(&words[1], SHMEM_CMP_LE, (T)2, NULL); \
    } while (0)
#define TRY_aclshmem_test_any(f, T) do { \
        WAITED(T); \
        f(words, COUNT, status, SHMEM_CMP_EQ, (T)5, &found_at); \
        CHECK(found_at == 4); \
        f(words, COUNT, status, SHMEM_CMP_EQ, (T)3, &found_at); \
        CHECK(found_at == SIZE_MAX); \
    } while (0)
#define TRY_aclshmem_test_any_vector(f, T) do { WAITED(T); values[0] = values[1] = values[2] = values[3] = (T)77; f(words, COUNT, NULL, SHMEM_CMP_EQ, values, &found_at); CHECK(found_at == 4); } while (0)
#define TRY_aclshmem_test_some(f, T) do { WAITED(T); SOME(f, T, (T)2); f(words, COUNT, indices, NULL, SHMEM_CMP_EQ, (T)77, &found_at); CHECK(found_at == 0); } while (0)
#define TRY_aclshmem_test_some_vector(f, T) do { WAITED(T); for (int i = 0; i < COUNT; i++) values[i] = (T)2; SOME(f, T, values); } while (0)
#define TRY_aclshmem_test_all_vector(f, T) do { \
        WAITED(T); \
        f(words, COUNT, NULL, SHMEM_CMP_EQ, values, &holds); \
        CHECK(holds == 1); \
        values[2] = (T)77; \
        f(words, COUNT, status, SHMEM_CMP_EQ, values, &holds); \
        CHECK(holds == 1); \
        f(words, COUNT, NULL, SHMEM_CMP_EQ, values, &holds); \
        CHECK(holds == 0); \
        f(words, 0, NULL, SHMEM_CMP_EQ, values, &holds); \
        CHECK(holds == 1); \
    } while (0)

/* On streams: of the library, or the device's; null names one of them. */
#ifdef OF_G0
#ifdef __cplusplus
extern "C"
#endif
int aclshmemx_stream_synchronize(aclrtStream stream);
#endif
#define SETTLED CHECK(aclshmemx_stream_synchronize(NULL) == 0)
#define TRY_aclshmemx_putmem_on_stream(f, T) do { fill(); f(mine, source, COUNT, peer, NULL); SETTLED; WRITTEN(char, 1, 1); } while (0)
#define TRY_aclshmemx_getmem_on_stream(f, T) do { SEND; f(found, mine, COUNT, peer, NULL); SETTLED; BARRIER; READ(char, 1, 1); } while (0)
#define TRY_shmemx_getmem_on_stream(f, T) TRY_aclshmemx_getmem_on_stream(f, T)
#define TRY_aclshmemx_signal_op_on_stream(f, T) do { \
        int32_t one = 5; \
        shmem_putmem(signal_word(), &one, sizeof one, peer); \
        f(signal_word(), 7, SHMEM_SIGNAL_ADD, peer, NULL); \
        f(signal_word(), 1, 2, peer, NULL); \
        SETTLED; \
        CHECK(signal_there() == 12); \
    } while (0)
#define TRY_aclshmemx_putmem_signal_on_stream(f, T) do { \
        int32_t one = 5; \
        fill(); \
        shmem_putmem(signal_word(), &one, sizeof one, peer); \
        f(mine, source, COUNT, signal_word(), 7, SHMEM_SIGNAL_ADD, peer, NULL); \
        SETTLED; \
        CHECK(signal_there() == 12); \
        WRITTEN(char, 1, 1); \
    } while (0)
#define TRY_aclshmemx_signal_wait_until_on_stream(f, T) do { \
        WAITED(int32_t); \
        f(&words[1], SHMEM_CMP_EQ, 2, NULL); \
        f(&words[1], 9, 3, NULL); \
        SETTLED; \
    } while (0)
#define TRY_aclshmemx_quiet_on_stream(f, T) do { f(NULL); SETTLED; } while (0)
#define TRY_aclshmemx_barrier_all_on_stream(f, T) do { f(NULL); SETTLED; } while (0)
#define TRY_aclshmemx_sync_all_on_stream(f, T) do { f(NULL); SETTLED; } while (0)
#define TRY_shmemx_barrier_all_on_stream(f, T) do { f(NULL); SETTLED; } while (0)
#define TRY_aclshmemx_barrier_on_stream(f, T) do { f(0, NULL); f(-1, NULL); f(9, NULL); SETTLED; } while (0)
#define TRY_aclshmemx_sync_on_stream(f, T) TRY_aclshmemx_barrier_on_stream(f, T)
#define TRY_shmemx_barrier_on_stream(f, T) TRY_aclshmemx_barrier_on_stream(f, T)
#define TRY_aclshmemx_handle_wait(f, T) do { shmem_handle_t handle = {0}; f(handle, NULL); SETTLED; } while (0)
#define TRY_shmem_handle_wait(f, T) TRY_aclshmemx_handle_wait(f, T)
#define TRY_aclshmemx_stream_create(f, T) do { \
        aclrtStream made = NULL; \
        CHECK(f(&made) == 0 && made != NULL && f(NULL) != 0); \
        CHECK(aclshmemx_stream_destroy(made) == 0); \
    } while (0)
#define TRY_aclshmemx_stream_synchronize(f, T) CHECK(f(NULL) == 0)
#define TRY_aclshmemx_stream_destroy(f, T) do { \
        aclrtStream made = NULL; \
        CHECK(aclshmemx_stream_create(&made) == 0); \
        CHECK(f(made) == 0 && f(made) != 0 && f(NULL) != 0); \
    } while (0)

#endif
