// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels: programs that run on the accelerator of this process.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use mf_smem::kernel::{Binary, Code, LaunchOptions};

use crate::error::Wrap;
use crate::{Gva, Job, Result};

/// A loaded kernel binary. Cheap to clone. `Send` and `Sync`.
#[derive(Clone)]
pub struct Kernel(Binary);

impl Kernel {
    /// Loads a binary from a file on the accelerator of this process.
    ///
    /// # Errors
    /// `NotExist` there is no accelerator, or no such file · `InvalidParam` no binary for this chip.
    pub fn from_file(job: &Job, file: impl AsRef<Path>) -> Result<Self> {
        Binary::load(job.context().devices(), Code::File(file.as_ref())).map(Self).wrap()
    }

    /// Loads a binary from memory on the accelerator of this process.
    ///
    /// # Errors
    /// `NotExist` there is no accelerator · `InvalidParam` no binary for this chip.
    pub fn from_bytes(job: &Job, bytes: &[u8]) -> Result<Self> {
        Binary::load(job.context().devices(), Code::Bytes(bytes)).map(Self).wrap()
    }

    pub(super) fn inner(&self) -> &Binary {
        &self.0
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").finish_non_exhaustive()
    }
}

/// Arguments of a kernel, in the order of its declaration.
#[derive(Clone, Debug, Default)]
pub struct Arguments(mf_smem::kernel::Arguments);

impl Arguments {
    /// Makes an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an address.
    #[must_use]
    pub fn address(self, address: Gva) -> Self {
        Self(self.0.address(address))
    }

    /// Appends a u64 argument.
    #[must_use]
    pub fn u64(self, value: u64) -> Self {
        Self(self.0.u64(value))
    }

    /// Appends a u32 argument.
    #[must_use]
    pub fn u32(self, value: u32) -> Self {
        Self(self.0.u32(value))
    }

    /// Appends an f32 argument.
    #[must_use]
    pub fn f32(self, value: f32) -> Self {
        Self(self.0.f32(value))
    }

    pub(super) fn inner(&self) -> &mf_smem::kernel::Arguments {
        &self.0
    }
}

/// Options of a launch.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Launch {
    blocks: u32,
    limit: Option<Duration>,
}

impl Launch {
    /// A launch on this number of blocks, from 1; each is a core's work.
    pub fn new(blocks: u32) -> Self {
        Self { blocks, limit: None }
    }

    /// Bounds the run, in whole microseconds (default: the device's own limit).
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        self
    }

    pub(super) fn options(self) -> LaunchOptions {
        LaunchOptions { blocks: self.blocks, timeout: self.limit, stream: None }
    }
}
