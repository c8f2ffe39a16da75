// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_hmc_*`: buffers, and transfers between them by address and port: [`memory`], [`buffer`], [`comm`],
//! [`copies`], [`stream`]; the control channel: [`ctrl`]. The family has its own codes ([`codes`]).

pub(crate) mod buffer;
pub(crate) mod codes;
pub(crate) mod comm;
pub(crate) mod copies;
pub(crate) mod ctrl;
pub(crate) mod memory;
pub(crate) mod stream;

use crate::part::Part;

/// The part of HMC.
pub(crate) struct Hmc;

impl Part for Hmc {
    fn name(&self) -> &'static str {
        "HMC"
    }
}
