// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf device`: copies with device memory, beside the plain calls of CANN between the same addresses.

use ascend_acl_sys::acl::CopyKind;
use ascend_acl_sys::{Acl, AclError, Libraries, Search};
use mf_base::{ByteLen, Error, Kind, MemKind, Result};
use mf_library::abi::{SMEMB_COPY_G2G, SMEMB_COPY_G2H, SMEMB_COPY_G2L, SMEMB_COPY_H2G, SMEMB_COPY_L2G};
use mf_library::big_memory::{Job, Pool, take_rank};
use mf_measure::turns::{Figures, Pair, Plan};
use mf_program::output::note;
use mf_program::ports::local_store_url;
use mf_program::table::{Column, figure};
use serde::Serialize;
use serde_json::json;

use super::{Buffer, length, parse_size, segment_bytes};
use crate::measurement::{Measurement, Report};

const OPERATION: &str = "mf perf device";
const SIZES: [u64; 7] = [8, 4 << 10, 64 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20];

/// Measure the pool's overhead over CANN's own copies of device memory.
///
/// Every copy goes once through the pool and once through aclrtMemcpy between the very same addresses, in
/// turns, in one process. "over" is the difference: the pool's overhead. On the simulator the host makes the
/// copies, so their speed is no measure of an NPU; only "over" does, as the pool's code is the same.
/// Therefore --simulated is required there.
#[derive(clap::Args)]
#[command(after_help = "Example:
  mf sim -- mf perf device --simulated --quick")]
pub(super) struct Args {
    /// Sizes of a copy [default: 8 B to 64 MiB].
    #[arg(long, value_delimiter = ',', value_parser = parse_size, value_name = "SIZE,...")]
    sizes: Vec<u64>,
    /// Number of the device.
    #[arg(long, default_value = "0", value_name = "N")]
    device: u16,
    /// Measure on the simulator too.
    #[arg(long)]
    simulated: bool,
    /// Fewer turns: a first impression within seconds.
    #[arg(long)]
    quick: bool,
}

/// Figures of one copy.
#[derive(Serialize)]
struct Row {
    copy: &'static str,
    bytes: u64,
    seconds: f64,
    plain_seconds: f64,
}

const COLUMNS: [Column<'static, Row>; 6] = [
    ("copy", |row| row.copy.to_owned()),
    ("size", |row| ByteLen(row.bytes).to_string()),
    ("pool ns", |row| figure(row.seconds * 1e9)),
    ("aclrtMemcpy ns", |row| figure(row.plain_seconds * 1e9)),
    ("over ns", |row| figure((row.seconds - row.plain_seconds) * 1e9)),
    ("over %", |row| figure((row.seconds / row.plain_seconds - 1.0) * 100.0)),
];

impl Measurement for Args {
    const NAME: &'static str = "device";

    fn measure(&self) -> Result<Option<Report>> {
        let sizes = if self.sizes.is_empty() { SIZES.to_vec() } else { self.sizes.clone() };
        let libraries = Libraries::open(&Search::from_environment()).map_err(|error| {
            Error::new(Kind::NotExist, OPERATION)
                .what("there is no CANN here")
                .source(error)
                .hint("on a machine without an NPU: mf sim -- mf perf device --simulated")
        })?;
        let simulator = libraries.acl().origin().simulator();
        if let Some(version) = simulator {
            if !self.simulated {
                return Err(Error::invalid(OPERATION, "this is the simulator, whose copies are the host's")
                    .hint("--simulated measures all the same what the pool adds"));
            }
            note(&format!("mf perf device: simulated ({version}); only what the pool adds means something"));
        }
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let job = Job::join(&local_store_url()?, 1, self.device, |config| {
            take_rank(config, Some(0));
            config.dynamic_world_size = 1;
        })?;
        let segment = segment_bytes(largest * 2).next_multiple_of(1 << 30);
        let pool = job.create(0, 0, segment)?;
        pool.join()?;
        let mut bench = Bench::new(pool, libraries.acl(), self.device, length(largest)?)?;
        let mut rows = Vec::new();
        for bytes in sizes {
            rows.extend(bench.measure(bytes, self.quick)?);
        }
        drop(bench);
        let mut report = Report::of(&rows, 1, &COLUMNS);
        report.more = json!({ "simulated": simulator.is_some() });
        Ok(Some(report))
    }
}

/// The memory at both ends, and what copies it.
struct Bench<'a> {
    /// Dropped before its registered memory.
    pool: Pool,
    acl: &'a Acl,
    segment: *mut u8,
    half: usize,
    host: Buffer,
    registered: Buffer,
    own: DeviceBuffer<'a>,
}

