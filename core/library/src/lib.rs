// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `libmf_smem.so` as programs use it: opened at run time, with owners of its handles.
//!
//! The programs of this workspace call the library through its C interface, as all programs do, and contain
//! none of its code. [`Library`] has the functions of the table in `core/abi`, from the same rows as the
//! exports. The modules, one a family, add owners of handles, slices, and errors with the library's text.
//!
//! * [`big_memory`], [`share_memory`], [`store`], [`transfers`], [`messages`], [`buffers`], [`accelerator`].
//! * [`interrupts`]: interruption of waits.
//!
//! The library refuses a handle that ended, and a range outside of a pool. So only functions that take local
//! memory by address are unsafe here.

#![expect(unsafe_code, reason = "calls of C")]
#![expect(
    clippy::not_unsafe_ptr_arg_deref,
    reason = "the library checks addresses of pools, and nothing here reads them"
)]

pub mod accelerator;
pub mod big_memory;
pub mod buffers;
mod call;
pub mod interrupts;
mod library;
pub mod messages;
pub mod share_memory;
pub mod store;
pub mod transfers;

pub use library::{Functions, Library, c_text, library, stats_json};
pub use mf_abi::smem as abi;
