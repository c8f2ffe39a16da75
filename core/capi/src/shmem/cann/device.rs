// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The accelerator that holds the heap, and arguments that may lie in its memory.
//!
//! | `MF_DEVICE` | device of the calling thread | heap |
//! |---|---|---|
//! | none | any | host memory |
//! | auto | not set | host memory |
//! | auto, ascend, sim | set | that device's memory |
//! | ascend, sim | not set | memory of the launcher's device, else of device 0 |
//!
//! Without such an accelerator the first two use host memory, and the others fail.

use std::ffi::c_int;

use mf_base::settings::settings;
use mf_base::{Error, Kind, Result};
use mf_device::choose::{self, Choice};
use mf_job::Config;
use mf_shmem::{Elements, Values, World};

/// Returns the configuration with the selected accelerator.
///
/// # Errors
/// `InvalidParam` a setting is unusable, or the number of the device is out of range.
pub(super) fn chosen(op: &'static str, config: Config) -> Result<Config> {
    let choice = settings()?.device;
    if choice == Choice::None {
        return Ok(config);
    }
    match choose::current() {
        Some(number) => {
            let number = u16::try_from(number).map_err(|_| {
                Error::invalid(op, "the number of the current device is out of range").with("device", number)
            })?;
            Ok(config.device(number))
        }
        None if choice == Choice::Auto => Ok(config.without_accelerator()),
        None => Ok(config),
    }
}

/// Bytes of an argument: as they were given, or read from the accelerator's memory.
struct Input {
    given: *const u8,
    copied: Option<Vec<u8>>,
}

impl Input {
    /// # Safety
    /// Null, or readable for so many elements.
    unsafe fn new(world: &World, given: *const u8, elements: usize, bytes: usize) -> Result<Self> {
        if given.is_null() || !is_plausible(world, elements) {
            return Ok(Self { given, copied: None });
        }
        let mut copied = room(elements, bytes)?;
        // SAFETY: the caller vouches for the source; the room is as long.
        unsafe { world.copy_local(given, copied.as_mut_ptr(), copied.len()) }?;
        Ok(Self { given, copied: Some(copied) })
    }

    fn pointer(&self) -> *const u8 {
        self.copied.as_ref().map_or(self.given, |copied| copied.as_ptr())
    }
}

/// Returns true if the arguments are worth a copy. A call with more elements than the heap has bytes is
/// refused.
fn is_plausible(world: &World, elements: usize) -> bool {
    world.takes_device_memory() && elements > 0 && elements as u64 <= world.heap_bytes()
}

fn room(elements: usize, bytes: usize) -> Result<Vec<u8>> {
    let length = elements.saturating_mul(bytes);
    let mut room = Vec::new();
    room.try_reserve_exact(length).map_err(|_| {
        Error::new(Kind::OutOfMemory, "symmetric wait")
            .what("no room for copies of arguments in device memory")
            .with("bytes", length)
    })?;
    room.resize(length, 0);
    Ok(room)
}

/// Status and values of a wait or test, readable by the processor.
pub(super) struct Readable {
    elements: Elements,
    status: Input,
    values: Option<Input>,
}

impl Readable {
    /// # Safety
    /// Status and values are null, or readable for all elements, in any memory.
    pub(super) unsafe fn new(world: &World, elements: Elements) -> Result<Self> {
        let count = elements.count;
        // SAFETY: null, or readable for all elements, on the word of the caller.
        let status = unsafe { Input::new(world, elements.status.cast(), count, size_of::<c_int>()) }?;
        let values = match elements.values {
            Values::One(_) => None,
            Values::Each(values) => {
                // SAFETY: the caller passes so many readable bytes.
                Some(unsafe { Input::new(world, values, count, elements.condition.number.bytes()) }?)
            }
        };
        Ok(Self { elements, status, values })
    }

    pub(super) fn elements(&self) -> Elements {
        let values = self.values.as_ref().map_or(self.elements.values, |it| Values::Each(it.pointer()));
        Elements { status: self.status.pointer().cast(), values, ..self.elements }
    }
}

/// Indices of found elements: staged in host memory, then copied to the caller's array.
pub(super) struct Indices {
    to: *mut usize,
    room: Option<Vec<usize>>,
}

impl Indices {
    pub(super) fn new(world: &World, to: *mut usize, elements: usize) -> Result<Self> {
        let is_staged = !to.is_null() && is_plausible(world, elements);
        let mut room = Vec::new();
        if is_staged {
            room.try_reserve_exact(elements).map_err(|_| {
                Error::new(Kind::OutOfMemory, "symmetric wait")
                    .what("no room for indices of device memory")
                    .with("elements", elements)
            })?;
            room.resize(elements, 0);
        }
        Ok(Self { to, room: is_staged.then_some(room) })
    }

    pub(super) fn pointer(&mut self) -> *mut usize {
        self.room.as_mut().map_or(self.to, |room| room.as_mut_ptr())
    }

    /// Hands out the first of them.
    ///
    /// # Safety
    /// The caller's array has room for them.
    pub(super) unsafe fn write_first(&self, world: &World, found: usize) -> Result<()> {
        let Some(room) = self.room.as_ref().and_then(|room| room.get(..found)) else { return Ok(()) };
        // SAFETY: the array of the caller has room for these indices.
        unsafe { world.copy_local(room.as_ptr().cast(), self.to.cast(), size_of_val(room)) }
    }
}

/// Writes a result, unless `to` is null.
///
/// # Safety
/// `to` is null, or points to a number in any memory.
pub(super) unsafe fn write_result<R: Copy>(world: &World, to: *mut R, result: R) -> Result<()> {
    if to.is_null() {
        return Ok(());
    }
    // SAFETY: not null; passed on to the caller.
    unsafe { world.copy_local((&raw const result).cast(), to.cast(), size_of::<R>()) }
}
