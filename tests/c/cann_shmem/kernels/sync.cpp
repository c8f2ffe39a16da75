// SPDX-License-Identifier: Apache-2.0 OR MIT
// Waits and tests of every type, teams.
#include "shmem.h"

#include "regions.h"

namespace {

// Answers go to the host, a word each.
struct Answers {
    GM_ADDR memory;
    uint32_t next;
    __aicore__ void give(uint64_t value)
    {
        aclshmem_uint64_p(reinterpret_cast<__gm__ uint64_t *>(memory + RESULTS * REGION) + next++, value, aclshmem_my_pe());
    }
    __aicore__ void give_int(int64_t value) { give(static_cast<uint64_t>(value)); }
};

} // namespace

// Words 1 to 8 come from the PE before, one after the other; values[i] is i + 1, and the statuses leave word
// 0 out.
#define WAITS(NAME, TYPE)                                                                                              \
    __aicore__ inline void run_waits_##NAME(GM_ADDR memory)                                                            \
    {                                                                                                                  \
        const int next = (aclshmem_my_pe() + 1) % aclshmem_n_pes();                                                    \
        __gm__ TYPE *words = reinterpret_cast<__gm__ TYPE *>(memory + WORDS * REGION);                                 \
        __gm__ TYPE *values = reinterpret_cast<__gm__ TYPE *>(memory + (WORDS + 1) * REGION);                          \
        __gm__ int *status = reinterpret_cast<__gm__ int *>(memory + (WORDS + 2) * REGION);                            \
        __gm__ size_t *indices = reinterpret_cast<__gm__ size_t *>(memory + (WORDS + 3) * REGION);                     \
        if (AscendC::GetBlockIdx() == 1 || AscendC::GetBlockNum() == 1) {                                              \
            for (int word = 0; word < 8; word++) {                                                                     \
                aclshmem_##NAME##_p(words + word, static_cast<TYPE>(word + 1), next);                                  \
            }                                                                                                          \
        }                                                                                                              \
        if (AscendC::GetBlockIdx() == 0) {                                                                             \
            Answers answers{memory, 0};                                                                                \
            aclshmem_##NAME##_wait_until(words, ACLSHMEM_CMP_EQ, 1);                                                   \
            aclshmem_##NAME##_wait(words + 1, 0);                                                                      \
            const size_t any = aclshmem_##NAME##_wait_until_any(words, 8, status, ACLSHMEM_CMP_GT, 3);                 \
            answers.give(any >= 3 && any < 8);                                                                         \
            const size_t some = aclshmem_##NAME##_wait_until_some(words, 8, indices, status, ACLSHMEM_CMP_LE, 2);      \
            answers.give(some >= 1 && mf::load(indices) == 1);                                                         \
            aclshmem_##NAME##_wait_until_all(words, 8, nullptr, ACLSHMEM_CMP_GE, 1);                                   \
            aclshmem_##NAME##_wait_until_all_vector(words, 8, status, ACLSHMEM_CMP_EQ, values);                        \
            answers.give(aclshmem_##NAME##_wait_until_any_vector(words, 8, status, ACLSHMEM_CMP_EQ, values));          \
            answers.give(aclshmem_##NAME##_wait_until_some_vector(words, 8, indices, status, ACLSHMEM_CMP_EQ, values)); \
            answers.give_int(aclshmem_##NAME##_test(words, ACLSHMEM_CMP_LT, 1));                                       \
            answers.give(aclshmem_##NAME##_test_any(words, 8, nullptr, ACLSHMEM_CMP_EQ, 5));                           \
            answers.give(aclshmem_##NAME##_test_any(words, 8, nullptr, ACLSHMEM_CMP_EQ, 99));                          \
            answers.give(aclshmem_##NAME##_test_some(words, 8, indices, nullptr, ACLSHMEM_CMP_NE, 1));                 \
            answers.give_int(aclshmem_##NAME##_test_all_vector(words, 8, nullptr, ACLSHMEM_CMP_EQ, values));           \
            answers.give(aclshmem_##NAME##_test_any_vector(words, 8, status, ACLSHMEM_CMP_EQ, values));                \
            answers.give(aclshmem_##NAME##_test_some_vector(words, 8, indices, status, ACLSHMEM_CMP_EQ, values));      \
            answers.give_int(aclshmem_##NAME##_test_all_vector(words, 0, nullptr, ACLSHMEM_CMP_EQ, values));           \
            answers.give(aclshmem_##NAME##_wait_until_any(words, 0, nullptr, ACLSHMEM_CMP_EQ, 1));                     \
        }                                                                                                              \
        aclshmem_barrier_all();                                                                                        \
    }
MF_SHMEM_WAIT_TYPES(WAITS)

extern "C" __global__ __aicore__ void waits_float(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_waits_float(memory); }
MF_KERNEL(waits_float, GM_ADDR)
extern "C" __global__ __aicore__ void waits_int8(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_waits_int8(memory); }
MF_KERNEL(waits_int8, GM_ADDR)
extern "C" __global__ __aicore__ void waits_int16(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_waits_int16(memory); }
MF_KERNEL(waits_int16, GM_ADDR)
extern "C" __global__ __aicore__ void waits_int32(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_waits_int32(memory); }
MF_KERNEL(waits_int32, GM_ADDR)
extern "C" __global__ __aicore__ void waits_int64(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_waits_int64(memory); }
MF_KERNEL(waits_int64, GM_ADDR)
extern "C" __global__ __aicore__ void waits_uint8(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_waits_uint8(memory); }
MF_KERNEL(waits_uint8, GM_ADDR)
extern "C" __global__ __aicore__ void waits_uint16(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_waits_uint16(memory); }
MF_KERNEL(waits_uint16, GM_ADDR)
extern "C" __global__ __aicore__ void waits_uint32(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_waits_uint32(memory); }
MF_KERNEL(waits_uint32, GM_ADDR)
extern "C" __global__ __aicore__ void waits_uint64(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_waits_uint64(memory); }
MF_KERNEL(waits_uint64, GM_ADDR)
extern "C" __global__ __aicore__ void waits_char(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_waits_char(memory); }
MF_KERNEL(waits_char, GM_ADDR)

// Properties of two teams, and of the address `memory`.
extern "C" __global__ __aicore__ void teams(GM_ADDR memory, int32_t team, int32_t other)
{
    MF_KERNEL_VECTOR();
    Answers answers{memory, 0};
    answers.give_int(aclshmem_my_pe());
    answers.give_int(aclshmem_n_pes());
    answers.give_int(aclshmem_team_my_pe(team));
    answers.give_int(aclshmem_team_n_pes(team));
    answers.give_int(aclshmem_team_pe_mapping(team, aclshmem_team_n_pes(team) - 1));
    answers.give_int(aclshmem_team_translate_pe(team, 0, ACLSHMEM_TEAM_WORLD));
    answers.give_int(aclshmem_team_translate_pe(ACLSHMEM_TEAM_WORLD, aclshmem_my_pe(), team));
    answers.give_int(aclshmem_team_my_pe(other));
    answers.give_int(aclshmem_team_n_pes(-1));
    answers.give(reinterpret_cast<uint64_t>(aclshmem_ptr(memory, 0)));
    answers.give(reinterpret_cast<uint64_t>(aclshmem_ptr(memory, aclshmem_n_pes())));
    answers.give(reinterpret_cast<uint64_t>(aclshmem_roce_ptr(memory, aclshmem_my_pe())) == reinterpret_cast<uint64_t>(memory));
}
MF_KERNEL(teams, GM_ADDR, int32_t, int32_t)

// Each block counts 2 in a frame of its own.
extern "C" __global__ __aicore__ void cycles()
{
    MF_KERNEL_VECTOR();
    const uint64_t block = static_cast<uint64_t>(AscendC::GetBlockIdx());
    const uint64_t counts = mf::shmem::field<uint64_t>(32976) + 8 + block * 16384;
    mf::store(reinterpret_cast<__gm__ int64_t *>(counts + (block + 5) * 8), int64_t{2});
    mf::store(reinterpret_cast<__gm__ int64_t *>(counts + 8192 + (block + 5) * 8), static_cast<int64_t>(100 + block));
}
MF_KERNEL(cycles)

// Writes of scalar code into its own memory are visible to others after a barrier.
extern "C" __global__ __aicore__ void scalar(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    __gm__ uint64_t *word = reinterpret_cast<__gm__ uint64_t *>(memory + FIRST * REGION);
    if (AscendC::GetBlockIdx() == 0) {
        AscendC::GlobalTensor<uint64_t> own;
        own.SetGlobalBuffer(word, 1);
        own.SetValue(0, static_cast<uint64_t>(aclshmem_my_pe()) + 70);
    }
    aclshmem_barrier_all();
    if (AscendC::GetBlockIdx() == 0) {
        Answers answers{memory, 0};
        answers.give(aclshmem_uint64_g(word, (aclshmem_my_pe() + 1) % aclshmem_n_pes()));
    }
}
MF_KERNEL(scalar, GM_ADDR)
