// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf completions` and `mf man` from outside.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]
#![allow(clippy::print_stdout, reason = "a skip says why")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn mf(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_mf")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

/// True if the shell parses the text, without running it. Returns `None` if the shell is absent.
fn accepted(shell: &str, text: &[u8]) -> Option<bool> {
    let mut child = Command::new(shell).args(["-n", "/dev/stdin"]).stdin(Stdio::piped()).spawn().ok()?;
    child.stdin.take().unwrap().write_all(text).unwrap();
    Some(child.wait().unwrap().success())
}

#[test]
fn shells_accept_completions_of_user_commands_only() {
    for shell in ["bash", "zsh", "fish"] {
        let text = mf(&["completions", shell]).stdout;
        match accepted(shell, &text) {
            Some(is_taken) => assert!(is_taken, "{shell} does not take it"),
            None => println!("skip completions of {shell}: it is not installed"),
        }
        let text = String::from_utf8(text).unwrap();
        for name in ["perf", "doctor", "completions", "world-size"] {
            assert!(text.contains(name), "{shell}: {name}");
        }
        assert!(!text.contains("doctor-child") && !text.contains("--task"), "{shell}: a hidden command");
    }
}

#[test]
fn every_command_has_a_readable_man_page() {
    let folder = std::env::temp_dir().join(format!("mf-man-{}", std::process::id()));
    mf(&["man", folder.to_str().unwrap()]);
    let pages: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let named = |name: &str| pages.iter().any(|page| page.ends_with(name));
    assert!(named("mf.1") && named("mf-store-serve.1"), "{pages:?}");
    assert!(!named("mf-member.1"), "{pages:?}");
    let text = std::fs::read_to_string(folder.join("mf-store-serve.1")).unwrap();
    assert!(text.contains(".TH") && text.contains("world") && text.contains("Examples"), "{text}");
    reads(&folder.join("mf.1"));
    std::fs::remove_dir_all(folder).unwrap();
}

fn reads(page: &Path) {
    match Command::new("man")
        .args(["--warnings", "-E", "UTF-8", "-l"])
        .arg(page)
        .stdin(Stdio::null())
        .output()
    {
        Ok(read) if read.status.success() => assert!(read.stderr.is_empty(), "{read:?}"),
        other => println!("skip what man says: {other:?}"),
    }
}
