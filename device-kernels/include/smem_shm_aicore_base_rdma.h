/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * RDMA from kernels: types of the queues, and the calls. The host of this library makes no queues that
 * kernels drive: memory of all ranks of an object is mapped, and copies go there directly. So every call ends
 * the kernel at once with an error that says so, rather than wait for a network that is not there.
 */
#ifndef SMEM_SHM_AICORE_BASE_RDMA_H
#define SMEM_SHM_AICORE_BASE_RDMA_H

#include "smem_shm_aicore_base_define.h"
#include "smem_shm_aicore_base_meta.h"

enum class OPCODE : uint32_t {
    OP_SEND = 0,
    OP_SEND_WITH_INV,
    OP_SEND_WITH_IMM,
    OP_RDMA_WRITE,
    OP_RDMA_WRITE_WITH_IMM,
    OP_RDMA_READ
};

/* Location of a doorbell: none, in the hardware, in memory. */
enum class DBMode : int32_t { INVALID_DB = -1, HW_DB = 0, SW_DB };

/* Tables of contexts: [rank][queue], and of memory: [rank]. */
struct AIVRDMAInfo {
    uint32_t qpNum;
    uint64_t sqPtr;
    uint64_t rqPtr;
    uint64_t scqPtr;
    uint64_t rcqPtr;
    uint64_t memPtr;
};

/* Registered memory of a rank. */
struct memInfo {
    uint64_t size;
    uint64_t addr;
    uint32_t lkey;
    uint32_t rkey;
};

/* A work queue. */
struct WQCtx {
    uint32_t wqn;
    uint64_t bufAddr;
    uint32_t wqeSize;
    uint32_t depth;
    uint64_t headAddr;
    uint64_t tailAddr;
    DBMode dbMode;
    uint64_t dbAddr;
    uint32_t sl;
};

/* A completion queue. */
struct CQCtx {
    uint32_t cqn;
    uint64_t bufAddr;
    uint32_t cqeSize;
    uint32_t depth;
    uint64_t headAddr;
    uint64_t tailAddr;
    DBMode dbMode;
    uint64_t dbAddr;
};

/* An entry of a work queue, a piece of memory of it, an entry of a completion queue. */
struct wqeCtx {
    uint32_t byte4;
    uint32_t msgLen;
    uint32_t immtdata;
    uint32_t byte16;
    uint32_t byte20;
    uint32_t rkey;
    uint64_t va;
};
struct segCtx {
    uint32_t len;
    uint32_t lkey;
    uint64_t addr;
};
struct cqeCtx {
    uint32_t byte4;
    uint32_t immtdata;
    uint32_t byte12;
    uint32_t byte16;
    uint32_t byteCnt;
    uint32_t smac;
    uint32_t byte28;
    uint32_t byte32;
};

/* Ends the kernel: queues are asked for that are not there. */
SMEM_SHM_INLINE_AICORE void smem_shm_roce_unavailable(uint32_t shmemId MF_SITE_PARAM)
{
    if (smem_shm_get_qp_info_address(shmemId MF_SITE) == nullptr) {
        MF_TRAP("RDMA from a kernel, and the object has no RDMA queues: copy with smem_shm_copy_ub2gm and gm2ub, the "
                "memory of all its ranks is mapped");
    }
    MF_TRAP("RDMA from a kernel, and the object's RDMA queues are not of this library's making");
}

/* Writes `messageLen` bytes to another rank's memory. */
template <typename T>
SMEM_SHM_INLINE_AICORE void smem_shm_roce_write(__gm__ T *srcDmaAddr, __gm__ T *destDmaAddr, uint32_t destRankId,
                                                uint32_t qpIdx, uint64_t messageLen,
                                                AscendC::LocalTensor<uint64_t> ubLocal64,
                                                AscendC::LocalTensor<uint32_t> ubLocal32 MF_SITE_PARAM)
{
    (void)srcDmaAddr, (void)destDmaAddr, (void)destRankId, (void)qpIdx, (void)messageLen, (void)ubLocal64,
        (void)ubLocal32;
    smem_shm_roce_unavailable(0 MF_SITE);
}

