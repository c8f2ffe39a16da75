/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Log lines and their number: an unavailable thread level; the silent end of the last PE, reported once by
 * each function of the others. */
#include <shmem.h>
#include <stdlib.h>
#include <unistd.h>

#include "../check.h"

enum { ROUNDS = 20 };

static int barriers, blocks, others, levels;
static long word;

static void count(int level, const char *text)
{
    if (level < 3) return;
    barriers += strstr(text, "shmem_barrier_all: ") != NULL;
    blocks += strstr(text, "shmem_malloc: ") != NULL;
    levels += strstr(text, "thread level 3 is asked for and 1 was granted") != NULL;
    others += strstr(text, "no such PE") != NULL;
}

int main(void)
{
    CHECK(shmem_init_thread(SHMEM_THREAD_FUNNELED, NULL) == 0);
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    CHECK(smem_set_extern_logger(count) == 0);
    shmem_init();
    CHECK(levels == 1);
    shmem_finalize();
    shmem_barrier_all();
    if (pes > 1 && me == pes - 1) _exit(0);
    for (int i = 0; pes > 1 && i < ROUNDS; i++) {
        shmem_barrier_all();
        CHECK(smem_get_last_err_code() == -2014);
        CHECK(shmem_malloc(8) == NULL);
        CHECK(shmem_team_sync(SHMEM_TEAM_WORLD) != 0);
        /* So is a refusal: once, and counted then. */
        shmem_long_p(&word, 1, pes);
    }
    CHECK(barriers == (pes > 1) && blocks == (pes > 1) && others == (pes > 1));
    shmem_finalize();
    return check_result();
}
