/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Constants and types that all interfaces of libmf_smem.so share. Compiles as C11 and as C++11; the layouts
 * apply to 64-bit Linux.
 */
#ifndef MF_SMEM_DEF_H
#define MF_SMEM_DEF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Checks a fact at compile time in the languages that can; nothing in older ones. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define MFX_STATIC_ASSERT(fact, text) static_assert(fact, text)
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define MFX_STATIC_ASSERT(fact, text) _Static_assert(fact, text)
#else
#define MFX_STATIC_ASSERT(fact, text) struct mfx_static_assert_unavailable
#endif

/* The interface these headers describe: major number in the high half, minor in the low half.
 * smem_get_abi_version() returns the one of the library that was loaded. */
#define SMEM_ABI_VERSION 0x00010003u

/* ---- Error codes. Every failing call returns one; smem_get_last_err_msg() says more. ---- */

#define SMEM_OK                 0       /* done */
#define SMEM_ERROR              (-1)    /* failed for a reason that no other code names */
#define SMEM_INVALID_PARAM      (-2000) /* an argument is not acceptable: null, out of range, misaligned */
#define SMEM_MALLOC_FAILED      (-2001) /* the system refused memory */
#define SMEM_NO_RESOURCES       (-2002) /* a bounded resource other than memory is used up */
#define SMEM_NOT_STARTED        (-2003) /* the object is not in the needed state, for example not joined */
#define SMEM_TIMEOUT            (-2004) /* the deadline passed; the text names who did not come */
#define SMEM_REPEAT_INVOKE      (-2005) /* the call may be made once and was made before */
#define SMEM_DUPLICATED         (-2006) /* the id, rank or key is taken */
#define SMEM_NOT_EXIST          (-2007) /* no such object */
#define SMEM_NOT_INIT           (-2008) /* the interface is not initialised in this process */
#define SMEM_RES_IN_USE         (-2009) /* the resource is in use, for example a port */
#define SMEM_PARTIAL_FAILED     (-2012) /* some elements failed, the others were done */
#define SMEM_NOT_CONNECTED      (-2014) /* the peer or the store is departed, dead or was never there */
#define SMEM_BUFFER_TOO_SMALL   (-2015) /* the buffer is too small; the needed size is reported */

/* ---- Codes of the operations of a store backend, see smem_conf_store_backend_op_t. 0 is success. ---- */

#define SMEM_STORE_BACKEND_CODE_BASE     (-3000)
#define SMEM_STORE_BACKEND_CODE_OK       0       /* done */
#define SMEM_STORE_BACKEND_CODE_INTERNAL (-3000) /* failed for a reason that no other code names */
#define SMEM_STORE_BACKEND_CODE_INVAL    (-3001) /* an argument is not acceptable */
#define SMEM_STORE_BACKEND_CODE_BUFEX    (-3002) /* the value is larger than the buffer; its size is given */
#define SMEM_STORE_BACKEND_CODE_PERM     (-3003) /* not permitted */
#define SMEM_STORE_BACKEND_CODE_NORES    (-3004) /* a resource is used up */
#define SMEM_STORE_BACKEND_CODE_NOENT    (-3005) /* no such key */
#define SMEM_STORE_BACKEND_CODE_LOCKED   (-3006) /* the lock is held */
#define SMEM_STORE_BACKEND_CODE_UNLOCKED (-3007) /* the lock is not held */

/* ---- Limits and flags ---- */

#define SMEM_WORLD_SIZE_MAX     16384 /* ranks in one job */
#define SMEM_INVALID_DEV_ID     (-1) /* no device */
#define SMEM_STORE_SKIP_RECOVER 1    /* smem_create_config_store: no wait for members of an earlier server */
#define SMEM_TLS_PATH_SIZE      256  /* bytes of a path in smem_tls_config, terminator included */

