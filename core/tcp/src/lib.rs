// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The transport over TCP.
//!
//! **Connections.** Each process opens its own: requests go out on it, replies come back. So a pair with
//! requests in one direction has one connection, an idle pair has none, and simultaneous connects do not
//! meet. The first is opened by the first operation; further ones by large operations, which are striped over
//! the ready ones. A process that others may not reach opens the connections for their requests, too, and
//! lends them.
//!
//! **Members and their process.** A member of a job is a [`Tcp`]; all members of a process share one
//! [`Engine`], which has the listeners, the one thread, and the accepted connections. A hello names the
//! member that it wants.
//!
//! | part | file |
//! |---|---|
//! | state shared by the members of a process | `engine.rs`, `process_core.rs` |
//! | members and listeners of a process | `roster.rs` |
//! | one member | `member.rs`, `shared.rs`, `local_end.rs` |
//! | frames | `wire.rs`, `blocks.rs` (strided) |
//! | bytes of a connection, plain or TLS | `channel.rs`, `secure.rs` |
//! | send queues of a connection | `send_queue.rs`, `outbound.rs` |
//! | received frames, with their payloads | `inbound.rs`, `frames.rs` |
//! | an opened connection, its operations, its replies | `connection.rs`, `table.rs`, `replies.rs` |
//! | opening it | `connect.rs`, `attempt.rs`, `address.rs` |
//! | connections that one end opens for the other | `loans.rs`, `progress/lending.rs` |
//! | voided connections, with late bytes that the receiver discards | `validity.rs` |
//! | selection of connections for an operation, and its frames | `post.rs`, `parts.rs` |
//! | accepted connections | `listen.rs`, `newcomers.rs`, `serve.rs` |
//! | their requests | `requests.rs`, `memory.rs`, `remote.rs`, `copiers.rs` |
//! | the threads that drive all that | `waiting.rs`, `claim.rs` (callers), `progress.rs` (one thread) |
//!
//! **Order.** A connection is served in the order of its frames, and an ack ends all operations up to its
//! number: the bytes are in place before it is sent. A signal stays on the connection of its data.
//!
//! **Memory of callers** is read and written by the kernel straight from and to the socket, and only by the
//! thread that has that end of the connection, so that an operation can be ended at any moment: the late rest
//! of a get is drained; any other operation is taken back if it was not sent. One that was sent, in part or
//! whole, ends the connection: it may still be in flight, and the peer must discard it (`validity.rs`). Other
//! operations on that connection fail, too, since it is unknown which of them were done; their errors have
//! [`Retry::AtOnce`](mf_base::Retry::AtOnce), so that no caller considers the peer lost.
//!
//! **Memory of this process** is resolved for every frame and every call of the kernel, by the
//! [`Target`](mf_transport::Target). If it is withdrawn in the middle of a put the rest of the bytes is
//! drained and the operation refused.
//!
//! **Waiting.** The path of a short operation is one send and one receive on each side, and no switch of
//! threads: the caller sends from `post` and receives in `wait`; at the other end the progress thread polls
//! the connection that it served last before it sleeps. On this path no thread waits for a lock or allocates.
//! While a caller drives a connection the progress thread is notified only of its end, and that stays so
//! between operations, so a stream of acknowledged puts makes no call to epoll. Short operations behind one
//! that is in flight are gathered until 16 KiB, the next wait, or the next tick.
//!
//! **Choices.**
//! - Readiness by epoll. It is requested when both sides sleep and for connections that no thread polls;
//!   neither a short operation nor a stream passes through it, so completions of io_uring would replace one
//!   call by another there.
//! - One progress thread. A stream is limited by the copies of the kernel on both sides, which have a core
//!   each.
//! - One connection up to 4 MiB. Seen on two cores that others used too (GB/s for 1, 2 and 4 connections,
//!   this transport): 1 MiB put 6.1, 5.9, 4.9 and get 6.6, 5.7, 4.5; 4 MiB put 3.0, 3.0, 3.7 and get 2.4,
//!   3.6, 4.3.
//! - No buffer sizes are set: the kernel's own grow as far as the machine's limits let it, setting them ends
//!   that.
//! - With checksums payloads travel in frames of at most 16 KiB through the receive buffer: the summed bytes
//!   are the sent bytes, and bytes are checked before they are written, although memory at both ends may
//!   change at any time.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![expect(unsafe_code, reason = "memory that peers write, memory of callers")]

mod address;
mod attempt;
mod blocks;
mod channel;
mod claim;
mod congestion;
mod connect;
mod connection;
mod copiers;
mod engine;
mod frames;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod inbound;
mod listen;
mod loans;
mod local_end;
mod malformed;
mod member;
mod memory;
mod newcomers;
pub mod nic;
mod options;
mod outbound;
mod parts;
mod post;
mod process_core;
mod progress;
mod remote;
mod replies;
mod requests;
mod roster;
mod secure;
mod send_queue;
mod serve;
mod shared;
mod table;
#[cfg(test)]
mod tests;
mod validity;
mod waiting;
mod wire;

pub use engine::Engine;
pub use member::Tcp;
pub use options::Options;
