// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric memory: what OpenSHMEM and CANN SHMEM have in common.
//!
//! A job is a [`World`] of processing elements (PEs), numbered from 0. Each has a heap of equal size, and all
//! make the same calls on it in the same order, so an object lies at the same distance from the start of each
//! PE's heap. A **symmetric address** is the caller's own address of such an object; together with the number
//! of a PE it names the object there.
//!
//! # The path of a put
//! 1. `rma.rs`: [`World::put`] takes an own address, a source, a length and a PE.
//! 2. `direct.rs`: own address − own start = distance; where the memory of the PE is mapped here, its start
//!    plus the distance is the place: two comparisons and an addition, no lock and no section.
//! 3. `mf_device::engine` moves the bytes.
//! 4. Not mapped, since the PE is on another host: `context.rs`, a lane of `mf_fabric::transfer` over the
//!    pool, posts a put on the route to the PE. [`World::fence`] orders such puts, [`World::quiet`] completes
//!    them (`order.rs`).
//!
//! # What stands where
//! * `options`: what is asked for; `making`: PEs agree on it and make the heap together; `segment`: what the
//!   memory of a PE consists of; `world`: begin and end.
//! * `heap`: who has which part of it: a pure allocator (`heap/fit`), and calls that all PEs make together
//!   and that find out when they do not make the same one (`heap/calls`).
//! * `team`: PEs that meet. `handles`: numbers by which programs name teams and contexts.
//! * `place`: from an own address to the place at another PE, for all operations; `direct`: the same where
//!   the memory of the PE is mapped, for inlined functions.
//! * `rma`, `strided`, `context`, `order`: access to other PEs. `atomic`, `signal`: changes of words there;
//!   `wait`: for words of this PE; `number`: their types. `local`: memory of this process itself.
//! * `kernels`: what programs on the accelerator see of a heap in its memory.
//! * `stream`: the same operations in the order of a stream.
//! * `statics`: static data of the main program, which is symmetric as the heap is.
//! * `collective`: what teams do together; `active`: the same of active sets; `lock`: locks of the whole job;
//!   `word`: words in symmetric memory, and waits for them.
//! * `exit`: the end of the program on all PEs. `info`: name and version.
//!
//! # Two worlds
//! The same semantics serves the standard and CANN's family; what differs (types of handles, codes, names) is
//! made in the layers above. Both may be alive in one process: they are two [tenants](mf_job::Tenant), with
//! two pools.
//!
//! # Accelerators
//! A heap of CANN's family is in the memory of the accelerator of the process, if it has one; its second heap
//! is host memory then, and so is all that PEs change for each other in calls of the library. What may be an
//! accelerator's memory has no place for loads and stores here: each operation of such a world takes step 4
//! of the path above, on which the lane finds out what both ends are and who moves them, and waits read their
//! words by copies.
//!
//! # What holds
//! * Memory of other PEs is never seen by reference; it is copied by raw addresses.
//! * What is mapped of a PE stays mapped until [`World::end`], also when the PE has died: an access to it
//!   never faults.
//! * A forked child is no PE: its table of places is empty, and every call is refused.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[expect(unsafe_code, reason = "words in symmetric memory")]
mod active;
#[expect(unsafe_code, reason = "words of mapped memory; old values go where the caller says")]
mod atomic;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod collective;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod context;
#[expect(unsafe_code, reason = "places in mapped memory")]
pub mod direct;
#[expect(unsafe_code, reason = "calls of the C library that end the process")]
mod exit;
mod handles;
mod heap;
pub mod info;
mod kernels;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod local;
#[expect(unsafe_code, reason = "words in symmetric memory")]
mod lock;
mod making;
mod number;
mod options;
mod order;
mod place;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod rma;
mod segment;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller; words of mapped memory")]
pub mod signal;
pub mod statics;
#[expect(unsafe_code, reason = "copies of raw addresses, on streams of the caller")]
mod stream;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod strided;
mod team;
#[expect(unsafe_code, reason = "words that others update; values and indices of the caller")]
mod wait;
#[expect(unsafe_code, reason = "words in symmetric memory")]
mod word;
mod world;

pub use active::{ActiveSet, SYNC_WORDS};
pub use collective::combine::{Operand, Operator, Reduction};
pub use context::{Access, CONTEXTS_MAX, Context, ContextOptions};
pub use heap::Usage;
pub use kernels::{Engine, Staging};
pub use mf_fabric::transfer::Signal;
pub use mf_fabric::transport::{Atomic, AtomicKind, SignalKind, Width};
pub use mf_job::Config;
pub use number::{Element, Number};
pub use options::{Options, ThreadLevel, default_heap_bytes, heap_bytes_of};
pub use stream::{HostStream, Stream};
pub use team::{TEAMS_MAX, Team, TeamOptions};
pub use wait::{Comparison, Condition, Elements, Values};
pub use world::World;
