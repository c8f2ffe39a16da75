// SPDX-License-Identifier: Apache-2.0 OR MIT
// The same on the 950.
#define __NPU_ARCH__ 3510
#include "products.cpp"
