// SPDX-License-Identifier: Apache-2.0 OR MIT
//! OpenSHMEM: the standard's functions over [`mf_shmem`].
//!
//! * [`exports`]: the exported functions, made from rows that `core/shmem-table` generates (`rows.rs`).
//!   Symbols are `shmem15_…`, to which the header binds the standard's names, and a twin of each for
//!   profilers.
//! * [`life`], [`heap`], [`order`], [`rma`], [`atomic`]: their bodies; [`direct`]: what is done before them, where the
//!   memory of the PE is mapped here.
//! * [`world`]: the one world of a process, which counts begins and ends.
//! * [`trouble`]: what functions do with errors that they cannot return.

mod atomic;
mod direct;
mod exports;
mod heap;
mod life;
mod order;
mod rma;
mod trouble;
mod world;

pub(crate) use direct::{sized as sized_direct, typed as typed_direct, untyped as untyped_direct};
pub(crate) use exports::calls;
pub(crate) use rma::{sized, typed};

/// Bodies of functions without an element type.
pub(crate) mod untyped {
    pub(crate) use super::atomic::untyped::*;
    pub(crate) use super::heap::*;
    pub(crate) use super::life::*;
    pub(crate) use super::order::*;
    pub(crate) use super::rma::bytes::*;
}

/// Bodies of functions on numbers that are words, and what is done before them.
pub(crate) mod words {
    pub(crate) use super::atomic::*;

    pub(crate) mod direct {
        pub(crate) use crate::openshmem::atomic::direct::*;
    }
}
