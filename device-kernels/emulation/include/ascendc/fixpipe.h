// SPDX-License-Identifier: Apache-2.0 OR MIT
// Fixpipe: the sums of CO1 to global memory, L1 or (950) the unified buffers of the block, as rows, columns
// or fractals, in another type.
#pragma once

#include "cube_engine.h"

namespace AscendC {

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR = 1, COLUMN_MAJOR = 2 };
struct FixpipeConfig {
    CO2Layout format = CO2Layout::ROW_MAJOR;
#if MF_NPU_ARCH == 3510
    bool isToUB = false;
#endif

    constexpr FixpipeConfig() = default;
    constexpr FixpipeConfig(CO2Layout format_) : format(format_) {}
#if MF_NPU_ARCH == 3510
    constexpr FixpipeConfig(CO2Layout format_, bool isToUB_) : format(format_), isToUB(isToUB_) {}
#endif
};
constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};
constexpr FixpipeConfig CFG_COLUMN_MAJOR = {CO2Layout::COLUMN_MAJOR};

} // namespace AscendC

// Conversion of numbers by Fixpipe, to the nearest, halves to even, integers kept inside their range.
// Supported here: NoQuant; F322F16, F322BF16; with a factor for all (DEQF16, REQ8, QF322B8_PRE) or for each
// column (VDEQF16, VREQ8, VQF322B8_PRE).
enum QuantMode_t {
    NoQuant = 0,
    F322F16 = 1,
    AttachF16Mul = 6,
    VREQ8 = 8,
    REQ8 = 9,
    VDEQF16 = 10,
    DEQF16 = 11,
    VSHIFTS322S16 = 12,
    SHIFTS322S16 = 13,
    F322BF16 = 16,
    VQF162B8_PRE = 17,
    QF162B8_PRE = 18,
    VQF162S4_PRE = 19,
    QF162S4_PRE = 20,
    VREQ4 = 21,
    REQ4 = 22,
    VQF322B8_PRE = 23,
    QF322B8_PRE = 24,
    VQF322S4_PRE = 25,
    QF322S4_PRE = 26,
    VDEQS16 = 27,
    DEQS16 = 28,
    VQF162S16_PRE = 29,
    QF162S16_PRE = 30,
    // Of the 950; the names with V have a factor for each column.
    VQF322F32_PRE = 14,
    QF322F32_PRE = 15,
    VQF322F16_PRE = 31,
    QF322F16_PRE = 32,
    VQF322BF16_PRE = 33,
    QF322BF16_PRE = 34,
    VQS322BF16_PRE = 35,
    QS322BF16_PRE = 36,
};

namespace AscendC {

struct FixpipeParamsV220 {
    uint16_t nSize = 0; // columns, a multiple of 16 (isChannelSplit: 8) to 4095; 0: nothing happens
    uint16_t mSize = 0; // rows, to 8192 (as fractals 65535); 0: nothing happens
    // From a column of fractals to the next in CO1, in rows of 16 elements: rows of the whole matrix.
    uint16_t srcStride = 0;
    // From a row to the next in the destination, in elements; from a column of fractals, in 32 bytes.
    uint32_t dstStride = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar;     // the factor for all: the bits of a float
    uint16_t ndNum = 1;     // matrices, for rows
    uint16_t srcNdStride = 0; // from one to the next in CO1, in fractals
    uint16_t dstNdStride = 0; // in the destination, in elements
    bool reluEn = false; // what is below 0 becomes 0
    uint8_t unitFlag = 0; // as of MmadParams
    bool isChannelSplit = false; // fractals of float with 8 columns

    FixpipeParamsV220() {}
    FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn, bool reluEnIn)
        : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn), reluEn(reluEnIn) {}
    FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn, bool reluEnIn,
                      QuantMode_t quantPreIn, uint64_t deqScalarIn, uint16_t ndNumIn, uint16_t srcNdStrideIn,
                      uint16_t dstNdStrideIn, uint8_t unitFlagIn)
        : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn), quantPre(quantPreIn),
          deqScalar(deqScalarIn), ndNum(ndNumIn), srcNdStride(srcNdStrideIn), dstNdStride(dstNdStrideIn),
          reluEn(reluEnIn), unitFlag(unitFlagIn) {}
    FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn, bool reluEnIn,
                      QuantMode_t quantPreIn, uint64_t deqScalarIn, uint16_t ndNumIn, uint16_t srcNdStrideIn,
                      uint16_t dstNdStrideIn, uint8_t unitFlagIn, bool isChannelSplitIn)
        : FixpipeParamsV220(nSizeIn, mSizeIn, srcStrideIn, dstStrideIn, reluEnIn, quantPreIn, deqScalarIn, ndNumIn,
                            srcNdStrideIn, dstNdStrideIn, unitFlagIn) {
        isChannelSplit = isChannelSplitIn;
    }
};

} // namespace AscendC

