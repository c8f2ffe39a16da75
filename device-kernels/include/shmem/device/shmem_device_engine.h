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
#include "shmem_device_batch.h"
#include "shmem_device_engine_amo.h"

namespace mf {
namespace shmem {

/* A mistake that leaves an operation out, as in the original: a warning of the emulation, and with
 * MF_KERNEL_DEBUG, this library's macro for kernels, the end of the kernel. */
#ifdef MF_KERNEL_DEBUG
#define MF_SHMEM_LEAVE_OUT(...) MF_TRAP(__VA_ARGS__)
#else
#define MF_SHMEM_LEAVE_OUT(...) MF_WARNING(__VA_ARGS__)
#endif

/* Smallest buffer, in bytes, that a caller passes by pointer alone. */
constexpr uint32_t ENGINE_BUFFER = 64;

#ifdef MF_EMULATION
constexpr const char *name_of(Engine engine)
{
    return engine == Engine::Sdma ? "SDMA" : engine == Engine::Rdma ? "ROCE" : engine == Engine::Udma ? "UDMA" : "MTE";
}
#endif

/* Queue pairs of SDMA. */
constexpr uint32_t SDMA_QUEUE_PAIRS = 72;

/* A pointer to the unified buffer, of any type, or null. */
class UnifiedPointer {
  public:
    template <typename Buffer>
    ACLSHMEM_DEVICE UnifiedPointer(__ubuf__ Buffer *at) : offset_(reinterpret_cast<uint64_t>(at))
    {
    }
    ACLSHMEM_DEVICE UnifiedPointer(decltype(nullptr)) : offset_(0) {}
    ACLSHMEM_DEVICE uint64_t offset() const { return offset_; }

