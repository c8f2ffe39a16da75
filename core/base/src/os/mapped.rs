// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A memory file mapped anywhere, in base pages: for small memory that several processes talk through.

use rustix::mm::{MapFlags, ProtFlags};

use super::memfile::{MemFile, mapping_error};
use crate::error::{Error, Result};

/// A mapping of a whole memory file; unmapped when dropped. Others may change its bytes at any time.
#[derive(Debug)]
pub struct Mapped {
    base: *mut u8,
    bytes: usize,
}

// SAFETY: a range of shared memory belongs to no thread; it is accessed through raw pointers or atomics only.
unsafe impl Send for Mapped {}
// SAFETY: shared references give out raw pointers and atomics only, which any thread may use.
unsafe impl Sync for Mapped {}

impl Mapped {
    /// Maps `file`, for reading and writing.
    ///
    /// # Errors
    /// `OutOfMemory` no address space left · `InvalidParam` the file is empty.
    pub fn new(file: &MemFile) -> Result<Self> {
        let bytes = usize::try_from(file.bytes()).unwrap_or(0);
        if bytes == 0 {
            return Err(Error::invalid("memory file", "an empty file cannot be mapped"));
        }
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping at an address of the kernel's choice replaces nothing.
        let mapped =
            unsafe { rustix::mm::mmap(std::ptr::null_mut(), bytes, access, MapFlags::SHARED, file, 0) };
        let base = mapped.map_err(|errno| mapping_error(errno, file.bytes(), file.pages()))?.cast();
        Ok(Self { base, bytes })
    }

    /// Leaves it out of core files: memory of others, or so much that a core file had better be without it.
    pub fn leave_out_of_dumps(&self) {
        let _larger_without = super::mapping::leave_out_of_dumps(self.base.cast(), self.bytes);
    }

    /// The first address; aligned to pages.
    pub fn base(&self) -> *mut u8 {
        self.base
    }

    /// The length in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Address and length, for unmapping.
    pub fn into_raw(self) -> (*mut u8, usize) {
        let mapped = std::mem::ManuallyDrop::new(self);
        (mapped.base, mapped.bytes)
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours since `new`, and every user held a borrow of or a share in this owner.
        let _ = unsafe { rustix::mm::munmap(self.base.cast(), self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Switch;

    #[test]
    fn two_mappings_show_the_same_bytes() {
        let file = MemFile::create("mf-test", 8192, Switch::Off).unwrap();
        let (one, two) = (Mapped::new(&file).unwrap(), Mapped::new(&file).unwrap());
        assert_eq!(one.bytes(), 8192);
        // SAFETY: inside the mapping.
        unsafe { one.base().wrapping_add(8191).write_volatile(7) };
        // SAFETY: inside the mapping.
        assert_eq!(unsafe { two.base().wrapping_add(8191).read_volatile() }, 7);
    }
}
