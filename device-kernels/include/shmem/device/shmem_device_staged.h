/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Copies from global to global memory through a part of the unified buffer chosen by the kernel, without
 * queues: they need no TPipe, and one event, whose flags they always reset. Single elements are written in
 * the same way, so that several PEs may write into one line.
 */
#ifndef MF_SHMEM_DEVICE_STAGED_H
#define MF_SHMEM_DEVICE_STAGED_H

#include "mf_memory.h"
#include "shmem_device_state.h"
#include "smem_shm_aicore_base_copy.h"

namespace mf {
namespace shmem {

/* The staging part as a tensor. */
ACLSHMEM_DEVICE AscendC::LocalTensor<uint8_t> staged(const Staging &area)
{
    return smem_shm_ub_tensor(AscendC::TPosition::VECIN, reinterpret_cast<__ubuf__ uint8_t *>(area.offset), area.bytes);
}

/* Waits until the copies to global memory that this core began are complete and visible to everybody. */
ACLSHMEM_DEVICE void finish(int32_t event)
{
    set_own_flag<AscendC::HardEvent::MTE3_S>(event);
    wait_own_flag<AscendC::HardEvent::MTE3_S>(event);
}

/* A copy of fewer bytes takes about as long: a staging part is used in halves only where they have as
 * many. */
constexpr uint32_t WORTHWHILE_BYTES = 16 * 1024;

/* `rows` rows of `row_bytes` bytes; steps from the beginning of a row to the next one's. Returns before the
 * last piece is written: finish() waits for it. With halves a piece is read into one while the piece
 * before is written from the other. */
ACLSHMEM_DEVICE void copy_rows(GM_ADDR dst, GM_ADDR src, uint64_t rows, uint64_t row_bytes, uint64_t dst_step,
                               uint64_t src_step, const Staging &area MF_SITE_PARAM)
{
    const uint32_t halves = area.bytes < 2 * WORTHWHILE_BYTES ? 1 : 2;
    const uint32_t most = area.bytes / halves / UB_BLOCK * UB_BLOCK;
    if (most == 0) {
        MF_TRAP("the staging part of the unified buffer has %u bytes, and takes at least %u", area.bytes, UB_BLOCK);
    }
    const AscendC::LocalTensor<uint8_t> both = staged(area);
    AscendC::GlobalTensor<uint8_t> from, to;
    const uint64_t pieces = rows * ((row_bytes + most - 1) / most);
    uint64_t row = 0, done = 0;
    for (uint64_t number = 0; number < pieces; number++) {
        const AscendC::LocalTensor<uint8_t> piece = number % halves == 0 ? both : both[most];
        const uint32_t now = static_cast<uint32_t>(smaller(row_bytes - done, uint64_t{most}));
        from.SetGlobalBuffer(src + row * src_step + done, now);
        to.SetGlobalBuffer(dst + row * dst_step + done, now);
        if (number == 0 || halves == 1) {
            /* Wait for MTE3, which wrote the previous piece. */
            set_own_flag<AscendC::HardEvent::MTE3_MTE2>(area.event);
        }
        /* To MTE2, which reads over it. */
        wait_own_flag<AscendC::HardEvent::MTE3_MTE2>(area.event);
        smem_shm_copy_gm2ub(piece, from, now MF_SITE);
        /* From MTE2, which read it, to MTE3, which writes it. */
        set_own_flag<AscendC::HardEvent::MTE2_MTE3>(area.event);
        wait_own_flag<AscendC::HardEvent::MTE2_MTE3>(area.event);
        if (halves == 2 && number + 1 < pieces) {
            /* From MTE3, which has written the other half: the next turn waits for it. */
            set_own_flag<AscendC::HardEvent::MTE3_MTE2>(area.event);
        }
        smem_shm_copy_ub2gm(to, piece, now MF_SITE);
        done += now;
        if (done == row_bytes) {
            done = 0;
            row++;
        }
    }
}

ACLSHMEM_DEVICE void copy(GM_ADDR dst, GM_ADDR src, uint64_t bytes, const Staging &area MF_SITE_PARAM)
{
    copy_rows(dst, src, 1, bytes, 0, 0, area MF_SITE);
}

/* Gives the staging buffer to the scalar code, after its contents are written. */
ACLSHMEM_DEVICE void take_staging(int32_t event) { finish(event); }

/* Reads bytes of this device through the staging part, one piece after the other, and is done on return. */
ACLSHMEM_DEVICE void read_through(GM_ADDR src, uint64_t bytes, const Staging &area MF_SITE_PARAM)
{
    take_staging(area.event);
    AscendC::GlobalTensor<uint8_t> from;
    for (uint64_t done = 0; done < bytes; done += area.bytes) {
        const uint32_t now = static_cast<uint32_t>(smaller(bytes - done, uint64_t{area.bytes}));
        from.SetGlobalBuffer(src + done, now);
        smem_shm_copy_gm2ub(staged(area), from, now MF_SITE);
        /* From MTE2, which has read the piece: the part may be used again. */
        set_own_flag<AscendC::HardEvent::MTE2_S>(area.event);
        wait_own_flag<AscendC::HardEvent::MTE2_S>(area.event);
    }
}

/* One element in the staging part, for MTE3 to read. */
template <typename T>
ACLSHMEM_DEVICE AscendC::LocalTensor<T> stage_element(T value, const Staging &area MF_SITE_PARAM)
{
    take_staging(area.event);
    AscendC::LocalTensor<T> element = smem_shm_ub_tensor(
        AscendC::TPosition::VECOUT, reinterpret_cast<__ubuf__ T *>(area.offset), UB_BLOCK);
    element.SetValue(0, value MF_SITE);
    /* From the scalar code, which wrote the element, to MTE3, which reads it. */
    set_own_flag<AscendC::HardEvent::S_MTE3>(area.event);
    wait_own_flag<AscendC::HardEvent::S_MTE3>(area.event);
    return element;
}

/* One element to memory, by a copy: nothing else of the line is touched. Returns before it is written. */
template <typename T>
ACLSHMEM_DEVICE void write_element(GM_ADDR dst, T value, const Staging &area MF_SITE_PARAM)
{
    const auto element = stage_element<T>(value, area MF_SITE).template ReinterpretCast<uint8_t>();
    AscendC::GlobalTensor<uint8_t> to;
    to.SetGlobalBuffer(dst, sizeof(T));
    smem_shm_copy_ub2gm(to, element, static_cast<uint32_t>(sizeof(T)) MF_SITE);
}

/* One element added to memory, atomically with other such copies. T: int8_t, int16_t, int32_t, half,
 * bfloat16_t, float. */
template <typename T>
ACLSHMEM_DEVICE void add_element(GM_ADDR dst, T value, const Staging &area MF_SITE_PARAM)
{
    const auto element = stage_element<T>(value, area MF_SITE);
    AscendC::GlobalTensor<T> to;
    to.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(dst), 1);
    AscendC::SetAtomicAdd<T>();
    smem_shm_copy_ub2gm(to, element, static_cast<uint32_t>(sizeof(T)) MF_SITE);
    AscendC::SetAtomicNone();
}

} // namespace shmem
} // namespace mf

#endif
