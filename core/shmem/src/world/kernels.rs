// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Exchange between a world and kernels.

use mf_base::{Error, Result};
use mf_device::Devices;

use super::World;
use crate::kernels::{Engine, Staging};

impl World {
    /// Returns true if kernels can use the heap: it is in the memory of an accelerator that runs kernels.
    /// **Local.**
    pub fn is_shown_to_kernels(&self) -> bool {
        self.kernels.is_shown()
    }

    /// Returns the devices of this process. **Local.**
    pub fn devices(&self) -> &Devices {
        self.space.pe().membership().devices()
    }

    /// Sets an engine's staging buffer, for kernels that start afterwards. **Local.** Does nothing if kernels
    /// cannot use the heap.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn set_staging(&self, engine: Engine, staging: Staging) -> Result<()> {
        self.kernels.set_staging(engine, staging)
    }

    /// Returns the cycle counts of this PE's kernels, in their layout: 1,048,584 bytes. **Local.**
    ///
    /// # Errors
    /// `NotExist` kernels cannot use the heap · errors of the device.
    pub fn kernel_cycles(&self) -> Result<Vec<u8>> {
        self.kernels.cycles()
    }

    /// Adds to an error of a launch the PE for which a kernel of this PE gave up waiting, if one did.
    /// **Local.**
    #[must_use]
    pub fn explain_launch(&self, error: Error, kernel: &str) -> Error {
        self.kernels.explain_launch(error, kernel)
    }

    /// Notifies kernels that the program has the address of the heap: the simulator's then warn of memory in
    /// no block, where they would fault. **Local.**
    pub fn show_base_to_kernels(&self) {
        self.kernels.show_base_known();
    }

    /// Shows the heap of another world, in host memory, to kernels of this one: one record describes both
    /// heaps. **Local.** Must be repeated after that heap has grown.
    pub fn show_host_heap_to_kernels(&self, second: &Self) {
        let heap = second.heap_start();
        let start = |pe: u32| second.ptr(heap, pe.cast_signed()).addr() as u64;
        let starts = || (0..second.n_pes()).map(start).collect();
        self.kernels.show_host_heap(heap.addr() as u64, second.heap_bytes(), starts);
    }

    /// Returns the record as kernels see it, in the layout of the selected generation. If kernels cannot use
    /// the heap, it has the fields that do not depend on them: the number of this PE, the address of its
    /// heap, the PEs that are mapped here, and the staging buffers. **Local.**
    ///
    /// # Errors
    /// Errors of the settings.
    pub fn state_record(&self, staging: [Option<Staging>; Engine::ALL.len()]) -> Result<Vec<u8>> {
        self.kernels.state_record(&self.space, staging)
    }

    /// Returns the same as lines of text, for reports. **Local.**
    ///
    /// # Errors
    /// Errors of the settings.
    pub fn state_lines(&self, staging: [Option<Staging>; Engine::ALL.len()]) -> Result<String> {
        self.kernels.state_lines(&self.space, staging)
    }
}
