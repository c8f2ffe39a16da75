// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric memory: the common core of OpenSHMEM and CANN SHMEM.
//!
//! A job is a [`World`] of processing elements (PEs), numbered from 0. Each has a heap of equal size, and all
//! make the same calls on it in the same order, so an object has the same offset in each PE's heap. A
//! **symmetric address** is the caller's own address of such an object; together with the number of a PE it
//! names the object there.
//!
//! # The path of a put
//! 1. `access/rma.rs`: [`World::put`] takes an own address, a source, a length and a PE.
//! 2. `fast_path.rs`: own address − own start = offset; if the memory of the PE is mapped here, its start
//!    plus the offset is the destination: two comparisons and an addition, no lock and no section.
//! 3. `mf_device::engine` moves the bytes.
//! 4. If it is not mapped, as for a PE on another host: `context.rs`, a lane of `mf_fabric::transfer` over
//!    the pool, posts a put on the route to the PE. [`World::fence`] orders such puts, [`World::quiet`]
//!    completes them (`access/order.rs`).
//!
//! # Modules
//! From the top; a module uses only modules below it. The parts of a [`World`] own its state.
//! * `world`: begin, end, and the methods of a world, grouped by files.
//! * `active_set`, `lock`: collective calls of active sets, locks of the whole job.
//! * `heap` (part): a pure allocator (`heap/fit`), and collective calls that detect mismatches
//!   (`heap/calls`).
//! * `collective`: collective calls of teams.
//! * `stream`, `pending` (part): operations in the order of a stream.
//! * `access`: operations on the memory of other PEs: copies, atomics, signals, order.
//! * `create`: collective creation: PEs agree on the options and make the heap together.
//! * `kernels` (part): the interface to kernels, for a heap in an accelerator's memory.
//! * `wait` (part): waits for words of this PE. `context` (part): contexts. `team` (part): teams of PEs.
//! * `options`: options of a world.
//! * `space` (part): the symmetric address space: address translation, copies within this process.
//! * `pe` (in `space`): this process as a PE: life, meetings, presence of the others, global exit.
//! * `statics`: static data of the main program, which is symmetric like the heap.
//! * `fast_path`: the address table for mapped memory, for inlined functions.
//! * `segment`: layout of a PE's memory. `handles`: numbers by which programs name teams and contexts.
//!   `number`: types of elements. `gather_buffer`. `info`: name and version. `cann`: attributes, addresses
//!   and variables of CANN's family.
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

mod access;
#[expect(unsafe_code, reason = "words in symmetric memory")]
mod active_set;
pub mod cann;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod collective;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod context;
mod create;
#[expect(unsafe_code, reason = "places in mapped memory")]
pub mod fast_path;
#[expect(unsafe_code, reason = "bytes that were written")]
mod gather_buffer;
mod handles;
mod heap;
pub mod info;
mod kernels;
#[expect(unsafe_code, reason = "words in symmetric memory")]
mod lock;
mod number;
mod options;
mod pe;
mod pending;
mod segment;
mod space;
pub mod statics;
#[expect(unsafe_code, reason = "copies of raw addresses, on streams of the caller")]
mod stream;
mod team;
#[expect(unsafe_code, reason = "words that others update; values and indices of the caller")]
mod wait;
mod world;

pub use access::Access;
pub use active_set::{ActiveSet, SYNC_WORDS};
pub use collective::combine::{Operand, Operator, Reduction};
pub use context::{CONTEXTS_MAX, Context, ContextOptions};
pub use heap::Usage;
pub use kernels::{Engine, Staging};
pub use mf_fabric::transfer::Signal;
pub use mf_job::Config;
pub use mf_transport::{Atomic, AtomicKind, SignalKind, Width};
pub use number::{Element, Number};
pub use options::{Buffer, Options, ThreadLevel, default_heap_bytes, heap_bytes_of};
pub use stream::{HostStream, Stream};
pub use team::{TEAMS_MAX, Team, TeamOptions};
pub use wait::{Comparison, Condition, Elements, Values};
pub use world::World;
