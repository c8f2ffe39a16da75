/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Seed-era interface: the files of the store's TLS as a C++ structure. See smem_bm.h in this folder.
 *
 * All of it is in this header and ends in smem_set_conf_store_tls, so it works with every C++ library; a
 * program that was compiled against the library of that time is compiled anew. In C, call
 * smem_set_conf_store_tls (smem.h) itself.
 */
#ifndef MF_SMEM_COMPAT2025_SECURITY_H
#define MF_SMEM_COMPAT2025_SECURITY_H

#include "../host/smem.h"

#ifdef __cplusplus

#include <cstdint>
#include <set>
#include <string>

/* PEM files of a TLS identity. Relative paths start at tlsTopPath where that is given; "" is not given. */
struct smem_tls_option {
    bool enableTls = false;            /* false: the fields below are not read, the store uses plaintext */
    std::string tlsTopPath;            /* prefix of relative paths */
    std::string tlsCert;               /* certificate of this process; needed */
    std::string tlsCrlPath;            /* folder of revocation lists */
    std::string tlsCaPath;             /* folder of CA files; needed */
    std::set<std::string> tlsCaFile;   /* names in it; needed */
    std::set<std::string> tlsCrlFile;  /* names in the folder of revocation lists */
    std::string tlsPk;                 /* private key of the certificate */
    std::string tlsPkPwd;              /* file with the encrypted password of the key */
    std::string kmcKsfMaster;          /* accepted, no effect: files of a key service that is not public */
    std::string kmcKsfStandby;         /* as kmcKsfMaster */
    std::string packagePath;           /* accepted, no effect: the library brings its own TLS */
};

/*
 * Sets the TLS of the config store for stores and clients that start afterwards. Local. The structure is not
 * kept. Values have no ';', ',' or ':', which separate them in the text that smem_set_conf_store_tls takes.
 * Errors: SMEM_INVALID_PARAM null · errors of smem_set_conf_store_tls, for example a file that is not there.
 */
inline int32_t smem_set_ssl_option(const smem_tls_option *option)
{
    if (option == nullptr) return smem_set_conf_store_tls(true, nullptr, 0);
    if (!option->enableTls) return smem_set_conf_store_tls(false, nullptr, 0);
    std::string info;
    const auto add = [&info](const char *key, const std::string &value) {
        if (!value.empty()) info += std::string(info.empty() ? "" : " ") + key + ": " + value + ";";
    };
    const auto list = [](const std::set<std::string> &names) {
        std::string text;
        for (const std::string &name : names) text += (text.empty() ? "" : ",") + name;
        return text;
    };
    add("tlsTopPath", option->tlsTopPath);
    add("tlsCaPath", option->tlsCaPath);
    add("tlsCaFile", list(option->tlsCaFile));
    add("tlsCert", option->tlsCert);
    add("tlsCrlPath", option->tlsCrlPath);
    add("tlsCrlFile", list(option->tlsCrlFile));
    add("tlsPk", option->tlsPk);
    add("tlsPkPwd", option->tlsPkPwd);
    add("packagePath", option->packagePath);
    return smem_set_conf_store_tls(true, info.c_str(), static_cast<uint32_t>(info.size()));
}

#endif

#endif
