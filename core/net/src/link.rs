// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Link: messages and descriptors between processes of a host, by one service per process that all users
//! share.
//!
//! The service has one listening Unix socket and one thread. A user opens an [`Endpoint`] under a [`Name`]
//! (job, session, purpose) with a [`Handler`]. Another process reads the socket's name in the store,
//! connects, and first names the endpoint and shows the token of the job: from then on the connection belongs
//! to one endpoint on each side. It carries requests in both directions, each with one reply, and up to 253
//! descriptors beside each message. The end of the other process ends it at once: no heartbeat, no process
//! id.
//!
//! * [`packet`]: the wire format; `endpoint`: the users' calls; `service`: state of the process; `thread`:
//!   its thread; `unproved`: the bound on connections without the token.
//!
//! **Access.** Only processes of the same user, and of the users in `MF_ALLOW_USERS`; root is treated like
//! any other. Of these only processes with the job's token. A connection that has not shown it holds one of
//! 256 places for 60 s at most, and is closed in favour of newer ones: connections without a proof cost a
//! bounded number of descriptors and keep no member out.
//!
//! **Order.** Messages on one connection are handled in the order in which they were sent, replies among
//! them, each before the thread that waits for it is woken. A handler runs on the thread of the service,
//! which serves all endpoints of the process: it waits neither for another process nor for a lock that is
//! held during such a wait.
//!
//! **Forks.** A forked child has no thread of the service; endpoints of its parent do nothing there, and its
//! own use a new service.

mod endpoint;
mod outcome;
pub mod packet;
mod service;
mod thread;
mod unproved;

#[cfg(test)]
mod tests;

pub use endpoint::{Asker, Endpoint, lost_descriptor};
pub use outcome::{ConnectionId, Message, Outcome, RequestId};
pub use packet::Name;
pub use service::{Answer, Handler};
