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
//! 4. [`Endpoint::destroy`].
//!
//! A name is found at the store for the first transfer to it, and again when the process behind it is
//! gone: one that has restarted under the same name is found then. What the former one had registered is gone
//! with it.
//!
//! How it is done is in [`mf_fabric::endpoint`].

mod card;
mod down;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
mod endpoint;
mod name;
mod options;
mod peers;
#[expect(unsafe_code, reason = "numbers at raw addresses, on the word of the caller")]
mod quant;

pub use down::PeerDownFn;
pub use endpoint::Endpoint;
pub use mf_fabric::device::RawStream;
pub use mf_fabric::transport::Span;
pub use name::check_name;
pub use options::{Options, Role};
pub use quant::{Half, QuantPiece};
