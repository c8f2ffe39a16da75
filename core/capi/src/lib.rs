// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The C interface: `libmf_smem.so`.
//!
//! One process has one copy of this library and with it one state for all callers: a C program, a C++
//! operator, Python. An exported function is a row of a table in [`mf_abi`] and a body of the same name in
//! the module that the row's section names. `core/boundary` makes the code around a body from its row
//! ([`exports`]): null checks, panic guard, code and last error, trace, counters. Bodies look handles up by
//! index and generation and call the crates of the families. Prototypes and documentation for C stand in
//! `include/`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![expect(unsafe_code, reason = "every body takes pointers from C")]
#![allow(clippy::too_many_arguments, reason = "bodies have the arguments of the interface")]

mod bootstrap;
mod built_in_kernels;
mod cache;
mod calls;
mod codes;
mod copies_json;
mod decrypter;
mod duplicate_library;
mod exports;
mod hmc;
mod logger;
mod mfx;
mod offload;
mod part;
mod returned_text;
mod shmem;
mod smem;
mod startup;
mod tls_options;

use mf_boundary::{self as boundary, last_error};

use crate::part::Part;

/// Parts of the process in the order in which they end. The first part with devices serves calls that need
/// them.
static PARTS: [&dyn Part; 12] = [
    &cache::Caches,
    &smem::trans::Transfers,
    &smem::shm::Shares,
    &smem::bm::BigMemory,
    &bootstrap::HostedStores,
    &smem::store::Stores,
    &smem::acc::Acc,
    &hmc::Hmc,
    &mfx::Accelerator,
    &offload::Offload,
    &shmem::openshmem::OpenShmem,
    &shmem::cann::Cann,
];

extern "C" fn load() {
    // A panic must not reach the loader.
    let _ = std::panic::catch_unwind(|| part::install(&PARTS));
}

/// Called by the loader before `main`, and before any exported function.
// SAFETY: the section holds functions without required arguments; this one ignores the arguments of the
// loader.
#[unsafe(link_section = ".init_array")]
#[used]
static CONSTRUCTOR: extern "C" fn() = load;
