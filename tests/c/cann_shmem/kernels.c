/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CANN SHMEM for kernels: every function of its headers, run by the kernels in kernels/ on all PEs, some of
 * which come late. The first argument is their binary. Runs on an accelerator only. */
#include <shmem.h>
#include <smem/host/mfx.h>
#include <smem/host/smem.h>

#include "acl.h"
#include "kernels/regions.h"

static mfx_kernel_t binary;
static char *memory;
static unsigned char found[REGIONS * REGION];
static int me, pes, next, before;

static void launch(const char *kernel, uint32_t blocks, int late, const uint64_t *more, int count)
{
    const mfx_launch_options_t options = { blocks, 0, NULL };
    uint64_t words[8] = { (uint64_t)(size_t)memory };
    for (int i = 0; i < count; i++) words[1 + i] = more[i];
    if (late == me) usleep(20000);
    const int code = mfx_kernel_launch(binary, kernel, NULL, &options, words, 8 + 8 * (uint64_t)count);
    if (code != 0) printf("%s: %s\n", kernel, smem_get_last_err_msg());
    CHECK(code == 0);
}

static unsigned char byte_of(int pe, int at) { return (unsigned char)((at * 7 + pe * 13 + 1) % 60); }

/* All regions zero, but for the source. */
static void clear(void)
{
    memset(found, 0, sizeof found);
    for (int i = 0; i < REGION; i++) found[SOURCE * REGION + i] = byte_of(me, i);
    copy(memory, found, sizeof found, TO_DEVICE);
    aclshmem_barrier_all();
}

static void fetch(void)
{
    aclshmem_barrier_all();
    copy(found, memory, sizeof found, TO_HOST);
}

/* True if a region has the elements of a PE's source at these places, and nothing else. */
static int has(int region, int pe, int bytes, int rows, int row, int to_step, int from_step)
{
    unsigned char expected[REGION];
    memset(expected, 0, sizeof expected);
    for (int i = 0; i < rows; i++) {
        for (int at = 0; at < row * bytes; at++) expected[i * to_step * bytes + at] = byte_of(pe, i * from_step * bytes + at);
    }
    return memcmp(expected, found + region * REGION, REGION) == 0;
}
static int has_all(int region, int pe, int bytes) { return has(region, pe, bytes, 1, COUNT, 0, 0); }
static int has_rows(int region, int pe, int bytes) { return has(region, pe, bytes, ROWS, ROW, ROWS_LD, SOURCE_LD); }
static int has_strided(int region, int pe, int bytes) { return has(region, pe, bytes, STRIDED, 1, TO_STRIDE, FROM_STRIDE); }
static int has_one(int region, int pe, int bytes) { return has(region, pe, bytes, 1, 1, 0, 0); }

static void typed(const char *name, int bytes)
{
    /* Results of the kernel's calls, in order: all, rows, strided, one. */
    static const char puts[] = "aararso" "aarraarr" "aarraar", gets[] = "aararso" "aa";
    char kernel[32];
    snprintf(kernel, sizeof kernel, "typed_%s", name);
    clear();
    launch(kernel, 2, bytes % pes, NULL, 0);
    fetch();
    for (int turn = 0; turn < 2; turn++) {
        const char *forms = turn == 0 ? puts : gets;
        const int first = turn == 0 ? FIRST : 32 + FIRST, pe = turn == 0 ? before : next;
        for (int i = 0; forms[i] != 0; i++) {
            int right = 0;
            switch (forms[i]) {
            case 'a': right = has_all(first + i, pe, bytes); break;
            case 'r': right = has_rows(first + i, pe, bytes); break;
            case 's': right = has_strided(first + i, pe, bytes); break;
            default: right = has_one(first + i, pe, bytes);
            }
            if (!right) printf("%s: %s %d is wrong\n", kernel, turn == 0 ? "put" : "get", i);
            CHECK(right);
        }
    }
    for (int i = 0; i < 8; i++) CHECK(((int32_t *)(void *)(found + SIGNALS * REGION))[i] == i + 1);
}

static void widths(void)
{
    clear();
    launch("widths", 2, 0, NULL, 0);
    fetch();
    int region = FIRST;
    for (int bytes = 1; bytes <= 16; bytes *= 2) {
        for (int i = 0; i < 5; i++, region++) CHECK(i == 2 ? has_strided(region, before, bytes) : has_all(region, before, bytes));
    }
    for (int i = 0; i < 4; i++, region++) CHECK(has(region, before, 1, 1, 900, 0, 0));
    for (int bytes = 1; bytes <= 16; bytes *= 2) {
        for (int i = 0; i < 3; i++, region++) CHECK(i == 2 ? has_strided(region, next, bytes) : has_all(region, next, bytes));
    }
    for (int i = 0; i < 2; i++, region++) CHECK(has(region, next, 1, 1, 900, 0, 0));
    const int32_t *signals = (int32_t *)(void *)(found + SIGNALS * REGION);
    CHECK(signals[0] == 5 && signals[1] == 5 && signals[2] == 5 && signals[3] == 6 && signals[4] == 7);
}

