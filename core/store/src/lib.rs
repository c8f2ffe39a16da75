// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store of a job: a key-value service through which the members find each other.
//!
//! It knows keys, sessions, ranks and barriers, and nothing of memory pools. One process runs the [`Server`]
//! (rank 0, or one started for the purpose); every member is a [`Client`]. [`MemoryStore`] is the same
//! without sockets, for tests. Which process runs the server, and how the others find it, is decided in
//! `mf_bootstrap`.
//!
//! # The path of a request
//! `store.set(".mf/pool/0/3", record, Lifetime::Session)` →
//! 1. `client/calls.rs`: the [`Store`] trait; the arguments become a `Request` (`protocol.rs`) and are
//!    checked (`protocol/limits.rs`).
//! 2. `client/shared.rs`: under the lock of the session, `client/machine.rs` numbers it; `client/tcp.rs`
//!    makes it a frame (`protocol/frame.rs`), `channel.rs` encrypts it where it must, and one write sends it.
//! 3. `server/connection.rs`: the task of this connection cuts the received bytes into frames and passes the
//!    request on.
//! 4. `server/hub.rs`: feeds it to the state machine as an event, with the time.
//! 5. `state.rs`: checks it again, lets `state/keys.rs` set the key, and returns actions: replies to waits
//!    for the key (`state/waits.rs`), the change for each watch on it (`state/watches.rs`), the reply to the
//!    caller.
//! 6. `server/hub.rs`, `server/outbound.rs`: the actions become frames, one write for each connection
//!    concerned.
//! 7. `client/shared.rs`: the caller of step 1 waits for the socket itself; it reads the arrived messages,
//!    passes changes to the thread that runs callbacks (`client/dispatch.rs`), and finds its reply.
//!
//! A connection begins in `client/connect.rs` and `client/hello.rs` on one side and the hello in
//! `server/connection.rs` on the other, with the proofs of `protocol/auth.rs`; ranks are assigned by
//! `state/ranks.rs`.
//!
//! # Around it
//! `mf_tls`: credentials, identities, and how they are proven. `journal.rs`: the interface to a service that
//! elects the leader and keeps its keys. `reserved.rs`: the library's own keys, and the view without them.
//! `simulation.rs`: many clients and one store in virtual time, in the tests.
//!
//! # Ends
//! A session ends when it is closed, or when its connection broke and was not resumed in time
//! (`client/resume.rs`); the kernel reports a killed process to the server at once. Its session keys are
//! removed, with a change for each watch, and only then is its rank free. When the last member has left, the
//! store is empty again. When the store dies, calls wait for the next one until their deadlines; it recovers
//! the keys from its members. When there is none, waiting calls fail and each watch sees
//! [`Change::StoreLost`] once.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod api;
mod channel;
mod client;
pub mod fields;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
pub mod journal;
mod memory;
mod protocol;
mod reserved;
mod server;
#[cfg(test)]
mod simulation;
mod sockets;
mod state;
mod timing;

pub use api::{
    Attendance, Awaited, AwaitedKind, Cause, Change, Contact, Entry, Leader, LeaderFn, LeaseId, Lifetime,
    Listing, Lost, Member, MembersFn, Page, Part, Peer, RankWish, Store, Swap, View, ViewChange, Waiter,
    WatchFn, WatchId,
};
pub use client::{AbsentFn, ClientCounts, ClientOptions, Session, Started, client_counts};
pub use memory::{MemoryClient, MemoryStore};
pub use protocol::Failure;
pub use protocol::frame::VERSION as PROTOCOL_VERSION;
pub use protocol::limits::check_world_size;
pub use reserved::{GUEST_CARDS, RESERVED, UserStore, is_reserved, network_card};
pub use server::{Listening, LostFn, Server, ServerOptions};
pub use state::{MemberStatus, Status, StorePhase};
pub use timing::Timing;

/// A member's connection to a [`Server`].
pub type Client = Session;
