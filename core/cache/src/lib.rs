// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Distributed key-value cache in the memory of all members of a pool, without a server.
//!
//! Every member runs the same code over the pool's host window. The path of a get, by file:
//! 1. `key.rs`: the key becomes a fingerprint, `view.rs` names its home, a member.
//! 2. `index.rs`: a bucket in the home's segment names blocks; their heads (`block.rs`) show which one has
//!    the value.
//! 3. `gets.rs`: the value is copied, and the head is read again: if the block had been reused meanwhile, its
//!    version would differ.
//!
//! The path of a put (`puts.rs`): `manager.rs` finds room, near the writer first, `arena.rs` makes a block of
//! it and evicts values when room is short; `publish.rs` puts it into the index, under the lock of the key.
//!
//! `upkeep.rs`: a member that joins adds room and takes over a part of the index at once; values that only a
//! dead member had are lost. `populate.rs` faults pages in before they are used.
//!
//! **No step needs another member to act**, so that any may die at any point. Words change by one atomic step
//! each (`words.rs`), locks name their holder, and all state of a manager is in its blocks. `sim` runs all of
//! it in a simulated world in which members die between any two steps.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod arena;
mod block;
#[expect(unsafe_code, reason = "values in raw memory, on the word of the caller")]
mod cache;
mod counts;
mod evict;
mod gets;
mod index;
mod key;
mod layout;
mod manager;
mod member;
#[expect(unsafe_code, reason = "memory of programs, on the word of who names it")]
mod memory;
#[expect(unsafe_code, reason = "copies between the pool and raw memory")]
mod pool;
mod populate;
mod publish;
mod puts;
mod restore;
mod scan;
#[cfg(test)]
#[expect(unsafe_code, reason = "values of tests as raw memory")]
mod sim;
mod upkeep;
mod view;
mod wanted;
mod words;

pub use cache::{Cache, Leased, Options};
pub use counts::Stats;
pub use gets::Held;
pub use key::KEY_BYTES_MAX;
pub use puts::Put;
