// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host memory of this process that others of the host may map: a memory file.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::os::mapped::Mapped;
use mf_base::os::memfile::MemFile;
use mf_base::os::process::{HUGE_PAGE_BYTES, page_bytes};
use mf_base::settings::{Switch, settings};
use mf_base::{Error, Kind, Result};

use super::OP;

/// Memory of zeroes, at an address that is a multiple of the page. Freed with its last share.
#[derive(Debug)]
pub struct Allocation {
    id: u64,
    file: MemFile,
    mapped: Mapped,
}

impl Allocation {
    /// Allocates `bytes` or a little more, of huge pages where the settings ask for them.
    ///
    /// # Errors
    /// `InvalidParam` 0 bytes, or more than there are · `OutOfMemory`, `NoResources`.
    pub fn new(bytes: u64) -> Result<Self> {
        let settings = settings()?;
        let unit = if bytes >= HUGE_PAGE_BYTES { HUGE_PAGE_BYTES } else { page_bytes() };
        let rounded = bytes.checked_next_multiple_of(unit).filter(|bytes| *bytes > 0);
        let rounded = rounded.ok_or_else(|| {
            Error::invalid(OP, "a length of 0, or more than there are").with("bytes", bytes)
        })?;
        let huge = if settings.normal_pages { Switch::Off } else { settings.huge_pages };
        let file = MemFile::create("mf-registered", rounded, huge)?;
        let mapped = Mapped::new(&file)?;
        if !settings.core_files {
            mapped.leave_out_of_dumps();
        }
        Ok(Self { id: next_id(), file, mapped })
    }

    /// Its first address.
    pub fn start(&self) -> u64 {
        self.mapped.base().addr() as u64
    }

    /// The same, for access. Others may change the bytes at any time.
    pub fn base(&self) -> *mut u8 {
        self.mapped.base()
    }

    /// Its length, which may be more than was asked for.
    pub fn bytes(&self) -> u64 {
        self.mapped.bytes() as u64
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// For another process to map; and the length of the file.
    pub(super) fn descriptor(&self) -> Result<(OwnedFd, u64)> {
        let copy = self.file.as_fd().try_clone_to_owned();
        let copy =
            copy.map_err(|e| Error::new(Kind::NoResources, OP).what("no descriptor is left").source(e))?;
        Ok((copy, self.file.bytes()))
    }
}

/// A number that no file and no export has had.
pub(super) fn next_id() -> u64 {
    static IDS: AtomicU64 = AtomicU64::new(1);
    IDS.fetch_add(1, Ordering::Relaxed)
}
