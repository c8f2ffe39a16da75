/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Teams: their PEs, splits of splits, wrong arguments, invalid handles. */
#include <shmem.h>
#include <stdlib.h>

#include "../check.h"

enum { MANY = 2048 };

/* Constants of the header may be anything's first value. */
static shmem_team_t first = SHMEM_TEAM_WORLD;
static const shmem_team_t constants[] = {SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED, SHMEM_TEAM_INVALID};
static int me, pes;

/* The call leaves an error that begins with the name of the function and has `text`. */
#define REFUSED(call, function, text) do { \
        (void)smem_get_and_clear_last_err_msg(); \
        CHECK(call); \
        const char *message = smem_get_last_err_msg(); \
        CHECK(strncmp(message, function ": ", strlen(function) + 2) == 0 && strstr(message, text) != NULL); \
    } while (0)

static shmem_team_t split(shmem_team_t parent, int start, int stride, int size)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    CHECK(shmem_team_split_strided(parent, start, stride, size, NULL, 0, &team) == 0);
    return team;
}

/* The team has these PEs of the world, this one among them, or this one is in none. */
static void is(shmem_team_t team, int start, int stride, int size)
{
    int own = -1;
    for (int i = 0; i < size; i++) {
        if (start + i * stride == me) own = i;
    }
    CHECK((team == SHMEM_TEAM_INVALID) == (own == -1));
    CHECK(shmem_team_my_pe(team) == own && shmem_team_n_pes(team) == (own == -1 ? -1 : size));
    for (int i = -1; i <= size; i++) {
        int wanted = own == -1 || i == -1 || i == size ? -1 : start + i * stride;
        CHECK(shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD) == wanted);
        if (wanted != -1) CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, wanted, team) == i);
    }
    if (own != -1) {
        CHECK(shmem_team_sync(team) == 0 && shmem_team_sync(team) == 0);
        CHECK(shmem_team_ptr(team, "constant", own) == NULL && shmem_team_ptr(team, NULL, size) == NULL);
    }
}

static void strided(void)
{
    const int even = (pes + 1) / 2, odd = pes / 2;
    shmem_team_t all = split(SHMEM_TEAM_WORLD, 0, 1, pes), back = split(all, pes - 1, -1, pes);
    shmem_team_t halves = split(SHMEM_TEAM_WORLD, 0, 2, even), alone = split(SHMEM_TEAM_WORLD, pes - 1, 0, 1);
    is(all, 0, 1, pes);
    is(back, pes - 1, -1, pes);
    is(halves, 0, 2, even);
    is(alone, pes - 1, 1, 1);
    CHECK(all != back && all != SHMEM_TEAM_WORLD && back != SHMEM_TEAM_WORLD);
    if (odd > 0) {
        shmem_team_t others = split(back, pes % 2, 2, odd), deep;
        is(others, pes - 1 - pes % 2, -2, odd);
        if (others != SHMEM_TEAM_INVALID) {
            CHECK(shmem_team_translate_pe(others, 0, halves) == -1);
            deep = split(others, odd - 1, 0, 1);
            is(deep, pes - 1 - pes % 2 - 2 * (odd - 1), 1, 1);
            shmem_team_destroy(deep);
        }
        /* The parent may go before its children. */
        shmem_team_destroy(back);
        is(others, pes - 1 - pes % 2, -2, odd);
        shmem_team_destroy(others);
    } else {
        shmem_team_destroy(back);
    }
    shmem_team_destroy(alone);
    shmem_team_destroy(halves);
    shmem_team_destroy(all);
}

static void grids(void)
{
    for (int xrange = 1; xrange <= pes + 1; xrange++) {
        const int columns = xrange < pes ? xrange : pes, x = me % columns, y = me / columns;
        const int row_size = columns < pes - y * columns ? columns : pes - y * columns;
        shmem_team_config_t config = {3}, found = {9};
        shmem_team_t row, column;
        CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, xrange, &config, SHMEM_TEAM_NUM_CONTEXTS, &row, NULL, 0, &column) == 0);
        is(row, y * columns, 1, row_size);
        is(column, x, columns, (pes - x - 1) / columns + 1);
        CHECK(shmem_team_get_config(row, SHMEM_TEAM_NUM_CONTEXTS, &found) == 0 && found.num_contexts == 3);
        CHECK(shmem_team_get_config(column, SHMEM_TEAM_NUM_CONTEXTS, &found) == 0 && found.num_contexts == 0);
        shmem_team_destroy(row);
        shmem_team_destroy(column);
    }
}

