/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Not a test: prints a TCP port of the loopback interface that was free a moment ago, for run.sh. */
#include "ranks.h"

int main(void)
{
    printf("%u\n", (unsigned)free_port());
    return 0;
}
