/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Not a test: prints a TCP port of the loopback interface that was free a moment ago, for run.sh. */
#include "ranks.h"

int main(void)
{
    uint16_t port = 0;
    close(listen_anywhere(&port));
    printf("%u\n", (unsigned)port);
    return 0;
}
