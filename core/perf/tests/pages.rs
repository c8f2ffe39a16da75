// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Help texts, completions and man pages of `mf-perf`.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use std::process::Command;

fn mf_perf(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mf-perf")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn help_names_the_typed_program() {
    assert!(mf_perf(&["--help"]).contains("Usage: mf perf <COMMAND>"));
    assert!(mf_perf(&["copy", "--help"]).contains("Usage: mf perf copy"));
}

#[test]
fn completions_and_man_pages_have_visible_commands_only() {
    for shell in ["bash", "zsh", "fish"] {
        let text = mf_perf(&["completions", shell]);
        assert!(text.contains("copy") && text.contains("only-raw"), "{shell}");
        assert!(!text.contains("copy-count") && !text.contains("--task"), "{shell}: a hidden command");
    }
    let folder = std::env::temp_dir().join(format!("mf-perf-man-{}", std::process::id()));
    mf_perf(&["man", folder.to_str().unwrap()]);
    let pages: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let named = |name: &str| pages.iter().any(|page| page.ends_with(name));
    assert!(named("mf-perf.1") && named("mf-perf-copy.1") && !named("mf-perf-member.1"), "{pages:?}");
    std::fs::remove_dir_all(folder).unwrap();
}
