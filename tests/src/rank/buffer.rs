// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The member's own memory for raw copies: host memory, and with an accelerator as much device memory beside
//! it. Both have the same content until a copy writes to one; device memory is filled and checked through
//! host memory.

use mf_base::units::GIB;
use mf_base::{Gva, MemKind};
use mf_device::{Devices, Locality, Mover, Transfer, Window};
use mf_smem::bm::Piece;
use mf_tests::{Answer, Failure, pattern};

use crate::copies::compare;

/// Size of the buffer in bytes.
const BUFFER_BYTES: usize = 64 << 20;

/// Which of the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Local {
    #[default]
    Host,
    /// Without an accelerator the host memory as well.
    Device,
}

/// The buffer.
#[derive(Default)]
pub(crate) struct Buffer {
    host: Vec<u8>,
    /// Unmapped before its device is gone.
    device: Option<Box<dyn Window>>,
    devices: Option<Devices>,
    written: Local,
}

impl Buffer {
    /// Uses the accelerator among these devices from now on.
    pub(crate) fn on(&mut self, devices: &Devices) {
        self.off();
        self.devices = devices.accelerator().is_some().then(|| devices.clone());
    }

    /// Gives the device memory back.
    pub(crate) fn off(&mut self) {
        self.device = None;
        self.devices = None;
    }

    pub(crate) fn fill(&mut self, seed: u64, offset: u64, bytes: u64) -> Result<(), Failure> {
        pattern::fill(seed, self.range(offset, bytes));
        self.written = Local::Host;
        self.carry(offset, bytes, Local::Device)
    }

    /// Checks the memory that a copy has written to last, or, after a fill, at the host's.
    pub(crate) fn check(&mut self, seed: u64, offset: u64, bytes: u64) -> Result<Answer, Failure> {
        if self.written == Local::Device {
            self.carry(offset, bytes, Local::Host)?;
        }
        compare(seed, self.range(offset, bytes))
    }

    /// A copy is about to write to this one.
    pub(crate) fn is_written(&mut self, local: Local) {
        self.written = local;
    }

    /// Its first byte, for copies.
    pub(crate) fn start(&mut self, local: Local) -> Result<*mut u8, Failure> {
        match (local, self.device_start()?) {
            (Local::Device, Some(start)) => Ok(Gva(start).as_ptr()),
            _ => Ok(self.bytes().as_mut_ptr()),
        }
    }

    fn bytes(&mut self) -> &mut [u8] {
        if self.host.is_empty() {
            self.host = vec![0; BUFFER_BYTES];
        }
        &mut self.host
    }

    fn range(&mut self, offset: u64, bytes: u64) -> &mut [u8] {
        let (offset, bytes) = (usize::try_from(offset).unwrap(), usize::try_from(bytes).unwrap());
        &mut self.bytes()[offset..offset + bytes]
    }

    /// Start of the device memory, if an accelerator is used: made at first use, at the far end of its
    /// addresses.
    fn device_start(&mut self) -> Result<Option<u64>, Failure> {
        let Some(accelerator) = self.devices.as_ref().and_then(|devices| devices.accelerator().cloned())
        else {
            return Ok(None);
        };
        if let Some(window) = &self.device {
            return Ok(Some(window.base()));
        }
        let kind = MemKind::Device;
        let windows = accelerator.windows()?;
        let bytes = (BUFFER_BYTES as u64).next_multiple_of(windows.granule_bytes(kind));
        let range = windows.address_ranges(kind).last().cloned();
        let range = range.ok_or_else(|| Failure::wrong("the accelerator has no addresses to choose from"))?;
        let base = (range.end - bytes) / GIB * GIB;
        let window = windows.reserve(kind, base, bytes, bytes)?;
        let memory = windows.allocate(kind, bytes)?;
        // SAFETY: the window was just reserved, and is not shared yet.
        unsafe { window.map(0, &*memory, 0..bytes) }?;
        Ok(Some(self.device.insert(window).base()))
    }

    /// Copies a part of one memory to the other.
    fn carry(&mut self, offset: u64, bytes: u64, to: Local) -> Result<(), Failure> {
        let Some(device) = self.device_start()? else { return Ok(()) };
        let host = self.range(offset, bytes).as_mut_ptr();
        let device = Gva(device).add(offset).as_ptr();
        let (src, dst, from, to) = match to {
            Local::Device => (host, device, Locality::Host, Locality::Device),
            Local::Host => (device, host, Locality::Device, Locality::Host),
        };
        let transfer = Transfer { piece: Piece { src, dst, bytes }, from, to };
        // SAFETY: both parts lie in the buffer's own memories, which live on.
        unsafe { self.mover()?.copy(&[transfer]) }.map_err(Failure::from)
    }

    fn mover(&self) -> Result<&dyn Mover, Failure> {
        let mover = self.devices.as_ref().and_then(|devices| devices.mover());
        mover.ok_or_else(|| Failure::wrong("the accelerator moves nothing"))
    }
}
