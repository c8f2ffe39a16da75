// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Context stacks of a thread, one per vendor. HIP's has device 0 at the bottom.
//!
//! A device has one context at a time. When it has ended, all that was in it has; the next one may have the
//! name of an earlier one, and is another one.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr::{null_mut, without_provenance_mut};

use gpu_sys::Vendor;

use crate::codes::{Code, Outcome};
use crate::device_key::DeviceKey;
use crate::lock::lock;
use crate::machine::{Machine, device, machine, started, wait_all_of};
use crate::state::life::Life;

/// Most contexts on the stack of a thread.
const DEPTH: usize = 64;

/// A context that was current: device and number of its life.
type ContextEntry = (u32, u64);

/// A stack that needs no end: programs call drivers also from objects that end behind all others of a thread.
#[derive(Clone, Copy)]
struct Stack {
    entries: [Option<ContextEntry>; DEPTH],
    length: usize,
}

impl Stack {
    const EMPTY: Self = Self { entries: [None; DEPTH], length: 0 };

    fn last(&self) -> Option<ContextEntry> {
        self.length.checked_sub(1).and_then(|top| self.entries[top])
    }

    fn push(&mut self, entry: Option<ContextEntry>) -> Outcome {
        *self.entries.get_mut(self.length).ok_or(Code::InvalidContext)? = entry;
        self.length += 1;
        Ok(())
    }

    fn pop(&mut self) -> Option<Option<ContextEntry>> {
        self.length = self.length.checked_sub(1)?;
        Some(self.entries[self.length])
    }
}

thread_local! {
    static STACKS: RefCell<[Stack; 4]> = const { RefCell::new([Stack::EMPTY; 4]) };
}

/// Marks addresses that are names of contexts.
const MARK: usize = 0x6770 << 32;

fn with<T>(vendor: Vendor, work: impl FnOnce(&mut Stack) -> T) -> T {
    STACKS.with_borrow_mut(|stacks| work(&mut stacks[vendor.index()]))
}

impl Machine {
    /// The life of the context of a device, as it is now.
    fn life(&self, place: DeviceKey) -> Life {
        self.contexts.get(&place).copied().unwrap_or_default()
    }

    /// Checks that a context is live.
    fn lives(&self, (vendor, (device, number)): (Vendor, ContextEntry)) -> Outcome {
        let life = self.life((vendor, device));
        // Devices of HIP are selected without one.
        let lives = vendor == Vendor::Amd || life.users > 0 && life.number == number;
        if lives { Ok(()) } else { Err(Code::ContextDestroyed) }
    }
}

/// The name of a context: every other one of a device has the same.
fn name(vendor: Vendor, (device, number): ContextEntry) -> *mut c_void {
    let device = (device as usize + 1) << 4 | usize::from(number % 2 == 1) << 3;
    without_provenance_mut(MARK | vendor.index() << 24 | device)
}

/// Resolves a context handle. Returns `None` for null.
fn entry_of(vendor: Vendor, context: *mut c_void) -> Outcome<Option<ContextEntry>> {
    if context.is_null() {
        return Ok(None);
    }
    let number = (context.addr() >> 4 & 0xffff).wrapping_sub(1);
    let number = i32::try_from(number).map_err(|_| Code::InvalidContext)?;
    let device = device(vendor, number).map_err(|_| Code::InvalidContext)?;
    let life = lock(machine()).life((vendor, device));
    match context {
        _ if life.users > 0 && context == name(vendor, (device, life.number)) => {
            Ok(Some((device, life.number)))
        }
        // One that was there.
        _ if (1..=life.number).rev().take(2).any(|number| context == name(vendor, (device, number))) => {
            Err(Code::ContextDestroyed)
        }
        _ => Err(Code::InvalidContext),
    }
}

/// The context of a device, which begins where none lives.
pub(crate) fn retain(vendor: Vendor, device: u32) -> *mut c_void {
    let mut machine = lock(machine());
    let life = machine.contexts.entry((vendor, device)).or_default();
    if life.users == 0 {
        life.number += 1;
    }
    life.users += 1;
    name(vendor, (device, life.number))
}

/// Ends a use of it; the last one ends it.
pub(crate) fn release(vendor: Vendor, device: u32) -> Outcome {
    let users = {
        let mut machine = lock(machine());
        let life = machine.contexts.entry((vendor, device)).or_default();
        life.users = life.users.checked_sub(1).ok_or(Code::InvalidContext)?;
        life.users
    };
    if users == 0 {
        end(vendor, device);
    }
    Ok(())
}

/// Ends it, with all its users.
pub(crate) fn reset(vendor: Vendor, device: u32) {
    if let Some(life) = lock(machine()).contexts.get_mut(&(vendor, device)) {
        life.users = 0;
    }
    end(vendor, device);
}

fn end(vendor: Vendor, device: u32) {
    // Work on streams finishes first.
    wait_all_of((vendor, device));
    lock(machine()).end((vendor, device));
}

/// The number of a context, which no other has.
pub(crate) fn id(vendor: Vendor, context: *mut c_void) -> Outcome<u64> {
    started(vendor)?;
    let entry = entry_of(vendor, context)?;
    let (device, number) =
        entry.or_else(|| with(vendor, |stack| stack.last())).ok_or(Code::InvalidContext)?;
    Ok(number << 8 | u64::from(device + 1))
}

/// The current device.
pub(crate) fn current(vendor: Vendor) -> Outcome<DeviceKey> {
    started(vendor)?;
    let Some(top) = with(vendor, |stack| stack.last()) else {
        return if vendor == Vendor::Amd { Ok((vendor, 0)) } else { Err(Code::InvalidContext) };
    };
    lock(machine()).lives((vendor, top))?;
    Ok((vendor, top.0))
}

/// Returns the current context, even if it was destroyed; null if none.
pub(crate) fn current_context(vendor: Vendor) -> Outcome<*mut c_void> {
    started(vendor)?;
    Ok(with(vendor, |stack| stack.last()).map_or(null_mut(), |entry| name(vendor, entry)))
}

/// Puts a context on the stack.
pub(crate) fn push(vendor: Vendor, context: *mut c_void) -> Outcome {
    started(vendor)?;
    let entry = entry_of(vendor, context)?.ok_or(Code::InvalidContext)?;
    with(vendor, |stack| stack.push(Some(entry)))
}

/// Takes one from it.
pub(crate) fn pop(vendor: Vendor) -> Outcome<*mut c_void> {
    started(vendor)?;
    let popped = with(vendor, Stack::pop).ok_or(Code::InvalidContext)?;
    Ok(popped.map_or(null_mut(), |entry| name(vendor, entry)))
}

/// Replaces the top of the stack.
pub(crate) fn set(vendor: Vendor, context: *mut c_void) -> Outcome {
    started(vendor)?;
    let entry = entry_of(vendor, context)?;
    replace(vendor, entry)
}

/// Replaces the current device.
pub(crate) fn set_device(vendor: Vendor, number: i32) -> Outcome {
    let device = device(vendor, number)?;
    replace(vendor, Some((device, 0)))
}

fn replace(vendor: Vendor, entry: Option<ContextEntry>) -> Outcome {
    with(vendor, |stack| {
        stack.pop();
        if entry.is_some() { stack.push(entry) } else { Ok(()) }
    })
}
