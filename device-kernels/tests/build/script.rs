// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `build_kernels.sh`, as it is installed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{OWN, SMALL, cache_of_tests, compiler, exported, here, program, scratch, small_emulation};

/// Creates a prefix with the script alone, and the folder in it for the files that the script needs.
fn bare_prefix(name: &str) -> (PathBuf, PathBuf) {
    let folder = scratch(name);
    let kernels = folder.join("include/mf_kernels");
    fs::create_dir_all(&kernels).unwrap();
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::copy(here().join("../scripts/build_kernels.sh"), folder.join("bin/build_kernels.sh")).unwrap();
    (folder, kernels)
}

/// Creates a prefix with the script, the files that it needs, and a source.
fn prefix(name: &str) -> PathBuf {
    let (folder, kernels) = bare_prefix(name);
    for (part, at) in
        [("include", "include"), ("emulation", "emulation"), ("simulator", "../sys/sim/include")]
    {
        symlink(here().join(at), kernels.join(part)).unwrap();
    }
    fs::write(folder.join("own.cpp"), OWN).unwrap();
    folder
}

fn script(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("bash");
    command.arg(folder.join("bin/build_kernels.sh")).args(arguments).current_dir(folder);
    command.env("ASCEND_HOME_PATH", folder.join("cann")).env("XDG_CACHE_HOME", cache_of_tests());
    command.output().unwrap()
}

#[test]
fn script_prints_warnings_and_compiles_the_emulation_once() {
    let Some(compiler) = compiler() else { return };
    let (folder, kernels) = bare_prefix("script-cache");
    small_emulation(&kernels.join("emulation"));
    for part in ["include", "simulator"] {
        fs::create_dir(kernels.join(part)).unwrap();
        fs::write(kernels.join(part).join("part.h"), "").unwrap();
    }
    let source = format!("{SMALL} mfk_launch_own(int unused) {{ return one() + two(); }}\n");
    fs::write(folder.join("own.cpp"), source).unwrap();
    let command = compiler.command.to_string_lossy();
    program(&folder.join("c++"), &format!("echo \"$@\" >>calls\nexec {command} \"$@\"\n"));
    let build = |flag: &[&str]| {
        let mut command = Command::new("bash");
        command.arg("bin/build_kernels.sh").args(["own.cpp", "-o", "own.o"]).args(flag).current_dir(&folder);
        command.env("CXX", folder.join("c++")).env("XDG_CACHE_HOME", folder.join("cache"));
        let output = command.output().unwrap();
        let calls = fs::read_to_string(folder.join("calls")).unwrap_or_default();
        let _ = fs::remove_file(folder.join("calls"));
        let compiled = calls.lines().filter(|call| call.contains(" -c ")).count();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned(), compiled)
    };
    let (worked, printed, compiled) = build(&[]);
    assert!(worked && printed.contains("unused"), "{printed}");
    assert_eq!(compiled, 3);
    let (worked, printed, compiled) = build(&[]);
    assert!(worked && printed.contains("unused"), "{printed}");
    assert_eq!(compiled, 1);
    let (worked, printed, _) = build(&["--werror"]);
    assert!(!worked && printed.contains("-Werror=unused"), "{printed}");
    let kept = fs::read_dir(folder.join("cache/memfabric/kernels")).unwrap().count();
    assert_eq!(kept, 1);
}

#[test]
fn script_builds_for_the_simulator_from_an_installation() {
    if compiler().is_none() {
        return;
    }
    let folder = prefix("script");
    let output = script(&folder, &["own.cpp", "-o", "own.o"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let object = fs::read(folder.join("own.o")).unwrap();
    assert_eq!(
        (exported(&object, "mfk_launch_"), exported(&object, "mfk_kernel_")),
        (vec!["own".into()], vec!["own".into()])
    );
}

#[test]
fn script_builds_for_npus_with_supported_compiler_flags() {
    let folder = prefix("script-npu");
    let bin = folder.join("cann/bin");
    fs::create_dir_all(&bin).unwrap();
    // Takes the older flags only, and notes how it was called.
    let compiler = "echo \"$@\" >>calls\ncase \"$*\" in *-xcce*) ;; *) exit 1;; esac\n\
        while [ \"$1\" != -o ]; do shift; done; echo object >\"$2\"\n";
    program(&bin.join("bisheng"), compiler);
    let output = script(&folder, &["--arch", "dav-2201", "-D", "X=1", "own.cpp", "-o", "own.o"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(folder.join("own.o")).unwrap(), "object\n");
    let calls = fs::read_to_string(folder.join("calls")).unwrap();
    let calls: Vec<&str> = calls.lines().collect();
    assert!(calls.len() == 3 && calls[0].contains("--npu-arch=dav-2201"), "{calls:?}");
    assert!(calls[2].contains("--cce-aicore-arch=dav-c220-vec") && calls[2].contains("-D X=1"), "{calls:?}");
}

#[test]
fn script_reports_wrong_arguments() {
    let folder = prefix("script-wrong");
    for (arguments, code, printed) in [
        (&["--help"][..], 0, "Usage: build_kernels.sh"),
        (&["own.cpp"], 2, "Usage"),
        (&["missing.cpp", "-o", "x"], 1, "no file missing.cpp"),
        (&["--arch", "dav-1", "own.cpp", "-o", "x"], 1, "dav-3510"),
    ] {
        let output = script(&folder, arguments);
        let text = [output.stdout, output.stderr].concat();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(
            String::from_utf8_lossy(&text).contains(printed),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&text)
        );
    }
}
