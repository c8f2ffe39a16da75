// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels of the vector calls: correct ones, with results for the test to compare, and wrong ones, one
// mistake per number.
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr uint32_t PART = 4096; // bytes of each operand and result, in memory and in the unified buffer

// `part` of the memory, to the unified buffer and back.
struct Core {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    GM_ADDR memory;

    __aicore__ explicit Core(GM_ADDR at) : memory(at) { pipe.InitBuffer(buffer, 20 * PART); }

    template <typename T> __aicore__ LocalTensor<T> part(uint32_t index)
    {
        return buffer.GetWithOffset<T>(PART / sizeof(T), index * PART);
    }
    template <typename T> __aicore__ GlobalTensor<T> global(uint32_t index)
    {
        GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(memory + index * PART), PART / sizeof(T));
        return tensor;
    }
    template <typename T> __aicore__ LocalTensor<T> read(uint32_t index)
    {
        const LocalTensor<T> tensor = part<T>(index);
        DataCopy(tensor, global<T>(index), PART / sizeof(T));
        return tensor;
    }
    __aicore__ void were_read()
    {
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    }
    // Everything from part 2 on.
    __aicore__ void write(uint32_t parts)
    {
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        for (uint32_t index = 2; index < parts; index++) {
            DataCopy(global<float>(index), part<float>(index), PART / sizeof(float));
        }
        PipeBarrier<PIPE_ALL>();
    }
    // Results are copied as a whole: nothing of them may be unwritten.
    __aicore__ void clear(uint32_t parts)
    {
        Duplicate(buffer.GetWithOffset<float>((parts - 2) * PART / sizeof(float), 2 * PART), -1.0f,
                  static_cast<int32_t>((parts - 2) * PART / sizeof(float)));
        PipeBarrier<PIPE_V>();
    }
};

} // namespace

// Parts 0 and 1 are operands; results from part 2 on, of `count` elements each, in a field of -1.
extern "C" __global__ __aicore__ void by_count(GM_ADDR memory, uint32_t elements)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    const int32_t count = static_cast<int32_t>(elements);
    const LocalTensor<float> a = core.read<float>(0), b = core.read<float>(1);
    core.clear(17);
    core.were_read();
    Add(core.part<float>(2), a, b, count);
    Sub(core.part<float>(3), a, b, count);
    Mul(core.part<float>(4), a, b, count);
    Max(core.part<float>(5), a, b, count);
    Min(core.part<float>(6), a, b, count);
    Adds(core.part<float>(7), a, 3.0f, count);
    Muls(core.part<float>(8), a, -2.0f, count);
    Duplicate(core.part<float>(9), 7.0f, count);
    Adds(core.part<float>(10), a, 0.0f, count);
    Cast(core.part<int32_t>(11), a, RoundMode::CAST_RINT, elements);
    Cast(core.part<half>(12), a, RoundMode::CAST_NONE, elements);
    ReduceSum(core.part<float>(13), a, core.part<float>(17), count);
    ReduceMax(core.part<float>(14), a, core.part<float>(18), count, true);
    And(core.part<uint16_t>(15), a.ReinterpretCast<uint16_t>(), b.ReinterpretCast<uint16_t>(), count);
    Or(core.part<int16_t>(16), a.ReinterpretCast<int16_t>(), b.ReinterpretCast<int16_t>(), count);
    core.write(17);
}
// Part 0 as halves, in its own place, to part 2.
extern "C" __global__ __aicore__ void narrowed(GM_ADDR memory, uint32_t elements)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    const LocalTensor<float> wide = core.read<float>(0);
    const LocalTensor<half> narrow = wide.ReinterpretCast<half>();
    core.were_read();
    Cast(narrow, wide, RoundMode::CAST_NONE, elements);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(core.global<half>(2), narrow, elements);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(by_count, GM_ADDR, uint32_t)

