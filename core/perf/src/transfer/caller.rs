// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The process that measures: one endpoint of the library, and what else moves the same bytes.

use std::ffi::CString;
use std::time::Instant;

use mf_base::{Error, Kind, Result};
use mf_library::c_text;
use mf_library::transfers::{Endpoint, Pieces, Transfers, there};
use mf_measure::members::{print_value, store_url};
use mf_measure::memory::plain_remote_copy;
use mf_measure::turns::{Pair, Plan, median};

use super::{Args, CROWDED, Cost, FIRST_DESTINATION, Line, MAIN, OPERATION, Owned, name};
use crate::capi::SharedPool;
use crate::compared::Row;
use crate::echo::Echo;
use crate::{Buffer, length, plain_copy, segment_bytes};

/// Pieces of a batch: how many of how many bytes, by turns.
const BATCHES: [(&str, usize, &[usize]); 2] =
    [("61 x 128 KiB, 61 x 16 KiB", 61, &[128 << 10, 16 << 10]), ("600 x 1 KiB", 600, &[1 << 10])];
/// Bytes of the larger one.
pub(super) const LARGEST_BATCH: u64 = 61 * (144 << 10);

/// Memory of the other process.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    Mapped,
    Private,
}

impl Memory {
    fn name(self) -> &'static str {
        match self {
            Self::Mapped => "trans_malloc",
            Self::Private => "registered",
        }
    }

    fn address(self, owned: &Owned) -> u64 {
        match self {
            Self::Mapped => owned.mapped,
            Self::Private => owned.private,
        }
    }
}

/// This side.
struct Caller<'t> {
    endpoint: Endpoint<'t>,
    /// The endpoint that is measured.
    main: CString,
    owned: Owned,
    /// Private memory, and memory of the library.
    local: Buffer,
    near: *mut u8,
    /// Connected where transfers go over the network.
    echo: Option<Echo>,
    quick: bool,
}

/// Measures, and prints lines.
pub(super) fn main(args: &Args, owned: &Owned) -> Result<()> {
    let pool = SharedPool::join(2, 1, 0, segment_bytes(8))?;
    let transfers = Transfers::begin(&store_url()?, |_| {})?;
    let endpoint = transfers.create("127.0.0.1:60000")?;
    let bytes = length(owned.bytes)?;
    let near = endpoint.malloc(bytes)?;
    let mut caller = Caller {
        main: c_name(MAIN)?,
        owned: *owned,
        local: Buffer::filled(bytes),
        near,
        echo: if args.network { Some(Echo::connect(owned.echo_port)?) } else { None },
        quick: args.quick,
        endpoint,
    };
    let row = |row: Row| print_value(&Line::Row(row));
    for memory in [Memory::Mapped, Memory::Private] {
        for &size in &args.sizes {
            for is_write in [true, false] {
                row(caller.sized(memory, length(size)?, is_write)?)?;
            }
        }
        for batch in &BATCHES {
            row(caller.batch(memory, batch)?)?;
        }
    }
    if !args.network {
        row(caller.beside_the_pool(&pool)?)?;
    }
    if args.registrations > 0 {
        row(caller.beside_many(args.registrations)?)?;
        caller.registrations(args.registrations)?;
    }
    endpoints(&transfers, &mut caller, args.destinations)?;
    print_value(&Line::End)
}

fn c_name(number: u32) -> Result<CString> {
    c_text(&name(number))
}

fn cost(what: impl Into<String>, value: f64, unit: &str) -> Result<()> {
    print_value(&Line::Cost(Cost { what: what.into(), value, unit: unit.to_owned() }))
}

