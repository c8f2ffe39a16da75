// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf kernel`: launches and copies by kernels, beside plain copies of the same bytes.

mod collectives;
mod member;

use mf_base::{ByteLen, Error, Gva, Kind, Result};
use mf_device::engine::Piece;
use mf_device::{Devices, Locality, Transfer};
use mf_program::accelerator::{accelerator, built_in};
use mf_program::output::note;
use mf_program::table::{Column, figure};
use mf_smem::kernel::{Arguments, Binary, Code, LaunchOptions, Target};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Buffer, length, parse_size, plain_copy};
use crate::measure::{Figures, Pair, Plan as Turns};
use crate::measurement::{Measurement, Report};
use crate::members::{Job, print_value};
use crate::task::Work;

const OPERATION: &str = "mf perf kernel";
const SIZES: [u64; 5] = [8, 4 << 10, 64 << 10, 1 << 20, 64 << 20];
/// Collectives: contribution of a rank.
const COLLECTIVE_SIZES: [u64; 3] = [4 << 10, 64 << 10, 1 << 20];
/// One process and one device each: more than a host has devices says little.
const RANKS_MAX: i64 = 16;

/// Knob that selects the simulator's kernel mode.
const KNOB: &str = "ASCEND_SIM_KERNELS";

/// Measure launches and copies by kernels, beside plain copies of the same bytes.
///
/// "kernel" is the kernel mf_copy within device memory, waited for. "plain" is the device's own copy; on the
/// simulator it is a processor copy, within host memory. On the simulator every row is there twice: kernels
/// that run eagerly, and kernels whose every step is checked. Those rows measure the emulation, not an NPU.
///
/// With --ranks: the library's kernels in which all ranks of a job take part, on fp16, one process and one
/// device for each rank; "plain" copies as many bytes as a rank must move from and to others, on all ranks at
/// the same time.
#[derive(Clone, Serialize, Deserialize, clap::Args)]
#[command(after_help = "Examples:
  mf perf kernel --quick
  mf perf kernel --ranks 2,8 --sizes 16MiB")]
pub(super) struct Args {
    /// Measure collectives with so many ranks, instead of copies.
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(2..=RANKS_MAX), value_name = "N,...")]
    ranks: Vec<u32>,
    /// Sizes of a copy [default: 8 B to 64 MiB], or of what each rank gives [default: 4 KiB to 1 MiB].
    #[arg(long, value_delimiter = ',', value_parser = parse_size, value_name = "SIZE,...")]
    sizes: Vec<u64>,
    /// Numbers of blocks.
    #[arg(long, value_delimiter = ',', default_value = "1,2", value_name = "N,...")]
    blocks: Vec<u32>,
    /// Number of the device, for copies.
    #[arg(long, default_value_t = 0, value_name = "N")]
    device: u32,
    /// Fewer turns: a first impression within seconds.
    #[arg(long)]
    quick: bool,
}

/// Arguments, with all sizes, and a mode of the simulator or `npu`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Plan {
    args: Args,
    mode: String,
}

/// Work of a member.
#[derive(Serialize, Deserialize)]
pub(crate) enum Task {
    /// Measures, in a process of its own, because the simulator reads its knobs once.
    Rows(Plan),
    Rank(member::Rank),
}

/// Figures of a kernel.
#[derive(Serialize, Deserialize)]
struct Row {
    mode: String,
    #[serde(flatten)]
    collective: Option<RowOfRanks>,
    bytes: u64,
    blocks: u32,
    #[serde(flatten)]
    figures: Figures,
}

/// A kernel in which all ranks take part.
#[derive(Serialize, Deserialize)]
struct RowOfRanks {
    kernel: String,
    ranks: u32,
    moved_bytes: u64,
}

impl Row {
    /// GB/s of the bytes that move.
    fn speed(&self, seconds: f64) -> String {
        let moved = self.collective.as_ref().map_or(self.bytes, |row| row.moved_bytes);
        figure(moved as f64 / seconds / 1e9)
    }
}

const FIGURES: [Column<'static, Row>; 6] = [
    ("size", |row| ByteLen(row.bytes).to_string()),
    ("blocks", |row| row.blocks.to_string()),
    ("kernel us", |row| figure(row.figures.seconds * 1e6)),
    ("GB/s", |row| row.speed(row.figures.seconds)),
    ("plain GB/s", |row| row.speed(row.figures.plain_seconds)),
    ("kernel / plain", |row| format!("{:.4}", row.figures.ratio)),
];

impl Measurement for Args {
    const NAME: &'static str = "kernel";

    fn measure(&self) -> Result<Option<Report>> {
        let devices = accelerator(self.device)?;
        let simulated = Binary::target(&devices)? == Target::Simulator;
        let plan =
            |mode: &str| Plan { args: Args { sizes: sizes(self), ..self.clone() }, mode: mode.to_owned() };
        let rows = match std::env::var(KNOB) {
            Err(_) if simulated => {
                note("mf perf kernel: simulated; this is the speed of the emulation, not of an NPU");
                let mut rows = in_mode(plan("eager"))?;
                rows.extend(in_mode(plan("checked"))?);
                rows
            }
            mode => rows(&devices, &plan(mode.as_deref().unwrap_or("npu")))?,
        };
        let mut report = Report::new();
        report.rows(&rows);
        let mode: Column<'_, Row> = ("mode", |row| row.mode.clone());
        if self.ranks.is_empty() {
            report.table(&rows, 1, &[&[mode][..], &FIGURES].concat());
        } else {
            report.table(&rows, 2, &[&[mode][..], &collectives::COLUMNS, &FIGURES].concat());
            report.note(collectives::LEGEND);
        }
        report.more = json!({ "simulated": simulated });
        Ok(Some(report))
    }
}

