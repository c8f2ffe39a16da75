/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Atomic operations on words in the memory of any PE, which return the previous value: numbers of 4 and 8
 * bytes.
 *
 * Cores of the 950 have instructions for them. Cores of A2 and A3 do not; there a network card performs them,
 * which kernels of this library do not drive. The simulator stands in for both. A kernel that needs one of
 * these does not compile for an NPU of A2 or A3.
 */
#ifndef MF_SHMEM_DEVICE_WORDS_H
#define MF_SHMEM_DEVICE_WORDS_H

#include "mf_memory.h"
#include "shmem_device_staged.h"

namespace mf {
namespace shmem {

/* The element of `pe` that the own address stands for. Ends the kernel where it is not aligned to its
 * size. */
template <typename T> ACLSHMEM_DEVICE __gm__ T *element_at(__gm__ T *own, int pe MF_SITE_PARAM)
{
    GM_ADDR there = remote(own, sizeof(T), pe MF_SITE);
    if (reinterpret_cast<uint64_t>(there) % sizeof(T) != 0) {
        MF_TRAP("an atomic operation on %u bytes at %p, which are not aligned", static_cast<uint32_t>(sizeof(T)),
                reinterpret_cast<const void *>(own));
    }
    return reinterpret_cast<__gm__ T *>(there);
}

#if defined(MF_EMULATION) || (defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510)

#define MF_SHMEM_CHANGES_WORDS 1
/* The body of a function that changes a word. */
#define MF_SHMEM_WORD_BODY(...) \
    {                           \
        __VA_ARGS__             \
    }

template <typename T> ACLSHMEM_DEVICE T add_to_word(__gm__ T *word, T value MF_SITE_PARAM)
{
    return AscendC::AtomicAdd(word, value MF_SITE);
}

/* Values are exchanged as bits, for any type. */
template <typename T> struct BitsOf {
    using Type = T;
};
template <> struct BitsOf<float> {
    using Type = uint32_t;
};
template <typename T> ACLSHMEM_DEVICE T exchange_word(__gm__ T *word, T value MF_SITE_PARAM)
{
    using Bits = typename BitsOf<T>::Type;
    union {
        T number;
        Bits bits;
    } both = {value};
    both.bits = AscendC::AtomicExch(reinterpret_cast<__gm__ Bits *>(word), both.bits MF_SITE);
    return both.number;
}

/* Becomes `value` where it is `expected`. */
template <typename T> ACLSHMEM_DEVICE T compare_exchange_word(__gm__ T *word, T expected, T value MF_SITE_PARAM)
{
    return AscendC::AtomicCas(word, expected, value MF_SITE);
}

#else

#define MF_SHMEM_CHANGES_WORDS 0
#define MF_SHMEM_WORD_BODY(...) = delete; /* cores of A2 and A3 have no instruction for this */
#define MF_SHMEM_NO_INSTRUCTION(T) static_assert(sizeof(T) == 0, "cores of A2 and A3 have no instruction for this")

template <typename T> ACLSHMEM_DEVICE T add_to_word(__gm__ T *, T value)
{
    MF_SHMEM_NO_INSTRUCTION(T);
    return value;
}
template <typename T> ACLSHMEM_DEVICE T exchange_word(__gm__ T *, T value)
{
    MF_SHMEM_NO_INSTRUCTION(T);
    return value;
}
template <typename T> ACLSHMEM_DEVICE T compare_exchange_word(__gm__ T *, T, T value)
{
    MF_SHMEM_NO_INSTRUCTION(T);
    return value;
}
#undef MF_SHMEM_NO_INSTRUCTION

#endif

enum class Bitwise { And, Or, Xor };

/* Retries until no other core intervenes. */
template <Bitwise how, typename T> ACLSHMEM_DEVICE T change_bits(__gm__ T *word, T value MF_SITE_PARAM)
{
    T before = load(word MF_SITE);
    while (true) {
        const T after = how == Bitwise::And  ? static_cast<T>(before & value)
                        : how == Bitwise::Or ? static_cast<T>(before | value)
                                             : static_cast<T>(before ^ value);
        const T found = compare_exchange_word(word, before, after MF_SITE);
        if (found == before) {
            return before;
        }
        before = found;
    }
}

/* The type that the copy unit adds elements of T in; void: it has none, and words are changed instead. */
template <typename T> struct AddedAs {
    using Type = void;
};
#define MF_SHMEM_ADDED_AS(T, TYPE)  \
    template <> struct AddedAs<T> { \
        using Type = TYPE;          \
    }
MF_SHMEM_ADDED_AS(int8_t, int8_t);
MF_SHMEM_ADDED_AS(int16_t, int16_t);
MF_SHMEM_ADDED_AS(int32_t, int32_t);
MF_SHMEM_ADDED_AS(uint32_t, int32_t);
MF_SHMEM_ADDED_AS(half, half);
MF_SHMEM_ADDED_AS(bfloat16_t, bfloat16_t);
MF_SHMEM_ADDED_AS(float, float);
#undef MF_SHMEM_ADDED_AS

template <typename T, typename Adds> struct Adder {
    ACLSHMEM_DEVICE static void add(__gm__ T *element, T value, const Staging &area MF_SITE_PARAM)
    {
        add_element<Adds>(reinterpret_cast<GM_ADDR>(element), static_cast<Adds>(value), area MF_SITE);
        finish(area.event);
    }
};
template <typename T> struct Adder<T, void> {
    ACLSHMEM_DEVICE static void add(__gm__ T *element, T value, const Staging &area MF_SITE_PARAM)
    {
        (void)area;
        add_to_word(element, value MF_SITE);
    }
};

/* The atomic operations that every engine has; complete on return. */
template <typename T> ACLSHMEM_DEVICE void atomic_add(__gm__ T *dst, T value, int pe, const Staging &area MF_SITE_PARAM)
{
    Adder<T, typename AddedAs<T>::Type>::add(element_at(dst, pe MF_SITE), value, area MF_SITE);
}
template <typename T> ACLSHMEM_DEVICE T atomic_fetch(__gm__ T *dst, int pe MF_SITE_PARAM)
{
    return load(element_at(dst, pe MF_SITE) MF_SITE);
}
template <typename T> ACLSHMEM_DEVICE void atomic_set(__gm__ T *dst, T value, int pe, const Staging &area MF_SITE_PARAM)
{
    write_element<T>(reinterpret_cast<GM_ADDR>(element_at(dst, pe MF_SITE)), value, area MF_SITE);
    finish(area.event);
}
template <typename T> ACLSHMEM_DEVICE T atomic_fetch_add(__gm__ T *dst, T value, int pe MF_SITE_PARAM)
{
    return add_to_word(element_at(dst, pe MF_SITE), value MF_SITE);
}
template <typename T> ACLSHMEM_DEVICE T atomic_swap(__gm__ T *dst, T value, int pe MF_SITE_PARAM)
{
    return exchange_word(element_at(dst, pe MF_SITE), value MF_SITE);
}
template <typename T> ACLSHMEM_DEVICE T atomic_compare_swap(__gm__ T *dst, T cond, T value, int pe MF_SITE_PARAM)
{
    return compare_exchange_word(element_at(dst, pe MF_SITE), cond, value MF_SITE);
}
template <Bitwise how, typename T> ACLSHMEM_DEVICE T atomic_bits(__gm__ T *dst, T value, int pe MF_SITE_PARAM)
{
    return change_bits<how>(element_at(dst, pe MF_SITE), value MF_SITE);
}

} // namespace shmem
} // namespace mf

#endif
