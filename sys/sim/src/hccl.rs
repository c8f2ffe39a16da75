// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HCCL: communicators and their collectives.
//!
//! A communicator is one memory file that all its ranks map, whatever processes they live in. In it are a
//! slot for each rank and, for each pair of ranks, channels: a few buffers through which a message goes piece
//! by piece. Every operation is a task of a stream. A collective begins with a meeting: each rank writes into
//! its slot what it is about to do and reads what the others do, so that ranks that disagree fail instead of
//! waiting for each other. Then the data go through the channels, and what is reduced is reduced in the order
//! of the ranks.
//!
//! Device memory is touched only by [`transfer`](crate::memory::transfer), with the rights of a kernel on the
//! device.
//!
//! A rank that fails writes the reason into the communicator, where all who wait find it: they fail as well,
//! and the communicator is lost. A rank that dies is noticed by the others, because its process loses its
//! place on the machine.
//!
//! * [`code`]: results, and what streams make of them; [`mod@format`]: data types and reductions.
//! * [`shared`], [`channel`]: what is in the file; [`peers`]: who is in it, alive, failed, waited for.
//! * [`root`], [`table`], [`subset`]: how ranks find each other; [`config`]: what they may ask for.
//! * [`communicator`], [`order`], [`group`]: the local side, and the order of its operations.
//! * [`meeting`], [`exchange`], [`collective`]: what runs on the stream.
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
pub mod order;
pub mod peers;
pub mod root;
pub mod shared;
pub mod subset;
pub mod table;

pub use functions::*;
