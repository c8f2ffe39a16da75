// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The process that measures. It starts the other one.

use std::time::{Duration, Instant};

use mf_base::{ByteLen, Result};
use mf_library::abi::{MFX_HMC_CPU, MFX_HMC_ON_DEVICE, MFX_HMC_TO_DEVICE, MFX_HMC_TO_HOST};
use mf_library::buffers::{At, Buffer, Communicator, Control, Memory, Ranges};
use mf_library::c_text;
use mf_measure::members::{Job, Member, print_value};
use mf_measure::turns::{Pair, Plan as Turns};
use mf_program::ports::local_store_url;

use super::other::{Ask, Done, Served};
use super::row::{StreamRow, name_of};
use super::stream::{Data, timed};
use super::{CALLER, CALLER_BY_UNIX, HERE, Line, Network, OTHER, OTHER_BY_UNIX, Plan, Task, tags};
use crate::compared::Row;
use crate::echo::Echo;
use crate::net::beside::Beside;
use crate::task::Task as Work;
use crate::{Buffer as HostBuffer, length, plain_copy};

/// Approximate duration of a turn, and of a quick one.
const TURN: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(10));
/// Number of concurrent operations, and their length.
const LIST: (u64, u64) = (64, 64 << 10);

/// This side.
pub(super) struct Caller<'a> {
    pub(super) plan: &'a Plan,
    buffer: &'a Buffer,
    pub(super) communicator: &'a Communicator<'a>,
    pub(super) control: &'a Control,
    port: u16,
    /// Kinds of memory of both ends.
    pub(super) memory: String,
    there: i32,
    pub(super) other: Member,
    /// Plain sockets to the other one.
    pub(super) echo: Echo,
    pub(super) unix_echo: Echo,
    /// Baseline of transfers over the network.
    beside: Option<Beside>,
}

/// Measures, and prints lines.
pub(super) fn main(plan: &Plan) -> Result<()> {
    let task = Work::Hmc(Task::Other(plan.there, plan.rdma));
    // With the settings of this process, its secret among them.
    let mut other = Job::for_store(local_store_url()?).start("the other process", &task, &[])?;
    let served: Served = other.value()?;
    let buffer = Buffer::create(plan.here.device, plan.here.memory, plan.here.bytes)?;
    let communicator = Communicator::create(&buffer)?;
    communicator.connect(At { ip: HERE, port: served.data_port, conn: plan.conn() })?;
    let control = Control::open()?;
    control.connect_tcp(OTHER, HERE, served.ctrl_port, CALLER)?;
    control.connect_unix(OTHER_BY_UNIX, &c_text(&served.ctrl_path)?, CALLER_BY_UNIX)?;
    let mut caller = Caller {
        plan,
        buffer: &buffer,
        communicator: &communicator,
        control: &control,
        port: served.data_port,
        memory: format!("{}, {}", name_of(buffer.memory_kind()), name_of(served.memory)),
        there: served.memory,
        other,
        echo: Echo::connect(served.echo_port)?,
        unix_echo: Echo::connect_unix(&served.echo_name)?,
        beside: plan.network.map(|how| Beside::connect(&served.card, how == Network::Tls)).transpose()?,
    };
    caller.ask(&Ask::Meet)?;
    let Done = caller.other.value()?;
    for &size in &plan.sizes {
        for is_put in [true, false] {
            print_value(&Line::Row(caller.sized(size, is_put)?))?;
        }
    }
    print_value(&Line::Row(caller.list()?))?;
    // Within a host tags are plaintext even with encrypted data, and so is their baseline.
    if plan.network != Some(Network::Tls) {
        for row in tags::rows(&mut caller)? {
            print_value(&Line::Row(row))?;
        }
    }
    if plan.stream > 0 {
        caller.stream()?;
    }
    let other = caller.other;
    drop(communicator);
    drop(control);
    other.end()?;
    print_value(&Line::End)
}

