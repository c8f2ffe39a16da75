/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: properties of single operations of engine UDMA. They are checked when the kernel is
 * compiled; the simulated engine has one order, the strong one, and completes by quiet.
 */
#ifndef MF_SHMEM_DEVICE_UDMA_CONFIG_H
#define MF_SHMEM_DEVICE_UDMA_CONFIG_H

#include "shmem_device_batch.h"

/* A constant of namespace scope, passed as the third template argument. */
struct aclshmemx_udma_op_config_t {
    /* 1: the operation has an entry in the completion queue. Deferred copies have none. */
    uint32_t cqe;
    /* Must be 0. */
    uint32_t se;
    /* 1: it starts after earlier operations are complete. */
    uint32_t fence;
    /* Order among operations, 0 to 7. */
    uint32_t odr;
};

/* Relaxed order, strong order. */
constexpr uint32_t ACLSHMEMX_UDMA_ODR_RO = 1;
constexpr uint32_t ACLSHMEMX_UDMA_ODR_SO = 2;

#if __cplusplus >= 201703L
inline
#endif
constexpr aclshmemx_udma_op_config_t ACLSHMEMX_UDMA_OP_CONFIG_DEFAULT = {1, 0, 0, ACLSHMEMX_UDMA_ODR_SO};

namespace mf {
namespace shmem {

template <const aclshmemx_udma_op_config_t &CONFIG> struct IsDefaultConfig {
    static constexpr bool value = false;
};
template <> struct IsDefaultConfig<ACLSHMEMX_UDMA_OP_CONFIG_DEFAULT> {
    static constexpr bool value = true;
};

/* Pipe that starts an operation of UDMA, and its properties. */
template <pipe_t WQE_PIPE, const aclshmemx_udma_op_config_t &CONFIG> struct UdmaMode {
    static_assert(WQE_PIPE == PIPE_MTE3 || WQE_PIPE == PIPE_S, "UDMA starts operations by PIPE_MTE3 or PIPE_S");
    static_assert(CONFIG.cqe <= 1 && CONFIG.se == 0 && CONFIG.fence <= 1 && CONFIG.odr <= 7,
                  "an operation of UDMA: cqe and fence are 0 or 1, se is 0, odr at most 7");
    /* The scalar pipe needs no buffer of the caller. */
    static constexpr bool IS_SCALAR = WQE_PIPE == PIPE_S;
    static constexpr uint32_t MOST_OF_BATCH = UINT32_MAX;
    /* Bytes of the buffer that a batch takes, and that each of its copies takes. */
    static constexpr uint32_t BATCH_BYTES = 0;
    static constexpr uint32_t BATCH_COPY_BYTES = 64;

    ACLSHMEM_DEVICE static void check_at_once()
    {
        static_assert(CONFIG.cqe != 0, "an operation of UDMA that starts at once, or submits, needs cqe");
    }
    ACLSHMEM_DEVICE static void check(const aclshmemx_submit_t &)
    {
        static_assert(WQE_PIPE == PIPE_MTE3, "batches of UDMA start by PIPE_MTE3");
        check_at_once();
    }
    ACLSHMEM_DEVICE static void check(const aclshmemx_defer_t &)
    {
        static_assert(WQE_PIPE == PIPE_MTE3, "batches of UDMA start by PIPE_MTE3");
        static_assert(CONFIG.cqe == 0 || IsDefaultConfig<CONFIG>::value, "a deferred operation of UDMA has no cqe");
    }
};

} // namespace shmem
} // namespace mf

#endif
