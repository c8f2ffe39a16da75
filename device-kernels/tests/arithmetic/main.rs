// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The arithmetic of the emulation, without any kernel: each program beside this file is compiled with it and
//! run.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "a test ends where it fails")]

use std::path::Path;
use std::process::Command;

const SOURCES: [&str; 3] = ["arithmetic.cpp", "arithmetic_portable.cpp", "arithmetic_wide.cpp"];

fn compile_and_run(program: &str) {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let executable = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("arithmetic_{program}"));
    let sources = crate_dir.join("emulation/src");
    let built = Command::new(&compiler)
        .args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(crate_dir.join("emulation/include"))
        .arg("-I")
        .arg(&sources)
        .arg(crate_dir.join(format!("tests/arithmetic/{program}.cpp")))
        .args(SOURCES.map(|name| sources.join(name)))
        .arg("-o")
        .arg(&executable)
        .output();
    let built = match built {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skip {program}: no C++ compiler {compiler}");
            return;
        }
        other => other.unwrap(),
    };
    assert!(built.status.success(), "{compiler}: {}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&executable).output().unwrap();
    let text = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{text}");
    assert!(text.contains("0 failures"), "{text}");
}

#[test]
fn half_and_bfloat16_round_to_nearest() {
    compile_and_run("numbers");
}

#[test]
fn both_compute_routines_give_the_same_bits() {
    compile_and_run("routines");
}

#[test]
fn formats_of_8_and_4_bits_have_their_values() {
    compile_and_run("small");
}
