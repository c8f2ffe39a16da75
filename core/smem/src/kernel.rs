// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernels: programs that run on the accelerator of this process, and reach the memory of all ranks.
//!
//! A launch on a share memory object keeps the object alive until the kernel ends (`mf_fabric::objects`:
//! `launches`). `mf_device` loads the binary in the context of the stream and launches it
//! (`ascend/kernels`). The kernel finds the addresses of the ranks in the meta area (`objects/meta`);
//! `objects/control` writes deadlines and departed ranks there. A kernel that gives up writes a report,
//! which `objects/control` turns into an error that names the rank. On the simulator the host build of the
//! same source runs, one thread a block.

use std::sync::Arc;

use mf_base::{Error, Gva, Kind, Result};
use mf_device::Devices;
use mf_device::kernels::{self, Kernels};

pub use mf_device::kernels::{Code, LaunchOptions, Target};

const OP: &str = "kernel load";

/// A loaded kernel binary. Cheap to clone; all calls from any thread.
#[derive(Clone)]
pub struct Binary(Arc<dyn kernels::Binary>);

impl Binary {
    /// Loads a binary on the accelerator of this process.
    ///
    /// # Errors
    /// `NotExist` there is no accelerator, or no such file · `InvalidParam` no binary for this chip.
    pub fn load(devices: &Devices, code: Code<'_>) -> Result<Self> {
        loader(devices)?.load(code).map(Self)
    }

    /// Returns the target for which binaries for this process's accelerator must be compiled.
    ///
    /// # Errors
    /// `NotExist` there is no accelerator.
    pub fn target(devices: &Devices) -> Result<Target> {
        loader(devices).map(Kernels::target)
    }

    /// Cycles in a microsecond of the counter that kernels read.
    ///
    /// # Errors
    /// `NotExist` there is no accelerator.
    pub fn cycles_per_us(devices: &Devices) -> Result<u32> {
        loader(devices).map(Kernels::cycles_per_us)
    }

    /// Launches `kernel`; waits for its end unless `options` name a stream.
    ///
    /// # Errors
    /// As for [`kernels::Binary::launch`].
    ///
    /// # Safety
    /// As there.
    pub unsafe fn launch(&self, kernel: &str, arguments: &Arguments, options: &LaunchOptions) -> Result<()> {
        // SAFETY: the caller vouches for the kernel, its arguments and the stream.
        unsafe { self.0.launch(kernel, arguments.bytes(), options) }
    }
}

/// Returns the kernel loader of this process.
fn loader(devices: &Devices) -> Result<&dyn Kernels> {
    let accelerator = devices.accelerator().ok_or_else(|| {
        Error::new(Kind::NotExist, OP)
            .what("kernels run on an accelerator, and this process has none")
            .hint("set MF_DEVICE=sim to run them on the simulator")
    })?;
    accelerator.kernels().ok_or_else(|| {
        Error::new(Kind::Failed, OP)
            .what("this accelerator loads no kernels")
            .with("device", accelerator.name())
    })
}

/// Arguments of a kernel, in the order of its declaration.
#[derive(Clone, Debug, Default)]
pub struct Arguments(Vec<u8>);

impl Arguments {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an address.
    #[must_use]
    pub fn address(self, address: Gva) -> Self {
        self.raw(&address.0.to_ne_bytes())
    }

    /// Appends a u64 argument.
    #[must_use]
    pub fn u64(self, value: u64) -> Self {
        self.raw(&value.to_ne_bytes())
    }

    /// Appends a u32 argument.
    #[must_use]
    pub fn u32(self, value: u32) -> Self {
        self.raw(&value.to_ne_bytes())
    }

    /// Appends an f32 argument.
    #[must_use]
    pub fn f32(self, value: f32) -> Self {
        self.raw(&value.to_ne_bytes())
    }

    /// Appends an argument of any size.
    #[must_use]
    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self.0.resize(self.0.len().next_multiple_of(8), 0);
        self
    }

    fn bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_argument_has_a_place_of_8_bytes() {
        let arguments =
            Arguments::new().address(Gva(0x1234)).u32(5).f32(1.0).raw(&[7; 3]).raw(&[1; 9]).u64(6);
        let words: Vec<u64> =
            arguments.bytes().chunks(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap())).collect();
        assert_eq!(words, [0x1234, 5, 0x3f80_0000, 0x07_0707, 0x0101_0101_0101_0101, 1, 6]);
    }
}
