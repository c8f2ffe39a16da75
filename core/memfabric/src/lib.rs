// SPDX-License-Identifier: Apache-2.0 OR MIT
#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(docsrs, feature(doc_cfg))]
// The front page names modules of all features.
#![cfg_attr(not(feature = "full"), allow(rustdoc::broken_intra_doc_links))]

mod error;
#[cfg(any(feature = "job", feature = "trans", feature = "hmc", feature = "acc"))]
mod process;

#[cfg(feature = "acc")]
pub mod acc;
#[cfg(feature = "bm")]
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
pub mod bm;
#[cfg(feature = "cache")]
pub mod cache;
#[cfg(feature = "mf-tls")]
mod certificates;
#[cfg(feature = "hmc")]
#[expect(unsafe_code, reason = "copies between slices and buffers")]
pub mod hmc;
#[cfg(feature = "job")]
mod job;
#[cfg(feature = "shm")]
#[expect(unsafe_code, reason = "kernels with arguments that the caller vouches for")]
pub mod shm;
#[cfg(feature = "shmem")]
#[expect(unsafe_code, reason = "copies to and from checked ranges of symmetric arrays")]
pub mod shmem;
#[cfg(feature = "simulation")]
pub mod sim;
#[cfg(feature = "store")]
pub mod store;

#[cfg(feature = "trans")]
#[expect(unsafe_code, reason = "transfers of raw addresses, on the word of the caller or with owned buffers")]
pub mod trans;

#[cfg(feature = "bm")]
pub use bm::Pool;
#[cfg(feature = "mf-tls")]
pub use certificates::Certificates;
pub use error::{Error, ErrorKind, Result, Retry};
#[cfg(feature = "job")]
pub use job::{Accelerator, Job, JobBuilder, UniqueId};
pub use mf_base::{Gva, MemKind, Rank};
#[cfg(feature = "store")]
pub use store::{Lifetime, Store};
