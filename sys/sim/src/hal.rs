// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of `libascend_hal.so`, the user library of the driver.
//!
//! They stand on the same insides as ACL's and differ in numbers: refusals are `drvError_t`, devices are
//! logical, and handles come from a table of their own.
//! * [`addresses`], [`physical`], [`share`]: virtual memory.
//! * [`memory`]: allocations, and attributes of addresses. [`host`]: registered memory. [`names`]: memory by
//!   name.
//! * [`devices`]: which there are.

pub mod addresses;
pub mod devices;
pub mod host;
pub mod memory;
pub mod names;
pub mod physical;
pub mod share;

use std::sync::Arc;

use ascend_acl_sys::raw::types::drv_mem_handle_t;

use crate::codes::{hal, hal_of_acl};
use crate::device_ids;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::sharing::Physical;
use crate::sharing::physical::hal_handles;

/// The driver's number for a refusal of the insides.
fn translate<T>(outcome: Outcome<T>) -> Outcome<T> {
    outcome.map_err(|fault| Fault { code: hal_of_acl(fault.code), ..fault })
}

fn not_null<T>(pointer: *const T, name: &str) -> Outcome {
    ensure(!pointer.is_null(), hal::INVALID_VALUE, || format!("{name} is null"))
}

/// Refuses a wrong argument.
fn expect(condition: bool, text: impl FnOnce() -> String) -> Outcome {
    ensure(condition, hal::INVALID_VALUE, text)
}

fn unused(value: u64, name: &str) -> Outcome {
    expect(value == 0, || format!("{name} is {value:#x}; it is reserved and must be 0"))
}

/// Machine-wide number of the device that the driver calls `logical`.
fn device_number(logical: u32) -> Outcome<u32> {
    let config = &translate(machine())?.config;
    ensure(logical < config.devices, hal::INVALID_DEVICE, || {
        format!("unknown device {logical}; the server has {}", config.devices)
    })?;
    Ok(device_ids::machine_wide(config.server, logical))
}

/// The physical memory behind a handle of the driver.
fn physical_of(handle: *const drv_mem_handle_t) -> Outcome<Arc<Physical>> {
    not_null(handle, "handle")?;
    Ok(Arc::clone(&*translate(hal_handles())?.get(handle.cast(), hal::INVALID_HANDLE)?))
}

/// Creates a new handle for `physical`.
fn hand_out(physical: Arc<Physical>) -> Outcome<*mut drv_mem_handle_t> {
    let (handle, _) = translate(hal_handles())?.insert_with(|_| physical);
    Ok(handle.cast())
}
