// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf cache` from outside, on the folder of a tier.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use mf_disk::{DiskKey, DiskTier, EngineOptions, KEY_PURPOSE, Options};
use mf_tls::JobSecret;

struct Folder(PathBuf);

impl Folder {
    /// A tier with 40 values, of which 30 were removed.
    fn filled(name: &str) -> Self {
        let folder = Self(std::env::temp_dir().join(format!("mf-cache-test-{name}-{}", std::process::id())));
        let tier = folder.open();
        for number in 0..40u8 {
            assert!(tier.put(format!("key\n{number}").as_bytes(), vec![number; 100_000]).unwrap());
        }
        tier.flush().unwrap();
        for number in 0..30u8 {
            assert!(tier.remove(format!("key\n{number}").as_bytes()).unwrap());
        }
        folder
    }

    fn open(&self) -> DiskTier {
        self.open_with(None)
    }

    fn open_with(&self, key: Option<DiskKey>) -> DiskTier {
        let engine =
            EngineOptions { segment_bytes: 1 << 20, tombstones_max: 1000, ..EngineOptions::default() };
        let folders = vec![self.0.clone()];
        DiskTier::open(&Options { folders, capacity_bytes: 8 << 20, job: "job 1".to_owned(), key, engine })
            .unwrap()
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        self.run_with("", arguments)
    }

    /// Runs with a secret of the job, or none.
    fn run_with(&self, secret: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut mf = Command::new(env!("CARGO_BIN_EXE_mf"));
        mf.env("MF_JOB_SECRET", secret).env_remove("MF_JOB_SECRET_FILE");
        let mf = mf.arg("cache").args(arguments).arg(&self.0).output();
        let Output { status, stdout, stderr } = mf.unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (status.code(), text(stdout), text(stderr))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn stat_dump_and_compact_show_the_values() {
    let folder = Folder::filled("show");
    let (code, text, _) = folder.run(&["stat"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("job           job 1\n") && text.contains("values        10 in "), "{text}");
    let (_, json, _) = folder.run(&["stat", "--json"]);
    assert!(json.contains("\"values\": 10"), "{json}");
    let (_, keys, _) = folder.run(&["dump", "--keys"]);
    assert_eq!(keys.lines().next(), Some("key\\n30"));
    assert_eq!(keys.lines().count(), 10);
    let (_, lines, _) = folder.run(&["dump"]);
    assert!(lines.lines().all(|line| line.contains(" 100000 key\\n")), "{lines}");
    let (code, text, _) = folder.run(&["compact"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("segments rewritten"), "{text}");
    assert_eq!(folder.run(&["dump", "--keys"]).1.lines().count(), 10);
    assert_eq!(folder.run(&["check"]).0, Some(0));
}

#[test]
fn check_exits_with_1_on_damage() {
    let folder = Folder::filled("damage");
    let path = folder.0.join("segments");
    // The bytes of one live value. Copies of it that reclaim left behind are damaged as well, and are not
    // checked.
    let bytes = std::fs::read(&path).unwrap();
    let inside: Vec<usize> = bytes
        .chunks(1000)
        .enumerate()
        .filter(|(_, chunk)| chunk.iter().all(|byte| *byte == 35))
        .map(|(number, _)| number * 1000)
        .collect();
    assert!(!inside.is_empty(), "no bytes of the value are in the file");
    let file = std::fs::File::options().write(true).open(path).unwrap();
    for at in inside {
        file.write_all_at(&[255; 5], at as u64).unwrap();
    }
    let (code, text, _) = folder.run(&["check"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("damage        1\nslot "), "{text}");
}

#[test]
fn encrypted_folder_is_read_with_the_secret_of_its_job() {
    const SECRET: &str = "a secret of sixteen bytes and more";
    let folder = Folder(std::env::temp_dir().join(format!("mf-cache-test-secret-{}", std::process::id())));
    let key = JobSecret::new(SECRET).derive_key(KEY_PURPOSE).unwrap();
    let tier = folder.open_with(Some(DiskKey::new(*key)));
    for number in 0..40u8 {
        assert!(tier.put(format!("key {number}").as_bytes(), vec![number; 100_000]).unwrap());
    }
    drop(tier);
    let (code, text, _) = folder.run(&["stat"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("encrypted     yes\n"), "{text}");
    let (code, _, note) = folder.run(&["check"]);
    assert_eq!(code, Some(0));
    assert!(note.contains("checksums alone"), "{note}");
    let (code, _, note) = folder.run_with(SECRET, &["check"]);
    assert_eq!(code, Some(0));
    assert!(!note.contains("checksums alone"), "{note}");
    for command in ["dump", "compact"] {
        let (code, _, text) = folder.run(&[command]);
        assert_eq!(code, Some(1));
        assert!(text.contains("MF_JOB_SECRET"), "{text}");
        assert!(folder.run_with("some other secret, long enough", &[command]).2.contains("another secret"));
    }
    assert_eq!(folder.run_with(SECRET, &["dump", "--keys"]).1.lines().count(), 40);
    assert_eq!(folder.run_with(SECRET, &["compact"]).0, Some(0));
    let plain = Folder::filled("plain");
    assert_eq!(plain.run_with(SECRET, &["dump", "--keys"]).1.lines().count(), 10);
}

#[test]
fn folder_in_use_is_refused() {
    let folder = Folder::filled("use");
    let tier = folder.open();
    let (code, _, text) = folder.run(&["stat"]);
    assert_eq!(code, Some(1));
    assert!(text.contains("another process uses the folder"), "{text}");
    drop(tier);
}
