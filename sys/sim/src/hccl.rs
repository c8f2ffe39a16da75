// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HCCL: communicators and their collectives.
//!
//! A communicator is one memory file, mapped by all its ranks in any process. It has one slot per rank and,
//! for each pair of ranks, channels: a few buffers through which a message goes piece by piece. Every
//! operation is a task of a stream. A collective begins with a meeting: each rank publishes its operation in
//! its slot and compares the others', so that mismatched calls fail instead of deadlocking. Then the data go
//! through the channels; reductions run in rank order.
//!
//! Device memory is touched only by [`transfer`](crate::memory::transfer), with the rights of a kernel on the
//! device.
//!
//! A rank that fails writes the reason into the communicator, where all waiting ranks find it: they fail as
//! well, and the communicator is lost. The others notice the death of a rank, because its process loses its
//! place on the machine.
//!
//! * [`code`]: results, and what streams make of them; [`mod@format`]: data types and reductions.
//! * [`shared`], [`channel`]: layout of the file; [`peers`]: state of the ranks (alive, failed) and waits for
//!   them.
//! * [`root`], [`table`], [`subset`]: rendezvous of the ranks; [`config`]: options of a rank.
//! * [`communicator`], [`order`]: the local side, and the order of its operations.
//! * [`meeting`], [`exchange`], [`collective`], [`message_batch`]: execution on the stream.
//! * [`group`]: operations that are deferred to the end of a group.
//! * [`functions`]: what programs call.

pub mod channel;
pub mod code;
pub mod collective;
pub mod communicator;
pub mod config;
pub mod exchange;
pub mod format;
pub mod functions;
pub mod group;
pub mod meeting;
pub mod message_batch;
pub mod order;
pub mod peers;
pub mod root;
pub mod shared;
pub mod subset;
pub mod table;

pub use functions::*;
