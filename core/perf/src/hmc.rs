// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf hmc`: transfers between buffers of two processes, tags behind them and streams, each beside a
//! plain copy of the same bytes.
//!
//! * [`caller`]: the process that measures, which starts the other one. [`tags`]: its tags. [`stream`]: its
//!   streams, and the stages that they are made of. [`network`]: what their settings are.
//! * [`other`]: the peer process, which owns the target buffer and follows the caller's requests.
//! * [`row`]: figures of streams, names of memories.

mod caller;
mod network;
mod other;
mod row;
mod stream;
mod tags;

use std::ffi::CStr;
use std::str::FromStr;

use mf_base::Result;
use mf_library::abi::{MFX_HMC_RDMA, MFX_HMC_UCX};
use mf_measure::members::Job;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::parse_size;
use crate::compared::{Row, columns};
use crate::measurement::{Measurement, Report};
use crate::task::Task as Work;
use network::Network;
use row::StreamRow;

const OPERATION: &str = "mf perf hmc";
const HERE: &CStr = c"127.0.0.1";
/// Ranks at the control channel.
const OTHER: u32 = 0;
const CALLER: u32 = 1;
/// The same, linked by a Unix socket.
const OTHER_BY_UNIX: u32 = 2;
const CALLER_BY_UNIX: u32 = 3;

/// Measure transfers between buffers of two processes (HMC): put, get, several at once, tags, streams.
///
/// Buffers are in host memory or on an accelerator, also a simulated one (mf sim --gpus), with figures that
/// say nothing about a real one. Puts and gets stand beside memcpy, or a copy by the accelerator's driver;
/// with --network beside the fastest of 1, 2 and 4 plain connections, encrypted connections beside plain
/// rustls, as in mf perf net. Tags stand beside a blocking socket of their kind, with both ends on one core
/// and on one each: the cores of the ends matter more than their work; tls leaves them out, as within a host
/// they are plaintext. A stream stands beside its slowest stage: the copy out of the program's memory, the
/// put, the copy into the other program's memory; with --network beside the connections, too.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf perf hmc
  mf perf hmc --network --sizes 8,1MiB --json hmc.json
  mf perf hmc --network=tls --quick
  mf sim --devices 0 --gpus 2:cuda ~/gpus -- mf perf hmc --memory cuda --quick")]
pub(super) struct Args {
    /// Sizes of a put and of a get.
    #[arg(long, value_delimiter = ',', value_parser = parse_size, value_name = "SIZE,...", default_value = "8,4KiB,64KiB,1MiB,16MiB")]
    sizes: Vec<u64>,
    /// Bytes of a stream; 0 leaves streams out.
    #[arg(long, default_value = "64MiB", value_parser = parse_size_or_none, value_name = "SIZE")]
    stream: u64,
    /// Memory of the buffer here, and there if it is another: cpu, cuda, hip, musa, cndrv, ascend or default.
    #[arg(long, default_value = "cpu", value_name = "MEMORY[,THERE]")]
    memory: Memories,
    /// Number of the accelerator here, and there if it is another.
    #[arg(long, value_delimiter = ',', num_args = 1..=2, default_value = "0", value_name = "N[,THERE]")]
    device: Vec<u16>,
    /// Kind of the connections: rdma or ucx.
    #[arg(long, default_value = "ucx", value_parser = ["rdma", "ucx"], value_name = "KIND")]
    conn: String,
    /// Over the network, as if the processes were on two hosts: shared memory off.
    #[arg(long, value_enum, num_args = 0..=1, default_missing_value = "tcp", value_name = "HOW")]
    network: Option<Network>,
    /// Fewer and shorter turns.
    #[arg(long)]
    quick: bool,
}

/// Work of one of the two processes.
#[derive(Serialize, Deserialize)]
pub(crate) enum Task {
    /// Measures.
    Caller(Plan),
    /// Owns the target buffer; true: its connections are for RDMA.
    Other(Place, bool),
}

