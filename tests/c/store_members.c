/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The config store by itself: two members in two processes and a guest, with every operation of
 * mfx_store_*. */
#include "ranks.h"

#include "check.h"

#define WAIT_MS (MEET_S * 1000u)

static mfx_store_t connect_as(mfx_rank_wish_t wish, uint32_t rank, uint32_t world_size, uint32_t flags)
{
    mfx_store_options_t options;
    mfx_store_t store;
    OK(mfx_store_options_init(&options));
    options.worldSize = world_size;
    options.wish = wish;
    options.rank = rank;
    options.flags = flags;
    options.connectTimeoutMs = options.requestTimeoutMs = WAIT_MS;
    store = mfx_store_connect(getenv("MF_TEST_URL"), &options);
    CHECK(store != NULL);
    return store;
}

typedef struct {
    char text[256];
    int64_t owner;
} seen_t;

/* Appends "key=value " to a text. */
static bool note(const mfx_store_entry_t *entry, void *context)
{
    seen_t *seen = (seen_t *)context;
    size_t used = strlen(seen->text);
    snprintf(seen->text + used, sizeof seen->text - used, "%s=%.*s ", entry->key, (int)entry->bytes,
             (const char *)entry->value);
    seen->owner = entry->owner;
    return true;
}

static bool note_first(const mfx_store_entry_t *entry, void *context)
{
    note(entry, context);
    return false;
}

static void keys(mfx_store_t store)
{
    seen_t seen;
    bool flag = false;
    uint64_t revision = 0, length = 0, bytes = 0;
    int64_t sum = 0;
    char value[8];
    const char *both[2];
    memset(&seen, 0, sizeof seen);

    OK(mfx_store_set(store, "a/1", "one", 3));
    OK(mfx_store_set_with(store, "a/2", "two", 3, MFX_SESSION, 0, &revision));
    CHECK(revision > 0);
    OK(mfx_store_get(store, "a/1", 0, value, sizeof value, &bytes));
    CHECK(bytes == 3 && memcmp(value, "one", 3) == 0);
    FAILS(SMEM_NOT_EXIST, mfx_store_get(store, "absent", 0, value, sizeof value, &bytes));
    FAILS(SMEM_TIMEOUT, mfx_store_get(store, "absent", 1, value, sizeof value, &bytes));
    OK(mfx_store_get_entry(store, "a/2", 0, note, &seen));
    CHECK(strcmp(seen.text, "a/2=two ") == 0 && seen.owner == 0);
    seen.text[0] = '\0';
    OK(mfx_store_list(store, "a/", NULL, 0, note, &seen));
    CHECK(strcmp(seen.text, "a/1=one a/2=two ") == 0);
    seen.text[0] = '\0';
    OK(mfx_store_list(store, "a/", "a/1", 1, note, &seen));
    OK(mfx_store_list(store, "a/", NULL, 0, note_first, &seen));
    CHECK(strcmp(seen.text, "a/2=two a/1=one ") == 0);

    OK(mfx_store_add(store, "n", 40, &sum));
    OK(mfx_store_add(store, "n", 2, &sum));
    CHECK(sum == 42);
    FAILS(SMEM_INVALID_PARAM, mfx_store_add(store, "a/1", 1, &sum));
    OK(mfx_store_append(store, "log", "abc", 3, NULL));
    OK(mfx_store_append(store, "log", "de", 2, &length));
    CHECK(length == 5);

    OK(mfx_store_compare_and_swap(store, "c", NULL, UINT64_MAX, "x", 1, MFX_PERMANENT, 0, &flag, NULL, NULL));
    CHECK(flag);
    seen.text[0] = '\0';
    OK(mfx_store_compare_and_swap(store, "c", "y", 1, "z", 1, MFX_PERMANENT, 0, &flag, note, &seen));
    CHECK(!flag && strcmp(seen.text, "c=x ") == 0);
    OK(mfx_store_compare_and_swap(store, "c", "x", 1, "z", 1, MFX_PERMANENT, 0, &flag, NULL, NULL));
    CHECK(flag);
    OK(mfx_store_delete(store, "c", &flag));
    CHECK(flag);
    OK(mfx_store_delete(store, "c", &flag));
    CHECK(!flag);
    both[0] = "a/1", both[1] = "a/2";
    OK(mfx_store_wait(store, both, 2, 1000));
    both[1] = "never";
    FAILS(SMEM_TIMEOUT, mfx_store_wait(store, both, 2, 1));
}