namespace AscendC {

#if MF_NPU_ARCH == 3510
// Further members of the parameters for a format.
struct Nz2NdParams {
    uint16_t ndNum = 1;       // matrices
    uint16_t srcNdStride = 0; // from one to the next in CO1, in rows of 16 elements
    uint32_t dstNdStride = 0; // in the destination, in elements
};
struct Nz2DnParams {};
template <CO2Layout format> struct TransformParams {
    using PARAMS = uint8_t;
};
template <> struct TransformParams<CO2Layout::ROW_MAJOR> {
    using PARAMS = Nz2NdParams;
};
template <> struct TransformParams<CO2Layout::COLUMN_MAJOR> {
    using PARAMS = Nz2DnParams;
};
// Only these are supported here.
enum class ReluMode : uint8_t { NO_RELU = 0 };
enum class ClipReluMode : uint8_t { NOCLIP_RELU = 0 };

template <CO2Layout format = CO2Layout::ROW_MAJOR> struct FixpipeParamsArch3510 {
    ReluMode preReluMode = ReluMode::NO_RELU;
    ClipReluMode preClipReluMode = ClipReluMode::NOCLIP_RELU;
    uint64_t reluScalar;
    uint64_t vectorRelu;
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint16_t srcStride = 0;
    uint32_t dstStride = 0; // COLUMN_MAJOR: from a column to the next, in elements
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar;
    bool reluEn = false;
    uint8_t unitFlag = 0;
    uint8_t dualDstCtl = 0;  // to the unified buffer: 1 half of the rows to each vector core, 2 half of the columns
    bool subBlockId = false; // else the vector core
    typename TransformParams<format>::PARAMS params{};
    bool isChannelSplit = false;

    FixpipeParamsArch3510() {}
    FixpipeParamsArch3510(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn)
        : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn) {}
};
template <CO2Layout format = CO2Layout::ROW_MAJOR> struct FixpipeParamsC310 : FixpipeParamsArch3510<format> {
    using FixpipeParamsArch3510<format>::FixpipeParamsArch3510;
};
#endif

} // namespace AscendC

namespace mf::emulation {

template <QuantMode_t... modes> constexpr bool is_one_of(QuantMode_t mode) { return ((mode == modes) || ...); }
constexpr bool multiplies(QuantMode_t mode) {
    return is_one_of<DEQF16, REQ8, QF322B8_PRE, QF322F32_PRE, QF322F16_PRE, QF322BF16_PRE, QS322BF16_PRE>(mode);
}
constexpr bool multiplies_columns(QuantMode_t mode) {
    return is_one_of<VDEQF16, VREQ8, VQF322B8_PRE, VQF322F32_PRE, VQF322F16_PRE, VQF322BF16_PRE, VQS322BF16_PRE>(mode);
}
constexpr DrainedTo drained_to(AscendC::CO2Layout format) {
    return format == AscendC::CO2Layout::NZ          ? DrainedTo::Fractals
           : format == AscendC::CO2Layout::ROW_MAJOR ? DrainedTo::Rows
                                                     : DrainedTo::Columns;
}
template <typename T, typename U>
constexpr bool is_drained = (std::is_same_v<U, int32_t> && (std::is_same_v<T, int32_t> || std::is_same_v<T, half>)) ||
                            (std::is_same_v<U, float> &&
                             (std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>)) ||
                            ((std::is_same_v<U, float> || std::is_same_v<U, int32_t>) &&
                             (std::is_same_v<T, int8_t> || std::is_same_v<T, uint8_t>)) ||
                            (IS_950 && std::is_same_v<U, int32_t> && std::is_same_v<T, bfloat16_t>);

// Begins a drain with the fields common to all parameters of Fixpipe.
template <typename Params> Drain drain_base(const Params &p, AscendC::CO2Layout format) {
    Drain drain = {"Fixpipe",  drained_to(format), p.nSize, p.mSize, p.srcStride, p.dstStride, 1, 0, 0, p.quantPre, 0, {},
                   FactorFrom::None, p.reluEn, p.isChannelSplit, p.unitFlag};
    if (multiplies(p.quantPre)) {
        drain.from = FactorFrom::Number;
        drain.factor = p.deqScalar;
    }
    return drain;
}
inline Drain drain_of(const AscendC::FixpipeParamsV220 &p, AscendC::CO2Layout format, Site) {
    Drain drain = drain_base(p, format);
    drain.matrices = p.ndNum;
    // A fractal; on the 950 a row of 16 elements.
    drain.source_matrix = p.srcNdStride * uint64_t{IS_950 ? 64 : 1024};
    drain.matrix = p.dstNdStride;
    return drain;
}
#if MF_NPU_ARCH == 3510
template <AscendC::CO2Layout format>
Drain drain_of(const AscendC::FixpipeParamsArch3510<format> &p, AscendC::CO2Layout, Site at) {
    if (p.dualDstCtl > 2) fault("K6", at, "Fixpipe: dualDstCtl is %u, must be 0 to 2", p.dualDstCtl);
    Drain drain = drain_base(p, format);
    drain.halves = p.dualDstCtl;
    drain.vector = p.subBlockId ? 1 : 0;
    if constexpr (format == AscendC::CO2Layout::ROW_MAJOR) {
        drain.matrices = p.params.ndNum;
        drain.source_matrix = p.params.srcNdStride * uint64_t{64};
        drain.matrix = p.params.dstNdStride;
    }
    return drain;
}
#endif

template <const AscendC::FixpipeConfig &config> inline bool is_to_ub() {
#if MF_NPU_ARCH == 3510
    if constexpr (config.isToUB) return drains_to_ub<>;
#endif
    return false;
}

} // namespace mf::emulation

