/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The old place of shmem.h. */
#include "../shmem.h"
