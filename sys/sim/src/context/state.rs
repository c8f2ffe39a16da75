// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions of the program that are notified of devices being set and reset.

use std::ffi::{CString, c_void};
use std::sync::Mutex;

use mf_base::sync::lock;

use crate::codes::acl;
use crate::fault::{Fault, Outcome};

/// Change of a device's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Change {
    /// It will be set.
    SetPre = 0,
    /// It is set.
    SetPost = 1,
    /// It will be reset.
    ResetPre = 2,
    /// It is reset.
    ResetPost = 3,
}

/// The program's function.
pub type Callback = unsafe extern "C" fn(i32, u32, *mut c_void);

struct Listener {
    name: CString,
    callback: Callback,
    argument: *mut c_void,
}

// SAFETY: the program hands the argument over in order to have it passed to its function on any thread.
unsafe impl Send for Listener {}

static LISTENERS: Mutex<Vec<Listener>> = Mutex::new(Vec::new());

/// Registers a function under a name, or, without one, ends a registration.
///
/// # Errors
/// Assumed: 107000 for a name that is taken, or that does not exist.
pub fn register(name: CString, callback: Option<Callback>, argument: *mut c_void) -> Outcome {
    let mut listeners = lock(&LISTENERS);
    let place = listeners.iter().position(|listener| listener.name == name);
    match (callback, place) {
        (Some(callback), None) => listeners.push(Listener { name, callback, argument }),
        (None, Some(place)) => drop(listeners.remove(place)),
        (Some(_), Some(_)) => {
            return Err(Fault::new(acl::RT_PARAM_INVALID, format_args!("{name:?} is registered already")));
        }
        (None, None) => {
            return Err(Fault::new(acl::RT_PARAM_INVALID, format_args!("{name:?} is not registered")));
        }
    }
    Ok(())
}

/// Notifies all; no lock is held meanwhile.
pub(super) fn announce(device: u32, change: Change) {
    let listeners: Vec<_> =
        lock(&LISTENERS).iter().map(|listener| (listener.callback, listener.argument)).collect();
    for (callback, argument) in listeners {
        // SAFETY: the program registered the function to have it called with its argument.
        unsafe { callback(device.cast_signed(), change as u32, argument) };
    }
}
