// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Share memory: the same number of bytes of every rank as one address space that kernels address.
//!
//! 1. [`Context::init`] makes this process a member of its job, unless big memory has.
//! 2. [`Context::create`] makes a [`ShareMemory`] together with its other ranks: when it returns all parts are mapped.
//! 3. Kernels find it under its id ([`ShareMemory::launch`]); hosts copy through [`ShareMemory::pool`].
//! 4. Hosts meet in [`ShareMemory::barrier`] and [`ShareMemory::allgather`], also some of them under a key.
//! 5. [`ShareMemory::destroy`], [`Context::shutdown`].
//!
//! On an accelerator the memory is device memory; without one it is host memory, and everything but kernels works.
//!
//! * `agreement`: how the ranks of an object find that they want the same; `making`: how each makes its part.
//! * `meeting`: groups of ranks, made again after a failure; `subgroups`: those by key.
//! * `meta`, `control`: what host and kernels tell each other; `launches`: kernels that run.
//! * `values`: numbers that are unique among the ranks; `exit`: callbacks for the end of the program.

mod agreement;
mod config;
mod context;
mod control;
mod exit;
mod launches;
mod making;
mod meeting;
mod memory;
mod meta;
mod options;
mod subgroups;
mod values;

pub use config::Config;
pub use context::Context;
pub use memory::{ALLGATHER_BYTES_MAX, CONTEXT_BYTES_MAX, ShareMemory};
pub use options::{DATA_OP_MTE, DATA_OP_RDMA, DATA_OP_SDMA, LOCAL_BYTES_MAX, OBJECTS_MAX, Options};
pub use subgroups::KEY_BYTES_MAX;
pub use values::VALUES_MAX;
