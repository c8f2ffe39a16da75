// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store of a job: a key-value service through which the members find each other.
//!
//! It knows keys, sessions, ranks and barriers, and nothing of memory pools. One process runs the [`Server`]
//! (rank 0, or one started for the purpose); every member is a [`Client`]; [`rendezvous::join`] assigns the
//! roles. [`MemoryStore`] is the same without sockets, for tests. [`Bootstrap`] finds a process's place in
//! its job.
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
//! `hosting.rs`: in which process the store runs, also after its first process died. `rendezvous.rs`: from a
//! URL to a membership. `mf_tls`: credentials, identities, and how they are proven. `etcd.rs`: a leader that
//! is elected in etcd and keeps its keys there. `leadership.rs`: the leader of a store, its service, and
//! watches of both. `served.rs`: servers that a program starts by URL. `backend.rs`: the leader of a `reg://`
//! store. `journal.rs`: durable keys of an elected leader. `meeting.rs`: guests with names, at stores of jobs and at stores of their own. `reserved.rs`: the
//! library's own keys, and the view without them. `simulation.rs`: many clients and one store in virtual
//! time, in the tests.
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
pub mod backend;
pub mod bootstrap;
mod channel;
mod client;
mod etcd;
mod fields;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod hosting;
pub mod journal;
pub mod leadership;
pub mod meeting;
mod memory;
mod protocol;
pub mod rendezvous;
mod reserved;
mod resolve_host;
mod route;
pub mod served;
mod server;
#[cfg(test)]
mod simulation;
mod sockets;
mod state;
mod timing;
mod url;

pub use api::{
    Attendance, Awaited, AwaitedKind, Cause, Change, Contact, Entry, Leader, LeaderFn, LeaseId, Lifetime,
    Listing, Lost, Member, MembersFn, Page, Part, Peer, RankWish, Store, Swap, View, ViewChange, Waiter,
    WatchFn, WatchId,
};
pub use bootstrap::{Bootstrap, UniqueId};
pub use client::{AbsentFn, ClientCounts, ClientOptions, Session, client_counts};
pub use hosting::Host;
pub use memory::{MemoryClient, MemoryStore};
pub use protocol::Failure;
pub use reserved::{RESERVED, UserStore, is_reserved, network_card};
pub use server::{LostFn, Server, ServerOptions};
pub use state::{MemberStatus, Status, StorePhase};
pub use timing::Timing;
pub use url::StoreUrl;

/// A member's connection to a [`Server`].
pub type Client = Session;
