// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Asynchronous operations: how work is queued, waited for and cancelled, and how its messages are kept.
//!
//! * [`queue`]: keyed work queue with threads on demand.
//! * [`operation`]: a started operation: poll, wait, cancel.
//! * [`mailbox`]: bounded mailbox of messages by peer.
//! * [`event`]: descriptor that wakes the event loop of a program.
//! * [`waiting`]: interruptible wait for a state under a lock.
//!
//! Keys, jobs and messages are types of the user. So the module stands here, below memory, peers and
//! transports: streams of devices and servers of messages queue work as transfers do.

pub mod event;
pub mod mailbox;
pub mod operation;
pub mod queue;
pub mod waiting;

pub use event::EventDescriptor;
pub use mailbox::Mailbox;
pub use operation::Operation;
pub use queue::WorkQueue;
