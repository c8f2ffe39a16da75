// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Registering memory of the host, so that devices use it.

use std::ffi::c_void;

use ascend_acl_sys::raw::types as raw;

use super::arguments::{give, known_bits, not_null, not_zero, one_of};
use super::memory::pointer;
use crate::codes::acl;
use crate::fault::{Outcome, ensure};
use crate::machine::machine;
use crate::memory::registered::registrations;
use crate::memory::{Access, PageSize, native};
use crate::product::Line;

crate::exports! {
    /// Registers memory of the host and says where devices find it.
    fn aclrtHostRegister(ptr: *mut c_void, size: u64, kind: u32, devPtr: *mut *mut c_void) = register;
    /// Registers memory of the host.
    fn aclrtHostRegisterV2(ptr: *mut c_void, size: u64, flag: u32) = register_v2;
    /// Returns the device address of registered memory.
    fn aclrtHostGetDevicePointer(pHost: *mut c_void, pDevice: *mut *mut c_void, flag: u32) = device_pointer;
    /// Ends a registration.
    fn aclrtHostUnregister(ptr: *mut c_void) = unregister;
    /// Reports if an engine of a device reaches registered memory.
    fn aclrtHostMemMapCapabilities(deviceId: u32, hacType: u32, capabilities: *mut u32) = capability;
}

unsafe fn register(address: *mut c_void, bytes: u64, kind: u32, out: *mut *mut c_void) -> Outcome {
    not_null(out, "devPtr")?;
    check(address, bytes)?;
    let kinds =
        [raw::ACL_HOST_REGISTER_MAPPED, raw::ACL_HOST_REGISTER_IOMEMORY, raw::ACL_HOST_REGISTER_READONLY];
    one_of(kind, &kinds, "type")?;
    let access = if kind == raw::ACL_HOST_REGISTER_READONLY { Access::Read } else { Access::ReadWrite };
    add(address, bytes, Some(access))?;
    let device = registrations()?.device_address(address.addr() as u64)?;
    // SAFETY: checked above.
    unsafe { give(out, pointer(device)) }
}

unsafe fn register_v2(address: *mut c_void, bytes: u64, flags: u32) -> Outcome {
    check(address, bytes)?;
    let mapped = raw::ACL_HOST_REG_MAPPED | raw::ACL_HOST_REG_IOMEMORY | raw::ACL_HOST_REG_READONLY;
    known_bits(flags.into(), (mapped | raw::ACL_HOST_REG_PINNED).into(), "flag")?;
    not_zero(native(flags.into()), "flag")?;
    let access = match flags {
        _ if flags & mapped == 0 => None,
        _ if flags & raw::ACL_HOST_REG_READONLY != 0 => Some(Access::Read),
        _ => Some(Access::ReadWrite),
    };
    add(address, bytes, access)
}

fn check(address: *mut c_void, bytes: u64) -> Outcome {
    not_null(address, "ptr")?;
    not_zero(native(bytes), "size")
}

fn add(address: *mut c_void, bytes: u64, rights: Option<Access>) -> Outcome {
    let start = address.addr() as u64;
    ensure(start.is_multiple_of(PageSize::Normal.bytes()), acl::RT_PARAM_INVALID, || {
        format!("{start:#x} is not a multiple of {}", PageSize::Normal.bytes())
    })?;
    if rights.is_some() {
        host_within_reach()?;
    }
    registrations()?.add(start, bytes, rights)
}

/// Assumed: where devices do not reach host memory it cannot be mapped for them, only pinned.
fn host_within_reach() -> Outcome {
    ensure(machine()?.product.reaches_host, acl::FEATURE_NOT_SUPPORT, || {
        "devices of this product do not reach host memory; it can be registered as pinned only".to_owned()
    })
}

unsafe fn device_pointer(address: *mut c_void, out: *mut *mut c_void, flag: u32) -> Outcome {
    not_null(address, "pHost")?;
    not_null(out, "pDevice")?;
    known_bits(flag.into(), 0, "flag")?;
    let device = registrations()?.device_address(address.addr() as u64)?;
    // SAFETY: checked above.
    unsafe { give(out, pointer(device)) }
}

unsafe fn unregister(address: *mut c_void) -> Outcome {
    not_null(address, "ptr")?;
    registrations()?.remove(address.addr() as u64)
}

unsafe fn capability(user: u32, engine: u32, out: *mut u32) -> Outcome {
    not_null(out, "capabilities")?;
    one_of(engine, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], "hacType")?;
    let machine = machine()?;
    machine.devices.get(i32::try_from(user).unwrap_or(i32::MAX))?;
    let supported = machine.product.reaches_host && engine_reaches_host(machine.product.line, engine);
    // SAFETY: checked above.
    unsafe { give(out, u32::from(supported)) }
}

/// Assumed: every engine that a product has reaches host memory where its devices do, except media
/// processing.
fn engine_reaches_host(line: Line, engine: u32) -> bool {
    match engine {
        raw::ACL_RT_HAC_TYPE_DVPP => false,
        raw::ACL_RT_HAC_TYPE_UDMA | raw::ACL_RT_HAC_TYPE_CCU => line == Line::A5,
        _ => true,
    }
}
