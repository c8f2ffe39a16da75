// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The hardware's task scheduler, for programs that write its 64-byte tasks themselves instead of using
//! streams.
//!
//! * [`entry`]: a task, read from its bytes.
//! * [`queue`]: submission queues, and the reports of tasks that failed.
//! * [`notifies`]: flags by number, of ACL and of the driver.
//! * [`resources`]: numbers, queues and bindings that a process holds.
//! * [`calls`]: the driver's functions.

mod calls;
mod entry;
mod notifies;
mod queue;
mod resources;

pub use calls::*;
