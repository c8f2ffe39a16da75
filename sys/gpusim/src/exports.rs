// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Exported functions, one row per operation: its name at every vendor that has it, parameters and body.
//! Functions of `written!` write the result through their first argument.

#![allow(
    non_snake_case,
    clippy::missing_safety_doc,
    missing_docs,
    reason = "names and contracts of the vendors"
)]

use std::ffi::{c_char, c_int, c_uint, c_void};

use gpu_sys::{Access, AllocationProperties, IpcHandle, Vendor};

use crate::boundary::call;
use crate::codes::{Code, Outcome, name};
use crate::copies::{Ends, fill, now, on};
use crate::machine::{device, init, started};
use crate::settings::settings;
use crate::{blocks, contexts, events, host, ipc, mappings, streams};

/// Writes to where a program wants it.
fn write<T>(to: *mut T, value: T) -> Outcome {
    if to.is_null() {
        return Err(Code::InvalidValue);
    }
    // SAFETY: not null, and a place for such a value by the function's contract.
    unsafe { to.write(value) };
    Ok(())
}

/// Reads a structure passed by the program.
fn read<T: Copy>(from: *const T) -> Outcome<T> {
    if from.is_null() {
        return Err(Code::InvalidValue);
    }
    // SAFETY: not null, and such a value by the function's contract.
    Ok(unsafe { from.read() })
}

macro_rules! functions {
    ($([$($vendor:ident $name:ident),*] $arguments:tt $body:expr;)*) => {
        $($(one! { $vendor $name $arguments $body })*)*
    };
}

macro_rules! one {
    ($vendor:ident $name:ident ($($argument:ident: $type:ty),*) $body:expr) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> c_int {
            const BODY: fn(Vendor, $($type),*) -> Outcome = $body;
            call(Vendor::$vendor, stringify!($name), || BODY(Vendor::$vendor, $($argument),*))
        }
    };
}

