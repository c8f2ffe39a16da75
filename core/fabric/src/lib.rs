// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The fabric: memory of several processes as one address space, and copies in it.
//!
//! The path of a copy, by file:
//! 1. [`pool`] takes source, destination and length, inside a read section.
//! 2. Fast path: [`space::layout`] locates each end, address → (kind, rank, offset), by arithmetic;
//!    [`space::extents`] has the range mapped here and its owner as a member, by two loads;
//!    [`mf_device::engine`] moves the bytes by the widest loop that pays, with a second thread where it
//!    measures faster.
//! 3. Slow path: [`transfer`] resolves both ends, chooses the route and copies. If an end is an accelerator's
//!    memory that is mapped here, [`mf_device::Mover`] does; a remote copy is a put or a get of a lane on the
//!    route to the member.
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
