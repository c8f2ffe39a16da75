// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf`: measurements, each beside a plain baseline that runs in turns with it in the same process.
//!
//! The command line's process only starts members, collects their figures and prints them; it joins no pool.
//!
//! * [`copy`]: bandwidth and latency by size. [`touch`]: first touch of a fresh segment. [`join`]: start of a
//!   job.
//! * [`group`]: barriers and allgathers. [`store`]: the config store alone. [`device`]: the pool's overhead
//!   over CANN's copies. [`net`]: the network. [`mod@kernel`]: launches, copies and collectives by kernels.
//! * [`shmem`]: OpenSHMEM's functions, beside other libraries of it, and MPI. [`acc`]: message and HTTP
//!   servers. [`transfer`]: transfers by names. [`hmc`]: between buffers by address and port.
//! * [`measure`]: alternation of candidates. [`memory`]: the baseline's raw copies and pages. [`echo`]: the
//!   baseline of sockets.
//! * [`member`]: the started processes. [`capi`]: the C library's latency.
//! * [`report`], [`plot`]: tables, JSON, SVG. [`load`]: whether the machine is too busy to be measured.

pub(crate) mod acc;
mod capi;
mod compared;
mod copy;
mod cores;
mod device;
mod echo;
pub(crate) mod group;
pub(crate) mod hmc;
mod join;
pub(crate) mod kernel;
mod load;
mod measure;
pub(crate) mod member;
mod memory;
mod net;
mod plot;
mod report;
pub(crate) mod shmem;
pub(crate) mod store;
mod sweep;
mod touch;
pub(crate) mod transfer;

use mf_base::{ByteLen, Result};

pub(crate) use measure::{Plan, in_turns, median};
pub(crate) use memory::{Buffer, plain_copy};

/// Measure copies, first touches, the start of a job, groups, the config store, the network, kernels,
/// OpenSHMEM, transfers by names and between buffers, and message servers, beside plain baselines.
#[derive(clap::Args)]
pub(crate) struct Args {
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
    let progress = crate::progress::begin("mf perf");
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

/// A size on the command line.
pub(crate) fn parse_size(text: &str) -> std::result::Result<u64, String> {
    match text.parse::<ByteLen>() {
        Ok(ByteLen(0)) => Err("expected at least 1 byte".to_owned()),
        Ok(ByteLen(bytes)) => Ok(bytes),
        Err(_) => Err("expected a size, for example 8, 64KiB, 1GiB".to_owned()),
    }
}

/// A size as a length of memory in this process.
pub(crate) fn length(bytes: u64) -> Result<usize> {
    usize::try_from(bytes).map_err(|_| {
        mf_base::Error::invalid("mf perf", "the size does not fit this machine").with("bytes", bytes)
    })
}

/// Rounds up to what segments are made of.
pub(crate) fn segment_bytes(bytes: u64) -> u64 {
    bytes.max(1).next_multiple_of(mf_base::os::process::HUGE_PAGE_BYTES)
}
