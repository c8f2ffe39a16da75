/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Transfers that were started, prepared lists and notifications: endpoints of one process, right and wrong
 * arguments. */
#include "ranks.h"

#include "check.h"
#include "smem/host/mfx.h"
#include "smem/host/smem_trans.h"

#include <poll.h>
#include <sched.h>
#include <stdlib.h>

#define OWNER "127.0.0.1:5000"
#define OTHER "127.0.0.1:5001"
#define BYTES ((size_t)8 << 20)

static char url[64];
static char *there, *here;
static smem_trans_t owner, other;

struct taken {
    int count, most;
    char text[256];
};

/* Notes sender and message of at most so many. */
static bool take(const char *from, const void *message, uint64_t bytes, void *context)
{
    struct taken *taken = (struct taken *)context;
    size_t used = strlen(taken->text);
    snprintf(taken->text + used, sizeof taken->text - used, "%s=%.*s ", from, (int)bytes, (const char *)message);
    return ++taken->count < taken->most;
}

static const char *all_of(smem_trans_t handle, int most)
{
    static struct taken taken;
    memset(&taken, 0, sizeof taken);
    taken.most = most;
    OK(mfx_trans_notifications(handle, 0, take, &taken));
    return taken.text;
}

static mfx_transfer_t start(uint32_t flags, char *local, char *remote, size_t bytes, const char *message)
{
    void *locals[1] = {local}, *remotes[1] = {remote};
    size_t sizes[1] = {bytes};
    return mfx_trans_start(other, flags, OWNER, locals, remotes, sizes, 1, message, message ? strlen(message) : 0);
}

static void started(void)
{
    bool done = false;
    memset(here, 'a', BYTES);
    mfx_transfer_t transfer = start(0, here, there, BYTES, "written");
    CHECK(transfer != NULL);
    while (mfx_trans_poll(transfer, &done) == SMEM_OK && !done) sched_yield();
    CHECK(done && memcmp(there, here, BYTES) == 0);
    CHECK(strcmp(all_of(owner, 9), OTHER "=written ") == 0);
    OK(mfx_trans_poll(transfer, &done));
    OK(mfx_trans_wait(transfer, 0));
    OK(mfx_trans_cancel(transfer));
    OK(mfx_trans_wait(transfer, 60000));
    OK(mfx_trans_release(transfer));

    memset(there, 'b', BYTES);
    transfer = start(MFX_TRANS_READ, here, there, BYTES, NULL);
    OK(mfx_trans_wait(transfer, 60000));
    CHECK(here[0] == 'b' && here[BYTES - 1] == 'b');
    OK(mfx_trans_release(transfer));
    CHECK(strcmp(all_of(owner, 9), "") == 0);

    /* Errors of the call. */
    FAILS(SMEM_INVALID_PARAM, mfx_trans_poll(transfer, &done));
    FAILS(SMEM_INVALID_PARAM, mfx_trans_wait(transfer, 0));
    FAILS(SMEM_INVALID_PARAM, mfx_trans_cancel(transfer));
    FAILS(SMEM_INVALID_PARAM, mfx_trans_release(transfer));
    FAILS(SMEM_INVALID_PARAM, mfx_trans_poll(NULL, &done));
    FAILS(SMEM_INVALID_PARAM, mfx_trans_release(NULL));
    transfer = start(0, here, there, 8, NULL);
    FAILS(SMEM_INVALID_PARAM, mfx_trans_poll(transfer, NULL));
    OK(mfx_trans_release(transfer));
    FAILS_NULL(SMEM_INVALID_PARAM, start(0, here, there, 0, NULL));
    FAILS_NULL(SMEM_INVALID_PARAM, start(0, NULL, there, 8, NULL));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_start(other, 0, OWNER, NULL, NULL, NULL, 0, NULL, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_start(other, 0, OWNER, NULL, NULL, NULL, 1, NULL, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_start(other, 0, NULL, NULL, NULL, NULL, 0, "x", 1));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_start(other, 0, OWNER, NULL, NULL, NULL, 0, NULL, 1));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_start(NULL, 0, OWNER, NULL, NULL, NULL, 0, "x", 1));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_start(other, 0, OWNER, NULL, NULL, NULL, 0, there, 4097));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_start(other, 0, OWNER, NULL, NULL, NULL, 0, there, UINT64_C(1) << 40));

    /* Errors found later. */
    transfer = start(0, here, there + BYTES, 8, NULL);
    FAILS(SMEM_INVALID_PARAM, mfx_trans_wait(transfer, 60000));
    done = false;
    FAILS(SMEM_INVALID_PARAM, mfx_trans_poll(transfer, &done));
    CHECK(done);
    OK(mfx_trans_release(transfer));
    transfer = mfx_trans_start(other, 0, "127.0.0.1:1", NULL, NULL, NULL, 0, "x", 1);
    CHECK(mfx_trans_wait(transfer, 60000) == SMEM_NOT_CONNECTED);
    CHECK(strstr(smem_get_last_err_msg(), "127.0.0.1:1") != NULL);
    OK(mfx_trans_release(transfer));
}

static void cancelled(void)
{
    mfx_transfer_t transfers[20];
    for (int i = 0; i < 20; i++) transfers[i] = start(0, here, there, BYTES, "x");
    for (int i = 19; i >= 0; i--) {
        bool done = false;
        OK(mfx_trans_cancel(transfers[i]));
        int32_t code = mfx_trans_poll(transfers[i], &done);
        CHECK(done && (code == SMEM_OK || code == MFX_CANCELLED));
    }
    for (int i = 0; i < 20; i++) OK(mfx_trans_release(transfers[i]));
    (void)all_of(owner, 99);
}

