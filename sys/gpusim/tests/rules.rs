// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The rules of the simulator, one test per rule number. Every test runs in separate processes, since each
//! process reads the settings once.
#![expect(unsafe_code, reason = "calls of a C interface")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../sim/tests/rules/isolated.rs"]
mod isolated;

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

use gpu_sim::*;
use gpu_sys::IpcHandle;

/// Calls an exported function. Buffers that the tests pass by address are large enough and theirs.
macro_rules! call {
    ($function:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the tests pass null, or addresses of variables of the type that the interface names.
        unsafe { $function($($argument),*) }
    };
}

#[path = "rules/mappings.rs"]
mod mappings;

/// CUDA with this device current.
fn cuda(device: i32) {
    assert_eq!(call!(cuInit(0)), 0);
    let mut context = null_mut();
    assert_eq!(call!(cuDevicePrimaryCtxRetain(&raw mut context, device)), 0);
    assert_eq!(call!(cuCtxPushCurrent_v2(context)), 0);
}

/// CNDrv with its device current.
fn cndrv() {
    assert_eq!(call!(cnInit(0)), 0);
    let (mut device, mut context) = (0, null_mut());
    assert_eq!(call!(cnDeviceGet(&raw mut device, 0)), 0);
    assert_eq!(call!(cnSharedContextAcquire(&raw mut context, device)), 0);
    assert_eq!(call!(cnCtxSetCurrent(context)), 0);
}

fn memory(bytes: usize) -> u64 {
    let mut address = 0;
    assert_eq!(call!(cuMemAlloc_v2(&raw mut address, bytes)), 0);
    address
}

fn put(address: u64, value: u64) {
    assert_eq!(call!(cuMemcpyHtoD_v2(address, (&raw const value).cast(), 8)), 0);
}

fn get(address: u64) -> u64 {
    let mut value = 0_u64;
    assert_eq!(call!(cuMemcpyDtoH_v2((&raw mut value).cast(), address, 8)), 0);
    value
}

fn stream() -> *mut c_void {
    let mut stream = null_mut();
    assert_eq!(call!(cuStreamCreate(&raw mut stream, 1)), 0);
    stream
}

fn pinned() -> *mut u64 {
    let mut at = null_mut();
    assert_eq!(call!(cuMemHostAlloc(&raw mut at, 4096, 3)), 0);
    at.cast()
}

/// A word of pinned memory.
fn word(at: *mut u64) -> u64 {
    // SAFETY: pinned memory of the test, which a thread of the simulator may be writing.
    unsafe { at.read_volatile() }
}

const LATE: &[(&str, &str)] = &[("=GPUSIM_LATE_US", "200000")];

#[test]
fn rule_1_cpu_access_to_device_memory_faults() {
    isolated::dies(libc::SIGSEGV, &[], || {
        cuda(0);
        let at = std::ptr::with_exposed_provenance::<u8>(usize::try_from(memory(8)).unwrap());
        // SAFETY: faults, as the test wants.
        unsafe { at.read_volatile() };
    });
}

#[test]
fn rule_2_calls_fail_before_driver_initialisation() {
    isolated::run(&[("=GPUSIM_GPUS", "1:cuda,1:hip,1:cndrv")], || {
        let (mut number, mut address) = (0, 0);
        assert_eq!(call!(cuDriverGetVersion(&raw mut number)), 0);
        assert_eq!(call!(cuDeviceGetCount(&raw mut number)), 3);
        assert_eq!(call!(cuMemAlloc_v2(&raw mut address, 8)), 3);
        assert_eq!(call!(cnMalloc(&raw mut address, 8)), 100_002);
        assert_eq!(call!(hipMalloc(&raw mut address, 8)), 0);
        assert_eq!(call!(hipFree(address)), 0);
        assert_eq!(call!(muInit(0)), 100);
    });
}

#[test]
fn rule_3_memory_needs_a_context() {
    isolated::run(&[], || {
        let mut address = 0;
        assert_eq!(call!(cuInit(0)), 0);
        assert_eq!(call!(cnInit(0)), 0);
        assert_eq!(call!(cuMemAlloc_v2(&raw mut address, 8)), 201);
        assert_eq!(call!(cnMalloc(&raw mut address, 8)), 100_201);
        assert_eq!(call!(cuCtxPushCurrent_v2((&raw mut address).cast())), 201);
        assert_eq!(call!(cuCtxPushCurrent_v2(null_mut())), 201);
        let mut popped = null_mut();
        assert_eq!(call!(cuCtxPopCurrent_v2(&raw mut popped)), 201);
    });
}

