// SPDX-License-Identifier: Apache-2.0 OR MIT
// Softmax of rows of half, calculated in float by registers, with queues; and quantised to bytes by a block
// of register code. Compared with plain C++.
#include "kernel_operator.h"
#include "sample.h"

#if __NPU_ARCH__ == 3510
using namespace AscendC;

namespace {

constexpr uint32_t ROWS = 24, WIDTH = 100, ROW = 128; // in memory each row has 128 elements
constexpr uint32_t AT_ONCE = 8, LANES = 64;

constexpr Reg::CastTrait WIDEN = {Reg::RegLayout::ZERO, Reg::SatMode::UNKNOWN, Reg::MaskMergeMode::ZEROING, RoundMode::CAST_NONE};
constexpr Reg::CastTrait NARROW = {Reg::RegLayout::ZERO, Reg::SatMode::NO_SAT, Reg::MaskMergeMode::ZEROING, RoundMode::CAST_RINT};
constexpr Reg::CastTrait TO_BYTES = {Reg::RegLayout::ZERO, Reg::SatMode::SAT, Reg::MaskMergeMode::ZEROING, RoundMode::CAST_RINT};

__simd_vf__ inline void softmax_rows(__ubuf__ half *to, __ubuf__ half *from, __ubuf__ float *between, uint16_t rows, uint32_t width)
{
    Reg::RegTensor<half> half_row;
    Reg::RegTensor<float> row, most, sum, part;
    Reg::MaskReg first = Reg::CreateMask<float, Reg::MaskPattern::VL1>(), all = Reg::CreateMask<float>();
    const uint16_t pieces = static_cast<uint16_t>((width + LANES - 1) / LANES);
    for (uint16_t i = 0; i < rows; i++) {
        Reg::Duplicate(most, -65504.0f);
        uint32_t left = width;
        for (uint16_t piece = 0; piece < pieces; piece++) {
            Reg::MaskReg mask = Reg::UpdateMask<float>(left);
            Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(half_row, from + i * ROW + piece * LANES);
            Reg::Cast<float, half, WIDEN>(row, half_row, mask);
            Reg::Reduce<ReduceType::MAX>(part, row, mask);
            Reg::Max<float, Reg::MaskMergeMode::MERGING>(most, most, part, first);
        }
        Reg::Duplicate(most, most, all);
        Reg::Duplicate(sum, 0.0f);
        left = width;
        for (uint16_t piece = 0; piece < pieces; piece++) {
            Reg::MaskReg mask = Reg::UpdateMask<float>(left);
            Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(half_row, from + i * ROW + piece * LANES);
            Reg::Cast<float, half, WIDEN>(row, half_row, mask);
            Reg::FusedExpSub(row, row, most, mask);
            Reg::StoreAlign<float, Reg::StoreDist::DIST_NORM_B32>(between + piece * LANES, row, mask);
            Reg::Add(sum, sum, row, all);
        }
        Reg::Reduce<ReduceType::SUM>(part, sum, all);
        Reg::Duplicate(sum, part, all);
        Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
        left = width;
        for (uint16_t piece = 0; piece < pieces; piece++) {
            Reg::MaskReg mask = Reg::UpdateMask<float>(left);
            Reg::LoadAlign(row, between + piece * LANES);
            Reg::Div(row, row, sum, mask);
            Reg::Cast<half, float, NARROW>(half_row, row, mask);
            Reg::StoreAlign<half, Reg::StoreDist::DIST_PACK_B32>(to + i * ROW + piece * LANES, half_row, mask);
        }
        Reg::LocalMemBar<Reg::MemType::VEC_LOAD, Reg::MemType::VEC_STORE>();
    }
}

class Softmax {
  public:
    __aicore__ inline void Init(TPipe &pipe, GM_ADDR from, GM_ADDR to)
    {
        source.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(from), ROWS * ROW);
        result.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(to), ROWS * ROW);
        pipe.InitBuffer(in, 2, AT_ONCE * ROW * sizeof(half));
        pipe.InitBuffer(out, 2, AT_ONCE * ROW * sizeof(half));
        pipe.InitBuffer(between, ROW * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t row = GetBlockIdx() * AT_ONCE; row < ROWS; row += GetBlockNum() * AT_ONCE) {
            LocalTensor<half> x = in.AllocTensor<half>();
            DataCopy(x, source[row * ROW], AT_ONCE * ROW);
            in.EnQue(x);
            Compute();
            LocalTensor<half> y = out.DeQue<half>();
            DataCopy(result[row * ROW], y, AT_ONCE * ROW);
            out.FreeTensor(y);
        }
    }

  private:
    __aicore__ inline void Compute()
    {
        LocalTensor<half> x = in.DeQue<half>();
        LocalTensor<half> y = out.AllocTensor<half>();
        Duplicate(y, half(0), AT_ONCE * ROW);
        asc_vf_call<softmax_rows>(reinterpret_cast<__ubuf__ half *>(y.GetPhyAddr()), reinterpret_cast<__ubuf__ half *>(x.GetPhyAddr()),
                                  reinterpret_cast<__ubuf__ float *>(between.Get<float>().GetPhyAddr()), uint16_t{AT_ONCE}, uint32_t{WIDTH});
        out.EnQue(y);
        in.FreeTensor(x);
    }

    GlobalTensor<half> source, result;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> between;
};

