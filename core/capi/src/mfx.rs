// SPDX-License-Identifier: Apache-2.0 OR MIT
//! General extensions `mfx_*`: figures, accelerators, kernels, tracer, interrupts, the program `mf`.

pub(crate) mod device;
pub(crate) mod interrupts;
pub(crate) mod kernel;
pub(crate) mod kernel_build;
pub(crate) mod mf_main;
pub(crate) mod mfx_general;
pub(crate) mod stats;
pub(crate) mod tracer;