#[test]
fn rule_4_devices_are_enumerated_and_memory_is_on_the_current_one() {
    isolated::run(&[("=GPUSIM_GPUS", "2:cuda,2:hip")], || {
        let (mut device, mut address) = (0, 0);
        cuda(0);
        assert_eq!(call!(cuDeviceGet(&raw mut device, 2)), 101);
        assert_eq!(call!(hipSetDevice(2)), 101);
        let of_0 = memory(64);
        cuda(1);
        assert_eq!(call!(cuMemcpyHtoD_v2(of_0, (&raw const address).cast(), 8)), 1);
        assert_eq!(call!(cuMemFree_v2(of_0)), 1);
        let of_1 = memory(64);
        assert_eq!(call!(cuMemcpyDtoD_v2(of_1, of_0, 64)), 0);
        assert_eq!(call!(hipSetDevice(1)), 0);
        assert_eq!(call!(hipMalloc(&raw mut address, 64)), 0);
        assert_eq!(call!(cuMemcpyDtoD_v2(of_1, address, 64)), 1);
    });
}

#[test]
fn rule_5_copy_stays_inside_an_allocation_and_checks_its_side() {
    isolated::run(&[], || {
        cuda(0);
        let (a, b, bytes) = (memory(64), memory(64), [0_u8; 65]);
        assert_eq!(call!(cuMemcpyHtoD_v2(a, bytes.as_ptr().cast(), 64)), 0);
        assert_eq!(call!(cuMemcpyHtoD_v2(a, bytes.as_ptr().cast(), 65)), 1);
        assert_eq!(call!(cuMemcpyHtoD_v2(a + 63, bytes.as_ptr().cast(), 2)), 1);
        assert_eq!(call!(cuMemcpyDtoD_v2(a + 1, b, 64)), 1);
        let device = std::ptr::with_exposed_provenance(usize::try_from(b).unwrap());
        assert_eq!(call!(cuMemcpyHtoD_v2(a, device, 8)), 1);
        assert_eq!(call!(cuMemcpyHtoD_v2(a, null_mut(), 8)), 1);
        assert_eq!(call!(cuMemcpyHtoD_v2(bytes.as_ptr().addr() as u64, bytes.as_ptr().cast(), 8)), 1);
    });
}

#[test]
fn rule_6_freed_or_unknown_memory_is_rejected() {
    isolated::run(&[], || {
        cuda(0);
        cndrv();
        let a = memory(64);
        assert_eq!(call!(cuMemFree_v2(a + 8)), 1);
        assert_eq!(call!(cuMemFree_v2(a)), 0);
        assert_eq!(call!(cuMemFree_v2(a)), 1);
        assert_eq!(call!(cuMemcpyHtoD_v2(a, (&raw const a).cast(), 8)), 1);
        assert_eq!(call!(cuMemFree_v2(0)), 0);
        assert_eq!(call!(cnFree(a)), 100_006);
        assert_eq!(call!(cuStreamSynchronize(std::ptr::without_provenance_mut(64))), 400);
        let stream = stream();
        assert_eq!(call!(cuStreamDestroy_v2(stream)), 0);
        assert_eq!(call!(cuStreamDestroy_v2(stream)), 400);
    });
}

#[test]
fn rule_7_device_memory_is_limited() {
    isolated::run(&[("=GPUSIM_MEMORY_BYTES", "8192")], || {
        cuda(0);
        cndrv();
        let (mut address, mut free, mut total) = (0, 0, 0);
        let a = memory(8000);
        assert_eq!(call!(cuMemAlloc_v2(&raw mut address, 193)), 2);
        assert_eq!(call!(cnMalloc(&raw mut address, 8193)), 100_100);
        assert_eq!(call!(cuMemGetInfo_v2(&raw mut free, &raw mut total)), 0);
        assert_eq!((free, total), (192, 8192));
        assert_eq!(call!(cuMemFree_v2(a)), 0);
        memory(8192);
    });
}

#[test]
fn rule_8_streams_are_ordered_and_asynchronous() {
    isolated::run(LATE, || {
        cuda(0);
        let (a, b, stream, at) = (memory(8), memory(8), stream(), pinned());
        // SAFETY: pinned memory of the test.
        unsafe { at.write_volatile(1) };
        assert_eq!(call!(cuMemcpyHtoDAsync_v2(a, at.cast(), 8, stream)), 0);
        assert_eq!(call!(cuMemcpyDtoDAsync_v2(b, a, 8, stream)), 0);
        assert_eq!(call!(cuStreamQuery(stream)), 600);
        // Read when the stream gets there.
        // SAFETY: as above.
        unsafe { at.write_volatile(7) };
        assert_eq!(call!(cuMemcpyDtoHAsync_v2(at.wrapping_add(1).cast(), b, 8, stream)), 0);
        assert_eq!(word(at.wrapping_add(1)), 0);
        assert_eq!(call!(cuStreamSynchronize(stream)), 0);
        assert_eq!(call!(cuStreamQuery(stream)), 0);
        assert_eq!((word(at.wrapping_add(1)), get(b)), (7, 7));
    });
}

