// SPDX-License-Identifier: Apache-2.0 OR MIT
// Words that threads change, and accesses that go by the caches.
#pragma once

#include "../threads.h"

namespace mf::emulation {

// Changes a word atomically across all threads of all cores; returns the previous value.
template <typename T, typename Change> T change_by_threads(const char *name, T *address, Change change, Site at) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "atomic operations are on 2, 4 or 8 bytes");
    using Word = std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
    let_threads_on(name, at);
    auto *word = reinterpret_cast<Word *>(address);
    Word before = __atomic_load_n(word, __ATOMIC_SEQ_CST), after;
    do {
        after = static_cast<Word>(bits_of<T>(change(from_bits<T>(before))));
    } while (!__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return from_bits<T>(before);
}

// Integers wrap around.
template <typename T, typename Op> T by_bits(T a, T b, Op op) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(op(static_cast<std::make_unsigned_t<T>>(a), static_cast<std::make_unsigned_t<T>>(b)));
    else
        return static_cast<T>(op(a, b));
}

} // namespace mf::emulation

// Each returns the previous value.
#define MF_THREAD_ATOMIC(NAME, TYPES, ...)                                                                             \
    template <typename T> inline T NAME(T *address, std::decay_t<T> value, mf::emulation::Site at = MF_HERE) {         \
        static_assert(TYPES, #NAME " is not for this type");                                                           \
        return mf::emulation::change_by_threads(                                                                       \
            #NAME, address, [=]([[maybe_unused]] T before) { return static_cast<T>(__VA_ARGS__); }, at);                                \
    }
MF_THREAD_ATOMIC(asc_atomic_add, true, mf::emulation::by_bits<T>(before, value, [](auto a, auto b) { return a + b; }))
MF_THREAD_ATOMIC(asc_atomic_sub, true, mf::emulation::by_bits<T>(before, value, [](auto a, auto b) { return a - b; }))
MF_THREAD_ATOMIC(asc_atomic_max, true, before < value ? value : before)
MF_THREAD_ATOMIC(asc_atomic_min, true, value < before ? value : before)
MF_THREAD_ATOMIC(asc_atomic_exch, true, value)
MF_THREAD_ATOMIC(asc_atomic_and, std::is_integral_v<T>, before &value)
MF_THREAD_ATOMIC(asc_atomic_or, std::is_integral_v<T>, before | value)
MF_THREAD_ATOMIC(asc_atomic_xor, std::is_integral_v<T>, before ^ value)
MF_THREAD_ATOMIC(asc_atomic_inc, std::is_unsigned_v<T>, before >= value ? 0 : before + 1)
MF_THREAD_ATOMIC(asc_atomic_dec, std::is_unsigned_v<T>, before == 0 || before > value ? value : before - 1)
#undef MF_THREAD_ATOMIC
template <typename T>
inline T asc_atomic_cas(T *address, std::decay_t<T> expected, std::decay_t<T> value, mf::emulation::Site at = MF_HERE) {
    return mf::emulation::change_by_threads(
        "asc_atomic_cas", address, [=](T before) { return before == expected ? value : before; }, at);
}

// Loads and stores by the caches that the names say; here they are all the same.
#define MF_THREAD_LOAD(NAME)                                                                                           \
    template <typename T> inline T NAME(const T *address, mf::emulation::Site at = MF_HERE) {                          \
        mf::emulation::let_threads_on(#NAME, at);                                                                      \
        return *const_cast<const volatile T *>(address);                                                               \
    }
MF_THREAD_LOAD(asc_ldcg)
MF_THREAD_LOAD(asc_ldca)
#undef MF_THREAD_LOAD
template <typename T> inline void asc_stcg(T *address, std::decay_t<T> value) { *const_cast<volatile T *>(address) = value; }
template <typename T> inline void asc_stwt(T *address, std::decay_t<T> value) { *const_cast<volatile T *>(address) = value; }
