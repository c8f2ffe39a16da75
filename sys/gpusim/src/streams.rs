// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams of programs. One that waits for the default stream, and that the default stream waits for, is the
//! default stream under another name: all its work is in one order.

use std::ffi::{c_uint, c_void};
use std::ptr::without_provenance_mut;
use std::sync::Arc;

use gpu_sys::Vendor;

use crate::codes::{Code, Outcome};
use crate::contexts::current;
use crate::lock::lock;
use crate::machine::{machine, wait_all_of};
use crate::state::queue::Queue;

/// The first name of a stream; one for each thread's default and legacy stream are below it.
const FIRST: usize = 0x6770_1000_0000;
/// The flag of streams that do not wait for the default one.
const NON_BLOCKING: c_uint = 1;

/// The stream of this name, which is one of the current device; null is its default stream.
pub(crate) fn stream(vendor: Vendor, handle: *mut c_void) -> Outcome<Arc<Queue>> {
    let place = current(vendor)?;
    let mut machine = lock(machine());
    if handle.is_null() {
        return machine.default_of(place);
    }
    let found = machine.streams.get(&handle.addr()).filter(|queue| queue.place == place);
    found.cloned().ok_or(Code::InvalidHandle)
}

/// A stream of the current device.
pub(crate) fn create(vendor: Vendor, flags: c_uint) -> Outcome<*mut c_void> {
    let place = current(vendor)?;
    if flags > NON_BLOCKING {
        return Err(Code::InvalidValue);
    }
    let mut machine = lock(machine());
    let own = flags == NON_BLOCKING || vendor == Vendor::Cambricon;
    let queue = if own { Queue::start(place) } else { machine.default_of(place) }?;
    machine.streams_made += 1;
    let handle = FIRST + machine.streams_made * 16;
    machine.streams.insert(handle, queue);
    Ok(without_provenance_mut(handle))
}

/// Ends a stream when its work is done.
pub(crate) fn destroy(vendor: Vendor, handle: *mut c_void) -> Outcome {
    let place = current(vendor)?;
    let mut machine = lock(machine());
    let queue = machine.streams.remove(&handle.addr()).ok_or(Code::InvalidHandle)?;
    if !machine.defaults.get(&place).is_some_and(|other| Arc::ptr_eq(other, &queue)) {
        queue.end();
        machine.ending.retain(|other| !other.is_idle());
        machine.ending.push(queue);
    }
    Ok(())
}

/// Waits for a stream.
pub(crate) fn wait(vendor: Vendor, handle: *mut c_void) -> Outcome {
    stream(vendor, handle)?.wait();
    Ok(())
}

/// Reports if a stream has finished.
pub(crate) fn query(vendor: Vendor, handle: *mut c_void) -> Outcome {
    if stream(vendor, handle)?.is_idle() { Ok(()) } else { Err(Code::NotReady) }
}

/// Waits for everything on the current device.
pub(crate) fn wait_all(vendor: Vendor) -> Outcome {
    wait_all_of(current(vendor)?);
    Ok(())
}

/// Puts a function of the host on a stream.
pub(crate) fn host_function(
    vendor: Vendor,
    handle: *mut c_void,
    function: Option<unsafe extern "C" fn(*mut c_void)>,
    argument: *mut c_void,
) -> Outcome {
    let function = function.ok_or(Code::InvalidValue)?;
    let argument = argument.expose_provenance();
    stream(vendor, handle)?.put(Box::new(move || {
        // SAFETY: the program gave the function for this argument, to be called once.
        unsafe { function(std::ptr::with_exposed_provenance_mut(argument)) };
    }));
    Ok(())
}
