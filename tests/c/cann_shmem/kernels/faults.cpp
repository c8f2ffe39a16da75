// SPDX-License-Identifier: Apache-2.0 OR MIT
// One mistake a number: each must end the launch with a text that names it and its line. A copy that is left
// out ends it, too.
#define MF_KERNEL_DEBUG
#include "shmem.h"

extern "C" __global__ __aicore__ void mistake(GM_ADDR memory, uint64_t other, int32_t number)
{
    MF_KERNEL_VECTOR();
    const int me = aclshmem_my_pe(), next = (me + 1) % aclshmem_n_pes();
    __gm__ int32_t *words = reinterpret_cast<__gm__ int32_t *>(memory), *far = reinterpret_cast<__gm__ int32_t *>(other);
    if (AscendC::GetBlockIdx() != 0) return;
    switch (number) {
    case 0: aclshmem_int32_put(words + 16, words, 4, aclshmem_n_pes()); break;
    case 1: aclshmem_int32_g(words, -1); break;
    case 2: aclshmem_int32_p(far, 1, next); break; // what was given back, or is in no heap
    case 3: aclshmem_getmem(words, far, 1 << 20, next); break;
    case 4: aclshmemx_signal_op(reinterpret_cast<__gm__ int32_t *>(memory + 2), 1, ACLSHMEM_SIGNAL_SET, next); break;
    case 5: aclshmemx_signal_op(words, 1, 7, next); break;
    case 6: aclshmem_int32_wait_until(words, 9, 1); break;
    case 7: aclshmem_int32_iput(words + 64, words, 0, 1, 4, next); break;
    case 8: aclshmemx_set_mte_config(8, 64, 0); break;
    case 9: aclshmem_int32_wait_until(words, ACLSHMEM_CMP_EQ, 77); break; // nobody writes it
    case 10: aclshmem_signal_wait_until(words, ACLSHMEM_CMP_EQ, 77); break;
    case 11: // the end waits for nothing
        aclshmem_int32_put_nbi(words + 16, words, 4, next);
        return;
    case 12: aclshmem_int32_atomic_add(reinterpret_cast<__gm__ int32_t *>(memory + 2), 1, next); break;
    case 13: aclshmemx_roce_put_nbi(words + 16, far, reinterpret_cast<__ubuf__ int32_t *>(65536), 4U, next); break;
    case 14: aclshmemx_udma_put_nbi(words + 16, words, reinterpret_cast<__ubuf__ int32_t *>(65544), 4U, next); break;
    case 15: aclshmemx_udma_relay_put_nbi(words + 16, words, reinterpret_cast<__ubuf__ int32_t *>(65536), 4U, next, 77); break;
    case 16: aclshmemx_cmo_nbi(words, 4U, ACLSHMEM_CMO_FLUSH, reinterpret_cast<__ubuf__ int32_t *>(65536), 64U, 0U); break;
    case 17: aclshmemx_sdma_notify_record(); break;
    case 18: // the end waits for nothing
        aclshmemx_sdma_put_nbi(words + 16, words, reinterpret_cast<__ubuf__ int32_t *>(65536), 64U, 4U, next, 0U);
        return;
    case 19: aclshmemx_roce_quiet(77U, reinterpret_cast<__ubuf__ int32_t *>(65536)); break;
    case 20: aclshmemx_udma_qp_put_nbi(words + 16, words, reinterpret_cast<__ubuf__ int32_t *>(65536), 4U, next, 1U); break;
    case 21: aclshmemx_roce_qp_quiet(0U, 1U, reinterpret_cast<__ubuf__ int32_t *>(65536), 0U); break;
    case 22: aclshmemx_sdma_qp_get_nbi(words + 16, words, reinterpret_cast<__ubuf__ int32_t *>(65536), 64U, 4U, next, 72U, 0U); break;
    case 23: aclshmemx_sdma_qp_notify_record(); break;
    case 24: aclshmemx_udma_relay_put_nbi(words + 16, words, reinterpret_cast<__ubuf__ int32_t *>(65536), 4U, next, me); break;
    case 25: { // another event within a batch
        aclshmemx_submit_state_t state;
        __ubuf__ int32_t *buf = reinterpret_cast<__ubuf__ int32_t *>(65536);
        aclshmemx_udma_put_nbi(words + 16, words, buf, 4U, next, 0U, aclshmemx_defer_t(state));
        aclshmemx_udma_put_nbi(words + 32, words, buf, 4U, next, 1U, aclshmemx_submit_t(state));
        break;
    }
    case 26: { // one copy too many
        aclshmemx_submit_state_t state;
        __ubuf__ int32_t *buf = reinterpret_cast<__ubuf__ int32_t *>(65536);
        for (uint32_t i = 0; i < ACLSHMEM_ROCE_QP_AGGREGATE_MAX_OPS; i++) {
            aclshmemx_roce_qp_put_nbi(words + 16, words, buf, 4U, next, 0U, 0U, aclshmemx_defer_t(state));
        }
        break;
    }
    case 27: { // 4 requests of 64 bytes fit into the buffer
        aclshmemx_submit_state_t state;
        AscendC::GlobalTensor<int32_t> all;
        all.SetGlobalBuffer(words, 1024);
        const auto buf = smem_shm_ub_tensor(AscendC::TPosition::VECCALC, reinterpret_cast<__ubuf__ int32_t *>(65536), 256);
        for (uint32_t i = 0; i < 4; i++) aclshmemx_udma_put_nbi(all[16], all, buf, 4U, next, 0U, aclshmemx_defer_t(state));
        break;
    }
    case 28: { // 3 requests of 64 bytes are left in the unified buffer of 192 KiB
        aclshmemx_submit_state_t state;
        __ubuf__ int32_t *buf = reinterpret_cast<__ubuf__ int32_t *>(192 * 1024 - 192);
        for (uint32_t i = 0; i < 3; i++) aclshmemx_udma_get_nbi(words + 16, words, buf, 4U, next, 0U, aclshmemx_defer_t(state));
        break;
    }
    case 29: { // a head of 64 bytes and 128 a copy: none fits into 128
        aclshmemx_submit_state_t state;
        AscendC::GlobalTensor<int32_t> all;
        all.SetGlobalBuffer(words, 1024);
        const auto buf = smem_shm_ub_tensor(AscendC::TPosition::VECCALC, reinterpret_cast<__ubuf__ int32_t *>(65536), 128);
        aclshmemx_roce_put_nbi(all[16], all, buf, 4U, next, 0U, aclshmemx_submit_t(state));
        break;
    }
    case 30: // flags of the caller that are set meanwhile: no mistake
        AscendC::SetFlag<AscendC::HardEvent::MTE3_MTE2>(EVENT_ID0);
        AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE3>(EVENT_ID0);
        AscendC::SetFlag<AscendC::HardEvent::MTE3_S>(EVENT_ID0);
        AscendC::SetFlag<AscendC::HardEvent::S_MTE3>(EVENT_ID0);
        aclshmem_int32_put(words + 16, words, 4, next);
        aclshmem_int32_p(words + 16, 1, next);
        aclshmem_quiet();
        AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>(EVENT_ID0);
        AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE3>(EVENT_ID0);
        AscendC::WaitFlag<AscendC::HardEvent::MTE3_S>(EVENT_ID0);
        AscendC::WaitFlag<AscendC::HardEvent::S_MTE3>(EVENT_ID0);
        break;
    case 31: // a signal of this PE itself, in no heap
        aclshmem_putmem_signal(words + 16, words, 16, far, 7, ACLSHMEM_SIGNAL_SET, me);
        aclshmemx_signal_op(far, 2, ACLSHMEM_SIGNAL_ADD, me);
        aclshmem_signal_wait_until(far, ACLSHMEM_CMP_EQ, 9);
        break;
    default: break;
    }
    aclshmem_quiet();
}
MF_KERNEL(mistake, GM_ADDR, uint64_t, int32_t)

// A barrier of all PEs.
extern "C" __global__ __aicore__ void meet()
{
    MF_KERNEL_VECTOR();
    aclshmem_barrier_all();
}
MF_KERNEL(meet)
