// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers between buffers of two processes, each in host memory or on an accelerator of any vendor, and a
//! control channel whose tags arrive behind the data.
//!
//! * [`memory`]: allocation and copies by type of memory; [`buffer`]: the memory that peers reach.
//! * [`communicator`]: listening, connecting, put and get; `peer_table`: connected peers, by address and
//!   port.
//! * [`ctrl`]: short messages between ranks, one channel of the process.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[expect(unsafe_code, reason = "copies between the buffer and memory that the caller names")]
pub mod buffer;
#[expect(unsafe_code, reason = "copies between buffers")]
pub mod communicator;
pub mod ctrl;
mod fair_mutex;
mod host;
mod insecure_mode;
#[expect(unsafe_code, reason = "copies of memory that the caller names")]
pub mod memory;
mod numbers;
mod peer_table;
mod status_errors;
mod tcp;

pub use buffer::Buffer;
pub use communicator::Communicator;
pub use numbers::{ConnType, MemoryType, Status};