impl Caller<'_> {
    pub(super) fn ask(&mut self, ask: &Ask) -> Result<()> {
        self.other.send(&ask.line())
    }

    pub(super) fn at(&self) -> At {
        At { ip: HERE, port: self.port, conn: self.plan.conn() }
    }

    /// As many calls of so many bytes as fill a turn.
    fn turns(&self, bytes: u64, mut once: impl FnMut() -> Result<()>) -> Result<Turns> {
        let plan = Turns::for_bytes(bytes, self.plan.quick);
        once()?;
        let begun = Instant::now();
        once()?;
        let (took, turn) = (begun.elapsed(), if self.plan.quick { TURN.1 } else { TURN.0 });
        let fitting = turn.as_nanos() / took.as_nanos().max(1);
        Ok(Turns { calls: u32::try_from(fitting).unwrap_or(u32::MAX).clamp(1, plan.calls), ..plan })
    }

    /// The accelerator at one of the ends, if any, and the direction of a copy between both.
    fn accelerator(&self, is_put: bool) -> Result<Option<(Memory, u32)>> {
        let here = self.buffer.memory_kind();
        let (kind, device) = match (here, self.there) {
            (MFX_HMC_CPU, MFX_HMC_CPU) => return Ok(None),
            (MFX_HMC_CPU, there) => (there, self.plan.there.device),
            (here, _) => (here, self.plan.here.device),
        };
        let direction = match (here, self.there) {
            (MFX_HMC_CPU, _) if is_put => MFX_HMC_TO_DEVICE,
            (MFX_HMC_CPU, _) => MFX_HMC_TO_HOST,
            (_, MFX_HMC_CPU) if is_put => MFX_HMC_TO_HOST,
            (_, MFX_HMC_CPU) => MFX_HMC_TO_DEVICE,
            _ => MFX_HMC_ON_DEVICE,
        };
        Ok(Some((Memory::open(device, kind)?, direction)))
    }

    /// Puts or gets of one size, beside the same bytes by other means.
    fn sized(&mut self, bytes: u64, is_put: bool) -> Result<Row> {
        let (what, ranges) = (if is_put { "put" } else { "get" }, Ranges { local: 0, remote: 0, bytes });
        let (communicator, at) = (self.communicator, self.at());
        let once = || communicator.copy(at, ranges, is_put);
        if let Some(beside) = &mut self.beside {
            let (baseline, pair) = beside.measure(bytes, is_put, self.plan.quick, once)?;
            return Ok(Row::new(what, &self.memory, bytes, &baseline, pair));
        }
        let turns = self.turns(bytes, once)?;
        let mut own = |calls: u32| (0..calls).try_for_each(|_| once());
        let size = length(bytes)?;
        let (baseline, pair) = if let Some((memory, direction)) = self.accelerator(is_put)? {
            let here = Ends::new(&memory, direction, bytes)?;
            let mut plain = |calls: u32| (0..calls).try_for_each(|_| here.copy(bytes));
            ("driver's copy", Pair::measure(turns, &mut own, &mut plain)?)
        } else {
            let (from, mut to) = (HostBuffer::filled(size), HostBuffer::filled(size));
            let (from, to) = (from.bytes().as_ptr(), to.bytes_mut().as_mut_ptr());
            let mut plain = |calls: u32| {
                // SAFETY: two buffers of so many bytes.
                (0..calls).for_each(|_| unsafe { plain_copy(from, to, size) });
                Ok(())
            };
            ("memcpy", Pair::measure(turns, &mut own, &mut plain)?)
        };
        Ok(Row::new(what, &self.memory, bytes, baseline, pair))
    }

    /// Several that are started at once, beside one put of as many bytes.
    fn list(&mut self) -> Result<Row> {
        let (communicator, at, (count, piece)) = (self.communicator, self.at(), LIST);
        let bytes = count * piece;
        let once = || {
            let ids = (0..count).map(|number| {
                let offset = number * piece;
                let ranges = Ranges { local: offset, remote: offset, bytes: piece };
                communicator.start_put(at, ranges)
            });
            let ids = ids.collect::<Result<Vec<u64>>>()?;
            ids.iter().try_for_each(|id| communicator.wait(*id))
        };
        let turns = self.turns(bytes, once)?;
        let mut own = |calls: u32| (0..calls).try_for_each(|_| once());
        let whole = Ranges { local: 0, remote: 0, bytes };
        let mut one = |calls: u32| (0..calls).try_for_each(|_| communicator.copy(at, whole, true));
        let pair = Pair::measure(turns, &mut own, &mut one)?;
        Ok(Row::new(
            &format!("{count} putNB of {}, wait", ByteLen(piece)),
            &self.memory,
            bytes,
            "one put",
            pair,
        ))
    }

    /// Streams, beside each of their stages.
    fn stream(&mut self) -> Result<()> {
        let data = Data::new(self.buffer, self.plan.stream)?;
        self.ask(&Ask::Stream { bytes: data.bytes })?;
        let Done = self.other.value()?;
        let (communicator, at, chunk) = (self.communicator, self.at(), data.chunk_bytes());
        let (mut stream, mut stage, mut put, mut take) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        // The first turn is not counted.
        for turn in 0..=if self.plan.quick { 3 } else { 9 } {
            self.ask(&Ask::Receive { calls: 1 })?;
            let begun = Instant::now();
            data.send(communicator, at)?;
            let seconds = begun.elapsed().as_secs_f64();
            let staged = timed(|| if data.is_direct() { Ok(()) } else { data.stage(chunk) })?;
            let flown = timed(|| data.put(communicator, at, chunk))?;
            self.ask(&Ask::Take { calls: 1, chunk_bytes: chunk })?;
            let taken: f64 = self.other.value()?;
            if turn > 0 {
                stream.push(seconds);
                stage.push(staged);
                put.push(flown);
                take.push(taken);
            }
        }
        let stage = (!data.is_direct()).then_some(stage.as_slice());
        let row = StreamRow::new(&self.memory, (data.bytes, chunk), &stream, stage, (&put, &take));
        print_value(&Line::Stream(row))?;
        let Some(beside) = &mut self.beside else { return Ok(()) };
        let other = &mut self.other;
        let (baseline, pair) = beside.measure(data.bytes, true, self.plan.quick, || {
            other.send(&Ask::Receive { calls: 1 }.line())?;
            data.send(communicator, at)
        })?;
        print_value(&Line::Row(Row::new("stream", &self.memory, data.bytes, &baseline, pair)))
    }
}

/// Two ranges that the driver copies between.
struct Ends<'a> {
    memory: &'a Memory,
    direction: u32,
    device: [*mut u8; 2],
    host: *mut u8,
    _host: HostBuffer,
}

impl<'a> Ends<'a> {
    fn new(memory: &'a Memory, direction: u32, bytes: u64) -> Result<Self> {
        let one = || memory.allocate(bytes);
        let device = [one()?, one()?];
        let mut buffer = HostBuffer::filled(length(bytes)?);
        let host = buffer.bytes_mut().as_mut_ptr();
        Ok(Self { memory, direction, device, host, _host: buffer })
    }

    fn copy(&self, bytes: u64) -> Result<()> {
        let [first, second] = self.device;
        let (to, from) = match self.direction {
            MFX_HMC_TO_DEVICE => (first, self.host),
            MFX_HMC_TO_HOST => (self.host, first),
            _ => (first, second),
        };
        // SAFETY: all three have so many bytes, and nothing else uses them.
        unsafe { self.memory.copy(to, from, bytes, self.direction) }
    }
}

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        for address in self.device {
            // The process ends soon.
            let _ = self.memory.free(address);
        }
    }
}
