// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory files: shared memory without a name.
//!
//! A memory file exists as long as a process holds its descriptor or maps it, so nothing is left behind by a
//! killed process. It is sealed against shrinking before any other process sees it: a mapping of it can never
//! fault because another process cut it short. It may grow.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags};

use super::process::{HUGE_PAGE_BYTES, file_limit, memory_limits_text};
use crate::error::{Error, Kind, Result};
use crate::os::descriptor;
use crate::settings::Switch;
use crate::units::ByteLen;

const OP: &str = "memory file";

/// A shared memory file with its present size.
#[derive(Debug)]
pub struct MemFile {
    fd: OwnedFd,
    bytes: u64,
    pages: Pages,
}

/// Kind of a file's pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// Base pages; transparent huge pages where the kernel grants them.
    Normal,
    /// Pages of the huge page pool, reserved when they are mapped.
    Huge,
}

impl MemFile {
    /// Makes a sealed file of `bytes` zeroes; no page is touched yet.
    ///
    /// `huge`: `Auto` takes pages of the huge page pool when it has enough free ones for the whole file, `On`
    /// insists on them, `Off` takes base pages.
    ///
    /// # Errors
    /// `NoResources` out of descriptors · `OutOfMemory` no memory, or `huge` is `On` and the pool is too
    /// small.
    pub fn create(name: &str, bytes: u64, huge: Switch) -> Result<Self> {
        let huge = match huge {
            Switch::Auto
                if bytes == 0 || !bytes.is_multiple_of(HUGE_PAGE_BYTES) || free_huge_bytes() < bytes =>
            {
                Switch::Off
            }
            choice => choice,
        };
        match huge {
            Switch::Off => Self::make(name, bytes, Pages::Normal),
            Switch::On => Self::make(name, bytes, Pages::Huge).map_err(|error| {
                if error.kind() == Kind::OutOfMemory {
                    return error.what("MF_HUGE_PAGES=on requires huge pages, and their pool has too few free").hint(
                        format!(
                            "the pool has {} free; reserve more as root (sysctl vm.nr_hugepages=PAGES), or set \
                             MF_HUGE_PAGES=auto",
                            ByteLen(free_huge_bytes())
                        ),
                    );
                }
                error
            }),
            // Another process may have taken the pages since they were counted.
            Switch::Auto => Self::make(name, bytes, Pages::Huge).or_else(|error| {
                tracing::warn!("a segment is made of ordinary pages: {error}");
                Self::make(name, bytes, Pages::Normal)
            }),
        }
    }

    fn make(name: &str, bytes: u64, pages: Pages) -> Result<Self> {
        let mut flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        if pages == Pages::Huge {
            flags |= MemfdFlags::HUGETLB;
        }
        let describe = |errno| {
            Error::os(OP, errno)
                .with("bytes", ByteLen(bytes))
                .with("pages", format!("{pages:?}"))
                .hint(memory_limits_text())
        };
        check_file_limit(bytes)?;
        // Files of /dev/shm would not do: they cannot be sealed against shrinking.
        let fd = descriptor::memfd(name, flags).map_err(|errno| match errno {
            Errno::NOSYS | Errno::PERM | Errno::ACCESS if pages == Pages::Normal => Error::os(OP, errno)
                .what("the kernel refuses memfd_create, of which all shared memory is made")
                .with("bytes", ByteLen(bytes))
                .hint("allow the system call: a filter of a container (seccomp) or an emulator refuses it"),
            errno => describe(errno),
        })?;
        rustix::fs::ftruncate(&fd, bytes).map_err(describe)?;
        rustix::fs::fcntl_add_seals(&fd, SealFlags::SHRINK | SealFlags::SEAL).map_err(describe)?;
        let file = Self { fd, bytes, pages };
        if pages == Pages::Huge && bytes > 0 {
            file.reserve_pages()?;
        }
        Ok(file)
    }

    /// Reserves the huge pages of the whole file: the kernel counts them for the file when it is first mapped
    /// and keeps the count with it. Without that, a page that is missing later would end the process that
    /// touches it.
    fn reserve_pages(&self) -> Result<()> {
        let length = usize::try_from(self.bytes)
            .map_err(|_| Error::invalid(OP, "the size does not fit this machine"))?;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping at an address of the kernel's choice, without users.
        let mapped =
            unsafe { rustix::mm::mmap(std::ptr::null_mut(), length, access, MapFlags::SHARED, &self.fd, 0) };
        let address = mapped.map_err(|errno| mapping_error(errno, self.bytes, self.pages))?;
        // SAFETY: the mapping was just made and no other code knows it.
        unsafe { rustix::mm::munmap(address, length) }
            .map_err(|errno| mapping_error(errno, self.bytes, self.pages))
    }

