// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The device of the calling thread: selected for a while, and restored.

use std::marker::PhantomData;
use std::ptr::null_mut;

use crate::operations::{Context, NAMES};
use crate::{Class, Driver, GpuError, Primary, Result};

/// A device is selected in this thread while this lives; then the one before is again.
#[must_use]
#[derive(Debug)]
pub struct Selected<'a> {
    driver: &'a Driver,
    back: Back,
    /// Selections are of one thread.
    here: PhantomData<*mut ()>,
}

#[derive(Debug)]
enum Back {
    Pop,
    Device(i32),
    Context(Context),
    Nothing,
}

impl Driver {
    /// Returns the primary context of a device by number. It is never released, because other users in the
    /// process share it. Restarts the device if the program has reset it.
    ///
    /// # Errors
    /// The driver's: there is no such device, or it cannot be used.
    pub fn primary(&self, device: i32) -> Result<Primary> {
        let mut primary = self.found(device)?;
        let context = &raw mut primary.context;
        if let Some(retain) = self.operations.retain {
            let device = i32::try_from(primary.wide).unwrap_or(i32::MAX);
            // SAFETY: writes one pointer.
            self.check(&NAMES.retain, unsafe { retain(context, device) })?;
            primary.id = self.id(primary.context)?;
        } else if let Some(retain) = self.operations.wide_retain {
            // SAFETY: writes one pointer.
            self.check(&NAMES.wide_retain, unsafe { retain(context, primary.wide) })?;
        }
        Ok(primary)
    }

    /// Returns the number of the device with this PCI bus address, or `None`. Starts no device.
    ///
    /// # Errors
    /// The driver's.
    pub fn device_at(&self, bus: &str) -> Result<Option<i32>> {
        for number in 0..self.device_count()? {
            if self.bus(&self.found(number)?).is_some_and(|found| found.eq_ignore_ascii_case(bus)) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// The device of this number, without a context.
    fn found(&self, device: i32) -> Result<Primary> {
        let mut wide = u64::from(device.unsigned_abs());
        if let Some(find) = self.operations.device {
            let mut found = 0;
            // SAFETY: writes one number.
            self.check(&NAMES.device, unsafe { find(&raw mut found, device) })?;
            wide = u64::from(found.unsigned_abs());
        } else if let Some(find) = self.operations.wide_device {
            // SAFETY: writes one number.
            self.check(&NAMES.wide_device, unsafe { find(&raw mut wide, device) })?;
        } else if device < 0 || device >= self.device_count()? {
            return Err(self.refused(&NAMES.set_current, 101));
        }
        Ok(Primary { device, context: null_mut(), id: None, wide })
    }

    /// The number of a context.
    fn id(&self, context: Context) -> Result<Option<u64>> {
        let Some(context_id) = self.operations.context_id else { return Ok(None) };
        let mut id = 0;
        // SAFETY: a name that the driver gave, which it checks; writes one number.
        self.check(&NAMES.context_id, unsafe { context_id(context, &raw mut id) })?;
        Ok(Some(id))
    }

    /// Refuses a context that has ended, though the driver may have given its name to another one.
    fn check_life(&self, primary: &Primary) -> Result<()> {
        if primary.id.is_none() || self.id(primary.context)? == primary.id {
            return Ok(());
        }
        Err(self.ended())
    }

    /// The refusal of a context that has ended.
    #[cold]
    pub fn ended(&self) -> GpuError {
        let code = self.vendor.code(Class::ContextGone);
        let name = Some("the program has reset the device, and what lived there has ended".into());
        GpuError { vendor: self.vendor, function: NAMES.retain[self.vendor.index()], code, name }
    }

    /// Makes a device current in the calling thread until another one is selected.
    ///
    /// # Errors
    /// The driver's, or it lacks the function · `ContextGone` the device was reset.
    pub fn make_current(&self, primary: &Primary) -> Result<()> {
        self.check_life(primary)?;
        let operations = &self.operations;
        if let Some(replace) = operations.replace_context {
            // SAFETY: a context that the driver gave and that is never given up.
            return self.check(&NAMES.replace_context, unsafe { replace(primary.context) });
        }
        if let Some(set) = operations.set_current {
            // SAFETY: a plain number.
            return self.check(&NAMES.set_current, unsafe { set(primary.device) });
        }
        match operations.set_context {
            // SAFETY: a handle of the driver itself.
            Some(set) => self.check(&NAMES.set_context, unsafe { set(primary.context) }),
            None => Err(self.lacks("a function that replaces the context of a thread")),
        }
    }

    /// Selects a device in the calling thread until the guard is dropped.
    ///
    /// # Errors
    /// The driver's · `ContextGone` the device was reset.
    pub fn select(&self, primary: &Primary) -> Result<Selected<'_>> {
        self.check_life(primary)?;
        let operations = &self.operations;
        let back = if let Some(push) = operations.push {
            // SAFETY: a context that the driver gave, and never gave up; one that has ended is refused.
            self.check(&NAMES.push, unsafe { push(primary.context) })?;
            Back::Pop
        } else if let (Some(current), Some(set)) = (operations.current, operations.set_current) {
            let mut before = 0;
            // SAFETY: writes one number.
            self.check(&NAMES.current, unsafe { current(&raw mut before) })?;
            if before == primary.device {
                Back::Nothing
            } else {
                // SAFETY: a plain number.
                self.check(&NAMES.set_current, unsafe { set(primary.device) })?;
                Back::Device(before)
            }
        } else if let (Some(current), Some(set)) = (operations.context, operations.set_context) {
            let mut before = null_mut();
            // SAFETY: writes one pointer.
            self.check(&NAMES.context, unsafe { current(&raw mut before) })?;
            // SAFETY: as for `push`.
            self.check(&NAMES.set_context, unsafe { set(primary.context) })?;
            Back::Context(before)
        } else {
            Back::Nothing
        };
        Ok(Selected { driver: self, back, here: PhantomData })
    }
}

impl Drop for Selected<'_> {
    fn drop(&mut self) {
        let operations = &self.driver.operations;
        // An error here has been reported before, or the process is exiting; it cannot be reported to a
        // caller.
        let _: Option<Result<(), GpuError>> = match self.back {
            Back::Nothing => None,
            Back::Pop => operations.pop.map(|pop| {
                let mut popped = null_mut();
                // SAFETY: writes one pointer; ends the push of `select` in the same thread.
                self.driver.check(&NAMES.pop, unsafe { pop(&raw mut popped) })
            }),
            Back::Device(device) => operations.set_current.map(|set| {
                // SAFETY: a plain number.
                self.driver.check(&NAMES.set_current, unsafe { set(device) })
            }),
            Back::Context(context) => operations.set_context.map(|set| {
                // SAFETY: the context was returned by the driver before, or is null.
                self.driver.check(&NAMES.set_context, unsafe { set(context) })
            }),
        };
    }
}
