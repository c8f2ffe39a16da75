// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Included by programs of HMC as "../src/resource_manager/gpu_interface.h", for what hmc.h has.
#ifndef HMC_GPU_INTERFACE_H
#define HMC_GPU_INTERFACE_H

#include "../../hmc/hmc.h"

#endif
