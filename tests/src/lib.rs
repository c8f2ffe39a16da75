// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A harness for tests over several processes.
//!
//! A test starts a [`Job`], and in it members: processes of the program `mf-rank`, each one rank. A member
//! executes the test's orders ([`order`]), one order after the other, and answers each: so the whole story of
//! a test stands in the test, and a member can be stopped or killed exactly between two steps, or, because
//! another member that it needs is stopped, in the middle of one. Longer work runs in the member as a named
//! scenario.
//!
//! * [`job`]: the members of one store, its port, and the end of a test with its census.
//! * [`member`]: one process: orders, answers, signals.
//! * [`transcript`]: orders, answers and output; shown when the test fails.
//! * [`pattern`]: contents that encode where a byte belongs.
//! * [`accelerator`]: which accelerator the members have.
//! * [`kernels`]: ranks that run kernels on the simulator.
//! * [`hosts`]: two of them, for ranks that do not share memory.
//! * [`guests`]: two virtual machines with RDMA devices.
//! * [`shm`], [`port`], [`cgroup`], [`deadline`]: the machine around.
//!
//! Nothing waits longer than [`deadline::limit`], and members end with the test, however it ends: they are
//! killed when they are dropped, and by the kernel when the thread that started them is gone.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "what goes wrong here fails the test, with its transcript"
)]

pub mod accelerator;
pub mod cgroup;
pub mod deadline;
pub mod guests;
pub mod hosts;
pub mod job;
pub mod kernels;
pub mod member;
pub mod order;
pub mod pattern;
pub mod port;
pub mod shm;
pub mod transcript;

use std::fmt::Display;
use std::io::Write as _;

pub use job::Job;
pub use member::{Member, needs_shared_memory, shares_memory};
pub use order::{Answer, End, Failure, Init, Mem, Order, PoolSizes, Spot, device, host};

/// Says that a test, or a part of it, does not run here, and why. Written past the capture of the test
/// runner, so that it is seen although the test passes; `scripts/test` collects these lines.
pub fn skip(what: &str, reason: impl Display) {
    let _ = writeln!(std::io::stderr(), "skip {what}: {reason}");
}
