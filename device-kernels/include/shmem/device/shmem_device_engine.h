/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: common part of the engines SDMA, ROCE (RDMA) and UDMA.
 *
 * The memory of PEs is mapped where kernels run, and the queues of these engines are not driven here: their
 * functions perform the engine's copies by the copy unit (MTE), with the caller's buffer and event. A PE
 * whose memory is not mapped, such as one reachable only by a network, ends the kernel.
 */
#ifndef MF_SHMEM_DEVICE_ENGINE_H
#define MF_SHMEM_DEVICE_ENGINE_H

#include "gm2gm/shmem_device_mo.h"
#include "shmem_device_engine_amo.h"

namespace mf {
namespace shmem {

/* Smallest buffer, in bytes, that a caller passes by pointer alone. */
constexpr uint32_t ENGINE_BUFFER = 64;

#ifdef MF_EMULATION
constexpr const char *name_of(Engine engine)
{
    return engine == Engine::Sdma ? "SDMA" : engine == Engine::Rdma ? "ROCE" : engine == Engine::Udma ? "UDMA" : "MTE";
}
#endif

/* Staging buffer of an engine, given by the caller. Ends the kernel if it is too small. */
template <Engine engine>
ACLSHMEM_DEVICE Staging engine_area(uint64_t offset, uint64_t bytes, uint32_t sync_id MF_SITE_PARAM)
{
    if (bytes < ENGINE_BUFFER || offset % UB_BLOCK != 0) {
        MF_TRAP("engine %s takes a buffer of at least %u bytes, aligned to %u, and got %llu at offset %llu", name_of(engine),
                ENGINE_BUFFER, UB_BLOCK, static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(offset));
    }
    return {offset, static_cast<uint32_t>(bytes / UB_BLOCK * UB_BLOCK), static_cast<int32_t>(sync_id)};
}
template <Engine engine, typename Buffer>
ACLSHMEM_DEVICE Staging engine_area(__ubuf__ Buffer *buf, uint32_t sync_id MF_SITE_PARAM)
{
    return engine_area<engine>(reinterpret_cast<uint64_t>(buf), ENGINE_BUFFER, sync_id MF_SITE);
}
template <Engine engine, typename Buffer>
ACLSHMEM_DEVICE Staging engine_area(const AscendC::LocalTensor<Buffer> &buf, uint32_t sync_id MF_SITE_PARAM)
{
    return engine_area<engine>(static_cast<uint64_t>(buf.GetPhyAddr()), uint64_t{buf.GetSize()} * sizeof(Buffer),
                               sync_id MF_SITE);
}

/* Starts a copy between own memory and a PE's. A network card reaches symmetric memory alone, so the own end
 * must be symmetric, too. */
template <Engine engine, bool isPut, typename T>
ACLSHMEM_DEVICE void engine_copy(__gm__ T *dst, __gm__ T *src, uint64_t count, int pe, const Staging &area MF_SITE_PARAM)
{
    const uint64_t bytes = count * sizeof(T);
    GM_ADDR to = reinterpret_cast<GM_ADDR>(dst);
    GM_ADDR from = reinterpret_cast<GM_ADDR>(src);
    if (bytes == 0) {
        base_of(pe MF_SITE);
        return;
    }
    if (isPut) {
        to = remote(dst, bytes, pe MF_SITE);
    } else {
        from = remote(src, bytes, pe MF_SITE);
    }
    if constexpr (engine == Engine::Rdma) {
        remote(isPut ? src : dst, bytes, field<int32_t>(RECORD_MY_PE MF_SITE) MF_SITE);
    }
    copy(to, from, bytes, area MF_SITE);
}

/* Waits until everything that this core has started towards a PE is complete and visible. */
ACLSHMEM_DEVICE void engine_quiet(int pe MF_SITE_PARAM)
{
    base_of(pe MF_SITE);
    aclshmem_quiet();
}

} // namespace shmem
} // namespace mf

/* The configuration of an engine. */
#define MF_SHMEM_ENGINE_CONFIG(engine, ENGINE)                                                                      \
    ACLSHMEM_DEVICE void aclshmemx_set_##engine##_config(uint64_t offset, uint32_t ub_size,                         \
                                                         uint32_t sync_id MF_SITE_PARAM)                            \
    {                                                                                                               \
        mf::shmem::set_staging<mf::shmem::Engine::ENGINE>(offset, ub_size, sync_id MF_SITE);                        \
    }

/* The copies of an engine, in one direction. */
#define MF_SHMEM_ENGINE_COPY(engine, ENGINE, verb, IS_PUT)                                                           \
    template <typename T, typename Buffer>                                                                          \
    ACLSHMEM_DEVICE void aclshmemx_##engine##_##verb##_nbi(__gm__ T *dst, __gm__ T *src, __ubuf__ Buffer *buf,       \
                                                          uint32_t elem_size, int pe,                               \
                                                          uint32_t sync_id = 0 MF_SITE_PARAM)                       \
    {                                                                                                               \
        const auto area = mf::shmem::engine_area<mf::shmem::Engine::ENGINE>(buf, sync_id MF_SITE);                  \
        mf::shmem::engine_copy<mf::shmem::Engine::ENGINE, IS_PUT>(dst, src, elem_size, pe, area MF_SITE);           \
    }                                                                                                               \
    template <typename T, typename Buffer>                                                                          \
    ACLSHMEM_DEVICE void aclshmemx_##engine##_##verb##_nbi(AscendC::GlobalTensor<T> dst, AscendC::GlobalTensor<T> src, \
                                                          AscendC::LocalTensor<Buffer> buf, uint32_t elem_size,     \
                                                          int pe, uint32_t sync_id = 0 MF_SITE_PARAM)               \
    {                                                                                                               \
        const auto area = mf::shmem::engine_area<mf::shmem::Engine::ENGINE>(buf, sync_id MF_SITE);                  \
        mf::shmem::engine_copy<mf::shmem::Engine::ENGINE, IS_PUT>(dst.GetPhyAddr(0), src.GetPhyAddr(0), elem_size,  \
                                                                  pe, area MF_SITE);                                \
    }

/* One change of bits, by the name of an engine. */
#define MF_SHMEM_ENGINE_BITS(engine, op, OP)                                                                        \
    template <typename T>                                                                                           \
    ACLSHMEM_DEVICE T aclshmemx_##engine##_atomic_fetch_##op(__gm__ T *dst, T value, int32_t pe MF_SITE_PARAM)      \
    {                                                                                                               \
        return mf::shmem::atomic_bits<mf::shmem::Bitwise::OP, T>(dst, value, pe MF_SITE);                           \
    }                                                                                                               \
    template <typename T>                                                                                           \
    ACLSHMEM_DEVICE void aclshmemx_##engine##_atomic_##op(__gm__ T *dst, T value, int32_t pe MF_SITE_PARAM)         \
    {                                                                                                               \
        mf::shmem::atomic_bits<mf::shmem::Bitwise::OP, T>(dst, value, pe MF_SITE);                                  \
    }

#endif
