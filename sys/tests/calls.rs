// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Checked methods against a fake library that records its arguments: every method calls the function it
//! should, with every argument in its place.

#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod fake;

use std::ffi::{CStr, c_char, c_void};
use std::time::Duration;

use ascend_acl_sys::acl::*;
use ascend_acl_sys::hal::HalPhysical;
use ascend_acl_sys::hccl::{Comm, DataType, ReduceOp};
use ascend_acl_sys::raw::types::*;
use ascend_acl_sys::{Libraries, Search};
use fake::Folder;

/// Stands for any address of the callee's own, of an out-parameter for example.
const SOME: u64 = 0xfeed_0000_0000_0000;

/// A fake installation, and the notes of its libraries.
struct Fake {
    libraries: Libraries,
    notes: [Notes; 4],
    _folder: Folder,
}

/// Recorded calls of one library, by the addresses of its thread-local variables.
struct Notes {
    function: *const *const c_char,
    arguments: *const [u64; 16],
}

impl Fake {
    fn new(name: &str) -> Option<Self> {
        let folder = Folder::new(name);
        let says = format!("const char *ascsim_version(void) {{ return \"fake\"; }}\n{}", fake::VERSION);
        let sources = [
            ("libascendcl.so", fake::source("acl.h", &says)),
            ("libascend_hal.so", fake::source("hal.h", "")),
            ("libhccl.so", fake::source("hccl.h", "")),
            ("libruntime.so", fake::source("rt.h", "")),
        ];
        let mut files = Vec::new();
        for (file, source) in sources {
            files.push(fake::build(folder.path(), file, &source, &[])?);
        }
        let libraries = Libraries::open(&Search::default().explicit(folder.path())).unwrap();
        let notes = std::array::from_fn(|index| {
            // SAFETY: the fake has no initialisers; it stays loaded, since `libraries` opened it never to be
            // unloaded.
            let library = unsafe { libloading::os::unix::Library::new(&files[index]) }.unwrap();
            // SAFETY: the symbol is used as the address that it is.
            let function =
                unsafe { library.get::<*const *const c_char>("fake_function") }.unwrap().into_raw();
            // SAFETY: as above.
            let arguments = unsafe { library.get::<*const [u64; 16]>("fake_arguments") }.unwrap().into_raw();
            Notes { function: function.cast(), arguments: arguments.cast() }
        });
        Some(Self { libraries, notes, _folder: folder })
    }

    /// Compares the last call of library `index` with the expected function and arguments.
    #[track_caller]
    fn called(&self, index: usize, function: &str, arguments: &[u64]) {
        let notes = &self.notes[index];
        // SAFETY: the variables of this thread live as long as the library.
        let name = unsafe { notes.function.read() };
        assert!(!name.is_null(), "{function} was not called");
        // SAFETY: the fake noted a literal.
        let name = unsafe { CStr::from_ptr(name) };
        assert_eq!(name.to_str().unwrap(), function);
        // SAFETY: the variables of this thread live as long as the library.
        let noted = unsafe { notes.arguments.read() };
        for (place, wanted) in arguments.iter().enumerate() {
            if *wanted == SOME {
                assert!(
                    noted[place] > 0xffff,
                    "{function}: argument {place} is no address: {:#x}",
                    noted[place]
                );
            } else {
                assert_eq!(noted[place], *wanted, "{function}: argument {place}");
            }
        }
        assert!(noted[arguments.len()..].iter().all(|rest| *rest == 0), "{function}: {noted:?}");
    }
}

/// An address that is not followed.
fn at(address: usize) -> *mut c_void {
    std::ptr::without_provenance_mut(address)
}

/// `calls!(fake.library: { expression => function(arguments); … })`
macro_rules! calls {
    ($fake:ident[$index:literal]: $($call:expr => $function:literal($($argument:expr),* $(,)?);)*) => {$(
        let _ = $call.unwrap();
        $fake.called($index, $function, &[$($argument),*]);
    )*};
}

// The handles below are numbers; the fake follows none of them.
fn stream(number: usize) -> Stream {
    // SAFETY: the fake takes any handle.
    unsafe { Stream::from_raw(at(number)) }
}

fn event(number: usize) -> Event {
    // SAFETY: the fake takes any handle.
    unsafe { Event::from_raw(at(number)) }
}