/* All PEs of the parent get the same value, which is not 0, and no team. */
static void fails(int start, int stride, int size, const shmem_team_config_t *config, long mask, int null)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    int status = shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, config, mask, null ? NULL : &team);
    CHECK(status == -1 && (null || team == SHMEM_TEAM_INVALID));
}

static void wrong_arguments(void)
{
    shmem_team_config_t config = {1}, negative = {-1};
    shmem_team_t team, row = SHMEM_TEAM_WORLD, column = SHMEM_TEAM_WORLD;

    REFUSED((fails(0, 1, 0, NULL, 0, 0), 1), "shmem_team_split_strided", "size 0");
    REFUSED((fails(-1, 1, 1, NULL, 0, 0), 1), "shmem_team_split_strided", "start -1");
    REFUSED((fails(0, 0, 2, NULL, 0, 0), 1), "shmem_team_split_strided", "stride");
    fails(pes, 1, 1, NULL, 0, 0);
    fails(0, 1, pes + 1, NULL, 0, 0);
    fails(0, -1, 2, NULL, 0, 0);
    fails(0, 0x7fffffff, 0x7fffffff, NULL, 0, 0);
    fails(0, 1, -0x7fffffff, NULL, 0, 0);
    REFUSED((fails(0, 1, pes, NULL, SHMEM_TEAM_NUM_CONTEXTS, 0), 1), "shmem_team_split_strided", "null");
    REFUSED((fails(0, 1, pes, &config, 2, 0), 1), "shmem_team_split_strided", "config_mask");
    fails(0, 1, pes, &negative, SHMEM_TEAM_NUM_CONTEXTS, 0);
    fails(0, 1, pes, NULL, 0, 1);
    /* One PE alone has a wrong argument, or another one. */
    fails(0, 1, me == pes - 1 ? 0 : pes, NULL, 0, 0);
    fails(0, 1, pes, NULL, me == 0 ? 4 : 0, 0);
    if (pes > 1) {
        REFUSED((fails(0, 1, me == 0 ? pes - 1 : pes, NULL, 0, 0), 1), "shmem_team_split_strided", "rank");
        fails(me == 0 ? 0 : pes - 1, me == 0 ? 1 : -1, pes, NULL, 0, 0);
    }
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &row, NULL, 0, &column) == -1);
    CHECK(row == SHMEM_TEAM_INVALID && column == SHMEM_TEAM_INVALID);
    row = column = SHMEM_TEAM_WORLD;
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, NULL, 0, &row, &config, me == 0 ? 8 : 0, &column) == -1);
    CHECK(row == SHMEM_TEAM_INVALID && column == SHMEM_TEAM_INVALID);
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, NULL, 0, NULL, NULL, 0, &column) == -1 && column == SHMEM_TEAM_INVALID);

    /* No parent: the call does not wait. */
    team = row = column = SHMEM_TEAM_WORLD;
    if (me == 0) {
        CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team) != 0 && team == SHMEM_TEAM_INVALID);
        CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &row, NULL, 0, &column) != 0);
        CHECK(row == SHMEM_TEAM_INVALID && column == SHMEM_TEAM_INVALID);
    }
    CHECK(shmem_team_get_config(SHMEM_TEAM_WORLD, 2, &config) != 0);
    CHECK(shmem_team_get_config(SHMEM_TEAM_WORLD, SHMEM_TEAM_NUM_CONTEXTS, NULL) != 0);
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config) != 0 && config.num_contexts == 1);
    REFUSED(shmem_team_sync(SHMEM_TEAM_INVALID) != 0, "shmem_team_sync", "team");
    REFUSED((shmem_team_destroy(SHMEM_TEAM_WORLD), 1), "shmem_team_destroy", "predefined");
    REFUSED((shmem_team_destroy(SHMEM_TEAM_SHARED), 1), "shmem_team_destroy", "predefined");
    /* All is as it was. */
    team = split(SHMEM_TEAM_WORLD, 0, 1, pes);
    is(team, 0, 1, pes);
    shmem_team_destroy(team);
}

