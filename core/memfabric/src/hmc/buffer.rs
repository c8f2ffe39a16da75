// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Buffers.

use std::sync::Arc;

use mf_hmc::buffer::DataIn;

use crate::Result;
use crate::error::Wrap;
use crate::process::prepare;

/// Memory type of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemoryType {
    /// The first accelerator found, else host memory.
    Default,
    /// Host memory.
    Cpu,
    /// An NVIDIA GPU.
    Nvidia,
    /// An AMD GPU, or another that HIP drives.
    Amd,
    /// A Cambricon MLU.
    Cambricon,
    /// A Moore Threads GPU.
    Moore,
    /// A Huawei Ascend NPU.
    Ascend,
}

impl MemoryType {
    fn number(self) -> i32 {
        (match self {
            Self::Default => mf_hmc::MemoryType::Default,
            Self::Cpu => mf_hmc::MemoryType::Cpu,
            Self::Nvidia => mf_hmc::MemoryType::Nvidia,
            Self::Amd => mf_hmc::MemoryType::Amd,
            Self::Cambricon => mf_hmc::MemoryType::Cambricon,
            Self::Moore => mf_hmc::MemoryType::Moore,
            Self::Ascend => mf_hmc::MemoryType::Ascend,
        }) as i32
    }
}

/// Memory that peers put to and get from at any time; zeroed if in host memory. Cheap to clone; freed with
/// the last clone. `Send` and `Sync`.
#[derive(Clone, Debug)]
pub struct Buffer(Arc<mf_hmc::Buffer>);

impl Buffer {
    /// Allocates a buffer on the device of this number; host memory has no device. **Local.**
    ///
    /// # Errors
    /// `Failed` 0 bytes, or out of memory · `NotExist` this machine lacks the memory type.
    pub fn allocate(kind: MemoryType, device: i32, bytes: u64) -> Result<Self> {
        prepare()?;
        mf_hmc::Buffer::new("hmc buffer", device, kind.number(), bytes)
            .map(|buffer| Self(Arc::new(buffer)))
            .wrap()
    }

    pub(super) fn inner(&self) -> &Arc<mf_hmc::Buffer> {
        &self.0
    }

    /// Returns its length.
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// Copies `source`, host memory, to the bytes that begin at `offset`.
    ///
    /// # Errors
    /// `Failed` the range is not inside the buffer.
    pub fn write(&self, offset: u64, source: &[u8]) -> Result<()> {
        // SAFETY: the source is a slice of host memory.
        unsafe {
            self.0.write("hmc buffer write", source.as_ptr(), source.len() as u64, offset, DataIn::Host)
        }
        .wrap()
    }

    /// Fills `destination`, host memory, from the bytes that begin at `offset`.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn read(&self, offset: u64, destination: &mut [u8]) -> Result<()> {
        let (start, bytes) = (destination.as_mut_ptr(), destination.len() as u64);
        // SAFETY: the destination is a slice of host memory.
        unsafe { self.0.read("hmc buffer read", start, bytes, offset, DataIn::Host) }.wrap()
    }
}
