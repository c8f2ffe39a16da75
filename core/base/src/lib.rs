// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The lowest floor of memfabric-rs: what every other crate needs and nothing about memory pools.
//!
//! * [`alarm`]: lasting faults, reported to the program when they begin and when they end.
//! * [`error`]: the one error type, with the numeric codes of the C interface.
//! * [`units`]: ids and units as types ([`Rank`], [`Gva`], [`MemKind`], [`ByteLen`]).
//! * [`settings`]: the table of `MF_*` settings; nothing else reads the environment.
//! * [`free_parts`]: free parts of a range, for allocators.
//! * [`http`]: heads of HTTP requests, for the servers that read some.
//! * [`interrupt`]: ending a wait when the program around the library interrupts it.
//! * [`loader`]: finds, opens and judges foreign libraries.
//! * [`log`]: where `tracing` events go when the library runs inside a C or Python program.
//! * [`mpi`]: the MPI that the program has loaded.
//! * [`ops`]: asynchronous operations: work queue, started operation, mailbox.
//! * [`os`]: sealed memory files, mappings, descriptor passing, futex, process facts.
//! * [`sync`]: primitives for memory that threads or processes share.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod alarm;
pub mod error;
pub mod free_parts;
pub mod http;
pub mod interrupt;
#[expect(unsafe_code, reason = "functions of foreign libraries")]
pub mod loader;
#[expect(unsafe_code, reason = "the sink is a function pointer in an atomic")]
pub mod log;
#[expect(unsafe_code, reason = "calls into the MPI that the program has loaded")]
pub mod mpi;
pub mod ops;
#[expect(unsafe_code, reason = "system calls, mappings")]
pub mod os;
pub mod settings;
#[expect(unsafe_code, reason = "memory that threads and processes share")]
pub mod sync;
pub mod units;

pub use error::{Error, Kind, Result, Retry};
pub use units::{ByteLen, Gva, MAX_WORLD_SIZE, MemKind, Rank};
