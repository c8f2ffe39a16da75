// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Big memory: the contributions of all members of a job as one address space.
//!
//! 1. [`Context::init`] finds the job through its store and gets a rank.
//! 2. [`Context::create`] makes a [`Pool`]: addresses equal in all members, and the own segments.
//! 3. [`Pool::join`] maps the segments of all members here and ours everywhere.
//! 4. [`Pool::put`], [`Pool::get`], [`Pool::copy`] and the raw forms move bytes; no other member takes part
//!    in them.
//! 5. [`Pool::leave`], [`Pool::destroy`], [`Context::shutdown`].

mod context;
mod options;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod pool;
mod types;

pub use context::Context;
pub use mf_device::RawStream;
pub use mf_device::engine::Piece;
pub use mf_fabric::group::Group;
pub use mf_fabric::pool::{CopyKey, CopyNote, GroupEvent, fast_path_cached};
pub use mf_fabric::space::Presence;
pub use mf_fabric::transfer::Signal;
pub use mf_job::Config;
pub use mf_net::choice::{EngineName, EngineSet};
pub use mf_transport::{Atomic, AtomicKind, SignalKind, Width};
pub use options::PoolOptions;
pub use pool::Pool;
pub use types::{CopyMode, CopyType};
