// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Populates fresh memory, so that first copies into it meet no page faults.
//!
//! Clearing the pages is most of the work, and one huge page costs far less than 512 normal ones. Shared
//! memory gets huge pages at its first touch only where the administrator allows it, which few systems do;
//! but `MADV_COLLAPSE` (Linux 6.1) makes them on demand from 2 MiB of which at least one page exists. So if
//! huge pages are wanted, the first page of each is populated, then it is collapsed, and then missing pages
//! are populated as normal ones.
//!
//! Each call holds the process's memory map: a thread that maps memory waits for it, and behind that thread
//! every page fault. So no call is for more than 2 MiB. A collapse also waits for work on every core of the
//! machine, which took seconds on loaded ones: it is skipped while the map is contended, and turned off for
//! the process once one has taken too long.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

use mf_base::os::thread;
use mf_base::{Error, Kind, Result};
use rustix::io::Errno;
use rustix::mm::{Advice, madvise};

const OPERATION: &str = "populate memory";

/// Ranges of threads meet at multiples of this, so that no two fight for one huge page.
const HUGE_PAGE: usize = 2 << 20;

/// A further thread must have at least so many bytes to do.
const THREAD_FROM: usize = 32 << 20;

/// Linux 6.1; not every C library names it yet.
const MADV_COLLAPSE: libc::c_int = 25;

/// More threads only fight for the memory's bandwidth and for the mapping's lock.
const THREADS: usize = 4;

/// A collapse takes less than 1 ms on an idle machine.
const LONGEST_COLLAPSE: Duration = Duration::from_millis(30);
/// One page takes some microseconds, unless others want the memory map.
const LONGEST_PAGE: Duration = Duration::from_millis(2);

static COLLAPSING: Collapsing = Collapsing { longest: LONGEST_COLLAPSE, is_off: AtomicBool::new(false) };

/// Controls the collapsing of pages in this process.
struct Collapsing {
    longest: Duration,
    is_off: AtomicBool,
}

impl Collapsing {
    fn is_off(&self) -> bool {
        self.is_off.load(Ordering::Relaxed)
    }

    /// Takes note of how long a collapse took.
    fn record_time(&self, took: Duration) {
        if took > self.longest && !self.is_off.swap(true, Ordering::Relaxed) {
            tracing::info!(
                took_ms = took.as_millis(),
                "huge pages take too long to make: no more are made on demand"
            );
        }
    }
}

/// Populates `bytes` bytes from `base`, a fresh mapping, in pages of `page_bytes` bytes; its contents are
/// kept.
///
/// `page_bytes` of 2 MiB and more asks for huge pages: the mapping may be of such pages (hugetlb), or of
/// normal ones that are made huge here where the kernel can, normal pages remaining where it cannot.
///
/// **Local.** Blocks for the time that the kernel needs to clear the pages; uses up to four threads
/// meanwhile. The kernel populates whole pages in one call where it can (Linux 5.14), otherwise one byte of
/// each page is touched.
///
/// # Errors
/// `OutOfMemory` the memory, or the huge pages, do not suffice · `InvalidParam` `base` is not page-aligned,
/// or the mapping is not writable · `Failed` the memory is broken. Pages that were populated before the
/// failure stay so.
///
/// # Safety
/// The range must be mapped for reading and writing, by this process, until the call returns. In the fallback
/// without kernel support, missing memory ends the process by SIGBUS, as any first touch would.
pub unsafe fn prefault(base: *mut u8, bytes: usize, page_bytes: usize) -> Result<()> {
    if !page_bytes.is_power_of_two() || !base.addr().is_multiple_of(rustix::param::page_size()) {
        return Err(Error::invalid(
            OPERATION,
            "the start is not at a page, or the page size is not a power of two",
        )
        .with("address", format_args!("{:#x}", base.addr()))
        .with("page_bytes", page_bytes));
    }
    let cpus = std::thread::available_parallelism().map_or(1, |cpus| cpus.get());
    let threads = cpus.min(THREADS).min(bytes / THREAD_FROM).max(1);
    let unit = HUGE_PAGE.max(page_bytes);
    let share = (bytes / threads).next_multiple_of(unit);
    let skew = base.align_offset(unit);
    let border = |index: usize| if index == 0 { 0 } else { (index * share + skew).min(bytes) };
    let range = |index: usize| {
        let at = border(index);
        Range { base: base.wrapping_add(at), bytes: border(index + 1) - at, page_bytes }
    };
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads)
            .map(|index| {
                let range = range(index);
                // SAFETY: the range is a part of the caller's range; the scope ends before this call returns.
                let populate = move || unsafe { range.populate(&COLLAPSING) };
                thread::spawn_scoped(scope, "mf-prefault", populate).map_err(|_| index)
            })
            .collect();
        // SAFETY: a part of the caller's range.
        let mut result = unsafe { range(0).populate(&COLLAPSING) };
        for helper in helpers {
            let theirs = match helper {
                Ok(helper) => helper.join().unwrap_or_else(|_| {
                    Err(Error::new(Kind::Failed, OPERATION).what("a populating thread panicked"))
                }),
                // SAFETY: a part of the caller's range, which no thread has, since it could not be started.
                Err(index) => unsafe { range(index).populate(&COLLAPSING) },
            };
            result = result.and(theirs);
        }
        result
    })
}

