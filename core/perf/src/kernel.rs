// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf kernel`: launches and copies by kernels, beside plain copies of the same bytes.

mod collectives;
mod member;

use std::process::Stdio;

use mf_base::{ByteLen, Error, Gva, Kind, Result};
use mf_device::engine::Piece;
use mf_device::{Devices, Locality, Transfer};
use mf_program::accelerator::{accelerator, built_in};
use mf_program::child::ourselves;
use mf_program::output::note;
use mf_program::table::{Table, figure};
use mf_smem::kernel::{Arguments, Binary, Code, LaunchOptions, Target};
use serde_json::{Value, json};

use super::measure::{Figures, Pair, Plan};
use super::report::Output;
use super::{Buffer, length, parse_size, plain_copy};
pub(crate) use member::{Args as MemberArgs, main as member_main};

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
#[derive(clap::Args)]
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
    #[command(flatten)]
    output: Output,
}

/// Measures and prints.
pub(super) fn main(args: &Args) -> Result<()> {
    let devices = accelerator(args.device)?;
    let simulated = Binary::target(&devices)? == Target::Simulator;
    let rows: Vec<Value> = match std::env::var(KNOB) {
        Err(_) if simulated => {
            note("mf perf kernel: simulated; this is the speed of the emulation, not of an NPU");
            let both = ["eager", "checked"].map(in_mode);
            both.into_iter().collect::<Result<Vec<_>>>()?.concat()
        }
        mode => rows(&devices, args, mode.as_deref().unwrap_or("npu"))?,
    };
    let table = if args.ranks.is_empty() { table(&rows) } else { collectives::table(&rows) };
    args.output.write("kernel", &table, &Value::from(rows), &json!({ "simulated": simulated }))
}

fn rows(devices: &Devices, args: &Args, mode: &str) -> Result<Vec<Value>> {
    if args.ranks.is_empty() {
        return Bench::new(devices, args)?.rows(args, mode);
    }
    let target = Binary::target(devices)?;
    let rows = args.ranks.iter().map(|ranks| collectives::rows(args, *ranks, mode, &target));
    Ok(rows.collect::<Result<Vec<_>>>()?.concat())
}

/// The rows of a process of its own, because the simulator reads its knobs once.
fn in_mode(mode: &str) -> Result<Vec<Value>> {
    let failed =
        |why: &str| Error::new(Kind::Failed, OPERATION).what("the measuring process failed").with("why", why);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut own: Vec<&str> = arguments.iter().map(String::as_str).collect();
    own.extend(["--json", "-"]);
    // A later --json beats an earlier one only when the earlier is not passed on.
    let json = own.iter().position(|argument| *argument == "--json").filter(|at| at + 2 < own.len());
    if let Some(at) = json {
        own.drain(at..at + 2);
    }
    own.retain(|argument| !argument.starts_with("--json="));
    let child = ourselves(&own).env(KNOB, mode).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
    let output =
        child.and_then(std::process::Child::wait_with_output).map_err(|error| failed(&error.to_string()))?;
    if !output.status.success() {
        return Err(failed(&output.status.to_string()));
    }
    let document: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| failed(&error.to_string()))?;
    document.get("rows").and_then(Value::as_array).cloned().ok_or_else(|| failed("it printed no rows"))
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
    fn new(devices: &'a Devices, args: &Args) -> Result<Self> {
        let largest = sizes(args).into_iter().max().unwrap_or(8);
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

    fn rows(mut self, args: &Args, mode: &str) -> Result<Vec<Value>> {
        let mut rows = Vec::new();
        for bytes in sizes(args) {
            for &blocks in &args.blocks {
                let mut host = self.host.take();
                let figures = self.measure(bytes, blocks, args.quick, host.as_mut())?;
                self.host = host;
                rows.push(json!({
                    "mode": mode,
                    "bytes": bytes,
                    "blocks": blocks,
                    "seconds": figures.seconds,
                    "plain_seconds": figures.plain_seconds,
                    "ratio": figures.ratio,
                }));
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
        let plan = Plan { turns, calls: if bytes >= 16 << 20 { 1 } else { 16 } };
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

fn table(rows: &[Value]) -> String {
    let mut table =
        Table::new(1, &["mode", "size", "blocks", "kernel us", "GB/s", "plain GB/s", "kernel / plain"]);
    for row in rows {
        let mut cells = vec![word(row, "mode")];
        cells.extend(figures(row, "bytes"));
        table.row(cells);
    }
    table.render()
}

fn word(row: &Value, name: &str) -> String {
    row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn whole(row: &Value, name: &str) -> u64 {
    row.get(name).and_then(Value::as_u64).unwrap_or(0)
}

/// Size, blocks, time, and both speeds by the bytes that stand under `moved`.
fn figures(row: &Value, moved: &str) -> [String; 6] {
    let number = |name: &str| row.get(name).and_then(Value::as_f64).unwrap_or(f64::NAN);
    let speed = |seconds: f64| figure(number(moved) / seconds / 1e9);
    [
        ByteLen(whole(row, "bytes")).to_string(),
        whole(row, "blocks").to_string(),
        figure(number("seconds") * 1e6),
        speed(number("seconds")),
        speed(number("plain_seconds")),
        format!("{:.4}", number("ratio")),
    ]
}
