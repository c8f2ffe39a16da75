// SPDX-License-Identifier: Apache-2.0 OR MIT
// Header of lists of tensors, which many kernels include and few use: ListTensorDesc does not exist here.
#pragma once

#include "kernel_operator.h"
