// SPDX-License-Identifier: Apache-2.0 OR MIT
// Host code alone.
#include <iostream>

int expected(int core)
{
    if (core > 2)
        std::cerr << "there are three lines\n";
    return core == 0 ? 4 : 31;
}
