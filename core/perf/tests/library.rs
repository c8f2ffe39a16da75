// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The library that `mf-perf` opens for measurements of the C interface.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

#[test]
fn library_is_found_beside_the_program_or_refused_with_a_reason() {
    let built = Path::new(env!("CARGO_BIN_EXE_mf-perf"));
    let folder = std::env::temp_dir().join(format!("mf-library-{}", std::process::id()));
    let (bin, lib) = (folder.join("bin"), folder.join("lib"));
    fs::create_dir_all(&bin).and_then(|()| fs::create_dir_all(&lib)).unwrap();
    // By another process: a child that this one forks meanwhile could hold the file open for writing.
    assert!(Command::new("cp").arg(built).arg(&bin).status().unwrap().success());
    let program = bin.join("mf-perf");
    let run = || {
        let mut command = Command::new(&program);
        command.args(["perf", "shmem", "--only-own", "--pes", "", "--init", "2", "--repeat", "1"]);
        command.env_remove("LD_LIBRARY_PATH").output().unwrap()
    };
    let refusal = || {
        let output = run();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let text = refusal();
    assert!(text.contains("libmf_smem.so") && text.contains("install it anew"), "{text}");
    // An installed tree without the links.
    if built.with_file_name("libmf_smem.so").is_file() {
        symlink(built.with_file_name("libmf_smem.so"), lib.join("libmf_smem.so.0")).unwrap();
        let output = run();
        assert!(output.status.success(), "{output:?}");
    } else {
        eprintln!("skip a library: libmf_smem.so is not built (would help: cargo build --package mf-capi)");
    }
    // The first place that has a file decides.
    let beside = bin.join("libmf_smem.so");
    fs::write(&beside, "no library").unwrap();
    let text = refusal();
    assert!(text.contains("cannot be opened") && text.contains(beside.to_str().unwrap()), "{text}");
    let source = "const char *mfx_version(void) { return \"9.9.9\"; }\n";
    fs::write(folder.join("other.c"), source).unwrap();
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&beside, &folder.join("other.c")])
        .status()
        .is_ok_and(|status| status.success());
    if compiled {
        let text = refusal();
        assert!(text.contains("9.9.9") && text.contains(env!("CARGO_PKG_VERSION")), "{text}");
    } else {
        eprintln!("skip a library of another version: no C compiler (Debian: apt-get install gcc libc6-dev)");
    }
    fs::remove_dir_all(&folder).unwrap();
}
