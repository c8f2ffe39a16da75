// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric heaps: CANN SHMEM for the package `shmem`, OpenSHMEM for the package `openshmem`.
//!
//! * [`function`]: any function of C by its name, for both, generated from the library's rows. [`guard`]:
//!   checks of its memory arguments. [`blocks`]: the blocks for these checks.
//! * [`cann`], [`openshmem`]: the two families.

#[macro_use]
mod function;
pub(crate) mod blocks;
pub(crate) mod cann;
mod guard;
pub(crate) mod openshmem;
mod values;

pub(crate) use function::Function;