fn rows(devices: &Devices, plan: &Plan) -> Result<Vec<Row>> {
    if plan.args.ranks.is_empty() {
        return Bench::new(devices, plan)?.rows(plan);
    }
    let target = Binary::target(devices)?;
    let mut rows = Vec::new();
    for &ranks in &plan.args.ranks {
        rows.extend(collectives::rows(plan, ranks, &target)?);
    }
    Ok(rows)
}

/// The rows of a mode of the simulator.
fn in_mode(plan: Plan) -> Result<Vec<Row>> {
    let mode = plan.mode.clone();
    let task = Work::Kernel.with(&Task::Rows(plan))?;
    let mut member = Job::new()?.start(&mode, &task, &[(KNOB, &mode)])?;
    let rows = member.value()?;
    member.end()?;
    Ok(rows)
}

/// Does the work of a member.
pub(crate) fn member(task: &Task) -> Result<()> {
    match task {
        Task::Rows(plan) => print_value(&rows(&accelerator(plan.args.device)?, plan)?),
        Task::Rank(rank) => member::main(rank),
    }
}

/// Memory at both ends, twice, and the kernel.
struct Bench<'a> {
    devices: &'a Devices,
    binary: Binary,
    source: Box<dyn mf_device::Buffer>,
    destination: Box<dyn mf_device::Buffer>,
    /// For plain copies on the simulator.
    host: Option<(Buffer, Buffer)>,
}

impl<'a> Bench<'a> {
    fn new(devices: &'a Devices, plan: &Plan) -> Result<Self> {
        let largest = plan.args.sizes.iter().copied().max().unwrap_or(8);
        let none = || Error::new(Kind::NotExist, OPERATION).what("there is no accelerator");
        let device = devices.accelerator().ok_or_else(none)?;
        let bytes = length(largest)?;
        let simulated = Binary::target(devices)? == Target::Simulator;
        let bench = Self {
            devices,
            binary: Binary::load(devices, Code::Bytes(built_in(devices)?))?,
            source: device.allocate_buffer(largest)?,
            destination: device.allocate_buffer(largest)?,
            host: simulated.then(|| (Buffer::filled(bytes), Buffer::filled(bytes))),
        };
        // Memory that was never written counts as a fault of the kernel that reads it.
        let content = Buffer::filled(bytes);
        let piece = Piece {
            src: content.bytes().as_ptr(),
            dst: Gva(bench.source.address()).as_ptr(),
            bytes: largest,
        };
        bench.copy(piece, Locality::Host)?;
        Ok(bench)
    }

    fn copy(&self, piece: Piece, from: Locality) -> Result<()> {
        let none = || Error::new(Kind::NotExist, OPERATION).what("the accelerator copies nothing");
        let transfer = Transfer { piece, from, to: Locality::Device };
        // SAFETY: both ends are memory of this bench, long enough, and live until the call returns.
        unsafe { self.devices.mover().ok_or_else(none)?.copy(&[transfer]) }
    }

    fn rows(mut self, plan: &Plan) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for &bytes in &plan.args.sizes {
            for &blocks in &plan.args.blocks {
                let mut host = self.host.take();
                let figures = self.measure(bytes, blocks, plan.args.quick, host.as_mut())?;
                self.host = host;
                rows.push(Row { mode: plan.mode.clone(), collective: None, bytes, blocks, figures });
            }
        }
        Ok(rows)
    }

    fn measure(
        &self,
        bytes: u64,
        blocks: u32,
        quick: bool,
        mut host: Option<&mut (Buffer, Buffer)>,
    ) -> Result<Figures> {
        let (src, dst) = (Gva(self.source.address()), Gva(self.destination.address()));
        let arguments = Arguments::new().address(dst).address(src).u64(bytes);
        let options = LaunchOptions { blocks, timeout: None, stream: None };
        let mut own = |calls: u32| {
            (0..calls).try_for_each(|_| {
                // SAFETY: both ends are device memory of this bench, long enough.
                unsafe { self.binary.launch("mf_copy", &arguments, &options) }
            })
        };
        let size = length(bytes)?;
        let mut plain = |calls: u32| {
            (0..calls).try_for_each(|_| match &mut host {
                Some((from, to)) => {
                    // SAFETY: both buffers hold at least so many bytes, and are not the same.
                    unsafe { plain_copy(from.bytes().as_ptr(), to.bytes_mut().as_mut_ptr(), size) };
                    Ok(())
                }
                None => self.copy(Piece { src: src.as_ptr(), dst: dst.as_ptr(), bytes }, Locality::Device),
            })
        };
        // A launch takes far longer than a small copy, and the checked mode far longer than both.
        let turns = if quick { 3 } else { 7 };
        let plan = Turns { turns, calls: if bytes >= 16 << 20 { 1 } else { 16 } };
        Ok(Pair::figures(&[Pair::measure(plan, &mut own, &mut plain)?]))
    }
}

fn sizes(args: &Args) -> Vec<u64> {
    match (args.sizes.is_empty(), args.ranks.is_empty()) {
        (true, true) => SIZES.to_vec(),
        (true, false) => COLLECTIVE_SIZES.to_vec(),
        (false, _) => args.sizes.clone(),
    }
}