static void locks_and_leases(mfx_store_t store)
{
    uint64_t first = 0, second = 0, lease = 0;
    OK(mfx_store_lock(store, "l", WAIT_MS, &first));
    FAILS(SMEM_REPEAT_INVOKE, mfx_store_lock(store, "l", WAIT_MS, NULL));
    OK(mfx_store_unlock(store, "l"));
    FAILS(SMEM_NOT_EXIST, mfx_store_unlock(store, "l"));
    OK(mfx_store_lock(store, "l", 0, &second));
    CHECK(second > first);
    OK(mfx_store_unlock(store, "l"));

    FAILS(SMEM_INVALID_PARAM, mfx_store_lease_grant(store, 1, &lease));
    OK(mfx_store_lease_grant(store, 60000, &lease));
    OK(mfx_store_set_with(store, "leased", "v", 1, MFX_LEASE, lease, NULL));
    OK(mfx_store_lease_renew(store, lease));
    OK(mfx_store_lease_revoke(store, lease));
    FAILS(SMEM_NOT_EXIST, mfx_store_lease_renew(store, lease));
    FAILS(SMEM_NOT_EXIST, mfx_store_lease_revoke(store, lease));
    FAILS(SMEM_NOT_EXIST, mfx_store_get_entry(store, "leased", 0, note, NULL));
}

typedef struct {
    int count[MFX_CHANGE_STORE_LOST + 1];
    char last[64];
} changes_t;

static void on_change(mfx_change_kind_t kind, const mfx_store_entry_t *entry, void *context)
{
    changes_t *changes = (changes_t *)context;
    changes->count[kind]++;
    if (entry != NULL) snprintf(changes->last, sizeof changes->last, "%s", entry->key);
}

static void on_member(mfx_change_kind_t kind, const mfx_store_peer_t *peer, uint64_t epoch, void *context)
{
    changes_t *changes = (changes_t *)context;
    changes->count[kind]++;
    if (peer != NULL) CHECK(peer->pid > 0 && epoch > 0 && peer->host != NULL);
}

static void watches(mfx_store_t store)
{
    changes_t all, one;
    uint64_t on_all = 0, on_one = 0;
    memset(&all, 0, sizeof all);
    memset(&one, 0, sizeof one);
    OK(mfx_store_watch(store, "w/", 0, on_change, &all, &on_all));
    OK(mfx_store_watch(store, "w/1", 1, on_change, &one, &on_one));
    OK(mfx_store_set(store, "w/1", "v", 1));
    OK(mfx_store_set(store, "w/11", "v", 1));
    OK(mfx_store_delete(store, "w/1", NULL));
    CHECK(all.count[MFX_CHANGE_PUT] == 2 && all.count[MFX_CHANGE_DELETED] == 1);
    CHECK(one.count[MFX_CHANGE_PUT] == 1 && one.count[MFX_CHANGE_DELETED] == 1 && strcmp(one.last, "w/1") == 0);
    OK(mfx_store_unwatch(store, on_one));
    FAILS(SMEM_NOT_EXIST, mfx_store_unwatch(store, on_one));
    OK(mfx_store_unwatch(store, on_all));
    OK(mfx_store_set(store, "w/1", "v", 1));
    CHECK(all.count[MFX_CHANGE_PUT] == 2);
}

static bool note_part(uint32_t rank, const void *value, uint64_t bytes, void *context)
{
    char *text = (char *)context;
    size_t used = strlen(text);
    snprintf(text + used, 64 - used, "%u:%.*s ", (unsigned)rank, (int)bytes, (const char *)value);
    return true;
}

static bool count_peer(const mfx_store_peer_t *peer, void *context)
{
    CHECK(peer->pid > 0 && strlen(peer->host) > 0);
    *(uint32_t *)context += peer->rank + 1;
    return true;
}