namespace AscendC {

// Follows SetAtomicAdd and its like, to global memory. `cbufWorkspace`: the factors of the columns, 8 bytes
// each, in L1.
#define MF_FIXPIPE(TO, PARAMS)                                                                                         \
    template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR>                                     \
    __aicore__ inline void Fixpipe(const TO<T> &dst, const LocalTensor<U> &src, const PARAMS &intriParams,             \
                                   mf::emulation::Site at = MF_HERE) {                                                 \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_drained<T, U>, "Fixpipe: there is no such conversion here");                                  \
        Drain drain = drain_of(intriParams, config.format, at);                                                        \
        drain.to_ub = is_to_ub<config>();                                                                              \
        cube_drain(dst, TypeOf<T>::type, src, TypeOf<U>::type, drain, at);                                             \
    }                                                                                                                  \
    template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR, typename S = uint64_t,              \
              std::enable_if_t<std::is_same_v<S, uint64_t>, int> = 0>                                                  \
    __aicore__ inline void Fixpipe(const TO<T> &dst, const LocalTensor<U> &src, const LocalTensor<S> &cbufWorkspace,   \
                                   const PARAMS &intriParams, mf::emulation::Site at = MF_HERE) {                      \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_drained<T, U>, "Fixpipe: there is no such conversion here");                                  \
        Drain drain = drain_of(intriParams, config.format, at);                                                        \
        drain.to_ub = is_to_ub<config>();                                                                              \
        drain.from = FactorFrom::Tensor;                                                                               \
        drain.factors = cbufWorkspace;                                                                                 \
        cube_drain(dst, TypeOf<T>::type, src, TypeOf<U>::type, drain, at);                                             \
    }
MF_FIXPIPE(GlobalTensor, FixpipeParamsV220)
MF_FIXPIPE(LocalTensor, FixpipeParamsV220)
#if MF_NPU_ARCH == 3510
MF_FIXPIPE(GlobalTensor, FixpipeParamsArch3510<config.format>)
MF_FIXPIPE(LocalTensor, FixpipeParamsArch3510<config.format>)
#endif
#undef MF_FIXPIPE

// Settings of DataCopy with DataCopyCO12DstParams: the factor for all, and the matrices, srcNdStride as in
// the parameters of Fixpipe.
__aicore__ inline void SetFixpipePreQuantFlag(uint64_t config) { mf::emulation::registers().fixpipe.factor = config; }
__aicore__ inline void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride) {
    mf::emulation::FixpipeSettings &settings = mf::emulation::registers().fixpipe;
    settings.matrices = ndNum;
    settings.source_step = srcNdStride * (mf::emulation::IS_950 ? 64u : 1024u);
    settings.destination_step = dstNdStride;
}
// The factors of the columns, in the buffer of Fixpipe (C2PIPE2GM).
template <typename T, bool setRelu = false>
__aicore__ inline void SetFixPipeConfig(const LocalTensor<T> &preData, bool isUnitFlag = false,
                                        mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(!setRelu, "SetFixPipeConfig: relu by a tensor does not exist here");
    (void)isUnitFlag;
    const LocalRange range = preData;
    if (range.space != Space::FixpipeTable)
        fault("K6", at, "SetFixPipeConfig: the tensor is not in the buffer of Fixpipe (C2PIPE2GM)");
    check_local("SetFixPipeConfig", "preData", range, 0, 64, at);
    registers().fixpipe.table = range.offset;
    registers().fixpipe.has_table = true;
}

} // namespace AscendC