static void no_team(shmem_team_t team)
{
    shmem_team_t other = SHMEM_TEAM_WORLD;
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    REFUSED(shmem_team_my_pe(team) == -1, "shmem_team_my_pe", "no such team");
    CHECK(shmem_team_n_pes(team) == -1 && shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD) == -1);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, team) == -1 && shmem_team_ptr(team, &me, 0) == NULL);
    CHECK(shmem_team_sync(team) != 0 && shmem_team_get_config(team, 0, NULL) != 0);
    CHECK(shmem_team_split_strided(team, 0, 1, 1, NULL, 0, &other) == -1 && other == SHMEM_TEAM_INVALID);
    REFUSED(shmem_team_create_ctx(team, 0, &ctx) != 0 && ctx == SHMEM_CTX_INVALID, "shmem_team_create_ctx", "team");
    REFUSED((shmem_team_destroy(team), 1), "shmem_team_destroy", "no such team");
}

static void handles(void)
{
    shmem_team_t gone = split(SHMEM_TEAM_WORLD, 0, 1, pes), team;
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    shmem_team_destroy(gone);
    no_team(gone);
    team = split(SHMEM_TEAM_WORLD, 0, 1, pes);
    CHECK(team != gone);
    no_team(gone);
    no_team((shmem_team_t)(uintptr_t)77);
    no_team((shmem_team_t)((uintptr_t)team ^ 0x10000));
    no_team((shmem_team_t)((uintptr_t)team + 1));
    no_team((shmem_team_t)(uintptr_t)-1);
    no_team((shmem_team_t)(void *)&team);
    no_team((shmem_team_t)(void *)ctx);
    is(team, 0, 1, pes);
    shmem_team_destroy(team);
    shmem_ctx_destroy(ctx);
}

/* As many as the library promises; one more fails on all, and one less may be made again. */
static void many(void)
{
    static shmem_team_t teams[MANY];
    shmem_team_t team = SHMEM_TEAM_WORLD;
    for (int i = 0; i < MANY; i++) {
        teams[i] = split(SHMEM_TEAM_WORLD, 0, 1, pes);
    }
    fails(0, 1, pes, NULL, 0, 0);
    CHECK(shmem_team_split_strided(teams[MANY - 1], 0, 1, pes, NULL, 0, &team) == -1 && team == SHMEM_TEAM_INVALID);
    CHECK(shmem_team_split_2d(teams[0], pes, NULL, 0, &team, NULL, 0, &team) == -1);
    for (int i = 0; i < MANY; i += 511) {
        is(teams[i], 0, 1, pes);
    }
    shmem_team_destroy(teams[5]);
    CHECK(shmem_team_split_2d(teams[0], pes, NULL, 0, &team, NULL, 0, &team) == -1);
    teams[5] = split(teams[3], 0, 1, pes);
    is(teams[5], 0, 1, pes);
    for (int i = 0; i < MANY; i++) {
        shmem_team_destroy(teams[i]);
    }
}

int main(void)
{
    /* The messages are meant. */
    setenv("MF_LOG_LEVEL", "5", 1);
    CHECK(shmem_team_my_pe(SHMEM_TEAM_WORLD) == -1 && shmem_team_n_pes(SHMEM_TEAM_SHARED) == -1);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, SHMEM_TEAM_WORLD) == -1 && shmem_team_sync(first) != 0);
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    is(first, 0, 1, pes);
    CHECK(shmem_team_my_pe(constants[1]) >= 0 && shmem_team_my_pe(constants[2]) == -1);
    int *word = (int *)shmem_malloc(sizeof(int));
    for (int pe = 0; pe < pes; pe++) {
        const int is_near = shmem_ptr(word, pe) != NULL;
        const int near = shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED);
        CHECK((near != -1) == is_near && shmem_team_ptr(SHMEM_TEAM_SHARED, word, near) == shmem_ptr(word, pe));
    }
    shmem_free(word);
    CHECK(shmem_team_sync(SHMEM_TEAM_SHARED) == 0);
    strided();
    grids();
    wrong_arguments();
    handles();
    for (int i = 0; i < 500; i++) {
        shmem_team_t team = split(i % 2 ? SHMEM_TEAM_WORLD : SHMEM_TEAM_SHARED, 0, 0, 1);
        shmem_team_destroy(team);
    }
    many();
    shmem_team_t left = split(SHMEM_TEAM_WORLD, 0, 1, pes);
    shmem_finalize();
    CHECK(shmem_team_my_pe(left) == -1 && shmem_team_sync(left) != 0);
    shmem_init();
    no_team(left);
    is(SHMEM_TEAM_WORLD, 0, 1, pes);
    shmem_finalize();
    return check_result();
}