/* A number of a region, of one of these sizes. */
static uint64_t number_at(int region, int bytes, int index)
{
    uint64_t value = 0;
    memcpy(&value, found + region * REGION + index * bytes, (size_t)bytes);
    return value;
}

/* Functions of engines, in the order of their calls: all of the source each. */
static void engines(const char *name, int bytes)
{
    char kernel[32];
    snprintf(kernel, sizeof kernel, "engines_%s", name);
    clear();
    launch(kernel, 2, bytes % pes, NULL, 0);
    fetch();
    for (int i = 0; i < 13; i++) CHECK(has_all(FIRST + i, before, bytes));
    for (int i = 0; i < 9; i++) CHECK(has_all(32 + FIRST + i, next, bytes));
    for (int i = 0; i < 3; i++) CHECK(number_at(SIGNALS, 8, i) == (uint64_t)(i + 1) << 40);
}

/* Functions of threads, in the order of their calls. */
static void threads(const char *name, int bytes)
{
    char kernel[32];
    snprintf(kernel, sizeof kernel, "threads_%s", name);
    clear();
    launch(kernel, 2, bytes % pes, NULL, 0);
    fetch();
    for (int i = 0; i < 9; i++) CHECK(has_all(FIRST + i, before, bytes) && has_all(32 + FIRST + i, next, bytes));
    CHECK(has_one(FIRST + 9, before, bytes) && has(41 + FIRST, next, bytes, 1, 70, 0, 0));
}

static void threads_without_types(void)
{
    clear();
    launch("threads_widths", 2, 0, NULL, 0);
    fetch();
    for (int i = 0; i < 36; i++) {
        const int bytes = i < 30 ? 1 << i / 6 : 1;
        CHECK(has_all(FIRST + i, before, bytes) && has_all(48 + FIRST + i, next, bytes));
    }
    clear();
    launch("threads_buffer", 2, pes - 1, NULL, 0);
    fetch();
    for (int i = 0; i < 9; i++) CHECK(has_all(FIRST + i, before, 4));
    CHECK(has_all(32 + FIRST, next, 4) && has_all(33 + FIRST, next, 4));
}

static void large(void)
{
    clear();
    for (int i = 0; i < LARGE_BYTES; i++) found[LARGE_FROM + i] = byte_of(me, i);
    copy(memory, found, sizeof found, TO_DEVICE);
    aclshmem_barrier_all();
    launch("large", 2, 0, NULL, 0);
    fetch();
    int wrong = 0;
    for (int i = 0; i < LARGE_BYTES; i++) wrong += found[LARGE_TO + i] != byte_of(before, i);
    CHECK(wrong == 0);
}

static void waits(const char *name, int bytes, int is_float)
{
    static const uint64_t answers[] = { 1, 1, 1, 7, 0, 4, SIZE_MAX, 7, 1, 1, 7, 1, SIZE_MAX };
    char kernel[32];
    snprintf(kernel, sizeof kernel, "waits_%s", name);
    clear();
    for (int i = 0; i < 8; i++) {
        const float value = (float)(i + 1);
        const int64_t number = i + 1;
        memcpy(found + (WORDS + 1) * REGION + i * bytes, is_float ? (const void *)&value : (const void *)&number, (size_t)bytes);
    }
    ((int *)(void *)(found + (WORDS + 2) * REGION))[0] = 1;
    copy(memory, found, sizeof found, TO_DEVICE);
    aclshmem_barrier_all();
    launch(kernel, 2, bytes % pes, NULL, 0);
    fetch();
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const uint64_t answer = ((uint64_t *)(void *)(found + RESULTS * REGION))[i];
        if (answer != answers[i]) printf("%s: answer %zu is %llu\n", kernel, i, (unsigned long long)answer);
        CHECK(answer == answers[i]);
    }
}

enum { CORES = 2 };

/* Words of PE 0 that all cores of all PEs have changed: each set of them by functions of one type or
 * engine. */
