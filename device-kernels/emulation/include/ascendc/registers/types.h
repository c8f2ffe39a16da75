// SPDX-License-Identifier: Apache-2.0 OR MIT
// Registers of the 950's vector unit: 256 bytes each, or 512 for types of 64 bits in two; masks with a bit
// for each byte; and the words by which calls choose.
#pragma once

#include "../arithmetic_forms.h"
#include "../reductions.h"
#include "../selection.h"

#include "../../../src/registers.h"

// A mask: an element counts by the bit of its first byte.
struct vector_bool {
    bool bytes[mf::emulation::REGISTER_BYTES] = {};
};
// An offset to an address, in bytes.
struct vector_address {
    uint32_t bytes = 0;
};

namespace AscendC {

enum class SpecialPurposeReg : int { AR = 0 };
// Bytes.
constexpr uint32_t VECTOR_REG_WIDTH = mf::emulation::REGISTER_BYTES;

} // namespace AscendC

namespace AscendC::Reg {

using ReduceType = AscendC::ReduceType;
using SpecialPurposeReg = AscendC::SpecialPurposeReg;
using MaskReg = vector_bool;
using AddrReg = vector_address;

using AscendC::VECTOR_REG_WIDTH;

enum class MaskPattern : int {
    ALL = 0, VL1 = 1, VL2 = 2, VL3 = 3, VL4 = 4, VL8 = 5, VL16 = 6, VL32 = 7, VL64 = 8, VL128 = 9, M3 = 10, M4 = 11, H = 12,
    Q = 13, ALLF = 15,
};
enum class PostLiteral : int { POST_MODE_NORMAL = 0, POST_MODE_UPDATE = 1 };
enum class MaskMergeMode : int { UNKNOWN = 0, MERGING = 1, ZEROING = 2 };
enum class MemType : int { VEC_STORE = 0, VEC_LOAD = 1, SCALAR_STORE = 2, SCALAR_LOAD = 3, VEC_ALL = 4, SCALAR_ALL = 5 };
enum class LoadDist : int {
    DIST_NORM = 0, DIST_BRC_B8 = 1, DIST_BRC_B16 = 2, DIST_BRC_B32 = 3, DIST_US_B8 = 6, DIST_US_B16 = 7, DIST_DS_B8 = 8,
    DIST_DS_B16 = 9, DIST_BDINTLV = 10, DIST_DINTLV_B8 = 11, DIST_DINTLV_B16 = 12, DIST_UNPACK_B8 = 13, DIST_UNPACK_B16 = 14,
    DIST_BLK = 15, DIST_E2B_B16 = 16, DIST_E2B_B32 = 17, DIST_UNPACK_B32 = 18, DIST_DINTLV_B32 = 19, DIST_UNPACK4_B8 = 20,
    DIST_SPLT4CHN_B8 = 21, DIST_SPLT2CHN_B8 = 22, DIST_SPLT2CHN_B16 = 23,
};
enum class StoreDist : int {
    DIST_NORM_B8 = 0, DIST_NORM_B16 = 1, DIST_NORM_B32 = 2, DIST_FIRST_ELEMENT_B8 = 3, DIST_FIRST_ELEMENT_B16 = 4,
    DIST_FIRST_ELEMENT_B32 = 5, DIST_PACK_B16 = 6, DIST_PACK_B32 = 7, DIST_INTLV_B8 = 8, DIST_INTLV_B16 = 9, DIST_PACK_B64 = 10,
    DIST_INTLV_B32 = 11, DIST_PACK4_B32 = 12, DIST_MRG4CHN_B8 = 13, DIST_MRG2CHN_B8 = 14, DIST_MRG2CHN_B16 = 15, DIST_NORM = 16,
};
enum class DataCopyMode : int { DATA_BLOCK_COPY = 0 };
enum class GatherMaskMode : int { NO_STORE_REG = 0, STORE_REG = 1 };
enum class HistogramsBinType : int { BIN0 = 0, BIN1 = 1, BIN2 = 2, BIN3 = 3, BIN4 = 4, BIN5 = 5, BIN6 = 6, BIN7 = 7 };
enum class HistogramsType : int { FREQUENCY = 0, ACCUMULATE = 1 };
enum class HighLowPart : int { LOWEST = 0, HIGHEST = 1 };
enum class MaskDist : int { DIST_NORM = 0, DIST_US = 1, DIST_DS = 2, DIST_PACK = 1 };
enum class IndexOrder : int { INCREASE_ORDER = 0, DECREASE_ORDER = 1 };
enum class PairReduce : int { SUM = 0 };
enum class RegLayout : int { UNKNOWN = -1, ZERO = 0, ONE = 1, TWO = 2, THREE = 3 };
enum class SatMode : int { UNKNOWN = -1, NO_SAT = 0, SAT = 1 };

// Conversion: the sub-element of a wider lane, and the rounding.
struct CastTrait {
    RegLayout layoutMode = RegLayout::ZERO;
    SatMode satMode = SatMode::NO_SAT;
    MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
    RoundMode roundMode = RoundMode::CAST_NONE;
};
inline constexpr CastTrait castTrait = {};

// Precision of a call; here always the host's mathematics, rounded once.
#define MF_SPECIFIC_MODE(NAME)                                                                                         \
    enum class NAME##Algo : int { INTRINSIC = 0 };                                                                     \
    struct NAME##SpecificMode {                                                                                        \
        MaskMergeMode mrgMode = MaskMergeMode::ZEROING;                                                                \
        bool precisionMode = false;                                                                                    \
        NAME##Algo algo = NAME##Algo::INTRINSIC;                                                                       \
    }
