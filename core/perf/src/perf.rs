// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf`: measurements, each beside a plain baseline that runs in turns with it in the same process.
//!
//! The command line's process only starts members, collects their figures and prints them; it joins no pool.
//!
//! * [`crate::copy`]: bandwidth and latency by size. [`crate::touch`]: first touch of a fresh segment. [`crate::join`]: start of a
//!   job.
//! * [`crate::group`]: barriers and allgathers. [`crate::store`]: the config store alone. [`crate::device`]: the pool's overhead
//!   over CANN's copies. [`crate::net`]: the network. [`mod@crate::kernel`]: launches, copies and collectives by kernels.
//! * [`crate::shmem`]: OpenSHMEM's functions, beside other libraries of it, and MPI. [`crate::acc`]: message and HTTP
//!   servers. [`crate::transfer`]: transfers by names. [`crate::hmc`]: between buffers by address and port.
//! * [`crate::measure`]: alternation of candidates. [`crate::memory`]: the baseline's raw copies and pages. [`crate::echo`]: the
//!   baseline of sockets.
//! * [`crate::member`]: the started processes. [`crate::capi`]: the C library's latency.
//! * [`crate::report`], [`crate::plot`]: tables, JSON, SVG. [`crate::load`]: whether the machine is too busy to be measured.

use mf_base::Result;

use crate::{acc, copy, device, group, hmc, join, kernel, load, net, shmem, store, touch, transfer};

/// Measure copies, first touches, the start of a job, groups, the config store, the network, kernels,
/// OpenSHMEM, transfers by names and between buffers, and message servers, beside plain baselines.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Acc(acc::Args),
    Copy(copy::Args),
    Touch(touch::Args),
    Join(join::Args),
    Store(store::Args),
    Device(device::Args),
    Net(net::Args),
    Group(group::Args),
    Hmc(hmc::Args),
    Kernel(kernel::Args),
    Shmem(shmem::Args),
    Transfer(transfer::Args),
}

/// Measures and prints.
pub(crate) fn main(args: &Args) -> Result<u8> {
    if let What::Net(args) = &args.what
        && args.helps()
    {
        return net::main(args).map(|()| 0);
    }
    load::begin();
    let progress = mf_program::progress::begin("mf perf");
    match &args.what {
        What::Acc(args) => acc::main(args),
        What::Copy(args) => copy::main(args),
        What::Touch(args) => touch::main(args),
        What::Join(args) => join::main(args),
        What::Store(args) => store::main(args),
        What::Device(args) => device::main(args),
        What::Net(args) => net::main(args),
        What::Group(args) => group::main(args),
        What::Hmc(args) => hmc::main(args),
        What::Kernel(args) => kernel::main(args),
        What::Shmem(args) => shmem::main(args),
        What::Transfer(args) => transfer::main(args),
    }?;
    drop(progress);
    load::end();
    Ok(0)
}
