// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `cargo build` beside a compiler for NPUs that does not compile the kernels.

use std::fs;
use std::process::{Command, Output};

use super::{here, program, scratch};

/// Builds this crate alone, in a separate folder, with a compiler that reports a version and then fails;
/// without one for the host.
fn build(wish: &str) -> (Output, String) {
    let folder = scratch(&format!("auto-{wish}"));
    fs::create_dir_all(folder.join("cann/bin")).unwrap();
    program(
        &folder.join("cann/bin/bisheng"),
        "[ \"$1\" = --version ] && { echo bisheng 9; exit 0; }\n\
         case \"$*\" in *probe*) exit 0;; esac\necho 'all.cpp:1: error: cannot bind' >&2; exit 1\n",
    );
    let output = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--locked", "-p", "mf-device-kernels"])
        .current_dir(here())
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("ASCEND_HOME_PATH", folder.join("cann"))
        .env("MF_KERNELS", wish)
        .env("CXX", "/nonexistent/c++")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    let _ = fs::remove_dir_all(folder.join("target/debug/incremental"));
    (output, printed)
}

#[test]
fn failed_npu_compile_warns_and_the_build_continues() {
    let (output, printed) = build("auto");
    assert!(output.status.success(), "{printed}");
    let log = printed.split("see ").nth(1).and_then(|rest| rest.split(';').next()).expect("no log is named");
    assert!(
        printed.contains("warning") && printed.contains("bisheng 9") && log.ends_with("dav-2201.log"),
        "{printed}"
    );
    assert!(fs::read_to_string(log).unwrap().contains("cannot bind"), "{printed}");
}

#[test]
fn failed_npu_compile_is_an_error_if_required() {
    let (output, printed) = build("npu");
    assert!(!output.status.success() && printed.contains("cannot bind"), "{printed}");
}
