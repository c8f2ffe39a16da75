/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A PE that was started with its standard streams closed: its output is discarded, and does not reach its
 * static data. */
#include <errno.h>
#include <shmem.h>
#include <string.h>
#include <unistd.h>

static char data[64] = "hello", heard[64];

static int goes_nowhere(int stream)
{
    return write(stream, "printed", 7) < 0 && errno == EBADF;
}

int main(void)
{
    int right, failed;
    shmem_init();
    right = (shmem_my_pe() + 1) % shmem_n_pes();
    failed = !goes_nowhere(0) || !goes_nowhere(1) || !goes_nowhere(2);
    shmem_putmem(heard, data, sizeof data, right);
    shmem_barrier_all();
    failed += strcmp(data, "hello") != 0 || strcmp(heard, "hello") != 0;
    shmem_finalize();
    return failed;
}
