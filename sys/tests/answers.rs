// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The checked floor against fake libraries that answer and fail: what CANN writes arrives, and a status
//! becomes an error with function, code, name, meaning and CANN's text.

#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod fake;

use ascend_acl_sys::acl::*;
use ascend_acl_sys::hccl::Comm;
use ascend_acl_sys::raw::types::*;
use ascend_acl_sys::{Class, Libraries, Library, Search, Version};
use fake::Folder;

/// Opens a fake ACL in which `written` is written out, and the other libraries with theirs.
fn open(name: &str, written: &str, others: &[(&str, &str, &str)]) -> Option<(Libraries, Folder)> {
    let folder = Folder::new(name);
    let says = format!("const char *ascsim_version(void) {{ return \"fake\"; }}\n{written}");
    let says = if written.contains("aclrtGetVersion(") { says } else { says + fake::VERSION };
    fake::build(folder.path(), "libascendcl.so", &fake::source("acl.h", &says), &[])?;
    for (file, header, written) in others {
        fake::build(folder.path(), file, &fake::source(header, written), &[])?;
    }
    Some((Libraries::open(&Search::default().explicit(folder.path())).unwrap(), folder))
}

#[test]
fn values_written_by_acl_arrive() {
    let written = r#"
        #include <stdint.h>
        aclError aclrtGetVersion(int32_t *a, int32_t *b, int32_t *c) { *a = 1; *b = 17; *c = 3; return 0; }
        aclError aclsysGetVersionStr(char *name, char *text) { strcpy(text, name); strcat(text, " 8.5.0"); return 0; }
        const char *aclrtGetSocName(void) { return "Ascend910_9382"; }
        aclError aclrtGetRunMode(aclrtRunMode *mode) { *mode = ACL_DEVICE; return 0; }
        aclError aclrtGetDeviceCount(uint32_t *count) { *count = 8; return 0; }
        aclError aclrtGetDeviceInfo(uint32_t device, aclrtDevAttr attr, int64_t *value) { *value = -(int64_t)attr; return 0; }
        aclError aclrtQueryDeviceStatus(int32_t device, aclrtDeviceStatus *status) { *status = device; return 0; }
        aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total) { *free = 1; *total = 2; return 0; }
        aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes)
        { attributes->location = (aclrtMemLocation){5, ACL_MEM_LOCATION_TYPE_DEVICE}; attributes->pageSize = 4096; return 0; }
        aclError aclrtMemGetAccess(void *ptr, aclrtMemLocation *location, uint64_t *flag) { *flag = location->id; return 0; }
        aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle h, aclrtMemHandleType t, uint64_t flags, uint64_t *out)
        { *out = 0x1122334455667788; return 0; }
        aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle h, uint64_t flags, aclrtMemSharedHandleType t, void *out)
        { memset(out, 0x5a, t == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC ? 128 : 8); return 0; }
        aclError aclrtMemImportFromShareableHandleV2(void *in, aclrtMemSharedHandleType t, uint64_t flags, aclrtDrvMemHandle *h)
        { *h = (void *)(uintptr_t)((unsigned char *)in)[t == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC ? 127 : 7]; return 0; }
        aclError aclrtIpcMemGetExportKey(void *ptr, size_t size, char *key, size_t len, uint64_t flags)
        { memset(key, 'k', len); return 0; }
        aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status)
        { *status = stream ? ACL_STREAM_STATUS_NOT_READY : ACL_STREAM_STATUS_COMPLETE; return 0; }
        aclError aclrtCreateStream(aclrtStream *stream) { *stream = (void *)16; return 0; }
        aclError aclrtEventElapsedTime(float *ms, aclrtEvent a, aclrtEvent b) { *ms = 1.5f; return 0; }
    "#;
    let Some((libraries, _folder)) = open("answers", written, &[]) else { return };
    let acl = libraries.acl();
    assert_eq!(acl.version().unwrap(), Version { major: 1, minor: 17, patch: 3 });
    assert_eq!(acl.package_version(c"runtime").unwrap(), "runtime 8.5.0");
    assert_eq!(acl.soc_name().unwrap(), "Ascend910_9382");
    assert_eq!(acl.run_mode().unwrap(), RunMode::Device);
    assert_eq!(acl.device_count().unwrap(), 8);
    assert_eq!(acl.device_info(0, ACL_DEV_ATTR_L2_CACHE_SIZE).unwrap(), -302);
    assert!(acl.device_is_normal(0).unwrap() && !acl.device_is_normal(1).unwrap());
    let info = acl.memory_info(ACL_HBM_MEM).unwrap();
    assert_eq!((info.free_bytes, info.total_bytes), (1, 2));
    let place = std::ptr::without_provenance(4096);
    let pointer = acl.pointer_info(place).unwrap();
    assert_eq!((pointer.location, pointer.page_bytes), (Location::Device(5), 4096));
    assert_eq!(acl.access(place, Location::Device(3)).unwrap(), Access::ReadWrite);
    assert_eq!(acl.access(place, Location::Device(1)).unwrap(), Access::Read);
    assert!(acl.access(place, Location::Device(2)).unwrap_err().to_string().contains("0x2"));

    let stream = acl.create_stream().unwrap();
    assert_eq!(stream.as_raw().addr(), 16);
    assert!(!acl.stream_is_done(stream).unwrap() && acl.stream_is_done(Stream::DEFAULT).unwrap());
    // SAFETY: the fake takes any handle.
    let event = unsafe { Event::from_raw(std::ptr::null_mut()) };
    // SAFETY: the fake takes any handle.
    let physical = unsafe { Physical::from_raw(std::ptr::null_mut()) };
    assert!((acl.elapsed_ms(event, event).unwrap() - 1.5).abs() < f32::EPSILON);

    assert_eq!(acl.export(physical, PidCheck::Anyone).unwrap(), 0x1122_3344_5566_7788);
    let fabric = acl.export_v2(physical, ShareableKind::Fabric, PidCheck::Anyone).unwrap();
    assert_eq!(fabric, Shareable::Fabric([0x5a; 128]));
    assert_eq!(acl.import_v2(fabric).unwrap().as_raw().addr(), 0x5a);
    let host = acl.export_v2(physical, ShareableKind::Host, PidCheck::Anyone).unwrap();
    assert_eq!(host, Shareable::Host(0x5a5a_5a5a_5a5a_5a5a));
    assert_eq!(acl.import_v2(host).unwrap().as_raw().addr(), 0x5a);
    let key = acl.export_key(std::ptr::null_mut(), 8, PidCheck::Named).unwrap();
    assert_eq!(key.as_bytes()[..Key::BYTES - 1], [b'k'; Key::BYTES - 1]);
    assert_eq!(key.as_bytes()[Key::BYTES - 1], 0, "a key ends in a zero, whatever the library wrote");
}

