// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The library exports the symbols that our bindings name and that the released package resolves, and no
//! others of CANN's.

#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test ends where it fails")]

use std::collections::BTreeMap;
use std::process::Command;

use ascend_acl_sys::loader::{Library, Mark, Since};
use ascend_acl_sys::optional::FUNCTIONS;
use ascend_acl_sys::releases::Release;
use libloading::os::unix::Library as Opened;

/// Resolved by the released package at start, or while it runs; our own symbols are not repeated.
const UPSTREAM: &[&str] = &[
    "rtDeviceGetBareTgid",
    "rtGetDeviceInfo",
    "rtSetIpcMemorySuperPodPid",
    "rtIpcSetMemoryName",
    "rtIpcDestroyMemoryName",
    "rtIpcOpenMemory",
    "rtIpcCloseMemory",
    "rtEnableP2P",
    "rtDisableP2P",
    "rtGetP2PStatus",
    "rtGetLogicDevIdByUserDevId",
    "rtMemcpyAsyncWithoutCheckKind",
    "halMemAddressReserve",
    "halMemAddressFree",
    "halMemCreate",
    "halMemRelease",
    "halMemMap",
    "halMemUnmap",
    "halMemSetAccess",
    "halMemExportToShareableHandleV2",
    "halMemImportFromShareableHandleV2",
    "halMemTransShareableHandle",
    "halMemShareHandleSetAttribute",
    "halMemRetainAllocationHandle",
    "halMemGetAllocationGranularity",
    "halMemAlloc",
    "halMemFree",
    "halSqTaskSend",
    "halCqReportRecv",
    "halSqCqAllocate",
    "halSqCqFree",
    "halSqCqQuery",
    "halResourceIdAlloc",
    "halResourceIdFree",
    "halResourceConfig",
    "halResourceDetailQuery",
    "halHostRegister",
    "halHostUnregisterEx",
    "drvNotifyIdAddrOffset",
    "drvMemGetAttribute",
    "TsdOpen",
    "HcclCommInitClusterInfoMemConfig",
    "HcclCommDestroy",
    "HcommReadNbi",
    "HcommWriteNbi",
    "HcommChannelFence",
    "HcommChannelUpdateMemInfo",
    "HcommMemGetAllMemHandles",
];

/// Needed by `libtorch_npu.so` 2.14 to be loaded, or resolved by it; the others of its names are bound.
const TORCH: &[&str] = &[
    "MsprofGetHashId",
    "MsprofRegisterCallback",
    "MsprofReportAdditionalInfo",
    "MsprofReportApi",
    "MsprofReportCompactInfo",
    "MsprofSysCycleTime",
    "aclprofGetSupportedFeatures",
    "aclprofGetSupportedFeaturesV2",
    "aclprofRegisterDeviceCallback",
    "aclprofWarmup",
    "halGetAPIVersion",
];

/// The client of network cards: each name once with underscores and once in camel case.
const NETWORK: &[&str] = &[
    "socket_init",
    "init",
    "socket_deinit",
    "rdev_init_v2",
    "rdev_get_handle",
    "socket_batch_connect",
    "socket_batch_close",
    "socket_listen_start",
    "socket_listen_stop",
    "get_sockets",
    "get_ifnum",
    "get_ifaddrs",
    "socket_white_list_add",
    "socket_white_list_del",
    "qp_create",
    "qp_create_with_attrs",
    "ai_qp_create",
    "qp_destroy",
    "get_qp_status",
    "qp_connect_async",
    "register_mr",
    "deregister_mr",
    "send_wr",
    "send_wr_v2",
    "get_notify_base_addr",
    "get_notify_mr_info",
    "set_qp_attr_qos",
];

/// Not simulated: a loader must see that they are not there.
const ABSENT: &[&str] = &["dcmiv2_init", "aclnnAdd"];

fn camel(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(capital).collect()
}

