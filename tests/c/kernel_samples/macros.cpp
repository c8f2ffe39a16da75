// SPDX-License-Identifier: Apache-2.0 OR MIT
// Entries and launches that macros make, entries in a header, launches without a stream.
#include "kernel_operator.h"
#include "sample.h"

#define ENTRY extern "C" __global__ __aicore__
#define LAUNCH(kernel, blocks, stream, ...) kernel<<<blocks, nullptr, stream>>>(__VA_ARGS__)
#define DEFINE(TYPE)                                                                                                   \
    ENTRY void add_##TYPE(GM_ADDR data, TYPE more)                                                                     \
    {                                                                                                                  \
        add_to<TYPE>(data, more);                                                                                      \
    }
#define FOR_TYPES(DO) DO(int32_t) DO(float)

// Adds to the first word of its line, by the scalar unit.
template <typename T> __aicore__ inline void add_to(GM_ADDR data, T more)
{
    AscendC::GlobalTensor<T> all;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(data) + AscendC::GetBlockIdx() * 16, 16);
    all.SetValue(0, all.GetValue(0) + more);
    AscendC::DataCacheCleanAndInvalid<T, AscendC::CacheLine::SINGLE_CACHE_LINE, AscendC::DcciDst::CACHELINE_OUT>(all);
}

FOR_TYPES(DEFINE)

#include "macros_kernel.h"

// A launch whose text has quotes, braces and brackets.
static uint32_t blocks_of(const char *text) { return text[0] == '{' ? 2 : 1'000; }

template <typename Kernel> static void run_by(Kernel &&body) { body(); }

extern "C" int sample_macros(void *stream)
{
    sample::Array<int32_t> words(std::vector<int32_t>(32, 5));
    sample::Array<float> numbers(std::vector<float>(32, 5));
    LAUNCH(add_int32_t, 2, stream, words.get(), 1);
    LAUNCH(add_float, blocks_of("{<<<"), stream, numbers.get(),
           0.5f);
    run_by([&] { in_header::add_twice<int32_t><<<2, 0, stream>>>(words.get(), 3); });
    return sample::done(stream) && sample::check("words", words.values(), [](size_t at) { return at % 16 == 0 ? 12 : 5; }) &&
                   sample::check("numbers", numbers.values(), [](size_t at) { return at % 16 == 0 ? 5.5 : 5; })
               ? 0
               : 1;
}

extern "C" int aclrtSynchronizeDevice();

extern "C" int sample_default_stream(void *)
{
    sample::Array<int32_t> words(std::vector<int32_t>(32, 5));
    add_int32_t<<<1, 0>>>(words.get(), 2);
    add_int32_t<<<2, nullptr>>>(words.get(), 2);
    return aclrtSynchronizeDevice() == 0 &&
                   sample::check("default stream", words.values(), [](size_t at) { return at == 0 ? 9 : at == 16 ? 7 : 5; })
               ? 0
               : 1;
}