fn notify(number: usize) -> Notify {
    // SAFETY: the fake takes any handle.
    unsafe { Notify::from_raw(at(number)) }
}

fn physical(number: usize) -> Physical {
    // SAFETY: the fake takes any handle.
    unsafe { Physical::from_raw(at(number)) }
}

#[test]
fn process_and_device() {
    let Some(fake) = Fake::new("device") else { return };
    let acl = fake.libraries.acl();
    // SAFETY: the fake takes any handle.
    let context = unsafe { Context::from_raw(at(7)) };
    calls!(fake[0]:
        acl.init(None) => "aclInit"(0);
        acl.init(Some(c"/acl.json")) => "aclInit"(SOME);
        acl.package_version(c"runtime") => "aclsysGetVersionStr"(SOME, SOME);
        acl.run_mode() => "aclrtGetRunMode"(SOME);
        acl.device_count() => "aclrtGetDeviceCount"(SOME);
        acl.set_device(3) => "aclrtSetDevice"(3);
        acl.device() => "aclrtGetDevice"(SOME);
        acl.synchronize_device(None) => "aclrtSynchronizeDevice"();
        acl.synchronize_device(Some(Duration::from_millis(9))) => "aclrtSynchronizeDeviceWithTimeout"(9);
        acl.device_info(3, ACL_DEV_ATTR_NPU_ARCH) => "aclrtGetDeviceInfo"(3, 601, SOME);
        acl.device_is_normal(3) => "aclrtQueryDeviceStatus"(3, SOME);
        acl.bare_tgid() => "aclrtDeviceGetBareTgid"(SOME);
        acl.logical_of_user(3) => "aclrtGetLogicDevIdByUserDevId"(3, SOME);
        acl.user_of_logical(3) => "aclrtGetUserDevIdByLogicDevId"(3, SOME);
        acl.logical_of_physical(3) => "aclrtGetLogicDevIdByPhyDevId"(3, SOME);
        acl.physical_of_logical(3) => "aclrtGetPhyDevIdByLogicDevId"(3, SOME);
        acl.topology(3, 4) => "aclrtGetDevicesTopo"(3, 4, SOME);
        acl.create_context(3) => "aclrtCreateContext"(SOME, 3);
        acl.set_context(context) => "aclrtSetCurrentContext"(7);
        acl.context() => "aclrtGetCurrentContext"(SOME);
        acl.default_stream() => "aclrtCtxGetCurrentDefaultStream"(SOME);
        acl.can_access_peer(3, 4) => "aclrtDeviceCanAccessPeer"(SOME, 3, 4);
        acl.enable_peer(4) => "aclrtDeviceEnablePeerAccess"(4, 0);
        acl.disable_peer(4) => "aclrtDeviceDisablePeerAccess"(4);
        acl.peer_is_enabled(3, 4) => "aclrtDevicePeerAccessStatus"(3, 4, SOME);
    );
    // SAFETY: the fake ends nothing.
    calls!(fake[0]: unsafe { acl.destroy_context(context) } => "aclrtDestroyContext"(7););
    // SAFETY: the fake ends nothing.
    calls!(fake[0]: unsafe { acl.reset_device(3) } => "aclrtResetDevice"(3););
    // SAFETY: the fake ends nothing.
    calls!(fake[0]: unsafe { acl.reset_device_force(3) } => "aclrtResetDeviceForce"(3););
    // SAFETY: the fake ends nothing.
    calls!(fake[0]: unsafe { acl.finalize() } => "aclFinalize"(););
}

