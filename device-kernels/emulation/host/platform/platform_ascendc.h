// SPDX-License-Identifier: Apache-2.0 OR MIT
// Facts of the chip, under another name of the header.
#ifndef MF_HOST_PLATFORM_PLATFORM_ASCENDC_H
#define MF_HOST_PLATFORM_PLATFORM_ASCENDC_H

#include "../tiling/platform/platform_ascendc.h"

#endif
