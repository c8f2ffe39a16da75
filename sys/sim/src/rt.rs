// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `rt*`: the runtime below ACL, as far as programs that bypass ACL call it. Numbers are ACL's.

use std::ffi::{c_char, c_void};

use crate::acl::arguments::{answer, give, not_null, read};
use crate::acl::devices::logical_of_user;
use crate::acl::memcpy;
use crate::acl::memory::pointer;
use crate::acl::virtual_memory::share::read_processes;
use crate::codes::acl;
use crate::context::{current, importer};
use crate::device_ids::server_of;
use crate::exports;
use crate::fault::{Fault, Outcome, ensure};
use crate::hal::devices::fact;
use crate::machine::machine;
use crate::product::Line;
use crate::sharing::ipc::keys;
use crate::sharing::ipc::{KEY_BYTES, read_key, write_key};
use crate::stream::doorbell;

fn device_info(device: u32, module: i32, info: i32) -> Outcome<i64> {
    let device = machine()?.devices.get(i32::try_from(device).unwrap_or(-1))?;
    fact(device.logical(), module, info)?.ok_or_else(|| {
        Fault::new(acl::RT_PARAM_INVALID, format_args!("module {module} has no information {info}"))
    })
}

/// Checks both ends of a connection between devices; every device of a machine reaches every other at once.
fn peers(device: u32, peer: u32) -> Outcome {
    let devices = &machine()?.devices;
    devices.get(i32::try_from(device).unwrap_or(-1))?;
    devices.get(i32::try_from(peer).unwrap_or(-1))?;
    ensure(device != peer, acl::RT_PARAM_INVALID, || format!("device {device} is its own peer"))
}

/// Asked device resource, as `rtDevResInfo`.
#[repr(C)]
#[derive(Clone, Copy)]
struct ResourceInfo {
    die: u32,
    process: u32,
    /// 0: recording a notify.
    kind: u32,
    id: u32,
    flag: u32,
}

/// Places for its address and length, as `rtDevResAddrInfo`.
#[repr(C)]
#[derive(Clone, Copy)]
struct ResourcePlace {
    address: *mut u64,
    bytes: *mut u32,
}

unsafe fn resource_address(info: *mut c_void, place: *mut c_void) -> Outcome {
    const NOTIFY: u32 = 0;
    not_null(info, "info")?;
    not_null(place, "address")?;
    // SAFETY: not null; the program passes a structure.
    let asked = unsafe { read(info.cast::<ResourceInfo>()) };
    if asked.kind != NOTIFY || machine()?.product.line != Line::A5 {
        return no_queues(place, "address");
    }
    // SAFETY: as above.
    let place = unsafe { read(place.cast::<ResourcePlace>()) };
    not_null(place.address, "address->resAddress")?;
    not_null(place.bytes, "address->len")?;
    let address = doorbell::address(&current()?.device, asked.id)?;
    // SAFETY: checked for null above.
    unsafe { give(place.address, address) }?;
    // SAFETY: checked for null above.
    unsafe { give(place.bytes, doorbell::BYTES) }
}

fn no_queues<T>(place: *const T, name: &str) -> Outcome {
    not_null(place, name)?;
    Err(Fault::new(
        acl::FEATURE_NOT_SUPPORT,
        "kernels cannot reach the hardware queues of a stream on the simulator",
    ))
}

unsafe fn set_name(start: *const c_void, bytes: u64, name: *mut c_char, len: u32) -> Outcome {
    not_null(start, "ptr")?;
    not_null(name, "name")?;
    ensure(bytes > 0, acl::INVALID_PARAM, || "byteCount is 0".to_owned())?;
    ensure(len as usize >= KEY_BYTES, acl::INVALID_PARAM, || {
        format!("a name takes {KEY_BYTES} bytes, len is {len}")
    })?;
    let key = keys()?.export(start.addr() as u64, bytes, false)?;
    // SAFETY: the caller passes `len` bytes, which are as many as a name takes.
    unsafe { write_key(&key, name) };
    Ok(())
}

unsafe fn destroy_name(name: *const c_char) -> Outcome {
    not_null(name, "name")?;
    // SAFETY: not null; the caller passes a C string.
    let key = unsafe { read_key(name) }?;
    keys()?.withdraw(&key)
}

