// SPDX-License-Identifier: Apache-2.0 OR MIT
// Atomic operations that return the old value: every core of every PE changes the same words of PE 0, which
// share their lines. For chips with such instructions.
#include "shmem.h"

#include "callers.h"

#if MF_SHMEM_CHANGES_WORDS

namespace {

// Invariants of the calling core; returns the number of violations. Words and their final values: regions.h.
template <typename Calls, typename T> __aicore__ inline uint64_t change_words(GM_ADDR memory, uint32_t region)
{
    const Caller me;
    uint64_t wrong = 0;
    const auto word = [&](uint32_t index) { return element<T>(memory, region, index); };
    const T own = static_cast<T>(me.number + 1), bit = static_cast<T>(1U << me.number);
    // A place of its own for each, and as many as it asks for.
    const T ticket = Calls::fetch_inc(word(WORD_TICKET));
    Calls::set(element<T>(memory, region + 1, static_cast<uint32_t>(ticket)), 1);
    T place = Calls::fetch_add(word(WORD_PLACES), own);
    for (T count = 0; count < own; count++) Calls::add(element<T>(memory, region + 2, static_cast<uint32_t>(place++)), 1);
    Calls::add(word(WORD_SUM), own);
    Calls::inc(word(WORD_SUM));
    // The returned values and the last one are a permutation of the written ones.
    Calls::add(word(WORD_SWAPPED), Calls::swap(word(WORD_SWAP), own));
    // A lock.
    while (Calls::compare_swap(word(WORD_LOCK), 0, own) != 0) {
    }
    wrong += Calls::fetch(word(WORD_LOCK)) != own;
    Calls::set(word(WORD_LOCKED), static_cast<T>(Calls::fetch(word(WORD_LOCKED)) + 1));
    wrong += Calls::compare_swap(word(WORD_LOCK), own, 0) != own;
    wrong += Calls::change_bits(word, bit);
    return wrong;
}

// Each bit is one core's.
#define BITS_OF(PREFIX, SUFFIX)                                                                                        \
    template <typename Word> __aicore__ static uint64_t change_bits(const Word &word, Type bit)                        \
    {                                                                                                                  \
        uint64_t wrong = 0;                                                                                            \
        PREFIX##or SUFFIX(word(WORD_OR), bit, 0);                                                                      \
        wrong += (PREFIX##fetch_or SUFFIX(word(WORD_FETCH_OR), bit, 0) & bit) != 0;                                    \
        PREFIX##xor SUFFIX(word(WORD_XOR), bit, 0);                                                                    \
        wrong += (PREFIX##fetch_xor SUFFIX(word(WORD_XOR), bit, 0) & bit) == 0;                                        \
        PREFIX##and SUFFIX(word(WORD_AND), static_cast<Type>(~bit), 0);                                                \
        wrong += (PREFIX##fetch_and SUFFIX(word(WORD_FETCH_AND), static_cast<Type>(~bit), 0) & bit) == 0;              \
        return wrong;                                                                                                  \
    }
#define NO_BITS                                                                                                        \
    template <typename Word> __aicore__ static uint64_t change_bits(const Word &, Type) { return 0; }
#define CALLS(STRUCT, TYPE, PREFIX, SUFFIX, BITS)                                                                      \
    struct STRUCT {                                                                                                    \
        using Type = TYPE;                                                                                             \
        __aicore__ static TYPE fetch(__gm__ TYPE *at) { return PREFIX##fetch SUFFIX(at, 0); }                          \
        __aicore__ static void set(__gm__ TYPE *at, TYPE value) { PREFIX##set SUFFIX(at, value, 0); }                  \
        __aicore__ static void add(__gm__ TYPE *at, TYPE value) { PREFIX##add SUFFIX(at, value, 0); }                  \
        __aicore__ static void inc(__gm__ TYPE *at) { PREFIX##inc SUFFIX(at, 0); }                                     \
        __aicore__ static TYPE fetch_add(__gm__ TYPE *at, TYPE value) { return PREFIX##fetch_add SUFFIX(at, value, 0); } \
        __aicore__ static TYPE fetch_inc(__gm__ TYPE *at) { return PREFIX##fetch_inc SUFFIX(at, 0); }                  \
        __aicore__ static TYPE swap(__gm__ TYPE *at, TYPE value) { return PREFIX##swap SUFFIX(at, value, 0); }         \
        __aicore__ static TYPE compare_swap(__gm__ TYPE *at, TYPE cond, TYPE value)                                    \
        {                                                                                                              \
            return PREFIX##compare_swap SUFFIX(at, cond, value, 0);                                                    \
        }                                                                                                              \
        BITS                                                                                                           \
    };
#define TYPED_CALLS(NAME, TYPE) CALLS(Calls_##NAME, TYPE, aclshmem_##NAME##_atomic_, , BITS_OF(aclshmem_##NAME##_atomic_, ))
MF_SHMEM_ATOMIC_TYPES(TYPED_CALLS)
CALLS(MteInt32, int32_t, aclshmemx_mte_atomic_, <int32_t>, NO_BITS)
CALLS(MteUint64, uint64_t, aclshmemx_mte_atomic_, <uint64_t>, NO_BITS)
CALLS(RoceInt32, int32_t, aclshmemx_roce_atomic_, <int32_t>, BITS_OF(aclshmemx_roce_atomic_, <int32_t>))
CALLS(RoceUint64, uint64_t, aclshmemx_roce_atomic_, <uint64_t>, BITS_OF(aclshmemx_roce_atomic_, <uint64_t>))
CALLS(UdmaUint32, uint32_t, aclshmemx_udma_atomic_, <uint32_t>, BITS_OF(aclshmemx_udma_atomic_, <uint32_t>))
CALLS(UdmaInt64, int64_t, aclshmemx_udma_atomic_, <int64_t>, BITS_OF(aclshmemx_udma_atomic_, <int64_t>))

} // namespace

#define CHANGE(CALLS, TYPE)                                  \
    wrong += change_words<CALLS, TYPE>(memory, region);      \
    region += WORD_REGIONS;
extern "C" __global__ __aicore__ void words(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    uint64_t wrong = 0;
    uint32_t region = FIRST;
    CHANGE(Calls_uint32, uint32_t)
    CHANGE(Calls_uint64, uint64_t)
    CHANGE(Calls_int32, int32_t)
    CHANGE(Calls_int64, int64_t)
    CHANGE(MteInt32, int32_t)
    CHANGE(MteUint64, uint64_t)
    CHANGE(RoceInt32, int32_t)
    CHANGE(RoceUint64, uint64_t)
    CHANGE(UdmaUint32, uint32_t)
    CHANGE(UdmaInt64, int64_t)
    const uint32_t own = Caller().number + 1;
    const float before = aclshmem_float_atomic_swap(element<float>(memory, region, 0), static_cast<float>(own), 0);
    aclshmem_float_atomic_add(element<float>(memory, region, 1), before, 0);
    __gm__ uint64_t *result = element<uint64_t>(memory, RESULTS, static_cast<uint32_t>(AscendC::GetBlockIdx()));
    aclshmem_uint64_p(result, wrong, aclshmem_my_pe());
    aclshmem_barrier_all();
}
MF_KERNEL(words, GM_ADDR)

#endif
