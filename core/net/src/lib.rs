// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The network: memory and messages of other processes that are not mapped in this one.
//!
//! **Transports.** A [`Transport`] carries [`Operation`]s to the process of another member. The initiator
//! names the memory by the other member's [`SegmentKey`] and address; the [`Target`] checks, at that moment,
//! that there is memory under that key and address, and only then lets the transport touch it. So no input
//! from the network ever writes outside a segment, or into one of an ended pool.
//!
//! The life of an operation:
//! 1. [`PeerRoute::post`] takes it, with a [`Completion`] and a deadline. It returns at once unless the send
//!    queue is full. The route is resolved once, by [`Transport::route`], and kept.
//! 2. Every part of it ends once on the completion, with its result. A put that ended well is visible to
//!    every reader on the target's host.
//! 3. [`Transport::wait`] drives the connections from the waiting thread, or sleeps. When the deadline has
//!    passed the operation ends with `Timeout`; from then on local memory is not touched for it any more.
//!
//! | transport | reaches |
//! |---|---|
//! | [`cma`] | private memory of processes of this host, by the kernel, and memory files |
//! | [`tcp`] | every host with an address |
//! | [`ucx`] | peers within libucp's reach: RDMA NICs, or TCP and shared memory |
//!
//! **From membership to route.** [`carrier`] opens the transports of a process for one membership of a job.
//! Their engines belong to the process (`engines`). A [`Network`] is the view of one member: it publishes a
//! [`Card`] in the [`Directory`] of the job, reads its peers' cards there, and keeps the [`Routes`] to each.
//! [`choice`] selects one of them.
//!
//! **Decorators** around any transport ([`decorators`]): metrics, traces, injected faults. [`watch`] has the
//! figures that outlive a transport.
//!
//! **Links.** [`link`] carries messages and descriptors between the processes of a host.
//!
//! Conformance: `tests/transports` runs one suite over every transport, and over the decorators around them.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![expect(unsafe_code, reason = "memory that peers write, memory of callers, calls into libucp")]

mod capabilities;
mod card;
pub mod carrier;
pub mod choice;
pub mod cma;
mod completion;
mod deadlines;
pub mod decorators;
mod directory;
mod engines;
mod fd_reserve;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod host_atomics;
mod in_place;
mod interruptible_wait;
mod job_id;
#[forbid(unsafe_code)]
pub mod link;
mod member;
mod network;
mod operation;
mod operation_kind;
mod owned_operation;
mod peer;
mod posted;
mod registry;
mod route;
mod span;
mod strided;
mod target;
pub mod tcp;
mod transport;
pub mod ucx;
#[forbid(unsafe_code)]
pub mod watch;

pub use capabilities::Capabilities;
pub use card::Card;
pub use completion::Completion;
pub use deadlines::Deadlines;
pub use directory::{Directory, Membership};
pub use in_place::InPlace;
pub use interruptible_wait::Left;
pub use job_id::JobId;
pub use member::Member;
pub use network::Network;
pub use operation::{Atomic, AtomicKind, Operation, Remote, SignalKind, Width};
pub use operation_kind::OperationKind;
pub use peer::{NO_RANK, Peer};
pub use posted::{Posted, posted};
pub use registry::{Contributor, NETWORK_MESSAGE_BYTES_MAX};
pub use route::{Absent, Opened, Route, Routes};
pub use span::Span;
pub use strided::Strided;
pub use target::{Backing, Grant, InFile, RANGES_MAX, Range, Region, SegmentKey, Spot, Target, not_together};
pub use transport::{MESSAGE_BYTES_MAX, OnDevice, PeerRoute, Reach, Transport, Usage};
