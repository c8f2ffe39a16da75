// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Events: marks of how far streams have come. One that was never recorded is reached.

use std::ffi::{c_uint, c_void};
use std::ptr::without_provenance_mut;
use std::sync::Arc;

use gpu_sys::Vendor;

use crate::codes::{Code, Outcome};
use crate::contexts::current;
use crate::lock::lock;
use crate::machine::machine;
use crate::state::event::Event;
use crate::streams::stream;

/// The first name of an event.
const FIRST: usize = 0x6770_2000_0000;
/// The flags that there are: blocking waits, no timing, for other processes.
const FLAGS: c_uint = 7;

fn event(handle: *mut c_void) -> Outcome<Arc<Event>> {
    lock(machine()).events.get(&handle.addr()).cloned().ok_or(Code::InvalidHandle)
}

/// An event of the current device.
pub(crate) fn create(vendor: Vendor, flags: c_uint) -> Outcome<*mut c_void> {
    let place = current(vendor)?;
    if flags > FLAGS {
        return Err(Code::InvalidValue);
    }
    let mut machine = lock(machine());
    machine.events_made += 1;
    let handle = FIRST + machine.events_made * 16;
    machine.events.insert(handle, Arc::new(Event::new(place)));
    Ok(without_provenance_mut(handle))
}

/// Ends an event; streams that wait for it go on doing so.
pub(crate) fn destroy(vendor: Vendor, handle: *mut c_void) -> Outcome {
    current(vendor)?;
    lock(machine()).events.remove(&handle.addr()).map(drop).ok_or(Code::InvalidHandle)
}

/// Puts a mark on a stream, which is of the event's device.
pub(crate) fn record(vendor: Vendor, handle: *mut c_void, on: *mut c_void) -> Outcome {
    let (event, queue) = (event(handle)?, stream(vendor, on)?);
    if event.place != queue.place {
        return Err(Code::InvalidHandle);
    }
    let record = event.put();
    queue.put(Box::new(move || event.reach(record)));
    Ok(())
}

/// Reports if the last record is reached.
pub(crate) fn query(vendor: Vendor, handle: *mut c_void) -> Outcome {
    current(vendor)?;
    if event(handle)?.is_reached() { Ok(()) } else { Err(Code::NotReady) }
}

/// Waits for the last record.
pub(crate) fn synchronize(vendor: Vendor, handle: *mut c_void) -> Outcome {
    current(vendor)?;
    let event = event(handle)?;
    event.wait(event.last());
    Ok(())
}

/// Lets a stream wait for the record that is the last one now.
pub(crate) fn hold(vendor: Vendor, on: *mut c_void, handle: *mut c_void, flags: c_uint) -> Outcome {
    if flags != 0 {
        return Err(Code::InvalidValue);
    }
    let (event, queue) = (event(handle)?, stream(vendor, on)?);
    let record = event.last();
    queue.put(Box::new(move || event.wait(record)));
    Ok(())
}
