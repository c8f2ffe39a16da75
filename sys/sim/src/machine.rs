// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The simulated machine as this process sees it: made at the first call, never taken down.
//!
//! It holds the facts that all modules above read: settings, product, session, devices. Each of these modules
//! owns its own state: a static, with an accessor that makes the machine first. Locks are taken in this
//! order: primary context of a device; addresses, keys and registrations; arenas of the heap; reservations;
//! regions; queue of a stream.

use std::sync::OnceLock;

use crate::config::Config;
use crate::device::Devices;
use crate::fault::Outcome;
use crate::product::Product;
use crate::session::{self, Location, Session};
use crate::trace::Trace;
use crate::{device_ids, faults, hidden_symbols, instrumentation};

/// The machine.
pub struct Machine {
    /// The knobs.
    pub config: Config,
    /// Capabilities of the SoC.
    pub product: &'static Product,
    /// State shared by the processes of the machine.
    pub session: Session,
    /// Devices that this process sees.
    pub devices: Devices,
}

impl Machine {
    /// Returns the location of host memory on the server of this process.
    pub fn own_host(&self) -> Location {
        Location::Host(device_ids::machine_wide(self.config.server, 0))
    }
}

/// The machine of this process.
///
/// # Errors
/// The error of its construction, at every call.
pub fn machine() -> Outcome<&'static Machine> {
    session::note_use();
    look()
}

/// The machine, for what it is alone: a forked child may still join it by itself.
///
/// # Errors
/// As [`machine`].
pub(crate) fn look() -> Outcome<&'static Machine> {
    // A child does not touch its parent's.
    static MACHINES: [OnceLock<Outcome<Machine>>; session::GENERATIONS] =
        [const { OnceLock::new() }; session::GENERATIONS];
    match MACHINES.get(session::generation()).unwrap_or(&MACHINES[0]).get_or_init(build) {
        Ok(machine) => Ok(machine),
        Err(fault) => Err(fault.clone()),
    }
}

fn build() -> Outcome<Machine> {
    session::refuse_children();
    let mut config = Config::from_environment()?;
    hidden_symbols::check()?;
    let rules = faults::parse(&config.faults)?;
    if let Some(path) = &config.trace {
        Trace::open(path)?;
    }
    instrumentation::set(instrumentation::COSTLY, !config.cost.is_free());
    let session = Session::open(&config)?;
    config.adopt(session.settings())?;
    instrumentation::follow(session.damage());
    let product = Product::named(&config.soc)?;
    let devices = Devices::new(&config)?;
    for user in rules.lost() {
        let device = devices.get(i32::try_from(*user).unwrap_or(-1))?;
        session.set_lost(device.physical, true)?;
    }
    Ok(Machine { config, product, session, devices })
}
