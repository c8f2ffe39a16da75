// SPDX-License-Identifier: Apache-2.0 OR MIT
// The scalar unit: atomics on global memory, accesses past the data cache, numbers of bits, conversions,
// workspaces.
#pragma once

#include "elements.h"
#include "output.h"
#include "system.h"

namespace mf::emulation {

template <typename T> constexpr bool is_word = TypeOf<T>::is_known && (sizeof(T) == 4 || sizeof(T) == 8);

} // namespace mf::emulation

namespace AscendC {

// Bypasses the data cache: this core's writes to the line must be cleaned before.
template <typename T> __aicore__ inline T ReadGmByPassDCache(__gm__ T *addr, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    T value;
    past_cache("ReadGmByPassDCache", Mode::Read, reinterpret_cast<uint64_t>(addr), sizeof(T), &value, at);
    return value;
}
template <typename T>
__aicore__ inline void WriteGmByPassDCache(__gm__ T *addr, T value, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    past_cache("WriteGmByPassDCache", Mode::Write, reinterpret_cast<uint64_t>(addr), sizeof(T), &value, at);
}

// Atomic operations on words of global memory, across cores and devices; they return the previous value. They
// bypass the data cache. Not in CANN 8.1.
#define MF_SCALAR_ATOMIC(NAME, HOW)                                                                                    \
    template <typename T> __aicore__ inline T NAME(__gm__ T *address, T value, mf::emulation::Site at = MF_HERE) {     \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_word<T>, #NAME " is for types of 4 and 8 bytes");                                             \
        T before;                                                                                                      \
        change_word(#NAME, reinterpret_cast<uint64_t>(address), TypeOf<T>::type, WordChange::HOW, &value, nullptr,     \
                    &before, at);                                                                                      \
        return before;                                                                                                 \
    }
MF_SCALAR_ATOMIC(AtomicAdd, Add)
MF_SCALAR_ATOMIC(AtomicMax, Max)
MF_SCALAR_ATOMIC(AtomicMin, Min)
MF_SCALAR_ATOMIC(AtomicExch, Exchange)
#undef MF_SCALAR_ATOMIC
// Becomes value2 where it is value1.
template <typename T>
__aicore__ inline T AtomicCas(__gm__ T *address, T value1, T value2, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_word<T>, "AtomicCas is for types of 4 and 8 bytes");
    T before;
    change_word("AtomicCas", reinterpret_cast<uint64_t>(address), TypeOf<T>::type, WordChange::CompareExchange, &value2, &value1,
                &before, at);
    return before;
}

template <int countValue> __aicore__ inline int64_t ScalarGetCountOfValue(uint64_t valueIn) {
    static_assert(countValue == 0 || countValue == 1, "bits are 0 or 1");
    return __builtin_popcountll(countValue == 1 ? valueIn : ~valueIn);
}
// Returns the index of the first bit with this value, from the lowest; -1 if no bit has it.
template <int countValue> __aicore__ inline int64_t ScalarGetSFFValue(uint64_t valueIn) {
    static_assert(countValue == 0 || countValue == 1, "bits are 0 or 1");
    return __builtin_ffsll(static_cast<long long>(countValue == 1 ? valueIn : ~valueIn)) - 1;
}
__aicore__ inline int64_t ScalarCountLeadingZero(uint64_t valueIn) { return valueIn == 0 ? 64 : __builtin_clzll(valueIn); }
// Bits behind the sign that are as it is.
__aicore__ inline int64_t CountBitsCntSameAsSignBit(int64_t valueIn) {
    return ScalarCountLeadingZero(static_cast<uint64_t>(valueIn < 0 ? ~valueIn : valueIn)) - 1;
}
template <int countValue> __aicore__ inline int64_t GetBitCount(uint64_t valueIn) { return ScalarGetCountOfValue<countValue>(valueIn); }
template <int countValue> __aicore__ inline int64_t GetSFFValue(uint64_t valueIn) { return ScalarGetSFFValue<countValue>(valueIn); }
__aicore__ inline int64_t CountLeadingZero(uint64_t valueIn) { return ScalarCountLeadingZero(valueIn); }
template <int count = 1> __aicore__ inline void Nop() {}
// Of b greater than 0.
__aicore__ constexpr uint32_t Ceil(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
__aicore__ constexpr uint32_t DivCeil(uint32_t a, uint32_t b) { return Ceil(a, b); }
__aicore__ constexpr uint32_t ConstCeil(uint32_t a, uint32_t b) { return Ceil(a, b); }
__aicore__ constexpr uint32_t AlignUp(uint32_t a, uint32_t b) { return Ceil(a, b) * b; }
__aicore__ inline int32_t CeilDivision(int32_t num1, int32_t num2) { return num2 == 0 ? 0 : (num1 + num2 - 1) / num2; }

__aicore__ inline bfloat16_t ToBfloat16(const float &fVal) { return bfloat16_t(fVal); }
__aicore__ inline float ToFloat(const bfloat16_t &bVal) { return bVal; }
// A number in another type, as Cast of the vector unit rounds it.
template <typename T, typename U, RoundMode roundMode> __aicore__ inline U ScalarCast(T valueIn) {
    static_assert((mf::emulation::round_modes<U, T>() & mf::emulation::round_bit(roundMode)) != 0,
                  "the conversion between these types has no such rounding");
    U to;
    mf::emulation::convert(mf::emulation::TypeOf<U>::type, &to, mf::emulation::TypeOf<T>::type, &valueIn,
                           static_cast<mf::emulation::Rounding>(roundMode), 1);
    return to;
}

__aicore__ inline int64_t GetSubBlockNum() { return mf::emulation::place().is_mixed ? mf::emulation::place().sub_block_count : 1; }
__aicore__ inline int64_t GetProgramCounter() { return 0; }
__aicore__ inline int64_t GetICachePreloadStatus() { return 0; }
__aicore__ inline void ICachePreLoad(int64_t preFetchLen) { (void)preFetchLen; }
__aicore__ inline void GetArchVersion(uint32_t &coreVersion) { coreVersion = mf::emulation::IS_950 ? 0x310 : 0x220; }
__aicore__ inline constexpr int16_t GetDataBlockSizeInBytes() { return 32; }
__aicore__ inline uint32_t GetRuntimeUBSize() { return static_cast<uint32_t>(mf::emulation::ub_bytes()); }

// The system workspace is not used by kernels here: its address is not null, because kernels exit if it is,
// and not in global memory. The user workspace begins at the argument.
__aicore__ inline __gm__ uint8_t *GetSysWorkSpacePtr() {
    static uint8_t place;
    return &place;
}
__aicore__ inline void SetSysWorkspace(GM_ADDR workspace) { (void)workspace; }
__aicore__ inline void SetSysWorkspaceForce(GM_ADDR workspace) { (void)workspace; }
__aicore__ inline GM_ADDR GetUserWorkspace(GM_ADDR workspace) { return workspace; }

} // namespace AscendC
