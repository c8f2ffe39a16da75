/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Destination of log lines, their levels, and counters of kernels. */
#include <shmem.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job.h"

static char directory[64] = "/tmp/cann_shmem_logging.XXXXXX", path[256];
static int first_got, second_got;

static void first(int level, const char *text) { first_got += level == 3 && strstr(text, "aclshmemx_init_attr") != NULL; }
static void second(int level, const char *text) { second_got += level >= 0 && text != NULL; }

/* An error, which is logged. */
static void wrong(void) { CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, NULL), -1); }

/* True if a file has a text. */
static int has(const char *name, const char *text)
{
    static char contents[1 << 16];
    int file = open(name, O_RDONLY);
    ssize_t length = file < 0 ? 0 : read(file, contents, sizeof contents - 1);
    if (file >= 0) close(file);
    contents[length < 0 ? 0 : length] = 0;
    return strstr(contents, text) != NULL;
}

/* A file of this process in a directory that was not there. */
static void to_file(void)
{
    char wanted[64];
    snprintf(path, sizeof path, "%s/below/it", directory);
    setenv("SHMEM_LOG_PATH", path, 1);
    wrong();
    DIR *open_one = opendir(path);
    CHECK(open_one != NULL);
    if (open_one == NULL) return;
    snprintf(wanted, sizeof wanted, "aclshmem_%d_2", (int)getpid());
    int found = 0;
    for (struct dirent *entry; (entry = readdir(open_one)) != NULL;) {
        if (strncmp(entry->d_name, wanted, strlen(wanted)) != 0) continue;
        size_t length = strlen(entry->d_name);
        CHECK(length > 4 && strcmp(entry->d_name + length - 4, ".log") == 0);
        char name[600];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        struct stat is;
        CHECK(has(name, "error") && has(name, "aclshmemx_init_attr") && stat(name, &is) == 0 && (is.st_mode & 7) == 0);
        CHECK(unlink(name) == 0);
        found++;
    }
    closedir(open_one);
    CHECK(found == 1 && rmdir(path) == 0);
    /* The function of the program comes first, and the first one stays. */
    CHECK_CODE(aclshmemx_set_extern_logger(NULL), -1);
    CHECK_CODE(aclshmemx_set_extern_logger(first), 0);
    CHECK_CODE(aclshmemx_set_extern_logger(second), 0);
    wrong();
    CHECK(first_got == 1 && second_got == 0);
}

static void to_stdout(void)
{
    setenv("ACLSHMEM_LOG_TO_STDOUT", "1", 1);
    snprintf(path, sizeof path, "%s/out", directory);
    CHECK(freopen(path, "w", stdout) != NULL);
    wrong();
    if (!has(path, "aclshmemx_init_attr")) _exit(1);
    CHECK(unlink(path) == 0);
}

/* A directory that cannot be made: standard error, and nothing else is different. */
static void nowhere(void)
{
    setenv("SHMEM_LOG_PATH", "/dev/null/log", 1);
    snprintf(path, sizeof path, "%s/errors", directory);
    CHECK(freopen(path, "w", stderr) != NULL);
    wrong();
    CHECK(has(path, "no log file in") && has(path, "aclshmemx_init_attr") && unlink(path) == 0);
}

static void levels(void)
{
    CHECK_CODE(aclshmemx_set_log_level(-1), -2);
    CHECK_CODE(aclshmemx_set_log_level(5), -2);
    CHECK_CODE(aclshmemx_set_extern_logger(first), 0);
    CHECK_CODE(aclshmemx_set_log_level(4), 0);
    wrong();
    CHECK(first_got == 0);
    for (int level = 3; level >= 0; level--) CHECK_CODE(aclshmemx_set_log_level(level), 0);
    wrong();
    CHECK(first_got == 1);
}

/* The variable is stronger than the call. */
static void level_of_environment(void)
{
    setenv("SHMEM_LOG_LEVEL", "FATAL", 1);
    CHECK_CODE(aclshmemx_set_extern_logger(first), 0);
    CHECK_CODE(aclshmemx_set_log_level(0), 0);
    /* The argument is not checked then. */
    CHECK_CODE(aclshmemx_set_log_level(-1), 0);
    wrong();
    CHECK(first_got == 0);
}

/* One PE is counted; here its counts are 0. */
static void profile(void)
{
    aclshmem_prof_pe_t *profile = NULL;
    CHECK_CODE(shmem_init(), 0);
    aclshmemx_get_prof(&profile, true);
    aclshmemx_show_prof();
    CHECK(profile == NULL);
    setenv("SHMEM_CYCLE_PROF_PE", "0", 1);
    aclshmemx_get_prof(NULL, false);
    aclshmemx_get_prof(&profile, false);
    CHECK(profile != NULL && profile->pe_id == 0 && profile->block_prof[63].cycles[1023] == 0);
    CHECK_CODE(aclshmem_finalize(), 0);
}

int main(void)
{
    static void (*const parts[])(void) = {to_file, to_stdout, nowhere, levels, level_of_environment, profile};
    if (job_rank() != 0) return 0;
    CHECK(mkdtemp(directory) != NULL);
    static const char *const launcher[] = {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"};
    for (int i = 0; i < 4; i++) unsetenv(launcher[i]);
    /* Each in a separate process: the choice is permanent. */
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int status = -1;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            parts[i]();
            int result = check_result();
            fflush(NULL);
            _exit(result);
        }
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        if (status != 0) printf("part %zu\n", i);
    }
    snprintf(path, sizeof path, "%s/below", directory);
    CHECK(rmdir(path) == 0 && rmdir(directory) == 0);
    return check_result();
}