#[test]
fn memory_and_copies() {
    let Some(fake) = Fake::new("memory") else { return };
    let acl = fake.libraries.acl();
    calls!(fake[0]:
        acl.malloc(4096, ACL_MEM_MALLOC_HUGE_ONLY) => "aclrtMalloc"(SOME, 4096, 1);
        acl.malloc_host(4096) => "aclrtMallocHost"(SOME, 4096);
        acl.memory_info(ACL_HBM_MEM_HUGE) => "aclrtGetMemInfo"(4, SOME, SOME);
        acl.pointer_info(at(5)) => "aclrtPointerGetAttributes"(5, SOME);
        acl.engine_reaches_host(3, ACL_RT_HAC_TYPE_SDMA) => "aclrtHostMemMapCapabilities"(3, 6, SOME);
    );
    let kind = CopyKind::DeviceToHost;
    // SAFETY: here and below the fake follows no address and ends nothing.
    calls!(fake[0]: unsafe { acl.free(at(5)) } => "aclrtFree"(5););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.free_synchronized(at(5)) } => "aclrtFreeWithDevSync"(5););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.free_host(at(5)) } => "aclrtFreeHost"(5););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.memset(at(1), 2, 3, 4) } => "aclrtMemset"(1, 2, 3, 4););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.memset_async(at(1), 2, 3, 4, stream(5)) } => "aclrtMemsetAsync"(1, 2, 3, 4, 5););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.memcpy(at(1), 20, at(3), 4, kind) } => "aclrtMemcpy"(1, 20, 3, 4, 2););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.memcpy_async(at(1), 20, at(3), 4, kind, stream(9)) }
        => "aclrtMemcpyAsync"(1, 20, 3, 4, 2, 9););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.register_host(at(1), 2, ACL_HOST_REGISTER_READONLY) }
        => "aclrtHostRegister"(1, 2, 8, SOME););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.register_host_v2(at(1), 2, ACL_HOST_REG_PINNED) }
        => "aclrtHostRegisterV2"(1, 2, 0x1000_0000););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.unregister_host(at(1)) } => "aclrtHostUnregister"(1););
}

#[test]
fn batches() {
    let Some(fake) = Fake::new("batch") else { return };
    let acl = fake.libraries.acl();
    let mut batch = Batch {
        dsts: &mut [at(1), at(2)],
        capacities: &mut [3, 4],
        srcs: &mut [at(5), at(6)],
        bytes: &mut [7, 8],
        attributes: &mut [aclrtMemcpyBatchAttr::default()],
        attribute_starts: &mut [0],
    };
    let address = |pointer: *const c_void| pointer.addr() as u64;
    let lists = [
        address(batch.dsts.as_ptr().cast()),
        address(batch.capacities.as_ptr().cast()),
        address(batch.srcs.as_ptr().cast()),
        address(batch.bytes.as_ptr().cast()),
        address(batch.attributes.as_ptr().cast()),
        address(batch.attribute_starts.as_ptr().cast()),
    ];
    let [a, b, c, d, e, f] = lists;
    // SAFETY: the fake follows no address.
    unsafe { acl.memcpy_batch(&mut batch) }.unwrap();
    fake.called(0, "aclrtMemcpyBatch", &[a, b, c, d, 2, e, f, 1, SOME]);

    batch.bytes = &mut [];
    // SAFETY: the fake follows no address.
    let refused = unsafe { acl.memcpy_batch(&mut batch) }.unwrap_err();
    assert!(refused.error.is_invalid() && refused.index.is_none());
    let text = refused.to_string();
    assert!(
        text.contains("2 destinations, 2 capacities, 2 sources, 0 sizes; 1 attributes, 1 starts"),
        "{text}"
    );
}