#[test]
fn rule_9_pageable_copies_are_synchronous() {
    isolated::run(LATE, || {
        cuda(0);
        let (a, stream) = (memory(8), stream());
        let (mut source, mut target) = (5_u64, 0_u64);
        assert_eq!(call!(cuMemcpyHtoDAsync_v2(a, (&raw const source).cast(), 8, stream)), 0);
        source = 6;
        assert_eq!(call!(cuMemcpyDtoHAsync_v2((&raw mut target).cast(), a, 8, stream)), 0);
        assert_eq!((source, target), (6, 5));
    });
}

#[test]
fn rule_10_a_copy_between_devices_returns_early() {
    isolated::run(LATE, || {
        cuda(0);
        let (a, b) = (memory(8), memory(8));
        put(a, 1);
        assert_eq!(call!(cuMemcpyDtoD_v2(b, a, 8)), 0);
        assert_eq!(call!(cuStreamQuery(null_mut())), 600);
        assert_eq!(call!(cuCtxSynchronize()), 0);
        assert_eq!(call!(cuStreamQuery(null_mut())), 0);
        assert_eq!(get(b), 1);
    });
}

#[test]
fn rule_11_ipc_handle_opens_once_and_only_in_other_processes() {
    isolated::crew(2, &[], |rank, board| {
        cuda(0);
        let mut handle = IpcHandle([0; 64]);
        let mut at = 0;
        if rank == 0 {
            let a = memory(100);
            put(a + 8, 42);
            assert_eq!(call!(cuIpcGetMemHandle(&raw mut handle, a + 8)), 1);
            assert_eq!(call!(cuIpcGetMemHandle(&raw mut handle, a)), 0);
            assert_eq!(call!(cuIpcOpenMemHandle_v2(&raw mut at, handle, 1)), 201);
            assert_eq!(call!(cuIpcCloseMemHandle(a)), 1);
            board.post("handle", &handle.0);
            board.take("seen");
            assert_eq!(get(a + 16), 43);
            assert_eq!(call!(cuMemFree_v2(a)), 0);
            board.post("freed", b"");
            board.take("done");
        } else {
            handle.0.copy_from_slice(&board.take("handle"));
            assert_eq!(call!(cuIpcOpenMemHandle_v2(&raw mut at, handle, 1)), 0);
            let mut other = 0;
            assert_eq!(call!(cuIpcOpenMemHandle_v2(&raw mut other, handle, 1)), 208);
            assert_eq!(get(at + 8), 42);
            put(at + 16, 43);
            assert_eq!(call!(cuMemFree_v2(at)), 1);
            assert_eq!(call!(cuIpcGetMemHandle(&raw mut handle, at)), 1);
            board.post("seen", b"");
            board.take("freed");
            assert_eq!(get(at + 8), 42);
            assert_eq!(call!(cuIpcCloseMemHandle(at)), 0);
            assert_eq!(call!(cuIpcCloseMemHandle(at)), 1);
            handle.0.copy_from_slice(&board.take("handle"));
            assert_eq!(call!(cuIpcOpenMemHandle_v2(&raw mut at, handle, 1)), 205);
            board.post("done", b"");
        }
    });
}

#[test]
fn rule_12_host_memory_is_pinned_once() {
    isolated::run(&[], || {
        cuda(0);
        let mut own = vec![0_u8; 4096];
        let at: *mut c_void = own.as_mut_ptr().cast();
        assert_eq!(call!(cuMemHostUnregister(at)), 713);
        assert_eq!(call!(cuMemHostRegister_v2(at, 4096, 0)), 0);
        assert_eq!(call!(cuMemHostRegister_v2(at, 64, 0)), 712);
        let mut kind = 0_i32;
        assert_eq!(call!(cuPointerGetAttribute((&raw mut kind).cast(), 2, at.addr() as u64)), 0);
        assert_eq!(kind, 1);
        assert_eq!(call!(cuMemFreeHost(at)), 1);
        assert_eq!(call!(cuMemHostUnregister(at)), 0);
        assert_eq!(call!(cuPointerGetAttribute((&raw mut kind).cast(), 2, at.addr() as u64)), 1);
    });
}

