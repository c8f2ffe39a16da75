// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of one side made reachable from the other.
//!
//! Memory of the host is registered as ACL registers it. Memory that both sides know needs nothing, and
//! memory of a device is shown to the host where the simulator itself reaches it; both are only noted.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, Weak};

use mf_base::sync::lock;

use super::{device_number, expect, not_null, translate};
use crate::acl::arguments::give;
use crate::codes::hal;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::memory::region::regions;
use crate::memory::registered::registrations;
use crate::memory::{Access, PageSize, Region};
use crate::session::Location;
use crate::sharing::addresses::pointer;

crate::exports! {
    /// Makes memory reachable.
    fn halHostRegister(srcPtr: *mut c_void, size: u64, flag: u32, devid: u32, dstPtr: *mut *mut c_void) = register;
    /// Ends that.
    fn halHostUnregister(srcPtr: *mut c_void, devid: u32) = unregister;
    /// Ends that for one direction.
    fn halHostUnregisterEx(srcPtr: *mut c_void, devid: u32, flag: u32) = unregister_direction;
}

/// Direction of a registration: the memory and its new user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// Memory of the host, from the device.
    HostToDevice,
    /// Memory that both know, from the device.
    SharedToDevice,
    /// Memory of the device, from the host.
    DeviceToHost,
    /// Memory of the host, for copies only.
    Pinned,
}

/// The direction that the lowest byte of a flag means.
///
/// Assumed: the two numbers for host memory differ in the hardware's route alone.
fn direction(flag: u32) -> Outcome<Direction> {
    match flag & 0xff {
        0 | 3 => Ok(Direction::HostToDevice),
        1 => Ok(Direction::SharedToDevice),
        4 => Ok(Direction::DeviceToHost),
        5 => Ok(Direction::Pinned),
        other => Err(Fault::new(
            hal::INVALID_VALUE,
            format_args!("invalid map type {other}: must be 0, 1, 3, 4 or 5"),
        )),
    }
}

/// Ranges that were only noted, by start and whether they are shown to the host.
#[derive(Default)]
struct ShownRanges(Mutex<HashMap<(u64, bool), ShownRange>>);

static SHOWN: LazyLock<ShownRanges> = LazyLock::new(ShownRanges::default);

struct ShownRange {
    bytes: u64,
    region: Weak<Region>,
}

impl ShownRanges {
    /// Locks the notes, without those whose memory is gone.
    fn lock(&self) -> MutexGuard<'_, HashMap<(u64, bool), ShownRange>> {
        let mut notes = lock(&self.0);
        notes.retain(|_, note| note.region.strong_count() > 0);
        notes
    }
}

unsafe fn register(
    source: *mut c_void,
    bytes: u64,
    flag: u32,
    device: u32,
    target: *mut *mut c_void,
) -> Outcome {
    not_null(source, "srcPtr")?;
    not_null(target, "dstPtr")?;
    expect(bytes != 0, || "the size is 0".to_owned())?;
    let direction = direction(flag)?;
    device_number(device)?;
    translate(machine())?;
    let start = source.addr() as u64;
    expect(start.is_multiple_of(PageSize::Normal.bytes()), || {
        format!("{start:#x} is not a multiple of {}", PageSize::Normal.bytes())
    })?;
    let registrations = translate(registrations())?;
    let found = match direction {
        Direction::HostToDevice => {
            translate(registrations.add(start, bytes, Some(Access::ReadWrite)))?;
            translate(registrations.device_address(start))?
        }
        Direction::Pinned => {
            translate(registrations.add(start, bytes, None))?;
            start
        }
        Direction::SharedToDevice | Direction::DeviceToHost => show(start, bytes, direction)?,
    };
    // SAFETY: not null, and the caller passes a place for a pointer.
    unsafe { give(target, pointer(found)) }
}

/// Notes memory that devices know, and says where the other side finds it.
fn show(start: u64, bytes: u64, direction: Direction) -> Outcome<u64> {
    let to_host = direction == Direction::DeviceToHost;
    let region = translate(regions())?.find(start).filter(|region| {
        bytes <= region.range.end - start && (!to_host || matches!(region.location, Location::Device(_)))
    });
    let region = region.ok_or_else(|| {
        Fault::new(
            hal::INVALID_VALUE,
            format_args!("{bytes} bytes from {start:#x} are not in one allocation"),
        )
    })?;
    let mut shown = SHOWN.lock();
    let is_taken = shown.iter().any(|((at, direction), note)| {
        *direction == to_host && *at < start + bytes && start < at + note.bytes
    });
    ensure(!is_taken, hal::BUSY, || format!("part of {start:#x}+{bytes} is registered already"))?;
    shown.insert((start, to_host), ShownRange { bytes, region: Arc::downgrade(&region) });
    let view = region.view as u64 + (start - region.range.start);
    Ok(if to_host { view } else { start })
}

unsafe fn unregister(source: *mut c_void, device: u32) -> Outcome {
    not_null(source, "srcPtr")?;
    device_number(device)?;
    translate(machine())?;
    let start = source.addr() as u64;
    let was_shown = {
        let mut shown = SHOWN.lock();
        shown.remove(&(start, false)).or_else(|| shown.remove(&(start, true))).is_some()
    };
    if was_shown {
        Ok(())
    } else {
        translate(registrations().and_then(|registrations| registrations.remove(start)))
    }
}

unsafe fn unregister_direction(source: *mut c_void, device: u32, flag: u32) -> Outcome {
    not_null(source, "srcPtr")?;
    let direction = direction(flag)?;
    device_number(device)?;
    translate(machine())?;
    let start = source.addr() as u64;
    match direction {
        Direction::HostToDevice | Direction::Pinned => {
            translate(registrations().and_then(|registrations| registrations.remove(start)))
        }
        Direction::SharedToDevice | Direction::DeviceToHost => {
            let removed = SHOWN.lock().remove(&(start, direction == Direction::DeviceToHost));
            removed.map(drop).ok_or_else(|| {
                Fault::new(hal::NOT_EXIST, format_args!("no registration of that kind starts at {start:#x}"))
            })
        }
    }
}
