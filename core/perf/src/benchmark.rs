// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfcli benchmark`: ranks that read from, write to, or transfer to each other.
//!
//! * `member`: what each rank does.

mod member;

use mf_base::{ByteLen, Error, Result};
use mf_bootstrap::StoreUrl;
use mf_measure::members::{Job, end_all, values};
use mf_program::output::print;
use mf_program::table::{TextTable, figure};
use serde::{Deserialize, Serialize};

use crate::task::Task as Work;
pub(crate) use member::main as member;

pub(super) const OPERATION: &str = "mfcli benchmark";

/// Measure reads, writes or transfers between ranks, on this host or on several.
///
/// Each rank copies from or to the next one, rank world-size - 1 from or to rank 0; a rank alone, itself.
/// Reads and writes are copies of a pool (big memory), `trans` is writes between endpoints that know each
/// other's names. On several hosts the command runs on each, with the same --ip and --world-size, and its own
/// --rank-start; the process with rank 0 serves the store at --ip.
///
/// `mf perf` measures more, beside plain baselines.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mfcli benchmark write --protocol host_tcp --copysize 1MiB --copy-count 100
  mfcli benchmark read --ip tcp://10.0.0.1:12050 --world-size 4 --local-rank-size 2 --rank-start 2")]
pub(crate) struct Args {
    /// Operation to measure.
    #[arg(value_enum, default_value = "read")]
    what: What,
    /// Engine name printed with the figures; it changes nothing else.
    #[arg(long, value_parser = ["vllm", "sglang"], default_value = "vllm")]
    framework: String,
    /// Model that is meant; it is printed with the figures and changes nothing else.
    #[arg(long, value_parser = ["glm5.2", "dsv4"], default_value = "glm5.2")]
    model: String,
    /// Engine between hosts; when it is not there, the best one, with a warning.
    #[arg(long, value_enum, default_value = "device_rdma")]
    protocol: Protocol,
    /// URL of the store.
    #[arg(long, value_name = "URL", default_value = "tcp://127.0.0.1:12050", value_parser = checked_url)]
    ip: String,
    /// Bytes of a piece.
    #[arg(long, value_name = "SIZE", default_value = "2097152", value_parser = crate::parse_size)]
    copysize: u64,
    /// Pieces of a call.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=65536))]
    batchsize: u32,
    /// Calls that are measured.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    copy_count: u32,
    /// Number of the accelerator of the first rank here; the others have those behind it.
    #[arg(long, value_name = "D", default_value_t = 0)]
    device: u16,
    /// Ranks of all hosts; -1: ranks of this host.
    #[arg(long, value_name = "N", default_value_t = -1, allow_negative_numbers = true)]
    world_size: i64,
    /// Ranks on this host.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1024))]
    local_rank_size: u32,
    /// The first rank on this host.
    #[arg(long, value_name = "RANK", default_value_t = 0)]
    rank_start: u32,
    /// Addresses for connections of ranks; the port of a rank is that one + rank. Without it every interface.
    #[arg(long, alias = "rdma", value_name = "URL")]
    nic: Option<String>,
    /// Bytes of device memory of each rank; 0: as much as the copies need, where device memory is asked for.
    #[arg(long, value_name = "SIZE", default_value = "0")]
    local_hbm_size: ByteLen,
    /// Memory of the other rank; host memory on the own side.
    #[arg(long, value_enum, default_value = "host")]
    peer_mem_type: Memory,
    /// Accepted and not needed: hosts meet at the store.
    #[arg(long, value_name = "PORT")]
    sync_port: Option<u16>,
    /// Longest wait of ranks for each other, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = clap::value_parser!(u32).range(1..))]
    sync_timeout: u32,
    /// Warm-up calls before the measured ones.
    #[arg(long, value_name = "N", default_value_t = 10)]
    warmup_count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
enum What {
    Read,
    Write,
    Trans,
}

impl What {
    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Trans => "trans",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
enum Protocol {
    Sdma,
    DeviceRdma,
    DeviceUrma,
    DeviceUboe,
    HostRdma,
    HostUrma,
    HostTcp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
enum Memory {
    Host,
    Device,
}

/// Task of a rank, as passed to it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    what: What,
    protocol: Protocol,
    url: String,
    piece_bytes: u64,
    pieces: u32,
    calls: u32,
    warm_up: u32,
    world: u32,
    rank: u32,
    device: u16,
    nic: Option<String>,
    device_bytes: u64,
    memory: Memory,
    timeout_s: u32,
}

/// Checks the URL of a store before anything starts. Its names are resolved later.
fn checked_url(url: &str) -> Result<String, String> {
    StoreUrl::hosts(url).map(|_| url.to_owned()).map_err(|error| error.to_string())
}

/// Figures of a rank.
#[derive(Debug, Serialize, Deserialize)]
struct Measured {
    rank: u32,
    peer: u32,
    /// Of all calls.
    seconds: f64,
    /// Of one call, in microseconds.
    p50_us: f64,
    p99_us: f64,
}

/// Measures and prints.
pub(crate) fn main(args: &Args) -> Result<()> {
    let end = args.rank_start.saturating_add(args.local_rank_size);
    let world = match args.world_size {
        -1 => end,
        size => u32::try_from(size).map_err(|_| wrong_world(size, end))?,
    };
    if world < end {
        return Err(wrong_world(world.into(), end));
    }
    let job = Job::for_store(args.ip.clone());
    let task = |index: u32| Task {
        what: args.what,
        protocol: args.protocol,
        url: args.ip.clone(),
        piece_bytes: args.copysize,
        pieces: args.batchsize,
        calls: args.copy_count,
        warm_up: args.warmup_count,
        world,
        rank: args.rank_start + index,
        device: args.device.saturating_add(u16::try_from(index).unwrap_or(u16::MAX)),
        nic: args.nic.clone(),
        device_bytes: args.local_hbm_size.0,
        memory: args.peer_mem_type,
        timeout_s: args.sync_timeout,
    };
    let mut members = Vec::new();
    for index in 0..args.local_rank_size {
        let task = task(index);
        let name = format!("rank {}", task.rank);
        members.push(job.start(&name, &Work::Benchmark(task), &[])?);
    }
    let rows: Vec<Measured> = values(&mut members)?;
    end_all(members)?;
    print(&text(args, &rows))
}

fn wrong_world(size: i64, end: u32) -> Error {
    Error::invalid(OPERATION, "the world is too small for the ranks of this host")
        .with("world_size", size)
        .with("ranks_end_at", end)
        .hint("--world-size is at least --rank-start + --local-rank-size, or -1")
}

fn text(args: &Args, rows: &[Measured]) -> String {
    let bytes = args.copysize as f64 * f64::from(args.batchsize) * f64::from(args.copy_count);
    let heading = format!(
        "{}, {} of {}: {} calls of {} x {}\n\n",
        args.what.name(),
        args.framework,
        args.model,
        args.copy_count,
        args.batchsize,
        ByteLen(args.copysize)
    );
    let mut table = TextTable::new(0, &["rank", "peer", "GB/s", "calls/s", "p50 us", "p99 us"]);
    let mut sum = 0.0;
    for row in rows {
        sum += bytes / row.seconds / 1e9;
        table.row(vec![
            row.rank.to_string(),
            row.peer.to_string(),
            figure(bytes / row.seconds / 1e9),
            figure(f64::from(args.copy_count) / row.seconds),
            figure(row.p50_us),
            figure(row.p99_us),
        ]);
    }
    format!("{heading}{}\nall ranks here: {} GB/s\n", table.render(), figure(sum))
}