  private:
    uint64_t offset_;
};

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
template <Engine engine> ACLSHMEM_DEVICE Staging engine_area(UnifiedPointer buf, uint32_t sync_id MF_SITE_PARAM)
{
    return engine_area<engine>(buf.offset(), ENGINE_BUFFER, sync_id MF_SITE);
}
template <Engine engine, typename Buffer>
ACLSHMEM_DEVICE Staging engine_area(const AscendC::LocalTensor<Buffer> &buf, uint32_t sync_id MF_SITE_PARAM)
{
    return engine_area<engine>(static_cast<uint64_t>(buf.GetPhyAddr()), uint64_t{buf.GetSize()} * sizeof(Buffer),
                               sync_id MF_SITE);
}

/* The staging buffer of an operation: the caller's, or for the scalar pipe with none the engine's. */
template <Engine engine, typename Mode>
ACLSHMEM_DEVICE Staging area_of(UnifiedPointer buf, uint32_t sync_id MF_SITE_PARAM)
{
    if (Mode::IS_SCALAR && buf.offset() == 0) {
        return staging<engine>(MF_SITE_ONLY);
    }
    return engine_area<engine>(buf, sync_id MF_SITE);
}
template <Engine engine, typename Mode, typename Buffer>
ACLSHMEM_DEVICE Staging area_of(const AscendC::LocalTensor<Buffer> &buf, uint32_t sync_id MF_SITE_PARAM)
{
    return engine_area<engine>(buf, sync_id MF_SITE);
}

/* Bytes for the requests of a batch in a buffer: of a pointer, to the end of the unified buffer. */
ACLSHMEM_DEVICE uint64_t room_of(UnifiedPointer buf)
{
    return buf.offset() < UNIFIED_BUFFER_BYTES ? UNIFIED_BUFFER_BYTES - buf.offset() : 0;
}
template <typename Buffer> ACLSHMEM_DEVICE uint64_t room_of(const AscendC::LocalTensor<Buffer> &buf)
{
    return uint64_t{buf.GetSize()} * sizeof(Buffer);
}
/* Limits of a batch in a buffer of so many bytes. */
template <typename Mode> ACLSHMEM_DEVICE BatchLimit batch_limit(uint64_t bytes)
{
    const uint64_t left = bytes < Mode::BATCH_BYTES ? 0 : bytes - Mode::BATCH_BYTES;
    return {Mode::MOST_OF_BATCH, static_cast<uint32_t>(left / Mode::BATCH_COPY_BYTES), static_cast<uint32_t>(bytes)};
}

/* Target of an operation: a PE, on a queue pair, perhaps over another PE. An operation that is left out does
 * nothing. */
struct Target {
    int pe;
    int relay;
    uint32_t queue_pair;
    bool is_left_out;
};

/* Queue pair 0, which every engine has. */
ACLSHMEM_DEVICE Target to_pe(int pe) { return {pe, -1, 0, false}; }
/* Ends the kernel if there is no such queue pair. */
template <Engine engine> ACLSHMEM_DEVICE Target by_queue(int pe, uint32_t queue_pair MF_SITE_PARAM)
{
    uint32_t pairs = SDMA_QUEUE_PAIRS;
    if constexpr (engine != Engine::Sdma) {
        pairs = field<uint64_t>(RECORD_MARK MF_SITE) == MARK ? field<uint32_t>(RECORD_QUEUE_PAIRS MF_SITE) : 1;
    }
    if (queue_pair >= pairs) {
        MF_TRAP("engine %s has no queue pair %u: there are %u to each PE (aclshmemx_set_qp_num before init)", name_of(engine),
                queue_pair, pairs);
    }
    return {pe, -1, queue_pair, false};
}
/* The operation is left out if the relay is not a third PE; with MF_KERNEL_DEBUG the kernel ends. */
ACLSHMEM_DEVICE Target over_pe(int pe, int relay MF_SITE_PARAM)
{
    check_record(MF_SITE_ONLY);
    const int own = field<int32_t>(RECORD_MY_PE MF_SITE), pes = field<int32_t>(RECORD_N_PES MF_SITE);
    const bool are_pes = pe >= 0 && pe < pes && relay >= 0 && relay < pes;
    const bool are_three = pe != own && relay != own && pe != relay;
    if (!are_pes || !are_three) {
        MF_SHMEM_LEAVE_OUT("a copy of PE %d to or from PE %d over PE %d: they must be three of %d PEs", own, pe, relay, pes);
    }
    return {pe, relay, 0, !are_pes || !are_three};
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

template <Engine engine, bool isPut, typename T>
ACLSHMEM_DEVICE void engine_copy(__gm__ T *dst, __gm__ T *src, uint64_t count, const Target &target,
                                 const Staging &area MF_SITE_PARAM)
{
    if (!target.is_left_out) {
        engine_copy<engine, isPut>(dst, src, count, target.pe, area MF_SITE);
    }
}

/* Starts a copy that belongs to a batch, with `room` bytes of the buffer for its requests. */
template <Engine engine, typename Mode, bool isPut, typename T, typename Action>
ACLSHMEM_DEVICE void batch_copy(__gm__ T *dst, __gm__ T *src, uint64_t count, const Target &target, const Staging &area,
                                uint64_t room, Action action MF_CALL_PARAM MF_SITE_PARAM)
{
    Mode::check(action);
    if (target.is_left_out) {
        return;
    }
    BatchKey key;
    key.with(static_cast<uint64_t>(engine) * 2 + isPut).with(static_cast<uint32_t>(target.pe));
    key.with(static_cast<uint32_t>(target.relay)).with(target.queue_pair);
    key.with(area.offset).with(static_cast<uint32_t>(area.event));
    take_part(action, key, batch_limit<Mode>(room) MF_CALL MF_SITE);
    engine_copy<engine, isPut>(dst, src, count, target.pe, area MF_SITE);
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

/* The copies of an engine, in one direction: of pointers and of tensors, each started at once, deferred or
 * submitted. HEAD: template parameters; MODE: the type that checks them; PARAMETERS: the PE and what else
 * names the target, which TARGET makes of it; ID: default of the event. Lists are in brackets. */
#define MF_SHMEM_ENGINE_AT_ONCE(NAME, ENGINE, IS_PUT, HEAD, MODE, PARAMETERS, TARGET, ID)                           \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE void NAME(__gm__ T *dst, __gm__ T *src, mf::shmem::UnifiedPointer buf, uint32_t elem_size,      \
                              MF_STRIP PARAMETERS, uint32_t sync_id ID MF_SITE_PARAM)                               \
    {                                                                                                               \
        using Mode = MF_STRIP MODE;                                                                                 \
        Mode::check_at_once();                                                                                      \
        const mf::shmem::Target target = TARGET;                                                                    \
        const auto area = mf::shmem::area_of<mf::shmem::Engine::ENGINE, Mode>(buf, sync_id MF_SITE);                \
        mf::shmem::engine_copy<mf::shmem::Engine::ENGINE, IS_PUT>(dst, src, elem_size, target, area MF_SITE);       \
    }                                                                                                               \
    template <MF_STRIP HEAD, typename Buffer>                                                                       \
    ACLSHMEM_DEVICE void NAME(AscendC::GlobalTensor<T> dst, AscendC::GlobalTensor<T> src,                           \
                              AscendC::LocalTensor<Buffer> buf, uint32_t elem_size, MF_STRIP PARAMETERS,            \
                              uint32_t sync_id ID MF_SITE_PARAM)                                                    \
    {                                                                                                               \
        using Mode = MF_STRIP MODE;                                                                                 \
        Mode::check_at_once();                                                                                      \
        const mf::shmem::Target target = TARGET;                                                                    \
        const auto area = mf::shmem::area_of<mf::shmem::Engine::ENGINE, Mode>(buf, sync_id MF_SITE);                \
        mf::shmem::engine_copy<mf::shmem::Engine::ENGINE, IS_PUT>(dst.GetPhyAddr(0), src.GetPhyAddr(0), elem_size,  \
                                                                  target, area MF_SITE);                            \
    }
#define MF_SHMEM_ENGINE_IN_BATCH(NAME, ENGINE, IS_PUT, HEAD, MODE, PARAMETERS, TARGET, ACTION)                      \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE void NAME(__gm__ T *dst, __gm__ T *src, mf::shmem::UnifiedPointer buf, uint32_t elem_size,      \
                              MF_STRIP PARAMETERS, uint32_t sync_id, ACTION action MF_SITE_PARAM)                   \
    {                                                                                                               \
        using Mode = MF_STRIP MODE;                                                                                 \
        const mf::shmem::Target target = TARGET;                                                                    \
        const auto area = mf::shmem::area_of<mf::shmem::Engine::ENGINE, Mode>(buf, sync_id MF_SITE);                \
        mf::shmem::batch_copy<mf::shmem::Engine::ENGINE, Mode, IS_PUT>(                                             \
            dst, src, elem_size, target, area, mf::shmem::room_of(buf), action MF_CALL_NAMED(NAME) MF_SITE);        \
    }                                                                                                               \
    template <MF_STRIP HEAD, typename Buffer>                                                                       \
    ACLSHMEM_DEVICE void NAME(AscendC::GlobalTensor<T> dst, AscendC::GlobalTensor<T> src,                           \
                              AscendC::LocalTensor<Buffer> buf, uint32_t elem_size, MF_STRIP PARAMETERS,            \
                              uint32_t sync_id, ACTION action MF_SITE_PARAM)                                        \
    {                                                                                                               \
        using Mode = MF_STRIP MODE;                                                                                 \
        const mf::shmem::Target target = TARGET;                                                                    \
        const auto area = mf::shmem::area_of<mf::shmem::Engine::ENGINE, Mode>(buf, sync_id MF_SITE);                \
        mf::shmem::batch_copy<mf::shmem::Engine::ENGINE, Mode, IS_PUT>(                                             \
            dst.GetPhyAddr(0), src.GetPhyAddr(0), elem_size, target, area, mf::shmem::room_of(buf),                 \
            action MF_CALL_NAMED(NAME) MF_SITE);                                                                    \
    }
#define MF_SHMEM_ENGINE_COPY(NAME, ENGINE, IS_PUT, HEAD, MODE, PARAMETERS, TARGET, ID)                              \
    MF_SHMEM_ENGINE_AT_ONCE(NAME, ENGINE, IS_PUT, HEAD, MODE, PARAMETERS, TARGET, ID)                               \
    MF_SHMEM_ENGINE_IN_BATCH(NAME, ENGINE, IS_PUT, HEAD, MODE, PARAMETERS, TARGET, aclshmemx_defer_t)               \
    MF_SHMEM_ENGINE_IN_BATCH(NAME, ENGINE, IS_PUT, HEAD, MODE, PARAMETERS, TARGET, aclshmemx_submit_t)

/* One change of bits, by the name of an engine. */
#define MF_SHMEM_ENGINE_BITS(engine, op, OP, HEAD, CHECK)                                                           \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE T aclshmemx_##engine##_atomic_fetch_##op(__gm__ T *dst, T value, int32_t pe MF_SITE_PARAM)      \
    {                                                                                                               \
        MF_STRIP CHECK return mf::shmem::atomic_bits<mf::shmem::Bitwise::OP, T>(dst, value, pe MF_SITE);            \
    }                                                                                                               \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE void aclshmemx_##engine##_atomic_##op(__gm__ T *dst, T value, int32_t pe MF_SITE_PARAM)         \
    {                                                                                                               \
        MF_STRIP CHECK mf::shmem::atomic_bits<mf::shmem::Bitwise::OP, T>(dst, value, pe MF_SITE);                   \
    }

#endif
