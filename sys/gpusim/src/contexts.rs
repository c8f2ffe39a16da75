// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What is current in a thread: a stack of devices for each vendor. HIP's has device 0 below all.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr::{null_mut, without_provenance_mut};

use gpu_sys::Vendor;

use crate::codes::{Code, Outcome};
use crate::machine::{Place, device, started};

/// Most contexts on the stack of a thread.
const DEPTH: usize = 64;

/// A stack that needs no end: programs call drivers also from objects that end behind all others of a thread.
#[derive(Clone, Copy)]
struct Stack {
    devices: [Option<u32>; DEPTH],
    length: usize,
}

impl Stack {
    const EMPTY: Self = Self { devices: [None; DEPTH], length: 0 };

    fn last(&self) -> Option<u32> {
        self.length.checked_sub(1).and_then(|top| self.devices[top])
    }

    fn push(&mut self, device: Option<u32>) -> Outcome {
        *self.devices.get_mut(self.length).ok_or(Code::InvalidContext)? = device;
        self.length += 1;
        Ok(())
    }

    fn pop(&mut self) -> Option<Option<u32>> {
        self.length = self.length.checked_sub(1)?;
        Some(self.devices[self.length])
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

/// The name of the context of a device.
pub(crate) fn context_of(vendor: Vendor, device: u32) -> *mut c_void {
    without_provenance_mut(MARK | vendor.index() << 24 | (device as usize + 1) << 3)
}

/// The device of a context; none for null.
fn device_of(vendor: Vendor, context: *mut c_void) -> Outcome<Option<u32>> {
    if context.is_null() {
        return Ok(None);
    }
    let number = (context.addr() >> 3 & 0xffff).wrapping_sub(1);
    let number = i32::try_from(number).map_err(|_| Code::InvalidContext)?;
    let number = device(vendor, number).map_err(|_| Code::InvalidContext)?;
    if context_of(vendor, number) == context { Ok(Some(number)) } else { Err(Code::InvalidContext) }
}

/// The current device.
pub(crate) fn current(vendor: Vendor) -> Outcome<Place> {
    started(vendor)?;
    let top = with(vendor, |stack| stack.last());
    let none = if vendor == Vendor::Amd { Ok(0) } else { Err(Code::InvalidContext) };
    Ok((vendor, top.map_or(none, Ok)?))
}

/// The current context; null: none.
pub(crate) fn current_context(vendor: Vendor) -> Outcome<*mut c_void> {
    started(vendor)?;
    Ok(current(vendor).map_or(null_mut(), |(_, device)| context_of(vendor, device)))
}

/// Puts a context on the stack.
pub(crate) fn push(vendor: Vendor, context: *mut c_void) -> Outcome {
    started(vendor)?;
    let device = device_of(vendor, context)?.ok_or(Code::InvalidContext)?;
    with(vendor, |stack| stack.push(Some(device)))
}

/// Takes one from it.
pub(crate) fn pop(vendor: Vendor) -> Outcome<*mut c_void> {
    started(vendor)?;
    let popped = with(vendor, Stack::pop).ok_or(Code::InvalidContext)?;
    Ok(popped.map_or(null_mut(), |device| context_of(vendor, device)))
}

/// Replaces the top of the stack.
pub(crate) fn set(vendor: Vendor, context: *mut c_void) -> Outcome {
    started(vendor)?;
    let device = device_of(vendor, context)?;
    replace(vendor, device)
}

/// Replaces the current device.
pub(crate) fn set_device(vendor: Vendor, number: i32) -> Outcome {
    let device = device(vendor, number)?;
    replace(vendor, Some(device))
}

fn replace(vendor: Vendor, device: Option<u32>) -> Outcome {
    with(vendor, |stack| {
        stack.pop();
        if device.is_some() { stack.push(device) } else { Ok(()) }
    })
}
