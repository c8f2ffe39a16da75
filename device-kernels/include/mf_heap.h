/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The symmetric heap of CANN SHMEM as a memory of ranks, for the headers that reduce and multiply
 * (mf_reduce.h, mf_matmul_reduce.h): ranks are PEs, and places are own addresses.
 */
#ifndef MF_HEAP_H
#define MF_HEAP_H

#include "mf_object.h"
#include "shmem/shmem.h"

namespace mf {

class Heap {
  public:
    /* Ends the kernel where there is no heap. */
    __aicore__ inline explicit Heap(MF_SITE_PARAM_ONLY) : object_(shmem::object_of_heap(MF_SITE_ONLY)) {}

    /* A place: the own address of something symmetric. */
    __aicore__ static inline uint64_t place(const __gm__ void *own) { return reinterpret_cast<uint64_t>(own); }

    __aicore__ inline uint32_t rank() const { return object_.rank(); }
    __aicore__ inline uint32_t ranks() const { return object_.ranks(); }
    __aicore__ inline uint32_t rank_after(uint32_t steps) const { return object_.rank_after(steps); }

    /* Returns the address of a place at a PE. Ends the kernel if it is not in the heap. */
    __aicore__ inline GM_ADDR part(uint32_t rank, uint64_t place) const
    {
        return shmem::remote(reinterpret_cast<GM_ADDR>(place), 1, static_cast<int>(rank));
    }

    /* Returns the object with the wait limits and the list of lost PEs. */
    __aicore__ inline const Object &object() const { return object_; }

  private:
    Object object_;
};

} // namespace mf

#endif
