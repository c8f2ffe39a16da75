/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Constants and types that all interfaces of libmf_smem.so share.
 * Compiles as C11 and as C++11; the layouts are those of 64-bit Linux.
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
 * smem_get_abi_version() tells the one of the library that was loaded. */
#define SMEM_ABI_VERSION 0x00010003u

/* ---- Error codes. Every failing call returns one; smem_get_last_err_msg() says more. ---- */

#define SMEM_OK                 0       /* done */
#define SMEM_ERROR              (-1)    /* failed for a reason that no other code names */
#define SMEM_INVALID_PARAM      (-2000) /* an argument is null, out of range, misaligned or contradicts another */
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

/* ---- Limits and flags ---- */

#define SMEM_WORLD_SIZE_MAX     1024 /* ranks in one job */
#define SMEM_INVALID_DEV_ID     (-1) /* no device */
#define SMEM_STORE_SKIP_RECOVER 1    /* smem_create_config_store: do not wait for members of an earlier server */
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

#ifdef __cplusplus
extern "C" {
#endif

/* Decrypts a password: reads cipherTextLen bytes of cipherText, writes at most *plainTextLen bytes to plainText, sets
 * the length it wrote, and returns 0. The length is a reference in C++ and a pointer in C; both are passed alike. */
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