#[test]
fn virtual_memory_and_sharing() {
    let Some(fake) = Fake::new("mapping") else { return };
    let acl = fake.libraries.acl();
    let wanted = aclrtPhysicalMemProp::default();
    let place = &raw const wanted as u64;
    let fabric = Shareable::Fabric([1; 128]);
    let host = Shareable::Host(77);
    let key = Key::from_bytes([0; Key::BYTES]).unwrap();
    let (named, anyone) = (PidCheck::Named, PidCheck::Anyone);
    calls!(fake[0]:
        acl.reserve(1, at(3), 4) => "aclrtReserveMemAddress"(SOME, 1, 0, 3, 4);
        acl.granularity(&wanted, Granularity::Recommended) => "aclrtMemGetAllocationGranularity"(SOME, 1, SOME);
        acl.malloc_physical(2, &wanted) => "aclrtMallocPhysical"(SOME, 2, place, 0);
        acl.access(at(1), Location::Device(2)) => "aclrtMemGetAccess"(1, SOME, SOME);
        acl.retain(at(1)) => "aclrtMemRetainAllocationHandle"(1, SOME);
        acl.export(physical(1), named) => "aclrtMemExportToShareableHandle"(1, 0, 0, SOME);
        acl.export(physical(1), anyone) => "aclrtMemExportToShareableHandle"(1, 0, 1, SOME);
        acl.import(77, 3) => "aclrtMemImportFromShareableHandle"(77, 3, SOME);
        acl.allow(77, &[1, 2, 3]) => "aclrtMemSetPidToShareableHandle"(77, SOME, 3);
        acl.export_v2(physical(1), ShareableKind::Host, anyone) => "aclrtMemExportToShareableHandleV2"(1, 1, 1, SOME);
        acl.export_v2(physical(1), ShareableKind::Fabric, named) => "aclrtMemExportToShareableHandleV2"(1, 0, 2, SOME);
        acl.import_v2(fabric) => "aclrtMemImportFromShareableHandleV2"(SOME, 2, 0, SOME);
        acl.import_v2(host) => "aclrtMemImportFromShareableHandleV2"(SOME, 1, 0, SOME);
        acl.allow_v2(fabric, &[1, 2]) => "aclrtMemSetPidToShareableHandleV2"(SOME, 2, SOME, 2);
        acl.export_key(at(1), 2, anyone) => "aclrtIpcMemGetExportKey"(1, 2, SOME, 65, 1);
        acl.allow_key(&key, &[1, 2]) => "aclrtIpcMemSetImportPid"(SOME, SOME, 2);
        acl.import_key(&key, true) => "aclrtIpcMemImportByKey"(SOME, SOME, 1);
        acl.import_key(&key, false) => "aclrtIpcMemImportByKey"(SOME, SOME, 0);
    );
    // SAFETY: here and below the fake follows no address and ends nothing.
    calls!(fake[0]: unsafe { acl.map(at(1), 2, physical(3)) } => "aclrtMapMem"(1, 2, 0, 3, 0););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.unmap(at(1)) } => "aclrtUnmapMem"(1););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.set_access(at(1), 2, Location::Host, Access::ReadWrite) }
        => "aclrtMemSetAccess"(1, 2, SOME, 1););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.free_physical(physical(1)) } => "aclrtFreePhysical"(1););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.release(at(1)) } => "aclrtReleaseMemAddress"(1););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.close_key(&key) } => "aclrtIpcMemClose"(SOME););
}

#[test]
fn streams_events_notifies_and_values() {
    extern "C" fn host_function(_: *mut c_void) {}
    let Some(fake) = Fake::new("stream") else { return };
    let acl = fake.libraries.acl();
    let key = Key::from_bytes([0; Key::BYTES]).unwrap();
    let second = Some(Duration::from_secs(1));
    calls!(fake[0]:
        acl.create_stream() => "aclrtCreateStream"(SOME);
        acl.create_stream_with(2, ACL_STREAM_FAST_SYNC) => "aclrtCreateStreamWithConfig"(SOME, 2, 2);
        acl.synchronize_stream(stream(1), None) => "aclrtSynchronizeStream"(1);
        acl.synchronize_stream(Stream::DEFAULT, None) => "aclrtSynchronizeStream"(0);
        acl.synchronize_stream(stream(1), second) => "aclrtSynchronizeStreamWithTimeout"(1, 1000);
        acl.stream_is_done(stream(1)) => "aclrtStreamQuery"(1, SOME);
        acl.stream_id(stream(1)) => "aclrtStreamGetId"(1, SOME);
        acl.create_event(ACL_EVENT_SYNC) => "aclrtCreateEventWithFlag"(SOME, 1);
        acl.create_reusable_event(ACL_EVENT_TIME_LINE) => "aclrtCreateEventExWithFlag"(SOME, 8);
        acl.record_event(event(1), stream(2)) => "aclrtRecordEvent"(1, 2);
        acl.reset_event(event(1), stream(2)) => "aclrtResetEvent"(1, 2);
        acl.wait_event(stream(2), event(1)) => "aclrtStreamWaitEvent"(2, 1);
        acl.synchronize_event(event(1), None) => "aclrtSynchronizeEvent"(1);
        acl.synchronize_event(event(1), second) => "aclrtSynchronizeEventWithTimeout"(1, 1000);
        acl.event_is_reached(event(1)) => "aclrtQueryEventStatus"(1, SOME);
        acl.elapsed_ms(event(1), event(2)) => "aclrtEventElapsedTime"(SOME, 1, 2);
        acl.create_notify() => "aclrtCreateNotify"(SOME, 0);
        acl.record_notify(notify(1), stream(2)) => "aclrtRecordNotify"(1, 2);
        acl.wait_notify(notify(1), stream(2), None) => "aclrtWaitAndResetNotify"(1, 2, 0);
        acl.wait_notify(notify(1), stream(2), second) => "aclrtWaitAndResetNotify"(1, 2, 1);
        acl.export_notify(notify(1), PidCheck::Anyone) => "aclrtNotifyGetExportKey"(1, SOME, 65, 2);
        acl.export_notify(notify(1), PidCheck::Named) => "aclrtNotifyGetExportKey"(1, SOME, 65, 0);
        acl.import_notify(&key, true) => "aclrtNotifyImportByKey"(SOME, SOME, 2);
        acl.import_notify(&key, false) => "aclrtNotifyImportByKey"(SOME, SOME, 0);
    );
    // SAFETY: here and below the fake follows no address, calls nothing and ends nothing.
    calls!(fake[0]: unsafe { acl.launch_host_function(stream(1), host_function, at(3)) }
        => "aclrtLaunchHostFunc"(1, SOME, 3););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.write_value(at(8), 2, stream(3)) } => "aclrtValueWrite"(8, 2, 0, 3););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.wait_value(at(8), 2, Condition::AnyBit, stream(3)) }
        => "aclrtValueWait"(8, 2, 2, 3););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.destroy_stream(stream(1)) } => "aclrtDestroyStream"(1););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.destroy_stream_force(stream(1)) } => "aclrtDestroyStreamForce"(1););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.destroy_event(event(1)) } => "aclrtDestroyEvent"(1););
    // SAFETY: see above.
    calls!(fake[0]: unsafe { acl.destroy_notify(notify(1)) } => "aclrtDestroyNotify"(1););
}

