// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A kernel of one's own that writes into another rank's memory: every rank sends its numbers, doubled, to the
// next one. The kernel is kernels/scaled_shift.cpp. On the simulator:
//
//     scripts/build_kernels.sh --emulate examples/kernels/scaled_shift.cpp -o scaled_shift.so
//     c++ examples/08_shift.cpp $(pkg-config --cflags --libs mf_smem) -o 08_shift
//     MF_DEVICE=sim mf run -n 2 -- ./08_shift scaled_shift.so
#include <vector>

#include "share.h"

namespace {

constexpr uint32_t COUNT = 100003;
constexpr uint64_t BYTES = COUNT * sizeof(float);

// The arguments of scaled_shift: each begins at a multiple of 8 bytes.
struct Arguments {
    alignas(8) uint32_t id;
    alignas(8) uint64_t dst_offset;
    alignas(8) uint64_t src_offset;
    alignas(8) uint32_t count;
    alignas(8) float factor;
};

float number(uint32_t rank, uint32_t at)
{
    return static_cast<float>(at + 1000 * rank);
}

} // namespace

int main(int count, char **words)
{
    job_require(count == 2, "08_shift KERNEL_BINARY: reading the arguments");
    const share share = share_start(2 << 20);

    std::vector<float> numbers(COUNT);
    for (uint32_t at = 0; at < COUNT; at++) numbers[at] = number(share.rank, at);
    share_copy(&share, share.own, numbers.data(), BYTES);
    // No rank writes into memory that its owner still fills.
    share_meet(&share);

    const Arguments arguments{0, BYTES, 0, COUNT, 2.0F};
    share_launch(&share, words[1], "scaled_shift", 4, &arguments, sizeof arguments);

    // The kernel ends with a barrier: the previous rank's data is here.
    share_copy(&share, numbers.data(), share.own + BYTES, BYTES);
    const uint32_t previous = (share.rank + share.ranks - 1) % share.ranks;
    for (uint32_t at = 0; at < COUNT; at++)
        job_require(numbers[at] == 2 * number(previous, at), "comparing the numbers");
    job_say("%u doubled numbers of rank %u: right", COUNT, previous);
    share_end(&share);
    return 0;
}