impl Caller<'_> {
    /// Transfers of one size, beside the same bytes by other means.
    fn sized(&mut self, memory: Memory, bytes: usize, is_write: bool) -> Result<Row> {
        let (what, size) = (if is_write { "write" } else { "read" }, bytes as u64);
        let local = self.local.bytes_mut().as_mut_ptr();
        let span = (local, memory.address(&self.owned), bytes);
        let (endpoint, to, near, owned) = (&self.endpoint, &self.main, self.near, self.owned);
        // SAFETY: a buffer of at least as many bytes, which nothing else uses.
        let mut own = |calls: u32| unsafe { endpoint.transfer(calls, to, span, is_write) };
        let plan = Plan::for_bytes(size, self.quick);
        // A transfer through the kernel takes a microsecond or more at any length.
        let most = if memory == Memory::Mapped && self.echo.is_none() { plan.calls } else { 5000 };
        let plan = Plan { calls: plan.calls.min(most), ..plan };
        if let Some(echo) = &mut self.echo {
            let mut request = vec![0; if is_write { bytes.max(16) } else { 16 }];
            let mut plain = |calls: u32| {
                let answer = if is_write { 1 } else { bytes };
                (0..calls).try_for_each(|_| echo.exchange(&mut request, answer))
            };
            let pair = Pair::measure(plan, &mut own, &mut plain)?;
            return Ok(Row::new(what, memory.name(), size, "blocking socket", pair));
        }
        let (baseline, pair) = match memory {
            Memory::Mapped => {
                let (from, to) = if is_write { (local, near) } else { (near, local) };
                let mut plain = |calls: u32| {
                    // SAFETY: both have as many bytes, one is the library's and the other a buffer.
                    (0..calls).for_each(|_| unsafe { plain_copy(from, to, bytes) });
                    Ok(())
                };
                ("memcpy", Pair::measure(plan, &mut own, &mut plain)?)
            }
            Memory::Private => {
                let (process, remote) = (owned.process, there(owned.private).cast());
                // SAFETY: the buffer again.
                let once = || unsafe { plain_remote_copy(process, local, remote, bytes, is_write) };
                let mut plain = |calls: u32| {
                    let done = (0..calls).all(|_| once());
                    if done { Ok(()) } else { Err(failed("the kernel does not allow process_vm_writev")) }
                };
                ("process_vm_writev", Pair::measure(plan, &mut own, &mut plain)?)
            }
        };
        Ok(Row::new(what, memory.name(), size, baseline, pair))
    }

    /// A batch, beside one transfer of as many bytes in one piece.
    fn batch(&mut self, memory: Memory, (what, count, sizes): &(&str, usize, &[usize])) -> Result<Row> {
        let local = self.local.bytes_mut().as_mut_ptr();
        let start = memory.address(&self.owned);
        let (mut pieces, mut bytes) = (Pieces::default(), 0);
        for _ in 0..*count {
            for &size in *sizes {
                pieces.push(local.wrapping_add(bytes), start + bytes as u64, size);
                bytes += size;
            }
        }
        let (endpoint, to) = (&self.endpoint, &self.main);
        // SAFETY: pieces of a buffer that nothing else uses.
        let mut own = |calls: u32| unsafe { endpoint.write_all(calls, to, &pieces) };
        // SAFETY: the same bytes.
        let mut whole = |calls: u32| unsafe { endpoint.transfer(calls, to, (local, start, bytes), true) };
        let plan = Plan::for_bytes(bytes as u64, self.quick);
        let pair = Pair::measure(plan, &mut own, &mut whole)?;
        Ok(Row::new(&format!("batch of {what}"), memory.name(), bytes as u64, "one write", pair))
    }

    /// The shortest write, compared with a pool's.
    fn beside_the_pool(&mut self, pool: &SharedPool) -> Result<Row> {
        let local = self.local.bytes_mut().as_mut_ptr();
        let span = (local, self.owned.mapped, 8);
        let (endpoint, to) = (&self.endpoint, &self.main);
        // SAFETY: a buffer that nothing else uses.
        let mut own = |calls: u32| unsafe { endpoint.transfer(calls, to, span, true) };
        // SAFETY: the pool has as many bytes for each rank.
        let mut put = |calls: u32| unsafe { pool.copy(calls, local, 8, true) };
        let pair = Pair::measure(Plan::for_bytes(8, self.quick), &mut own, &mut put)?;
        Ok(Row::new("write", Memory::Mapped.name(), 8, "smem_bm_copy", pair))
    }

    /// The shortest write to an endpoint with many registrations, beside one with one.
    fn beside_many(&mut self, registrations: u32) -> Result<Row> {
        let local = self.local.bytes_mut().as_mut_ptr();
        // The range in the middle, as the owner laid them out.
        let step = (self.owned.bytes / u64::from(registrations)).max(16);
        let count = u64::from(registrations).min(self.owned.bytes / step);
        let span = (local, self.owned.private + count / 2 * step, 8);
        let (endpoint, main, crowded) = (&self.endpoint, &self.main, c_name(CROWDED)?);
        // SAFETY: a buffer that nothing else uses.
        let mut own = |calls: u32| unsafe { endpoint.transfer(calls, &crowded, span, true) };
        // SAFETY: as above.
        let mut alone = |calls: u32| unsafe { endpoint.transfer(calls, main, span, true) };
        let plan = Plan { calls: 5000, ..Plan::for_bytes(8, self.quick) };
        let pair = Pair::measure(plan, &mut own, &mut alone)?;
        let what = format!("write, {count} registrations there");
        Ok(Row::new(&what, Memory::Private.name(), 8, "one registration", pair))
    }

    /// Registers many ranges one by one, and takes them back.
    fn registrations(&mut self, count: u32) -> Result<()> {
        let start = self.local.bytes_mut().as_mut_ptr();
        let step = (self.local.bytes().len() / count as usize).max(16);
        let count = (count as usize).min(self.local.bytes().len() / step);
        let all = |bytes: Option<usize>| {
            let begun = Instant::now();
            (0..count).try_for_each(|number| match (start.wrapping_add(number * step), bytes) {
                // SAFETY: a buffer that nothing else uses, and that stays.
                (start, Some(bytes)) => unsafe { self.endpoint.register(start, bytes) },
                (start, None) => self.endpoint.deregister(start),
            })?;
            Ok::<f64, Error>(begun.elapsed().as_secs_f64() / count as f64 * 1e6)
        };
        cost(format!("registration, {count} of them"), all(Some(step))?, "us each")?;
        cost("withdrawal", all(None)?, "us each")
    }
}