#[test]
fn kernels() {
    let Some(fake) = Fake::new("kernel") else { return };
    let acl = fake.libraries.acl();
    // SAFETY: the fake takes any handle.
    let binary = unsafe { Binary::from_raw(at(1)) };
    // SAFETY: the fake takes any handle.
    let function = unsafe { Function::from_raw(at(2)) };
    let data = [0_u8; 10];
    let data_at = data.as_ptr().addr() as u64;
    let mut options = [aclrtBinaryLoadOption::default()];
    calls!(fake[0]:
        acl.load_binary_file(c"/kernel.o", &mut options) => "aclrtBinaryLoadFromFile"(SOME, SOME, SOME);
        acl.load_binary(&data, &mut []) => "aclrtBinaryLoadFromData"(data_at, 10, SOME, SOME);
        acl.function(binary, c"kernel") => "aclrtBinaryGetFunction"(1, SOME, SOME);
        acl.global(binary, c"global") => "aclrtBinaryGetGlobal"(1, SOME, SOME, SOME);
    );
    let mut arguments = [0_u8; 24];
    let arguments_at = arguments.as_ptr().addr() as u64;
    let mut places = [aclrtPlaceHolderInfo { addrOffset: 0, dataOffset: 8 }];
    let places_at = places.as_ptr().addr() as u64;
    let launch = Launch {
        function,
        blocks: 8,
        stream: stream(3),
        attributes: &mut [],
        arguments: &mut arguments,
        placeholders: &mut [],
    };
    // SAFETY: the fake launches nothing.
    calls!(fake[0]: unsafe { acl.launch(launch) }
        => "aclrtLaunchKernelWithHostArgs"(2, 8, 3, 0, arguments_at, 24, 0, 0););
    let launch = Launch {
        function,
        blocks: 8,
        stream: stream(3),
        attributes: &mut [aclrtLaunchKernelAttr::default()],
        arguments: &mut arguments,
        placeholders: &mut places,
    };
    // SAFETY: the fake launches nothing.
    calls!(fake[0]: unsafe { acl.launch(launch) }
        => "aclrtLaunchKernelWithHostArgs"(2, 8, 3, SOME, arguments_at, 24, places_at, 1););
    // SAFETY: the fake ends nothing.
    calls!(fake[0]: unsafe { acl.unload_binary(binary) } => "aclrtBinaryUnLoad"(1););
}

