// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Share memory: the same number of bytes of every rank as one address space that kernels address.
//!
//! 1. [`Context::init`] makes this process a member of its job, unless big memory has.
//! 2. [`Context::create`] makes a [`ShareMemory`] together with its other ranks: when it returns all parts
//!    are mapped.
//! 3. Kernels find it under its id ([`ShareMemory::launch`]); hosts copy through [`ShareMemory::pool`].
//! 4. Hosts meet in [`ShareMemory::barrier`] and [`ShareMemory::allgather`], also some of them under a key.
//! 5. [`ShareMemory::destroy`], [`Context::shutdown`].
//!
//! On an accelerator the memory is device memory; without one it is host memory, and everything but kernels
//! works.
//!
//! How ranks agree, meet, and talk to kernels is [`mf_fabric::objects`]; here are what share memory asks for
//! (`options`), how each rank makes its part (`create`), and the object as its users see it (`memory`).

mod context;
mod create;
#[expect(unsafe_code, reason = "launches with arguments that the caller vouches for")]
mod memory;
mod options;

pub use context::Context;
pub use memory::{ALLGATHER_BYTES_MAX, ShareMemory};
pub use mf_fabric::objects::{CONTEXT_BYTES_MAX, KEY_BYTES_MAX, VALUES_MAX};
pub use mf_job::Config;
pub use options::{DATA_OP_MTE, DATA_OP_RDMA, DATA_OP_SDMA, LOCAL_BYTES_MAX, Options};
