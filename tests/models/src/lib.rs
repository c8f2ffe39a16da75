// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Models of the protocols between members, explored in all their states.
//!
//! A model has the state of a few members and the steps of the real code; every step names its function
//! (`code.rs`). `check.rs` explores all orders of the steps, with members that die between any two. Each
//! model has guards, conditions of the real code: with one of them switched off, a property must fail.
//!
//! * `cache`: put, get, remove, eviction and repair of the replicas of one key.
//! * `leader`: the election of the store's leader on etcd.
//! * `links`: simultaneous connect.
//! * `pool`: join, leave, growth and death of members.
//! * `recovery`: replicas of the store's keys, and the next store.

#![cfg_attr(test, expect(clippy::cast_possible_truncation, reason = "numbers of members and steps"))]

#[cfg(test)]
pub mod cache;
#[cfg(test)]
pub mod check;
#[cfg(test)]
pub mod code;
#[cfg(test)]
pub mod leader;
#[cfg(test)]
pub mod links;
#[cfg(test)]
pub mod list;
#[cfg(test)]
pub mod pool;
#[cfg(test)]
pub mod recovery;
