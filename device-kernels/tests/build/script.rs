// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `build_kernels.sh`, as it is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{here, program, scratch};

/// Creates a prefix with the script alone.
fn prefix(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::copy(here().join("../scripts/build_kernels.sh"), folder.join("bin/build_kernels.sh")).unwrap();
    folder
}

fn script(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("bash");
    command.arg(folder.join("bin/build_kernels.sh")).args(arguments).current_dir(folder);
    command.env("PATH", "/usr/bin:/bin").env_remove("MF").env_remove("CARGO_TARGET_DIR");
    command.output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), output.stderr.as_slice()].concat()).into_owned()
}

#[test]
fn script_passes_its_arguments_to_the_program_beside_it() {
    let folder = prefix("script");
    program(&folder.join("bin/mf"), "printf '%s|' \"$@\"\nexit 7\n");
    for (arguments, expected) in [
        (&["--emulate", "a b.cpp", "-o", "x"][..], "kernel|build|a b.cpp|-o|x|"),
        (
            &["--arch", "dav-2201", "-DX=1", "k.cpp", "-o", "x"],
            "kernel|build|--arch|dav-2201|-DX=1|k.cpp|-o|x|",
        ),
    ] {
        let output = script(&folder, arguments);
        assert_eq!((output.status.code(), printed(&output).as_str()), (Some(7), expected));
    }
}

#[test]
fn script_reports_missing_arguments_and_a_missing_program() {
    let folder = prefix("script-wrong");
    for (arguments, code, expected) in [
        (&["--help"][..], 0, "Usage: build_kernels.sh"),
        (&[], 2, "Usage"),
        (&["k.cpp", "-o", "x"], 1, "there is no program mf"),
    ] {
        let output = script(&folder, arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(printed(&output).contains(expected), "{arguments:?}: {}", printed(&output));
    }
}