#[test]
fn a_failure_carries_function_code_name_meaning_and_text() {
    let written = r#"
        static __thread const char *message;
        const char *aclGetRecentErrMsg(void) { const char *taken = message; message = NULL; return taken; }
        aclError aclrtMemcpy(void *dst, size_t max, const void *src, size_t count, aclrtMemcpyKind kind)
        { if (count <= max) return 0; message = "aclrtMemcpy: count 9 is greater than destMax 8\n"; return 107000; }
        aclError aclrtMemset(void *dst, size_t max, int32_t value, size_t count) { return 123456; }
        aclError aclrtGetDeviceCount(uint32_t *count) { *count = 77; return 207004; }
        aclError aclrtGetDevice(int32_t *device) { *device = 5; message = ""; return 107002; }
        aclError aclrtMalloc(void **ptr, size_t size, aclrtMemMallocPolicy policy) { return 207001; }
        aclError aclInit(const char *config) { return 100002; }
    "#;
    let Some((libraries, _folder)) = open("failures", written, &[]) else { return };
    let acl = libraries.acl();
    let nowhere = std::ptr::null_mut();

    // SAFETY: the fake follows no address.
    let copied = |bytes| unsafe { acl.memcpy(nowhere, 8, nowhere, bytes, CopyKind::HostToDevice) };
    copied(8).unwrap();
    let error = copied(9).unwrap_err();
    assert_eq!(
        (error.function(), error.code(), error.library()),
        ("aclrtMemcpy", Some(107000), Library::Acl)
    );
    assert_eq!((error.name(), error.class()), (Some("ACL_ERROR_RT_PARAM_INVALID"), Class::InvalidArgument));
    assert_eq!(error.text(), "aclrtMemcpy: count 9 is greater than destMax 8");
    assert_eq!(
        error.to_string(),
        "aclrtMemcpy: an argument is wrong (ACL_ERROR_RT_PARAM_INVALID 107000): aclrtMemcpy: count 9 is greater than \
         destMax 8"
    );
    assert_eq!(acl.recent_message(), None, "reading consumed the message");

    // SAFETY: the fake follows no address.
    let error = unsafe { acl.memset(nowhere, 8, 0, 8) }.unwrap_err();
    assert_eq!((error.name(), error.class(), error.text()), (None, Class::Unknown, ""));
    assert_eq!(error.to_string(), "aclrtMemset: no known meaning (libascendcl.so code 123456)");

    assert_eq!(acl.device_count().unwrap(), 0, "no device is a number, not an error");
    let error = acl.device().unwrap_err();
    assert!(error.is_no_context() && error.text().is_empty());
    assert!(acl.malloc(8, ACL_MEM_MALLOC_HUGE_FIRST).unwrap_err().is_out_of_memory());
    assert!(acl.init(None).unwrap_err().is_repeated());
    assert!(acl.check("aclrtSynchronizeStream", 507046).unwrap_err().is_timeout());
    assert!(acl.check("aclrtSynchronizeStream", 507056).unwrap_err().is_fault());
    assert!(acl.check("aclrtMallocPhysical", 207000).unwrap_err().is_not_supported());
}

