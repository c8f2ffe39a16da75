// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The copy engine: moves bytes between addresses that are mapped in this process, at the speed of the
//! memory.
//!
//! [`copy()`] picks a method by size alone, without an allocation or a system call below 16 MiB, and without
//! waiting for a lock:
//!
//! | bytes | method | file |
//! |---|---|---|
//! | 1 to 16 | moves in registers; 1, 2, 4 and 8 bytes are one load and one store | `moves.rs` |
//! | below 256 KiB | the C library's memmove, which is as good as its memcpy | `cpu.rs` |
//! | to some MiB | the same, in pieces | `cpu.rs` |
//! | above | the same or non-temporal stores, by measurement | `method.rs`, `stream.rs` |
//! | from 16 MiB | the same, with one more thread where that was measured to win | `assist.rs`, `tuner.rs` |
//!
//! [`copy_batch`] does many copies and considers their sum: pieces that together exceed the caches are
//! streamed too. `in_parts` shares other copies of 1 MiB and more with the same second thread: copies by the
//! kernel between two processes. [`Queue`] runs copies later and in order; [`prefault()`] populates a fresh
//! mapping.
//!
//! **Memory that others change.** The other end is written by other processes at any time, so no reference or
//! slice to it is formed here; all is done by raw pointers in instructions that the compiler does not look
//! into (assembler moves, the C library, vector intrinsics). A copy that races with a writer ends with a
//! mixture of old and new bytes, as with any memcpy; an aligned copy of 2, 4 or 8 bytes never mixes.
//!
//! **Visibility.** Bytes written by a copy are visible to every process that learns of the copy's return:
//! streaming stores are fenced before the return, on x86-64 all others are ordered anyway, and elsewhere a
//! release fence ends each copy.

mod assist;
mod config;
mod cpu;
mod method;
mod moves;
mod prefault;
mod queue;
mod stream;
mod tuner;

pub use assist::{in_parts, may_share};
pub use cpu::{Piece, SHORT_BYTES, copy, copy_batch, copy_short};
pub use prefault::prefault;
pub use queue::Queue;
pub use stream::prefetch;
