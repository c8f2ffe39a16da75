// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Distributed key-value cache in the memory of all members of a pool, without a server.
//!
//! Every member runs the same code over the pool's host window. The path of a get, by file:
//! 1. `key.rs`: the key becomes a fingerprint, `view.rs` names its home, a member.
//! 2. `index.rs`: a bucket in the home's segment names blocks; their heads (`block.rs`) show which one has
//!    the value.
//! 3. `read.rs`: the value is copied, and the head is read again: if the block had been reused meanwhile, its
//!    version would differ.
//!
//! The path of a put (`write.rs`): `manager.rs` finds room, near the writer first, `arena.rs` makes a block
//! of it and evicts values when room is short; `publish.rs` puts it into the index, under the lock of the
//! key. `pending.rs`: the same in pieces.
//!
//! `shared.rs`: a process is one member, however many caches it opens. `names.rs`: members by name.
//! `events.rs`: the keys of values that this process removes and evicts.
//!
//! `disk.rs`: values that leave the memory of a member may stay on its disk. `prefetch.rs`, `fetch.rs`:
//! values come from there, or from another host, before a get asks for them.
//!
//! `rebalance.rs`: a member that joins adds room and takes over a part of the index at once; values that only
//! a dead member had are lost. `prefault.rs` faults pages in before they are used.
//!
//! **No step needs another member to act**, so that any may die at any point. Words change by one atomic step
//! each (`atomic_fields.rs`), locks name their holder, and all state of a manager is in its blocks. `sim`
//! runs all of it in a simulated world in which members die between any two steps.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod alloc_request;
mod arena;
mod atomic_fields;
mod background;
mod block;
#[expect(unsafe_code, reason = "values in raw memory, on the word of the caller")]
mod cache;
mod counts;
mod demote;
mod disk;
mod disk_metrics;
mod events;
mod evict;
mod fetch;
mod filter;
mod follow;
mod index;
mod journal;
mod key;
mod layout;
mod manager;
mod member;
#[expect(unsafe_code, reason = "memory of programs, on the word of who names it")]
mod memory;
mod move_value;
mod names;
mod options;
mod pending;
#[expect(unsafe_code, reason = "copies between the pool and raw memory")]
mod pool;
mod prefault;
mod prefetch;
mod promote;
mod publish;
mod read;
mod rebalance;
mod requests;
mod restore;
mod returned;
mod save;
mod scan;
mod shared;
#[cfg(test)]
#[expect(unsafe_code, reason = "values of tests as raw memory")]
mod sim;
mod sweep;
mod view;
mod write;
#[expect(unsafe_code, reason = "values in raw memory, on the word of the caller")]
mod writer;

pub use cache::{Cache, Leased, ReadPart};
pub use counts::Stats;
pub use disk::{Admission, DiskOptions, DiskStats};
pub use events::{Change, Event, Watch};
pub use key::KEY_BYTES_MAX;
pub use names::MemberInfo;
pub use options::{NAME_BYTES_MAX, Options};
pub use prefetch::{Prefetch, PrefetchCounts};
pub use read::HeldLease;
pub use save::Saved;
pub use write::Put;
pub use writer::Writer;