/// Task of the caller.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    sizes: Vec<u64>,
    stream: u64,
    here: Place,
    there: Place,
    rdma: bool,
    network: Option<Network>,
    quick: bool,
}

impl Plan {
    fn conn(&self) -> i32 {
        conn_of(self.rdma)
    }
}

fn conn_of(rdma: bool) -> i32 {
    if rdma { MFX_HMC_RDMA } else { MFX_HMC_UCX }
}

/// Place and length of a buffer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Place {
    /// `MFX_HMC_CPU` and its like.
    memory: i32,
    device: i32,
    bytes: u64,
}

/// Output of the caller.
#[derive(Serialize, Deserialize)]
enum Line {
    Row(Row),
    Stream(StreamRow),
    End,
}

/// Memory here and there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Memories(i32, i32);

impl FromStr for Memories {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (here, there) = text.split_once(',').unwrap_or((text, text));
        let one = |name: &str| {
            let known = row::MEMORIES.iter().find(|(_, known)| *known == name.trim());
            known.map(|(memory, _)| *memory).ok_or_else(|| {
                let names: Vec<&str> = row::MEMORIES.iter().map(|(_, name)| *name).collect();
                format!("expected one or two of {}", names.join(", "))
            })
        };
        Ok(Self(one(here)?, one(there)?))
    }
}

fn parse_size_or_none(text: &str) -> std::result::Result<u64, String> {
    if text == "0" { Ok(0) } else { parse_size(text) }
}

impl Measurement for Args {
    const NAME: &'static str = "hmc";

    fn measure(&self) -> Result<Option<Report>> {
        let device = |at: usize| self.device.get(at).or(self.device.first()).copied().map_or(0, i32::from);
        // Both have room for the largest put, and for a stream that is cut into its longest chunks.
        let bytes = self.sizes.iter().copied().max().unwrap_or(0).max(64 << 20);
        let place = |memory: i32, at| Place { memory, device: device(at), bytes };
        let plan = Plan {
            sizes: self.sizes.clone(),
            stream: self.stream,
            here: place(self.memory.0, 0),
            there: place(self.memory.1, 1),
            rdma: self.conn == "rdma",
            network: self.network,
            quick: self.quick,
        };
        let task = Work::Hmc(Task::Caller(plan));
        let mut caller = Job::new()?.start("the caller", &task, network::settings(self.network))?;
        let (mut rows, mut streams) = (Vec::new(), Vec::new());
        loop {
            match caller.value()? {
                Line::Row(row) => rows.push(row),
                Line::Stream(row) => streams.push(row),
                Line::End => break,
            }
        }
        caller.end()?;
        let mut report = Report::of(&rows, 3, &columns("here, there"));
        if !streams.is_empty() {
            report.table(&streams, 1, &row::STREAMS);
        }
        report.more = json!({ "network": self.network, "streams": streams });
        Ok(Some(report))
    }
}

/// Does the work of one of the two processes.
pub(crate) fn member(task: &Task) -> Result<()> {
    match task {
        Task::Caller(plan) => caller::main(plan),
        Task::Other(place, rdma) => other::main(place, conn_of(*rdma)),
    }
}

#[cfg(test)]
mod tests {
    use mf_library::abi::{MFX_HMC_AMD_GPU, MFX_HMC_CPU, MFX_HMC_NVIDIA_GPU};

    use super::*;

    #[test]
    fn memory_kinds_are_parsed_once_or_twice() {
        assert_eq!("cuda".parse(), Ok(Memories(MFX_HMC_NVIDIA_GPU, MFX_HMC_NVIDIA_GPU)));
        assert_eq!("cpu,hip".parse(), Ok(Memories(MFX_HMC_CPU, MFX_HMC_AMD_GPU)));
        for wrong in ["", "gpu", "cpu,", "cpu,cuda,hip"] {
            assert!(wrong.parse::<Memories>().is_err_and(|text| text.contains("cndrv")), "{wrong}");
        }
        assert_eq!((parse_size_or_none("0"), parse_size_or_none("1KiB")), (Ok(0), Ok(1024)));
    }
}
