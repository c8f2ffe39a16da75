// SPDX-License-Identifier: Apache-2.0 OR MIT
// C = the sum over all ranks of A B, on every rank: a product that is split over the ranks by its inner
// dimension. Computation, order and algorithm: mf_matmul_reduce.h.
//
// Contract. Each rank has an A of m x k and a B of k x n elements of fp16, dense, anywhere in device memory;
// C is m x n of fp16 at c_offset of every rank's part of object `id`, a multiple of 2. m, k and n are 1 or
// more, k and n at most 65535; ranks at most 509. All ranks launch with the same numbers and as many blocks,
// at most the cube cores; one such launch at a time in an object. When it ends C is complete here, and no
// rank reads A, B or C any longer; other ranks must not access this rank's C before.
#include "mf_matmul_reduce.h"

namespace {

// The control areas of all ranks as a memory.
class ControlAreas {
  public:
    __aicore__ inline explicit ControlAreas(const mf::Object &object) : object_(object) {}

    __aicore__ inline uint32_t rank() const { return object_.rank(); }
    __aicore__ inline uint32_t ranks() const { return object_.ranks(); }
    __aicore__ inline GM_ADDR part(uint32_t rank, uint64_t offset) const
    {
        return object_.control<uint8_t>(rank, offset);
    }
    __aicore__ inline const mf::Object &object() const { return object_; }

  private:
    const mf::Object &object_;
};

} // namespace

extern "C" __global__ __aicore__ void mf_matmul_allreduce(uint32_t id, uint64_t c_offset, GM_ADDR a, GM_ADDR b,
                                                          uint32_t m, uint32_t k, uint32_t n)
{
    MF_KERNEL_MIX_1_2();
    const mf::Object object(id);
    const ControlAreas areas(object);
    const mf::Workspace<ControlAreas> space(areas, MF_CONTROL_FREE, MF_CONTROL_BYTES - MF_CONTROL_FREE);
    mf::check_matrices({a, b, m, k, n}, mf::TYPE_F16);
    mf::matmul_reduce_as<half, mf::Owners::All>(object, c_offset, space, {a, b, m, k, n}, 2);
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL_MIX(2, mf_matmul_allreduce, uint32_t, uint64_t, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint32_t)
