// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric heaps: CANN SHMEM for the package `shmem`, OpenSHMEM for the package `openshmem`.
//!
//! * [`function`]: any function of C by its name, for both, made from the rows that the library is made from.
//!   [`guard`]: what is checked of its memory. [`blocks`]: the blocks by which it is.
//! * [`cann`], [`openshmem`]: the two families.

#[macro_use]
mod function;
pub(crate) mod blocks;
pub(crate) mod cann;
mod guard;
pub(crate) mod openshmem;
mod values;

pub(crate) use function::Function;