// The same operands by masks and strides.
extern "C" __global__ __aicore__ void by_mask(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    const LocalTensor<float> a = core.read<float>(0), b = core.read<float>(1);
    core.clear(8);
    core.were_read();
    // The first 40 of 64, four times; the second operand always from the same 256 bytes.
    Add(core.part<float>(2), a, b, 40, 4, BinaryRepeatParams{1, 1, 1, 8, 8, 0});
    // Every other block of the destination.
    Muls(core.part<float>(3), a, 2.0f, 32, 3, UnaryRepeatParams{2, 1, 16, 8});
    // Elements 1, 2 and 63.
    const uint64_t bits[2] = {1ull << 63 | 6, 0};
    Copy(core.part<float>(4), a, bits, 2, CopyRepeatParams{1, 1, 8, 8});
    // 64 elements of 4 and of 2 bytes a repeat; the halves packed.
    Cast(core.part<half>(5), a, RoundMode::CAST_RINT, 64, 2, UnaryRepeatParams{1, 1, 4, 8});
    Duplicate(core.part<half>(6), half(5), 100, 2, 1, 8);
    // In place, twice: the second depends on the first.
    Adds(core.part<float>(7), core.part<float>(7), 2.0f, 64, 1, UnaryRepeatParams{1, 1, 8, 8});
    PipeBarrier<PIPE_V>();
    Adds(core.part<float>(7), core.part<float>(7), 2.0f, 8, 1, UnaryRepeatParams{1, 1, 8, 8});
    core.write(8);
}
MF_KERNEL(by_mask, GM_ADDR)

// Sizes of 0: nothing happens, not even where nothing was written.
extern "C" __global__ __aicore__ void nothing(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    const LocalTensor<float> a = core.part<float>(0), b = core.part<float>(1), c = core.part<float>(2);
    Add(c, a, b, 0);
    Add(c, a, b, 64, 0, BinaryRepeatParams());
    Muls(c, a, 2.0f, 0);
    Muls(c, a, 2.0f, 64, 0, UnaryRepeatParams());
    Duplicate(c, 1.0f, 0);
    Duplicate(c, 1.0f, 64, 0, 1, 8);
    Cast(core.part<half>(3), a, RoundMode::CAST_NONE, 0);
    Copy(c, a, 64, 0, CopyRepeatParams());
    ReduceSum(c, a, b, 0);
    ReduceMax(c, a, b, 0, true);
    DataCopy(c, core.global<float>(0), 0);
    DataCopy(core.global<float>(2), c, DataCopyParams());
    DataCopyPad(core.global<float>(2), c, DataCopyExtParams{0, 32, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(nothing, GM_ADDR)

extern "C" __global__ __aicore__ void wrong(GM_ADDR memory, uint32_t mistake)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    const LocalTensor<float> a = core.read<float>(0), b = core.read<float>(1), c = core.part<float>(2);
    const LocalTensor<half> h = core.part<half>(3);
    core.were_read();
    const BinaryRepeatParams strides;
    uint64_t too_high[2] = {1, 1}, empty[2] = {0, 0};
    switch (mistake) {
    case 0:
        Add(c, a, b, -1);
        break;
    case 1:
        Add(c, a, b, uint64_t{0}, 1, strides);
        break;
    case 2:
        Add(c, a, b, 65, 1, strides);
        break;
    case 3:
        Add(c, a, b, too_high, 1, strides);
        break;
    case 4:
        Add(c, a, b, empty, 1, strides);
        break;
    case 5:
        Add(a[8], a, b, 64);
        break;
    case 6:
        Cast(a, a.ReinterpretCast<half>(), RoundMode::CAST_NONE, 64);
        break;
    case 7:
        Cast(c.ReinterpretCast<int32_t>(), a, RoundMode::CAST_NONE, 64);
        break;
    case 8:
        Add(c[1], a, b, 64);
        break;
    case 9:
        Add(c, a, core.part<float>(19)[PART / 4 - 8], 64);
        break;
    case 10:
        ReduceSum(c, a, a[64], 256);
        break;
    case 11:
        Add(c, a, b, 64);
        Add(c, c, b, 64);
        break;
    case 12:
        ReduceMax(h, h, h, 65537, true);
        break;
    case 13:
        Add(core.part<float>(5), core.part<float>(4), b, 64);
        break;
    case 14: {
        // An instruction of many pieces: the last one counts, too.
        using namespace mf::emulation;
        constexpr uint32_t PIECES = 40, STEP = 16;
        Touched touched({"Pieces", MF_HERE});
        for (uint32_t piece = 0; piece < PIECES; ++piece) {
            touched.add("dst", Mode::Write, LocalRange(core.part<float>(4)[piece * STEP]), 32);
        }
        touched.run([] {});
        Add(c, core.part<float>(4)[(PIECES - 1) * STEP], b, 8);
        break;
    }
    default:
        break;
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(wrong, GM_ADDR, uint32_t)
MF_KERNEL(narrowed, GM_ADDR, uint32_t)
