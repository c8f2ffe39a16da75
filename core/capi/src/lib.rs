// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The C interface: `libmf_smem.so`.
//!
//! One process has one copy of this library and with it one state for all callers: a C program, a C++
//! operator, Python. An exported function is a row of a table in [`mf_abi`] and a body here, which has its
//! name and stands in the module that the row's section names. What comes before and behind a body is made
//! from the row ([`exports`], by `core/boundary`): null checks, panic guard, code and last error, trace,
//! counters. Bodies look handles up by index and generation ([`process`]) and call the families.
//! Prototypes and documentation for C stand in `include/`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![expect(unsafe_code, reason = "every body takes pointers from C")]
#![allow(clippy::too_many_arguments, reason = "bodies have the arguments of the interface")]

mod acc;
mod alarms;
mod bm;
mod bm_copy;
mod bm_init;
mod cann;
mod compat2025;
mod copies_loaded;
mod decrypter;
mod exports;
mod extensions;
mod general;
mod hmc;
mod interrupts;
mod leader;
mod mfx_bm;
mod mfx_bootstrap;
mod mfx_cache;
mod mfx_cache_batch;
mod mfx_device;
mod mfx_kernel;
mod mfx_kernel_build;
mod mfx_shm;
mod mfx_stats;
mod mfx_store;
mod mfx_trans;
mod openshmem;
mod process;
mod program;
mod shm;
mod shm_init;
mod shm_meet;
mod store_backend;
mod store_status;
mod store_tls;
mod stores;
mod tracer;
mod trans;
mod trans_copy;
mod trans_init;

use mf_boundary::{self as boundary, last_error};