unsafe fn open_memory(place: *mut *mut c_void, name: *const c_char) -> Outcome {
    not_null(place, "ptr")?;
    not_null(name, "name")?;
    // SAFETY: not null; the caller passes a C string.
    let key = unsafe { read_key(name) }?;
    let address = keys()?.import(&key, importer, true)?;
    // SAFETY: not null; the caller passes a valid out-pointer.
    unsafe { give(place, pointer(address)) }
}

unsafe fn close_memory(start: *const c_void) -> Outcome {
    not_null(start, "ptr")?;
    keys()?.close_address(start.addr() as u64)
}

unsafe fn allow_processes(name: *const c_char, device: u32, pids: *mut i32, count: i32) -> Outcome {
    not_null(name, "name")?;
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: the program passes `count` process ids.
    let pids = unsafe { read_processes(pids, count) }?;
    // SAFETY: not null; the caller passes a C string.
    let key = unsafe { read_key(name) }?;
    keys()?.allow_on_server(&key, server_of(device), &pids)
}

unsafe fn copy_async(
    dst: *mut c_void,
    most: u64,
    src: *const c_void,
    bytes: u64,
    _kind: u32,
    stream: *mut c_void,
) -> Outcome {
    const BY_ADDRESSES: u32 = 4;
    let length = |bytes: u64| {
        usize::try_from(bytes)
            .map_err(|_| Fault::new(acl::INVALID_PARAM, format_args!("{bytes} bytes are too many")))
    };
    // SAFETY: the program passes addresses as to `aclrtMemcpyAsync`.
    unsafe { memcpy::memcpy_async(dst, length(most)?, src, length(bytes)?, BY_ADDRESSES, stream) }
}

exports! {
    /// Makes a name under which other processes open a part of an allocation.
    fn rtIpcSetMemoryName(ptr: *const c_void, byteCount: u64, name: *mut c_char, len: u32) = set_name;
    /// Takes the name back.
    fn rtIpcDestroyMemoryName(name: *const c_char) = destroy_name;
    /// Opens the memory of a name.
    fn rtIpcOpenMemory(ptr: *mut *mut c_void, name: *const c_char) = open_memory;
    /// Closes it, by address.
    fn rtIpcCloseMemory(ptr: *const c_void) = close_memory;
    /// Lets processes on the server of a device open the memory of a name.
    fn rtSetIpcMemorySuperPodPid(name: *const c_char, sdid: u32, pid: *mut i32, num: i32) = allow_processes;
    /// Copies on a stream; the direction follows from the addresses.
    fn rtMemcpyAsyncWithoutCheckKind(
        dst: *mut c_void, destMax: u64, src: *const c_void, count: u64, kind: u32, stream: *mut c_void,
    ) = copy_async;
    /// Process number in the host's namespace.
    fn rtDeviceGetBareTgid(pid: *mut u32) -> pid: machine()?.session.own_process().unsigned_abs();
    /// User to logical number of a device.
    fn rtGetLogicDevIdByUserDevId(userDevid: i32, logicDevId: *mut i32) = logical_of_user;
    /// A fact about a device.
    fn rtGetDeviceInfo(device: u32, module: i32, info: i32, value: *mut i64)
        -> value: device_info(device, module, info)?;
    /// Connects two devices.
    fn rtEnableP2P(device: u32, peer: u32, flag: u32) => peers(device, peer);
    /// Takes the connection back.
    fn rtDisableP2P(device: u32, peer: u32) => peers(device, peer);
    /// Reports if two devices are connected, immediately.
    fn rtGetP2PStatus(device: u32, peer: u32, status: *mut u32) -> status: peers(device, peer).map(|()| 1)?;
    /// Number of a stream's submission queue: not on the simulator.
    fn rtStreamGetSqid(stream: *mut c_void, id: *mut u32) => no_queues(id, "id");
    /// Numbers of a stream's completion queue: not on the simulator.
    fn rtStreamGetCqid(stream: *mut c_void, id: *mut u32, logical: *mut u32) => no_queues(id, "id");
    /// The base of flags between cores: 0 and no bytes, because the cores meet without memory.
    fn rtGetC2cCtrlAddr(addr: *mut u64, len: *mut u32)
        // SAFETY: `answer` refuses null; else the program passes a place for the result.
        -> addr: unsafe { answer(len, "len", || Ok(0)) }.map(|()| 0)?;
    /// Address of a notify on Ascend950; other resources have no address.
    fn rtGetDevResAddress(info: *mut c_void, address: *mut c_void) = resource_address;
}