static void on_leader(uint64_t term, const char *place, bool here, void *context)
{
    (void)place;
    (void)here;
    *(uint64_t *)context = term;
}

/* The state of a job of two members as a guest sees it, the library's own keys, and the end of the watch. */
static void inspect(void)
{
    static uint64_t term;
    uint64_t watch = 0;
    bool ended = true;
    const char *state;
    seen_t seen;
    mfx_store_t guest = connect_as(MFX_RANK_GUEST, 0, 0, MFX_STORE_ALL_KEYS);
    memset(&seen, 0, sizeof seen);
    OK(mfx_store_has_ended(guest, &ended));
    CHECK(!ended);
    state = mfx_store_state_json(guest);
    CHECK(state != NULL && strstr(state, "\"epoch\":") != NULL && strstr(state, "\"connected\":true") != NULL);
    CHECK(strstr(state, "\"rank\":0") != NULL && strstr(state, "\"rank\":1") != NULL);
    CHECK(strstr(state, "\"lost\":[]") != NULL && strstr(state, "\"awaited\":[") != NULL);
    /* Such names are refused without the flag. */
    FAILS(SMEM_NOT_EXIST, mfx_store_get_entry(guest, ".mf/nothing", 0, note, &seen));
    OK(mfx_store_watch_leader(guest, on_leader, &term, &watch));
    OK(mfx_store_unwatch(guest, watch));
    CHECK(term == 0);
    OK(mfx_store_close(guest));
}

/* A server by itself, which a guest reaches where it listens. */
static void serve(void)
{
    mfx_store_options_t options;
    mfx_store_t guest;
    char url[64], place[64] = "";
    mfx_store_member_t me;
    free_url(url, sizeof url);
    OK(mfx_store_options_init(&options));
    options.worldSize = 3;
    options.flags = MFX_STORE_SKIP_RECOVERY;
    OK(mfx_store_serve(url, &options, place, sizeof place));
    CHECK(strcmp(place, url) == 0);
    guest = mfx_store_connect(place, NULL);
    CHECK(guest != NULL);
    OK(mfx_store_member(guest, &me));
    CHECK(me.worldSize == 3 && me.isLeader == 1);
    FAILS(SMEM_INVALID_PARAM, mfx_store_get_entry(guest, ".mf/nothing", 0, note, NULL));
    OK(mfx_store_close(guest));
    smem_destroy_config_store(url);
    FAILS(SMEM_INVALID_PARAM, mfx_store_serve("etcd://127.0.0.1:2379/job", NULL, NULL, 0));
}

