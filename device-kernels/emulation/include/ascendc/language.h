// SPDX-License-Identifier: Apache-2.0 OR MIT
// Language extensions of Ascend C, and the target hardware of the kernel.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../src/engine.h"

// The product: 2201 (A2, A3) or 3510 (950). `mf kernel build` defines MF_NPU_ARCH and, as CANN's compiler
// does, the macros of the pass; the host's pass has no __NPU_ARCH__. Other builds choose by
// -D__NPU_ARCH__=3510.
#ifndef MF_NPU_ARCH
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif
#define MF_NPU_ARCH __NPU_ARCH__
#if MF_NPU_ARCH == 2201 && !defined(__CCE_AICORE__)
#define __CCE_AICORE__ 220
#endif
#if MF_NPU_ARCH == 3510 && !defined(__CCE_AICORE__)
#define __CCE_AICORE__ 310
#endif
#endif
#if (MF_NPU_ARCH != 2201 && MF_NPU_ARCH != 3510) || (defined(__NPU_ARCH__) && __NPU_ARCH__ != MF_NPU_ARCH)
#error "__NPU_ARCH__ must be 2201 (A2, A3) or 3510 (950)"
#endif

// `mf kernel build` (MF_FRONT) reads these words in preprocessed text, and blanks them.
#ifdef MF_FRONT
#define __global__ __global__
#define __vector__ __vector__
#define __cube__ __cube__
#define __mix__(cubes, vectors) __mix__(cubes, vectors)
#define __ubuf__ __ubuf__
#define __cbuf__ __cbuf__
#define __ca__ __ca__
#define __cb__ __cb__
#define __cc__ __cc__
#define __biasbuf__ __biasbuf__
#define __fbuf__ __fbuf__
#else
#define __global__
// Core type of a kernel. Here MF_KERNEL and its siblings declare it; a declaration in the kernel's body must
// agree.
#define __vector__
#define __cube__
#define __mix__(cubes, vectors)
// Address spaces. The host's compiler has one; the words stay in the source for the device's.
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __biasbuf__
#define __fbuf__
#endif

#ifdef MF_SHMEM_HOST_HALF
// Read, too: a call in a function with this mark is for cores.
#define __aicore__ __aicore__
#else
#define __aicore__
#endif
#define __gm__
#define __ssbuf__
#define __local_mem__ __ubuf__
// The argument that is the kernel's workspace.
#define __kfc_workspace__
#define __host__
#define GM_ADDR __gm__ uint8_t *

// A variable that each core has for itself. Here each core is a thread.
#define __BLOCK_LOCAL__ thread_local

#define __schedmode__(mode)

#if MF_NPU_ARCH == 3510
// Register functions, and functions called by them.
#define __simd_vf__
#define __simd_callee__
#endif

namespace AscendC {

enum KernelMetaType : uint8_t {
    KERNEL_TYPE_AIV_ONLY = 0,
    KERNEL_TYPE_AIC_ONLY = 1,
    KERNEL_TYPE_MIX_AIV_1_0 = 2,
    KERNEL_TYPE_MIX_AIC_1_0 = 3,
    KERNEL_TYPE_MIX_AIC_1_1 = 4,
    KERNEL_TYPE_MIX_AIC_1_2 = 5,
    KERNEL_TYPE_AICORE = 6,
    KERNEL_TYPE_VECTORCORE = 7,
    KERNEL_TYPE_MIX_AICORE = 8,
    KERNEL_TYPE_MIX_VECTOR_CORE = 9,
    KERNEL_TYPE_MAX = 10,
};

constexpr int32_t MIX = 0;
constexpr int32_t AIC = 1;
constexpr int32_t AIV = 2;

} // namespace AscendC

// The kind of core that this pass compiles for. A macro, so that the text of passes without it is the same.
#ifdef MF_FRONT
constexpr int32_t mf_core_aic = AscendC::AIC;
constexpr int32_t mf_core_aiv = AscendC::AIV;
#ifdef __DAV_CUBE__
#define g_coreType mf_core_aic
#else
#define g_coreType mf_core_aiv
#endif
#endif

namespace mf::emulation {

// Kernel type declared by KERNEL_TASK_TYPE_DEFAULT: must agree with the kernel table, and decides if the
// cores may synchronize by hardware (K14).
void declare_type(AscendC::KernelMetaType type, const char *name, Site at = MF_HERE);

} // namespace mf::emulation

// A statement in the kernel; the name of the type stands in it without its namespace.
#define KERNEL_TASK_TYPE_DEFAULT(value)                                                                                \
    do {                                                                                                               \
        using namespace AscendC;                                                                                       \
        ::mf::emulation::declare_type(value, #value);                                                                  \
    } while (false)
// The same for one tiling key; there are no tiling keys here.
#define KERNEL_TASK_TYPE(key, value) ((void)(key))

namespace mf::emulation {

#if MF_NPU_ARCH == 3510
constexpr bool IS_950 = true;
#else
constexpr bool IS_950 = false;
#endif

// The engine's name of an element type. types.h adds half and bfloat16_t.
template <typename T> struct TypeOf {
    static constexpr bool is_known = false;
};
#define MF_ELEMENT(T, TYPE)                                                                                            \
    template <> struct TypeOf<T> {                                                                                     \
        static constexpr bool is_known = true;                                                                         \
        static constexpr Type type = Type::TYPE;                                                                       \
    }
MF_ELEMENT(int8_t, I8);
MF_ELEMENT(uint8_t, U8);
MF_ELEMENT(int16_t, I16);
MF_ELEMENT(uint16_t, U16);
MF_ELEMENT(int32_t, I32);
MF_ELEMENT(uint32_t, U32);
MF_ELEMENT(int64_t, I64);
MF_ELEMENT(uint64_t, U64);
MF_ELEMENT(float, F32);

// Runs an instruction: at once where the engine is eager, otherwise when its pipe gets there.
template <typename Body> inline void perform(const Head &head, std::initializer_list<Access> accesses, Body &&body) {
    if (is_eager()) {
        for (const Access &access : accesses) {
            check_access(head, access);
        }
        body();
    } else {
        issue(head, accesses, static_cast<Body &&>(body));
    }
}

} // namespace mf::emulation

// Branch hints. Functions, so that sources may define macros of these names.
#ifndef likely
constexpr bool likely(bool condition) { return condition; }
#endif
#ifndef unlikely
constexpr bool unlikely(bool condition) { return condition; }
#endif
