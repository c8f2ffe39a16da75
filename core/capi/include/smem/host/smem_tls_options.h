/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files of a TLS identity, as pointers. The same as smem_tls_config of smem_def.h in another form. */
#ifndef MF_SMEM_TLS_OPTIONS_H
#define MF_SMEM_TLS_OPTIONS_H

#include "smem_def.h"

/* All files are PEM. Paths are relative to tls_top_path where that is given; null or "" is not given. */
typedef struct smem_tls_options {
    uint8_t enable_tls;                   /* 0: the fields below are not read */
    const char *tls_top_path;             /* prefix of relative paths */
    const char *tls_cert;                 /* certificate of this process; needed */
    const char *tls_crl_path;             /* folder of revocation lists; no effect alone */
    const char *tls_ca_path;              /* folder of CA files; needed */
    const char *tls_ca_file;              /* names in it, with commas between; none: all files there */
    const char *tls_crl_file;             /* names in that folder; none: there are no lists */
    const char *tls_private_key;          /* private key of the certificate */
    const char *tls_private_key_password; /* file with the encrypted password of the key */
} smem_tls_options_t;

MFX_STATIC_ASSERT(sizeof(smem_tls_options_t) == 72, "smem_tls_options_t is 72 bytes");

#endif