/* Reads `messageLen` bytes of another rank's memory. */
template <typename T>
SMEM_SHM_INLINE_AICORE void smem_shm_roce_read(__gm__ T *srcDmaAddr, __gm__ T *destDmaAddr, uint32_t srcRankId,
                                               uint32_t qpIdx, uint64_t messageLen,
                                               AscendC::LocalTensor<uint64_t> ubLocal64,
                                               AscendC::LocalTensor<uint32_t> ubLocal32 MF_SITE_PARAM)
{
    (void)srcDmaAddr, (void)destDmaAddr, (void)srcRankId, (void)qpIdx, (void)messageLen, (void)ubLocal64,
        (void)ubLocal32;
    smem_shm_roce_unavailable(0 MF_SITE);
}

/* Waits until all earlier work towards a rank is complete. */
SMEM_SHM_INLINE_AICORE void smem_shm_roce_quiet(uint32_t remoteRankId, uint32_t qpIdx,
                                                AscendC::LocalTensor<uint64_t> ubLocal64,
                                                AscendC::LocalTensor<uint32_t> ubLocal32 MF_SITE_PARAM)
{
    (void)remoteRankId, (void)qpIdx, (void)ubLocal64, (void)ubLocal32;
    smem_shm_roce_unavailable(0 MF_SITE);
}

/* Waits for completions up to `idx`: 0, or the hardware's status. */
SMEM_SHM_INLINE_AICORE uint32_t smem_shm_roce_poll_cq(uint32_t remoteRankId, uint32_t qpIdx, uint32_t idx,
                                                      AscendC::LocalTensor<uint64_t> ubLocal64,
                                                      AscendC::LocalTensor<uint32_t> ubLocal32 MF_SITE_PARAM)
{
    (void)remoteRankId, (void)qpIdx, (void)idx, (void)ubLocal64, (void)ubLocal32;
    smem_shm_roce_unavailable(0 MF_SITE);
    return UINT32_MAX;
}

/* Puts one entry into a rank's send queue. */
SMEM_SHM_INLINE_AICORE void smem_shm_rdma_post_send(__gm__ uint8_t *remoteAddr, __gm__ uint8_t *localAddr,
                                                    uint32_t destRankId, uint32_t qpIdx, OPCODE opcode,
                                                    uint64_t messageLen, AscendC::LocalTensor<uint64_t> ubLocal64,
                                                    AscendC::LocalTensor<uint32_t> ubLocal32 MF_SITE_PARAM)
{
    (void)remoteAddr, (void)localAddr, (void)destRankId, (void)qpIdx, (void)opcode, (void)messageLen, (void)ubLocal64,
        (void)ubLocal32;
    smem_shm_roce_unavailable(0 MF_SITE);
}

/* Writes a description of the queues to `gva`, for debugging. */
SMEM_SHM_INLINE_AICORE void smem_shm_roce_qpinfo_test(__gm__ uint8_t *gva, uint32_t destRankId,
                                                      uint32_t qpIdx MF_SITE_PARAM)
{
    (void)gva, (void)destRankId, (void)qpIdx;
    smem_shm_roce_unavailable(0 MF_SITE);
}
SMEM_SHM_INLINE_AICORE void smem_shm_roce_pollcq_test(uint32_t remoteRankId, uint32_t qpIdx, uint32_t idx,
                                                      AscendC::LocalTensor<uint64_t> ubLocal64,
                                                      AscendC::LocalTensor<uint32_t> ubLocal32,
                                                      __gm__ uint8_t *gva MF_SITE_PARAM)
{
    (void)remoteRankId, (void)qpIdx, (void)idx, (void)ubLocal64, (void)ubLocal32, (void)gva;
    smem_shm_roce_unavailable(0 MF_SITE);
}

#endif
