// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Beginning and end, versions, errors: S1, and section 3's general functions.

use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};

use ascend_acl_sys::raw::types::aclCANNPackageVersion;
use ascend_sim::acl::devices::*;
use ascend_sim::acl::general::*;
use ascend_sim::acl::memory::{aclrtFree, aclrtMalloc};
use ascend_sim::acl::streams::aclrtSynchronizeStream;
use ascend_sim::acl::versions::*;

use crate::calls::*;
use crate::isolated;

#[test]
fn s1_the_text_names_function_argument_and_value() {
    isolated::run(&[], || {
        assert_eq!(code!(aclrtSetDevice(99)), 107001);
        let text = last_error();
        for part in ["aclrtSetDevice(", "deviceId=99", "unknown device 99", "107001"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        ok!(aclrtSetDevice(0));
        assert_eq!(code!(aclrtFree(null_mut())), 100000);
        assert!(last_error().contains("aclrtFree(devPtr=0x0)"));
    });
}

#[test]
fn s1_error_text_is_returned_once_and_per_thread() {
    isolated::run(&[], || {
        assert!(aclGetRecentErrMsg().is_null());
        assert_eq!(code!(aclrtSetDevice(-1)), 107001);
        std::thread::spawn(|| assert!(aclGetRecentErrMsg().is_null())).join().unwrap();
        let text = aclGetRecentErrMsg();
        assert!(!text.is_null());
        ok!(aclrtSetDevice(0));
        // SAFETY: a text that stays until this thread asks again.
        assert!(unsafe { CStr::from_ptr(text) }.to_string_lossy().contains("deviceId=-1"));
        assert!(aclGetRecentErrMsg().is_null());
    });
}

#[test]
fn s1_last_error_code_is_taken_or_peeked() {
    isolated::run(&[], || {
        assert_eq!((aclrtPeekAtLastError(0), aclrtGetLastError(0)), (0, 0));
        assert_eq!(code!(aclrtSetDevice(-1)), 107001);
        ok!(aclrtSetDevice(0));
        assert_eq!(std::thread::spawn(|| aclrtPeekAtLastError(0)).join().unwrap(), 0);
        assert_eq!((aclrtPeekAtLastError(0), aclrtPeekAtLastError(0)), (107001, 107001));
        assert_eq!((aclrtGetLastError(0), aclrtGetLastError(0)), (107001, 0));
        assert_eq!(aclrtGetLastError(1), 100000);
    });
}

#[test]
fn s2_last_error_includes_unreported_task_faults() {
    isolated::run(&[], || {
        let stream = a_stream();
        push_failure(stream, 507015);
        eventually("the task fails", || aclrtPeekAtLastError(0) == 507015);
        assert_eq!((aclrtGetLastError(0), aclrtGetLastError(0)), (507015, 0));
        assert_eq!(code!(aclrtSynchronizeStream(stream)), 507015);
        assert_eq!((aclrtGetLastError(0), aclrtGetLastError(0)), (507015, 0));
    });
}

#[test]
fn s7_init_counts_and_finalize_resets_every_device() {
    isolated::run(&[], || {
        assert_eq!(code!(aclFinalize()), 100001);
        ok!(aclInit(null()));
        assert_eq!(code!(aclInit(null())), 100002);
        ok!(aclrtSetDevice(1));
        let memory = made!(aclrtMalloc(64, 0));
        let mut left = 7;
        ok!(aclFinalizeReference(&raw mut left));
        assert_eq!(left, 1);
        assert_eq!(queried!(aclrtGetDevice()), 1);
        ok!(aclFinalizeReference(&raw mut left));
        assert_eq!(left, 0);
        assert_eq!(code!(aclrtGetDevice(nowhere())), 107002);
        assert_eq!(code!(aclFinalizeReference(&raw mut left)), 100037);
        assert_eq!(code!(aclFinalizeReference(null_mut())), 100000);
        assert_eq!(code!(aclFinalize()), 100037);
        ok!(aclInit(null()));
        ok!(aclrtSetDevice(1));
        assert_ne!(code!(aclrtFree(memory)), 0, "it went with the device");
        ok!(aclFinalize());
        assert_eq!(code!(aclrtGetDevice(nowhere())), 107002);
    });
}

#[test]
fn s7_init_takes_a_json_file() {
    isolated::crew(1, &[], |_, board| {
        let path = |name: &str| CString::new(board.path(name).to_str().unwrap()).unwrap();
        let write = |name: &str, text: &str| std::fs::write(board.path(name), text).unwrap();
        write("good", r#"{"dump": {}}"#);
        write("bad", "{");
        write("empty", "");
        for (name, code) in
            [("none", 100003), ("bad", 100006), ("empty", 100005), ("good", 0), ("good", 100002)]
        {
            let name = path(name);
            assert_eq!(code!(aclInit(name.as_ptr())), code, "{}", last_error());
        }
    });
}

#[test]
fn s7_versions_match_the_configured_release() {
    isolated::run(&[], || {
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        ok!(aclrtGetVersion(&raw mut major, &raw mut minor, &raw mut patch));
        assert_eq!((major, minor, patch), (1, 17, 0));
        assert_eq!(code!(aclrtGetVersion(&raw mut major, null_mut(), &raw mut patch)), 100000);
        let mut text = [c_char::MAX; 128];
        let package = c"runtime".as_ptr().cast_mut();
        ok!(aclsysGetVersionStr(package, text.as_mut_ptr()));
        // SAFETY: the function wrote a text.
        assert_eq!(unsafe { CStr::from_ptr(text.as_ptr()) }, c"9.1.0");
        assert_eq!(queried!(aclsysGetVersionNum(package)), 90_100_000);
        assert_eq!(queried!(aclsysGetVersionNum(c"driver".as_ptr().cast_mut())), 260_000_000);
        for name in [c"hcomm", c"bisheng-compiler", c"bisheng_compiler", c"ops_legacy", c"ops-transformer"] {
            assert_eq!(queried!(aclsysGetVersionNum(name.as_ptr().cast_mut())), 90_100_000, "{name:?}");
        }
        let none = c"none".as_ptr().cast_mut();
        let mut number = 0;
        assert_eq!(code!(aclsysGetVersionNum(none, &raw mut number)), 100003);
        assert_eq!(code!(aclsysGetVersionStr(none, text.as_mut_ptr())), 100003);
        assert_eq!(code!(aclsysGetVersionStr(null_mut(), text.as_mut_ptr())), 100000);
        let mut whole = aclCANNPackageVersion { reserved: [c_char::MAX; 128], ..Default::default() };
        ok!(aclsysGetCANNVersion(0, &raw mut whole));
        // SAFETY: as above, six times.
        let text = |text: &[c_char]| unsafe { CStr::from_ptr(text.as_ptr()) }.to_str().unwrap().to_owned();
        assert_eq!(text(&whole.version), "9.1.0");
        let parts = [text(&whole.majorVersion), text(&whole.minorVersion), text(&whole.releaseVersion)];
        assert_eq!(parts, ["9", "1", "0"]);
        assert_eq!((text(&whole.patchVersion), whole.reserved[127]), ("0".to_owned(), 0));
        for name in 0..8 {
            ok!(aclsysGetCANNVersion(name, &raw mut whole));
            assert_eq!(text(&whole.version), if name == 7 { "26.0.0" } else { "9.1.0" });
        }
        assert_eq!(code!(aclsysGetCANNVersion(8, &raw mut whole)), 100000);
        assert_eq!(queried!(aclrtGetRunMode()), 1);
        assert_eq!(code!(aclrtGetRunMode(null_mut())), 100000);
    });
}

#[test]
fn s7_soc_name_is_known_while_a_device_exists() {
    isolated::run(&[("SOC", "Ascend910B2")], || {
        // SAFETY: a text for ever.
        assert_eq!(unsafe { CStr::from_ptr(aclrtGetSocName()) }, c"Ascend910B2");
        assert_eq!(aclrtGetSocName(), aclrtGetSocName());
    });
}

#[test]
fn s7_soc_name_is_absent_without_devices() {
    isolated::run(&[("DEVICES", "0")], || assert!(aclrtGetSocName().is_null()));
}

#[test]
fn each_release_reports_its_own_version() {
    let releases = [
        ("8.1", 13, "8.1.RC1", None),
        ("8.3", 14, "8.3.RC1", None),
        ("8.5", 16, "8.5.0", Some(80_500_000)),
        ("9.0", 17, "9.0.0", Some(90_000_000)),
        ("9.1", 17, "9.1.0", Some(90_100_000)),
        ("9.2", 17, "9.2.0.beta1", Some(90_199_801)),
    ];
    for (name, acl, version, number) in releases {
        isolated::run(&[("CANN", name)], || {
            let (mut major, mut minor, mut patch) = (0, 0, 0);
            ok!(aclrtGetVersion(&raw mut major, &raw mut minor, &raw mut patch));
            assert_eq!((major, minor, patch), (1, acl, 0));
            let mut whole = aclCANNPackageVersion::default();
            ok!(aclsysGetCANNVersion(0, &raw mut whole));
            // SAFETY: the function wrote a text.
            let text = unsafe { CStr::from_ptr(whole.version.as_ptr()) };
            assert_eq!(text.to_str(), Ok(version));
            let mut found = 0;
            let code = code!(aclsysGetVersionNum(c"runtime".as_ptr().cast_mut(), &raw mut found));
            assert_eq!((code, found), number.map_or((500000, 0), |number| (0, number)));
        });
    }
    isolated::run(&[("CANN", "7.0")], || {
        assert_eq!(code!(aclInit(null_mut())), 100000);
        let text = last_error();
        assert!(text.contains("ASCEND_SIM_CANN=7.0"), "{text}");
    });
}