#[test]
fn rule_13_leaks_are_listed() {
    let file = std::env::temp_dir().join(format!("gpusim-leaks-{}", std::process::id()));
    isolated::run(&[("=GPUSIM_LEAKS", file.to_str().unwrap())], || {
        cuda(0);
        memory(77);
        let freed = memory(78);
        assert_eq!(call!(cuMemFree_v2(freed)), 0);
        pinned();
        stream();
        assert_eq!(gpusim_leaks(), 3);
    });
    if !isolated::is_member() {
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text, "cuda 0: 77 bytes allocated\ncuda: 4096 bytes pinned\ncuda 0: a stream\n");
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn rule_14_the_nth_call_fails() {
    isolated::run(&[("=GPUSIM_FAULTS", "cuMemAlloc_v2@2=2")], || {
        cuda(0);
        let mut address = 0;
        memory(8);
        assert_eq!(call!(cuMemAlloc_v2(&raw mut address, 8)), 2);
        memory(8);
        gpusim_fail(2);
        memory(8);
        assert_eq!(call!(cuMemAlloc_v2(&raw mut address, 8)), 999);
        memory(8);
    });
}

#[test]
fn rule_15_copies_take_the_configured_time() {
    isolated::run(&[("=GPUSIM_BYTES_PER_SECOND", "1000")], || {
        cuda(0);
        let a = memory(100);
        let start = std::time::Instant::now();
        assert_eq!(call!(cuMemcpyHtoD_v2(a, [1_u8; 100].as_ptr().cast(), 100)), 0);
        assert!(start.elapsed().as_millis() >= 100);
    });
}

#[test]
fn rule_16_the_driver_ends_before_the_process() {
    extern "C" fn last() {
        // A driver that has not ended would say 0.
        if call!(cuMemFree_v2(0)) != 4 || call!(cnFree(8)) != 100_003 {
            // SAFETY: ends the process with a failure.
            unsafe { libc::_exit(9) };
        }
    }
    isolated::run(&[], || {
        // SAFETY: registers a function without arguments, which runs after the simulator's exit handler.
        unsafe { libc::atexit(last) };
        cuda(0);
    });
}

static OPEN: AtomicBool = AtomicBool::new(false);

/// Holds a stream until [`OPEN`] is set.
unsafe extern "C" fn hold(_: *mut c_void) {
    while !OPEN.load(Ordering::Acquire) {
        std::thread::yield_now();
    }
}

#[test]
fn rule_17_events_complete_in_stream_order() {
    isolated::run(&[], || {
        cuda(0);
        let (first, second, address, at) = (stream(), stream(), memory(8), pinned());
        let mut event = null_mut();
        assert_eq!(call!(cuEventCreate(&raw mut event, 2)), 0);
        // Never recorded: reached, and nothing to wait for.
        assert_eq!((call!(cuEventQuery(event)), call!(cuStreamWaitEvent(second, event, 0))), (0, 0));
        put(address, 7);
        assert_eq!(call!(cuLaunchHostFunc(first, Some(hold), null_mut())), 0);
        assert_eq!(call!(cuMemcpyDtoHAsync_v2(at.cast(), address, 8, first)), 0);
        assert_eq!(call!(cuEventRecord(event, first)), 0);
        assert_eq!((call!(cuEventQuery(event)), word(at)), (600, 0));
        assert_eq!(call!(cuStreamWaitEvent(second, event, 0)), 0);
        OPEN.store(true, Ordering::Release);
        assert_eq!((call!(cuStreamSynchronize(second)), word(at)), (0, 7));
        assert_eq!((call!(cuEventSynchronize(event)), call!(cuEventQuery(event))), (0, 0));
        assert_eq!((call!(cuEventDestroy_v2(event)), call!(cuEventDestroy_v2(event))), (0, 400));
        assert_eq!(call!(cuEventRecord(event, first)), 400);
    });
}

#[test]
fn rule_18_memory_is_set_by_a_stream() {
    isolated::run(&[], || {
        cuda(0);
        let (address, stream) = (memory(16), stream());
        put(address, 1);
        put(address + 8, 2);
        assert_eq!(call!(cuLaunchHostFunc(stream, Some(hold), null_mut())), 0);
        assert_eq!(call!(cuMemsetD8Async(address, 0x11, 8, stream)), 0);
        // Copies do not wait for a stream of this sort.
        assert_eq!(get(address), 1);
        OPEN.store(true, Ordering::Release);
        assert_eq!(call!(cuStreamSynchronize(stream)), 0);
        assert_eq!((get(address), get(address + 8)), (0x1111_1111_1111_1111, 2));
        assert_eq!((call!(cuMemsetD8_v2(address, 0, 16)), get(address + 8)), (0, 0));
        assert_eq!(call!(cuMemsetD8_v2(address + 8, 0, 9)), 1);
    });
}

/// Uses the driver when its thread ends, behind what came to life after it.
struct Last(std::cell::Cell<u64>);

impl Drop for Last {
    fn drop(&mut self) {
        let (mut context, mut popped) = (null_mut(), null_mut());
        assert_eq!(call!(cuCtxGetCurrent(&raw mut context)), 0);
        let address = memory(8);
        put(address, self.0.get());
        assert_eq!((get(address), call!(cuMemFree_v2(address))), (self.0.get(), 0));
        assert_eq!(call!(cuCtxPopCurrent_v2(&raw mut popped)), 0);
        assert_eq!(call!(cuCtxPopCurrent_v2(&raw mut popped)), 201);
        assert_eq!(context.is_null(), popped.is_null());
        ENDED.store(self.0.get() == 9, Ordering::Release);
    }
}

static ENDED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static LAST: Last = const { Last(std::cell::Cell::new(0)) };
}

