/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tracer: trace points of the program, counts of copies and calls, the text and the file. */
#include "ranks.h"

#include <dlfcn.h>

#include "check.h"
#include "hybm/hybm_def.h"

#define MIB ((uint64_t)1 << 20)

/* Cells 2 to 5 of the line that begins with `name`: begun, good, bad, bytes. 0: not found. */
static int counted(const char *text, const char *name, long cells[4])
{
    char wanted[128];
    const char *line;
    snprintf(wanted, sizeof wanted, "\n%s ", name);
    line = text == NULL ? NULL : strstr(text, wanted);
    if (line == NULL) return 0;
    cells[3] = -1;
    return sscanf(line + strlen(wanted), " %ld %ld %ld %ld", &cells[0], &cells[1], &cells[2], &cells[3]) >= 3;
}

static void own_points(void)
{
    long cells[4];
    uint64_t before = g_tracer.current_time_ns();
    CHECK(!g_tracer.enabled);
    g_tracer.trace_begin(7, "too early");
    CHECK(!counted(ptracer_get_all_tp_string(), "point too early", cells));
    CHECK(g_tracer.current_time_ns() >= before);
}

static void refusals(const char *folder)
{
    char path[512];
    ptracer_config_t config = {2, "x"};
    FAILS(SMEM_INVALID_PARAM, ptracer_init(NULL));
    FAILS(SMEM_INVALID_PARAM, ptracer_init(&config));
    config.tracerType = 1;
    config.dumpFilePath = NULL;
    FAILS(SMEM_INVALID_PARAM, ptracer_init(&config));
    config.dumpFilePath = "";
    FAILS(SMEM_INVALID_PARAM, ptracer_init(&config));
    snprintf(path, sizeof path, "%s/not/there", folder);
    config.dumpFilePath = path;
    CHECK(ptracer_init(&config) == SMEM_ERROR);
    CHECK(strstr(ptracer_get_last_err_msg(), path) != NULL);
    CHECK(!g_tracer.enabled);
    (void)smem_get_and_clear_last_err_msg();
    CHECK(ptracer_get_last_err_msg()[0] == 0);
    ptracer_uninit();
    CHECK(smem_get_last_err_code() == SMEM_OK);
}

static void points_count(void)
{
    long cells[4];
    uint32_t id;
    double us[4] = {0, 0, 0, 0};
    const char *text, *line;
    CHECK(g_tracer.enabled);
    g_tracer.trace_begin(7, "load");
    g_tracer.trace_end(7, 1500, 0);
    g_tracer.trace_begin(7, "the first name counts");
    g_tracer.trace_end(7, 2500, -3);
    g_tracer.trace_begin(8, NULL);
    text = ptracer_get_all_tp_string();
    CHECK(counted(text, "point load", cells) && cells[0] == 2 && cells[1] == 1 && cells[2] == 1);
    line = strstr(text, "point load ");
    CHECK(line != NULL && sscanf(line, "point load %*s %*s %*s - %lf %lf %lf %lf", &us[0], &us[1], &us[2], &us[3]) == 4);
    CHECK(us[0] == 2.0 && us[1] == 1.5 && us[2] == 2.5 && us[3] == 4.0);
    CHECK(counted(text, "point 8", cells) && cells[0] == 1 && cells[1] == 0 && cells[2] == 0);
    for (id = 100; id < 100 + 4096; id++) g_tracer.trace_begin(id, "many");
    CHECK(counted(ptracer_get_all_tp_string(), "point (others)", cells) && cells[0] == 2);
}

static void copies_count(void)
{
    char url[64], buffer[1000];
    long cells[4];
    smem_bm_config_t config;
    smem_copy_params_t params;
    smem_bm_t pool;
    free_url(url, sizeof url);
    OK(smem_bm_config_init(&config));
    config.autoRanking = false;
    config.rankId = 0;
    OK(smem_init(0));
    OK(smem_bm_init(url, 1, 0, &config));
    pool = smem_bm_create(0, 0, SMEMB_DATA_OP_HOST_SHM, 2 * MIB, 0, 0);
    OK(smem_bm_join(pool, 0));
    memset(&params, 0, sizeof params);
    memset(buffer, 1, sizeof buffer);
    params.src = buffer;
    params.dest = smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, 0);
    params.dataSize = sizeof buffer;
    OK(smem_bm_copy(pool, &params, SMEMB_COPY_H2G, 0));
    OK(smem_bm_copy(pool, &params, SMEMB_COPY_H2G, 0));
    params.dataSize = 1u << 30;
    CHECK(smem_bm_copy(pool, &params, SMEMB_COPY_H2G, 0) != SMEM_OK);
    CHECK(counted(ptracer_get_all_tp_string(), "copy host put", cells));
    CHECK(cells[0] == 2 && cells[1] == 2 && cells[2] == 0 && cells[3] == 2000);
    CHECK(counted(ptracer_get_all_tp_string(), "call smem_bm_copy", cells) && cells[0] == 3 && cells[1] == 2 && cells[2] == 1);
    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    smem_uninit();
}

/* The whole file; empty if it does not exist. */
static const char *content(const char *path)
{
    static char text[1 << 20];
    size_t length = 0;
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        length = fread(text, 1, sizeof text - 1, file);
        fclose(file);
    }
    text[length] = 0;
    return text;
}

int main(void)
{
    char folder[] = "/tmp/mf-tracer-XXXXXX", path[512], other[512];
    long cells[4];
    ptracer_config_t config;
    pid_t child;
    int status = 0;
    CHECK(mkdtemp(folder) != NULL);
    own_points();
    refusals(folder);
    config.tracerType = 1;
    config.dumpFilePath = folder;
    OK(ptracer_init(&config));
    OK(ptracer_init(&config));
    snprintf(path, sizeof path, "%s/ptracer_%d.txt", folder, (int)getpid());
    CHECK(strncmp(content(path), "trace point", 11) == 0);
    snprintf(other, sizeof other, "%s/other.txt", folder);
    config.dumpFilePath = other;
    FAILS(SMEM_RES_IN_USE, ptracer_init(&config));
    points_count();
    copies_count();
    /* By the name under which programs look for it: where that file is a link, it is this very library. */
    CHECK(dlsym(RTLD_DEFAULT, "g_tracer") == (void *)&g_tracer);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        /* Nothing of the parent's is written by its child, which may have a file of its own. */
        check_failures = 0;
        OK(ptracer_init(&config));
        ptracer_uninit();
        CHECK(strncmp(content(other), "trace point", 11) == 0);
        _exit(check_result());
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ptracer_uninit();
    CHECK(!g_tracer.enabled);
    CHECK(counted(content(path), "point load", cells) && cells[0] == 2);
    g_tracer.trace_begin(7, "load");
    CHECK(counted(ptracer_get_all_tp_string(), "point load", cells) && cells[0] == 2);
    ptracer_uninit();
    unlink(path);
    unlink(other);
    CHECK(rmdir(folder) == 0);
    return check_result();
}
