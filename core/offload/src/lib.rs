// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Offload: a pool of host memory that kernels reach by the same addresses, and four operations that copy
//! many pieces between any memories.
//!
//! A process has one [`Pool`]. [`Scene::Local`] is one region of this process (`region`); in
//! [`Scene::Shared`] all ranks of a job make one address space of equal slots together (`shared`), a pool of
//! the fabric with slots that may be empty. `blocks` hands out parts of the own slot. `config` has the rules
//! for sizes and ranks.
//!
//! The operations ([`operation`]) take addresses of arrays: lists of addresses, lengths, counts. A call runs
//! in one of two places:
//!
//! | place | reads the arrays | copies | file |
//! |---|---|---|---|
//! | a stream of the accelerator | when the stream gets there, and again in each replay of a graph | a kernel of this library, launched with the addresses of the arrays | `launch` |
//! | the calling thread | during the call | the processor, and the accelerator's mover for its memory | `at_once` |
//!
//! Both follow the same models. `plan` has them as pure functions from arrays to pieces; `at_once` reads
//! arrays and checks pieces through `memory`, which reports unmapped addresses as errors. A kernel cannot:
//! a wrong address there is a fault of the device.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![expect(unsafe_code, reason = "copies of raw addresses, launches of kernels")]

mod at_once;
mod blocks;
mod config;
mod launch;
mod memory;
pub mod operation;
mod plan;
mod pool;
mod region;
mod shared;

pub use config::{Config, Scene};
pub use operation::{Header, Operation};
pub use pool::{ENTRY_BYTES_MAX, KernelImage, Pool};
