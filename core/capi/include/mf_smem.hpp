// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Pools, caches, share memory and endpoints of transfers as objects of C++14 and newer: each owns its handle,
// can be moved and not copied, and gives the handle back when it ends. A call that fails throws
// mf_smem::Error, with the code and the text of the C interface. Headers alone: link with -lmf_smem.
//
// The function of C that is named beside each, in smem/host, documents effect, callers, blocking and errors.
// Sizes are bytes. Functions may be called from any thread, but an object is moved, ended or released by one
// thread while no other uses it. For everything else call functions of C on handle() of an object.
#ifndef MF_SMEM_HPP
#define MF_SMEM_HPP

#include "mf_smem/cache.hpp"
#include "mf_smem/pool.hpp"
#include "mf_smem/share.hpp"
#include "mf_smem/transfer.hpp"

#endif
