// SPDX-License-Identifier: Apache-2.0 OR MIT
//! General extensions `mfx_*`: figures, accelerators, kernels, tracer, interrupts, the program `mf`.

pub(crate) mod device;
pub(crate) mod interrupts;
pub(crate) mod kernel;
pub(crate) mod kernel_build;
pub(crate) mod mfx_general;
pub(crate) mod program;
pub(crate) mod stats;
pub(crate) mod tracer;

use mf_device::Devices;

use crate::part::Part;

/// The part of an accelerator that the program opened without a pool, its memory and its kernels.
pub(crate) struct Accelerator;

impl Part for Accelerator {
    fn name(&self) -> &'static str {
        "accelerator"
    }

    fn devices(&self, _op: &'static str) -> Option<Devices> {
        device::opened()
    }
}
