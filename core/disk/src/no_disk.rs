// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A disk that is not there: every call fails with `ENODEV`.

use rustix::io::Errno;

use crate::disk::{Area, Disk};

pub(crate) struct NoDisk;

impl Disk for NoDisk {
    fn read(&self, _: Area, _: u64, _: &mut [u8]) -> Result<(), Errno> {
        Err(Errno::NODEV)
    }

    fn write(&self, _: Area, _: u64, _: &[u8]) -> Result<(), Errno> {
        Err(Errno::NODEV)
    }

    fn sync(&self, _: Area) -> Result<(), Errno> {
        Err(Errno::NODEV)
    }

    fn allocate(&self, _: u64, _: u64) -> Result<(), Errno> {
        Err(Errno::NODEV)
    }

    fn discard(&self, _: u64, _: u64) -> Result<(), Errno> {
        Err(Errno::NODEV)
    }
}
