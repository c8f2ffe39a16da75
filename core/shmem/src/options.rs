// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a world.

use std::time::Duration;

use mf_base::settings::settings;
use mf_base::{Error, MemKind, Result};
use mf_device::FabricHandle;
use mf_job::id_ranges::{Number, OPEN_SHMEM, SYMMETRIC_HEAP};
use mf_job::{Config, Tenant};

use crate::fast_path::AddressTable;
use crate::statics::Statics;

const OP: &str = "symmetric heap options";
/// Index of the heap's pool among the pools of a world's number.
const MEMORY: u32 = 0;
/// Index of a second heap's pool.
const HOST_SIDE: u32 = 1;

/// Wait limit of programs that set none: practically for ever.
const NO_LIMIT: Duration = Duration::from_secs(30 * 24 * 3600);

/// Thread levels: which threads of a PE make calls. Every level is granted as requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThreadLevel {
    /// Only one thread exists.
    Single,
    /// Only the thread that has begun the world.
    Funneled,
    /// Any thread, one at a time.
    Serialized,
    /// Any thread, concurrently.
    #[default]
    Multiple,
}

impl ThreadLevel {
    /// Returns the level with a number from 0 to 3; `None` for other numbers.
    pub fn of_number(number: i32) -> Option<Self> {
        [Self::Single, Self::Funneled, Self::Serialized, Self::Multiple]
            .into_iter()
            .find(|level| level.number() == number)
    }

    /// Returns its number, from 0; levels that allow more have higher ones.
    pub const fn number(self) -> i32 {
        match self {
            Self::Single => 0,
            Self::Funneled => 1,
            Self::Serialized => 2,
            Self::Multiple => 3,
        }
    }
}

/// A buffer of the program, for the first part of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its address, a multiple of the page; of the granule of the accelerator for its memory.
    pub address: u64,
    /// Its length, a multiple of the same.
    pub bytes: u64,
    /// The handle by which the program has exported it to other PEs; `None`: the library exports it. For
    /// memory of an accelerator with such handles.
    pub fabric_handle: Option<FabricHandle>,
}

/// Options of a world.
#[derive(Debug)]
pub struct Options {
    pub(crate) tenant: Tenant,
    pub(crate) number: Number,
    /// Index of the heap's pool among the pools of this number.
    pub(crate) part: u32,
    pub(crate) config: Config,
    /// Record for kernels of a heap in device memory; `None`: not shown to kernels.
    pub(crate) kernels_record: Option<u32>,
    /// Kind of memory for the heap, if the process has an accelerator; host memory without one.
    pub(crate) heap: MemKind,
    /// True if arguments may be addresses of the accelerator's memory.
    pub(crate) takes_device_memory: bool,
    pub(crate) heap_bytes: Option<u64>,
    pub(crate) most_heap_bytes: u64,
    /// Buffers of the program, the first part of the heap, in order.
    pub(crate) buffers: Vec<Buffer>,
    /// Queue pairs of kernels to each PE; the same on all.
    pub(crate) queue_pairs: u32,
    pub(crate) thread_level: ThreadLevel,
    pub(crate) table: Option<&'static AddressTable>,
    pub(crate) statics: Statics,
    pub(crate) waits_anywhere: bool,
    /// `None`: the control timeout of the job.
    pub(crate) meeting_limit: Option<Duration>,
}

impl Options {
    /// Options of OpenSHMEM's world in the job of the configuration; a process is a PE of at most one. Its
    /// PEs are the ranks of the job.
    ///
    /// # Errors
    /// `InvalidParam` `MF_SHMEM_SYMMETRIC_MAX` is not a size.
    pub fn open_shmem(config: Config) -> Result<Self> {
        Self::new(Tenant::new("OpenSHMEM"), OPEN_SHMEM.number(OP, 0)?, config)
    }

