// SPDX-License-Identifier: Apache-2.0 OR MIT
// The tiling structures of the library as classes of the host, with set_ and get_ for each field.
#ifndef MF_HOST_MF_TILING_OPTILING_H
#define MF_HOST_MF_TILING_OPTILING_H

#include "optiling_cube.h"

namespace optiling {

MF_TILINGS_OF_ROWS(MF_CLASS)

} // namespace optiling

#endif
