// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers between buffers of two processes, each in host memory or on an accelerator of any vendor, and a
//! control channel whose tags arrive behind the data.

#![forbid(unsafe_code)]

mod numbers;

pub use numbers::{ConnType, MemoryType, Status};
