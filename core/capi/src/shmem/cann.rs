// SPDX-License-Identifier: Apache-2.0 OR MIT
//! CANN SHMEM: the host functions of all its generations over [`mf_shmem`].
//!
//! * [`exports`]: the exported functions, made from rows that `core/shmem-table` generates (`rows.rs`). Names
//!   are symbols here; where generations have the same function by several names, the bodies are one.
//! * [`instances`]: the current instance. [`instance_table`]: begin and end of up to 255.
//! * [`init`]: begin and end. [`attributes`]: objects that the library writes;
//!   [`place`]: the place in the job, by an address, a unique id ([`uids`]), MPI or a launcher;
//!   [`device`]: the accelerator that holds the heap.
//! * [`heap`], [`rma`], [`signal`], [`wait`], [`order`], [`team`], [`stream`], [`logging`], [`engines`]: the
//!   other bodies. [`tls`]: certificates. [`buffers`]: buffers of the caller as the first part of the heap;
//!   [`queue_pairs`]: the number that kernels may name; [`exceptions`]: reports of failed tasks.
//! * [`watch`]: the observer of the state record.
//! * [`fast_path`]: over [`address_table`], the fast path of puts and gets to mapped memory.
//! * [`codes`]: the error codes of this family.
//!
//! Differences from the standard: a put is complete when it returns, a first generation's function of the
//! standard's name acts on the instance of this family, errors are codes.

mod address_table;
mod attributes;
mod buffers;
mod codes;
mod device;
mod engines;
mod exceptions;
mod exports;
mod fast_path;
mod header_generation;
mod heap;
mod init;
mod instance_table;
mod instances;
mod logging;
mod order;
mod place;
mod queue_pairs;
mod rma;
mod signal;
mod stream;
mod team;
mod tls;
mod types;
mod uids;
mod wait;
mod watch;

use mf_base::Error;
use mf_device::Devices;

use crate::part::{CallCounts, Part};

/// The part of CANN SHMEM.
pub(crate) struct Cann;

impl Part for Cann {
    fn name(&self) -> &'static str {
        "CANN SHMEM"
    }

    fn devices(&self, _op: &'static str) -> Option<Devices> {
        instances::current().map(|instance| instance.world.devices().clone())
    }

    fn explain_launch(&self, error: Error, kernel: &str) -> Error {
        match instances::current() {
            Some(instance) => instance.world.explain_launch(error, kernel),
            None => error,
        }
    }

    fn calls(&self) -> Vec<CallCounts> {
        exports::calls().collect()
    }
}

/// Bodies of functions of an element type.
pub(crate) mod typed {
    pub(crate) use super::rma::typed::*;
    pub(crate) use super::signal::typed::*;
}

/// Bodies of functions of a size of elements.
pub(crate) mod sized {
    pub(crate) use super::rma::sized::*;
    pub(crate) use super::signal::sized::*;
}

/// Bodies of functions without an element type.
pub(crate) mod untyped {
    pub(crate) use super::attributes::*;
    pub(crate) use super::buffers::*;
    pub(crate) use super::engines::*;
    pub(crate) use super::exceptions::*;
    pub(crate) use super::heap::*;
    pub(crate) use super::init::*;
    pub(crate) use super::logging::*;
    pub(crate) use super::order::*;
    pub(crate) use super::queue_pairs::*;
    pub(crate) use super::rma::bytes::*;
    pub(crate) use super::signal::bytes::*;
    pub(crate) use super::stream::*;
    pub(crate) use super::team::*;
    pub(crate) use super::tls::*;
    pub(crate) use super::uids::*;
    pub(crate) use super::wait::aclshmem_signal_wait_until;
    pub(crate) use super::watch::aclshmemx_watch_state;
}
