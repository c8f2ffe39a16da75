// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The network: the transports of a process, the routes by them to the members of its jobs, and links between
//! the processes of a host.
//!
//! | transport | reaches |
//! |---|---|
//! | [`cma`] | private memory of processes of this host, by the kernel, and memory files |
//! | [`mf_tcp`] | every host with an address |
//! | [`ucx`] | peers within libucp's reach: RDMA NICs, or TCP and shared memory |
//!
//! All implement [`Transport`](mf_transport::Transport). The crate [`mf_transport`] describes the life of an
//! operation.
//!
//! **From membership to route.** [`carrier`] opens the transports of a process for one membership of a job.
//! Their engines belong to the process (`engines`). A [`Network`] is the view of one member: it publishes a
//! [`Card`] in the [`Directory`] of the job, reads its peers' cards there, and keeps the [`Routes`] to each.
//! [`choice`] selects one of them; a [`Member`] is the memory of a peer with the selected route.
//!
//! **Decorators** around any transport ([`decorators`]): metrics, traces, injected faults. [`watch`] has the
//! figures that outlive a transport.
//!
//! **Links.** [`link`] carries messages and descriptors between the processes of a host.
//!
//! Conformance: `tests/transports` runs one suite over every transport, and over the decorators around them.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![expect(unsafe_code, reason = "memory that peers write, memory of callers, calls into libucp")]

mod card;
pub mod carrier;
pub mod choice;
pub mod cma;
pub mod decorators;
mod directory;
mod engines;
mod fd_reserve;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
#[forbid(unsafe_code)]
pub mod link;
mod member;
mod network;
mod posted;
mod registry;
mod route;
pub mod ucx;
#[forbid(unsafe_code)]
pub mod watch;

pub use card::Card;
pub use directory::{Directory, Membership};
pub use member::Member;
pub use network::Network;
pub use posted::{Posted, posted};
pub use registry::{Contributor, NETWORK_MESSAGE_BYTES_MAX};
pub use route::{Absent, Opened, Route, Routes};
