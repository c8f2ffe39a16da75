// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The measuring end of a line: each call beside raw sockets on the same line.

use std::cell::RefCell;
use std::time::Duration;

use mf_base::{MemKind, Result};
use mf_library::abi::{MFX_SESSION, SMEMB_COPY_H2G};
use mf_library::big_memory::Pool;
use mf_library::store::Store;
use mf_measure::memory::Buffer;
use mf_measure::turns::{Candidate, Measured, compare};

use super::super::super::length;
use super::super::measure::SHORT_BYTES_MAX;
use super::super::raw::{Op, Waiting};
use super::super::routes::{Route, bursts, calls};
use super::super::turns::{Named, Tools};
use super::member::Calls;
use super::row::Figures;

/// The shortest put.
const SHORT_BYTES: u64 = 8;
/// Puts of that size that are in flight at a time.
const FLOOD_CALLS: u32 = 200_000;
const FLOOD_CALLS_QUICK: u32 = 2_000;
/// Bytes of all longer calls that are in flight at a time.
const FLIGHT_BYTES: u64 = 64 << 20;
const FLIGHT_CALLS_MAX: u64 = 256;

/// The measuring end.
pub(super) struct Caller<'a> {
    pool: &'a Pool,
    remote: *mut u8,
    store: &'a Store,
    tools: &'a mut Tools,
    calls: &'a Calls,
}

impl<'a> Caller<'a> {
    pub(super) fn new(
        pool: &'a Pool,
        store: &'a Store,
        tools: &'a mut Tools,
        calls: &'a Calls,
    ) -> Result<Self> {
        Ok(Self { pool, remote: pool.address(MemKind::Host, 0)?, store, tools, calls })
    }

    /// Measures every size, and the store.
    pub(super) fn run(&mut self, report: &mut dyn FnMut(Figures) -> Result<()>) -> Result<()> {
        let largest = self.calls.sizes.iter().copied().max().unwrap_or(SHORT_BYTES).max(SHORT_BYTES);
        let largest = length(largest)?;
        let (mut source, mut own, mut raw) =
            (Buffer::filled(largest), Buffer::filled(largest), Buffer::filled(largest));
        let (source, own, raw) = (source.bytes_mut(), own.bytes_mut(), raw.bytes_mut());
        for &bytes in &self.calls.sizes {
            let length = length(bytes)?;
            let (source, own, raw) = (&source[..length], &mut own[..length], &mut raw[..length]);
            report(self.put(source)?)?;
            report(self.get(own, raw)?)?;
            if bytes <= SHORT_BYTES_MAX {
                let flood = if self.calls.quick { FLOOD_CALLS_QUICK } else { FLOOD_CALLS };
                report(self.puts(source, flood)?)?;
            } else if bytes < FLIGHT_BYTES {
                let flight = (FLIGHT_BYTES / bytes).min(FLIGHT_CALLS_MAX);
                report(self.puts(source, u32::try_from(flight).unwrap_or(1))?)?;
            }
        }
        report(self.store_set()?)?;
        report(self.store_get()?)
    }

    fn put(&mut self, source: &[u8]) -> Result<Figures> {
        let (pool, remote) = (self.pool, self.remote);
        let own = calls(move || pool.put(source, remote));
        let raw = lanes(source.len()).map(|route| route.put(Op::Put, source));
        self.compare("put", source.len(), 1, own, raw.collect())
    }

    fn get(&mut self, to: &mut [u8], raw: &mut [u8]) -> Result<Figures> {
        let (pool, remote, bytes) = (self.pool, self.remote, to.len());
        let own = calls(move || pool.get(remote, &mut *to));
        let raw = RefCell::new(raw);
        let raw = lanes(bytes).map(|route| route.get(Op::Get, &raw));
        self.compare("get", bytes, 1, own, raw.collect())
    }

    fn puts(&mut self, source: &[u8], flight: u32) -> Result<Figures> {
        let (pool, remote, bytes) = (self.pool, self.remote, source.len());
        let from = source.as_ptr();
        let put = move || {
            // SAFETY: the source lives until the burst has been waited for.
            unsafe { pool.start(from, remote, bytes, SMEMB_COPY_H2G) }
        };
        let own = bursts(flight, put, || pool.wait());
        let raw = lanes(bytes).map(|route| route.put(Op::PutStream, source));
        self.compare("put", bytes, flight, own, raw.collect())
    }

    fn store_set(&mut self) -> Result<Figures> {
        let (store, value) = (self.store, [7; 8]);
        let own = calls(move || store.set(c"perf/line/value", &value, MFX_SESSION));
        let raw = lanes(value.len()).map(|route| route.put(Op::Put, &value));
        self.compare("store set", value.len(), 1, own, raw.collect())
    }

    fn store_get(&mut self) -> Result<Figures> {
        let (store, value) = (self.store, [7; 8]);
        let own = calls(move || store.get(c"perf/line/value", Duration::ZERO, &mut [0; 8]).map(drop));
        let raw = lanes(value.len()).map(|route| route.put(Op::Put, &value));
        self.compare("store get", value.len(), 1, own, raw.collect())
    }

    /// Measures in turns; a turn of calls one after the other has few of them: each takes a round trip.
    fn compare<'b>(
        &mut self,
        call: &str,
        bytes: usize,
        in_flight: u32,
        own: Named<'b>,
        raw: Vec<Named<'b>>,
    ) -> Result<Figures> {
        let mut named: Vec<Named<'b>> = std::iter::once(own).chain(raw).collect();
        let mut routes: Vec<&mut dyn Candidate<Tools>> =
            named.iter_mut().map(|route| route as &mut dyn Candidate<Tools>).collect();
        let one = if bytes as u64 <= SHORT_BYTES_MAX && !self.calls.quick { 10 } else { 1 };
        let number = vec![in_flight.max(one); routes.len()];
        let turns = if self.calls.quick { 1 } else { 3 };
        let mut measured = compare(turns, &number, self.tools, &mut routes)?;
        let own = measured.remove(0);
        Ok(Figures { call: call.to_owned(), bytes: bytes as u64, in_flight, own, raw: measured })
    }

    /// A figure without a baseline.
    pub(super) fn alone(&self, call: &str, seconds: f64) -> Figures {
        let own = Measured { name: "pool".to_owned(), seconds: vec![seconds], cpu_seconds: 0.0 };
        Figures { call: call.to_owned(), bytes: 0, in_flight: 1, own, raw: Vec::new() }
    }
}

/// The raw sockets beside a call: one connection, of long calls also four.
fn lanes(bytes: usize) -> impl Iterator<Item = Route> {
    let lanes: &[usize] = if bytes as u64 <= SHORT_BYTES_MAX { &[1] } else { &[1, 4] };
    lanes.iter().map(|lanes| Route { waiting: Waiting::Block, lanes: *lanes, suite: None })
}
