// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric heaps: CANN SHMEM for the package `shmem`, OpenSHMEM for the package `openshmem`.
//!
//! * [`function`]: any function of C by its name, for both, made from the rows that the library is made from.
//! * [`cann`], [`openshmem`]: the two families.

#[macro_use]
mod function;
pub(crate) mod cann;
pub(crate) mod openshmem;
mod values;

pub(crate) use function::Function;
