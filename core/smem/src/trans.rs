// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfer engine between named processes: memory anywhere in a process is registered, and others copy to
//! and from it.
//!
//! 1. [`Endpoint::create`] takes a name (`ip:port`) at a running store, and publishes there how the process
//!    is reached; no rank, no job.
//! 2. [`Endpoint::register`] makes memory reachable at once, [`Endpoint::deregister`] takes it back at once;
//!    [`Endpoint::allocate`] gives memory that processes of this host map.
//! 3. [`Endpoint::write`], [`Endpoint::read`] and the raw forms move bytes; the other process takes no part,
//!    or its threads of the library do.
//! 4. [`Endpoint::start`] has a transfer done by a thread of the library, and gives a [`Transfer`] that is
//!    polled, waited for or cancelled; [`Endpoint::prepare`] checks its pieces once for many.
//!    [`Endpoint::notify`] sends a small message, alone or after the data of such a transfer, which the other
//!    program takes by [`Endpoint::notifications`].
//! 5. [`Endpoint::destroy`].
//!
//! [`Endpoint::listen`] makes an endpoint without a store: it is met at its own address, and
//! [`Endpoint::start_batch`] meets others at theirs. Provisional.
//!
//! A name is resolved at the store for the first transfer to it, and again when its process is gone: a
//! process that has restarted under the same name is found then. The former process's registrations are gone
//! with it.
//!
//! The implementation is [`mf_fabric::endpoint`].
//!
//! **The path of a started transfer.** `submit` makes a [`Transfer`] of its pieces; `started_transfer` queues
//! it for its destination endpoint ([`mf_base::ops::queue`]); a thread takes the first of a queue and does it
//! slice by slice (`work`), then sends the notification to the `inbox` of the other process. Programs with an
//! event loop wait on a descriptor ([`mf_base::ops::event`]).

#[expect(unsafe_code, reason = "copies of raw addresses on other threads, on the word of the caller")]
mod batches;
mod card;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod endpoint;
mod inbox;
mod listing;
mod name;
mod options;
mod peer_down;
mod peers;
#[expect(unsafe_code, reason = "transfers of raw addresses, on the word of the caller")]
mod prepared;
#[expect(unsafe_code, reason = "numbers at raw addresses, on the word of the caller")]
mod quant;
mod started_transfer;
#[expect(unsafe_code, reason = "transfers of raw addresses, on the word of the caller")]
mod submit;
#[expect(unsafe_code, reason = "copies of raw addresses on other threads, on the word of the caller")]
mod work;

pub use endpoint::Endpoint;
pub use inbox::{MESSAGE_BYTES_MAX, NOTIFICATIONS_MAX, Notification, check_message_bytes};
pub use listing::{At, EndpointState, Listed, list};
pub use mf_device::RawStream;
pub use mf_transport::Span;
pub use name::check_name;
pub use options::{Options, Role};
pub use peer_down::PeerDownFn;
pub use prepared::Prepared;
pub use quant::{BuiltInKernels, Half, QuantPiece};
pub use started_transfer::Transfer;
