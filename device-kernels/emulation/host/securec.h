// SPDX-License-Identifier: Apache-2.0 OR MIT
// Copies that know the room of their destination. They return EOK, or an error and write nothing.
#ifndef MF_HOST_SECUREC_H
#define MF_HOST_SECUREC_H

#include <errno.h>
#include <stddef.h>
#include <string.h>

#ifndef EOK
#define EOK 0
#endif
typedef int errno_t;

// The error of a call with these ends; `room` and `count` are bytes.
static inline errno_t mf_secure_error(const void *dest, size_t room, const void *src, size_t count) {
    if (dest == NULL || src == NULL) return EINVAL;
    return count > room ? ERANGE : EOK;
}
// Overlapping ends are an error of memcpy_s, and fine for memmove_s.
static inline errno_t memmove_s(void *dest, size_t destMax, const void *src, size_t count) {
    const errno_t error = mf_secure_error(dest, destMax, src, count);
    if (error == EOK) memmove(dest, src, count);
    return error;
}
static inline errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count) {
    const char *const to = (const char *)dest, *const from = (const char *)src;
    if (mf_secure_error(dest, destMax, src, count) == EOK && to != from && to < from + count && from < to + count)
        return EINVAL;
    return memmove_s(dest, destMax, src, count);
}
static inline errno_t memset_s(void *dest, size_t destMax, int c, size_t count) {
    const errno_t error = mf_secure_error(dest, destMax, dest, count);
    if (error == EOK) memset(dest, c, count);
    return error;
}
static inline errno_t strcpy_s(char *strDest, size_t destMax, const char *strSrc) {
    return memmove_s(strDest, destMax, strSrc, strSrc == NULL ? 0 : strlen(strSrc) + 1);
}

#endif
