// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tiling interface of the operator build: structures written by the host to global memory, copied into
// variables of the kernel. The argument is their address.
#pragma once

#include "scalar.h"

namespace mf::emulation {

template <typename T> inline T tiling_of(const void *address, Site at = MF_HERE) {
    static_assert(std::is_trivially_copyable_v<T>, "a tiling structure is plain data");
    T tiling;
    const uint64_t from = reinterpret_cast<uint64_t>(address);
    for (uint64_t done = 0; done < sizeof(T);) {
        const uint64_t left = sizeof(T) - done;
        const uint32_t bytes = left >= 8 && (from + done) % 8 == 0 ? 8 : left >= 4 && (from + done) % 4 == 0 ? 4 : 1;
        cached_read(from + done, reinterpret_cast<uint8_t *>(&tiling) + done, bytes, "GET_TILING_DATA", at);
        done += bytes;
    }
    return tiling;
}

} // namespace mf::emulation

// In the kernel, before the next one: the structure that GET_TILING_DATA copies.
#define REGISTER_TILING_DEFAULT(T) using mf_tiling_type = T
#define REGISTER_NONE_TILING ((void)0)
// If the key of this build, TILING_KEY_VAR (-DTILING_KEY_VAR=1), is k.
#define TILING_KEY_IS(k) (TILING_KEY_VAR == (k))
#define GET_TILING_DATA(name, arg) auto name = ::mf::emulation::tiling_of<mf_tiling_type>(arg)
#define GET_TILING_DATA_WITH_STRUCT(T, name, arg) auto name = ::mf::emulation::tiling_of<T>(arg)
#define GET_TILING_DATA_MEMBER(T, member, name, arg) auto name = ::mf::emulation::tiling_of<T>(arg).member
