/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * An object of shared memory, seen by a kernel: the rank that runs it, and where all ranks' memory lies.
 * Made once at the beginning of a kernel, of the record that the host wrote.
 */
#ifndef MF_OBJECT_H
#define MF_OBJECT_H

#include "mf_control.h"
#include "mf_portable.h"
#include "smem_shm_aicore_base_meta.h"

namespace mf {

class Object {
  public:
    /* Ends the kernel where there is no object with this id. */
    __aicore__ inline explicit Object(uint32_t id MF_SITE_PARAM)
        : rank_(smem_shm_get_global_rank(id MF_SITE)), ranks_(smem_shm_get_global_rank_size(id MF_SITE)),
          stride_(smem_shm_get_symmetric_size(id MF_SITE)),
          base_(smem_shm_read_meta<uint64_t>(id, MF_META_BASE, 0 MF_SITE)),
          control_base_(smem_shm_read_meta<uint64_t>(id, MF_META_CONTROL_BASE, 0 MF_SITE)),
          control_stride_(smem_shm_read_meta<uint64_t>(id, MF_META_CONTROL_STRIDE, 0 MF_SITE))
    {
        if (ranks_ == 0 || ranks_ > MF_CONTROL_RANKS || base_ == 0) {
            MF_TRAP("there is no object of shared memory with id %u", id);
        }
    }

    __aicore__ inline uint32_t rank() const { return rank_; }
    __aicore__ inline uint32_t ranks() const { return ranks_; }
    /* The rank `steps` after this one, round and round. */
    __aicore__ inline uint32_t rank_after(uint32_t steps) const
    {
        return static_cast<uint32_t>((uint64_t{rank_} + steps) % ranks_);
    }

    /* `offset` bytes into the part of `rank`. */
    __aicore__ inline GM_ADDR part(uint32_t rank, uint64_t offset) const
    {
        return reinterpret_cast<GM_ADDR>(base_ + rank * stride_ + offset);
    }

    /* As a circle of ranks that meet (mf_barrier.h): all of them. */
    __aicore__ inline const Object &object() const { return *this; }
    __aicore__ inline uint32_t member(uint32_t rank) const { return rank; }
    /* `offset` bytes into the lines in which ranks arrive at this one. */
    __aicore__ inline __gm__ uint64_t *arrival(uint32_t rank, uint64_t offset) const
    {
        return control<uint64_t>(rank, MF_CONTROL_ARRIVALS + offset);
    }
    /* Returns the address of this rank's barrier count. */
    __aicore__ inline __gm__ uint64_t *meetings() const { return control<uint64_t>(rank_, MF_CONTROL_ROUNDS); }

    /* Returns true if ranks can use barriers and signals: the host gave the object a control area. */
    __aicore__ inline bool has_control() const { return control_base_ != 0; }
    /* `offset` bytes into the control area of `rank` (mf_control.h). */
    template <typename T> __aicore__ inline __gm__ T *control(uint32_t rank, uint64_t offset) const
    {
        return reinterpret_cast<__gm__ T *>(control_base_ + rank * control_stride_ + offset);
    }

  private:
    uint32_t rank_;
    uint32_t ranks_;
    uint64_t stride_;
    uint64_t base_;
    uint64_t control_base_;
    uint64_t control_stride_;
};

} // namespace mf

#endif
