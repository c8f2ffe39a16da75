// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Links between the members of a pool that share a host.
//!
//! Each member listens on a Unix socket of its own and serves it from one thread. Who joins later connects to
//! all who joined before; the connection then stays open. It carries requests both ways ([`message`]),
//! descriptors among them, and its end tells at once that the process at the other end is gone: no heartbeat,
//! no process id.
//!
//! Only processes of the same user, and of those that `MF_ALLOW_USERS` names, are let in; root is one like
//! others. Of these only who knows the job's token gets an answer. Who has not shown it holds one of 256
//! places for 10 s at most, and gives way to newer ones: connections without a proof cost a bounded number of
//! descriptors and keep no member out.

pub mod message;
mod service;
mod thread;

pub use message::{Announcement, Part, Request};
pub(crate) use message::{pack, unpack};
pub(crate) use service::lost_descriptor;
pub use service::{Host, Links, Outcome};
