// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Config store: small values by key, which the members of a job share.
//!
//! One process of a job runs the store, or one that was started for it; [`Job::store`](crate::Job::store)
//! gives the connection of a member. A program without a job, such as a controller, visits a store by
//! [`Store::visit`], and runs one by [`Server`].
//!
//! **Choose it** for names, addresses, ranks, locks and events of membership: values of at most 8 MiB, a few
//! round trips to read. Bulk data belongs into a pool, with its address in the store.
//!
//! ```
//! use memfabric::{Job, Lifetime};
//! use std::time::Duration;
//!
//! # fn main() -> memfabric::Result<()> {
//! # let job = Job::alone()?;
//! # stringify!(
//! let job = Job::join()?;
//! # );
//! let store = job.store()?;
//! store.set("weights/version", b"7", Lifetime::Permanent)?;
//! let entry = store.wait("weights/version", Duration::from_secs(30))?;
//! assert_eq!(entry.value(), b"7");
//! assert_eq!(store.add("slots", 1)?, 1);                    // one order among all members
//! # Ok(())
//! # }
//! ```
//!
//! # Lifetimes
//! A key lives until it is deleted ([`Lifetime::Permanent`]), until its setter leaves or dies
//! ([`Lifetime::Session`]), or until a lease ends ([`Lifetime::Lease`]). When the last member has left, the
//! store is empty again.
//!
//! # Loss of the store
//! Calls wait for a store that died until their deadlines, and have then happened once. Only
//! [`add`](Store::add), [`append`](Store::append) and [`compare_and_swap`](Store::compare_and_swap) fail if
//! the store died during them, because it is unknown whether they happened.
//!
//! # Errors
//! Every call: `NotConnected` the store is lost, or this connection closed · `Timeout` it does not answer ·
//! `InvalidParam` a key of 0 or more than 1024 bytes, or a value above 8 MiB · `NoResources` a limit of the
//! store; the text names it · `NotInit` in a forked child.
//!
//! # Threads
//! All types are `Send` and `Sync`. Watches call back one after the other on the thread that receives from
//! the store: the callback must not wait, nor call the store except to end a watch.

mod connection;
mod server;
mod types;

pub use connection::{Store, Watch};
pub use server::{Server, ServerBuilder};
pub use types::{Cause, Change, Entry, Lease, Lifetime, Member, MembershipChange};
