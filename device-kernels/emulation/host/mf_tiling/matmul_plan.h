// SPDX-License-Identifier: Apache-2.0 OR MIT
// A plan for a product of matrices: the parts of C for the cores, and tiles that fit into their memories.
//
//   1. C is cut into m × n parts of multiples of 16, as equal as they get; with split K also along K.
//   2. A tile is 128 × 256 at most and fits into L0C.
//   3. K is taken in pieces of which two fit into L0A and L0B, else one.
//   4. L1 keeps as many pieces as fit, twice if it can.
#ifndef MF_HOST_MF_TILING_MATMUL_PLAN_H
#define MF_HOST_MF_TILING_MATMUL_PLAN_H

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "../kernel_tiling/kernel_tiling.h"
#include "matmul_words.h"

namespace matmul_tiling {

// m, n and k of something; -1: not said.
struct MfSizes {
    int32_t m = -1, n = -1, k = -1;
};

struct MfPlan {
    // Bytes of each memory for the product.
    uint64_t l0a = 0, l0b = 0, l0c = 0, l1 = 0;
    uint32_t a_bits = 16, b_bits = 16;
    bool has_bias = false, splits_k = false, doubles_a = true, doubles_b = true, doubles_c = true;
    int32_t cores = 1, order = 0;
    MfSizes shape, fixed_single, most_single, least_single, align_single, fixed_base, most_base, least_base;
    // Parts along m, n and k.
    MfSizes parts;

    // Fills the sizes of cores, tiles and pieces. M, N, Ka and Kb are the caller's. Returns false, and says
    // on standard error why, if there is no such plan.
    bool make(AscendC::tiling::TCubeTiling &to) {
        if (shape.m < 1 || shape.n < 1 || shape.k < 1)
            return none("the shape is %d x %d x %d, must be 1 or more each", shape.m, shape.n, shape.k);
        return divide(to) && choose_tile(to) && choose_piece(to) && fill_l1(to);
    }

  private:
    template <typename... Numbers> static bool none(const char *format, Numbers... numbers) {
        std::fputs("matmul tiling: ", stderr);
        std::fprintf(stderr, format, numbers...);
        std::fputc('\n', stderr);
        return false;
    }
    static int32_t parts_of(int32_t whole, int32_t part) { return (whole + part - 1) / part; }
    static int32_t up(int32_t number, int32_t step) { return parts_of(number, step) * step; }
    // Elements of K in 32 bytes, at least a fractal's 16.
    int32_t k_step() const { return std::max<int32_t>(16, 256 / static_cast<int32_t>(std::min(a_bits, b_bits))); }
    // Of m and n: elements of a byte or less come in fractals of 32.
    int32_t step() const { return std::min(a_bits, b_bits) > 8 ? 16 : 32; }

    // A part's length when `whole` is cut into `count`; 0: not within the limits.
    static int32_t part_for(int32_t whole, int32_t count, int32_t step, int32_t fixed, int32_t most, int32_t least) {
        if (fixed > 0) return fixed;
        int32_t part = count == 1 ? whole : std::min(up(parts_of(whole, count), step), whole);
        part = std::max(part, std::min(least, whole));
        return most > 0 && part > most ? 0 : part;
    }
    bool divide(AscendC::tiling::TCubeTiling &to) {
        const int32_t down = align_single.m > 0 ? align_single.m : 16, across = align_single.n > 0 ? align_single.n : 16;
        int64_t best = -1, best_edges = 0;
        for (int32_t i = 1; i <= cores; ++i)
            for (int32_t j = 1; i * j <= cores; ++j) {
                const int32_t m = part_for(shape.m, i, down, fixed_single.m, most_single.m, least_single.m);
                const int32_t n = part_for(shape.n, j, across, fixed_single.n, most_single.n, least_single.n);
                if (m <= 0 || n <= 0 || int64_t{parts_of(shape.m, m)} * parts_of(shape.n, n) > cores) continue;
                const int64_t area = int64_t{up(m, 16)} * up(n, 16), edges = int64_t{m} + n;
                if (best >= 0 && (area > best || (area == best && edges >= best_edges))) continue;
                best = area, best_edges = edges;
                to.singleCoreM = m, to.singleCoreN = n;
                parts.m = parts_of(shape.m, m), parts.n = parts_of(shape.n, n);
            }
        if (best < 0) return none("no parts of the asked sizes cover C on %d cores", cores);
        const int32_t most = splits_k ? cores / (parts.m * parts.n) : 1;
        const int32_t along = align_single.k > 0 ? up(align_single.k, k_step()) : k_step();
        to.singleCoreK = part_for(shape.k, most, along, fixed_single.k, most_single.k, least_single.k);
        if (to.singleCoreK <= 0) to.singleCoreK = most_single.k;
        parts.k = parts_of(shape.k, to.singleCoreK);
        if (parts.k > most && splits_k)
            return none("%d parts along K are more than the %d cores left for each part of C", parts.k, most);
        if (!splits_k) parts.k = 1;
        to.usedCoreNum = parts.m * parts.n * parts.k;
        return true;
    }