#[derive(Clone, Copy)]
struct Range {
    base: *mut u8,
    bytes: usize,
    page_bytes: usize,
}

// SAFETY: a range only names memory; the caller that populates it vouches for it.
unsafe impl Send for Range {}

impl Range {
    /// # Safety
    /// As [`prefault`].
    unsafe fn populate(self, collapsing: &Collapsing) -> Result<()> {
        let mut collapses = self.page_bytes >= HUGE_PAGE;
        for piece in self.pieces() {
            // SAFETY: as this function.
            collapses = collapses && unsafe { piece.collapse(collapsing) };
            // SAFETY: as this function.
            unsafe { piece.make() }?;
        }
        Ok(())
    }

    /// Its parts, which meet at huge pages.
    fn pieces(self) -> impl Iterator<Item = Self> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let base = self.base.wrapping_add(at);
            let bytes = (HUGE_PAGE - base.addr() % HUGE_PAGE).min(self.bytes - at);
            at += bytes;
            (bytes > 0).then_some(Self { base, bytes, ..self })
        })
    }

    /// Populates a piece.
    ///
    /// # Safety
    /// As [`prefault`].
    unsafe fn make(self) -> Result<()> {
        loop {
            // SAFETY: populating changes no content, and the caller vouches for the mapping.
            match unsafe { madvise(self.base.cast(), self.bytes, Advice::LinuxPopulateWrite) } {
                Ok(()) => return Ok(()),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(Errno::INVAL) if !self.kernel_populates() => {
                    // SAFETY: touching writes back what it read, and the caller vouches for the mapping.
                    unsafe { self.touch() };
                    return Ok(());
                }
                Err(errno) => return Err(self.error(errno)),
            }
        }
    }

    /// Makes a huge page of a piece if the kernel does. Returns false if it does not, for this mapping or any
    /// more. Missing pages are left to the later steps.
    ///
    /// # Safety
    /// As [`prefault`].
    unsafe fn collapse(self, collapsing: &Collapsing) -> bool {
        if collapsing.is_off() {
            return false;
        }
        if self.bytes < HUGE_PAGE {
            return true;
        }
        let begun = Instant::now();
        // SAFETY: populating changes no content, and the page lies in the caller's range.
        if unsafe { madvise(self.base.cast(), 1, Advice::LinuxPopulateWrite) }.is_err() {
            return false;
        }
        if begun.elapsed() > LONGEST_PAGE {
            return true;
        }
        let begun = Instant::now();
        // SAFETY: collapsing changes no content.
        let collapsed = unsafe { libc::madvise(self.base.cast(), self.bytes, MADV_COLLAPSE) };
        collapsing.record_time(begun.elapsed());
        collapsed == 0
    }

    /// Returns true if the kernel knows the advice; otherwise it refuses it even for an empty range.
    fn kernel_populates(self) -> bool {
        // SAFETY: an empty range.
        unsafe { madvise(self.base.cast(), 0, Advice::LinuxPopulateWrite) }.is_ok()
    }

    /// # Safety
    /// As [`prefault`].
    unsafe fn touch(self) {
        for at in (0..self.bytes).step_by(rustix::param::page_size()) {
            // SAFETY: `at < bytes`, mapped as the caller says, and a byte is always aligned.
            let byte = unsafe { AtomicU8::from_ptr(self.base.wrapping_add(at)) };
            // A write fault without a change: 0 becomes 0, and a byte other than 0 was touched before.
            let _ = byte.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    #[cold]
    fn error(self, errno: Errno) -> Error {
        let error = match errno {
            // EFAULT: a page of the file behind the mapping cannot be made, for want of memory or huge pages.
            Errno::NOMEM | Errno::FAULT => Error::new(Kind::OutOfMemory, OPERATION)
                .what("there is not enough memory for these pages")
                .hint("contribute less, or raise the memory limit of the cgroup, the size limit of /dev/shm or the number of huge pages"),
            Errno::INVAL => Error::invalid(OPERATION, "the range is not mapped for writing"),
            Errno::HWPOISON => Error::new(Kind::Failed, OPERATION)
                .what("the machine reports broken memory in this range")
                .hint("look at the kernel log for memory errors"),
            _ => Error::os(OPERATION, errno),
        };
        error
            .with("bytes", self.bytes)
            .with("page_bytes", self.page_bytes)
            .source(std::io::Error::from(errno))
    }
}

#[cfg(test)]
mod tests;
