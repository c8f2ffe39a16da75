// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Servers for programs that bring their own protocols: small messages over links, and HTTP.
//!
//! # The path of a message
//! `link.send((7, 0, 1), body, …)` →
//! 1. `outbox.rs`: if there is no writer and nothing waits, this thread becomes the writer; else a copy is
//!    queued.
//! 2. `link/write.rs`: head and body go into the socket, encrypted if the server has certificates.
//! 3. At the other side `worker.rs` gets the event from `poll.rs`, and takes the link's lock
//!    (`exclusive_turn.rs`).
//! 4. `link/read.rs`: reads; `frame.rs` splits the bytes into messages.
//! 5. The handler of type 7 (`handlers.rs`) runs on the worker. It may send at once.
//! 6. The worker polls a moment for more, then arms the socket again.
//!
//! # The path of a link
//! `server.connect` → `connect.rs`, on the caller's thread: TCP, TLS, `hello.rs`; the listener's worker
//! asks its program (`link/read.rs`, `answer_hello`) and answers. A link ends once (`link.rs`, `end`): by the
//! program, the peer, or a deadline (`timers.rs`). Its callback runs on a separate thread
//! (`disconnects.rs`), so that it may block, connect again, and wait for answers.
//!
//! # The path of a request
//! The same up to step 4; `http/requests.rs` splits the bytes into requests, `link/http.rs` finds the route
//! and runs its handler; the response is written like a message.
//!
//! # Pure state machines
//! [`frame`] and [`hello`] (bytes of messages), [`outbox`] (pending writes of a link), [`http`].
//!
//! # Threads
//! A server has `workers` threads for callbacks, one for deadlines, and one for each callback of a link that
//! has ended. No callback runs under a lock that a call of the program takes. [`Server::stop`] waits for all
//! of them.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod client_limits;
pub mod code;
mod connect;
mod disconnects;
mod exclusive_turn;
pub mod frame;
mod handlers;
pub mod hello;
pub mod http;
mod link;
pub mod options;
pub mod outbox;
mod poll;
mod request;
mod server;
mod server_state;
mod timers;
mod worker;

pub use handlers::{ANY_PATH, BrokenFn, NewLinkFn, RequestFn, RouteFn, SentFn};
pub use link::Link;
pub use options::{Bounds, HttpOptions, TcpOptions, Times};
pub use outbox::{SENT, SENT_BROKEN, SENT_TIMEOUT};
pub use request::HttpRequest;
pub use server::{Protocol, Server};
pub use server_state::{Hooks, NoHooks};
