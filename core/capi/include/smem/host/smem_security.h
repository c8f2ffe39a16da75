/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The file name of mid-2025 for the TLS of the store; see ../compat2025/smem_security.h. */
#ifndef MF_SMEM_SECURITY_H
#define MF_SMEM_SECURITY_H

#include "../compat2025/smem_security.h"

#endif
