/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * General functions: start and end, the config store, logging, the last error.
 *
 * Order of calls: smem_init, (smem_create_config_store), smem_bm_config_init, smem_bm_init, create, join,
 * use, leave, destroy, smem_bm_uninit, smem_uninit.
 *
 * Words in the comments of all headers:
 *   Local      concerns this process only.
 *   One-sided  reaches other ranks, which need not do anything.
 *   Collective waits for calls by other ranks.
 * Functions without the word "Blocks" do not wait for other processes. Every wait has a deadline.
 *
 * Threads: all functions may be called from any thread at any time, unless their comment says otherwise.
 * fork: a child must not use objects of its parent; it may start afresh with smem_bm_init.
 * Errors: a failing call returns a code of smem_def.h and leaves the same code and a text in the calling
 * thread; a succeeding call leaves both alone. Null pointers and made-up or stale handles give codes, never a
 * crash.
 */
#ifndef MF_SMEM_H
#define MF_SMEM_H

#include "smem_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the interface version of the loaded library: major in the high 16 bits, minor in the low 16
 * bits. Local. A program is compatible when the major number equals SMEM_ABI_VERSION's and the minor one
 * is not smaller. */
uint32_t smem_get_abi_version(void);

/* Starts the library in this process. Local. May be called any number of times; the other interfaces also
 * work without it. flags: reserved, pass 0. Returns SMEM_OK. */
int32_t smem_init(uint32_t flags);

/* The counterpart of smem_init. Local. Pools end with smem_bm_uninit, stores with smem_destroy_config_store;
 * this call takes nothing away from them and is harmless at any time. */
void smem_uninit(void);

/*
 * Starts a config store server in this process, for jobs in which all ranks have startConfigStoreServer
 * false. Local.
 *
 * storeUrl: "tcp://a.b.c.d:port", "tcp://[ipv6]:port", several addresses separated by commas (the store runs
 *           at the first; the others stand by), "reg://a.b.c.d:port[#instance]" (needs
 *           smem_config_store_set_backend_op), or "etcd://host:port[,host:port][/prefix][#instance]" (nothing
 *           is started: it runs with the member that is elected in etcd). Ports 1025 to 65535; host names
 *           only for etcd.
 * flags:    SMEM_STORE_SKIP_RECOVER or 0; other bits are ignored.
 * The server lives until smem_destroy_config_store or the end of the process. The same URL again: SMEM_OK. A
 * forked child has none of its parent's servers.
 *
 * Errors: SMEM_INVALID_PARAM null or malformed URL, an address that other hosts reach while there is neither
 * a job secret nor a certificate nor the choice of plaintext · SMEM_RES_IN_USE the port is taken.
 */
int32_t smem_create_config_store(const char *storeUrl, uint64_t flags);

/* Ends the server that smem_create_config_store started for this URL. Local. An unknown or null URL is
 * ignored. */
void smem_destroy_config_store(const char *storeUrl);

/*
 * Registers the table that "reg://" stores find their leader through. Local. The structure is copied; a
 * second call replaces the first for stores that are made afterwards. The functions must stay callable until
 * the process ends.
 *
 * Errors: SMEM_INVALID_PARAM null, or a null entry.
 */
int32_t smem_config_store_set_backend_op(const smem_conf_store_backend_op_t *backendOp);

/*
 * Hands every log line of the library to func instead of standard error. Local.
 *
 * level: 0 debug, 1 info, 2 warn, 3 error, 4 trace. msg: one line without newline, valid during the call
 * only. func is called from any thread, also from internal ones, and never while the library holds a lock.
 * The last func given counts; it must stay callable until the end of the process, even if NULL takes it
 * away, since another thread may be about to call it. func may call the library; lines that its own calls
 * cause on that thread go where lines go without func. func must not throw, as no callback of this library:
 * an exception of C++ that leaves one ends the process, with a message that names it.
 *
 * Errors: SMEM_INVALID_PARAM func is null, and there is no function to take away.
 */
int32_t smem_set_extern_logger(void (*func)(int level, const char *msg));

/* Sets which log lines are given out: 0 debug and above, 1 info and above, 2 warn and above (default), 3
 * errors only, 4 everything, trace lines included, 5 nothing. Local.
 * Errors: SMEM_INVALID_PARAM level below 0 or above 5. */
int32_t smem_set_log_level(int level);

/*
 * Has alarm called when a fault begins that lasts, and resume when it is over. Local.
 *
 * code: SMEM_ALARM_*. msg: what happened, valid during the call only.
 * Both are called from any thread and never while the library holds a lock; they must stay callable until the
 * end of the process. Faults that last already are reported at once. A second call replaces the first.
 * The functions must not throw.
 *
 * Errors: SMEM_INVALID_PARAM a null function.
 */
int32_t smem_set_extern_alarm(void (*alarm)(uint16_t code, const char *msg), void (*resume)(uint16_t code));

/*
 * Chooses TLS for the config stores and connections that this process makes afterwards. Local.
 *
 * enable false: plaintext, also beyond this host; tls_info is not read. enable true: TLS 1.3 with
 * certificates on both sides. tls_info, of tls_info_len bytes without terminator, is "key: value; ..." with
 * the keys tlsCaPath (folder), tlsCaFile (names in it, separated by commas), tlsCert, tlsPk, tlsPkPwd (file
 * with the encrypted password), tlsCrlPath, tlsCrlFile, tlsTopPath (prefix of relative paths). tlsPk may be
 * missing when smem_set_config_store_tls_key gives the key. All files are PEM; they are checked in this call
 * and read again when they change. Without this call a job with a secret (MF_JOB_SECRET) is encrypted all the
 * same, and one without stays on this host.
 *
 * Errors: SMEM_INVALID_PARAM a key is missing, a file is not usable, a certificate has expired; the text
 * names it.
 */
int32_t smem_set_conf_store_tls(bool enable, const char *tls_info, const uint32_t tls_info_len);

/*
 * Gives the private key and its password to the certificates of smem_set_conf_store_tls, instead of files.
 * Local.
 *
 * tls_pk, tls_pk_pw: contents (not paths) of tls_pk_len and tls_pk_pw_len bytes: the key as PEM, and its
 *     password, encrypted when there is a handler. Null with length 0: as the files say. Both are copied; the
 *     password is wiped from memory after use.
 * h: decrypts the password, also one from a file; null: the text is the password. It may be called from any
 *     thread, and must stay callable until the process ends.
 *
 * Call it before smem_set_conf_store_tls to have key and password checked there; else they are checked when a
 * store or a connection is made.
 *
 * Errors: SMEM_INVALID_PARAM a null pointer with a length.
 */
int32_t smem_set_config_store_tls_key(const char *tls_pk, const uint32_t tls_pk_len, const char *tls_pk_pw,
                                      const uint32_t tls_pk_pw_len, const smem_decrypt_handler h);

/* Returns the text of the last failed call of this thread: what failed, with which values, and what to do.
 * Local. Never null; "" without an error. Valid until the next smem_* call of the same thread. */
const char *smem_get_last_err_msg(void);

/* Returns the code of the last failed call of this thread; for functions that return no code, the reason
 * of their failure. Local. SMEM_OK without an error. */
int32_t smem_get_last_err_code(void);

/* Like smem_get_last_err_msg, and clears text and code of this thread. Local. */
const char *smem_get_and_clear_last_err_msg(void);

#ifdef __cplusplus
}
#endif

#endif
