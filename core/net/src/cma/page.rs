// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The page that an owner of memory and one other process share, and its mapping.

use std::os::fd::{AsFd, OwnedFd};

use mf_base::os::mapped::Mapped;
use mf_base::os::memfile::MemFile;
use mf_base::settings::Switch;
use mf_base::sync::shared_rcu::SharedRcu;
use mf_base::{Error, Result};

const OP: &str = "cma";

/// A mapped page.
pub(super) struct Page(Mapped);

impl Page {
    /// Makes a page of zeroes, with its descriptor.
    ///
    /// # Errors
    /// `NoResources`, `OutOfMemory`.
    pub(super) fn create() -> Result<(Self, OwnedFd)> {
        let file = MemFile::create("mf-visits", Self::bytes(), Switch::Off)?;
        let descriptor = file.as_fd().try_clone_to_owned().map_err(|error| {
            Error::new(mf_base::Kind::NoResources, OP).what("no descriptor is left").source(error)
        })?;
        Ok((Self(Mapped::new(&file)?), descriptor))
    }

    /// The page that another process has sent.
    ///
    /// # Errors
    /// `InvalidParam` it is too short, or may shrink · `OutOfMemory`.
    pub(super) fn of(descriptor: OwnedFd) -> Result<Self> {
        let file = MemFile::from_descriptor(descriptor, Self::bytes(), true)?;
        Mapped::new(&file).map(Self)
    }

    /// Its length.
    pub(super) fn bytes() -> u64 {
        (size_of::<SharedRcu>() as u64).next_multiple_of(mf_base::os::process::page_bytes())
    }

    /// Returns its contents.
    #[inline(always)]
    pub(super) fn visits(&self) -> &SharedRcu {
        // SAFETY: mapped for as long as `self`, at a page and with at least so many bytes, and sealed against
        // shrinking; it consists of atomics, for which any bytes will do.
        unsafe { &*self.0.base().cast::<SharedRcu>() }
    }
}
