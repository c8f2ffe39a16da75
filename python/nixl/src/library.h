// SPDX-License-Identifier: Apache-2.0 OR MIT
// The functions of libmf_smem.so, which is opened at run time and never closed.
#pragma once

#include <string>

#include <smem/host/mfx.h>
#include <smem/host/smem.h>
#include <smem/host/smem_trans.h>

namespace mf {

// Every function that the plug-in calls, with the type of its declaration.
#define MF_FUNCTIONS(f)                                                                                                \
    f(smem_get_last_err_code) f(smem_get_last_err_msg) f(smem_create_config_store) f(smem_destroy_config_store)       \
    f(smem_trans_config_init) f(smem_trans_init) f(smem_trans_create) f(smem_trans_destroy)                           \
    f(smem_trans_register_mem) f(smem_trans_deregister_mem) f(smem_trans_write) f(smem_trans_read)                    \
    f(smem_trans_batch_write) f(smem_trans_batch_read) f(mfx_trans_find) f(mfx_trans_start) f(mfx_trans_poll)         \
    f(mfx_trans_wait) f(mfx_trans_release) f(mfx_trans_notifications)

struct Library {
#define MF_FIELD(name) decltype(&::name) name = nullptr;
    MF_FUNCTIONS(MF_FIELD)
#undef MF_FIELD

    // Text of the last failure on this thread.
    std::string last_error() const;
};

// Opens the library once in a process. Searched in this order: MF_SMEM_LIBRARY, the libraries loaded
// already, the package mf_smem beside this plug-in, the loader's folders. Null on failure, with the reason
// in `why`.
const Library *open_library(std::string &why);

}  // namespace mf