__global__ __vector__ void softmax(GM_ADDR from, GM_ADDR to)
{
    TPipe pipe;
    Softmax op;
    op.Init(pipe, from, to);
    op.Process();
}

// Floats times a factor of their row, as bytes; by the older names.
__global__ __vector__ void quantised(GM_ADDR from, GM_ADDR factors, GM_ADDR to)
{
    constexpr uint32_t COUNT = 256;
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 2048);
    LocalTensor<float> x = buffer.Get<float>(), scale = x[COUNT];
    LocalTensor<int8_t> y = buffer.GetWithOffset<int8_t>(COUNT, 1536);
    GlobalTensor<float> source, scales;
    GlobalTensor<int8_t> result;
    source.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(from), COUNT);
    scales.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(factors), 8);
    result.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t *>(to), COUNT);
    DataCopy(x, source, COUNT);
    DataCopy(scale, scales, 8);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    __local_mem__ float *place = reinterpret_cast<__local_mem__ float *>(x.GetPhyAddr());
    __local_mem__ float *factor = reinterpret_cast<__local_mem__ float *>(scale.GetPhyAddr());
    __local_mem__ int8_t *bytes = reinterpret_cast<__local_mem__ int8_t *>(y.GetPhyAddr());
    uint32_t left = COUNT;
    __VEC_SCOPE__
    {
        MicroAPI::RegTensor<float> value, scale_of_row;
        MicroAPI::RegTensor<half> middle;
        MicroAPI::RegTensor<int8_t> small;
        MicroAPI::MaskReg mask;
        for (uint16_t row = 0; row < 4; row++) {
            mask = MicroAPI::UpdateMask<float>(left);
            MicroAPI::DataCopy<float, MicroAPI::LoadDist::DIST_BRC_B32>(scale_of_row, factor + row);
            MicroAPI::DataCopy<float, MicroAPI::PostLiteral::POST_MODE_UPDATE>(value, place, LANES);
            MicroAPI::Mul(value, value, scale_of_row, mask);
            MicroAPI::Cast<half, float, NARROW>(middle, value, mask);
            MicroAPI::Cast<int8_t, half, TO_BYTES>(small, middle, mask);
            MicroAPI::DataCopy<int8_t, MicroAPI::PostLiteral::POST_MODE_UPDATE, MicroAPI::StoreDist::DIST_PACK4_B32>(bytes, small, LANES, mask);
        }
    }
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(result, y, COUNT);
}

} // namespace

extern "C" int sample_register_softmax(void *stream)
{
    std::vector<half> from;
    for (uint32_t i = 0; i < ROWS * ROW; i++)
        from.push_back(half(static_cast<float>(i * 37 % 101) / 32 - 1.5f));
    const sample::Array<half> source(from), result(std::vector<half>(ROWS * ROW, half(-1)));
    softmax<<<2, nullptr, stream>>>(source.get(), result.get());
    std::vector<double> sums(ROWS);
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t i = 0; i < WIDTH; i++)
            sums[row] += std::exp(static_cast<double>(float(from[row * ROW + i])));
    return sample::done(stream) && sample::check("softmax", result.values(), [&](size_t i) {
        return i % ROW < WIDTH ? static_cast<float>(std::exp(static_cast<double>(float(from[i]))) / sums[i / ROW]) : 0.0f;
    }, 1e-3) ? 0 : 1;
}

extern "C" int sample_register_quantised(void *stream)
{
    std::vector<float> from, factors;
    for (int i = 0; i < 256; i++)
        from.push_back(static_cast<float>(i % 97 - 48) / 2);
    for (int i = 0; i < 8; i++)
        factors.push_back(static_cast<float>(2 << i));
    const sample::Array<float> source(from), scales(factors);
    const sample::Array<int8_t> result(std::vector<int8_t>(256, 9));
    quantised<<<1, nullptr, stream>>>(source.get(), scales.get(), result.get());
    return sample::done(stream) && sample::check("quantised", result.values(), [&](size_t i) {
        return std::min(std::max(std::nearbyint(from[i] * factors[i / 64]), -128.0f), 127.0f);
    }) ? 0 : 1;
}
#endif
