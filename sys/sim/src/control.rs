// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The simulator's own C interface, by which tests make trouble and look for leaks: `ascend_sim.h`. No
//! library of CANN has it, and that is how programs distinguish the simulator from hardware.
//!
//! Functions answer 0 or an `aclError`, with a text for `aclGetRecentErrMsg`. Devices are the program's own
//! numbers, but for links, which may lead to other servers.

use std::ffi::{CStr, c_char, c_void};
use std::time::Duration;

use crate::acl::arguments::{give, not_null};
use crate::clock;
use crate::codes::acl;
use crate::context::stream_of;
use crate::device::Device;
use crate::device_ids::DEVICES_OF_A_SERVER;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::session::{Location, Pool};
use crate::{census, exports, watch};

/// Goes up when something is added; nothing is ever changed or removed.
const API_VERSION: u32 = 2;

/// Returns the simulator's name and version as a static text, even before initialization.
#[unsafe(no_mangle)]
pub extern "C" fn ascsim_version() -> *const c_char {
    const TEXT: &str = concat!("ascend-sim ", env!("CARGO_PKG_VERSION"), "\0");
    TEXT.as_ptr().cast()
}

/// The version of this interface.
#[unsafe(no_mangle)]
pub extern "C" fn ascsim_api_version() -> u32 {
    API_VERSION
}

exports! {
    /// Adds rules, as in `ASCEND_SIM_FAULTS`; they count from now on.
    fn ascsim_add_faults(rules: *const c_char) = add_faults;
    /// Clears all rules, including the settings' rules.
    fn ascsim_clear_faults() = clear_faults;
    /// Loses a device, for all processes of the machine: 507899 until it is reset or healed.
    fn ascsim_lose_device(device: i32) => machine()?.session.set_lost(self::device(device)?.physical, true);
    /// See `ascsim_lose_device`.
    fn ascsim_heal_device(device: i32) => machine()?.session.set_lost(self::device(device)?.physical, false);
    /// Cuts the link between two devices for all processes (error 507056). Numbers are machine-wide: server
    /// times 4096 plus device.
    fn ascsim_cut_link(one: u32, other: u32) => machine()?.session.set_cut(one, other, true);
    /// See `ascsim_cut_link`.
    fn ascsim_mend_link(one: u32, other: u32) => machine()?.session.set_cut(one, other, false);
    /// Stops starting tasks on this process's streams of the device.
    fn ascsim_pause_device(device: i32) = pause;
    /// See `ascsim_pause_device`.
    fn ascsim_resume_device(device: i32) = resume;
    /// Sets the HBM of a device, or, for −1, the host memory of this server, for all processes.
    fn ascsim_set_memory_limit(device: i32, bytes: u64) = set_memory_limit;
    /// Appends a task to a stream that fails, so that the next synchronisation of the stream reports it.
    fn ascsim_fail_stream(stream: *mut c_void, code: i32, why: *const c_char) = fail_stream;
    /// Sets how many streams (0), events (1) or notifies (2) a device has, for all processes; 0: as many as
    /// hardware.
    fn ascsim_set_pool_limit(device: i32, pool: u32, numbers: u32) = set_pool_limit;
    /// Sets the clock of this process forward, by which timeouts expire.
    fn ascsim_advance_clock(nanoseconds: u64) = advance_clock;
    /// Counts this process's objects of a kind.
    fn ascsim_count(kind: *const c_char, count: *mut u64) = count_kind;
}

unsafe fn fail_stream(stream: *mut c_void, code: i32, why: *const c_char) -> Outcome {
    ensure(code != 0, acl::INVALID_PARAM, || "invalid code 0: the code of a failure is not 0".to_owned())?;
    // SAFETY: null is refused; else the test passes a C string.
    let why = unsafe { text(why, "why") }?;
    stream_of(stream)?.push_again("failure", move |_| Err(Fault::new(code, &why)))
}

unsafe fn add_faults(rules: *const c_char) -> Outcome {
    // SAFETY: null is refused; else the test passes a C string.
    watch::add_faults(&unsafe { text(rules, "rules") }?)
}

unsafe fn clear_faults() -> Outcome {
    watch::clear_faults();
    Ok(())
}

unsafe fn pause(number: i32) -> Outcome {
    device(number)?.pause();
    Ok(())
}

unsafe fn resume(number: i32) -> Outcome {
    device(number)?.resume();
    Ok(())
}

unsafe fn set_memory_limit(number: i32, bytes: u64) -> Outcome {
    let location = match number {
        -1 => Location::Host(machine()?.config.server * DEVICES_OF_A_SERVER),
        number => Location::Device(device(number)?.physical),
    };
    machine()?.session.set_limit(location, bytes)
}

unsafe fn set_pool_limit(number: i32, pool: u32, numbers: u32) -> Outcome {
    let known = Pool::ALL.into_iter().find(|known| *known as u32 == pool);
    let pool = known.ok_or_else(|| {
        Fault::new(acl::INVALID_PARAM, "the pool is 0 for streams, 1 for events or 2 for notifies")
    })?;
    machine()?.session.set_pool_limit(device(number)?.physical, pool, numbers)
}

unsafe fn advance_clock(nanoseconds: u64) -> Outcome {
    clock::advance(Duration::from_nanos(nanoseconds));
    Ok(())
}

unsafe fn count_kind(kind: *const c_char, count: *mut u64) -> Outcome {
    not_null(count, "count")?;
    // SAFETY: null is refused; else the test passes a C string.
    let number = census::count(&unsafe { text(kind, "kind") }?)?;
    // SAFETY: checked for null above.
    unsafe { give(count, number) }
}

fn device(number: i32) -> Outcome<std::sync::Arc<Device>> {
    machine()?.devices.get(number)
}

/// # Safety
/// Null or a text.
unsafe fn text(pointer: *const c_char, name: &str) -> Outcome<String> {
    not_null(pointer, name)?;
    // SAFETY: not null, so it is a text, as the caller promises.
    Ok(unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}
