// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The fabric: memory of several processes as one address space, and copies in it.
//!
//! The path of a copy, by file:
//! 1. [`pool`] takes source, destination and length, inside a read section.
//! 2. [`space::layout`]: address → (kind, rank, offset) by arithmetic.
//! 3. [`space::extents`]: is the range mapped here, and does its owner take part? Two loads.
//! 4. [`mf_device::engine`]: moves the bytes; the widest loop that pays, a second thread where it measures
//!    faster. If an end is an accelerator's memory, [`mf_device::Mover`] instead.
//! 5. [`transfer`]: if an end is in memory of a member that is not mapped here, a lane posts a put or get on
//!    the route to that member.
//!
//! How memory gets there, by file:
//! 1. [`mf_device`] makes the memory of a segment: a sealed memory file on the host, the vendor's own kind of
//!    allocation on an accelerator.
//! 2. [`space::agree`] finds bases for both windows that are free in all members.
//! 3. [`mf_net::link`] carries descriptors and handles between the members of a host and notices the end of a
//!    member at once.
//! 4. [`pool`] maps every member's segment at its place and raises its extent.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod directory;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
pub mod endpoint;
pub mod figures;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
pub mod group;
pub mod objects;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
pub mod pool;
pub mod space;
#[expect(unsafe_code, reason = "copies of raw addresses, on the word of the caller")]
pub mod transfer;
