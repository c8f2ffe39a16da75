// SPDX-License-Identifier: Apache-2.0 OR MIT
// Calls of a warp, made by its active threads: all that have come to the same call. Its other threads wait
// elsewhere or have ended.
#pragma once

#include "../threads.h"

namespace mf::emulation {

inline uint32_t lane_bit() { return uint32_t{1} << place_in_warp(); }

// The value of the thread in a lane, or of the calling one if that lane is not active.
template <typename T> T value_in(const WarpValues &all, uint32_t lane, T own) {
    return lane < WARP_THREADS && (all.present >> lane & 1) != 0 ? from_bits<T>(all.values[lane]) : own;
}

// Combines the values of all active threads, by pairs of neighbours, of pairs, and so on.
template <typename T, typename Op> T reduce_warp(const char *name, T value, Site at, Op op) {
    const WarpValues all = meet_warp(name, bits_of(value), at);
    T values[WARP_THREADS];
    bool is_there[WARP_THREADS];
    for (uint32_t lane = 0; lane < WARP_THREADS; lane++) {
        is_there[lane] = (all.present >> lane & 1) != 0;
        values[lane] = is_there[lane] ? from_bits<T>(all.values[lane]) : T{};
    }
    for (uint32_t step = 1; step < WARP_THREADS; step *= 2) {
        for (uint32_t lane = 0; lane < WARP_THREADS; lane += 2 * step) {
            const uint32_t other = lane + step;
            if (is_there[other]) values[lane] = is_there[lane] ? static_cast<T>(op(values[lane], values[other])) : values[other];
            is_there[lane] = is_there[lane] || is_there[other];
        }
    }
    return values[0];
}

} // namespace mf::emulation

// The place of the thread in its warp, and bits for the lanes that are equal, lower, at most, higher, at
// least.
inline uint32_t laneid() { return mf::emulation::place_in_warp(); }
inline uint32_t lanemask_eq() { return mf::emulation::lane_bit(); }
inline uint32_t lanemask_lt() { return mf::emulation::lane_bit() - 1; }
inline uint32_t lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline uint32_t lanemask_gt() { return ~lanemask_le(); }
inline uint32_t lanemask_ge() { return ~lanemask_lt(); }

// The value of the thread at `lane` of its group of `width` threads (a power of two).
template <typename T>
inline T asc_shfl(T value, int32_t lane, int32_t width = warpSize, mf::emulation::Site at = MF_HERE) {
    const mf::emulation::WarpValues all = mf::emulation::meet_warp("asc_shfl", mf::emulation::bits_of(value), at);
    const uint32_t group = laneid() & ~static_cast<uint32_t>(width - 1);
    return mf::emulation::value_in(all, group + (static_cast<uint32_t>(lane) & static_cast<uint32_t>(width - 1)), value);
}
// The value of the thread so many lanes before or behind; the own one at the end of the group.
template <typename T>
inline T asc_shfl_up(T value, uint32_t delta, int32_t width = warpSize, mf::emulation::Site at = MF_HERE) {
    const mf::emulation::WarpValues all = mf::emulation::meet_warp("asc_shfl_up", mf::emulation::bits_of(value), at);
    const uint32_t place = laneid() % static_cast<uint32_t>(width);
    return delta > place ? value : mf::emulation::value_in(all, laneid() - delta, value);
}
template <typename T>
inline T asc_shfl_down(T value, uint32_t delta, int32_t width = warpSize, mf::emulation::Site at = MF_HERE) {
    const mf::emulation::WarpValues all = mf::emulation::meet_warp("asc_shfl_down", mf::emulation::bits_of(value), at);
    const uint32_t size = static_cast<uint32_t>(width), place = laneid() % size;
    return delta >= size - place ? value : mf::emulation::value_in(all, laneid() + delta, value);
}
// The value of the thread at the own lane XOR `bits`; the own value if that is behind the own group.
template <typename T>
inline T asc_shfl_xor(T value, int32_t bits, int32_t width = warpSize, mf::emulation::Site at = MF_HERE) {
    const mf::emulation::WarpValues all = mf::emulation::meet_warp("asc_shfl_xor", mf::emulation::bits_of(value), at);
    const uint32_t size = static_cast<uint32_t>(width), lane = laneid() ^ static_cast<uint32_t>(bits);
    return lane >= laneid() / size * size + size ? value : mf::emulation::value_in(all, lane, value);
}

// Returns a bit for each active thread with a nonzero value.
inline uint32_t asc_ballot(int32_t value, mf::emulation::Site at = MF_HERE) {
    const mf::emulation::WarpValues all = mf::emulation::meet_warp("asc_ballot", value != 0 ? 1 : 0, at);
    uint32_t votes = 0;
    for (uint32_t lane = 0; lane < mf::emulation::WARP_THREADS; lane++)
        votes |= static_cast<uint32_t>(all.values[lane] & all.present >> lane & 1) << lane;
    return votes;
}
inline uint32_t asc_activemask(mf::emulation::Site at = MF_HERE) {
    return mf::emulation::meet_warp("asc_activemask", 0, at).present;
}
// If the values of all active threads, or of any, are not zero.
inline int32_t asc_all(int32_t value, mf::emulation::Site at = MF_HERE) { return asc_ballot(value == 0, at) == 0; }
inline int32_t asc_any(int32_t value, mf::emulation::Site at = MF_HERE) { return asc_ballot(value, at) != 0; }

// The sum, the greatest or the least of the values of all active threads, for each of them.
template <typename T> inline T asc_reduce_add(T value, mf::emulation::Site at = MF_HERE) {
    return mf::emulation::reduce_warp("asc_reduce_add", value, at, [](T a, T b) {
        return mf::emulation::by_bits<T>(a, b, [](auto x, auto y) { return x + y; });
    });
}
template <typename T> inline T asc_reduce_max(T value, mf::emulation::Site at = MF_HERE) {
    return mf::emulation::reduce_warp("asc_reduce_max", value, at, [](T a, T b) { return a < b ? b : a; });
}
template <typename T> inline T asc_reduce_min(T value, mf::emulation::Site at = MF_HERE) {
    return mf::emulation::reduce_warp("asc_reduce_min", value, at, [](T a, T b) { return b < a ? b : a; });
}

inline int32_t __popc(uint32_t value) { return __builtin_popcount(value); }
