// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf kernel` from outside.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests fail the test, or print what is skipped"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mf-kernel-test-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn kernel(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_mf"))
            .arg("kernel")
            .args(arguments)
            .current_dir(&self.0)
            // The compiled emulation, for all tests; under a name made of its contents.
            .env("XDG_CACHE_HOME", cache_of_tests())
            .output()
            .unwrap()
    }
}

fn cache_of_tests() -> PathBuf {
    let named = std::env::var_os("MF_TEST_KERNEL_CACHE").map(PathBuf::from);
    named.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn printed(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The simulator's file: Cargo puts it beside the tests of crates that depend on it, and `cargo build -p
/// ascend-sim` beside the program.
fn has_simulator() -> bool {
    let there = Path::new(env!("CARGO_BIN_EXE_mf")).with_file_name("libascend_sim.so").exists();
    if !there {
        println!("skip kernels on the simulator: no libascend_sim.so beside mf; cargo build -p ascend-sim");
    }
    there
}

fn has_kernels() -> bool {
    if let Err(reason) = mf_device_kernels::simulated() {
        println!("skip kernels on the simulator: {reason}");
        return false;
    }
    has_simulator()
}

#[test]
fn the_list_names_every_kernel_and_every_binary() {
    let folder = Folder::new("list");
    let text = printed(&folder.kernel(&["list"]));
    for kernel in mf_device_kernels::table() {
        assert!(text.contains(&kernel.name), "{text}");
    }
    assert!(text.contains("simulator") && text.contains("Ascend 950"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&printed(&folder.kernel(&["list", "--json"]))).unwrap();
    assert_eq!(json["kernels"].as_array().unwrap().len(), mf_device_kernels::table().len());
    for binary in json["binaries"].as_array().unwrap() {
        assert!(binary["bytes"].is_null() != binary["reason"].is_null(), "{binary}");
    }
}

#[test]
fn findings_have_file_line_and_rule_and_fail() {
    let folder = Folder::new("lint");
    fs::write(folder.0.join("bad.cpp"), "#include <vector>\n").unwrap();
    let output = folder.kernel(&["lint", "bad.cpp"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(printed(&output).contains("bad.cpp:1: header: "), "{}", printed(&output));
    fs::write(folder.0.join("good.cpp"), "#include \"mf_kernel.h\"\n").unwrap();
    assert!(folder.kernel(&["lint", "good.cpp"]).status.success());
    let missing = folder.kernel(&["lint", "missing.cpp"]);
    assert!(!missing.status.success() && printed(&missing).contains("missing.cpp"), "{}", printed(&missing));
}

#[test]
fn user_kernel_is_built_and_run() {
    if !has_kernels() {
        return;
    }
    let folder = Folder::new("build");
    let source = "#include \"mf_kernel.h\"\n\
        extern \"C\" __global__ __aicore__ void stamp(GM_ADDR dst, uint32_t value)\n{\n    MF_KERNEL_VECTOR();\n    \
        AscendC::GlobalTensor<uint32_t> out;\n    out.SetGlobalBuffer((__gm__ uint32_t *)dst, 16);\n    \
        out.SetValue(0, value + SHIFT);\n}\nMF_KERNEL(stamp, GM_ADDR, uint32_t)\n";
    fs::write(folder.0.join("stamp.cpp"), source).unwrap();
    let built = folder.kernel(&["build", "stamp.cpp", "-D", "SHIFT=1", "-o", "stamp.o"]);
    assert!(built.status.success(), "{}", printed(&built));
    let ran = folder.kernel(&["run", "--binary", "stamp.o", "stamp", "out:64", "u32:1145258560"]);
    // With SHIFT it is "ABCD", least significant byte first.
    assert!(ran.status.success() && printed(&ran).contains("  ABCD"), "{}", printed(&ran));
}

#[test]
fn warnings_are_printed_and_become_errors_on_request() {
    if !has_kernels() {
        return;
    }
    let folder = Folder::new("warnings");
    let source = "#include \"mf_kernel.h\"\n\
        extern \"C\" __global__ __aicore__ void idle(uint32_t unused) { MF_KERNEL_VECTOR_ALONE(); }\n\
        MF_KERNEL(idle, uint32_t)\n";
    fs::write(folder.0.join("idle.cpp"), source).unwrap();
    let built = folder.kernel(&["build", "idle.cpp", "-o", "idle.o"]);
    assert!(built.status.success() && printed(&built).contains("idle.cpp:2:"), "{}", printed(&built));
    let strict = folder.kernel(&["build", "--werror", "idle.cpp", "-o", "strict.o"]);
    assert!(!strict.status.success() && printed(&strict).contains("idle.cpp:2:"), "{}", printed(&strict));
    assert!(folder.0.join("idle.o").exists() && !folder.0.join("strict.o").exists());
}

#[test]
fn the_kernels_of_the_library_run() {
    if !has_kernels() {
        return;
    }
    let folder = Folder::new("run");
    fs::write(folder.0.join("in"), "0123456789abcdef and more").unwrap();
    let ran = folder.kernel(&["run", "mf_copy", "out:20", "in:in", "u64:20", "--blocks", "2"]);
    assert!(ran.status.success() && printed(&ran).contains("0123456789abcdef"), "{}", printed(&ran));
    let ran = folder.kernel(&["run", "mf_copy", "out:20:out", "in:in", "u64:20"]);
    assert!(ran.status.success(), "{}", printed(&ran));
    assert_eq!(fs::read(folder.0.join("out")).unwrap(), b"0123456789abcdef and");
    for (arguments, reason) in [
        (&["run", "mf_coyp", "out:20"][..], "mf_coyp"),
        (&["run", "mf_copy", "out:20", "in:in"], "takes 3 arguments"),
        (&["run", "mf_copy", "20"], "u32:N"),
        (&["run", "mf_copy", "out:20", "in:in", "u64:20", "--blocks", "0"], "blocks 0"),
        (&["run", "--binary", "in", "mf_copy"], "not a kernel binary"),
    ] {
        let output = folder.kernel(arguments);
        assert!(
            !output.status.success() && printed(&output).contains(reason),
            "{arguments:?}: {}",
            printed(&output)
        );
    }
}

#[test]
fn help_of_run_keeps_its_line_breaks() {
    let output = Folder::new("help").kernel(&["run", "--help"]);
    let text = printed(&output);
    for line in
        ["  u32:N i32:N u64:N i64:N f32:X   a number", "  out:SIZE or out:SIZE:FILE       device memory of"]
    {
        assert!(text.lines().any(|one| one.starts_with(line)), "{line} is no line of:\n{text}");
    }
}