MF_SPECIFIC_MODE(Div);
MF_SPECIFIC_MODE(Exp);
MF_SPECIFIC_MODE(Ln);
MF_SPECIFIC_MODE(Log);
MF_SPECIFIC_MODE(Log2);
MF_SPECIFIC_MODE(Log10);
MF_SPECIFIC_MODE(Sqrt);
#undef MF_SPECIFIC_MODE

// Registers that a tensor register consists of; two are for types of 64 bits.
struct RegTrait {
    int REG_NUM = 1;
};
inline constexpr RegTrait RegTraitNumOne = {1};
inline constexpr RegTrait RegTraitNumTwo = {2};
struct DefaultType {};

template <typename T, const RegTrait &regTrait = RegTraitNumOne> struct RegTensor {
    using ActualT = T;
    static constexpr const RegTrait &trait = regTrait;
    static constexpr int REG_NUM = regTrait.REG_NUM;
    static_assert(REG_NUM == 1 || (REG_NUM == 2 && sizeof(T) == 8), "two registers are for types of 64 bits");
    static constexpr uint32_t BYTES = VECTOR_REG_WIDTH * REG_NUM;
    static constexpr uint32_t COUNT = BYTES / sizeof(T);
    // Bits of a mask for each element.
    static constexpr uint32_t STEP = VECTOR_REG_WIDTH / COUNT;
    T values[COUNT] = {};
};

} // namespace AscendC::Reg

namespace AscendC {
// The older name.
namespace MicroAPI = Reg;
} // namespace AscendC

namespace mf::emulation {

using AscendC::Reg::MaskMergeMode;
using AscendC::Reg::MaskReg;

// If the mask has an element of a register like `S`.
template <typename S> inline bool is_active(const MaskReg &mask, uint32_t element) { return mask.bytes[element * S::STEP]; }

template <typename S> inline auto element_of(const S &reg, uint32_t i) {
    return element<typename S::ActualT>(reinterpret_cast<const uint8_t *>(reg.values), i);
}
template <typename S, typename Value> inline void set_element_of(S &reg, uint32_t i, Value value) {
    set_element<typename S::ActualT>(reinterpret_cast<uint8_t *>(reg.values), i, value);
}

// Elements that the mask leaves out are 0, or with MERGING as they were.
template <MaskMergeMode mode, typename S, typename Body> inline void each_active(S &dst, const MaskReg &mask, Body body) {
    for (uint32_t i = 0; i < S::COUNT; ++i) {
        if (is_active<S>(mask, i))
            set_element_of(dst, i, body(i));
        else if (mode != MaskMergeMode::MERGING)
            std::memset(&dst.values[i], 0, sizeof dst.values[i]);
    }
}

// A mode that is a word, or the address of a structure which has one.
template <auto mode> constexpr MaskMergeMode merge_mode_of() {
    if constexpr (std::is_pointer_v<decltype(mode)>)
        return mode->mrgMode;
    else
        return mode;
}

// The type that a call names, which is the register's or left out.
template <typename T, typename U>
constexpr bool is_named = std::is_same_v<T, AscendC::Reg::DefaultType> || sizeof(T) == sizeof(U);

template <typename V> inline V fused(V x, V y, V z) {
    if constexpr (std::is_floating_point_v<V>)
        return std::fma(x, y, z);
    else
        return static_cast<V>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y) + static_cast<uint64_t>(z));
}
// Integers: towards zero; by zero all bits set.
template <typename V> inline V quotient(V x, V y) {
    if constexpr (std::is_integral_v<V>) {
        if (y == 0) return static_cast<V>(~V{0});
        if (std::is_signed_v<V> && y == static_cast<V>(-1)) return static_cast<V>(0 - static_cast<uint64_t>(x));
    }
    return static_cast<V>(x / y);
}

// The order of two elements as the vector unit has it: NaN wins, and of two zeros the positive one is
// greater.
template <typename V> inline V greater_of(V x, V y) {
    if constexpr (std::is_floating_point_v<V>) {
        if (x != x || y != y) return x + y;
        if (x == y) return std::signbit(x) ? y : x;
    }
    return x > y ? x : y;
}
template <typename V> inline V lesser_of(V x, V y) {
    if constexpr (std::is_floating_point_v<V>) {
        if (x != x || y != y) return x + y;
        if (x == y) return std::signbit(x) ? x : y;
    }
    return x < y ? x : y;
}

} // namespace mf::emulation
