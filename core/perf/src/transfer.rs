// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf transfer`: transfers between two processes that know each other's names, through the C library,
//! each beside a plain copy of the same bytes.
//!
//! * [`owner`]: the process with the target memory.
//! * [`caller`]: the process that measures.

mod caller;
mod owner;

use mf_base::Result;
use mf_measure::members::Job;
use mf_program::table::{Column, figure};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::parse_size;
use crate::compared::{Row, columns};
use crate::measurement::{Measurement, Report};
use crate::task::Task as Work;

const OPERATION: &str = "mf perf transfer";
/// The endpoint that is measured, and the one with many registrations; those behind are destinations.
const MAIN: u32 = 0;
const CROWDED: u32 = 1;
const FIRST_DESTINATION: u32 = 2;

/// Measure transfers between two processes by names: latency, bandwidth, batches, registrations, many
/// destinations.
///
/// Memory of smem_trans_malloc stands beside memcpy between memory of the same kind, private memory that was
/// registered beside a bare process_vm_writev, and with --network both beside one blocking socket. Everything
/// runs on this machine, in two processes, through the C library beside the program.
#[derive(Clone, Serialize, Deserialize, clap::Args)]
#[command(after_help = "Examples:
  mf perf transfer
  mf perf transfer --quick --sizes 8,1MiB
  mf perf transfer --network --json transfer.json")]
pub(super) struct Args {
    /// Sizes of a transfer.
    #[arg(long, value_delimiter = ',', value_parser = parse_size, value_name = "SIZE,...", default_value = "8,4KiB,64KiB,1MiB,16MiB,128MiB")]
    sizes: Vec<u64>,
    /// Endpoints in the other process that are reached one after the other; 0 leaves this out.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(0..=500))]
    destinations: u32,
    /// Ranges that are registered at once; 0 leaves this out.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    registrations: u32,
    /// Over the network, as if the processes were on two hosts: shared memory off.
    #[arg(long)]
    network: bool,
    /// Fewer and shorter turns.
    #[arg(long)]
    quick: bool,
}

/// Work of one of the two processes.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Task {
    /// The owner's addresses, for the caller; `None` in the owner.
    owned: Option<Owned>,
    args: Args,
}

/// Addresses of the owner.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Owned {
    process: u32,
    /// Bytes of each of the two.
    bytes: u64,
    /// Memory of the library, which processes of this machine map.
    mapped: u64,
    /// Memory of the program that was registered.
    private: u64,
    /// The plain socket.
    echo_port: u16,
}

/// Output of the caller.
#[derive(Serialize, Deserialize)]
enum Line {
    Row(Row),
    Cost(Cost),
    End,
}

/// A figure without a baseline.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Cost {
    what: String,
    value: f64,
    unit: String,
}

const COSTS: [Column<'static, Cost>; 3] = [
    ("what", |cost| cost.what.clone()),
    ("value", |cost| figure(cost.value)),
    ("unit", |cost| cost.unit.clone()),
];

/// The name of an endpoint of the owner.
fn name(number: u32) -> String {
    format!("127.0.0.1:{}", number + 1)
}

impl Measurement for Args {
    const NAME: &'static str = "transfer";

    fn measure(&self) -> Result<Option<Report>> {
        let job = Job::new()?;
        let task = Task { owned: None, args: self.clone() };
        let settings: &[(&str, &str)] = if self.network { &[("MF_SHM", "false")] } else { &[] };
        let mut owner = job.start("the owner of the memory", &Work::Transfer(task.clone()), settings)?;
        let task = Task { owned: Some(owner.value()?), ..task };
        let mut caller = job.start("the caller", &Work::Transfer(task), settings)?;
        let (mut rows, mut costs) = (Vec::new(), Vec::new());
        loop {
            match caller.value()? {
                Line::Row(row) => rows.push(row),
                Line::Cost(cost) => costs.push(cost),
                Line::End => break,
            }
        }
        caller.end()?;
        owner.end()?;
        let mut report = Report::of(&rows, 3, &columns("memory there"));
        if !costs.is_empty() {
            report.table(&costs, 1, &COSTS);
        }
        report.more = json!({ "network": self.network, "costs": costs });
        Ok(Some(report))
    }
}

/// Does the work of one of the two processes.
pub(crate) fn member(task: &Task) -> Result<()> {
    match &task.owned {
        None => owner::main(&task.args),
        Some(owned) => caller::main(&task.args, owned),
    }
}
