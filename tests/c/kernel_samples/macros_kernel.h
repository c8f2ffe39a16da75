// SPDX-License-Identifier: Apache-2.0 OR MIT
// A kernel that macros.cpp includes.
#pragma once

#define ENTRY_OF_TYPE __global__ __vector__

namespace in_header {

template <typename T> ENTRY_OF_TYPE void add_twice(GM_ADDR data, T more)
{
    add_to<T>(data, more);
    add_to<T>(data, more);
}

} // namespace in_header
