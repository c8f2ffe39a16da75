// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bindings of the GPU drivers of NVIDIA (CUDA), AMD (HIP), Moore Threads (MUSA) and Cambricon (CNDrv):
//! opened at run time by the [loader of foreign libraries](mf_base::loader), never linked.
//!
//! These drivers have the same few operations under other names. [`operations`] is the one table of them: a
//! row is an operation with its type, a column the names of one vendor. [`vendor`] has what else differs:
//! files, numbers of errors. [`Driver::open`] finds a library and resolves its column; a library that is
//! missing, too old or incomplete is a [`LoadError`] with its reason. The methods of [`Driver`] are the
//! checked floor: a status becomes a [`GpuError`].
//!
//! Everything that works on memory or streams does so on the device that the calling thread has selected;
//! [`Driver::select`] selects one until its guard is dropped.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![expect(unsafe_code, reason = "calls into foreign libraries are what this crate is")]

mod driver;
mod error;
mod open;
pub mod operations;
mod primary;
mod select;
mod types;
pub mod vendor;

pub use driver::{AddressKind, Driver, Memory, Stream};
pub use error::{Class, GpuError, Result};
pub use mf_base::loader::{LoadError, Reason, Report, Version};
pub use open::{EXPLICIT, Search};
pub use primary::Primary;
pub use select::Selected;
pub use types::{Access, AllocationHandle, AllocationProperties, IPC_HANDLE_BYTES, IpcHandle, MemoryPlace};
pub use vendor::Vendor;
