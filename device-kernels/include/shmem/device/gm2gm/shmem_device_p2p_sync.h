/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: waits for own words, and tests of them, which return the values or indices found.
 *
 * Elements with nonzero status are skipped; a null status skips none. With no elements, or none left,
 * wait_until_all returns at once, `any` gives SIZE_MAX, `some` 0 and test_all 1. Indices are ascending.
 * `_vector` compares each element with its own value. An invalid comparison ends the kernel.
 *
 * A wait ends the kernel when a PE has died, and after the time that the host allows; the launch's error says
 * so.
 */
#ifndef MF_SHMEM_DEVICE_P2P_SYNC_H
#define MF_SHMEM_DEVICE_P2P_SYNC_H

#include "../shmem_device_state.h"
#include "mf_wait.h"

namespace mf {
namespace shmem {

template <typename T> ACLSHMEM_DEVICE bool holds(T now, int cmp, T value MF_SITE_PARAM)
{
    switch (cmp) {
    case ACLSHMEM_CMP_EQ: return now == value;
    case ACLSHMEM_CMP_NE: return now != value;
    case ACLSHMEM_CMP_GT: return now > value;
    case ACLSHMEM_CMP_GE: return now >= value;
    case ACLSHMEM_CMP_LT: return now < value;
    case ACLSHMEM_CMP_LE: return now <= value;
    default: MF_TRAP("there is no comparison %d: 0 ==, 1 !=, 2 >, 3 >=, 4 <, 5 <=", cmp); return true;
    }
}

/* Elements, and the values to compare them with. */
template <typename T> struct Elements {
    __gm__ T *words;
    size_t count;
    const __gm__ int *status;
    int cmp;
    T value;
    __gm__ T *values; /* null: `value` for all */

    ACLSHMEM_DEVICE bool is_left_out(size_t index MF_SITE_PARAM) const
    {
        return status != nullptr && load(const_cast<__gm__ int *>(status) + index MF_SITE) != 0;
    }
    ACLSHMEM_DEVICE bool holds_at(size_t index MF_SITE_PARAM) const
    {
        const T with = values == nullptr ? value : load(values + index MF_SITE);
        return holds<T>(load(words + index MF_SITE), cmp, with MF_SITE);
    }
};

/* Result of a pass over the elements. */
struct Found {
    size_t considered;
    size_t satisfied;
    size_t first; /* SIZE_MAX: none */
};

/* Indices go where they are wanted. */
template <typename T>
ACLSHMEM_DEVICE Found scan(const Elements<T> &elements, __gm__ size_t *indices MF_SITE_PARAM)
{
    Found found = {0, 0, SIZE_MAX};
    for (size_t index = 0; index < elements.count; index++) {
        if (elements.is_left_out(index MF_SITE)) {
            continue;
        }
        found.considered++;
        if (elements.holds_at(index MF_SITE)) {
            if (indices != nullptr) {
                store(indices + found.satisfied, index MF_SITE);
            }
            found.first = found.satisfied == 0 ? index : found.first;
            found.satisfied++;
        }
    }
    return found;
}

/* A wait for own words that PEs change. */
class WordWait {
  public:
    ACLSHMEM_DEVICE explicit WordWait(const __gm__ void *word MF_SITE_PARAM)
        : object_(object_of_heap(MF_SITE_ONLY)), limit_(object_ MF_SITE),
          distance_(reinterpret_cast<uint64_t>(word) - field<uint64_t>(RECORD_HEAP_BASE MF_SITE))
    {
        if (field<uint64_t>(RECORD_MARK MF_SITE) == MARK) {
            distance_ -= field<uint64_t>(RECORD_FIRST_BLOCK MF_SITE);
        }
    }

    /* Once in each round of a loop. */
    ACLSHMEM_DEVICE void poll(MF_SITE_PARAM_ONLY)
    {
        if (limit_.is_lost(object_, ANY_RANK, 0 MF_SITE) != NO_REASON) {
            end({TIME_IS_OVER, ANY_RANK} MF_SITE);
        }
        if (++rounds_ % ROUNDS_BETWEEN_LOOKS == 0) {
            look_for_dead(MF_SITE_ONLY);
        }
        MF_WAITING("for a word %llu bytes into the memory of the symmetric heap",
                   static_cast<unsigned long long>(distance_));
    }