#[test]
fn resolved_functions_are_exactly_the_exported_ones() {
    if std::env::var_os(RELEASE).is_none() {
        return run_on_release("resolved_functions_are_exactly_the_exported_ones", "next");
    }
    let file = std::env::current_exe().unwrap().with_file_name("libascend_sim.so");
    // SAFETY: the library's constructors do nothing.
    let library = unsafe { Opened::new(&file) }.unwrap();
    let has = |name: &str| {
        // SAFETY: the symbol is only resolved, never used.
        unsafe { library.get::<*const ()>(name) }.is_ok()
    };
    let ours = [Library::Acl, Library::Hal, Library::Hccl, Library::Runtime];
    let mut wanted: Vec<String> =
        ours.iter().flat_map(|library| library.symbols()).map(|symbol| symbol.name.to_owned()).collect();
    assert!(wanted.len() > 200, "{}", wanted.len());
    wanted.extend(FUNCTIONS.iter().map(|function| function.name.to_owned()));
    wanted.extend(UPSTREAM.iter().chain(TORCH).map(|name| (*name).to_owned()));
    wanted.extend(NETWORK.iter().flat_map(|name| [format!("ra_{name}"), format!("Ra{}", camel(name))]));
    let missing: Vec<&String> = wanted.iter().filter(|name| !has(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let odd: Vec<&&str> = ABSENT.iter().filter(|name| has(name)).collect();
    assert!(odd.is_empty(), "{odd:?}");
    assert!(has("ascsim_version"));
    println!("checked next");
}

/// Release that a child process of this test emulates.
const RELEASE: &str = "SIM_TEST_RELEASE";

/// Runs a test of this file again, in a process that emulates a release.
fn run_on_release(test: &str, release: &str) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    let child = child.args(["--exact", test, "--nocapture"]);
    let output = child.env(RELEASE, release).env("ASCEND_SIM_CANN", release).output().unwrap();
    let printed =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && printed.contains(&format!("checked {release}")), "{printed}");
}

#[test]
fn each_release_lacks_exactly_later_functions() {
    let Ok(name) = std::env::var(RELEASE) else {
        Release::NAMES
            .iter()
            .for_each(|name| run_on_release("each_release_lacks_exactly_later_functions", name));
        return;
    };
    let release = Release::ALL.iter().find(|release| release.name == name).unwrap();
    let file = std::env::current_exe().unwrap().with_file_name("libascend_sim.so");
    // SAFETY: the library's constructors touch nothing but its own table of symbols.
    let library = unsafe { Opened::new(&file) }.unwrap();
    // SAFETY: the symbol is only resolved, never used.
    let is_there = |name: &str| unsafe { library.get::<*const ()>(name) }.is_ok();
    let mut functions: BTreeMap<Since, usize> = BTreeMap::new();
    let mut parts = 0;
    for symbol in Library::ALL.into_iter().flat_map(|library| library.symbols()) {
        assert_eq!(is_there(symbol.name), release.has(symbol.since), "{}", symbol.name);
        assert!(is_there(symbol.name) || symbol.mark != Mark::Core, "{} is not needed", symbol.name);
        parts += usize::from(!is_there(symbol.name) && matches!(symbol.mark, Mark::Part(_)));
        *functions.entry(symbol.since).or_insert(0) += usize::from(symbol.name.starts_with("acl"));
    }
    for function in FUNCTIONS {
        assert_eq!(is_there(function.name), release.has(function.since), "{}", function.name);
        *functions.entry(function.since).or_insert(0) += usize::from(function.name.starts_with("acl"));
    }
    assert_eq!(parts, if name == "8.1" { 29 + 5 } else { 0 }, "missing functions of capabilities");
    // The public headers' numbers of new functions.
    let new = [Since::Cann90, Since::Cann91, Since::Cann92, Since::Unreleased].map(|since| functions[&since]);
    assert_eq!(new, [20, 48, 7, 8]);
    println!("checked {name}");
}
