// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of the program that was registered, so that devices use it and copies need not wait for it.
//!
//! A registration is a region without a block. Where device addresses are aliases there are two: the
//! program's address, for copies, and another one, for devices.

use std::collections::BTreeMap;
use std::sync::{Mutex, RwLock};

use mf_base::sync::lock;

use super::block::PageSize;
use super::native::native;
use super::region::{ANY_DEVICE, Access, REGIONS, Region, RegionKind};
use super::space::{Area, space};
use crate::codes::acl;
use crate::config::Addressing;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::session::Location;

/// All registrations, by start.
#[derive(Default)]
pub struct Registrations(Mutex<BTreeMap<u64, Registration>>);

struct Registration {
    bytes: u64,
    /// Device address; `None` if only copies use it.
    device: Option<u64>,
}

static REGISTRATIONS: Registrations = Registrations(Mutex::new(BTreeMap::new()));

/// Registrations of this process.
///
/// # Errors
/// The machine's own.
pub fn registrations() -> Outcome<&'static Registrations> {
    machine()?;
    Ok(&REGISTRATIONS)
}

impl Registrations {
    /// Registers pages of the program; `rights` of devices, none when the memory is only pinned.
    ///
    /// # Errors
    /// 107000 not memory of the program · 207001 no addresses · 507910 registered already, at least in
    /// part.
    pub fn add(&self, start: u64, bytes: u64, rights: Option<Access>) -> Outcome {
        let machine = machine()?;
        let end = start.checked_add(bytes).ok_or_else(|| {
            Fault::new(
                acl::RT_PARAM_INVALID,
                format_args!("{start:#x}+{bytes} runs over the end of all addresses"),
            )
        })?;
        let mut all = lock(&self.0);
        let below = all.range(..end).next_back().filter(|(at, other)| **at + other.bytes > start);
        ensure(below.is_none(), acl::HOST_MEMORY_ALREADY_REGISTERED, || {
            format!("{start:#x}–{end:#x} overlaps the registration at {:#x}", below.map_or(0, |(at, _)| *at))
        })?;
        check_program_owns(start, bytes)?;
        let aliases = machine.config.addressing == Addressing::Alias;
        let device = match rights {
            Some(_) if aliases => {
                Some(space()?.reserve(Area::Acl, None, bytes, PageSize::Huge.bytes())?.start)
            }
            Some(_) => Some(start),
            None => None,
        };
        let rights = rights.map(|access| (ANY_DEVICE, access));
        let location = machine.own_host();
        note(start, start, bytes, location, rights);
        if let Some(device) = device.filter(|device| *device != start) {
            note(device, start, bytes, location, rights);
        }
        all.insert(start, Registration { bytes, device });
        Ok(())
    }

    /// Ends the registration that starts at `start`.
    ///
    /// # Errors
    /// 507911 when none does.
    pub fn remove(&self, start: u64) -> Outcome {
        let registration = lock(&self.0).remove(&start).ok_or_else(|| {
            Fault::new(acl::HOST_MEMORY_NOT_REGISTERED, format_args!("no registration starts at {start:#x}"))
        })?;
        REGIONS.remove(start);
        if let Some(device) = registration.device.filter(|device| *device != start) {
            REGIONS.remove(device);
            space()?.release(&(device..device + registration.bytes));
        }
        Ok(())
    }

    /// Returns the device address of the program's `address`, anywhere inside a registration.
    ///
    /// # Errors
    /// 107000 only pinned · 507911 not registered.
    pub fn device_address(&self, address: u64) -> Outcome<u64> {
        let all = lock(&self.0);
        let found = all.range(..=address).next_back().filter(|(at, other)| address - **at < other.bytes);
        let (start, registration) = found.ok_or_else(|| {
            Fault::new(acl::HOST_MEMORY_NOT_REGISTERED, format_args!("{address:#x} is not registered"))
        })?;
        let device = registration.device.ok_or_else(|| {
            Fault::new(
                acl::RT_PARAM_INVALID,
                format_args!("{address:#x} is registered as pinned only, so devices have no address for it"),
            )
        })?;
        Ok(device + (address - start))
    }

    /// Counts the registrations.
    pub fn count(&self) -> usize {
        lock(&self.0).len()
    }
}

fn note(at: u64, host: u64, bytes: u64, location: Location, rights: Option<(u32, Access)>) {
    REGIONS.insert(Region {
        range: at..at + bytes,
        kind: RegionKind::Registered,
        location,
        block: None,
        block_offset: 0,
        view: native(host),
        grants: Mutex::new(rights.into_iter().collect()),
        gone: RwLock::new(false),
    });
}

/// Refuses addresses that are the simulator's, or where the program has mapped nothing.
fn check_program_owns(start: u64, bytes: u64) -> Outcome {
    let range = start..start + bytes;
    let space = space()?;
    ensure(!REGIONS.overlaps(&range) && !space.overlaps(&range), acl::RT_PARAM_INVALID, || {
        format!("{start:#x}+{bytes} is memory that devices know already")
    })?;
    let first = std::ptr::with_exposed_provenance_mut(native(start));
    // SAFETY: starts a writeback of file changes, which the kernel does anyway. The call fails for a range
    // with holes, which is the purpose here.
    let whole = unsafe { rustix::mm::msync(first, native(bytes), rustix::mm::MsyncFlags::ASYNC) };
    whole.map_err(|error| {
        Fault::new(
            acl::RT_PARAM_INVALID,
            format_args!("{start:#x}+{bytes} is not all memory of this process: {error}"),
        )
    })
}
