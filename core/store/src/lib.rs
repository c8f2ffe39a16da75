// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store of a job: a key-value service through which the members find each other.
//!
//! It knows keys, sessions, ranks and barriers, and nothing of memory pools. One process runs the [`Server`] (that of
//! rank 0, or one started for the purpose); every member is a [`Client`]; [`rendezvous::join`] decides who does what.
//! [`MemoryStore`] is the same without sockets, for tests.
//!
//! # The path of a request
//! `store.set("pool/0/3", record, Lifetime::Session)` →
//! 1. `client/calls.rs`: the [`Store`] trait; the arguments become a `Request` (`protocol.rs`) and are checked
//!    (`protocol/limits.rs`); `client/inbox.rs` opens a slot for the reply.
//! 2. `client/tcp.rs`: the request becomes a frame (`protocol/frame.rs`) and is written to the socket.
//! 3. `server/connection.rs`: the task of this connection cuts what arrives into frames and hands the request on.
//! 4. `server/hub.rs`: feeds it to the state machine as an event, with the time.
//! 5. `state.rs`: checks it again, lets `state/keys.rs` set the key, and returns actions: replies to those who waited
//!    for the key (`state/waits.rs`), the change for each watch on it (`state/watches.rs`), the reply to the caller.
//! 6. `server/hub.rs`, `server/outbound.rs`: the actions become frames, one write for each connection concerned.
//! 7. `client/tcp.rs`: the reader thread cuts frames; `client/inbox.rs` runs watch callbacks and fills the slot; the
//!    caller of step 1 wakes up.
//!
//! The way in before that is `client/connect.rs` and `client/hello.rs` on one side and the hello in `server/connection.rs` on the other, with
//! the proofs of `protocol/auth.rs`; ranks are handed out by `state/ranks.rs`.
//!
//! # Ends
//! A session ends with a goodbye or with its connection; the kernel tells the server of a killed process at once. Its
//! session keys go away, each seen by the watches, and only then is its rank free. When the last member has gone, the
//! store is empty again. When the store goes, waiting calls fail and each watch sees [`Change::StoreLost`] once.

#![forbid(unsafe_code)]

mod api;
mod client;
mod memory;
mod protocol;
pub mod rendezvous;
mod server;
mod state;
mod url;

pub use api::{Cause, Change, Entry, Lifetime, Listing, Member, Store, Swap, WatchFn, WatchId};
pub use client::{ClientOptions, Session, TcpWire, Wire};
pub use memory::{MemoryClient, MemoryStore, MemoryWire};
pub use server::{Server, ServerOptions};
pub use url::StoreUrl;

/// A member's connection to a [`Server`].
pub type Client = Session<TcpWire>;