#[test]
fn error_messages_are_per_thread() {
    let written = r#"
        static __thread const char *message;
        const char *aclGetRecentErrMsg(void) { const char *taken = message; message = NULL; return taken; }
        aclError aclrtSetDevice(int32_t device) { message = device == 1 ? "one" : "two"; return 107001; }
    "#;
    let Some((libraries, _folder)) = open("threads", written, &[]) else { return };
    std::thread::scope(|scope| {
        for (device, wanted) in [(1, "one"), (2, "two")] {
            let acl = libraries.acl();
            scope.spawn(move || {
                for _ in 0..1000 {
                    assert_eq!(acl.set_device(device).unwrap_err().text(), wanted);
                }
            });
        }
    });
}

#[test]
fn missing_optional_function_fails_only_its_call() {
    let folder = Folder::new("missing");
    let Some(path) = fake::build_acl(folder.path()) else { return };
    let library = std::fs::read(&path).unwrap();
    let name = b"\0aclrtMemSetAccess\0";
    let at = library.windows(name.len()).position(|window| window == name).unwrap();
    let mut renamed = library;
    renamed[at + 1] = b'_';
    let place = folder.sub("renamed");
    std::fs::write(place.join("libascendcl.so"), renamed).unwrap();
    let libraries = Libraries::open(&Search::default().explicit(&place)).unwrap();
    // SAFETY: the function is not there to do anything.
    let called = unsafe { libraries.acl().set_access(std::ptr::null_mut(), 8, Location::Host, Access::Read) };
    let error = called.unwrap_err();
    assert!(error.is_not_supported());
    assert_eq!((error.code(), error.class()), (None, Class::MissingFunction));
    let text = error.to_string();
    for word in ["aclrtMemSetAccess", place.to_str().unwrap(), "ACL 1.14.0", "CANN 8.5 (ACL 1.16) has it"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn driver_and_hccl_errors_keep_their_codes() {
    let hal = r#"
        drvError_t halMemAddressReserve(void **p, size_t s, size_t a, void *at, uint64_t f) { return 6; }
        drvError_t halMemTransShareableHandle(int t, struct MemShareHandle *h, uint32_t *server, uint64_t *shareable)
        { *server = 9; *shareable = h->share_info[127]; return 0; }
    "#;
    let hccl = r#"
        HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) { return 9; }
        HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult *error) { *error = 21; return 0; }
        const char *HcclGetErrorString(HcclResult code) { return code == 9 ? "timeout" : NULL; }
    "#;
    let others = [("libascend_hal.so", "hal.h", hal), ("libhccl.so", "hccl.h", hccl)];
    let Some((libraries, _folder)) = open("others", "", &others) else { return };
    let hal = libraries.hal().unwrap();
    let error = hal.reserve(1, std::ptr::null_mut(), 0).unwrap_err();
    assert!(error.is_out_of_memory());
    assert_eq!(error.to_string(), "halMemAddressReserve: memory is used up (DRV_ERROR_OUT_OF_MEMORY 6)");
    let shared = hal.translate_fabric(&[42; 128]).unwrap();
    assert_eq!((shared.server, shared.shareable), (9, 42));

    let hccl = libraries.hccl().unwrap();
    // SAFETY: the fake takes any handle.
    let comm = unsafe { Comm::from_raw(std::ptr::null_mut()) };
    let error = hccl.barrier(comm, Stream::DEFAULT).unwrap_err();
    assert!(error.is_timeout());
    assert_eq!(error.to_string(), "HcclBarrier: the time is over (HCCL_E_TIMEOUT 9): timeout");
    let error = hccl.async_error(comm).unwrap_err();
    assert_eq!((error.class(), error.code()), (Class::PeerFault, Some(21)));
}
