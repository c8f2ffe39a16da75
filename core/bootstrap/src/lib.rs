// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bootstrap of a job: how its processes find their store, and which of them hosts it.
//!
//! `mf_store` has the server and the client of a store at known addresses. Here are the steps before:
//! [`Bootstrap`] finds the place of a process in its job, [`StoreUrl`] the kind of the store and its
//! addresses, [`rendezvous::join`] the process that runs the server, and a [`Host`] keeps a store in the job
//! when that process dies.
//!
//! # The path of a join
//! `rendezvous::join(Bootstrap::from_env()?.options(init_timeout, request_timeout)?)` →
//! 1. `bootstrap.rs`: rank, number of ranks, URL and secret, from the variables of a launcher
//!    (`bootstrap/place.rs`, `bootstrap/address.rs`), a unique id (`bootstrap/unique.rs`) or MPI
//!    (`bootstrap/mpi.rs`); without a URL rank 0 hands its own on (`bootstrap/publish_address.rs`).
//! 2. `url.rs`: parses the URL; `resolve_host.rs` chooses the same address of a name in all processes.
//! 3. `rendezvous.rs`: starts the server if it falls to this process, and connects.
//! 4. `hosting.rs`: for each kind of URL the rule by which this process may run the store, now or after the
//!    death of the process that ran it.
//!
//! # Leaders
//! A `tcp://` URL has the addresses of the store, in order. With an `etcd://` URL the leader is elected in
//! etcd and keeps its keys there (`etcd.rs`), with a `reg://` URL in a table that the program registers
//! (`backend.rs`). `leadership.rs`: the leader of a store, its service, and watches of both.
//!
//! # Around it
//! `served.rs`: servers that a program starts by URL. `meeting.rs`: guests with names, at stores of jobs and
//! at stores of their own. `route.rs`: the own address on the route to another.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

pub mod backend;
mod bootstrap;
mod etcd;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod hosting;
pub mod leadership;
pub mod meeting;
pub mod rendezvous;
mod resolve_host;
mod route;
pub mod served;
mod url;

#[cfg(feature = "mpi")]
pub use bootstrap::MpiJob;
pub use bootstrap::{
    Bootstrap, DERIVED_PORTS, HandOn, Launcher, MpiPlace, Origin, POD_WAIT, SecretOrigin, UniqueId,
};
pub use hosting::Host;
pub use url::StoreUrl;