    /// Like [`open_shmem`](Self::open_shmem), with the rank set by the launcher (without one: a job of this
    /// process alone), the heap size of `MF_SHMEM_SYMMETRIC_SIZE`, and the limit of collective calls of
    /// `MF_SHMEM_TIMEOUT`.
    ///
    /// # Errors
    /// Errors of [`Config::from_launcher_or_alone`] · `InvalidParam` invalid size.
    pub fn from_env() -> Result<Self> {
        let limit = Some(settings()?.symmetric_timeout).filter(|limit| !limit.is_zero());
        let options = Self::open_shmem(Config::from_launcher_or_alone()?)?;
        let options = options.meeting_limit(limit.unwrap_or(NO_LIMIT));
        match settings()?.symmetric_size.as_str() {
            "" => Ok(options),
            text => Ok(options.heap_bytes(heap_bytes_of(text)?)),
        }
    }

    /// Options of instance `id` (0 to 254) of CANN's family: its heap is in the memory of the accelerator, if
    /// the process has one, else in host memory. Local ends of copies may be either.
    ///
    /// # Errors
    /// `InvalidParam` invalid instance, or `MF_SHMEM_SYMMETRIC_MAX` is not a size.
    pub fn instance(id: u32, config: Config) -> Result<Self> {
        let number = SYMMETRIC_HEAP.number(OP, id)?;
        let options = Self::new(Tenant::new("symmetric heap").instance(id), number, config)?;
        let heap = if options.config.is_without_accelerator() { MemKind::Host } else { MemKind::Device };
        Ok(Self { heap, takes_device_memory: true, kernels_record: Some(2 * id), ..options })
    }

    /// Options of the second heap of that instance, in host memory.
    ///
    /// # Errors
    /// `InvalidParam` invalid instance.
    pub fn host_side(id: u32, config: Config) -> Result<Self> {
        let tenant = Tenant::new("symmetric heap, host side").instance(id);
        let options = Self::new(tenant, SYMMETRIC_HEAP.number(OP, id)?, config)?;
        Ok(Self { part: HOST_SIDE, takes_device_memory: true, ..options })
    }

    /// Allows waits and tests on any memory of this process, not only on symmetric memory.
    #[must_use]
    pub fn waits_anywhere(mut self) -> Self {
        self.waits_anywhere = true;
        self
    }

    fn new(tenant: Tenant, number: Number, config: Config) -> Result<Self> {
        let most_heap_bytes = match settings()?.symmetric_max.as_str() {
            "" => 0,
            text => heap_bytes_of(text)?,
        };
        Ok(Self {
            tenant,
            number,
            part: MEMORY,
            config,
            kernels_record: None,
            heap: MemKind::Host,
            takes_device_memory: false,
            heap_bytes: None,
            most_heap_bytes,
            buffers: Vec::new(),
            queue_pairs: 1,
            thread_level: ThreadLevel::default(),
            table: None,
            statics: Statics::unavailable("this world has none"),
            waits_anywhere: false,
            meeting_limit: None,
        })
    }

    /// Adds static data of this process, which becomes symmetric, too. Default: none.
    #[must_use]
    pub fn statics(mut self, statics: Statics) -> Self {
        self.statics = statics;
        self
    }

    /// Sets the bytes of each PE's heap, the same on all; rounded up to 2 MiB. Memory is allocated on first
    /// touch. Default: a quarter of the memory of the smallest host, divided by the PEs there, at least 64
    /// MiB.
    #[must_use]
    pub fn heap_bytes(mut self, bytes: u64) -> Self {
        self.heap_bytes = Some(bytes);
        self
    }

    /// Sets the bytes to which each PE's heap may grow when an allocation does not fit, the same on all;
    /// these addresses are reserved when the world begins. If not larger than the heap, it does not grow.
    /// Default: `MF_SHMEM_SYMMETRIC_MAX`.
    #[must_use]
    pub fn most_heap_bytes(mut self, bytes: u64) -> Self {
        self.most_heap_bytes = bytes;
        self
    }

    /// Makes buffers of this process the first part of its heap, in order, with their contents; the size of
    /// the heap includes them. The sizes are the same on all PEs. In host memory the pages of a buffer are
    /// replaced by the heap's: no thread uses it until the world has begun.
    #[must_use]
    pub fn buffers(mut self, buffers: Vec<Buffer>) -> Self {
        self.buffers = buffers;
        self
    }

    /// Sets the number of queue pairs that kernels may name to each PE, the same on all. Default: 1.
    #[must_use]
    pub fn queue_pairs(mut self, number: u32) -> Self {
        self.queue_pairs = number;
        self
    }