static void words(void)
{
    static const int sizes[] = { 4, 8, 4, 8, 4, 8, 4, 8, 4, 8 };
    const int sets = sizeof sizes / sizeof *sizes, callers = CORES * pes, sum = callers * (callers + 1) / 2;
    clear();
    for (int set = 0; set < sets; set++) {
        memset(found + (FIRST + set * WORD_REGIONS) * REGION + WORD_AND * sizes[set], 0xff, (size_t)(2 * sizes[set]));
    }
    copy(memory, found, sizeof found, TO_DEVICE);
    aclshmem_barrier_all();
    launch("words", CORES, pes - 1, NULL, 0);
    fetch();
    for (int core = 0; core < CORES; core++) CHECK(number_at(RESULTS, 8, core) == 0);
    float swapped[2];
    memcpy(swapped, found + (FIRST + sets * WORD_REGIONS) * REGION, sizeof swapped);
    CHECK(me != 0 || swapped[0] + swapped[1] == (float)sum);
    for (int set = 0; set < sets && me == 0; set++) {
        const int region = FIRST + set * WORD_REGIONS, bytes = sizes[set];
        const uint64_t bits = (1U << callers) - 1, all = ~(uint64_t)0 >> (64 - 8 * bytes), has_bits = set != 4 && set != 5;
#define WORD(index) number_at(region, bytes, index)
        CHECK(WORD(WORD_TICKET) == (uint64_t)callers && WORD(WORD_PLACES) == (uint64_t)sum && WORD(WORD_SUM) == (uint64_t)(sum + callers));
        CHECK(WORD(WORD_SWAPPED) + WORD(WORD_SWAP) == (uint64_t)sum && WORD(WORD_LOCK) == 0 && WORD(WORD_LOCKED) == (uint64_t)callers);
        CHECK(WORD(WORD_OR) == bits * has_bits && WORD(WORD_FETCH_OR) == bits * has_bits && WORD(WORD_XOR) == 0);
        CHECK(WORD(WORD_AND) == all - bits * has_bits && WORD(WORD_FETCH_AND) == all - bits * has_bits);
#undef WORD
        for (int i = 0; i <= sum; i++) {
            CHECK(number_at(region + 1, bytes, i) == (i < callers) && number_at(region + 2, bytes, i) == (i < sum));
        }
    }
}

static void elements(void)
{
    static const int added[] = { 1, 2, 4, 4 }, set[] = { 4, 4, 8, 8 };
    const int callers = CORES * pes, sum = callers * (callers + 1) / 2;
    const float value = (float)sum;
    uint32_t bits;
    memcpy(&bits, &value, 4);
    clear();
    launch("elements", CORES, pes - 1, NULL, 0);
    fetch();
    if (me != 0) return;
    int region = FIRST;
    for (size_t i = 0; i < sizeof added / sizeof *added; i++, region++) {
        CHECK(number_at(region, added[i], 1) == (uint64_t)sum && number_at(region, added[i], 2) == (uint64_t)sum);
    }
    /* half: 10 bits after the first, and 15 more than float's exponent of 127. */
    const uint64_t half_bits = ((bits >> 23) - 112) << 10 | (bits >> 13 & 0x3ff);
    CHECK(number_at(region, 2, 1) == half_bits && number_at(region, 2, 2) == half_bits);
    CHECK(number_at(region + 1, 2, 1) == bits >> 16 && number_at(region + 1, 2, 2) == bits >> 16);
    CHECK(number_at(region + 2, 4, 1) == bits && number_at(region + 2, 4, 2) == bits);
    region += 3;
    for (size_t i = 0; i <= sizeof set / sizeof *set; i++, region++) {
        for (int own = 1; own <= callers; own++) {
            const float number = (float)own;
            uint32_t expected = (uint32_t)own;
            if (i == 4) memcpy(&expected, &number, 4);
            const int size = i == 4 ? 4 : set[i];
            CHECK(number_at(region, size, 2 * own) == expected && number_at(region, size, 2 * own + 1) == expected);
        }
    }
}

