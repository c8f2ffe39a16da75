/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Headers used by programs of mid-2025: smem_security.h, with a structure for C++ (as C it declares nothing
 * and compiles), and hybm_def.h. Makes certificates with the program mf (MF_TEST_PROGRAM) if available.
 */
#include <stddef.h>
#include <stdlib.h>

#include "hybm/hybm_def.h"
#include "smem/host/smem.h"
#include "smem/host/smem_security.h"

#include "check.h"

MFX_STATIC_ASSERT(sizeof(ptracer) == 32, "size of ptracer");
MFX_STATIC_ASSERT(offsetof(ptracer, trace_begin) == 8, "offset of trace_begin");
MFX_STATIC_ASSERT(offsetof(ptracer, trace_end) == 16, "offset of trace_end");
MFX_STATIC_ASSERT(offsetof(ptracer, current_time_ns) == 24, "offset of current_time_ns");
MFX_STATIC_ASSERT(sizeof(ptracer_config_t) == 16, "size of ptracer_config_t");
MFX_STATIC_ASSERT(offsetof(ptracer_config_t, dumpFilePath) == 8, "offset of dumpFilePath");

static char folder[] = "/tmp/mf-tls-option-XXXXXX";

/* Certificates in folder/ca; whether they are there. */
static int certificates(void)
{
    char line[1152];
    const char *program = getenv("MF_TEST_PROGRAM");
    if (program == NULL || mkdtemp(folder) == NULL) return 0;
    snprintf(line, sizeof line, "cd %s && { %s certs init ca && %s certs issue ca one --address 127.0.0.1; } >log 2>&1", folder, program, program);
    return system(line) == 0;
}

#ifdef __cplusplus
static void by_structure()
{
    smem_tls_option option;
    CHECK(!option.enableTls && option.tlsCaFile.empty());
    FAILS(SMEM_INVALID_PARAM, smem_set_ssl_option(nullptr));
    OK(smem_set_ssl_option(&option));
    option.enableTls = true;
    FAILS(SMEM_INVALID_PARAM, smem_set_ssl_option(&option));
    option.tlsTopPath = folder;
    option.tlsCaPath = "ca";
    option.tlsCaFile = {"ca.pem"};
    option.tlsCert = "ca/gone.pem";
    option.tlsPk = "ca/one.key";
    FAILS(SMEM_INVALID_PARAM, smem_set_ssl_option(&option));
    if (certificates()) {
        option.tlsTopPath = folder;
        option.tlsCert = "ca/one.pem";
        option.kmcKsfMaster = "has no effect";
        OK(smem_set_ssl_option(&option));
        option.tlsCaFile.insert("gone.pem");
        FAILS(SMEM_INVALID_PARAM, smem_set_ssl_option(&option));
    }
    option.enableTls = false;
    OK(smem_set_ssl_option(&option));
}
#else
static void by_structure(void)
{
    char info[512];
    if (!certificates()) return;
    snprintf(info, sizeof info,
             "tlsTopPath: %s; tlsCaPath: ca; tlsCaFile: ca.pem; tlsCert: ca/one.pem; tlsPk: ca/one.key;", folder);
    OK(smem_set_conf_store_tls(true, info, (uint32_t)strlen(info)));
    OK(smem_set_conf_store_tls(false, NULL, 0));
}
#endif

int main(void)
{
    char line[64];
    by_structure();
    snprintf(line, sizeof line, "rm -rf %s", folder);
    if (system(line) != 0) printf("%s stays\n", folder);
    return check_result();
}
