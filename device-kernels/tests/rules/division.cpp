// SPDX-License-Identifier: Apache-2.0 OR MIT
// Divisions of whole numbers by zero: the quotient is 0, the remainder the dividend.
#include "mf_kernel.h"

using namespace AscendC;

namespace {

// Through memory: the compiler makes `x / y == 0` into `x < y`.
template <typename T> __aicore__ bool is_right(T dividend, T divisor, T quotient, T remainder)
{
    volatile T numbers[2] = {dividend, divisor}, found[3];
    const T in_register = numbers[1];
    found[0] = static_cast<T>(numbers[0] / numbers[1]);
    found[1] = static_cast<T>(numbers[0] % in_register);
    found[2] = static_cast<T>(numbers[0] / in_register);
    return found[0] == quotient && found[1] == remainder && found[2] == quotient;
}

template <typename T> __aicore__ bool are_right(T least)
{
    const bool is_signed = least < 0;
    const T most = is_signed ? static_cast<T>(-(least + 1)) : static_cast<T>(~least);
    return is_right<T>(most, 0, 0, most) && is_right<T>(5, 0, 0, 5) && is_right<T>(0, 0, 0, 0) && is_right<T>(7, 2, 3, 1) &&
           (!is_signed || (is_right<T>(least, 0, 0, least) && is_right<T>(least, static_cast<T>(-1), least, 0)));
}

} // namespace

extern "C" __global__ __aicore__ void divisions(GM_ADDR memory, uint32_t divisor)
{
    MF_KERNEL_VECTOR();
    const bool right = are_right<int8_t>(INT8_MIN) && are_right<int16_t>(INT16_MIN) && are_right<int32_t>(INT32_MIN) &&
                       are_right<int64_t>(INT64_MIN) && are_right<uint8_t>(0) && are_right<uint16_t>(0) &&
                       are_right<uint32_t>(0) && are_right<uint64_t>(0);
    if (!right || 17u / (divisor + 1) != 17u)
        Trap();
    (void)memory;
}
MF_KERNEL(divisions, GM_ADDR, uint32_t)
