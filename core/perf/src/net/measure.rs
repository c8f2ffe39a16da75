// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The measuring side: which calls are measured, and what each is compared with.

use std::cell::RefCell;
use std::hint::black_box;

use mf_base::{MemKind, Result};
use mf_library::abi::{SMEMB_COPY_G2H, SMEMB_COPY_H2G};
use mf_library::big_memory::Pool;
use mf_measure::memory::Buffer;

use super::super::length;
use super::Args;
use super::raw::Op;
use super::routes::{Route, bursts, calls, flood_routes, routes};
use super::row::{Goal, Row, Setup};
use super::turns::{Effort, Named, Tools, in_long_turns};

/// The shortest calls, for which there are atomics as well.
pub(super) const SHORT_BYTES: u64 = 8;
/// Offset of the signal behind the data.
const SIGNAL_OFFSET: usize = 8;
/// Up to here a call's latency counts, above its bandwidth.
pub(super) const SHORT_BYTES_MAX: u64 = 4 << 10;
/// From here on a goal is set for the bandwidth.
const LONG_BYTES: u64 = 1 << 20;
/// Bytes of all calls that are in flight at a time, and the most such calls.
const FLIGHT_BYTES: u64 = 64 << 20;
const FLIGHT_CALLS_MAX: u64 = 16;
/// Calls of 8 bytes that are in flight at a time.
const PIPELINED_CALLS: u32 = 1024;

/// The pool, and where in it the other side's memory is.
#[derive(Clone, Copy)]
struct Own<'a> {
    pool: &'a Pool,
    remote: *mut u8,
}

/// A measurement.
pub(super) struct Session<'a> {
    args: &'a Args,
    own: Option<Own<'a>>,
    setup: Setup,
}

impl<'a> Session<'a> {
    /// Without a pool only the baselines.
    ///
    /// # Errors
    /// Errors of [`Pool::address`].
    pub(super) fn new(args: &'a Args, pool: Option<&'a Pool>, setup: Setup) -> Result<Self> {
        let own = pool.map(|pool| Ok(Own { pool, remote: pool.address(MemKind::Host, 0)? }));
        Ok(Self { args, own: own.transpose()?, setup })
    }

    /// Measures every size.
    ///
    /// # Errors
    /// The first error of a call.
    pub(super) fn run(&self, tools: &mut Tools, report: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
        let largest = length(self.args.sizes.iter().copied().max().unwrap_or(SHORT_BYTES))?;
        let (mut source, mut own, mut raw) =
            (Buffer::filled(largest), Buffer::filled(largest), Buffer::filled(largest));
        let (source, own, raw) = (source.bytes_mut(), own.bytes_mut(), raw.bytes_mut());
        for &bytes in &self.args.sizes {
            let length = length(bytes)?;
            let is_short = bytes <= SHORT_BYTES_MAX;
            if self.args.busy && !is_short {
                continue;
            }
            let (source, own, raw) = (&source[..length], &mut own[..length], &mut raw[..length]);
            report(self.put(tools, source)?)?;
            report(self.get(tools, own, raw)?)?;
            if bytes == SHORT_BYTES {
                report(self.atomic(tools, source)?)?;
                report(self.signal(tools, source)?)?;
            }
            if !is_short {
                report(self.puts(tools, source, flight(bytes))?)?;
                report(self.gets(tools, own, raw, flight(bytes))?)?;
            } else if bytes == SHORT_BYTES && !self.args.busy {
                report(self.puts(tools, source, PIPELINED_CALLS)?)?;
            }
        }
        Ok(())
    }

    fn put(&self, tools: &mut Tools, source: &[u8]) -> Result<Row> {
        let own = self.own.map(|own| calls(move || own.pool.put(black_box(source), own.remote)));
        let raw = self.routes(source.len()).map(|route| route.put(Op::Put, source)).collect();
        self.row(tools, "put", source.len(), 1, own, raw)
    }

    fn get(&self, tools: &mut Tools, to: &mut [u8], raw: &mut [u8]) -> Result<Row> {
        let bytes = to.len();
        let own = self.own.map(|own| calls(move || own.pool.get(own.remote, black_box(&mut *to))));
        let raw = RefCell::new(raw);
        let raw = self.routes(bytes).map(|route| route.get(Op::Get, &raw)).collect();
        self.row(tools, "get", bytes, 1, own, raw)
    }

