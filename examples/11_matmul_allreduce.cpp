// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A layer that is split over the ranks: each multiplies its share of the matrices, and the products are
// summed on every rank, while later tiles are still being computed. The kernel is one of the library.
//
//     c++ examples/11_matmul_allreduce.cpp $(pkg-config --cflags --libs mf_smem) -o 11_matmul_allreduce
//     MF_DEVICE=sim mf run -n 2 -- ./11_matmul_allreduce [M K N]
//
// M, K, N: rows of A, columns of A of each rank, columns of B; 96 80 160 unless given. All numbers are -1, 0
// or 1, so sums are whole, and exact as long as they are below 2048.
#include <cmath>
#include <vector>

#include "share.h"

namespace {

struct Arguments {
    alignas(8) uint32_t id;
    alignas(8) uint64_t c_offset;
    alignas(8) const void *a;
    alignas(8) const void *b;
    alignas(8) uint32_t m;
    alignas(8) uint32_t k;
    alignas(8) uint32_t n;
};

// Element `at` of matrix A (which = 0) or B (1) of a rank.
int element(uint32_t rank, uint32_t which, uint32_t at)
{
    const uint64_t mixed = (at + 1000003ULL * rank + 7919ULL * which + 1) * 0x9e3779b97f4a7c15ULL;
    return static_cast<int>(mixed >> 40) % 3 - 1;
}

// The fp16 bits of -1, 0, 1; and the number that fp16 bits are.
uint16_t half_of(int number)
{
    return number == 0 ? 0 : number < 0 ? 0xbc00 : 0x3c00;
}
double number_of(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const double size = exponent == 0 ? std::ldexp(half & 1023, -24) : std::ldexp(1024 + (half & 1023), exponent - 25);
    return (half & 0x8000) != 0 ? -size : size;
}

// A matrix of a rank in memory of its device.
void *on_device(uint32_t rank, uint32_t which, uint32_t elements)
{
    std::vector<uint16_t> halves(elements);
    for (uint32_t at = 0; at < elements; at++) halves[at] = half_of(element(rank, which, at));
    void *address = nullptr;
    job_must(mfx_device_malloc(elements * 2ULL, &address), "mfx_device_malloc");
    job_must(mfx_device_copy(address, halves.data(), elements * 2ULL), "mfx_device_copy");
    return address;
}

// Element (row, column) of the sum of all ranks' products.
int product(uint32_t ranks, uint32_t row, uint32_t column, uint32_t k, uint32_t n)
{
    int sum = 0;
    for (uint32_t rank = 0; rank < ranks; rank++)
        for (uint32_t at = 0; at < k; at++)
            sum += element(rank, 0, row * k + at) * element(rank, 1, at * n + column);
    return sum;
}

} // namespace

int main(int count, char **words)
{
    job_require(count == 1 || count == 4, "11_matmul_allreduce [M K N]: reading the arguments");
    const auto size = [&](int word, uint32_t otherwise) {
        return count == 1 ? otherwise : static_cast<uint32_t>(std::strtoul(words[word], nullptr, 10));
    };
    const uint32_t m = size(1, 96), k = size(2, 80), n = size(3, 160);
    constexpr uint64_t UNIT = 2 << 20;
    const share share = share_start((2ULL * m * n + UNIT - 1) / UNIT * UNIT);

    void *a = on_device(share.rank, 0, m * k), *b = on_device(share.rank, 1, k * n);
    share_meet(&share);
    const Arguments arguments{0, 0, a, b, m, k, n};
    share_launch(&share, nullptr, "mf_matmul_allreduce", 4, &arguments, sizeof arguments);

    std::vector<uint16_t> c(static_cast<size_t>(m) * n);
    share_copy(&share, c.data(), share.own, c.size() * 2);
    for (uint32_t at = 0; at < c.size(); at++)
        job_require(number_of(c[at]) == product(share.ranks, at / n, at % n, k, n), "comparing C");
    job_say("C = sum of %u products, %u x %u x %u: right", share.ranks, m, k, n);
    job_must(mfx_device_free(a), "mfx_device_free");
    job_must(mfx_device_free(b), "mfx_device_free");
    share_end(&share);
    return 0;
}
