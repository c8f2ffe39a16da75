// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels on the simulator: their inputs, expected outputs, and the jobs that run them.
//!
//! Each rank is a process of the program `mf-kernel-rank`, which has an object of share memory and carries
//! out one [`Order`] after the other. A [`Case`] says what all ranks run together. What lies in their memory
//! before and after it follows from the case alone ([`image`]), so every rank checks its own part without
//! asking.
//!
//! * [`case`]: the cases of the tests.
//! * [`image`]: memory before and after; [`content`]: what fills it; [`number`]: fp16 and bf16.
//! * [`order`]: orders for a rank.
//! * [`ranks`]: a job of such ranks on a simulated machine of its own.

pub mod case;
pub mod content;
pub mod image;
pub mod number;
pub mod order;
pub mod ranks;

pub use case::{Case, Direction, Op, TIMEOUT_S, Type, Work};
pub use order::{Argument, Launch, Order};
pub use ranks::Ranks;
