// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf`: measurements, each beside a plain baseline that runs in turns with it in the same process.
//!
//! The command line's process only starts members, collects their figures and prints them; it joins no pool.
//!
//! * [`crate::copy`]: bandwidth and latency by size. [`crate::touch`]: first touch of a fresh segment.
//!   [`crate::join`]: start of a job.
//! * [`crate::group`]: barriers and allgathers. [`crate::store`]: the config store alone. [`crate::device`]:
//!   the pool's overhead over CANN's copies. [`crate::net`]: the network. [`mod@crate::kernel`]: launches,
//!   copies and collectives by kernels.
//! * [`crate::shmem`]: OpenSHMEM's functions, beside other libraries of it, and MPI. [`crate::acc`]: message
//!   and HTTP servers. [`crate::transfer`]: transfers by names. [`crate::hmc`]: between buffers by address
//!   and port.
//! * [`crate::echo`]: the baseline of sockets. [`crate::task`]: the work of the started processes.
//!   [`crate::capi`]: the C library's latency.
//! * [`crate::measurement`], [`crate::plot`]: tables, JSON, SVG. [`crate::load`]: whether the machine is too
//!   busy to be measured.

use mf_base::Result;

use crate::measurement::{Drawn, Saved};

use crate::{acc, copy, device, group, hmc, join, kernel, load, net, shmem, store, touch, transfer};

/// A measurement.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    Acc(Saved<acc::Args>),
    Copy(Drawn<copy::Args>),
    Touch(Saved<touch::Args>),
    Join(Saved<join::Args>),
    Store(Saved<store::Args>),
    Device(Saved<device::Args>),
    Net(Drawn<net::Args>),
    Group(Drawn<group::Args>),
    Hmc(Saved<hmc::Args>),
    Kernel(Saved<kernel::Args>),
    Shmem(Drawn<shmem::Args>),
    Transfer(Saved<transfer::Args>),
}

/// Measures and prints.
///
/// # Errors
/// Errors of the measurement.
pub(crate) fn main(command: &Command) -> Result<u8> {
    load::begin();
    let progress = mf_program::progress::begin("mf perf");
    match command {
        Command::Acc(args) => args.run(),
        Command::Copy(args) => args.run(),
        Command::Touch(args) => args.run(),
        Command::Join(args) => args.run(),
        Command::Store(args) => args.run(),
        Command::Device(args) => args.run(),
        Command::Net(args) => args.run(),
        Command::Group(args) => args.run(),
        Command::Hmc(args) => args.run(),
        Command::Kernel(args) => args.run(),
        Command::Shmem(args) => args.run(),
        Command::Transfer(args) => args.run(),
    }?;
    drop(progress);
    load::end();
    Ok(0)
}
