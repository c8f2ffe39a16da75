// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A simulator of the drivers of four vendors of GPUs. One library stands behind all their sonames; `mf sim
//! --gpus` lays it out. Figures taken on it say nothing about a GPU.
//!
//! It enforces what hardware and drivers enforce, with the codes of each vendor. The rules, each with a
//! test of its number in `tests/rules.rs` and below:
//!
//! | | rule |
//! |---|---|
//! | 1 | a device address faults when the program touches it; the simulator has a separate mapping |
//! | 2 | nothing but the version works before the driver is initialised (HIP initialises itself) |
//! | 3 | memory and streams need a current context; an invalid context is refused |
//! | 4 | a device that is not there is refused, and memory of another device than the current one |
//! | 5 | a copy stays inside one allocation; device memory is no host memory |
//! | 6 | memory that is freed, or was never given, is refused |
//! | 7 | allocation fails when the memory of a device is used up |
//! | 8 | copies on a stream are done by a thread, in order and late; pinned memory is read and written then |
//! | 9 | pageable memory is read by the call that puts a copy on a stream, and a copy to it waits |
//! | 10 | a copy between devices on the default stream returns before it is done |
//! | 11 | a handle names a whole allocation, for other processes only, which map it once |
//! | 12 | host memory is pinned once, and unpinned when it was pinned |
//! | 13 | leaks at exit are listed in the file of `GPUSIM_LEAKS` |
//! | 14 | the nth call of a function fails where `GPUSIM_FAULTS` says so |
//! | 15 | copies take as long as `GPUSIM_BYTES_PER_SECOND` says |
//! | 16 | when the process has begun to exit, the driver has ended |
//! | 17 | an event is reached when its stream gets there; streams wait for the record that was the last one |
//! | 18 | memory is set by a stream, in order and late, inside one allocation |
//! | 19 | addresses are given where one wishes, in free pieces of 32 MiB, else elsewhere; freed as a whole |
//! | 20 | memory is made in units of 2 MiB with any content, mapped whole, and used by devices that may |
//! | 21 | a descriptor names physical memory for any process, and outlives its creator |
//! | 22 | a context ends with its last user or by a reset, and all in it too; its name may come again |
//!
//! [`settings`] lists the settings.

#![expect(unsafe_code, reason = "a C interface over raw memory")]

mod blocks;
mod boundary;
mod codes;
mod contexts;
mod control;
mod copies;
mod device_key;
mod events;
mod exports;
mod host;
mod ipc;
mod lock;
mod machine;
mod mappings;
pub mod settings;
mod state;
mod streams;

pub use control::{gpusim_calls, gpusim_fail, gpusim_failed, gpusim_leaks, gpusim_version};
pub use exports::*;
