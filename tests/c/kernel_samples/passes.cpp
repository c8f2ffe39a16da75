// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels whose text depends on the kind of core and on the product, as CANN's compiler has them: one pass
// for cube cores, one for vector cores, one for the host.
#include "kernel_operator.h"
#include "sample.h"

using namespace AscendC;

// Each core writes words of its own line: its kind, its index, and what its pass says.
__aicore__ inline void write_line(__gm__ int32_t *line, int32_t kind, int32_t more)
{
    GlobalTensor<int32_t> out;
    out.SetGlobalBuffer(line, 16);
    out.SetValue(0, kind);
    out.SetValue(1, more);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(out);
}

// A function of one name and two bodies.
__aicore__ inline int32_t product()
{
#if defined(__DAV_C220_CUBE__) && __CCE_AICORE__ == 220 && defined(__DAV_C220__)
    return 1000 + __NPU_ARCH__;
#elif defined(__DAV_C220_VEC__) && defined(__NPU_DEVICE__) && !defined(__NPU_HOST__)
    return 2000 + __NPU_ARCH__;
#else
    return 3000;
#endif
}

// What headers of others do: a default argument by the kind, and a constant whose address is taken.
struct Kind {
    static constexpr int32_t VALUE = g_coreType * 10;
};
template <int32_t CORE = g_coreType> struct Work {
    __aicore__ static int32_t more(const int32_t &value) { return CORE * 100 + value; }
};

// Cube cores at lines 0 and 1, vector cores at 2 to 5.
extern "C" __global__ __mix__(1, 2) void both(GM_ADDR data)
{
    auto *lines = reinterpret_cast<__gm__ int32_t *>(data);
#ifdef __DAV_C220_CUBE__
    write_line(lines + GetBlockIdx() * 16, 1, product());
#endif
#ifdef __DAV_C220_VEC__
    write_line(lines + (2 + GetBlockIdx()) * 16, 2, product());
#endif
}

// Without a mark: code for both.
extern "C" __global__ __aicore__ void unmarked(GM_ADDR data)
{
    auto *lines = reinterpret_cast<__gm__ int32_t *>(data);
#if defined(__DAV_CUBE__)
    write_line(lines + GetBlockIdx() * 16, AIC, Work<>::more(Kind::VALUE));
#elif defined(__DAV_VEC__)
    write_line(lines + (2 + GetBlockIdx()) * 16, AIV, Work<>::more(Kind::VALUE));
#endif
}

// A template, in a namespace without a name.
namespace {

template <typename T> __global__ [[bisheng::core_ratio(1, 2)]] void of_type(__gm__ T *data, T more)
{
#ifdef SPLIT_CORE_CUBE
    write_line(data + GetBlockIdx() * 16, 1, more);
#else
    write_line(data + (2 + GetBlockIdx()) * 16, 2, more + 1);
#endif
}

} // namespace

// Vector cores alone have code: it runs on them.
static __global__ __aicore__ void vectors(GM_ADDR data)
{
#ifdef __DAV_VEC__
    write_line(reinterpret_cast<__gm__ int32_t *>(data) + GetBlockIdx() * 16, 2, 7);
#endif
}

// The same of cube cores.
[[bisheng::core_ratio(1,0)]] __global__ __aicore__ void cubes(GM_ADDR data)
{
#ifdef __DAV_CUBE__
    write_line(reinterpret_cast<__gm__ int32_t *>(data) + GetBlockIdx() * 16, 1, 8);
#endif
}

#ifndef __CCE_AICORE__

// Only the host's pass has this.
static bool expect(const char *what, const sample::Array<int32_t> &data, int32_t cube, int32_t vector)
{
    return sample::check(what, data.values(), [=](size_t at) -> double {
        const bool is_cube = at / 16 < 2;
        return at % 16 == 0 ? (is_cube ? 1 : 2) : at % 16 == 1 ? (is_cube ? cube : vector) : 0;
    });
}

#else

static bool expect(const char *, const sample::Array<int32_t> &, int32_t, int32_t) { return false; }

#endif

// Initialisers of the host run once.
static int begun = 0;
static const int counted = ++begun;

extern "C" int sample_kinds(void *stream)
{
    const std::vector<int32_t> zeros(6 * 16, 0);
    sample::Array<int32_t> first(zeros), second(zeros), third(zeros);
    both<<<2, nullptr, stream>>>(first.get());
    unmarked<<<2, nullptr, stream>>>(second.get());
    of_type<int32_t><<<2, nullptr, stream>>>(reinterpret_cast<int32_t *>(third.get()), 40);
    return sample::done(stream) && expect("both", first, 1000 + 2201, 2000 + 2201) && expect("unmarked", second, 110, 220) &&
                   expect("of_type", third, 40, 41) && counted == 1 && begun == 1
               ? 0
               : 1;
}

extern "C" int sample_one_kind(void *stream)
{
    const std::vector<int32_t> zeros(4 * 16, 0);
    sample::Array<int32_t> first(zeros), second(zeros);
    vectors<<<3, nullptr, stream>>>(first.get());
    cubes<<<3, nullptr, stream>>>(second.get());
    const auto line = [](int32_t kind, int32_t more) {
        return [=](size_t at) -> double { return at >= 48 ? 0 : at % 16 == 0 ? kind : at % 16 == 1 ? more : 0; };
    };
    return sample::done(stream) && sample::check("vectors", first.values(), line(2, 7)) &&
                   sample::check("cubes", second.values(), line(1, 8))
               ? 0
               : 1;
}

// The host's pass has the macros of the host.
extern "C" int sample_host(void *)
{
#if defined(__NPU_HOST__) && !defined(__CCE_AICORE__) && !defined(__NPU_ARCH__) && !defined(__DAV_VEC__)
    return product() == 3000 ? 0 : 1;
#else
    return 1;
#endif
}
