// SPDX-License-Identifier: Apache-2.0 OR MIT
//! OpenSHMEM: the standard's functions over [`mf_shmem`].
//!
//! * [`exports`]: the exported functions, made from rows that `core/shmem-table` generates (`rows.rs`).
//!   Symbols are `shmem15_…`, to which the header binds the standard's names, and a twin of each for
//!   profilers.
//! * [`init`], [`heap`], [`team`], [`context`], [`order`], [`rma`], [`atomic`], [`signal`], [`wait`]: their
//!   bodies; [`fast_path`]: the fast path to mapped memory of a PE.
//! * [`collective`]: collective calls of teams; [`active_set`]: of active sets; [`operand`]: element types of
//!   reductions; [`lock`]: locks.
//! * [`world`]: the one world of a process, which counts begins and ends.
//! * [`errors`]: the policy for errors that functions cannot return.

mod active_set;
mod adopt_statics;
mod atomic;
mod collective;
mod context;
mod errors;
mod exports;
mod fast_path;
mod heap;
mod init;
mod lock;
mod operand;
mod order;
mod rma;
mod signal;
mod team;
mod types;
mod wait;
mod world;

pub(crate) use active_set::{sized as of_sets, typed as reductions_of_sets};
pub(crate) use collective::{bits, sums};

use crate::part::{CallCounts, Part};

/// The part of OpenSHMEM.
pub(crate) struct OpenShmem;

impl Part for OpenShmem {
    fn name(&self) -> &'static str {
        "OpenSHMEM"
    }

    fn load(&self) {
        adopt_statics::load();
    }

    fn calls(&self) -> Vec<CallCounts> {
        exports::calls().collect()
    }
}

/// Bodies and fast paths of functions on elements of a type.
pub(crate) mod typed {
    pub(crate) use super::collective::typed::*;
    pub(crate) use super::rma::typed::*;
    pub(crate) use super::signal::typed::*;

    pub(crate) mod fast_path {
        pub(crate) use crate::shmem::openshmem::collective::typed::fast_path::*;
        pub(crate) use crate::shmem::openshmem::fast_path::typed::*;
        pub(crate) use crate::shmem::openshmem::signal::typed::fast_path::*;
    }
}

/// The same of a size.
pub(crate) mod sized {
    pub(crate) use super::rma::sized::*;
    pub(crate) use super::signal::sized::*;

    pub(crate) mod fast_path {
        pub(crate) use crate::shmem::openshmem::fast_path::sized::*;
        pub(crate) use crate::shmem::openshmem::signal::sized::fast_path::*;
    }
}

/// The same without an element type.
pub(crate) mod untyped {
    pub(crate) use super::active_set::{barrier, sync};
    pub(crate) use super::atomic::untyped::*;
    pub(crate) use super::collective::bytes::*;
    pub(crate) use super::context::*;
    pub(crate) use super::heap::*;
    pub(crate) use super::init::*;
    pub(crate) use super::lock::*;
    pub(crate) use super::order::*;
    pub(crate) use super::rma::bytes::*;
    pub(crate) use super::signal::untyped::*;
    pub(crate) use super::team::*;
    pub(crate) use super::wait::untyped::*;

    pub(crate) mod fast_path {
        pub(crate) use crate::shmem::openshmem::fast_path::untyped::*;
        pub(crate) use crate::shmem::openshmem::signal::untyped::fast_path::*;
        pub(crate) use crate::shmem::openshmem::wait::fast_path::untyped::*;
    }
}

/// The same on numbers that are words.
pub(crate) mod words {
    pub(crate) use super::atomic::*;
    pub(crate) use super::wait::*;

    pub(crate) mod fast_path {
        pub(crate) use crate::shmem::openshmem::atomic::fast_path::*;
        pub(crate) use crate::shmem::openshmem::wait::fast_path::*;
    }
}

/// The same on integers that only old functions take.
pub(crate) mod old_integers {
    pub(crate) use super::active_set::typed::*;
    pub(crate) use super::wait::wait;
}
