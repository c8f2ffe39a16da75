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
//! * `votes`: votes of an object's members, also over the death of a store.
//!
//! Simulations of the real code use this crate to judge recorded calls with their results (`history`), and
//! recorded traces in the steps of a model (`check::replay`).

#![expect(clippy::cast_possible_truncation, reason = "numbers of members and steps")]
#![expect(clippy::panic, clippy::print_stdout, reason = "the results of an exploration")]

pub mod cache;
pub mod check;
pub mod code;
pub mod history;
pub mod leader;
pub mod links;
pub mod list;
pub mod pool;
pub mod recovery;
pub mod votes;
