// SPDX-License-Identifier: Apache-2.0 OR MIT
// The tiling structure of matrix products as a class of the host. Apart from the others, because sources of
// kernels include it and have their own use of the others' names.
#ifndef MF_HOST_MF_TILING_OPTILING_CUBE_H
#define MF_HOST_MF_TILING_OPTILING_CUBE_H

#include "../register/tilingdata_base.h"
#include "fields.h"

#define MF_CLASS(NAME) \
    BEGIN_TILING_DATA_DEF(NAME) \
    MF_FIELDS_##NAME(TILING_DATA_FIELD_DEF, TILING_DATA_FIELD_DEF_ARR) END_TILING_DATA_DEF

namespace optiling {

MF_CLASS(TCubeTiling)

} // namespace optiling

#endif
