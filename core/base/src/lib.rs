// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The lowest floor of memfabric-rs: what every other crate needs and nothing about memory pools.
//!
//! * [`error`]: the one error type, with the numeric codes of the C interface.
//! * [`units`]: ids and units as types ([`Rank`], [`Gva`], [`MemKind`], [`ByteLen`]).
//! * [`settings`]: the table of `MF_*` settings; nothing else reads the environment.
//! * [`interrupt`]: leaving a wait when the program around the library asks for it.
//! * [`loader`]: finds, opens and judges foreign libraries.
//! * [`log`]: where `tracing` events go when the library runs inside a C or Python program.
//! * [`mpi`]: the MPI that the program has loaded.
//! * [`os`]: sealed memory files, mappings, descriptor passing, futex, process facts.
//! * [`sync`]: primitives for memory that threads or processes share.

pub mod error;
pub mod interrupt;
pub mod loader;
pub mod log;
pub mod mpi;
pub mod os;
pub mod settings;
pub mod sync;
pub mod units;

pub use error::{Error, Kind, Result, Retry, Scope};
pub use units::{ByteLen, Gva, MemKind, Rank};
