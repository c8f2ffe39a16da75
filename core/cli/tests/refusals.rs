// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Output of `mf store serve` about refused peers, and about its access rules.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

const SECRET: &str = "a secret for the tests of the program";

type Environment<'a> = &'a [(&'a str, &'a str)];

fn mf(arguments: &[&str], environment: Environment<'_>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mf"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MF_")) {
        command.env_remove(name);
    }
    command.args(arguments).envs(environment.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A store in a process of its own. Dropping it kills it.
struct Serving {
    child: Child,
    url: String,
}

impl Serving {
    /// On a free port of `host`; it listens when this returns.
    fn start(host: &str, environment: Environment<'_>) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let url = format!("tcp://{host}:{port}");
        let mut child = mf(&["store", "serve", &url], environment).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let serving = Self { child, url };
        assert!(line.contains("the store listens at"), "{line}");
        serving
    }

    fn guest(&self, environment: Environment<'_>) -> Output {
        mf(&["store", "ls", &self.url, "--timeout", "20"], environment).output().unwrap()
    }

    /// Ends it; everything that it printed on standard error.
    fn printed(mut self) -> String {
        rustix::process::kill_process(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::TERM,
        )
        .unwrap();
        self.child.wait().unwrap();
        let mut printed = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut printed).unwrap();
        printed
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
fn assert_printed(printed: &str, parts: &[&str]) {
    let line = printed.lines().find(|line| parts.iter().all(|part| line.contains(part)));
    assert!(line.is_some(), "no line says {parts:?}:\n{printed}");
}

#[test]
fn a_wrong_secret_is_reported() {
    let store = Serving::start("127.0.0.1", &[("MF_JOB_SECRET", SECRET)]);
    let refused = store.guest(&[("MF_JOB_SECRET", "another secret of a fitting length")]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(store.guest(&[("MF_JOB_SECRET", SECRET)]).status.success());
    assert_printed(
        &store.printed(),
        &["warn", "store client refused", "127.0.0.1:", "the job secret differs"],
    );
}

#[test]
fn plaintext_guest_is_reported() {
    let store = Serving::start("127.0.0.1", &[("MF_JOB_SECRET", SECRET)]);
    assert_eq!(store.guest(&[]).status.code(), Some(1));
    assert_printed(&store.printed(), &["warn", "store client refused", "accepts encrypted connections only"]);
}

#[test]
fn a_revoked_certificate_is_reported_with_the_reason() {
    let folder = Folder::new();
    let dir = folder.0.join("ca").display().to_string();
    let certs = |arguments: &[&str]| {
        let output = mf(&[&["certs"], arguments].concat(), &[]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    certs(&["init", &dir]);
    let [store, guest] = ["node1", "node2"].map(|name| {
        let printed = certs(&["issue", &dir, name, "--address", "127.0.0.1"]);
        let (_, info) = printed.split_once("MF_STORE_TLS_INFO='").unwrap();
        info.split_once('\'').unwrap().0.to_owned()
    });
    certs(&["revoke", &dir, "node2"]);
    let serving = Serving::start("127.0.0.1", &[("MF_STORE_TLS_INFO", &store)]);
    let refused = serving.guest(&[("MF_STORE_TLS_INFO", &guest)]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert_printed(&serving.printed(), &["warn", "its handshake failed", "127.0.0.1:", "has been revoked"]);
}

#[test]
fn unprotected_store_warns_at_start() {
    let store = Serving::start("0.0.0.0", &[("MF_STORE_TLS", "off")]);
    let printed = store.printed();
    assert_printed(&printed, &["warn", "plaintext", "TLS was switched off"]);
    assert_printed(&printed, &["warn", "admits every peer that can reach it", "0.0.0.0"]);
}

/// A folder of its own, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("mf-refusals-{}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
