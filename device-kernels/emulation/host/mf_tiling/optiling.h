// SPDX-License-Identifier: Apache-2.0 OR MIT
// The tiling structures of the library as classes of the host, with set_ and get_ for each field.
#ifndef MF_HOST_MF_TILING_OPTILING_H
#define MF_HOST_MF_TILING_OPTILING_H

#include "../register/tilingdata_base.h"
#include "fields.h"

namespace optiling {

#define MF_CLASS(NAME) \
    BEGIN_TILING_DATA_DEF(NAME) \
    MF_FIELDS_##NAME(TILING_DATA_FIELD_DEF, TILING_DATA_FIELD_DEF_ARR) END_TILING_DATA_DEF
MF_TILINGS(MF_CLASS)
#undef MF_CLASS

} // namespace optiling

#endif
