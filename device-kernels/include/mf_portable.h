/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Differences between the NPU and the emulation on the host, apart from the entry (mf_kernel.h). Functions of
 * the device headers end with MF_SITE_PARAM: on the host it carries the kernel's line, and MF_SITE passes it
 * on. Calls that only synchronise keep their own line, by which a test selects a call to skip.
 */
#ifndef MF_PORTABLE_H
#define MF_PORTABLE_H

#include "mf_kernel.h"

#ifdef MF_EMULATION

#include <cstdio>

/* Ends the launch; on the host with a text, as of printf. Needs MF_SITE_PARAM. */
#define MF_TRAP(...) ::mf::emulation::fault("", at, __VA_ARGS__)
/* Prints a warning on the host, once for each place. Needs MF_SITE_PARAM. */
#define MF_WARNING(...) ::mf::emulation::warn("", at, __VA_ARGS__)
/* In each round of a loop that waits for memory to change: what for, as of printf. Needs MF_SITE_PARAM. */
#define MF_WAITING(...)                                           \
    do {                                                          \
        char what_[160];                                          \
        std::snprintf(what_, sizeof what_, __VA_ARGS__);          \
        ::mf::emulation::waiting(what_, at);                      \
    } while (false)
/* MF_SITE_PARAM and MF_SITE for functions without other parameters. */
#define MF_SITE_PARAM_ONLY ::mf::emulation::Site at = MF_HERE
#define MF_SITE_ONLY at

#else

#define MF_TRAP(...) AscendC::Trap()
#define MF_WARNING(...) ((void)0)
#define MF_WAITING(...) ((void)0)
#define MF_SITE_PARAM_ONLY
#define MF_SITE_ONLY

#endif

namespace mf {

/* Cycles of GetSystemCycle in a microsecond. */
#ifdef MF_EMULATION
constexpr uint64_t CYCLES_PER_US = emulation::IS_950 ? 1000 : 50;
#elif defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510
constexpr uint64_t CYCLES_PER_US = 1000;
#else
constexpr uint64_t CYCLES_PER_US = 50;
#endif

/* The unified buffer of a vector core. */
#if defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510
constexpr uint32_t UNIFIED_BUFFER_BYTES = 248 * 1024;
#else
constexpr uint32_t UNIFIED_BUFFER_BYTES = 192 * 1024;
#endif

/* Limit of the unified buffer for all buffers of a kernel that runs on every product. */
constexpr uint32_t UB_BUDGET = 176 * 1024;
/* A block of the unified buffer: rows of copies begin at its multiples. */
constexpr uint32_t UB_BLOCK = 32;

/* The block that runs, and how many the launch has. */
__aicore__ inline uint32_t block_index()
{
    return static_cast<uint32_t>(AscendC::GetBlockIdx());
}
__aicore__ inline uint32_t block_count()
{
    return static_cast<uint32_t>(AscendC::GetBlockNum());
}

/* Flags of library calls, which wait for each that they set. The caller may have set one of the same number:
 * the emulation has other numbers for these. The device has eight for all; there the number of the call
 * (0, or the configured one) is the library's, as with the original. */
template <AscendC::HardEvent event> __aicore__ inline void set_own_flag(int32_t id MF_SITE_PARAM)
{
#ifdef MF_EMULATION
    constexpr ::mf::emulation::Edge edge = ::mf::emulation::edge_of(event);
    ::mf::emulation::set_flag(edge.from, edge.to, ::mf::emulation::OWN_FLAGS + id, at);
#else
    AscendC::SetFlag<event>(id);
#endif
}
template <AscendC::HardEvent event> __aicore__ inline void wait_own_flag(int32_t id MF_SITE_PARAM)
{
#ifdef MF_EMULATION
    constexpr ::mf::emulation::Edge edge = ::mf::emulation::edge_of(event);
    ::mf::emulation::wait_flag(edge.from, edge.to, ::mf::emulation::OWN_FLAGS + id, at);
#else
    AscendC::WaitFlag<event>(id);
#endif
}

template <typename T> __aicore__ inline T smaller(T a, T b)
{
    return a < b ? a : b;
}

__aicore__ inline uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

} // namespace mf

#endif