functions! {
    [Nvidia cuInit, Amd hipInit, Moore muInit, Cambricon cnInit] (flags: c_uint) |vendor, flags| {
        if flags == 0 { init(vendor) } else { Err(Code::InvalidValue) }
    };
    [Nvidia cuDriverGetVersion, Moore muDriverGetVersion] (to: *mut c_int) |_, to| write(to, 12_040);
    [Amd hipRuntimeGetVersion] (to: *mut c_int) |_, to| write(to, 60_300_000);
    [Nvidia cuGetErrorName, Amd hipDrvGetErrorName, Moore muGetErrorName, Cambricon cnGetErrorName]
        (code: c_int, to: *mut *const c_char) |vendor, code, to| write(to, name(vendor, code).as_ptr());

    [Nvidia cuDeviceGetCount, Amd hipGetDeviceCount, Moore muDeviceGetCount, Cambricon cnDeviceGetCount]
        (to: *mut c_int) |vendor, to| {
            started(vendor)?;
            write(to, settings().gpus[vendor.index()].cast_signed())
        };
    [Nvidia cuDeviceGet, Amd hipDeviceGet, Moore muDeviceGet] (to: *mut c_int, number: c_int)
        |vendor, to, number| write(to, device(vendor, number)?.cast_signed());
    [Cambricon cnDeviceGet] (to: *mut u64, number: c_int)
        |vendor, to, number| write(to, wide(device(vendor, number)?));
    [Nvidia cuDeviceGetName, Amd hipDeviceGetName, Moore muDeviceGetName]
        (to: *mut c_char, bytes: c_int, number: c_int) |vendor, to, bytes, number| {
            text(to, bytes, &format!("Simulated {vendor} {}", device(vendor, number)?))
        };
    [Cambricon cnDeviceGetName] (to: *mut c_char, bytes: c_uint, number: u64) |vendor, to, bytes, number| {
        text(to, bytes.cast_signed(), &format!("Simulated {vendor} {}", narrow(vendor, number)?))
    };
    [Nvidia cuDeviceGetPCIBusId, Amd hipDeviceGetPCIBusId, Moore muDeviceGetPCIBusId]
        (to: *mut c_char, bytes: c_int, number: c_int) |vendor, to, bytes, number| {
            text(to, bytes, &bus(vendor, device(vendor, number)?))
        };
    [Cambricon cnDeviceGetPCIBusId] (to: *mut c_char, bytes: c_int, number: u64) |vendor, to, bytes, number| {
        text(to, bytes, &bus(vendor, narrow(vendor, number)?))
    };

    [Nvidia cuDevicePrimaryCtxRetain, Moore muDevicePrimaryCtxRetain] (to: *mut *mut c_void, number: c_int)
        |vendor, to, number| {
            if to.is_null() { return Err(Code::InvalidValue) }
            write(to, contexts::retain(vendor, device(vendor, number)?))
        };
    [Nvidia cuDevicePrimaryCtxRelease_v2, Moore muDevicePrimaryCtxRelease_v2] (number: c_int)
        |vendor, number| contexts::release(vendor, device(vendor, number)?);
    [Nvidia cuDevicePrimaryCtxReset_v2, Moore muDevicePrimaryCtxReset_v2] (number: c_int)
        |vendor, number| {
            contexts::reset(vendor, device(vendor, number)?);
            Ok(())
        };
    [Nvidia cuCtxGetId] (context: *mut c_void, to: *mut u64)
        |vendor, context, to| write(to, contexts::id(vendor, context)?);
    [Cambricon cnSharedContextAcquire] (to: *mut *mut c_void, number: u64)
        |vendor, to, number| {
            if to.is_null() { return Err(Code::InvalidValue) }
            write(to, contexts::retain(vendor, narrow(vendor, number)?))
        };
    [Nvidia cuCtxPushCurrent_v2, Moore muCtxPushCurrent_v2] (context: *mut c_void)
        |vendor, context| contexts::push(vendor, context);
    [Nvidia cuCtxPopCurrent_v2, Moore muCtxPopCurrent_v2] (to: *mut *mut c_void)
        |vendor, to| write(to, contexts::pop(vendor)?);
    [Nvidia cuCtxGetCurrent, Moore muCtxGetCurrent, Cambricon cnCtxGetCurrent] (to: *mut *mut c_void)
        |vendor, to| write(to, contexts::current_context(vendor)?);
    [Nvidia cuCtxSetCurrent, Moore muCtxSetCurrent, Cambricon cnCtxSetCurrent] (context: *mut c_void)
        |vendor, context| contexts::set(vendor, context);
    [Nvidia cuCtxGetDevice, Amd hipGetDevice, Moore muCtxGetDevice] (to: *mut c_int)
        |vendor, to| write(to, contexts::current(vendor)?.1.cast_signed());
    [Amd hipSetDevice] (number: c_int) |vendor, number| contexts::set_device(vendor, number);
    [Nvidia cuCtxSynchronize, Amd hipDeviceSynchronize, Moore muCtxSynchronize, Cambricon cnCtxSync] ()
        |vendor| streams::wait_all(vendor);

    [Nvidia cuMemGetInfo_v2, Amd hipMemGetInfo, Moore muMemGetInfo_v2, Cambricon cnMemGetInfo]
        (free: *mut u64, total: *mut u64) |vendor, free, total| {
            let info = blocks::info(vendor)?;
            write(free, info.0)?;
            write(total, info.1)
        };
    [Nvidia cuMemAlloc_v2, Amd hipMalloc, Moore muMemAlloc_v2, Cambricon cnMalloc] (to: *mut u64, bytes: usize)
        |vendor, to, bytes| allocated(vendor, to, bytes);
    [Cambricon cnMallocPeerAble] (to: *mut u64, bytes: usize) |vendor, to, bytes| allocated(vendor, to, bytes);
    [Nvidia cuMemFree_v2, Amd hipFree, Moore muMemFree_v2, Cambricon cnFree] (address: u64)
        |vendor, address| blocks::free(vendor, address);
    [Nvidia cuMemGetAddressRange_v2, Amd hipMemGetAddressRange, Moore muMemGetAddressRange_v2,
        Cambricon cnMemGetAddressRange] (base: *mut u64, bytes: *mut u64, address: u64)
        |vendor, base, bytes, address| {
            let range = blocks::range(vendor, address)?;
            write(base, range.0)?;
            write(bytes, range.1)
        };
    [Nvidia cuPointerGetAttribute, Amd hipPointerGetAttribute, Moore muPointerGetAttribute]
        (to: *mut c_void, which: c_int, address: u64)
        |vendor, to, which, address| write(to.cast::<c_int>(), host::attribute(vendor, which, address)?);

    [Nvidia cuPointerGetAttributes, Moore muPointerGetAttributes]
        (count: c_uint, which: *mut c_int, to: *mut *mut c_void, address: u64)
        |vendor, count, which, to, address| {
            if which.is_null() || to.is_null() { return Err(Code::InvalidValue) }
            (0..count as usize).try_for_each(|at| {
                // SAFETY: so many facts are asked for, by the function's contract.
                let which = unsafe { which.wrapping_add(at).read() };
                // SAFETY: a place is passed for each of the `count` facts, by the function's contract.
                let to = unsafe { to.wrapping_add(at).read() };
                match host::attribute(vendor, which, address) {
                    // An unknown address is no error here.
                    Err(Code::InvalidValue) => write(to.cast::<c_int>(), 0),
                    fact => write(to.cast::<c_int>(), fact?),
                }
            })
        };

    [Nvidia cuMemsetD8_v2, Amd hipMemsetD8, Moore muMemsetD8_v2] (address: u64, value: u8, bytes: usize)
        |vendor, address, value, bytes| fill(vendor, std::ptr::null_mut(), address, value, bytes);
    [Nvidia cuMemsetD8Async, Amd hipMemsetD8Async, Moore muMemsetD8Async]
        (address: u64, value: u8, bytes: usize, stream: *mut c_void)
        |vendor, address, value, bytes, stream| fill(vendor, stream, address, value, bytes);
    [Nvidia cuEventCreate, Amd hipEventCreateWithFlags, Moore muEventCreate]
        (to: *mut *mut c_void, flags: c_uint) |vendor, to, flags| {
            if to.is_null() { return Err(Code::InvalidValue) }
            write(to, events::create(vendor, flags)?)
        };
    [Nvidia cuEventDestroy_v2, Amd hipEventDestroy, Moore muEventDestroy_v2] (event: *mut c_void)
        |vendor, event| events::destroy(vendor, event);
    [Nvidia cuEventRecord, Amd hipEventRecord, Moore muEventRecord] (event: *mut c_void, stream: *mut c_void)
        |vendor, event, stream| events::record(vendor, event, stream);
    [Nvidia cuEventQuery, Amd hipEventQuery, Moore muEventQuery] (event: *mut c_void)
        |vendor, event| events::query(vendor, event);
    [Nvidia cuEventSynchronize, Amd hipEventSynchronize, Moore muEventSynchronize] (event: *mut c_void)
        |vendor, event| events::synchronize(vendor, event);
    [Nvidia cuStreamWaitEvent, Amd hipStreamWaitEvent, Moore muStreamWaitEvent]
        (stream: *mut c_void, event: *mut c_void, flags: c_uint)
        |vendor, stream, event, flags| events::hold(vendor, stream, event, flags);

    [Nvidia cuMemHostAlloc, Amd hipHostMalloc, Moore muMemHostAlloc]
        (to: *mut *mut c_void, bytes: usize, flags: c_uint) |vendor, to, bytes, flags| {
            if flags > 7 || to.is_null() { return Err(Code::InvalidValue) }
            write(to, host::allocate(vendor, bytes)?)
        };
    [Cambricon cnMallocHost] (to: *mut *mut c_void, bytes: usize) |vendor, to, bytes| {
        if to.is_null() { return Err(Code::InvalidValue) }
        write(to, host::allocate(vendor, bytes)?)
    };
    [Nvidia cuMemFreeHost, Amd hipHostFree, Moore muMemFreeHost, Cambricon cnFreeHost] (address: *mut c_void)
        |vendor, address| host::free(vendor, address);
    [Nvidia cuMemHostRegister_v2, Amd hipHostRegister, Moore muMemHostRegister_v2]
        (address: *mut c_void, bytes: usize, flags: c_uint) |vendor, address, bytes, flags| {
            if flags > 15 { Err(Code::InvalidValue) } else { host::register(vendor, address, bytes) }
        };
    [Nvidia cuMemHostUnregister, Amd hipHostUnregister, Moore muMemHostUnregister] (address: *mut c_void)
        |vendor, address| host::unregister(vendor, address);

    [Nvidia cuMemcpyHtoD_v2, Amd hipMemcpyHtoD, Moore muMemcpyHtoD_v2, Cambricon cnMemcpyHtoD]
        (device: u64, host: *const c_void, bytes: usize)
        |vendor, device, host, bytes| now(vendor, Ends::Up { device, host }, bytes);
    [Nvidia cuMemcpyDtoH_v2, Amd hipMemcpyDtoH, Moore muMemcpyDtoH_v2, Cambricon cnMemcpyDtoH]
        (host: *mut c_void, device: u64, bytes: usize)
        |vendor, host, device, bytes| now(vendor, Ends::Down { host, device }, bytes);
    [Nvidia cuMemcpyDtoD_v2, Amd hipMemcpyDtoD, Moore muMemcpyDtoD_v2, Cambricon cnMemcpyDtoD]
        (to: u64, from: u64, bytes: usize) |vendor, to, from, bytes| now(vendor, Ends::Across { to, from }, bytes);
    [Nvidia cuMemcpyHtoDAsync_v2, Amd hipMemcpyHtoDAsync, Moore muMemcpyHtoDAsync_v2, Cambricon cnMemcpyHtoDAsync]
        (device: u64, host: *const c_void, bytes: usize, stream: *mut c_void)
        |vendor, device, host, bytes, stream| on(vendor, stream, Ends::Up { device, host }, bytes);
    [Nvidia cuMemcpyDtoHAsync_v2, Amd hipMemcpyDtoHAsync, Moore muMemcpyDtoHAsync_v2, Cambricon cnMemcpyDtoHAsync]
        (host: *mut c_void, device: u64, bytes: usize, stream: *mut c_void)
        |vendor, host, device, bytes, stream| on(vendor, stream, Ends::Down { host, device }, bytes);
    [Nvidia cuMemcpyDtoDAsync_v2, Amd hipMemcpyDtoDAsync, Moore muMemcpyDtoDAsync_v2, Cambricon cnMemcpyDtoDAsync]
        (to: u64, from: u64, bytes: usize, stream: *mut c_void)
        |vendor, to, from, bytes, stream| on(vendor, stream, Ends::Across { to, from }, bytes);

    [Nvidia cuStreamCreate, Amd hipStreamCreateWithFlags, Moore muStreamCreate, Cambricon cnCreateQueue]
        (to: *mut *mut c_void, flags: c_uint) |vendor, to, flags| {
            if to.is_null() { return Err(Code::InvalidValue) }
            write(to, streams::create(vendor, flags)?)
        };
    [Nvidia cuStreamDestroy_v2, Amd hipStreamDestroy, Moore muStreamDestroy_v2, Cambricon cnDestroyQueue]
        (stream: *mut c_void) |vendor, stream| streams::destroy(vendor, stream);
    [Nvidia cuStreamSynchronize, Amd hipStreamSynchronize, Moore muStreamSynchronize, Cambricon cnQueueSync]
        (stream: *mut c_void) |vendor, stream| streams::wait(vendor, stream);
    [Nvidia cuStreamQuery, Amd hipStreamQuery, Moore muStreamQuery, Cambricon cnQueryQueue] (stream: *mut c_void)
        |vendor, stream| streams::query(vendor, stream);
    [Nvidia cuLaunchHostFunc, Amd hipLaunchHostFunc, Moore muLaunchHostFunc, Cambricon cnInvokeHostFunc]
        (stream: *mut c_void, function: Option<unsafe extern "C" fn(*mut c_void)>, argument: *mut c_void)
        |vendor, stream, function, argument| streams::host_function(vendor, stream, function, argument);

    [Nvidia cuMemGetAllocationGranularity] (to: *mut usize, sort: *const AllocationProperties, option: c_int)
        |vendor, to, sort, option| {
            if !(0..2).contains(&option) { return Err(Code::InvalidValue) }
            mappings::place_of(vendor, &read(sort)?)?;
            write(to, mappings::UNIT_BYTES)
        };
    [Nvidia cuMemAddressReserve] (to: *mut u64, bytes: usize, alignment: usize, wished: u64, flags: u64)
        |vendor, to, bytes, alignment, wished, flags| {
            if flags != 0 || to.is_null() || alignment > mappings::UNIT_BYTES { return Err(Code::InvalidValue) }
            write(to, mappings::reserve(vendor, bytes, wished)?)
        };
    [Nvidia cuMemAddressFree] (first: u64, bytes: usize)
        |vendor, first, bytes| mappings::give_back(vendor, first, bytes);
    [Nvidia cuMemCreate] (to: *mut u64, bytes: usize, sort: *const AllocationProperties, flags: u64)
        |vendor, to, bytes, sort, flags| {
            if flags != 0 || to.is_null() { return Err(Code::InvalidValue) }
            write(to, mappings::make(vendor, bytes, &read(sort)?)?)
        };
    [Nvidia cuMemRelease] (handle: u64) |vendor, handle| mappings::release(vendor, handle);
    [Nvidia cuMemMap] (address: u64, bytes: usize, offset: usize, handle: u64, flags: u64)
        |vendor, address, bytes, offset, handle, flags| {
            if flags != 0 || offset != 0 { return Err(Code::InvalidValue) }
            mappings::map(vendor, address, bytes, handle)
        };
    [Nvidia cuMemUnmap] (address: u64, bytes: usize)
        |vendor, address, bytes| mappings::unmap(vendor, address, bytes);
    [Nvidia cuMemSetAccess] (address: u64, bytes: usize, whom: *const Access, count: usize)
        |vendor, address, bytes, whom, count| {
            let read = |at| read(whom.wrapping_add(at));
            (0..count).try_for_each(|at| mappings::open_to(vendor, address, bytes, &read(at)?))
        };
    [Nvidia cuMemExportToShareableHandle] (to: *mut c_void, handle: u64, kind: c_int, flags: u64)
        |vendor, to, handle, kind, flags| {
            if flags != 0 || kind != 1 || to.is_null() { return Err(Code::InvalidValue) }
            write(to.cast::<c_int>(), mappings::export(vendor, handle)?)
        };
    [Nvidia cuMemImportFromShareableHandle] (to: *mut u64, descriptor: *mut c_void, kind: c_int)
        |vendor, to, descriptor, kind| {
            if kind != 1 || to.is_null() { return Err(Code::InvalidValue) }
            write(to, mappings::import(vendor, descriptor.addr())?)
        };

    [Nvidia cuIpcGetMemHandle, Amd hipIpcGetMemHandle, Moore muIpcGetMemHandle] (to: *mut IpcHandle, address: u64)
        |vendor, to, address| {
            let mut handle = [0; gpu_sys::IPC_HANDLE_BYTES];
            handle[..8].copy_from_slice(&ipc::export(vendor, address)?.to_le_bytes());
            write(to, IpcHandle(handle))
        };
    [Nvidia cuIpcOpenMemHandle_v2, Amd hipIpcOpenMemHandle, Moore muIpcOpenMemHandle_v2]
        (to: *mut u64, handle: IpcHandle, flags: c_uint) |vendor, to, handle, flags| {
            let (word, rest) = handle.0.split_first_chunk().ok_or(Code::InvalidHandle)?;
            if flags != 1 || to.is_null() || rest.iter().any(|byte| *byte != 0) {
                return Err(Code::InvalidValue);
            }
            write(to, ipc::open(vendor, u64::from_le_bytes(*word))?)
        };
    [Nvidia cuIpcCloseMemHandle, Amd hipIpcCloseMemHandle, Moore muIpcCloseMemHandle,
        Cambricon cnIpcCloseMemHandle] (address: u64) |vendor, address| ipc::close(vendor, address);
    [Cambricon cnIpcGetMemHandle] (to: *mut u64, address: u64)
        |vendor, to, address| write(to, ipc::export(vendor, address)?);
    [Cambricon cnIpcOpenMemHandle] (to: *mut u64, handle: u64, flags: c_uint) |vendor, to, handle, flags| {
        if flags != 0 || to.is_null() { return Err(Code::InvalidValue) }
        write(to, ipc::open(vendor, handle)?)
    };
}

