// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The opened drivers and GPUs of this process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use gpu_sys::{Class, Driver, LoadError, Search, Vendor};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::refusal::refused;
use super::{Capability, Gpu, OP, Unit};

/// Opened drivers and GPUs; they stay for the life of the process.
static OPENED: Mutex<Opened> = Mutex::new(Opened { drivers: [const { None }; 4], gpus: BTreeMap::new() });

struct Opened {
    drivers: [Option<Arc<Driver>>; 4],
    gpus: BTreeMap<(Vendor, u32), Arc<Gpu>>,
}

/// One vendor, for people.
pub struct Found {
    /// The vendor.
    pub vendor: Vendor,
    /// Its driver, initialised; else the reason of the failure.
    pub driver: Result<Arc<Driver>, String>,
    /// True if no driver is installed, or it has no GPU here, as opposed to an unusable one.
    pub is_absent: bool,
    /// Attempts, a readable line each.
    pub searched: Vec<String>,
}

impl Found {
    /// Its GPUs.
    pub fn units(&self) -> Vec<Unit> {
        self.driver.as_ref().map(units).unwrap_or_default()
    }

    /// Describes the driver: version, file, and whether it is simulated; empty without a driver.
    pub fn describe(&self) -> String {
        self.driver
            .as_ref()
            .map(|driver| format!("{}{}", driver.vendor(), driver_text(driver)))
            .unwrap_or_default()
    }

    /// Returns its driver's capabilities, present and missing.
    pub fn capabilities(&self) -> Vec<Capability> {
        self.driver.as_ref().map(|driver| capabilities(driver)).unwrap_or_default()
    }
}

/// The GPU of this vendor and number. **Local.** Opens the driver, which stays for the life of the process,
/// and starts the device; no thread's current device changes. The same GPU gives the same object, until the
/// program resets it.
///
/// # Errors
/// `NotExist` with the reason: no driver, one that is damaged or too old, or no GPU of this number.
pub fn open(vendor: Vendor, number: u32) -> Result<Arc<Gpu>> {
    let mut opened = lock(&OPENED);
    if let Some(gpu) = opened.gpus.get(&(vendor, number)) {
        if gpu.is_alive() {
            return Ok(Arc::clone(gpu));
        }
        tracing::warn!(number, "the program has reset this GPU of {vendor}: what was made there has ended");
        gpu.end();
    }
    let gpu = Gpu::open(&driver(&mut opened, vendor)?, number)?;
    opened.gpus.insert((vendor, number), Arc::clone(&gpu));
    Ok(gpu)
}

/// Opens the GPU of this vendor with this address on the PCI bus, by which all processes of a host know it.
/// Starts no other. **Local.**
///
/// # Errors
/// As [`open`].
pub fn open_at(vendor: Vendor, bus: &str) -> Result<Arc<Gpu>> {
    let driver = driver(&mut lock(&OPENED), vendor)?;
    driver.init().map_err(refused)?;
    let found = driver.device_at(bus).map_err(refused)?;
    let absent = || Error::new(Kind::NotExist, OP).what("this process sees no such GPU");
    let number = found.ok_or_else(|| absent().with("driver", vendor).with("bus", bus))?;
    open(vendor, number.unsigned_abs())
}

/// Reports every vendor in turn, with the result of its search. **Local.** Opens and initialises drivers.
pub fn report() -> Vec<Found> {
    Vendor::ALL.map(found).into()
}

fn found(vendor: Vendor) -> Found {
    let loaded = load(&mut lock(&OPENED), vendor);
    let report = match &loaded {
        Ok(driver) => driver.report(),
        Err(error) => error.report(),
    };
    let searched = report.lines().collect();
    let mut is_absent = loaded.as_ref().is_err_and(|error| error.is_absent());
    let driver = loaded.map_err(|error| error.to_string()).and_then(|driver| match driver.init() {
        Ok(()) => Ok(driver),
        Err(error) => {
            // Runtimes of vendors come with packages for machines that have none of their GPUs.
            is_absent = error.class() == Class::NoDevice;
            Err(error.to_string())
        }
    });
    Found { vendor, driver, is_absent, searched }
}

/// The GPUs that are open.
pub(super) fn gpus() -> Vec<Arc<Gpu>> {
    lock(&OPENED).gpus.values().cloned().collect()
}

/// Returns a vendor's driver that other code in this process has opened; `None` if it is not loaded, so no
/// address here is its memory.
pub(super) fn in_use(vendor: Vendor) -> Option<Arc<Driver>> {
    if !vendor.is_loaded() {
        return None;
    }
    let driver = load(&mut lock(&OPENED), vendor).ok()?;
    driver.init().ok().map(|()| driver)
}

fn driver(opened: &mut Opened, vendor: Vendor) -> Result<Arc<Driver>> {
    load(opened, vendor).map_err(|error| {
        let searched: Vec<String> = error.report().lines().collect();
        Error::new(Kind::NotExist, OP)
            .what(error.to_string())
            .with("driver", vendor)
            .with("searched", searched.join("; "))
    })
}

fn load(opened: &mut Opened, vendor: Vendor) -> Result<Arc<Driver>, LoadError> {
    let slot = &mut opened.drivers[vendor.index()];
    if let Some(driver) = slot {
        return Ok(Arc::clone(driver));
    }
    let driver = Driver::open(vendor, &Search::from_environment())?;
    Ok(Arc::clone(slot.insert(Arc::new(driver))))
}

/// Version, file, and whether it is simulated.
pub(super) fn driver_text(driver: &Driver) -> String {
    let mut text = String::new();
    if let Some(version) = driver.version() {
        text.push_str(&format!(", interface {version}"));
    }
    text.push_str(&format!(", {}", driver.file().display()));
    if let Some(simulator) = driver.simulator() {
        text.push_str(&format!(", simulated ({simulator})"));
    }
    text
}

/// Returns all GPUs of a driver. Values that it does not report are left out.
pub(super) fn units(driver: &Arc<Driver>) -> Vec<Unit> {
    let count = driver.device_count().unwrap_or(0);
    let unit = |number: i32| {
        let mut unit = Unit { index: number.unsigned_abs(), ..Unit::default() };
        let info = driver.primary(number).and_then(|primary| {
            let _selected = driver.select(&primary)?;
            driver.memory_info()
        });
        if let Ok(info) = info {
            (unit.free_bytes, unit.total_bytes) = info;
        }
        unit
    };
    (0..count).map(unit).collect()
}

/// Returns a driver's optional capabilities.
pub(super) fn capabilities(driver: &Driver) -> Vec<Capability> {
    let operations = driver.operations();
    let row = |name, available, without: &str| {
        let reason = if available { "the driver has the functions" } else { without };
        Capability { name, available, reason: reason.to_owned() }
    };
    vec![
        row(
            "sharing between processes",
            driver.can_share(),
            "copies between processes go through host memory",
        ),
        row("memory for pools", driver.can_map().is_ok(), "the driver maps no memory at chosen addresses"),
        row(
            "pinning of host memory",
            operations.register.is_some(),
            "copies with it are staged by the driver",
        ),
        row(
            "functions on streams",
            operations.host_function.is_some(),
            "signals on streams wait for the stream",
        ),
    ]
}