    /// Takes a descriptor that another process sent, and checks that it is a file of at least `bytes` which
    /// cannot shrink. `sealed` false accepts a file that is not sealed (a user's own shared memory
    /// object).
    ///
    /// # Errors
    /// `InvalidParam` when the file is smaller, or can shrink although it must not.
    pub fn from_descriptor(fd: OwnedFd, bytes: u64, sealed: bool) -> Result<Self> {
        let facts = rustix::fs::fstat(&fd).map_err(|errno| Error::os(OP, errno))?;
        let file_bytes = u64::try_from(facts.st_size).unwrap_or(0);
        if file_bytes < bytes {
            return Err(Error::invalid(OP, "a received memory file is smaller than announced")
                .with("announced_bytes", bytes)
                .with("file_bytes", file_bytes));
        }
        let seals = rustix::fs::fcntl_get_seals(&fd).unwrap_or(SealFlags::empty());
        if sealed && !seals.contains(SealFlags::SHRINK) {
            return Err(Error::invalid(OP, "a received memory file is not sealed against shrinking"));
        }
        let block = u64::try_from(facts.st_blksize).unwrap_or(0);
        let pages = if block >= HUGE_PAGE_BYTES && seals.contains(SealFlags::SHRINK) {
            Pages::Huge
        } else {
            Pages::Normal
        };
        Ok(Self { fd, bytes, pages })
    }

    /// Lengthens the file to `bytes`; the new part reads as zeroes.
    ///
    /// # Errors
    /// `InvalidParam` when the file is longer already · the errors of [`MemFile::create`].
    pub fn grow(&mut self, bytes: u64) -> Result<()> {
        if bytes < self.bytes {
            return Err(Error::invalid(OP, "a memory file cannot shrink")
                .with("from", self.bytes)
                .with("to", bytes));
        }
        let failed = |errno| Error::os(OP, errno).with("bytes", ByteLen(bytes)).hint(memory_limits_text());
        // It may be longer than is used of it, after a growth that was given up.
        let present = rustix::fs::fstat(&self.fd).map_err(failed)?.st_size;
        if u64::try_from(present).unwrap_or(0) < bytes {
            check_file_limit(bytes)?;
            rustix::fs::ftruncate(&self.fd, bytes).map_err(failed)?;
        }
        self.bytes = bytes;
        Ok(())
    }

    /// Its size in bytes, as far as this process uses it.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the kind of its pages.
    pub fn pages(&self) -> Pages {
        self.pages
    }
}

impl AsFd for MemFile {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Refuses sizes beyond the limit on the size of files: the kernel would end the process for them.
///
/// # Errors
/// `NoResources` names the limit.
pub fn check_file_limit(bytes: u64) -> Result<()> {
    match file_limit().filter(|limit| bytes > *limit) {
        None => Ok(()),
        Some(limit) => Err(Error::new(Kind::NoResources, OP)
            .what("the limit on the size of files is lower than the memory that is asked for")
            .with("bytes", ByteLen(bytes))
            .with("limit", ByteLen(limit))
            .hint("raise it (ulimit -f, RLIMIT_FSIZE): shared memory is a file to the kernel")),
    }
}

/// Free bytes of the pool of 2-MiB pages, including those the kernel may still add to it.
pub fn free_huge_bytes() -> u64 {
    let read = |name: &str| -> u64 {
        let path = format!("/sys/kernel/mm/hugepages/hugepages-{}kB/{name}", HUGE_PAGE_BYTES >> 10);
        descriptor::read_text(path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
    };
    let addable = read("nr_overcommit_hugepages").saturating_sub(read("surplus_hugepages"));
    let pages = read("free_hugepages").saturating_sub(read("resv_hugepages")).saturating_add(addable);
    pages.saturating_mul(HUGE_PAGE_BYTES)
}

/// An error for a mapping that failed although its file exists.
pub(crate) fn mapping_error(errno: Errno, bytes: u64, pages: Pages) -> Error {
    let hint = match pages {
        Pages::Huge => {
            format!("the huge page pool has {} free; {}", ByteLen(free_huge_bytes()), memory_limits_text())
        }
        Pages::Normal => memory_limits_text(),
    };
    let kind = if errno == Errno::NOMEM { Kind::OutOfMemory } else { Kind::Failed };
    Error::new(kind, OP)
        .what("memory could not be mapped")
        .with("bytes", ByteLen(bytes))
        .hint(hint)
        .source(std::io::Error::from(errno))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_grow_but_never_shrink() {
        let mut file = MemFile::create("mf-test", 4096, Switch::Off).unwrap();
        file.grow(8192).unwrap();
        assert_eq!(file.grow(4096).unwrap_err().kind(), Kind::InvalidParam);
        assert_eq!(rustix::fs::ftruncate(file.as_fd(), 0).unwrap_err(), Errno::PERM);
    }

    #[test]
    fn a_short_or_unsealed_descriptor_is_refused() {
        let file = MemFile::create("mf-test", 4096, Switch::Off).unwrap();
        let copy = file.as_fd().try_clone_to_owned().unwrap();
        assert!(MemFile::from_descriptor(copy, 8192, true).is_err());
        let bare = rustix::fs::memfd_create("mf-test", MemfdFlags::CLOEXEC).unwrap();
        rustix::fs::ftruncate(&bare, 4096).unwrap();
        assert!(MemFile::from_descriptor(bare, 4096, true).is_err());
    }

    #[test]
    fn required_huge_pages_fail_if_unavailable() {
        match MemFile::create("mf-test", HUGE_PAGE_BYTES, Switch::On) {
            Ok(file) => assert_eq!(file.pages(), Pages::Huge),
            Err(error) if error.kind() == Kind::OutOfMemory => {
                let text = error.to_string();
                assert!(
                    text.contains("MF_HUGE_PAGES=on requires") && text.contains("MF_HUGE_PAGES=auto"),
                    "{text}"
                );
            }
            Err(error) => println!("no huge pages in this kernel: {error}"),
        }
    }
}