impl<'a> Bench<'a> {
    fn new(pool: Pool, acl: &'a Acl, device: u16, bytes: usize) -> Result<Self> {
        // As a program does that uses the device itself.
        acl.set_device(device.into()).map_err(|error| failed("aclrtSetDevice", &error))?;
        let own = DeviceBuffer::new(acl, bytes)?;
        let segment = pool.address(MemKind::Device, 0)?;
        let half = length(pool.local_bytes(MemKind::Device) / 2)?;
        let (host, mut registered) = (Buffer::filled(bytes), Buffer::filled(bytes));
        // SAFETY: nothing else uses the buffer, and the bench drops it behind the pool.
        unsafe { pool.register(start_of(&mut registered), bytes as u64) }?;
        Ok(Self { pool, acl, segment, half, host, registered, own })
    }

    fn measure(&mut self, bytes: u64, quick: bool) -> Result<Vec<Row>> {
        let (host, registered, own) =
            (start_of(&mut self.host), start_of(&mut self.registered), self.own.address());
        let (segment, other) = (self.segment, self.segment.wrapping_add(self.half));
        use CopyKind::{DeviceToDevice, DeviceToHost, HostToDevice};
        let copies: [(&str, *mut u8, *mut u8, u32, CopyKind); 6] = [
            ("host → pool", host, segment, SMEMB_COPY_H2G, HostToDevice),
            ("pool → host", segment, host, SMEMB_COPY_G2H, DeviceToHost),
            ("registered host → pool", registered, segment, SMEMB_COPY_H2G, HostToDevice),
            ("device → pool", own, segment, SMEMB_COPY_L2G, DeviceToDevice),
            ("pool → device", segment, own, SMEMB_COPY_G2L, DeviceToDevice),
            ("pool → pool", segment, other, SMEMB_COPY_G2G, DeviceToDevice),
        ];
        copies
            .into_iter()
            .map(|(name, src, dst, copy, kind)| self.compare(name, src, dst, bytes, copy, kind, quick))
            .collect()
    }

    #[expect(clippy::too_many_arguments, reason = "a line of the table above, spread out")]
    fn compare(
        &self,
        name: &'static str,
        src: *mut u8,
        dst: *mut u8,
        bytes: u64,
        copy_type: u32,
        kind: CopyKind,
        quick: bool,
    ) -> Result<Row> {
        let size = length(bytes)?;
        let mut own = |calls: u32| {
            for _ in 0..calls {
                // SAFETY: both ends hold `bytes` and live until this measurement has ended.
                unsafe { self.pool.copy_raw(src, dst, size, copy_type, 0) }?;
            }
            Ok(())
        };
        let mut plain = |calls: u32| {
            for _ in 0..calls {
                // SAFETY: as above; the pool's memory stays mapped while the pool is joined.
                unsafe { self.acl.memcpy(dst.cast(), size, src.cast(), size, kind) }
                    .map_err(|error| failed("aclrtMemcpy", &error))?;
            }
            Ok(())
        };
        let pair = Pair::measure(Plan::for_bytes(bytes, quick), &mut own, &mut plain)?;
        let Figures { seconds, plain_seconds, .. } = Pair::figures(&[pair]);
        Ok(Row { copy: name, bytes, seconds, plain_seconds })
    }
}

/// Device memory of our own.
struct DeviceBuffer<'a> {
    acl: &'a Acl,
    start: *mut std::ffi::c_void,
}

impl<'a> DeviceBuffer<'a> {
    fn new(acl: &'a Acl, bytes: usize) -> Result<Self> {
        let start = acl
            .malloc(bytes, ascend_acl_sys::raw::types::ACL_MEM_MALLOC_HUGE_FIRST)
            .map_err(|error| failed("aclrtMalloc", &error))?;
        Ok(Self { acl, start })
    }

    fn address(&self) -> *mut u8 {
        self.start.cast()
    }
}

impl Drop for DeviceBuffer<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `new`, freed once, and no copy is in flight.
        if let Err(error) = unsafe { self.acl.free(self.start) } {
            note(&format!("mf perf device: {error}"));
        }
    }
}

fn start_of(buffer: &mut Buffer) -> *mut u8 {
    buffer.bytes_mut().as_mut_ptr()
}

fn failed(function: &'static str, error: &AclError) -> Error {
    Error::new(Kind::Failed, OPERATION)
        .what("CANN refused")
        .with("function", function)
        .source(error.to_string())
}