    /// Sets the thread level (default: any thread, concurrently).
    #[must_use]
    pub fn thread_level(mut self, level: ThreadLevel) -> Self {
        self.thread_level = level;
        self
    }

    /// Sets the limit of collective calls for their waits for other PEs. Default: the control timeout of the
    /// job. Independent of it, the loss of a PE is noticed at once, and a wait that lasts a minute is logged.
    #[must_use]
    pub fn meeting_limit(mut self, limit: Duration) -> Self {
        self.meeting_limit = Some(limit);
        self
    }

    /// Shows the world in a table of addresses of PEs' memory, as long as it is alive. A table shows one
    /// world at a time.
    #[must_use]
    pub fn publish_in(mut self, table: &'static AddressTable) -> Self {
        self.table = Some(table);
        self
    }
}

/// Returns the default heap size, with `pes` PEs on a host of this memory: a quarter of it, divided by them,
/// and 64 MiB at least.
pub fn default_heap_bytes(memory_bytes: u64, pes: u64) -> u64 {
    const LEAST: u64 = 64 << 20;
    (memory_bytes / 4 / pes.max(1)).max(LEAST)
}

/// Parses a size in the format of the standard: a number, or a decimal fraction, then perhaps one of `k`,
/// `m`, `g`, `t` of either case (powers of 1024); text after the suffix is ignored. A fraction of a byte is
/// rounded up.
///
/// # Errors
/// `InvalidParam` malformed, or too large.
pub fn heap_bytes_of(text: &str) -> Result<u64> {
    let bad = |what: &str| {
        Error::invalid(OP, what)
            .with("text", text)
            .hint("MF_SHMEM_SYMMETRIC_SIZE (SHMEM_SYMMETRIC_SIZE): write a number of bytes, or a number and one of k, m, g, t, for example 512m or 1.5g")
    };
    let trimmed = text.trim();
    let digits = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
    let (number, suffix) = trimmed.split_at(digits);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
        return Err(bad("invalid symmetric heap size"));
    }
    let shift = match suffix.chars().next().map(|c| c.to_ascii_lowercase()) {
        None => 0,
        Some('k') => 10,
        Some('m') => 20,
        Some('g') => 30,
        Some('t') => 40,
        Some(_) => return Err(bad("unknown unit of the symmetric heap size")),
    };
    let unit = 1u128 << shift;
    let too_large = || bad("the symmetric heap is too large");
    let whole: u128 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| too_large())? };
    // Digits behind the eighteenth are less than a byte in the largest unit.
    let kept = fraction.get(..18).unwrap_or(fraction);
    let is_cut = fraction.bytes().skip(18).any(|digit| digit != b'0');
    let scale = 10u128.pow(u32::try_from(kept.len()).unwrap_or(18));
    let part: u128 = if kept.is_empty() { 0 } else { kept.parse().map_err(|_| too_large())? };
    let part = (part * unit + u128::from(is_cut)).div_ceil(scale);
    let bytes = whole.checked_mul(unit).and_then(|bytes| bytes.checked_add(part));
    bytes.and_then(|bytes| u64::try_from(bytes).ok()).ok_or_else(too_large)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_parse_as_in_the_standard() {
        for (text, bytes) in [
            ("0", 0),
            ("4097", 4097),
            ("20m", 20_971_520),
            ("20kk", 20 << 10),
            ("3.1M", 3_250_586),
            (".5m", 1 << 19),
            ("0.5m", 1 << 19),
            ("1.g", 1 << 30),
            ("1T", 1 << 40),
            ("0.0000000000000000001", 1),
            (" 2k ", 2048),
        ] {
            assert_eq!(heap_bytes_of(text).unwrap(), bytes, "{text}");
        }
        for text in ["", ".", "m", "-1", "1.2.3", "12q", "99999999999999999999t", "17179869184g"] {
            assert_eq!(heap_bytes_of(text).unwrap_err().code(), -2000, "{text}");
        }
    }

    #[test]
    fn levels_have_the_numbers_of_the_standard() {
        let levels: Vec<_> = (0..4).map(|number| ThreadLevel::of_number(number).unwrap()).collect();
        assert!(levels.is_sorted() && levels[3] == ThreadLevel::default());
        assert!(ThreadLevel::of_number(4).is_none() && ThreadLevel::of_number(-1).is_none());
    }
}