/* All PEs in twos, the odd ones, and none. */
static void teams(void)
{
    aclshmem_team_t pair = -1, odd = -1;
    CHECK_CODE(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, (pes + 1) / 2, &pair), 0);
    if (me >= (pes + 1) / 2) CHECK(pair == -1);
    /* A PE of it has this number for it, and others may have another one. */
    CHECK_CODE(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, (pes > 1), 2, pes > 1 ? pes / 2 : 1, &odd), 0);
    clear();
    const uint64_t both[] = { (uint32_t)odd, (uint32_t)pair };
    launch("teams", 1, 0, both, 2);
    fetch();
    const int64_t *answers = (int64_t *)(void *)(found + RESULTS * REGION);
    const int is_in = odd >= 0, size = pes > 1 ? pes / 2 : 1, first = pes > 1;
    CHECK(answers[0] == me && answers[1] == pes && answers[2] == (is_in ? me / 2 : -1) && answers[3] == (is_in ? size : -1));
    CHECK(answers[4] == (is_in ? first + 2 * (size - 1) : -1) && answers[5] == (is_in ? first : -1));
    CHECK(answers[6] == (is_in ? me / 2 : -1) && answers[7] == aclshmem_team_my_pe(pair) && answers[8] == -1);
    CHECK(answers[9] == (int64_t)(size_t)aclshmem_ptr(memory, 0) && answers[10] == 0 && answers[11] == 1);

    for (int turn = 0; turn < 10; turn++) {
        static const char *const kernels[] = { "meet_by_barrier", "meet_by_sync", "meet_in_memory", "meet_mixed", "meet_by_roce" };
        const int kind = turn % 5, blocks = kind == 2 ? 5 : kind == 3 ? 2 : 3, cores = kind == 3 ? 2 * blocks : blocks;
        const uint64_t arguments[] = { (uint32_t)(turn < 5 ? ACLSHMEM_TEAM_WORLD : odd), 5 };
        clear();
        memset(found + RESULTS * REGION, 0xff, REGION);
        copy(memory + RESULTS * REGION, found + RESULTS * REGION, REGION, TO_DEVICE);
        launch(kernels[kind], (uint32_t)blocks, turn % pes, arguments, 2);
        fetch();
        for (int core = 0; core <= cores; core++) CHECK(number_at(RESULTS, 8, core) == (core < cores ? 0 : UINT64_MAX));
    }
    if (odd >= 0) aclshmem_team_destroy(odd);
    if (pair >= 0) aclshmem_team_destroy(pair);
    /* Its number stands for none. */
    launch("teams", 1, 0, both, 2);
    fetch();
    CHECK(((int64_t *)(void *)(found + RESULTS * REGION))[2] == -1);
}

/* Kernel counters of the PE named by the variable. */
static void cycles(void)
{
    const mfx_launch_options_t options = { 3, 0, NULL };
    aclshmem_prof_pe_t *counts = NULL;
    CHECK_CODE(mfx_kernel_launch(binary, "cycles", NULL, &options, NULL, 0), 0);
    aclshmemx_get_prof(&counts, true);
    CHECK((counts != NULL) == (me == 0));
    if (counts == NULL) return;
    CHECK(counts->pe_id == 0 && counts->block_prof[2].ccount[7] == 2 && counts->block_prof[2].cycles[7] == 102);
    CHECK(counts->block_prof[0].ccount[5] == 2 && counts->block_prof[0].ccount[6] == 0 && counts->block_prof[3].ccount[8] == 0);
}

int main(int count, char **arguments)
{
    setenv("SHMEM_CYCLE_PROF_PE", "0", 1);
    me = job_rank(), pes = job_ranks(), next = (me + 1) % pes, before = (me + pes - 1) % pes;
    open_acl();
    if (!has_device) {
        printf("skip: there is no libascendcl.so, which kernels need\n");
        return 0;
    }
    CHECK(count == 2);
    aclshmemx_init_attr_t attr = job_attributes(0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    CHECK_CODE(mfx_kernel_load(arguments[1], &binary), 0);
    memory = (char *)aclshmem_malloc(REGIONS * REGION);

    typed("half", 2), typed("float", 4), typed("double", 8), typed("int8", 1), typed("int16", 2), typed("int32", 4);
    typed("int64", 8), typed("uint8", 1), typed("uint16", 2), typed("uint32", 4), typed("uint64", 8), typed("char", 1);
    typed("bfloat16", 2);
    widths();
    large();
    threads("half", 2), threads("float", 4), threads("int8", 1), threads("int16", 2), threads("int32", 4), threads("int64", 8);
    threads("uint8", 1), threads("uint16", 2), threads("uint32", 4), threads("uint64", 8), threads("char", 1), threads("schar", 1);
    threads("uchar", 1), threads("bfloat16", 2);
    threads_without_types();
    engines("int8", 1), engines("half", 2), engines("int64", 8);
    waits("float", 4, 1), waits("int8", 1, 0), waits("int16", 2, 0), waits("int32", 4, 0), waits("int64", 8, 0);
    waits("uint8", 1, 0), waits("uint16", 2, 0), waits("uint32", 4, 0), waits("uint64", 8, 0), waits("char", 1, 0);
    words();
    elements();
    teams();
    cycles();
    clear();
    launch("scalar", 2, 0, NULL, 0);
    fetch();
    CHECK(((uint64_t *)(void *)(found + RESULTS * REGION))[0] == (uint64_t)next + 70);

    aclshmem_free(memory);
    CHECK_CODE(mfx_kernel_unload(binary), 0);
    CHECK_CODE(aclshmem_finalize(), 0);
    return check_result();
}
