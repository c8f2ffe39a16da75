/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A binary that does not want to be loaded. */
#include "ascend_sim_kernel.h"

int mfk_attach(const struct mfk_host *host)
{
    (void)host;
    return 9;
}
