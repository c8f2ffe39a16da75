/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ranks end by every ending after the process of the store has ended: none waits for a store that is gone. */
#include "ranks.h"

#include <time.h>

#include "check.h"

#define MIB ((uint64_t)1 << 20)
#define LONGEST_MS 4000 /* what waits for a store waits 5 s or 60 s */

enum ending { LEAVE, DESTROY, UNINIT, EXIT, QUICK_EXIT, KILL, ENDINGS };
static const char *const names[ENDINGS] = {"leave", "destroy", "uninit", "exit", "_exit", "kill"};

struct rank {
    pid_t pid;
    int go;    /* written to: end */
    int ready; /* read from: it has joined */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A rank: joins, waits for the word, and ends as ordered. */
static int rank_main(void)
{
    char word = 0;
    uint16_t me = (uint16_t)env_u32("RANK");
    smem_bm_t pool;
    OK(init_rank(getenv("MF_TEST_URL"), env_u32("WORLD_SIZE"), me));
    pool = smem_bm_create(0, 0, SMEMB_DATA_OP_HOST_SHM, 2 * MIB, 0, 0);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0));
    meet("joined");
    CHECK(write((int)env_u32("ENDS_READY"), "r", 1) == 1);
    CHECK(read((int)env_u32("ENDS_GO"), &word, 1) == 1);
    switch ((enum ending)env_u32("ENDS_BY")) {
    case LEAVE:
        OK(smem_bm_leave(pool, 0));
        /* fall through */
    case DESTROY:
        smem_bm_destroy(pool);
        /* fall through */
    case UNINIT:
        smem_bm_uninit(0);
        break;
    case QUICK_EXIT:
        _exit(0);
    default:
        break;
    }
    return check_result();
}

static struct rank start(uint32_t number, enum ending ending, char **argv)
{
    int go[2], ready[2];
    char text[16];
    struct rank rank;
    if (pipe(go) != 0 || pipe(ready) != 0) exit(2);
    snprintf(text, sizeof text, "%d", (int)ending);
    setenv("ENDS_BY", text, 1);
    snprintf(text, sizeof text, "%d", go[0]);
    setenv("ENDS_GO", text, 1);
    snprintf(text, sizeof text, "%d", ready[1]);
    setenv("ENDS_READY", text, 1);
    rank.pid = start_rank(number, argv);
    rank.go = go[1];
    rank.ready = ready[0];
    close(go[0]);
    close(ready[1]);
    return rank;
}

static void end(const struct rank *rank, enum ending ending)
{
    if (ending == KILL)
        kill(rank->pid, SIGKILL);
    else
        CHECK(write(rank->go, "e", 1) == 1);
}

static void gone(const struct rank *rank, enum ending ending)
{
    int status = 0;
    CHECK(waitpid(rank->pid, &status, 0) == rank->pid);
    if (ending != KILL) CHECK(status == 0);
    close(rank->go);
    close(rank->ready);
}

/* Rank 0 ends, then at once all others; the time of the longest end of those. */
static int64_t one_case(uint32_t count, enum ending first, enum ending others, char **argv)
{
    struct rank ranks[RANKS_MAX];
    char url[64], text[16], word;
    uint32_t r;
    int64_t began;
    free_url(url, sizeof url);
    snprintf(text, sizeof text, "%u", (unsigned)count);
    setenv("MF_TEST_URL", url, 1);
    setenv("WORLD_SIZE", text, 1);
    for (r = 0; r < count; r++) ranks[r] = start(r, r == 0 ? first : others, argv);
    for (r = 0; r < count; r++) CHECK(read(ranks[r].ready, &word, 1) == 1);
    end(&ranks[0], first);
    gone(&ranks[0], first);
    began = now_ms();
    for (r = 1; r < count; r++) end(&ranks[r], others);
    for (r = 1; r < count; r++) gone(&ranks[r], others);
    return now_ms() - began;
}

int main(int argc, char **argv)
{
    static const enum ending firsts[] = {UNINIT, EXIT, KILL};
    static const enum ending others[] = {LEAVE, DESTROY, UNINIT, EXIT, QUICK_EXIT};
    int64_t longest = 0;
    unsigned f, o, cases = 0;
    int network;
    (void)argc;
    signal(SIGPIPE, SIG_IGN);
    if (is_rank()) return rank_main();
    for (network = 0; network < 2; network++) {
        if (network) setenv("MF_NIC", "127.0.0.1/8", 1);
        for (f = 0; f < sizeof firsts / sizeof firsts[0]; f++) {
            for (o = 0; o < sizeof others / sizeof others[0]; o++) {
                uint32_t count = cases % 3 == 2 ? 4 : 2;
                int64_t took = one_case(count, firsts[f], others[o], argv);
                cases++;
                if (took > longest) longest = took;
                if (took < LONGEST_MS) continue;
                printf("%s, after %s of the store's rank, %u ranks, network %d: %lld ms\n", names[others[o]],
                       names[firsts[f]], (unsigned)count, network, (long long)took);
                check_count();
            }
        }
        unsetenv("MF_TEST_URL");
    }
    printf("ends: %u cases, the longest end %lld ms\n", cases, (long long)longest);
    return check_result();
}
