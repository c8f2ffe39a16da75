// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The simulated machine as this process sees it: made at the first call, never taken down.

use std::sync::OnceLock;

use crate::boundary;
use crate::config::Config;
use crate::device::Devices;
use crate::fault::Outcome;
use crate::memory::Memory;
use crate::product::Product;
use crate::release::Release;
use crate::session::Session;
use crate::sharing::Sharing;
use crate::watch;

/// The machine.
pub struct Machine {
    /// The knobs.
    pub config: Config,
    /// Capabilities of the SoC.
    pub product: &'static Product,
    /// State shared by the processes of the machine.
    pub session: Session,
    /// Regions and addresses of this process.
    pub memory: Memory,
    /// Physical memory apart from addresses, and its exports.
    pub sharing: Sharing,
    /// Devices and contexts of this process.
    pub devices: Devices,
}

/// The machine of this process.
///
/// # Errors
/// What kept it from being made, at every call.
pub fn machine() -> Outcome<&'static Machine> {
    static MACHINE: OnceLock<Outcome<Machine>> = OnceLock::new();
    match MACHINE.get_or_init(build) {
        Ok(machine) => Ok(machine),
        Err(fault) => Err(fault.clone()),
    }
}

fn build() -> Outcome<Machine> {
    boundary::refuse_children();
    let mut config = Config::from_environment()?;
    Release::check()?;
    watch::start(&config)?;
    let session = Session::open(&config)?;
    config.adopt(session.facts())?;
    watch::follow(&session);
    let product = Product::named(&config.soc)?;
    let memory = Memory::new(&config);
    let devices = Devices::new(&config)?;
    let machine = Machine { config, product, session, memory, sharing: Sharing::new(), devices };
    watch::lose_from_the_start(&machine)?;
    Ok(machine)
}
