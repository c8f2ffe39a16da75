// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers between processes that know each other's names: memory anywhere in a process is registered, and
//! others copy to and from it.
//!
//! 1. [`Endpoint::create`] takes a name (`ip:port`) at a store that is there, and says to the store how the
//!    process is reached; no rank, no job.
//! 2. [`Endpoint::register`] makes memory reachable at once, [`Endpoint::deregister`] takes it back at once;
//!    [`Endpoint::allocate`] gives memory that processes of this host map.
//! 3. [`Endpoint::write`], [`Endpoint::read`] and the raw forms move bytes; the other process takes no part,
//!    or its threads of the library do.
//! 4. [`Endpoint::start`] has a transfer done by a thread of the library, and gives a [`Transfer`] that is
//!    polled, waited for or cancelled; [`Endpoint::prepare`] checks its pieces once for many.
//!    [`Endpoint::notify`] sends a small message, alone or behind the data of such a transfer, which the
//!    other program takes by [`Endpoint::notifications`].
//! 5. [`Endpoint::destroy`].
//!
//! A name is found at the store for the first transfer to it, and again when the process behind it is
//! gone: one that has restarted under the same name is found then. What the former one had registered is gone
//! with it.
//!
//! How it is done is in [`mf_fabric::endpoint`].
//!
//! **The path of a started transfer.** `starting` makes a [`Transfer`] (`started`) of its pieces; `workers`
//! has a queue for each endpoint that something goes to; a thread takes the first of a queue and does it
//! slice by slice (`work`), then sends the notification; the other process has it in its `inbox`. Programs
//! with an event loop wait on a descriptor (`bell`).

mod bell;
mod card;
mod down;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod endpoint;
mod inbox;
mod listing;
mod name;
mod options;
mod peers;
#[expect(unsafe_code, reason = "transfers of raw addresses, on the word of the caller")]
mod prepared;
#[expect(unsafe_code, reason = "numbers at raw addresses, on the word of the caller")]
mod quant;
mod started;
#[expect(unsafe_code, reason = "transfers of raw addresses, on the word of the caller")]
mod starting;
mod waiting;
#[expect(unsafe_code, reason = "copies of raw addresses on other threads, on the word of the caller")]
mod work;
mod workers;

pub use down::PeerDownFn;
pub use endpoint::Endpoint;
pub use inbox::{MESSAGE_BYTES_MAX, NOTIFICATIONS_MAX, Notification, check_message_bytes};
pub use listing::{At, Listed, State, list};
pub use mf_device::RawStream;
pub use mf_fabric::transport::Span;
pub use name::check_name;
pub use options::{Options, Role};
pub use prepared::Prepared;
pub use quant::{BuiltInKernels, Half, QuantPiece};
pub use started::Transfer;
