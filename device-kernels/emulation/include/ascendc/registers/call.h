// SPDX-License-Identifier: Apache-2.0 OR MIT
// Calls of register functions, and blocks of register code in a kernel.
#pragma once

#include "types.h"

namespace mf::emulation {

template <typename Function, typename... Arguments>
inline void call_registers(Site at, Function *function, const Arguments &...arguments) {
    static_assert((std::is_trivially_copyable_v<Arguments> && ...), "a function of registers takes pointers and values");
    call_registers("asc_vf_call", at, [=] { function(arguments...); });
}

} // namespace mf::emulation

// A fault names the place of the kernel's preceding call: behind a parameter pack there is no room for
// another parameter. Functions of threads are separate: their call begins with the number of threads.
template <auto funcPtr, typename... Args, std::enable_if_t<std::is_invocable_v<decltype(funcPtr), Args...>, int> = 0>
__aicore__ inline void asc_vf_call(Args &&...args) {
    mf::emulation::call_registers(mf::emulation::latest_place(), funcPtr, std::decay_t<Args>(args)...);
}

// The older form: a block in the kernel itself.
#define __VEC_SCOPE__                                                                                                  \
    for (::mf::emulation::RegisterScope mf_scope(MF_HERE); mf_scope.is_open(); mf_scope.close())
