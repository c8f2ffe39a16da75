// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric heap (SHMEM): arrays that every process has, as in OpenSHMEM.
//!
//! The ranks of a job are the processing elements (PEs) of a [`World`]. All make the same allocations in the
//! same order, so an [`Array`] exists on every PE; a PE puts to and gets from the array of any other, signals
//! it, waits for its own words, and takes part in collectives.
//!
//! **Choose it** for algorithms in which the same data structure exists on every process: stencils, sorts,
//! graphs, reductions. Processes that come and go take a `Pool`.
//!
//! ```
//! use memfabric::shmem::{Comparison, Operator, World};
//! use memfabric::Job;
//!
//! # fn main() -> memfabric::Result<()> {
//! # let job = Job::alone()?;
//! # stringify!(
//! let job = Job::join()?;
//! # );
//! let world = World::builder().heap_bytes(4 << 20).begin(&job)?;              // on all PEs
//! let data = world.allocate::<f64>(4)?;
//! let ready = world.allocate::<u64>(1)?;
//!
//! // To the next PE: data, and a signal that it sees only with the data.
//! data.put_signal(job.neighbour(1), 0, &[0.5; 4], (&ready, 0), 1)?;
//! ready.wait_until(0, Comparison::Equal, 1)?;
//! assert_eq!(data.read()?, [0.5; 4]);
//!
//! let sums = world.allocate::<f64>(4)?;
//! sums.reduce(&data, Operator::Sum)?;                                         // over all PEs
//! assert_eq!(sums.read()?[0], 0.5 * f64::from(job.world_size()));
//! world.end()?;
//! # Ok(())
//! # }
//! ```
//!
//! # Order
//! A put is visible to the owner when the call returns. Collectives return when the own result is complete.
//!
//! # Errors
//! `InvalidParam` a range outside the array, or another call or size on another PE, which is named ·
//! `Timeout` names a PE that did not arrive · `NotConnected` names a PE that is gone · `OutOfMemory` the
//! heap is full.
//!
//! # Threads
//! All types are `Send` and `Sync`. One thread of a process at a time is in a collective call.

mod array;
mod element;
mod world;

pub use array::Array;
pub use element::{Comparison, Element, Operator, Word};
pub use world::{World, WorldBuilder};
