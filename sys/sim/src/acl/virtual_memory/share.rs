// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Shareable handles: of 8 bytes within a server (the only one of the first calls, "default" of the second),
//! and of 128 bytes across servers ("fabric").

use std::ffi::c_void;

use super::{hand_out, needs_device, physical_of};
use crate::acl::arguments::{array, give, known_bits, not_null};
use crate::codes::acl;
use crate::context::current;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;
use crate::sharing::export::{self, FABRIC_BYTES, Form, Own, Ticket};

crate::exports! {
    /// Makes a shareable handle of 8 bytes.
    fn aclrtMemExportToShareableHandle(handle: *mut c_void, handleType: u32, flags: u64, shareableHandle: *mut u64)
        = export_number;
    /// Makes a shareable handle of a type.
    fn aclrtMemExportToShareableHandleV2(handle: *mut c_void, flags: u64, shareType: u32,
        shareableHandle: *mut c_void) = export_typed;
    /// Imports a shareable handle of 8 bytes.
    fn aclrtMemImportFromShareableHandle(shareableHandle: u64, deviceId: i32, handle: *mut *mut c_void)
        = import_number;
    /// Imports a shareable handle of a type, for the current device.
    fn aclrtMemImportFromShareableHandleV2(shareableHandle: *mut c_void, shareType: u32, flags: u64,
        handle: *mut *mut c_void) = import_typed;
    /// Names processes that may import.
    fn aclrtMemSetPidToShareableHandle(shareableHandle: u64, pid: *mut i32, pidNum: usize) = allow_number;
    /// Names processes that may import.
    fn aclrtMemSetPidToShareableHandleV2(shareableHandle: *mut c_void, shareType: u32, pid: *mut i32, pidNum: usize)
        = allow_typed;
}

/// The form that the number of a type means; the fabric only where the product has it at this level.
fn form(share_type: u32) -> Outcome<Form> {
    match share_type {
        1 => Ok(Form::Number),
        2 => {
            ensure(machine()?.product.fabric_handles, acl::FEATURE_NOT_SUPPORT, || {
                "this product has no fabric handles".to_owned()
            })?;
            Ok(Form::Fabric)
        }
        other => Err(Fault::new(
            acl::INVALID_PARAM,
            format_args!("the type {other} is neither 1 (default) nor 2 (fabric)"),
        )),
    }
}

/// Reads a typed handle of the caller.
///
/// # Safety
/// `handle` points to as many bytes as the form has.
unsafe fn read(handle: *const c_void, form: Form) -> Outcome<Ticket> {
    match form {
        Form::Number => {
            // SAFETY: the caller passes 8 bytes, at any address.
            let number = unsafe { handle.cast::<u64>().read_unaligned() };
            Ok(Ticket { number, secret: None, server: 0 })
        }
        Form::Fabric => {
            // SAFETY: the caller passes the 128 bytes of a fabric handle.
            let bytes = unsafe { handle.cast::<[u8; FABRIC_BYTES]>().read() };
            Ticket::from_bytes(&bytes)
        }
    }
}

unsafe fn export_number(handle: *mut c_void, handle_type: u32, flags: u64, shareable: *mut u64) -> Outcome {
    not_null(shareable, "shareableHandle")?;
    match handle_type {
        0 => {}
        2 => {
            return Err(Fault::new(
                acl::FEATURE_NOT_SUPPORT,
                "file descriptors for physical memory are not supported",
            ));
        }
        other => {
            return Err(Fault::new(
                acl::INVALID_PARAM,
                format_args!("the handle type {other} is not 0 (none)"),
            ));
        }
    }
    known_bits(flags, 1, "flags")?;
    let ticket = export::export(&physical_of(handle)?, Form::Number, flags == 1)?;
    // SAFETY: not null, and the caller passes a place for the handle.
    unsafe { shareable.write_unaligned(ticket.number) };
    Ok(())
}

unsafe fn export_typed(handle: *mut c_void, flags: u64, share_type: u32, shareable: *mut c_void) -> Outcome {
    not_null(shareable, "shareableHandle")?;
    let form = form(share_type)?;
    known_bits(flags, 1, "flags")?;
    let ticket = export::export(&physical_of(handle)?, form, flags == 1)?;
    match form {
        // SAFETY: not null, and the caller passes a place for 8 bytes.
        Form::Number => unsafe { shareable.cast::<u64>().write_unaligned(ticket.number) },
        // SAFETY: not null, and the caller passes a place for 128 bytes.
        Form::Fabric => unsafe { shareable.cast::<[u8; FABRIC_BYTES]>().write(ticket.to_bytes()) },
    }
    Ok(())
}

unsafe fn import_number(shareable: u64, device: i32, handle: *mut *mut c_void) -> Outcome {
    not_null(handle, "handle")?;
    let device = machine()?.devices.get(device)?.physical;
    needs_device()?;
    let ticket = Ticket { number: shareable, secret: None, server: 0 };
    let fresh = hand_out(export::import(Form::Number, ticket, device, Own::Refused)?)?;
    // SAFETY: not null, and the caller passes a place for a handle.
    unsafe { give(handle, fresh) }
}

unsafe fn import_typed(
    shareable: *mut c_void,
    share_type: u32,
    flags: u64,
    handle: *mut *mut c_void,
) -> Outcome {
    not_null(shareable, "shareableHandle")?;
    not_null(handle, "handle")?;
    let form = form(share_type)?;
    super::unused(flags, "flags")?;
    let device = current()?.device.physical;
    // SAFETY: not null, and the caller passes a handle of that form.
    let ticket = unsafe { read(shareable, form) }?;
    let fresh = hand_out(export::import(form, ticket, device, Own::Refused)?)?;
    // SAFETY: not null, and the caller passes a place for a handle.
    unsafe { give(handle, fresh) }
}

/// Processes, or servers, that one call names at most.
pub(crate) const MOST_PROCESSES: usize = 65_535;

/// The processes that a caller lists.
///
/// # Safety
/// `processes` points to `count` numbers.
pub(crate) unsafe fn read_processes(processes: *const i32, count: usize) -> Outcome<Vec<i32>> {
    not_null(processes, "pid")?;
    ensure((1..=MOST_PROCESSES).contains(&count), acl::RT_PARAM_INVALID, || {
        format!("{count} processes; 1 to {MOST_PROCESSES} can be named")
    })?;
    // SAFETY: the program passes `count` process ids; any bytes are a number.
    unsafe { array(processes, count, MOST_PROCESSES, "pid") }
}

unsafe fn allow_number(shareable: u64, list: *mut i32, count: usize) -> Outcome {
    // SAFETY: the program passes `count` process ids.
    let list = unsafe { read_processes(list, count) }?;
    export::allow(shareable, &list)
}

unsafe fn allow_typed(shareable: *mut c_void, share_type: u32, list: *mut i32, count: usize) -> Outcome {
    not_null(shareable, "shareableHandle")?;
    let form = form(share_type)?;
    // SAFETY: the program passes `count` process ids.
    let list = unsafe { read_processes(list, count) }?;
    // SAFETY: not null, and the caller passes a handle of that form.
    let ticket = unsafe { read(shareable, form) }?;
    export::allow(ticket.number, &list)
}
