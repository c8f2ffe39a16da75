// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The baseline of `mf perf group`: the C library's barrier in memory that the processes share.

use mf_base::os::mapped::Mapped;
use mf_base::os::memfile::MemFile;
use mf_base::settings::Switch;
use mf_base::{Error, Kind, Result};

const OPERATION: &str = "mf perf group";
/// Offset of the ranks' bytes.
const AREAS_AT: usize = 4096;

/// A barrier and an area for each rank.
pub(super) struct Baseline {
    memory: Mapped,
    world: usize,
    rank: usize,
}

/// Memory for so many ranks and bytes of each.
pub(super) fn file(world: u32, bytes: u64) -> Result<MemFile> {
    MemFile::create("mf-perf-group", length(world, bytes), Switch::Off)
}

/// Length of that memory.
pub(super) fn length(world: u32, bytes: u64) -> u64 {
    AREAS_AT as u64 + u64::from(world) * bytes.max(1)
}

fn check(code: i32) -> Result<()> {
    match code {
        // The one thread that was the last says so by a number of its own.
        0 | libc::PTHREAD_BARRIER_SERIAL_THREAD => Ok(()),
        code => Err(Error::new(Kind::Failed, OPERATION)
            .what("the C library's barrier failed")
            .source(std::io::Error::from_raw_os_error(code))),
    }
}

impl Baseline {
    pub(super) fn new(file: &MemFile, world: u32, rank: u32) -> Result<Self> {
        let memory = Mapped::new(file)?;
        Ok(Self { memory, world: world as usize, rank: rank as usize })
    }

    fn barrier(&self) -> *mut libc::pthread_barrier_t {
        self.memory.base().cast()
    }

    /// Rank 0, before all others.
    pub(super) fn prepare(&self) -> Result<()> {
        let mut attributes = std::mem::MaybeUninit::uninit();
        // SAFETY: it fills the attributes.
        check(unsafe { libc::pthread_barrierattr_init(attributes.as_mut_ptr()) })?;
        // SAFETY: they were filled in the line above.
        check(unsafe {
            libc::pthread_barrierattr_setpshared(attributes.as_mut_ptr(), libc::PTHREAD_PROCESS_SHARED)
        })?;
        let count = u32::try_from(self.world).unwrap_or(u32::MAX);
        // SAFETY: the barrier lies at the start of the mapping, and is not in use yet.
        check(unsafe { libc::pthread_barrier_init(self.barrier(), attributes.as_ptr(), count) })
    }

    /// One barrier.
    pub(super) fn meet(&self) -> Result<()> {
        // SAFETY: rank 0 has prepared the barrier, and the mapping lives as long as `self`.
        check(unsafe { libc::pthread_barrier_wait(self.barrier()) })
    }

    /// One allgather.
    pub(super) fn gather(&self, own: &[u8], all: &mut [u8]) -> Result<()> {
        let areas = self.memory.base().wrapping_add(AREAS_AT);
        let area = areas.wrapping_add(self.rank * own.len());
        // SAFETY: the memory has room for the bytes of all ranks (`length`), and only this rank writes here.
        unsafe { std::ptr::copy_nonoverlapping(own.as_ptr(), area, own.len()) };
        self.meet()?;
        let bytes = all.len().min(self.world * own.len());
        // SAFETY: all have written, and write again only after the next meeting.
        unsafe { std::ptr::copy_nonoverlapping(areas, all.as_mut_ptr(), bytes) };
        self.meet()
    }
}
