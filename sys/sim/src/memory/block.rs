// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Physical memory: a sparse memory file and the bytes it takes from a budget.
//!
//! The budget counts declared bytes; the host backs only touched pages, so a machine can have far more memory
//! than its host. Fresh memory is filled with a pattern, up to [`FILLED`] bytes of a block: filling more
//! would make the host back it all. The rest reads as zero.
//!
//! A host that runs out of memory ends processes. The knob `KEEP_BYTES` turns that into an error: it is
//! checked whenever a file is made, and counts the pages touched by then, in all processes.

use std::os::fd::OwnedFd;
use std::sync::Arc;

use mf_base::os::descriptor;
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::Errno;

use super::native::native;
use crate::codes::acl;
use crate::config::Config;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::session::{Claim, Location};

/// So many bytes at the front of a fresh block carry the pattern.
pub const FILLED: u64 = 64 << 20;

/// Pages a block is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum PageSize {
    /// 4 KiB.
    Normal = 4 << 10,
    /// 2 MiB.
    Huge = 2 << 20,
    /// 1 GiB.
    Giant = 1 << 30,
}

impl PageSize {
    /// Bytes of one page.
    pub const fn bytes(self) -> u64 {
        self as u64
    }
}

/// Physical memory. It lives while it is held or mapped.
#[derive(Debug)]
pub struct Block {
    /// The file behind it.
    pub file: Arc<OwnedFd>,
    /// Its size.
    pub bytes: u64,
    /// Location of the memory.
    pub location: Location,
    /// Its pages.
    pub page: PageSize,
    /// Imported from another process.
    pub imported: bool,
    /// Its part of the budget.
    pub claim: Option<Arc<Claim>>,
}

impl Block {
    /// A new block; `accounted` bytes are taken from the budget of `location`. Filled as the settings say.
    ///
    /// # Errors
    /// 207001 when budget or host memory is used up.
    pub fn create(location: Location, bytes: u64, accounted: u64, page: PageSize) -> Outcome<Arc<Self>> {
        let machine = machine()?;
        let claim = machine.session.claim(location, accounted)?;
        let file = file(bytes)?;
        paint(&file, 0..bytes.min(FILLED), &machine.config)?;
        let file = Arc::new(file);
        Ok(Arc::new(Self { file, bytes, location, page, imported: false, claim: Some(claim) }))
    }
}

/// Creates an unnamed file of `bytes` with a sealed size, so that no mapping of it can hit its end.
///
/// # Errors
/// 207001 when the host refuses.
pub fn file(bytes: u64) -> Outcome<OwnedFd> {
    leave_available(bytes.min(FILLED), machine()?.config.keep_bytes)?;
    let made = descriptor::memfd("ascend-sim-memory", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING);
    let sealed = made.and_then(|file| {
        rustix::fs::ftruncate(&file, bytes)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        Ok(file)
    });
    sealed.map_err(|error| refused(bytes, error))
}

/// Writes the pattern of fresh memory to a part of a file.
///
/// # Errors
/// 207001 when the host has no memory for it.
pub fn paint(file: &OwnedFd, part: std::ops::Range<u64>, config: &Config) -> Outcome {
    const STEP: u64 = 256 << 10;
    let Some(pattern) = config.fill else { return Ok(()) };
    let bytes = part.end - part.start;
    let paint = vec![pattern; native(bytes.min(STEP))];
    let mut at = part.start;
    while at < part.end {
        let length = native((part.end - at).min(STEP));
        match rustix::io::pwrite(file, &paint[..length], at) {
            Ok(written) => at += written as u64,
            Err(Errno::INTR) => {}
            Err(error) => return Err(refused(bytes, error)),
        }
    }
    Ok(())
}

/// Refuses to make a file of which `bytes` will be touched at once when less than `keep` would be left of the
/// host.
fn leave_available(bytes: u64, keep: u64) -> Outcome {
    if keep == 0 {
        return Ok(());
    }
    let facts = descriptor::read_text("/proc/meminfo").unwrap_or_default();
    let line = facts.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB"));
    // A host that does not report its memory cannot be guarded.
    let available = line.and_then(|kib| kib.parse::<u64>().ok()).map_or(u64::MAX, |kib| kib << 10);
    ensure(available.saturating_sub(bytes) >= keep, acl::MEMORY_ALLOCATION, || {
        format!("the host has {available} bytes left, and ASCEND_SIM_KEEP_BYTES={keep} of them are kept")
    })
}

#[cold]
fn refused(bytes: u64, error: Errno) -> Fault {
    let remedy = match error {
        Errno::MFILE => "; every large block takes a file descriptor: raise `ulimit -n`",
        Errno::NOSPC | Errno::NOMEM => "; the host has no more memory",
        _ => "",
    };
    Fault::new(
        acl::MEMORY_ALLOCATION,
        format_args!("the host gives no memory file of {bytes} bytes: {error}{remedy}"),
    )
}