    fn atomic(&self, tools: &mut Tools, source: &[u8]) -> Result<Row> {
        let own = self.own.map(|own| calls(move || own.pool.fetch_add(own.remote, 1).map(drop)));
        let raw = self.routes(source.len()).map(|route| route.put(Op::Put, source)).collect();
        self.row(tools, "fetch-add", source.len(), 1, own, raw)
    }

    /// Data and a signal behind it, which a put and an atomic would do in two round trips.
    fn signal(&self, tools: &mut Tools, source: &[u8]) -> Result<Row> {
        let own = self.own.map(|own| {
            let signal = own.remote.wrapping_add(SIGNAL_OFFSET);
            calls(move || own.pool.put_signal(black_box(source), own.remote, signal, 1))
        });
        let raw = self.routes(source.len()).map(|route| route.put(Op::Put, source)).collect();
        self.row(tools, "put+signal", source.len(), 1, own, raw)
    }

    fn puts(&self, tools: &mut Tools, source: &[u8], flight: u32) -> Result<Row> {
        let bytes = source.len();
        let own = self.own.map(|Own { pool, remote }| {
            let (from, to) = (source.as_ptr(), remote);
            let put = move || {
                // SAFETY: the source lives until the burst has been waited for.
                unsafe { pool.start(from, to, bytes, SMEMB_COPY_H2G) }
            };
            bursts(flight, put, || pool.wait())
        });
        let is_flood = bytes as u64 <= SHORT_BYTES_MAX;
        let routes = if is_flood { flood_routes(self.setup.tls) } else { self.routes(bytes).collect() };
        let raw = routes.into_iter().map(|route| route.put(Op::PutStream, source)).collect();
        self.row(tools, "put", bytes, flight, own, raw)
    }

    fn gets(&self, tools: &mut Tools, into: &mut [u8], raw: &mut [u8], flight: u32) -> Result<Row> {
        let bytes = into.len();
        let own = self.own.map(|Own { pool, remote }| {
            let (from, to) = (remote.cast_const(), into.as_mut_ptr());
            let get = move || {
                // SAFETY: the destination lives until the burst has been waited for, and what several gets
                // leave there together is not read.
                unsafe { pool.start(from, to, bytes, SMEMB_COPY_G2H) }
            };
            bursts(flight, get, || pool.wait())
        });
        let raw = RefCell::new(raw);
        let raw = self.routes(bytes).map(|route| route.get(Op::GetStream, &raw)).collect();
        self.row(tools, "get", bytes, flight, own, raw)
    }

    fn routes(&self, bytes: usize) -> impl Iterator<Item = Route> {
        routes(bytes as u64 <= SHORT_BYTES_MAX, self.setup.tls, self.args.busy).into_iter()
    }

    fn row<'b>(
        &self,
        tools: &mut Tools,
        what: &str,
        bytes: usize,
        in_flight: u32,
        own: Option<Named<'b>>,
        raw: Vec<Named<'b>>,
    ) -> Result<Row> {
        let bytes = bytes as u64;
        let has_own = own.is_some();
        let mut candidates: Vec<Named<'b>> = own.into_iter().chain(raw).collect();
        let mut measured = in_long_turns(Effort::for_bytes(bytes, self.args.quick), tools, &mut candidates)?;
        let own = has_own.then(|| measured.remove(0));
        let is_short = bytes <= SHORT_BYTES_MAX;
        let goal = match (is_short, in_flight) {
            (true, 1) => Goal::Times(1.3),
            (true, _) => Goal::PerSecond(1e6),
            (false, _) if bytes < LONG_BYTES => Goal::Open,
            (false, _) if self.setup.tls => Goal::Speed(0.8),
            (false, _) => Goal::Speed(0.9),
        };
        // Of short calls the first kind of waiting is the one to compare with.
        let counted = if is_short { 1 } else { measured.len() };
        Ok(Row {
            setup: self.setup,
            what: what.to_owned(),
            bytes,
            in_flight,
            own,
            raw: measured,
            counted,
            goal,
        })
    }
}

/// Number of concurrent calls of that size.
fn flight(bytes: u64) -> u32 {
    u32::try_from((FLIGHT_BYTES / bytes.max(1)).clamp(2, FLIGHT_CALLS_MAX)).unwrap_or(2)
}