  private:
    static constexpr uint32_t ROUNDS_BETWEEN_LOOKS = 1024;

    /* A PE that has left may have satisfied the wait; a dead one will not. The own PE has left when the host
     * ends the heap. */
    ACLSHMEM_DEVICE void look_for_dead(MF_SITE_PARAM_ONLY)
    {
        for (uint32_t pe = 0; pe < object_.ranks(); pe++) {
            const uint32_t state =
                load(object_.control<uint32_t>(object_.rank(), MF_CONTROL_LOST + uint64_t{pe} * 4) MF_SITE);
            if (state == 1 || (state != 0 && pe == object_.rank())) {
                end({RANK_IS_LOST, pe} MF_SITE);
            }
        }
    }

    ACLSHMEM_DEVICE void end(const Failure &failure MF_SITE_PARAM)
    {
        give_up(object_, failure, WAITED_FOR_WORD, static_cast<uint32_t>(distance_), limit_.waited_us() MF_SITE);
    }

    Object object_;
    WaitLimit limit_;
    uint64_t distance_;
    uint32_t rounds_ = 0;
};

/* Scans until enough elements hold: all, or the first. */
template <typename T>
ACLSHMEM_DEVICE Found wait_for(const Elements<T> &elements, bool all, __gm__ size_t *indices MF_SITE_PARAM)
{
    Found found = scan<T>(elements, indices MF_SITE);
    if (found.considered == 0 || found.satisfied == found.considered || (!all && found.satisfied > 0)) {
        return found;
    }
    WordWait wait(elements.words MF_SITE);
    while (found.satisfied < found.considered && (all || found.satisfied == 0)) {
        wait.poll(MF_SITE_ONLY);
        found = scan<T>(elements, indices MF_SITE);
    }
    return found;
}

} // namespace shmem
} // namespace mf

/* Waits until the own signal satisfies the comparison, and returns its value. */
ACLSHMEM_DEVICE int32_t aclshmem_signal_wait_until(__gm__ int32_t *sig_addr, int cmp, int32_t cmp_val MF_SITE_PARAM)
{
    int32_t now = mf::load(sig_addr MF_SITE);
    if (mf::shmem::holds<int32_t>(now, cmp, cmp_val MF_SITE)) {
        return now;
    }
    mf::shmem::WordWait wait(sig_addr MF_SITE);
    while (!mf::shmem::holds<int32_t>(now, cmp, cmp_val MF_SITE)) {
        wait.poll(MF_SITE_ONLY);
        now = mf::load(sig_addr MF_SITE);
    }
    return now;
}

#define MF_SHMEM_ONE(TYPE, ivar, cmp, value) mf::shmem::Elements<TYPE>{ivar, 1, nullptr, cmp, value, nullptr}
#define MF_SHMEM_SET(TYPE) mf::shmem::Elements<TYPE>{ivars, nelems, status, cmp, cmp_value, nullptr}
#define MF_SHMEM_VECTOR(TYPE) mf::shmem::Elements<TYPE>{ivars, nelems, status, cmp, TYPE{}, cmp_values}
#define MF_SHMEM_ARGUMENTS(TYPE) __gm__ TYPE *ivars, size_t nelems, const __gm__ int *status, int cmp
#define MF_SHMEM_INDEXED(TYPE) __gm__ TYPE *ivars, size_t nelems, __gm__ size_t *indices, const __gm__ int *status, int cmp
/* Over own elements, except those skipped by `status`: waits until all satisfy the comparison, or until any
 * does, and returns its index, or until some do, and writes their indices and returns their number; tests do
 * not wait. SIZE_MAX: none. `_vector`: each element has its own value. */
