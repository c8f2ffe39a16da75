// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf kernel`: launches and copies by kernels, beside plain copies of the same bytes.

mod collectives;
mod member;

use mf_base::settings::{DeviceChoice, loaded};
use mf_base::{ByteLen, Error, Kind, Result};
use mf_library::accelerator::{Accelerator, Arguments, Kernels, Memory, description};
use mf_measure::members::{Job, print_value};
use mf_measure::turns::{Figures, Pair, Plan as Turns};
use mf_program::output::note;
use mf_program::table::{Column, figure};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Buffer, length, parse_size, plain_copy};
use crate::measurement::{Measurement, Report};
use crate::task::Task as Work;

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
    /// Measure collectives with these numbers of ranks, instead of copies.
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
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Plan {
    args: Args,
    mode: String,
    /// True on the simulator.
    simulated: bool,
}

/// Work of a member.
#[derive(Serialize, Deserialize)]
pub(crate) enum Task {
    /// Reports whether an accelerator is simulated; `None` where there is none.
    Find(u32),
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
        let (simulated, device) = find(self.device)?;
        let plan = |mode: &str| Plan {
            args: Args { sizes: sizes(self), ..self.clone() },
            mode: mode.to_owned(),
            simulated,
        };
        let rows = match std::env::var(KNOB) {
            Err(_) if simulated => {
                note("mf perf kernel: simulated; this is the speed of the emulation, not of an NPU");
                let mut rows = rows(plan("eager"), device, Some("eager"))?;
                rows.extend(self::rows(plan("checked"), device, Some("checked"))?);
                rows
            }
            mode => rows(plan(mode.as_deref().unwrap_or("npu")), device, None)?,
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

/// Value of `MF_DEVICE` for members; none: the environment's.
type Device = Option<&'static str>;

/// Finds the accelerator that the settings name, or else the simulator; returns true if it is simulated.
fn find(number: u32) -> Result<(bool, Device)> {
    let found = |device: Device| -> Result<Option<bool>> {
        let task = Work::Kernel(Task::Find(number));
        let mut member = Job::new()?.start("the accelerator", &task, &environment(device, None))?;
        let found = member.value()?;
        member.end()?;
        Ok(found)
    };
    let none = || Error::new(Kind::NotExist, OPERATION).what("there is no accelerator");
    match found(None)? {
        Some(simulated) => Ok((simulated, None)),
        None if loaded()?.settings.device == DeviceChoice::Auto => {
            found(Some("sim"))?.map(|simulated| (simulated, Some("sim"))).ok_or_else(none)
        }
        None => Err(none()),
    }
}

/// The settings of members.
fn environment(device: Device, mode: Option<&str>) -> Vec<(&'static str, &str)> {
    let device = device.map(|device| ("MF_DEVICE", device));
    device.into_iter().chain(mode.map(|mode| (KNOB, mode))).collect()
}

/// The rows of a plan, in a mode of the simulator.
fn rows(plan: Plan, device: Device, mode: Option<&str>) -> Result<Vec<Row>> {
    let environment = environment(device, mode);
    if plan.args.ranks.is_empty() {
        let name = plan.mode.clone();
        let mut member = Job::new()?.start(&name, &Work::Kernel(Task::Rows(plan)), &environment)?;
        let rows = member.value()?;
        member.end()?;
        return Ok(rows);
    }
    let mut rows = Vec::new();
    for &ranks in &plan.args.ranks {
        rows.extend(collectives::rows(&plan, ranks, &environment)?);
    }
    Ok(rows)
}

/// Does the work of a member.
pub(crate) fn member(task: &Task) -> Result<()> {
    match task {
        Task::Find(number) => print_value(&is_simulated(*number)?),
        Task::Rows(plan) => {
            let accelerator = Accelerator::open(plan.args.device)?;
            print_value(&Bench::new(&accelerator, plan)?.rows(plan)?)
        }
        Task::Rank(rank) => member::main(rank),
    }
}

/// Returns true if the accelerator is simulated; `None` if there is none.
fn is_simulated(number: u32) -> Result<Option<bool>> {
    let _accelerator = match Accelerator::open(number) {
        Err(error) if error.kind() == Kind::NotExist && loaded()?.settings.device == DeviceChoice::Auto => {
            return Ok(None);
        }
        opened => opened?,
    };
    let text = description()?;
    let facts: serde_json::Value = serde_json::from_str(&text)
        .map_err(|error| Error::new(Kind::Failed, OPERATION).what("malformed description").source(error))?;
    match facts.get("kernels").and_then(serde_json::Value::as_str) {
        Some(target) => Ok(Some(target == "simulator")),
        None => Err(Error::new(Kind::Failed, OPERATION)
            .what("this accelerator loads no kernels")
            .with("device", text)),
    }
}

/// Memory at both ends, twice, and the kernel.
struct Bench<'a> {
    accelerator: &'a Accelerator,
    kernels: Kernels,
    source: Memory<'a>,
    destination: Memory<'a>,
    /// For plain copies on the simulator.
    host: Option<(Buffer, Buffer)>,
}

impl<'a> Bench<'a> {
    fn new(accelerator: &'a Accelerator, plan: &Plan) -> Result<Self> {
        let largest = plan.args.sizes.iter().copied().max().unwrap_or(8);
        let bytes = length(largest)?;
        let bench = Self {
            accelerator,
            kernels: Kernels::built_in()?,
            source: accelerator.allocate(largest)?,
            destination: accelerator.allocate(largest)?,
            host: plan.simulated.then(|| (Buffer::filled(bytes), Buffer::filled(bytes))),
        };
        // Memory that was never written counts as a fault of the kernel that reads it.
        let content = Buffer::filled(bytes);
        // SAFETY: a buffer of so many bytes, and memory of this bench.
        unsafe { accelerator.copy(bench.source.address(), content.bytes().as_ptr(), largest) }?;
        Ok(bench)
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
        let (src, dst) = (self.source.address(), self.destination.address());
        let arguments = Arguments::new().address(dst).address(src).u64(bytes);
        let mut own = |calls: u32| {
            (0..calls).try_for_each(|_| {
                // SAFETY: both ends are device memory of this bench, long enough.
                unsafe { self.kernels.launch(c"mf_copy", None, blocks, None, &arguments) }
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
                // SAFETY: as above.
                None => unsafe { self.accelerator.copy(dst, src, bytes) },
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