#[test]
fn exiting_threads_can_call_the_driver() {
    isolated::run(&[], || {
        let used = std::thread::spawn(|| {
            // Before anything of the driver's is in this thread.
            LAST.with(|last| last.0.set(9));
            cuda(0);
        });
        used.join().unwrap();
        assert!(ENDED.load(Ordering::Acquire));
    });
}

#[test]
fn rule_22_context_ends_with_its_objects_and_its_name_is_reused() {
    isolated::run(&[("=GPUSIM_GPUS", "2:cuda,1:hip")], || {
        let retained = || {
            let (mut context, mut id) = (null_mut(), 0);
            assert_eq!(call!(cuDevicePrimaryCtxRetain(&raw mut context, 0)), 0);
            assert_eq!(call!(cuCtxGetId(context, &raw mut id)), 0);
            (context, id)
        };
        cuda(1);
        let of_1 = memory(8);
        cuda(0);
        let (first, first_id) = retained();
        let (address, stream, _at) = (memory(64), stream(), pinned());
        let (mut number, mut popped) = (0, null_mut());
        assert_eq!(call!(cuDevicePrimaryCtxReset_v2(0)), 0);
        assert_eq!(call!(cuMemcpyHtoD_v2(address, (&raw const number).cast(), 8)), 709);
        assert_eq!((call!(cuStreamQuery(stream)), call!(cuMemFree_v2(address))), (709, 709));
        assert_eq!(
            (call!(cuCtxPushCurrent_v2(first)), call!(cuCtxGetId(first, &raw mut number))),
            (709, 709)
        );
        assert_eq!((call!(cuCtxPopCurrent_v2(&raw mut popped)), popped), (0, first));
        // Work on the other device continues.
        put(of_1, 5);
        assert_eq!((get(of_1), gpusim_leaks()), (5, 1));
        let (second, second_id) = retained();
        assert!(second != first && second_id != first_id);
        assert_eq!(call!(cuCtxPushCurrent_v2(second)), 0);
        assert_eq!(call!(cuMemFree_v2(address)), 1);
        assert_eq!((call!(cuStreamDestroy_v2(stream)), call!(cuMemFree_v2(memory(8)))), (400, 0));
        // The last user ends it, too.
        assert_eq!((call!(cuDevicePrimaryCtxRelease_v2(0)), call!(cuCtxPushCurrent_v2(second))), (0, 709));
        assert_eq!(call!(cuDevicePrimaryCtxRelease_v2(0)), 201);
        let (third, third_id) = retained();
        assert!(third == first && third_id != first_id);
    });
}

#[test]
fn several_pointer_attributes_are_queried_at_once() {
    isolated::run(&[], || {
        cuda(0);
        let (address, own) = (memory(8), 0_u64);
        let facts = |address: u64| {
            let (mut kind, mut device) = (9_i32, 9_i32);
            let (mut which, mut to) = ([2, 9], [(&raw mut kind).cast(), (&raw mut device).cast()]);
            let status = call!(cuPointerGetAttributes(2, which.as_mut_ptr(), to.as_mut_ptr(), address));
            (status, kind, device)
        };
        assert_eq!(facts(address + 7), (0, 2, 0));
        assert_eq!(facts(pinned().expose_provenance() as u64), (0, 1, 0));
        assert_eq!(facts((&raw const own).expose_provenance() as u64), (0, 0, 0));
    });
}