#[test]
fn driver() {
    let Some(fake) = Fake::new("hal") else { return };
    let hal = fake.libraries.hal().unwrap();
    let wanted = drv_mem_prop::default();
    let place = &raw const wanted as u64;
    // SAFETY: the fake takes any handle.
    let handle = unsafe { HalPhysical::from_raw(at(5).cast()) };
    let shared = [3; 128];
    calls!(fake[1]:
        hal.reserve(1, at(3), HAL_RESERVE_REMOTE_MAP) => "halMemAddressReserve"(SOME, 1, 0, 3, 0x200);
        hal.create(2, &wanted) => "halMemCreate"(SOME, 2, place, 0);
        hal.export_fabric(handle) => "halMemExportToShareableHandleV2"(5, 1, 0, SOME);
        hal.import_fabric(&shared, 4) => "halMemImportFromShareableHandleV2"(1, SOME, 4, SOME);
        hal.translate_fabric(&shared) => "halMemTransShareableHandle"(1, SOME, SOME, SOME);
        hal.allow(7, &[1, 2]) => "halMemSetPidToShareableHandle"(7, SOME, 2);
        hal.granularity(&wanted, HAL_GRANULARITY_RECOMMENDED) => "halMemGetAllocationGranularity"(place, 1, SOME);
        hal.retain(at(1)) => "halMemRetainAllocationHandle"(SOME, 1);
        hal.attributes(9) => "drvMemGetAttribute"(9, SOME);
        hal.device_info(1, HAL_MODULE_SYSTEM, HAL_INFO_SDID) => "halGetDeviceInfo"(1, 0, 26, SOME);
    );
    let location = drv_mem_location { id: 1, side: HAL_MEM_SIDE_DEVICE };
    // SAFETY: here and below the fake follows no address and ends nothing.
    calls!(fake[1]: unsafe { hal.map(at(1), 2, handle) } => "halMemMap"(1, 2, 0, 5, 0););
    // SAFETY: see above.
    calls!(fake[1]: unsafe { hal.set_access(at(1), 2, location, HAL_MEM_ACCESS_READ) }
        => "halMemSetAccess"(1, 2, SOME, 1););
    // SAFETY: see above.
    calls!(fake[1]: unsafe { hal.unmap(at(1)) } => "halMemUnmap"(1););
    // SAFETY: see above.
    calls!(fake[1]: unsafe { hal.release(handle) } => "halMemRelease"(5););
    // SAFETY: see above.
    calls!(fake[1]: unsafe { hal.release_range(at(1)) } => "halMemAddressFree"(1););
}

#[test]
fn collectives() {
    let Some(fake) = Fake::new("collectives") else { return };
    let hccl = fake.libraries.hccl().unwrap();
    // SAFETY: the fake takes any handle.
    let comm = unsafe { Comm::from_raw(at(6)) };
    let info = hccl.root_info().unwrap();
    let info_at = (&raw const *info).addr() as u64;
    calls!(fake[2]:
        hccl.root_info() => "HcclGetRootInfo"(SOME);
        hccl.init(8, &info, 3) => "HcclCommInitRootInfo"(8, info_at, 3, SOME);
        hccl.barrier(comm, stream(7)) => "HcclBarrier"(6, 7);
        hccl.async_error(comm) => "HcclGetCommAsyncError"(6, SOME);
    );
    // SAFETY: here and below the fake follows no address and ends nothing.
    calls!(fake[2]: unsafe { hccl.all_gather(at(1), at(2), 3, DataType::F32, comm, stream(7)) }
        => "HcclAllGather"(1, 2, 3, 4, 6, 7););
    // SAFETY: see above.
    calls!(fake[2]: unsafe { hccl.all_reduce(at(1), at(2), 3, DataType::BF16, ReduceOp::Max, comm, stream(7)) }
        => "HcclAllReduce"(1, 2, 3, 11, 2, 6, 7););
    // SAFETY: see above.
    calls!(fake[2]: unsafe { hccl.broadcast(at(1), 3, DataType::U8, 5, comm, stream(7)) }
        => "HcclBroadcast"(1, 3, 7, 5, 6, 7););
    // SAFETY: see above.
    calls!(fake[2]: unsafe { hccl.destroy(comm) } => "HcclCommDestroy"(6););
}

#[test]
fn runtime() {
    let Some(fake) = Fake::new("runtime") else { return };
    let rt = fake.libraries.rt().unwrap();
    calls!(fake[3]:
        rt.device_info(1, RT_INFO_TYPE_SERVER_ID) => "rtGetDeviceInfo"(1, 0, 27, SOME);
        rt.enable_p2p(1, 2) => "rtEnableP2P"(1, 2, 0);
        rt.disable_p2p(1, 2) => "rtDisableP2P"(1, 2);
    );
}
