// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric memory: the common core of OpenSHMEM and CANN SHMEM.
//!
//! A job is a [`World`] of processing elements (PEs), numbered from 0. Each has a heap of equal size, and all
//! make the same calls on it in the same order, so an object has the same offset in each PE's heap. A
//! **symmetric address** is the caller's own address of such an object; together with the number of a PE it
//! names the object there.
//!
//! # The path of a put
//! 1. `rma.rs`: [`World::put`] takes an own address, a source, a length and a PE.
//! 2. `direct.rs`: own address − own start = offset; if the memory of the PE is mapped here, its start plus
//!    the offset is the destination: two comparisons and an addition, no lock and no section.
//! 3. `mf_device::engine` moves the bytes.
//! 4. If it is not mapped, as for a PE on another host: `context.rs`, a lane of `mf_fabric::transfer` over
//!    the pool, posts a put on the route to the PE. [`World::fence`] orders such puts, [`World::quiet`]
//!    completes them (`order.rs`).
//!
//! # Modules
//! * `options`: options of a world; `making`: collective creation: PEs agree on the options and make the heap
//!   together; `segment`: layout of a PE's memory; `world`: begin and end.
//! * `heap`: a pure allocator (`heap/fit`), and collective calls that detect mismatches (`heap/calls`).
//! * `team`: teams of PEs. `handles`: numbers by which programs name teams and contexts.
//! * `place`: address translation to another PE, for all operations; `direct`: the fast path for mapped
//!   memory, for inlined functions.
//! * `rma`, `strided`, `context`, `order`: access to other PEs. `atomic`, `signal`: changes of words there;
//!   `wait`: for words of this PE; `number`: their types. `local`: memory of this process itself.
//! * `kernels`: the interface to kernels, for a heap in an accelerator's memory.
//! * `stream`: the same operations in the order of a stream.
//! * `statics`: static data of the main program, which is symmetric like the heap.
//! * `collective`: collective calls of teams; `active`: of active sets; `lock`: locks of the whole job;
//!   `word`: words in symmetric memory, and waits for them.
//! * `cann`: attributes, addresses and variables of CANN's family. `exit`: the end of the program on all PEs. `info`: name and version.
//!
//! # Two worlds
//! The standard and CANN's family share these semantics; the differences (types of handles, codes, names) are
//! in the layers above. Both may be alive in one process: they are two [tenants](mf_job::Tenant), with two
//! pools.
//!
//! # Accelerators
//! A heap of CANN's family is in the memory of the accelerator of the process, if it has one; its second heap
//! is host memory then, and so are the words that PEs change for each other in calls of the library. Memory
//! that may be an accelerator's has no address for loads and stores here: each operation of such a world
//! takes step 4 of the path above, on which the lane classifies both ends and selects the engine, and waits
//! read their words by copies.
//!
//! # Invariants
//! * Memory of other PEs is never seen by reference; it is copied by raw addresses.
//! * Mapped memory of a PE stays mapped until [`World::end`], also after the PE has died: an access to it
//!   never faults.
//! * A forked child is not a PE: its address table is empty, and every call is refused.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[expect(unsafe_code, reason = "words in symmetric memory")]
mod active;
#[expect(unsafe_code, reason = "words of mapped memory; old values go where the caller says")]
mod atomic;
pub mod cann;
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
