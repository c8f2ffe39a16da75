/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CANN SHMEM, first generation: one header has it all. */
#include "../shmem_api.h"
