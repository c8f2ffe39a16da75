// SPDX-License-Identifier: Apache-2.0 OR MIT
// One register function over bytes: the kernel copies them in and out, and a plain function says what
// should come out.
#pragma once

#include <random>

#include "kernel_operator.h"
#include "sample.h"

#if __NPU_ARCH__ == 3510

namespace registers {

constexpr uint32_t IN = 2048, OUT = 1024;
using Bytes = std::vector<uint8_t>;
using Place = __ubuf__ uint8_t *;

template <auto FUNCTION> __global__ __vector__ void apply(GM_ADDR in, GM_ADDR out, uint32_t count)
{
    using namespace AscendC;
    InitSocState();
    const LocalTensor<uint8_t> from(TPosition::VECIN, 0, IN), to(TPosition::VECOUT, 4096, OUT);
    GlobalTensor<uint8_t> source, result;
    source.SetGlobalBuffer(in, IN);
    result.SetGlobalBuffer(out, OUT);
    DataCopy(from, source, IN);
    DataCopy(to, result, OUT);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    asc_vf_call<FUNCTION>(reinterpret_cast<Place>(to.GetPhyAddr()), reinterpret_cast<Place>(from.GetPhyAddr()), count);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(result, to, OUT);
    PipeBarrier<PIPE_ALL>();
}

inline Bytes random_bytes(size_t count, unsigned seed)
{
    std::mt19937 engine(seed);
    Bytes bytes(count);
    for (uint8_t &byte : bytes)
        byte = static_cast<uint8_t>(engine());
    return bytes;
}

template <typename T> T at(const Bytes &bytes, size_t index)
{
    T value;
    std::memcpy(static_cast<void *>(&value), bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}
template <typename T> void put(Bytes &bytes, size_t index, T value) { std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T)); }

// `model` changes the bytes of the result.
template <auto FUNCTION, typename Model> bool holds(const char *name, void *stream, const Bytes &in, uint32_t count, Model model)
{
    Bytes expected = random_bytes(OUT, 7);
    const sample::Array<uint8_t> source(in), result(expected);
    apply<FUNCTION><<<1, nullptr, stream>>>(source.get(), result.get(), count);
    model(expected, in);
    return sample::done(stream) && sample::check(name, result.values(), [&](size_t i) { return expected[i]; });
}

} // namespace registers

#endif