/* Files of a TLS identity, each an absolute path or an empty string. All are PEM files. */
typedef struct smem_tls_config {
    bool tlsEnable;                            /* false: the fields below are not read */
    char caPath[SMEM_TLS_PATH_SIZE];           /* certificates of the authorities that are trusted */
    char crlPath[SMEM_TLS_PATH_SIZE];          /* revocation list; may be empty */
    char certPath[SMEM_TLS_PATH_SIZE];         /* certificate of this process */
    char keyPath[SMEM_TLS_PATH_SIZE];          /* private key of this process */
    char keyPassPath[SMEM_TLS_PATH_SIZE];      /* file with the encrypted password of the key; may be empty */
    char packagePath[SMEM_TLS_PATH_SIZE];      /* ignored: TLS is built in */
    char decrypterLibPath[SMEM_TLS_PATH_SIZE]; /* library that decrypts the password; may be empty */
} smem_tls_config, smem_tls_config_t;

MFX_STATIC_ASSERT(sizeof(smem_tls_config) == 1793, "smem_tls_config is 1793 bytes");

/* Arguments of a backend's prefix_get: fill is to be called, in the order of the bytes of the keys, with
 * each key that begins with prefix and is greater than marker, until it returns false. All pointers are
 * valid during the call. */
typedef struct smem_store_prefix_get_ctx {
    const char *prefix;
    const char *marker; /* "" for the beginning */
    void *context;      /* for fill */
    bool (*fill)(const char *key, const void *value, uint64_t size, void *context);
} smem_store_prefix_get_ctx_t;

MFX_STATIC_ASSERT(sizeof(smem_store_prefix_get_ctx_t) == 32, "smem_store_prefix_get_ctx_t is 32 bytes");

/*
 * A table that the program keeps for "reg://" stores. All entries are needed. They may be called from any
 * thread and may block; h is what create made. They return SMEM_STORE_BACKEND_CODE_*. flags are 0.
 *
 * distributed: whether several processes see the same table.
 * create:      opens a table; all later keys and locks of the handle live under prefix. name: address of the
 *              URL.
 * get:         writes at most capacity bytes and reports the true size.
 * prefix_get:  see smem_store_prefix_get_ctx_t.
 * lock:        blocks; try_lock answers _LOCKED at once; unlock answers _UNLOCKED when the lock is not held.
 * None of them may throw: an exception that leaves a callback ends the process, with a message that names it.
 */
typedef struct smem_conf_store_backend_op {
    bool (*distributed)(uint32_t flags);
    int32_t (*create)(const char *name, const char *prefix, uint32_t flags, void **handle);
    void (*destroy)(void *h);
    int32_t (*put)(void *h, const char *key, const void *value, uint64_t size, uint32_t flags);
    int32_t (*get)(void *h, const char *key, void *value, uint64_t capacity, uint32_t flags, uint64_t *size);
    int32_t (*prefix_get)(void *h, const smem_store_prefix_get_ctx_t *context, uint32_t flags);
    int32_t (*remove)(void *h, const char *key, uint32_t flags);
    int32_t (*lock)(void *h, const char *name, uint32_t flags);
    int32_t (*try_lock)(void *h, const char *name, uint32_t flags);
    int32_t (*unlock)(void *h, const char *name, uint32_t flags);
} smem_conf_store_backend_op_t;

MFX_STATIC_ASSERT(sizeof(smem_conf_store_backend_op_t) == 80, "smem_conf_store_backend_op_t is 80 bytes");

/* ---- Alarms, see smem_set_extern_alarm ---- */

#define SMEM_ALARM_CERTIFICATE_EXPIRY 1 /* a certificate of this process expires soon, or has */
#define SMEM_ALARM_STORE_LOST         2 /* the config store does not answer, and is searched for */

#ifdef __cplusplus
extern "C" {
#endif

/* Decrypts a password: reads cipherTextLen bytes of cipherText, writes at most *plainTextLen bytes to
 * plainText, sets the length it wrote, and returns 0. The length is a reference in C++ and a pointer in C;
 * both are passed alike. It must not throw. */
#ifdef __cplusplus
typedef int (*smem_decrypt_handler)(const char *cipherText, size_t cipherTextLen, char *plainText,
                                    size_t &plainTextLen);
#else
typedef int (*smem_decrypt_handler)(const char *cipherText, size_t cipherTextLen, char *plainText,
                                    size_t *plainTextLen);
#endif

#ifdef __cplusplus
}
#endif

#endif