#define MF_SHMEM_FORMS(NAME, TYPE, SUFFIX, VALUE, ELEMENTS)                                                             \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_wait_until_all##SUFFIX(MF_SHMEM_ARGUMENTS(TYPE), VALUE MF_SITE_PARAM)        \
    {                                                                                                                   \
        mf::shmem::wait_for<TYPE>(ELEMENTS(TYPE), true, nullptr MF_SITE);                                               \
    }                                                                                                                   \
    ACLSHMEM_DEVICE size_t aclshmem_##NAME##_wait_until_any##SUFFIX(MF_SHMEM_ARGUMENTS(TYPE), VALUE MF_SITE_PARAM)      \
    {                                                                                                                   \
        return mf::shmem::wait_for<TYPE>(ELEMENTS(TYPE), false, nullptr MF_SITE).first;                                 \
    }                                                                                                                   \
    ACLSHMEM_DEVICE size_t aclshmem_##NAME##_wait_until_some##SUFFIX(MF_SHMEM_INDEXED(TYPE), VALUE MF_SITE_PARAM)       \
    {                                                                                                                   \
        return mf::shmem::wait_for<TYPE>(ELEMENTS(TYPE), false, indices MF_SITE).satisfied;                             \
    }                                                                                                                   \
    ACLSHMEM_DEVICE size_t aclshmem_##NAME##_test_any##SUFFIX(MF_SHMEM_ARGUMENTS(TYPE), VALUE MF_SITE_PARAM)            \
    {                                                                                                                   \
        return mf::shmem::scan<TYPE>(ELEMENTS(TYPE), nullptr MF_SITE).first;                                            \
    }                                                                                                                   \
    ACLSHMEM_DEVICE size_t aclshmem_##NAME##_test_some##SUFFIX(MF_SHMEM_INDEXED(TYPE), VALUE MF_SITE_PARAM)             \
    {                                                                                                                   \
        return mf::shmem::scan<TYPE>(ELEMENTS(TYPE), indices MF_SITE).satisfied;                                        \
    }
/* One own element, or for test_all_vector all: waits until it compares so (wait: until it differs), or says
 * whether it does, 1 or 0. */
#define MF_SHMEM_WAITS(NAME, TYPE)                                                                                      \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_wait_until(__gm__ TYPE *ivar, int cmp, TYPE cmp_value MF_SITE_PARAM)         \
    {                                                                                                                   \
        mf::shmem::wait_for<TYPE>(MF_SHMEM_ONE(TYPE, ivar, cmp, cmp_value), true, nullptr MF_SITE);                     \
    }                                                                                                                   \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_wait(__gm__ TYPE *ivar, TYPE cmp_value MF_SITE_PARAM)                        \
    {                                                                                                                   \
        aclshmem_##NAME##_wait_until(ivar, ACLSHMEM_CMP_NE, cmp_value MF_SITE);                                         \
    }                                                                                                                   \
    ACLSHMEM_DEVICE int aclshmem_##NAME##_test(__gm__ TYPE *ivars, int cmp, TYPE cmp_value MF_SITE_PARAM)               \
    {                                                                                                                   \
        return mf::shmem::holds<TYPE>(mf::load(ivars MF_SITE), cmp, cmp_value MF_SITE) ? 1 : 0;                         \
    }                                                                                                                   \
    MF_SHMEM_FORMS(NAME, TYPE, , TYPE cmp_value, MF_SHMEM_SET)                                                          \
    MF_SHMEM_FORMS(NAME, TYPE, _vector, __gm__ TYPE *cmp_values, MF_SHMEM_VECTOR)                                       \
    ACLSHMEM_DEVICE int aclshmem_##NAME##_test_all_vector(MF_SHMEM_ARGUMENTS(TYPE),                                     \
                                                          __gm__ TYPE *cmp_values MF_SITE_PARAM)                        \
    {                                                                                                                   \
        const mf::shmem::Found found = mf::shmem::scan<TYPE>(MF_SHMEM_VECTOR(TYPE), nullptr MF_SITE);                   \
        return found.satisfied == found.considered ? 1 : 0;                                                             \
    }
MF_SHMEM_WAIT_TYPES(MF_SHMEM_WAITS)
#undef MF_SHMEM_WAITS
#undef MF_SHMEM_FORMS
#undef MF_SHMEM_INDEXED
#undef MF_SHMEM_ARGUMENTS
#undef MF_SHMEM_VECTOR
#undef MF_SHMEM_SET
#undef MF_SHMEM_ONE

#define shmem_signal_wait_until aclshmem_signal_wait_until

#endif