    // A side of a tile; 0: not possible.
    static int32_t side(int32_t single, int32_t usual, int32_t step, int32_t fixed, int32_t most, int32_t least) {
        if (fixed > 0) return fixed % 16 == 0 ? fixed : 0;
        int32_t base = std::min(up(single, step), usual);
        if (most > 0) base = std::min(base, most / step * step);
        return std::max(base, least > 0 ? up(least, step) : 0);
    }
    bool choose_tile(AscendC::tiling::TCubeTiling &to) {
        to.baseM = side(to.singleCoreM, 128, step(), fixed_base.m, most_base.m, least_base.m);
        to.baseN = side(to.singleCoreN, 256, step(), fixed_base.n, most_base.n, least_base.n);
        if (to.baseM <= 0 || to.baseN <= 0)
            return none("the tile is %d x %d, must be multiples of 16", fixed_base.m, fixed_base.n);
        const auto bytes = [&] { return uint64_t{4} * static_cast<uint64_t>(to.baseM) * static_cast<uint64_t>(to.baseN); };
        while (bytes() > l0c) {
            const bool may_m = fixed_base.m <= 0 && to.baseM > step() && to.baseM > least_base.m;
            const bool may_n = fixed_base.n <= 0 && to.baseN > step() && to.baseN > least_base.n;
            if (!may_m && !may_n)
                return none("a tile of %d x %d does not fit into the %lld bytes of L0C", to.baseM, to.baseN,
                            static_cast<long long>(l0c));
            int32_t &longer = may_n && (to.baseN >= to.baseM || !may_m) ? to.baseN : to.baseM;
            longer = up(longer / 2, step());
        }
        to.dbL0C = doubles_c && 2 * bytes() <= l0c ? 2 : 1;
        to.iterateOrder = order;
        return true;
    }

    // Bytes of pieces of A and B together.
    uint64_t a_bytes(const AscendC::tiling::TCubeTiling &of, int32_t k) const {
        return static_cast<uint64_t>(of.baseM) * static_cast<uint64_t>(k) * a_bits / 8;
    }
    uint64_t b_bytes(const AscendC::tiling::TCubeTiling &of, int32_t k) const {
        return static_cast<uint64_t>(of.baseN) * static_cast<uint64_t>(k) * b_bits / 8;
    }
    bool choose_piece(AscendC::tiling::TCubeTiling &to) {
        for (int32_t times = 2; times >= 1; --times) {
            to.dbL0A = doubles_a ? times : 1, to.dbL0B = doubles_b ? times : 1;
            const auto fits = [&](int32_t k) {
                return k > 0 && a_bytes(to, k) * static_cast<uint64_t>(to.dbL0A) <= l0a &&
                       b_bytes(to, k) * static_cast<uint64_t>(to.dbL0B) <= l0b;
            };
            int32_t k = fixed_base.k;
            if (k <= 0) {
                k = up(to.singleCoreK, k_step());
                if (most_base.k > 0) k = std::min(k, most_base.k / k_step() * k_step());
                while (k > k_step() && !fits(k)) k -= k_step();
                if (k < least_base.k) continue;
            } else if (k % k_step() != 0) {
                return none("baseK %d must be a multiple of %d", k, k_step());
            }
            to.baseK = k;
            if (fits(k)) return true;
        }
        return none("pieces of %d x %d x %d do not fit into L0A and L0B", to.baseM, to.baseN, to.baseK);
    }

    bool fill_l1(AscendC::tiling::TCubeTiling &to) {
        const uint64_t bias = has_bias ? static_cast<uint64_t>(to.baseN) * 4 : 0;
        const uint64_t one = a_bytes(to, to.baseK) + b_bytes(to, to.baseK);
        if (one + bias > l1)
            return none("pieces of %d x %d x %d do not fit into the %lld bytes of L1", to.baseM, to.baseN, to.baseK,
                        static_cast<long long>(l1));
        const int32_t fit = static_cast<int32_t>(std::min<uint64_t>((l1 - bias) / one, 64));
        const int32_t times = fit > 1 ? 2 : 1;
        const int32_t steps = std::min(fit / times, parts_of(to.singleCoreK, to.baseK));
        to.stepM = to.stepN = 1;
        to.stepKa = to.stepKb = steps;
        to.depthA1 = to.depthB1 = steps * times;
        to.shareL1Size = static_cast<int32_t>(one * static_cast<uint64_t>(to.depthA1) + bias);
        to.shareL0CSize = to.baseM * to.baseN * 4 * to.dbL0C;
        return true;
    }
};

} // namespace matmul_tiling

#endif
