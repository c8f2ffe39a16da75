// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf transfer`: transfers between two processes that know each other's names, through the C library,
//! each beside a plain copy of the same bytes.
//!
//! * [`owner`]: the process with the target memory.
//! * [`caller`]: the process that measures. [`library`]: the C library in it.
//! * [`row`]: figures, as text and as JSON.

mod caller;
mod library;
mod owner;
mod row;

use mf_base::Result;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::compared::{How, Row};
use super::parse_size;
use crate::members::Job;
use row::Cost;

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
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf perf transfer
  mf perf transfer --quick --sizes 8,1MiB
  mf perf transfer --network --json transfer.json")]
pub(super) struct Args {
    /// Sizes of a transfer.
    #[arg(long, value_delimiter = ',', value_parser = parse_size, value_name = "SIZE,...", default_value = "8,4KiB,64KiB,1MiB,16MiB,128MiB")]
    sizes: Vec<u64>,
    /// Endpoints in the other process that are reached one after the other; 0 leaves this out.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(0..=1024))]
    destinations: u32,
    /// Ranges that are registered at once; 0 leaves this out.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    registrations: u32,
    /// Over the network, as if the processes were on two hosts: shared memory off.
    #[arg(long)]
    network: bool,
    #[command(flatten)]
    how: How,
}

/// A process of the measurement; started by `mf perf transfer`.
#[derive(clap::Args)]
pub(crate) struct MemberArgs {
    /// The owner's addresses, for the caller; `None` in the owner.
    #[arg(long)]
    owned: Option<String>,
    #[arg(long, value_delimiter = ',')]
    sizes: Vec<u64>,
    #[arg(long)]
    destinations: u32,
    #[arg(long)]
    registrations: u32,
    #[arg(long)]
    network: bool,
    #[arg(long)]
    quick: bool,
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

/// The name of an endpoint of the owner.
fn name(number: u32) -> String {
    format!("127.0.0.1:{}", number + 1)
}

/// Measures and prints.
pub(super) fn main(args: &Args) -> Result<()> {
    let job = Job::new()?;
    let mut arguments = vec![
        "perf-transfer-member".to_owned(),
        format!("--destinations={}", args.destinations),
        format!("--registrations={}", args.registrations),
        format!("--sizes={}", args.sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(",")),
    ];
    arguments.extend(args.network.then(|| "--network".to_owned()));
    arguments.extend(args.how.quick.then(|| "--quick".to_owned()));
    let settings: &[(&str, &str)] = if args.network { &[("MF_SHM", "false")] } else { &[] };
    let mut owner = job.start("the owner of the memory", &arguments, settings)?;
    arguments.push(format!("--owned={}", owner.line()?));
    let mut caller = job.start("the caller", &arguments, settings)?;
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
    let more = json!({ "network": args.network, "costs": costs });
    args.how.output.write("transfer", &row::text(&rows, &costs), &json!(rows), &more)
}

/// One of the two processes.
pub(crate) fn member_main(args: &MemberArgs) -> Result<u8> {
    match &args.owned {
        None => owner::main(args)?,
        Some(owned) => {
            let owned = serde_json::from_str(owned).map_err(|error| {
                mf_base::Error::invalid(OPERATION, "this command is started by mf perf transfer")
                    .source(error)
            })?;
            caller::main(args, &owned)?;
        }
    }
    Ok(0)
}
