// SPDX-License-Identifier: Apache-2.0 OR MIT
// Copies to global memory that combine instead of overwriting: a state of the core, which must be none again
// at the end.
#pragma once

#include "language.h"
#include "types.h"

namespace mf::emulation {

template <typename T> constexpr bool is_atomic_type() {
    if constexpr (TypeOf<T>::is_known) {
        constexpr Type type = TypeOf<T>::type;
        return type == Type::I8 || type == Type::I16 || type == Type::I32 || type == Type::F16 || type == Type::BF16 ||
               type == Type::F32;
    }
    return false;
}

template <typename T> inline void set_atomic(Combine combine, Site at) {
    static_assert(is_atomic_type<T>(), "atomic copies exist for int8_t, int16_t, int32_t, half, bfloat16_t and float");
    atomic_state() = Atomic{combine, TypeOf<T>::type, at};
}

} // namespace mf::emulation

namespace AscendC {

// From now on, until SetAtomicNone, copies from local to global memory add element by element.
template <typename T> __aicore__ inline void SetAtomicAdd(mf::emulation::Site at = MF_HERE) {
    mf::emulation::set_atomic<T>(mf::emulation::Combine::Add, at);
}
template <typename T> __aicore__ inline void SetAtomicMax(mf::emulation::Site at = MF_HERE) {
    mf::emulation::set_atomic<T>(mf::emulation::Combine::Max, at);
}
template <typename T> __aicore__ inline void SetAtomicMin(mf::emulation::Site at = MF_HERE) {
    mf::emulation::set_atomic<T>(mf::emulation::Combine::Min, at);
}
__aicore__ inline void SetAtomicNone() { mf::emulation::atomic_state() = mf::emulation::Atomic{}; }
// The newer name, which CANN 8.1 has not.
__aicore__ inline void DisableDmaAtomic() { SetAtomicNone(); }

} // namespace AscendC