/// Begin and end of endpoints, and first transfers to many.
fn endpoints(transfers: &Transfers, caller: &mut Caller<'_>, destinations: u32) -> Result<()> {
    let turns = if caller.quick { 3 } else { 9 };
    let mut begins = Vec::new();
    for number in 0..turns {
        let begun = Instant::now();
        let endpoint = transfers.create(&format!("127.0.0.1:{}", 60_001 + number))?;
        begins.push(begun.elapsed().as_secs_f64() * 1e3);
        drop(endpoint);
    }
    cost("begin of an endpoint", median(&begins), "ms")?;
    if destinations == 0 {
        return Ok(());
    }
    let endpoint = transfers.create("127.0.0.1:61000")?;
    let local = caller.local.bytes_mut().as_mut_ptr();
    let mut firsts = Vec::new();
    let mut before = (0, 0);
    for number in 0..destinations {
        let to = c_name(FIRST_DESTINATION + number)?;
        let begun = Instant::now();
        // SAFETY: a buffer that nothing else uses.
        unsafe { endpoint.transfer(1, &to, (local, caller.owned.private, 8), true) }?;
        firsts.push(begun.elapsed().as_secs_f64() * 1e3);
        if number == 0 {
            before = (status("Threads"), status("VmRSS"));
        }
    }
    let most = firsts.iter().copied().fold(0.0, f64::max);
    cost(format!("first transfer to each of {destinations} destinations"), median(&firsts), "ms")?;
    cost("the slowest of them", most, "ms")?;
    cost("threads for the others", status("Threads") as f64 - before.0 as f64, "threads")?;
    let grown = status("VmRSS").saturating_sub(before.1) as f64 / f64::from((destinations - 1).max(1));
    cost("memory for each", grown / 1024.0, "KiB")?;
    let begun = Instant::now();
    drop(endpoint);
    cost("end of the endpoint with all of them", begun.elapsed().as_secs_f64() * 1e3, "ms")
}

/// A number of this process's status; memory in bytes.
fn status(row: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    match row {
        "Threads" => {
            status.lines().find_map(|line| line.strip_prefix("Threads:")?.trim().parse().ok()).unwrap_or(0)
        }
        row => mf_program::procfs::kernel_row(&status, row).unwrap_or(0),
    }
}

fn failed(what: &str) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what)
}
