// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf demo` from outside: files of every size, worlds of several sizes, and files that cannot be used.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn demo(file: &Path, ranks: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mf"));
    command.arg("demo").arg(file).args(["-n", ranks]).stdin(Stdio::null()).output().unwrap()
}

fn file(name: &str, bytes: usize) -> PathBuf {
    let path = std::env::temp_dir().join(format!("mf-demo-{name}-{}", std::process::id()));
    let content: Vec<u8> = (0..bytes).map(|i| u8::try_from(i * 7 % 251).unwrap()).collect();
    std::fs::write(&path, content).unwrap();
    path
}

fn assert_shown(name: &str, bytes: usize, ranks: u32) {
    let path = file(name, bytes);
    let output = demo(&path, &ranks.to_string());
    std::fs::remove_file(path).unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{bytes} bytes, {ranks} ranks: {text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(text.contains("every block was read back equal"), "{text}");
    let count = |part| text.lines().filter(|line| line.split_whitespace().nth(1) == Some(part)).count();
    let changed = usize::from(ranks > 1);
    assert_eq!((count("left"), count("came")), (changed, changed), "{text}");
    assert_eq!(count("stayed"), ranks as usize - changed, "{text}");
}

#[test]
fn files_of_every_size_work() {
    for (name, bytes) in [("empty", 0), ("byte", 1), ("block", 256 << 10), ("more", (5 << 20) + 12_345)] {
        assert_shown(name, bytes, 3);
    }
}

#[test]
fn worlds_of_several_sizes_work() {
    for ranks in [1, 2, 4, 8] {
        assert_shown(&format!("world{ranks}"), 3 << 20, ranks);
    }
}

#[test]
fn unusable_files_are_refused() {
    for (path, part) in
        [("/no/such/file", "cannot be found"), ("/", "directory"), ("/dev/zero", "not a regular file")]
    {
        let output = demo(Path::new(path), "2");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{path}: {text}");
        assert!(text.contains(part) && text.contains(path), "{path}: {text}");
        assert!(output.stdout.is_empty());
    }
}
