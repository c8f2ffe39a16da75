/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A "reg://" store: three processes find its leader through a table of files, and follow when the leader
 * dies. */
#include "ranks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "check.h"

typedef struct {
    char folder[128];
} table_t;

static void path_of(const table_t *table, const char *kind, const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s.%s", table->folder, kind, name);
}

static bool distributed(uint32_t flags)
{
    (void)flags;
    return true;
}

static int32_t create(const char *name, const char *prefix, uint32_t flags, void **handle)
{
    table_t *table = (table_t *)malloc(sizeof *table);
    char *slash;
    (void)flags;
    CHECK(strchr(name, ':') != NULL);
    if (table == NULL) return SMEM_STORE_BACKEND_CODE_NORES;
    snprintf(table->folder, sizeof table->folder, "%s/%s", getenv("MF_TEST_TABLE"), prefix);
    slash = strrchr(table->folder, '/');
    if (slash != NULL) *slash = '\0';
    if (mkdir(table->folder, 0700) != 0 && errno != EEXIST) return SMEM_STORE_BACKEND_CODE_INTERNAL;
    *handle = table;
    return SMEM_STORE_BACKEND_CODE_OK;
}

static void destroy(void *h)
{
    free(h);
}

static int32_t put(void *h, const char *key, const void *value, uint64_t size, uint32_t flags)
{
    char path[256], fresh[320];
    FILE *file;
    (void)flags;
    path_of((table_t *)h, "key", key, path, sizeof path);
    snprintf(fresh, sizeof fresh, "%s.%d", path, (int)getpid());
    file = fopen(fresh, "w");
    if (file == NULL) return SMEM_STORE_BACKEND_CODE_INTERNAL;
    fwrite(value, 1, size, file);
    fclose(file);
    return rename(fresh, path) == 0 ? SMEM_STORE_BACKEND_CODE_OK : SMEM_STORE_BACKEND_CODE_INTERNAL;
}

static int32_t get(void *h, const char *key, void *value, uint64_t capacity, uint32_t flags, uint64_t *size)
{
    char path[256];
    struct stat facts;
    FILE *file;
    (void)flags;
    path_of((table_t *)h, "key", key, path, sizeof path);
    file = fopen(path, "r");
    if (file == NULL) return SMEM_STORE_BACKEND_CODE_NOENT;
    fstat(fileno(file), &facts);
    *size = (uint64_t)facts.st_size;
    /* Small on purpose, the first time: the caller has to ask again. */
    if (capacity > 16 && capacity < 4096 && *size > 16 && getenv("MF_TEST_TIGHT") != NULL) {
        fclose(file);
        *size = 8192;
        return SMEM_STORE_BACKEND_CODE_BUFEX;
    }
    if (*size > capacity) {
        fclose(file);
        return SMEM_STORE_BACKEND_CODE_BUFEX;
    }
    *size = fread(value, 1, *size, file);
    fclose(file);
    return SMEM_STORE_BACKEND_CODE_OK;
}

static int32_t prefix_get(void *h, const smem_store_prefix_get_ctx_t *context, uint32_t flags)
{
    (void)h, (void)context, (void)flags;
    return SMEM_STORE_BACKEND_CODE_OK;
}

static int32_t remove_key(void *h, const char *key, uint32_t flags)
{
    char path[256];
    (void)flags;
    path_of((table_t *)h, "key", key, path, sizeof path);
    return unlink(path) == 0 ? SMEM_STORE_BACKEND_CODE_OK : SMEM_STORE_BACKEND_CODE_NOENT;
}

static int32_t try_lock(void *h, const char *name, uint32_t flags)
{
    char path[256];
    int fd;
    (void)flags;
    path_of((table_t *)h, "lock", name, path, sizeof path);
    fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (fd < 0) return SMEM_STORE_BACKEND_CODE_LOCKED;
    close(fd);
    return SMEM_STORE_BACKEND_CODE_OK;
}

static int32_t lock(void *h, const char *name, uint32_t flags)
{
    while (try_lock(h, name, flags) != SMEM_STORE_BACKEND_CODE_OK) usleep(1000);
    return SMEM_STORE_BACKEND_CODE_OK;
}

