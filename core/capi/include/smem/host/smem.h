/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * General functions: start and end, the config store, logging, the last error.
 *
 * Order of calls: smem_init, (smem_create_config_store), smem_bm_config_init, smem_bm_init, create, join, use, leave,
 * destroy, smem_bm_uninit, smem_uninit.
 *
 * Words in the comments of all headers:
 *   Local      concerns this process only.
 *   One-sided  reaches other ranks, which need not do anything.
 *   Collective waits for calls by other ranks.
 * Functions without the word "Blocks" do not wait for anyone. Every wait has a deadline.
 *
 * Threads: all functions may be called from any thread at any time, unless their comment says otherwise.
 * fork: a child must not use objects of its parent; it may start afresh with smem_bm_init.
 * Errors: a failing call returns a code of smem_def.h and leaves the same code and a text in the calling thread; a
 * succeeding call leaves both alone. Null pointers and made-up or stale handles give codes, never a crash.
 */
#ifndef MF_SMEM_H
#define MF_SMEM_H

#include "smem_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tells the interface version of the loaded library: major in the high 16 bits, minor in the low 16 bits. Local.
 * A program is compatible when the major number equals that of SMEM_ABI_VERSION and the minor one is not smaller. */
uint32_t smem_get_abi_version(void);

/* Starts the library in this process. Local. May be called any number of times; the other interfaces also work
 * without it. flags: reserved, pass 0. Returns SMEM_OK. */
int32_t smem_init(uint32_t flags);

/* The counterpart of smem_init. Local. Pools end with smem_bm_uninit, stores with smem_destroy_config_store; this call
 * takes nothing away from them and is harmless at any time. */
void smem_uninit(void);

/*
 * Starts a config store server in this process, for jobs whose ranks all have startConfigStoreServer false. Local.
 *
 * storeUrl: "tcp://a.b.c.d:port" or "tcp://[ipv6]:port", port 1025 to 65535; host names are not accepted.
 * flags:    SMEM_STORE_SKIP_RECOVER or 0; other bits are ignored.
 * The server lives until smem_destroy_config_store or the end of the process. The same address again: SMEM_OK.
 *
 * Errors: SMEM_INVALID_PARAM null or malformed URL · SMEM_RES_IN_USE somebody else has the port.
 */
int32_t smem_create_config_store(const char *storeUrl, uint64_t flags);

/* Ends the server that smem_create_config_store started for this URL. Local. An unknown or null URL is ignored. */
void smem_destroy_config_store(const char *storeUrl);

/*
 * Hands every log line of the library to func instead of standard error. Local.
 *
 * level: 0 debug, 1 info, 2 warn, 3 error, 4 trace. msg: one line without newline, valid during the call only.
 * func is called from any thread, also from internal ones, and never while the library holds a lock. The last func
 * given counts; it must stay callable until the end of the process.
 *
 * Errors: SMEM_INVALID_PARAM func is null.
 */
int32_t smem_set_extern_logger(void (*func)(int level, const char *msg));

/* Sets which log lines are given out: 0 debug and above, 1 info and above, 2 warn and above (default), 3 errors only,
 * 4 everything, trace lines included, 5 nothing. Local.
 * Errors: SMEM_INVALID_PARAM level below 0 or above 5. */
int32_t smem_set_log_level(int level);

/*
 * Chooses TLS for the config store connections that are made afterwards. Local.
 *
 * enable false: plain TCP; tls_info is not read. enable true: TLS with the identity described by tls_info, of
 * tls_info_len bytes without terminator.
 *
 * Errors: SMEM_INVALID_PARAM enable is true: this release has no TLS, and does not pretend to.
 */
int32_t smem_set_conf_store_tls(bool enable, const char *tls_info, const uint32_t tls_info_len);

/* Tells the text of the last failed call of this thread: what failed, with which values, and what to do. Local.
 * Never null; "" when there is none. Valid until the next smem_* call of the same thread. */
const char *smem_get_last_err_msg(void);

/* Tells the code of the last failed call of this thread; for functions that return no code, the reason of their
 * failure. Local. SMEM_OK when there is none. */
int32_t smem_get_last_err_code(void);

/* Like smem_get_last_err_msg, and forgets text and code of this thread. Local. */
const char *smem_get_and_clear_last_err_msg(void);

#ifdef __cplusplus
}
#endif

#endif
