// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Output of the build: both sides from the same files, and user files like ours.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod auto;
mod cache;
mod front;
mod script;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mf_device_kernels::compile::{Home, host, sources_in};
use mf_device_kernels::table::kernels_of;
use mf_device_kernels::{for_soc, simulated, table};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of this test, empty.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("build-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The folder of caches (`XDG_CACHE_HOME`) for those tests that are not about the compiled emulation in it:
/// it is kept by its contents, so it may stay from run to run, and serve other tests
/// (`MF_TEST_KERNEL_CACHE`).
fn cache_of_tests() -> PathBuf {
    let named = std::env::var_os("MF_TEST_KERNEL_CACHE").map(PathBuf::from);
    named.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernel-cache"))
}

/// A program in a folder, of a shell's lines.
fn program(at: &Path, lines: &str) {
    // Written by another process: while a child process of this one has its descriptors, a file open for
    // writing cannot be executed.
    let write = ["-c", "cat >\"$0\" && chmod 755 \"$0\""];
    let mut writer = Command::new("sh").args(write).arg(at).stdin(Stdio::piped()).spawn().unwrap();
    write!(writer.stdin.take().unwrap(), "#!/bin/sh\n{lines}").unwrap();
    assert!(writer.wait().unwrap().success());
}

/// Returns the compiler, or `None` with a message.
fn compiler() -> Option<host::Compiler> {
    host::Compiler::find(std::env::var_os("CXX"))
        .inspect_err(|why| println!("skip compiling kernels: {why}"))
        .ok()
}

const OWN: &str = "// SPDX-License-Identifier: Apache-2.0 OR MIT\n#include \"mf_kernel.h\"\n\
    extern \"C\" __global__ __aicore__ void own(GM_ADDR, uint32_t) { MF_KERNEL_VECTOR(); }\n\
    MF_KERNEL(own, GM_ADDR, uint32_t)\n";

/// The beginning of a source that needs both parts of [`small_emulation`], as far as the name.
const SMALL: &str = "int one();\nint two();\nextern \"C\" __attribute__((visibility(\"default\"))) int";

/// Creates a small replacement of the emulation, for tests of its compilation alone.
fn small_emulation(folder: &Path) {
    for made in ["src", "include/ascendc"] {
        fs::create_dir_all(folder.join(made)).unwrap();
    }
    fs::write(folder.join("include/ascendc/front.h"), "").unwrap();
    fs::write(folder.join("src/one.cpp"), "int one() { return 1; }\n").unwrap();
    fs::write(folder.join("src/two.cpp"), "int two() { return 2; }\n").unwrap();
}

fn exported(object: &[u8], prefix: &str) -> Vec<String> {
    // The dynamic names of an object stand in it as texts that end with 0.
    let mut names: Vec<String> = object
        .split(|byte| *byte == 0)
        .filter_map(|text| std::str::from_utf8(text).ok()?.strip_prefix(prefix))
        .filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn binary_exports_exactly_the_table_kernels() {
    let named: Vec<&str> = table().iter().map(|kernel| kernel.name.as_str()).collect();
    match simulated() {
        Ok(bytes) => {
            assert_eq!(exported(bytes, "mfk_launch_"), named);
            assert_eq!(exported(bytes, "mfk_kernel_"), named);
        }
        Err(reason) => {
            assert!(!reason.is_empty());
            println!("skip the kernels for the simulator: {reason}");
        }
    }
}

#[test]
fn missing_kernels_have_a_reason() {
    assert_eq!(for_soc("Ascend310P3"), Err("no kernels for this chip"));
    for soc in ["Ascend910B3", "Ascend910_9382", "Ascend950PR_957c"] {
        match for_soc(soc) {
            Ok(bytes) => assert!(!bytes.is_empty()),
            Err(reason) => assert!(!reason.is_empty()),
        }
    }
}

#[test]
fn table_lines_match_their_kernel_functions() {
    // The compiler of the host says so, too; for the NPU the line stands for nothing, and this is the only
    // check.
    for source in sources_in(&here().join("kernels")).unwrap() {
        let text = fs::read_to_string(&source).unwrap();
        for kernel in kernels_of(&text).unwrap() {
            let wrong =
                mf_device_kernels::lint::lint(&text).into_iter().find(|finding| finding.line == kernel.line);
            assert!(wrong.is_none(), "{}: {wrong:?}", source.display());
        }
    }
}

#[test]
fn all_sources_together_are_one_program() {
    // As the compiler for NPUs gets them.
    let Some(compiler) = compiler() else { return };
    let sources = sources_in(&here().join("kernels")).unwrap();
    let home = Home::at(here()).unwrap();
    let folder = scratch("together");
    let all: String = sources.iter().map(|source| format!("#include \"{}\"\n", source.display())).collect();
    fs::write(folder.join("all.cpp"), all).unwrap();
    let mut command = Command::new(&compiler.command);
    command.args(["-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]);
    for include in [&home.headers, &home.emulation.join("include"), &home.simulator] {
        command.arg("-I").arg(include);
    }
    let output = command.arg(folder.join("all.cpp")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn compiler_output_is_a_warning_or_an_error_on_request() {
    let Some(compiler) = compiler() else { return };
    let folder = scratch("wrong");
    let source = folder.join("wrong.cpp");
    fs::write(&source, OWN.replace("uint32_t) {", "uint32_t unused) {")).unwrap();
    let home = Home::at(here()).unwrap();
    let (between, output) = (folder.join("between"), folder.join("wrong.o"));
    let sources = [source.clone()];
    let cache = cache_of_tests().join("memfabric/kernels");
    let job = |flags| host::Job {
        sources: &sources,
        flags,
        scratch: &between,
        cache: Some(&cache),
        output: &output,
    };
    let warnings = host::compile(&compiler, &home, &job(&[])).unwrap();
    assert!(warnings.contains("wrong.cpp") && warnings.contains("unused"), "{warnings}");
    assert_eq!(exported(&fs::read(&output).unwrap(), "mfk_launch_"), ["own"]);
    let strict = ["-Werror".into()];
    let error = host::compile(&compiler, &home, &job(&strict)).unwrap_err();
    assert!(error.contains("wrong.cpp") && error.contains("unused"), "{error}");
    fs::write(&source, OWN.replace("MF_KERNEL_VECTOR();", "no_such_name();")).unwrap();
    let error = host::compile(&compiler, &home, &job(&[])).unwrap_err();
    assert!(error.contains("no_such_name"), "{error}");
}

#[test]
fn our_own_sources_have_no_findings() {
    let mut folders: Vec<_> = ["kernels", "include", "../examples/shmem", "../examples/matmul_allreduce"]
        .map(|folder| here().join(folder))
        .into();
    let mut read = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let source = entry.unwrap().path();
            let name = source.file_name().unwrap().to_string_lossy().into_owned();
            let is_of_host = ["main.cpp", "program.h"].contains(&name.as_str())
                || source.ends_with("examples/matmul_allreduce/matmul_allreduce.cpp");
            if source.is_dir() {
                folders.push(source);
            } else if source.extension().is_some_and(|kind| kind == "h" || kind == "cpp") && !is_of_host {
                let found = mf_device_kernels::lint::lint(&fs::read_to_string(&source).unwrap());
                assert!(found.is_empty(), "{}: {found:#?}", source.display());
                read += 1;
            }
        }
    }
    assert!(read > 45, "{read} sources");
}
