// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Shareable handles: of 8 bytes within a server, and of 128 bytes across servers ("fabric"). A process may
//! import its own exports.

use ascend_acl_sys::raw::types::{MemShareHandle, ShareHandleAttr, drv_mem_handle_t};

use super::{device_number, expect, hand_out, not_null, physical_of, translate};
use crate::acl::arguments::give;
use crate::arg::Arg;
use crate::codes::hal;
use crate::fault::{Fault, Outcome, ensure};
use crate::sharing::export::{self, Form, Own, Ticket};

crate::exports! {
    /// Makes a shareable handle of 8 bytes.
    fn halMemExportToShareableHandle(handle: *mut drv_mem_handle_t, handle_type: i32, flags: u64,
        shareable_handle: *mut u64) = export_number;
    /// Imports a shareable handle of 8 bytes.
    fn halMemImportFromShareableHandle(shareable_handle: u64, devid: u32, handle: *mut *mut drv_mem_handle_t)
        = import_number;
    /// Makes a shareable handle of a type.
    fn halMemExportToShareableHandleV2(handle: *mut drv_mem_handle_t, handle_type: i32, flags: u64,
        share_handle: *mut MemShareHandle) = export_typed;
    /// Imports a shareable handle of a type.
    fn halMemImportFromShareableHandleV2(handle_type: i32, share_handle: *mut MemShareHandle, devid: u32,
        handle: *mut *mut drv_mem_handle_t) = import_typed;
    /// The server and the 8 bytes of a shareable handle of 128 bytes.
    fn halMemTransShareableHandle(handle_type: i32, share_handle: *mut MemShareHandle, server_id: *mut u32,
        shareable_handle: *mut u64) = take_apart;
    /// Says whether a shareable handle is open to all.
    fn halMemShareHandleSetAttribute(shareable_handle: u64, r#type: i32, attr: ShareHandleAttr) = set_attribute;
    /// Names processes that may import.
    fn halMemSetPidToShareableHandle(shareable_handle: u64, pid: *mut i32, pid_num: u32) = allow;
}

impl From<ShareHandleAttr> for Arg {
    fn from(attribute: ShareHandleAttr) -> Self {
        Self::Number(attribute.enableFlag.into())
    }
}

fn form(handle_type: i32) -> Outcome<Form> {
    match handle_type {
        0 => Ok(Form::Number),
        1 => Ok(Form::Fabric),
        other => Err(Fault::new(
            hal::INVALID_VALUE,
            format_args!("the type {other} is neither 0 (none) nor 1 (fabric)"),
        )),
    }
}

/// Assumed: the flags equal those of ACL's export; the first one opens the handle to all processes.
fn is_open(flags: u64) -> Outcome<bool> {
    expect(flags <= 1, || format!("the flags {flags:#x} are neither 0 nor 1"))?;
    Ok(flags == 1)
}

/// The bytes of a handle; one of 64 bits fills the first 8.
fn bytes_of(ticket: Ticket, form: Form) -> MemShareHandle {
    match form {
        Form::Fabric => MemShareHandle { share_info: ticket.to_bytes() },
        Form::Number => {
            let mut handle = MemShareHandle { share_info: [0; 128] };
            for (place, byte) in handle.share_info.iter_mut().zip(ticket.number.to_le_bytes()) {
                *place = byte;
            }
            handle
        }
    }
}

fn ticket_of(handle: &MemShareHandle, form: Form) -> Outcome<Ticket> {
    match form {
        Form::Fabric => translate(Ticket::from_bytes(&handle.share_info)),
        Form::Number => {
            let mut number = [0; 8];
            number.copy_from_slice(&handle.share_info[..8]);
            Ok(Ticket { number: u64::from_le_bytes(number), secret: None, server: 0 })
        }
    }
}

unsafe fn export_number(
    handle: *mut drv_mem_handle_t,
    handle_type: i32,
    flags: u64,
    shareable: *mut u64,
) -> Outcome {
    not_null(shareable, "shareable_handle")?;
    ensure(form(handle_type)? == Form::Number, hal::NOT_SUPPORT, || {
        "a fabric handle has 128 bytes; 8 do not hold it".to_owned()
    })?;
    let ticket = translate(export::export(&physical_of(handle)?, Form::Number, is_open(flags)?))?;
    // SAFETY: not null, and the caller passes a place for the handle.
    unsafe { give(shareable, ticket.number) }
}

unsafe fn import_number(shareable: u64, device: u32, handle: *mut *mut drv_mem_handle_t) -> Outcome {
    not_null(handle, "handle")?;
    let ticket = Ticket { number: shareable, secret: None, server: 0 };
    let device = device_number(device)?;
    let fresh = hand_out(translate(export::import(Form::Number, ticket, device, Own::Allowed))?)?;
    // SAFETY: not null, and the caller passes a place for a handle.
    unsafe { give(handle, fresh) }
}

unsafe fn export_typed(
    handle: *mut drv_mem_handle_t,
    handle_type: i32,
    flags: u64,
    shareable: *mut MemShareHandle,
) -> Outcome {
    not_null(shareable, "share_handle")?;
    let form = form(handle_type)?;
    let ticket = translate(export::export(&physical_of(handle)?, form, is_open(flags)?))?;
    // SAFETY: not null, and the caller passes a place for the handle.
    unsafe { give(shareable, bytes_of(ticket, form)) }
}

unsafe fn import_typed(
    handle_type: i32,
    shareable: *mut MemShareHandle,
    device: u32,
    handle: *mut *mut drv_mem_handle_t,
) -> Outcome {
    not_null(shareable, "share_handle")?;
    not_null(handle, "handle")?;
    let form = form(handle_type)?;
    let device = device_number(device)?;
    // SAFETY: not null, and the caller passes a handle.
    let ticket = ticket_of(&unsafe { shareable.read_unaligned() }, form)?;
    let fresh = hand_out(translate(export::import(form, ticket, device, Own::Allowed))?)?;
    // SAFETY: not null, and the caller passes a place for a handle.
    unsafe { give(handle, fresh) }
}

unsafe fn take_apart(
    handle_type: i32,
    shareable: *mut MemShareHandle,
    server: *mut u32,
    number: *mut u64,
) -> Outcome {
    not_null(shareable, "share_handle")?;
    not_null(server, "server_id")?;
    not_null(number, "shareable_handle")?;
    ensure(form(handle_type)? == Form::Fabric, hal::NOT_SUPPORT, || {
        "only a fabric handle is taken apart".to_owned()
    })?;
    // SAFETY: not null, and the caller passes a handle.
    let ticket = ticket_of(&unsafe { shareable.read_unaligned() }, Form::Fabric)?;
    // SAFETY: not null, and the caller passes a place for a number.
    unsafe { give(server, ticket.server) }?;
    // SAFETY: not null, and the caller passes a place for a number.
    unsafe { give(number, ticket.number) }
}

unsafe fn set_attribute(shareable: u64, attribute: i32, value: ShareHandleAttr) -> Outcome {
    expect(attribute == 0, || format!("the attribute {attribute} is not 0 (no whitelist)"))?;
    let flag = value.enableFlag;
    expect(flag <= 1, || format!("the enable flag {flag} is neither 0 nor 1"))?;
    translate(export::set_open(shareable, flag == 1))
}

unsafe fn allow(shareable: u64, list: *mut i32, count: u32) -> Outcome {
    // SAFETY: the program passes `count` process ids.
    let list = translate(unsafe { crate::acl::virtual_memory::share::read_processes(list, count as usize) })?;
    translate(export::allow(shareable, &list))
}