static void prepared(void)
{
    void *locals[3] = {here, here + 100, here + 200}, *remotes[3] = {there, there + 1000, there + 2000};
    size_t sizes[3] = {100, 100, 100};
    uint32_t second = 1, fourth = 3;
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_prepare(other, 0, OWNER, locals, remotes, sizes, 3));
    OK(smem_trans_register_mem(other, here, BYTES, 0));
    FAILS_NULL(SMEM_NOT_CONNECTED, mfx_trans_prepare(other, 0, "127.0.0.1:1", locals, remotes, sizes, 3));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_prepare(other, 0, OWNER, locals, remotes, sizes, 0));
    mfx_prepared_t list = mfx_trans_prepare(other, 0, OWNER, locals, remotes, sizes, 3);
    CHECK(list != NULL);
    memset(there, 0, 4096);
    memset(here, 'p', 300);
    mfx_transfer_t transfer = mfx_trans_start_prepared(list, &second, 1, "one", 3);
    OK(mfx_trans_wait(transfer, 60000));
    OK(mfx_trans_release(transfer));
    CHECK(there[0] == 0 && there[1000] == 'p' && there[1099] == 'p' && there[1100] == 0);
    transfer = mfx_trans_start_prepared(list, NULL, 0, NULL, 0);
    OK(mfx_trans_wait(transfer, 60000));
    OK(mfx_trans_release(transfer));
    CHECK(there[0] == 'p' && there[2099] == 'p' && there[2100] == 0);
    CHECK(strcmp(all_of(owner, 9), OTHER "=one ") == 0);
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_start_prepared(list, &fourth, 1, NULL, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_start_prepared(list, NULL, 1, NULL, 0));
    OK(smem_trans_deregister_mem(other, here));
    CHECK(mfx_trans_start_prepared(list, NULL, 0, NULL, 0) == NULL);
    CHECK(strstr(smem_get_last_err_msg(), "piece 0") != NULL);
    (void)smem_get_and_clear_last_err_msg();
    OK(mfx_trans_release_prepared(list));
    FAILS(SMEM_INVALID_PARAM, mfx_trans_release_prepared(list));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_trans_start_prepared(list, NULL, 0, NULL, 0));
    FAILS(SMEM_INVALID_PARAM, mfx_trans_release_prepared((mfx_prepared_t)(uintptr_t)1));
}

static void notified(void)
{
    struct taken taken;
    int32_t descriptor = -1;
    uint64_t count = 0;
    memset(&taken, 0, sizeof taken);
    FAILS(SMEM_TIMEOUT, mfx_trans_notifications(owner, 1, take, &taken));
    OK(mfx_trans_event_fd(owner, &descriptor));
    struct pollfd ready = {descriptor, POLLIN, 0};
    CHECK(poll(&ready, 1, 0) == 0);
    OK(mfx_trans_notify(other, OWNER, "one", 3));
    OK(mfx_trans_notify(other, OWNER, NULL, 0));
    OK(mfx_trans_notify(owner, OWNER, "mine", 4));
    CHECK(poll(&ready, 1, 60000) == 1 && read(descriptor, &count, 8) == 8 && poll(&ready, 1, 0) == 0);
    CHECK(strcmp(all_of(owner, 2), OTHER "=one " OTHER "= ") == 0);
    taken.most = 9;
    OK(mfx_trans_notifications(owner, 60000, take, &taken));
    CHECK(strcmp(taken.text, OWNER "=mine ") == 0);
    FAILS(SMEM_INVALID_PARAM, mfx_trans_notify(other, OWNER, there, 4097));
    FAILS(SMEM_INVALID_PARAM, mfx_trans_notify(other, OWNER, NULL, 1));
    FAILS(SMEM_NOT_CONNECTED, mfx_trans_notify(other, "127.0.0.1:1", "x", 1));
    FAILS(SMEM_NOT_CONNECTED, mfx_trans_find(other, "127.0.0.1:1"));
    OK(mfx_trans_find(other, OWNER));
}

int main(void)
{
    smem_trans_config_t config;
    bool done = false;
    free_url(url, sizeof url);
    there = (char *)calloc(1, BYTES);
    here = (char *)calloc(1, BYTES);
    OK(smem_create_config_store(url, 0));
    OK(smem_trans_config_init(&config));
    OK(smem_trans_init(&config));
    owner = smem_trans_create(url, OWNER, &config);
    other = smem_trans_create(url, OTHER, &config);
    CHECK(owner != NULL && other != NULL);
    OK(smem_trans_register_mem(owner, there, BYTES, 0));
    started();
    cancelled();
    prepared();
    notified();

    /* Handles outlive their endpoint. */
    mfx_transfer_t before = start(0, here, there, 8, NULL);
    OK(mfx_trans_wait(before, 60000));
    mfx_transfer_t last = start(0, here, there, BYTES, "x");
    smem_trans_destroy(other, 0);
    OK(mfx_trans_poll(before, &done));
    int32_t code = mfx_trans_poll(last, &done);
    CHECK(done && (code == SMEM_OK || code == MFX_CANCELLED));
    FAILS(SMEM_INVALID_PARAM, mfx_trans_notify(other, OWNER, "x", 1));
    OK(mfx_trans_release(before));
    smem_trans_uninit(0);
    OK(mfx_trans_release(last));
    FAILS(SMEM_INVALID_PARAM, mfx_trans_notifications(owner, 0, take, &done));
    smem_destroy_config_store(url);
    free(there);
    free(here);
    return check_result();
}
