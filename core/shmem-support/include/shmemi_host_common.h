/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Internals of the library that tests of CANN SHMEM use, in C++: link with -lshmem_test_support and -lshmem.
 * Programs do not need it.
 */
#ifndef MF_SHMEM_TEST_SUPPORT_H
#define MF_SHMEM_TEST_SUPPORT_H

#ifndef __cplusplus
#error "shmemi_host_common.h is for C++"
#endif

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "shmem.h"

#include "host_device/shmem_state_types.h"

/* The state record after the last change: in the present layout, and of 1.0 to 1.5 (MF_SHMEM_STATE). */
extern aclshmem_device_host_state_t g_state;
extern aclshmem_host_state_t g_state_host;
/* Barrier of all PEs over the network; does not complete puts. Returns 0, or a negative code. */
int aclshmemi_control_barrier_all();
int shmemi_control_barrier_all();

/* By the names of the first generation. */
namespace shm {
extern aclshmem_device_host_state_t g_state;
extern aclshmem_host_state_t g_state_host;
int aclshmemi_control_barrier_all();
int shmemi_control_barrier_all();
} // namespace shm

/* Logs a line to standard error at SHMEM_LOG_LEVEL, a number or a name; errors only without it. */
namespace mf_shmem_test {
inline bool is_logged(int level)
{
    static const char *const names[] = { "DEBUG", "INFO", "WARN", "ERROR", "FATAL" };
    const char *text = std::getenv("SHMEM_LOG_LEVEL");
    if (text == nullptr || *text == 0) return level >= 3;
    for (int known = 0; known < 5; known++) {
        if (names[known] == std::string(text)) return level >= known;
    }
    return level >= std::atoi(text);
}
} // namespace mf_shmem_test

#define MF_SHMEM_TEST_LINE(level, name, args) \
    do { \
        if (mf_shmem_test::is_logged(level)) { \
            std::ostringstream mf_line; \
            mf_line << "[" name "] " << __FILE__ << ":" << __LINE__ << " " << args << "\n"; \
            std::cerr << mf_line.str(); \
        } \
    } while (0)
#define SHM_LOG_DEBUG(args) MF_SHMEM_TEST_LINE(0, "DEBUG", args)
#define SHM_LOG_INFO(args) MF_SHMEM_TEST_LINE(1, "INFO", args)
#define SHM_LOG_WARN(args) MF_SHMEM_TEST_LINE(2, "WARN", args)
#define SHM_LOG_ERROR(args) MF_SHMEM_TEST_LINE(3, "ERROR", args)

#define SHM_VALIDATE_RETURN(holds, text, value) \
    do { \
        if (!(holds)) { \
            SHM_LOG_ERROR(text); \
            return value; \
        } \
    } while (0)
#define SHM_ASSERT_RETURN(holds, value) SHM_VALIDATE_RETURN(holds, "does not hold: " #holds, value)
#define SHM_ASSERT_RETURN_VOID(holds) SHM_VALIDATE_RETURN(holds, "does not hold: " #holds, )

#endif
