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

mod bootstrap;
mod cache;
mod decrypter;
mod duplicate_library;
mod exports;
mod hmc;
mod mfx;
mod process;
mod shmem;
mod smem;

use mf_boundary::{self as boundary, last_error};
