// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The examples run on the simulator, where it is built.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test ends where it fails, and says what it skips"
)]

mod fake;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder of built files and the simulator in it, or `None` if something is not built.
fn built() -> Option<(PathBuf, PathBuf)> {
    let this = std::env::current_exe().unwrap();
    let target = this.ancestors().nth(2).unwrap().to_owned();
    let places = [target.join("deps/libascend_sim.so"), target.join("libascend_sim.so")];
    let simulator = places.into_iter().find(|file| file.exists())?;
    ["01_memory", "02_optional"]
        .iter()
        .all(|name| target.join("examples").join(name).exists())
        .then_some((target, simulator))
}

fn run(example: &str, target: &Path, simulator: &Path) -> String {
    let folder = fake::Folder::new(example);
    std::os::unix::fs::symlink(simulator, folder.sub("lib64").join("libascendcl.so")).unwrap();
    let mut command = Command::new(target.join("examples").join(example));
    command
        .env("ASCEND_HOME_PATH", folder.path())
        .env("ASCEND_SIM_DEVICES", "1")
        .env("ASCEND_SIM_CANN", "next");
    command.env("ASCEND_SIM_SESSION", format!("examples-{example}-{}", std::process::id()));
    let output = command.output().unwrap();
    let printed =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{example}: {printed}");
    printed
}

#[test]
fn examples_run_on_the_simulator() {
    let Some((target, simulator)) = built() else {
        println!(
            "skip examples: they or libascend_sim.so are not built (cargo build -p ascend-acl-sys --examples -p ascend-sim)"
        );
        return;
    };
    let memory = run("01_memory", &target, &simulator);
    assert!(memory.contains("device 0 of 1 gives back: from the host"), "{memory}");
    let optional = run("02_optional", &target, &simulator);
    assert!(optional.contains("524 of 524 optional functions are there"), "{optional}");
    assert!(optional.contains("1.5 in 16 bits is 0x3e00"), "{optional}");
    assert!(optional.contains("a dataset of 1 buffer, 1024 bytes"), "{optional}");
    assert!(optional.contains("the graph filled the memory with 7"), "{optional}");
}
