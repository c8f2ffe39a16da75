// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Measurements (`mf perf`), the demonstration (`mf demo`), and upstream's benchmark (`mfcli benchmark`).
//!
//! The program `mf` parses the arguments with the structs that are public here. A measurement starts the
//! program again, by the hidden command [`member`], for the members of a job.
//!
//! * `perf`: the measurements. `demo`, `benchmark`: the other two commands.
//! * `members`: processes of this program that take part in a job. `task`: their work.

#![expect(unsafe_code, reason = "measures raw copies and calls of C")]

mod acc;
mod benchmark;
mod capi;
mod comparison;
mod copy;
mod cores;
mod demo;
mod device;
mod echo;
mod group;
mod hmc;
mod join;
mod kernel;
mod load;
mod measure;
mod measurement;
mod members;
mod memory;
mod net;
mod perf;
mod plot;
mod pool_member;
mod shmem;
mod sizes;
mod store;
mod task;
mod touch;
mod transfer;

use mf_base::Result;

use crate::measurement::Measurement;

pub use benchmark::Args as BenchmarkArgs;
pub use demo::Args as DemoArgs;
use measure::{Plan, in_turns, median};
use memory::{Buffer, plain_copy};
pub use perf::Args as PerfArgs;
use sizes::{length, parse_size, segment_bytes};
pub use task::Args as MemberArgs;
use task::Work;

/// Runs `mf perf` and returns its exit code.
///
/// **Local.** Blocks until the measurement is done. Meant for a process that does nothing else.
///
/// # Errors
/// Those of the measurement.
pub fn perf(args: &PerfArgs) -> Result<u8> {
    perf::main(args)
}

/// Runs `mf demo` and returns its exit code. As [`perf()`].
///
/// # Errors
/// Those of the demonstration.
pub fn demo(args: &DemoArgs) -> Result<u8> {
    demo::main(args)
}

/// Runs `mfcli benchmark` and returns its exit code. As [`perf()`].
///
/// # Errors
/// Those of the benchmark.
pub fn benchmark(args: &BenchmarkArgs) -> Result<u8> {
    benchmark::main(args).map(|()| 0)
}

/// Does the work of a member of a measurement, in a process that one of the other commands has started.
///
/// # Errors
/// `InvalidParam` a person has started this command · those of the work.
pub fn member(args: &MemberArgs) -> Result<u8> {
    let task = args.task()?;
    match task.work {
        Work::Acc => acc::member(),
        Work::Benchmark => benchmark::member(&task.arguments()?),
        Work::Burn => net::busy::burn(),
        Work::CLibrary => capi::measure(&task.arguments()?),
        Work::Demo => demo::rank::main(&task.arguments()?),
        Work::Group => group::member(&task.arguments()?),
        Work::Hmc => hmc::member(&task.arguments()?),
        Work::Kernel => kernel::member(&task.arguments()?),
        Work::Net => task.arguments::<net::Args>()?.measure().map(drop),
        Work::Pool => pool_member::main(&task.arguments()?),
        Work::Shmem => shmem::member(&task.arguments()?),
        Work::Store => store::member(&task.arguments()?),
        Work::Touch => touch::measure(&task.arguments()?),
        Work::Transfer => transfer::member(&task.arguments()?),
    }?;
    Ok(0)
}