static int member(uint32_t rank)
{
    char gathered[64] = "", mine[16];
    uint32_t ranks = 0;
    uint64_t epoch = 0;
    changes_t members;
    uint64_t watch = 0;
    mfx_store_member_t me;
    mfx_store_t store = connect_as(MFX_RANK_EXACTLY, rank, 2, MFX_STORE_START);
    memset(&members, 0, sizeof members);
    OK(mfx_store_member(store, &me));
    CHECK(me.rank == rank && me.worldSize == 2 && me.connected == 1 && me.isLeader == (rank == 0 ? 1u : 0u));
    if (rank == 0) {
        char place[64] = "", five[5];
        OK(mfx_store_leader(store, NULL, place, sizeof place));
        CHECK(strncmp(place, "tcp://", 6) == 0);
        OK(mfx_store_leader(store, NULL, five, sizeof five));
        CHECK(strcmp(five, "tcp:") == 0);
        keys(store);
        locks_and_leases(store);
        watches(store);
    }
    OK(mfx_store_barrier(store, "together", 0, WAIT_MS));
    snprintf(mine, sizeof mine, "from %u", (unsigned)rank);
    OK(mfx_store_allgather(store, "values", 0, mine, strlen(mine), WAIT_MS, note_part, gathered));
    CHECK(strcmp(gathered, "0:from 0 1:from 1 ") == 0);
    OK(mfx_store_members(store, count_peer, &ranks, &epoch));
    CHECK(ranks == 3 && epoch > 0);
    FAILS(SMEM_INVALID_PARAM, mfx_store_barrier(store, "too many", 3, WAIT_MS));
    if (rank == 0) {
        OK(mfx_store_watch_members(store, on_member, &members, &watch));
        OK(mfx_store_lock(store, "contended", WAIT_MS, NULL));
        OK(mfx_store_barrier(store, "locked", 0, WAIT_MS));
        OK(mfx_store_barrier(store, "tried", 0, WAIT_MS));
        OK(mfx_store_unlock(store, "contended"));
        /* The other leaves; what lived with it goes first. */
        while (members.count[MFX_CHANGE_LEFT] == 0) usleep(1000);
        FAILS(SMEM_NOT_EXIST, mfx_store_get_entry(store, "mine", 0, note, NULL));
    } else {
        mfx_store_t guest = connect_as(MFX_RANK_GUEST, 0, 0, 0);
        seen_t seen;
        memset(&seen, 0, sizeof seen);
        OK(mfx_store_member(guest, &me));
        CHECK(me.rank == UINT32_MAX);
        OK(mfx_store_get_entry(guest, "a/1", 0, note, &seen));
        CHECK(strcmp(seen.text, "a/1=one ") == 0);
        OK(mfx_store_set(guest, "by guest", "v", 1));
        OK(mfx_store_close(guest));
        inspect();
        OK(mfx_store_set_with(store, "mine", "v", 1, MFX_SESSION, 0, NULL));
        OK(mfx_store_barrier(store, "locked", 0, WAIT_MS));
        FAILS(SMEM_RES_IN_USE, mfx_store_lock(store, "contended", 0, NULL));
        OK(mfx_store_barrier(store, "tried", 0, WAIT_MS));
        OK(mfx_store_lock(store, "contended", WAIT_MS, NULL));
    }
    OK(mfx_store_close(store));
    OK(mfx_store_close(store));
    FAILS(SMEM_INVALID_PARAM, mfx_store_set(store, "k", "v", 1));
    return check_result();
}

static void bad_input(void)
{
    mfx_store_options_t options;
    char url[64];
    uint64_t watch = 0;
    mfx_store_t made_up = (mfx_store_t)(uintptr_t)1;
    free_url(url, sizeof url);
    FAILS(SMEM_INVALID_PARAM, mfx_store_options_init(NULL));
    OK(mfx_store_options_init(&options));
    CHECK(options.structBytes == sizeof options && options.wish == MFX_RANK_GUEST);
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_store_connect(NULL, &options));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_store_connect("tcp://nowhere", &options));
    options.structBytes = 8;
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_store_connect(url, &options));
    OK(mfx_store_options_init(&options));
    options.connectTimeoutMs = 0;
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_store_connect(url, &options));
    options.connectTimeoutMs = 1;
    FAILS_NULL(SMEM_TIMEOUT, mfx_store_connect(url, &options));
    options.wish = (mfx_rank_wish_t)77;
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_store_connect(url, &options));
    options.wish = MFX_RANK_ANY;
    options.worldSize = SMEM_WORLD_SIZE_MAX + 1;
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_store_connect(url, &options));
    FAILS(SMEM_INVALID_PARAM, mfx_store_set(made_up, "k", "v", 1));
    FAILS(SMEM_NOT_INIT, mfx_store_set(NULL, "k", "v", 1));
    FAILS(SMEM_INVALID_PARAM, mfx_store_watch(made_up, "k", 0, NULL, NULL, &watch));
    FAILS(SMEM_INVALID_PARAM, mfx_store_watch(made_up, "k", 0, on_change, NULL, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_store_members(made_up, NULL, NULL, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_store_list(made_up, "", NULL, 0, NULL, NULL));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_store_state_json(made_up));
    OK(mfx_store_close(NULL));
    OK(mfx_store_close(made_up));
}

int main(int argc, char **argv)
{
    (void)argc;
    if (is_rank()) return member(env_u32("RANK"));
    bad_input();
    serve();
    return check_result() | run_ranks(2, argv);
}
