// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transports, as an interface: memory and messages of other processes that are not mapped in this one.
//!
//! A [`Transport`] carries [`Operation`]s to the process of another member. The initiator names the memory by
//! the other member's [`SegmentKey`] and address; the [`Target`] checks, at that moment, that there is memory
//! under that key and address, and only then lets the transport touch it. So no input from the network ever
//! writes outside a segment, or into one of an ended pool.
//!
//! The life of an operation:
//! 1. [`PeerRoute::post`] takes it, with a [`Completion`] and a deadline. It returns at once unless the send
//!    queue is full. The route is resolved once, by [`Transport::route`], and kept.
//! 2. Every part of it ends once on the completion, with its result. A put that ended well is visible to
//!    every reader on the target's host.
//! 3. [`Transport::wait`] drives the connections from the waiting thread, or sleeps. When the deadline has
//!    passed the operation ends with `Timeout`; from then on local memory is not touched for it any more.
//!
//! | part | file |
//! |---|---|
//! | traits of a transport and of a route to a peer | `transport.rs`, `capabilities.rs`, `deadlines.rs` |
//! | names of processes | `peer.rs`, `job_id.rs` |
//! | operations | `operation.rs`, `operation_kind.rs`, `span.rs`, `strided.rs` |
//! | their ends | `completion.rs` |
//! | the memory of this process, as others reach it | `target.rs` |
//! | for implementations: atomics of the owner | `host_atomics.rs` |
//! | for implementations: operations posted later | `owned_operation.rs` |
//! | for implementations: interruptible waits | `interruptible_wait.rs` |
//! | mapped memory of another process, cached by a thread | `in_place.rs` |
//!
//! Implementations: `mf_tcp`; `ucx` and `cma` of `mf_net`, which chooses one for each peer. Their common
//! suite is `core/net/tests/transports`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![expect(unsafe_code, reason = "memory that peers write, memory of callers")]

mod capabilities;
mod completion;
mod deadlines;
mod host_atomics;
mod in_place;
mod interruptible_wait;
mod job_id;
mod operation;
mod operation_kind;
mod owned_operation;
mod peer;
mod span;
mod strided;
mod target;
mod transport;

pub use capabilities::Capabilities;
pub use completion::Completion;
pub use deadlines::Deadlines;
pub use in_place::{InPlace, VISIT_BYTES, Visit};
pub use interruptible_wait::{InterruptibleWait, Left};
pub use job_id::JobId;
pub use operation::{Atomic, AtomicKind, Operation, Remote, SignalKind, Width};
pub use operation_kind::OperationKind;
pub use owned_operation::OwnedOperation;
pub use peer::{NO_RANK, Peer};
pub use span::Span;
pub use strided::Strided;
pub use target::{
    Backing, Grant, InFile, RANGES_MAX, Range, Region, SegmentKey, Spot, Target, hole, no_file, not_granted,
    not_together,
};
pub use transport::{MESSAGE_BYTES_MAX, OnDevice, PeerRoute, Reach, Transport, Usage};
