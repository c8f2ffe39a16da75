// SPDX-License-Identifier: Apache-2.0 OR MIT
// Register kernels of the 950: functions over registers of 256 bytes, called by asc_vf_call, which load from
// the unified buffer and store to it through pointers.
//
// The function is an instruction of the vector pipe. To find its accesses it runs once before, without
// memory: its registers then hold zeros. So its addresses must not depend on loaded values. A load counts as
// an access to its first element only: elements after the last active one of the mask may be undefined.
#pragma once

#include "arithmetic_forms.h"
#include "reductions.h"

#if MF_NPU_ARCH == 3510

namespace mf::emulation {

constexpr uint32_t REGISTER_BYTES = 256;

// Recorded accesses of a register function: rows of pieces, or single ones.
class Traces {
  public:
    void add(Mode mode, uint32_t offset, uint32_t bytes);
    void check_in(Touched &touched) const;

  private:
    struct Run {
        Mode mode;
        uint32_t begin, bytes, rows, step;
    };
    bool is_written(uint32_t offset) const;
    std::vector<Run> runs_;
};
// Set while a function runs without memory.
inline thread_local Traces *traces = nullptr;

inline void Traces::add(Mode mode, uint32_t offset, uint32_t bytes) {
    if (mode == Mode::Read && is_written(offset)) return; // it reads what it has stored
    for (Run &run : runs_) {
        if (run.mode != mode || run.bytes != bytes || offset <= run.begin) continue;
        if (run.rows == 1) {
            run.step = offset - run.begin;
            run.rows = 2;
            return;
        }
        if (offset != run.begin + run.rows * run.step) continue;
        ++run.rows;
        return;
    }
    runs_.push_back({mode, offset, bytes, 1, 0});
}
inline bool Traces::is_written(uint32_t offset) const {
    for (const Run &run : runs_) {
        if (run.mode == Mode::Read || offset < run.begin) continue;
        const uint32_t row = run.rows == 1 ? 0 : (offset - run.begin) / run.step;
        if (row < run.rows && offset < run.begin + row * run.step + run.bytes) return true;
    }
    return false;
}
inline void Traces::check_in(Touched &touched) const {
    LocalRange part = {Space::Ub, 0, 0, static_cast<uint32_t>(local_bytes(Space::Ub))};
    for (const Mode mode : {Mode::Read, Mode::Write}) {
        for (const Run &run : runs_) {
            if (run.mode != mode) continue;
            part.offset = run.begin;
            touched.add("an address", mode, part, run.bytes, 1, run.rows, run.step);
        }
    }
}

} // namespace mf::emulation