static int32_t unlock(void *h, const char *name, uint32_t flags)
{
    char path[256];
    (void)flags;
    path_of((table_t *)h, "lock", name, path, sizeof path);
    return unlink(path) == 0 ? SMEM_STORE_BACKEND_CODE_OK : SMEM_STORE_BACKEND_CODE_UNLOCKED;
}

static smem_conf_store_backend_op_t operations(void)
{
    smem_conf_store_backend_op_t table;
    memset(&table, 0, sizeof table);
    table.distributed = distributed, table.create = create, table.destroy = destroy;
    table.put = put, table.get = get, table.prefix_get = prefix_get, table.remove = remove_key;
    table.lock = lock, table.try_lock = try_lock, table.unlock = unlock;
    return table;
}

static void on_leader_change(void *context)
{
    *(volatile int *)context = 1;
}

static int process_main(uint32_t number)
{
    smem_conf_store_backend_op_t table = operations();
    smem_bm_config_t config;
    mfx_store_member_t me;
    int64_t sum = 0;
    char ip[64];
    uint16_t port = 0;
    volatile int changed = 0;
    OK(smem_config_store_set_backend_op(&table));
    OK(smem_bm_config_init(&config));
    config.initTimeout = config.createTimeout = config.controlOperationTimeout = MEET_S;
    OK(smem_bm_init("reg://127.0.0.1:2379#blue", 3, (uint16_t)number, &config));
    OK(mfx_store_member(NULL, &me));
    OK(smem_bm_get_bindable_leader_address(ip, sizeof ip, &port));
    CHECK(strcmp(ip, "127.0.0.1") == 0 && port > 1024);
    OK(smem_bm_register_leader_change_callback(on_leader_change, (void *)&changed));
    OK(mfx_store_add(NULL, "members", 1, &sum));
    OK(mfx_store_set_with(NULL, me.isLeader ? "leader" : "follower", "v", 1, MFX_PERMANENT, 0, NULL));
    meet("all are here");
    sum = 0;
    /* The store dies with the leader, and the ends of the barrier that it has not sent yet. */
    if (me.isLeader) {
        int polls;
        for (polls = 0; sum != 2 && polls < 1000 * MEET_S; polls++) {
            usleep(1000);
            OK(mfx_store_add(NULL, "left the barrier", 0, &sum));
        }
        kill(getpid(), SIGKILL);
    }
    OK(mfx_store_add(NULL, "left the barrier", 1, &sum));
    OK(mfx_bm_barrier("those who are left", 2, MEET_S));
    while (!changed) {
        OK(mfx_store_member(NULL, &me));
        if (me.isLeader) break;
        usleep(1000);
    }
    OK(mfx_bm_barrier("they know the new leader", 2, MEET_S));
    OK(smem_bm_register_leader_change_callback(NULL, NULL));
    smem_bm_uninit(0);
    return check_result();
}

static void bad_tables(void)
{
    smem_conf_store_backend_op_t table = operations();
    smem_bm_config_t config;
    FAILS(SMEM_INVALID_PARAM, smem_config_store_set_backend_op(NULL));
    table.unlock = NULL;
    FAILS(SMEM_INVALID_PARAM, smem_config_store_set_backend_op(&table));
    OK(smem_bm_config_init(&config));
    config.initTimeout = 1;
    FAILS(SMEM_INVALID_PARAM, smem_bm_init("reg://127.0.0.1:2379", 1, 0, &config));
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/mf-table-XXXXXX", command[128];
    pid_t children[3];
    int status, killed = 0, failed = 0, r;
    (void)argc;
    if (is_rank()) return process_main(env_u32("RANK"));
    bad_tables();
    if (mkdtemp(folder) == NULL) return 2;
    setenv("MF_TEST_TABLE", folder, 1);
    setenv("MF_TEST_TIGHT", "1", 1);
    setenv("MF_TEST_URL", "reg", 1);
    setenv("MF_STORE_LEASE", "1s", 1);
    for (r = 0; r < 3; r++) children[r] = start_rank((uint32_t)r, argv);
    for (r = 0; r < 3; r++) {
        waitpid(children[r], &status, 0);
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) killed++;
        else if (status != 0) failed++;
    }
    CHECK(killed == 1 && failed == 0);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    return check_result();
}
