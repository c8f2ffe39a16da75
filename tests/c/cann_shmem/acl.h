/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The accelerator of this process: ACL, opened at run time. Without it memory is the host's. */
#ifndef MF_TESTS_CANN_SHMEM_ACL_H
#define MF_TESTS_CANN_SHMEM_ACL_H

#include <dlfcn.h>

#include "attributes.h"

enum { TO_DEVICE = 1, TO_HOST = 2, HUGE_FIRST = 0, HBM = 1 };

static struct {
    int (*init)(const char *config);
    int (*set_device)(int device);
    int (*allocate)(void **to, size_t bytes, int policy);
    int (*release)(void *address);
    int (*copy)(void *to, size_t room, const void *from, size_t bytes, int kind);
    int (*memory)(int attribute, size_t *unused, size_t *total);
} acl;

static int has_device;

static inline void find(void *library, const char *name, void *to)
{
    void *found = dlsym(library, name);
    CHECK(found != NULL);
    memcpy(to, &found, sizeof found);
}

static inline void open_acl(void)
{
    void *library = dlopen("libascendcl.so", RTLD_NOW | RTLD_GLOBAL);
    has_device = library != NULL;
    if (!has_device) return;
    find(library, "aclInit", &acl.init);
    find(library, "aclrtSetDevice", &acl.set_device);
    find(library, "aclrtMalloc", &acl.allocate);
    find(library, "aclrtFree", &acl.release);
    find(library, "aclrtMemcpy", &acl.copy);
    find(library, "aclrtGetMemInfo", &acl.memory);
    CHECK_CODE(acl.init(NULL), 0);
    CHECK_CODE(acl.set_device(job_rank() % 2), 0);
}

static inline void copy(void *to, const void *from, size_t bytes, int kind)
{
    if (has_device) CHECK_CODE(acl.copy(to, bytes, from, bytes, kind), 0);
    else memcpy(to, from, bytes);
}

static inline void *allocate(size_t bytes)
{
    void *address = NULL;
    if (has_device) CHECK_CODE(acl.allocate(&address, bytes, HUGE_FIRST), 0);
    else address = malloc(bytes);
    return address;
}

static inline void release(void *address)
{
    if (has_device) CHECK_CODE(acl.release(address), 0);
    else free(address);
}

/* Free bytes of the device's memory. */
static inline size_t unused_bytes(void)
{
    size_t unused = 0, total = 0;
    if (has_device) CHECK_CODE(acl.memory(HBM, &unused, &total), 0);
    return unused;
}

#endif
