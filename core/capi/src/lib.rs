// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The C interface: `libmf_smem.so`.
//!
//! One process has one copy of this library and with it one state, whoever calls: a C program, a C++ operator, Python.
//! Each export does the same five things: null checks, panic boundary ([`boundary`]), handle look-up by index and
//! generation ([`process`]), the call, code and last error ([`last_error`]). Prototypes and documentation for C stand
//! in `include/`; layouts in [`abi`].

mod abi;
mod abi_store;
mod alarms;
mod bm;
mod bm_copy;
mod bm_init;
mod boundary;
mod compat2025;
mod copies_loaded;
mod decrypter;
mod extensions;
mod general;
mod interrupts;
mod last_error;
mod leader;
mod mfx_device;
mod mfx_kernel;
mod mfx_kernel_build;
mod mfx_shm;
mod mfx_store;
mod process;
mod shm;
mod shm_init;
mod shm_meet;
mod store_backend;
mod store_status;
mod store_tls;
mod stores;