namespace AscendC::Reg {

using ReduceType = AscendC::ReduceType;
constexpr uint32_t VECTOR_REG_WIDTH = mf::emulation::REGISTER_BYTES;

enum class MaskPattern : int {
    ALL = 0, VL1 = 1, VL2 = 2, VL3 = 3, VL4 = 4, VL8 = 5, VL16 = 6, VL32 = 7, VL64 = 8, VL128 = 9, M3 = 10, M4 = 11, H = 12,
    Q = 13, ALLF = 15,
};
enum class PostLiteral : int { POST_MODE_NORMAL = 0, POST_MODE_UPDATE = 1 };
enum class MaskMergeMode : int { UNKNOWN = 0, MERGING = 1, ZEROING = 2 };
enum class MemType : int { VEC_STORE = 0, VEC_LOAD = 1, SCALAR_STORE = 2, SCALAR_LOAD = 3, VEC_ALL = 4, SCALAR_ALL = 5 };
// Here: all 256 bytes, as they are.
enum class LoadDist { DIST_NORM };
enum class StoreDist { DIST_NORM };

struct RegTrait {};
inline constexpr RegTrait RegTraitNumOne = {};
struct DefaultType {};

// A bit for each byte of a register; an element counts by its first.
struct MaskReg {
    bool bytes[VECTOR_REG_WIDTH] = {};
    template <typename T> bool has(uint32_t element) const { return bytes[element * sizeof(T)]; }
};
template <typename T, const RegTrait &trait = RegTraitNumOne> struct RegTensor {
    using ActualT = T;
    static constexpr uint32_t COUNT = VECTOR_REG_WIDTH / sizeof(T);
    T values[COUNT] = {};
};

template <typename T> inline MaskReg mf_first(uint32_t elements) {
    MaskReg mask;
    for (uint32_t i = 0; i < VECTOR_REG_WIDTH / sizeof(T) && i < elements; ++i) mask.bytes[i * sizeof(T)] = true;
    return mask;
}
template <typename T, MaskPattern mode = MaskPattern::ALL, const RegTrait &regTrait = RegTraitNumOne>
__simd_callee__ inline MaskReg CreateMask() {
    constexpr uint32_t all = VECTOR_REG_WIDTH / sizeof(T);
    constexpr uint32_t first[] = {all, 1, 2, 3, 4, 8, 16, 32, 64, 128, 0, 0, all / 2, all / 4, 0, 0};
    if constexpr (mode == MaskPattern::M3 || mode == MaskPattern::M4) {
        MaskReg mask;
        for (uint32_t i = 0; i < all; i += mode == MaskPattern::M3 ? 3 : 4) mask.bytes[i * sizeof(T)] = true;
        return mask;
    }
    return mf_first<T>(first[static_cast<int>(mode)]);
}
// Builds a mask of the first `scalarValue` elements, and subtracts them from it.
template <typename T, const RegTrait &regTrait = RegTraitNumOne> __simd_callee__ inline MaskReg UpdateMask(uint32_t &scalarValue) {
    const MaskReg mask = mf_first<T>(scalarValue);
    constexpr uint32_t all = VECTOR_REG_WIDTH / sizeof(T);
    scalarValue = scalarValue > all ? scalarValue - all : 0;
    return mask;
}

template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename U>
__simd_callee__ inline void LoadAlign(U &dstReg, __ubuf__ T *srcAddr) {
    using namespace mf::emulation;
    static_assert(sizeof(T) == sizeof(typename U::ActualT), "LoadAlign: the pointer is to elements as the register's are");
    const uint32_t from = ub_offset(srcAddr);
    if (from % 32 != 0) fault("K4", MF_HERE, "LoadAlign: the address %u is not a multiple of 32", from);
    if (traces != nullptr) return traces->add(Mode::Read, from, sizeof(T));
    std::memcpy(dstReg.values, local(Space::Ub, from), VECTOR_REG_WIDTH);
}
template <typename T = DefaultType, PostLiteral postMode, LoadDist dist = LoadDist::DIST_NORM, typename U>
__simd_callee__ inline void LoadAlign(U &dstReg, __ubuf__ T *&srcAddr, int32_t postUpdateStride) {
    LoadAlign(dstReg, postMode == PostLiteral::POST_MODE_UPDATE ? srcAddr : srcAddr + postUpdateStride);
    if (postMode == PostLiteral::POST_MODE_UPDATE) srcAddr += postUpdateStride;
}
template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename U>
__simd_callee__ inline void StoreAlign(__ubuf__ T *dstAddr, U &srcReg, MaskReg &mask) {
    using namespace mf::emulation;
    using E = typename U::ActualT;
    static_assert(sizeof(T) == sizeof(E), "StoreAlign: the pointer is to elements as the register's are");
    const uint32_t to = ub_offset(dstAddr);
    if (to % 32 != 0) fault("K4", MF_HERE, "StoreAlign: the address %u is not a multiple of 32", to);
    for (uint32_t i = 0; i < U::COUNT; ++i) {
        if (!mask.has<E>(i)) continue;
        uint32_t last = i + 1;
        while (last < U::COUNT && mask.has<E>(last)) ++last;
        const uint32_t at = to + i * static_cast<uint32_t>(sizeof(E)), bytes = (last - i) * static_cast<uint32_t>(sizeof(E));
        if (traces != nullptr)
            traces->add(Mode::Write, at, bytes);
        else
            std::memcpy(local(Space::Ub, at), &srcReg.values[i], bytes);
        i = last;
    }
}
template <typename T = DefaultType, PostLiteral postMode, StoreDist dist = StoreDist::DIST_NORM, typename U>
__simd_callee__ inline void StoreAlign(__ubuf__ T *&dstAddr, U &srcReg, int32_t postUpdateStride, MaskReg &mask) {
    StoreAlign(postMode == PostLiteral::POST_MODE_UPDATE ? dstAddr : dstAddr + postUpdateStride, srcReg, mask);
    if (postMode == PostLiteral::POST_MODE_UPDATE) dstAddr += postUpdateStride;
}
// Order between loads and stores of a function; here they are in order.
template <MemType src, MemType dst> __simd_callee__ inline void LocalMemBar() {}

// Elements that the mask leaves out are 0, or with MERGING as they were.
template <MaskMergeMode mode, typename S, typename Body> inline void mf_each(S &dst, const MaskReg &mask, Body body) {
    using E = typename S::ActualT;
    for (uint32_t i = 0; i < S::COUNT; ++i) {
        if (mask.has<E>(i))
            mf::emulation::set_element<E>(reinterpret_cast<uint8_t *>(dst.values), i, body(i));
        else if (mode != MaskMergeMode::MERGING)
            dst.values[i] = E{};
    }
}
template <typename S> inline auto mf_element(const S &reg, uint32_t i) {
    return mf::emulation::element<typename S::ActualT>(reinterpret_cast<const uint8_t *>(reg.values), i);
}

template <typename T = DefaultType, typename U, typename S> __simd_callee__ inline void Duplicate(S &dstReg, U scalarValue) {
    for (auto &value : dstReg.values) value = static_cast<typename S::ActualT>(scalarValue);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U, typename S>
__simd_callee__ inline void Duplicate(S &dstReg, U scalarValue, MaskReg &mask) {
    mf_each<mode>(dstReg, mask, [&](uint32_t) { return static_cast<typename S::ActualT>(scalarValue); });
}

#define MF_REGISTERS_TWO(NAME, EXPRESSION)                                                                             \
    template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>                       \
    __simd_callee__ inline void NAME(U &dstReg, U &srcReg0, U &srcReg1, MaskReg &mask) {                               \
        const U a = srcReg0, b = srcReg1;                                                                              \
        mf_each<mode>(dstReg, mask, [&](uint32_t i) {                                                                  \
            const auto x = mf_element(a, i), y = mf_element(b, i);                                                     \
            using N = std::remove_const_t<decltype(x)>;                                                                \
            (void)sizeof(N);                                                                                           \
            return EXPRESSION;                                                                                         \
        });                                                                                                            \
    }
#define MF_WRAPPED(SIGN) mf::emulation::wrapped<N>(x, y, [](auto p, auto q) { return p SIGN q; })
MF_REGISTERS_TWO(Add, MF_WRAPPED(+))
MF_REGISTERS_TWO(Sub, MF_WRAPPED(-))
MF_REGISTERS_TWO(Mul, MF_WRAPPED(*))
MF_REGISTERS_TWO(Div, static_cast<N>(x / y))
MF_REGISTERS_TWO(Max, (x > y ? x : y))
MF_REGISTERS_TWO(Min, (x < y ? x : y))
#undef MF_REGISTERS_TWO
#define MF_REGISTERS_NUMBER(NAME, EXPRESSION)                                                                          \
    template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S>           \
    __simd_callee__ inline void NAME(S &dstReg, S &srcReg, U scalarValue, MaskReg &mask) {                             \
        const S a = srcReg;                                                                                            \
        using N = decltype(mf_element(a, 0));                                                                          \
        const N y = static_cast<N>(scalarValue);                                                                       \
        mf_each<mode>(dstReg, mask, [&](uint32_t i) {                                                                  \
            const N x = mf_element(a, i);                                                                              \
            return EXPRESSION;                                                                                         \
        });                                                                                                            \
    }
MF_REGISTERS_NUMBER(Adds, MF_WRAPPED(+))
MF_REGISTERS_NUMBER(Muls, MF_WRAPPED(*))
MF_REGISTERS_NUMBER(Maxs, (x > y ? x : y))
MF_REGISTERS_NUMBER(Mins, (x < y ? x : y))
MF_REGISTERS_NUMBER(LeakyRelu, (x > 0 ? x : static_cast<N>(x * y)))
#undef MF_REGISTERS_NUMBER
#undef MF_WRAPPED
#define MF_REGISTERS_ONE(NAME, EXPRESSION)                                                                             \
    template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>                       \
    __simd_callee__ inline void NAME(U &dstReg, U &srcReg, MaskReg &mask) {                                            \
        const U a = srcReg;                                                                                            \
        mf_each<mode>(dstReg, mask, [&](uint32_t i) {                                                                  \
            const auto x = mf_element(a, i);                                                                           \
            return EXPRESSION;                                                                                         \
        });                                                                                                            \
    }
MF_REGISTERS_ONE(Abs, static_cast<std::remove_const_t<decltype(x)>>(x < 0 ? -x : x))
MF_REGISTERS_ONE(Exp, std::exp(static_cast<double>(x)))
MF_REGISTERS_ONE(Log, std::log(static_cast<double>(x)))
#undef MF_REGISTERS_ONE

// The sum, the greatest or the least of the elements that count, in the first element.
template <ReduceType type = ReduceType::SUM, typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>
__simd_callee__ inline void Reduce(S &dstReg, V srcReg, MaskReg mask) {
    double all = 0;
    bool is_first = true;
    for (uint32_t i = 0; i < V::COUNT; ++i) {
        if (!mask.has<typename V::ActualT>(i)) continue;
        const double value = static_cast<double>(mf_element(srcReg, i));
        if (is_first)
            all = value;
        else if (type == ReduceType::SUM)
            all += value;
        else
            all = (type == ReduceType::MAX) == (value > all) ? value : all;
        is_first = false;
    }
    if (mode != MaskMergeMode::MERGING) dstReg = S{};
    dstReg.values[0] = static_cast<typename S::ActualT>(all);
}

} // namespace AscendC::Reg

namespace AscendC {
// The older name.
namespace MicroAPI = Reg;
} // namespace AscendC

namespace mf::emulation {

template <typename Function, typename... Arguments>
inline void call_registers(Site at, Function *function, const Arguments &...arguments) {
    static_assert((std::is_trivially_copyable_v<Arguments> && ...), "a function of registers takes pointers and values");
    Traces found;
    {
        const struct Tracing {
            explicit Tracing(Traces *own) { traces = own; }
            ~Tracing() { traces = nullptr; }
        } tracing(&found);
        function(arguments...);
    }
    Touched touched({"asc_vf_call", at});
    found.check_in(touched);
    touched.run([=] { function(arguments...); });
}

} // namespace mf::emulation

// A fault names the place of the kernel's preceding call: behind a parameter pack there is no room for
// another parameter. Functions of threads, whose call begins with the number of threads, are separate.
template <auto funcPtr, typename... Args, std::enable_if_t<std::is_invocable_v<decltype(funcPtr), Args...>, int> = 0>
__aicore__ inline void asc_vf_call(Args &&...args) {
    mf::emulation::call_registers(mf::emulation::latest_place(), funcPtr, std::decay_t<Args>(args)...);
}

#endif