fn allocated(vendor: Vendor, to: *mut u64, bytes: usize) -> Outcome {
    if to.is_null() {
        return Err(Code::InvalidValue);
    }
    write(to, blocks::allocate(vendor, bytes)?)
}

/// A device as CNDrv names it.
fn wide(device: u32) -> u64 {
    0x1_0000_0000 | u64::from(device)
}

fn narrow(vendor: Vendor, name: u64) -> Outcome<u32> {
    let number = i32::try_from(name ^ 0x1_0000_0000).map_err(|_| Code::InvalidDevice)?;
    device(vendor, number)
}

fn bus(vendor: Vendor, device: u32) -> String {
    format!("0000:{:02x}:{device:02x}.0", 0x10 * (vendor.index() + 1))
}

/// Writes a text with its end, cut where the place is short.
pub(crate) fn text(to: *mut c_char, bytes: c_int, text: &str) -> Outcome {
    let room = usize::try_from(bytes).unwrap_or(0);
    if to.is_null() || room == 0 {
        return Err(Code::InvalidValue);
    }
    let length = text.len().min(room - 1);
    // SAFETY: a place of that many bytes by the function's contract.
    unsafe { libc::memcpy(to.cast(), text.as_ptr().cast(), length) };
    // SAFETY: `length` is less than the room.
    unsafe { to.wrapping_add(length).write(0) };
    Ok(())
}
