// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf certs` from outside: the store and, if installed, OpenSSL accept its output.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail the test")]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::settings::Switch;
use mf_tls::{Security, TlsFiles, inspect};

/// A folder that goes away with its owner.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("mf-certs-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    fn dir(&self) -> String {
        self.0.join("ca").display().to_string()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join("ca").join(name)
    }

    fn certificate(&self, name: &str) -> mf_tls::CertificateFacts {
        inspect(&std::fs::read(self.file(name)).unwrap()).unwrap().certificates.remove(0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mf")).arg("certs").args(arguments).output().unwrap()
}

fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str], parts: &[&str]) {
    let output = run(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{arguments:?}: {output:?}");
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// The text that a member is given.
fn info(output: &str) -> String {
    let (_, rest) = output.split_once("MF_STORE_TLS_INFO='").unwrap();
    rest.split_once('\'').unwrap().0.to_owned()
}

fn taken(info: &str) {
    let files = TlsFiles::from_info(info).unwrap();
    Security::new(Switch::On, Vec::new(), Some(files)).unwrap();
}

#[test]
fn issued_certificates_are_accepted_by_the_store() {
    let folder = Folder::new();
    let dir = folder.dir();
    done(&["init", &dir, "--days", "900"]);
    let output = done(&[
        "issue",
        &dir,
        "node1",
        "--address",
        "10.0.0.1",
        "--address",
        "fd00::1",
        "--host",
        "n1.example",
    ]);
    let info = info(&output);
    taken(&info);
    assert!(output.contains(&format!("{})", info.len())), "{output}");
    assert_eq!(
        folder.certificate("node1.pem").names,
        ["memfabric-store", "n1.example", "10.0.0.1", "fd00::1"]
    );
    for (name, expected) in [("ca.key", 0o600), ("node1.key", 0o600), ("ca.pem", 0o644), ("node1.pem", 0o644)]
    {
        assert_eq!(mode(&folder.file(name)) & expected, mode(&folder.file(name)), "{name}");
    }
    assert_eq!(mode(&folder.0.join("ca")), 0o700);
}

#[test]
fn a_member_does_not_outlive_its_ca() {
    let folder = Folder::new();
    done(&["init", &folder.dir(), "--days", "10"]);
    done(&["issue", &folder.dir(), "node1", "--days", "100"]);
    assert_eq!(folder.certificate("node1.pem").not_after, folder.certificate("ca.pem").not_after);
}

#[test]
fn show_prints_names_dates_and_warnings() {
    let folder = Folder::new();
    let dir = folder.dir();
    done(&["init", &dir]);
    done(&["issue", &dir, "node1", "--address", "10.0.0.1"]);
    done(&["issue", &dir, "node2", "--days", "5"]);
    let text = done(&["show", &dir]);
    for part in [
        "CN=node1",
        "memfabric-store, 10.0.0.1",
        "364 days left",
        "ECDSA P-256",
        "WARNING   expires in 4 days",
    ] {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
    done(&["revoke", &dir, "node1"]);
    let output = run(&["show", &dir, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = |end: &str| {
        let mut rows = rows.as_array().unwrap().iter();
        rows.find(|row| row["file"].as_str().unwrap().ends_with(end)).unwrap().clone()
    };
    assert_eq!(row("node1.pem")["certificates"][0]["warning"], "revoked");
    assert_eq!(row("node2.pem")["certificates"][0]["days_left"], 4);
    assert_eq!(row("crl.pem")["revocation_lists"][0]["revoked"].as_array().unwrap().len(), 1);
    assert_eq!(row("ca.pem")["certificates"][0]["ca"], true);
}

#[test]
fn rotation_keeps_the_names_and_makes_a_new_key() {
    let folder = Folder::new();
    let dir = folder.dir();
    done(&["init", &dir]);
    done(&["issue", &dir, "node1", "--address", "10.0.0.1", "--host", "n1.example"]);
    let (before, key) = (folder.certificate("node1.pem"), std::fs::read(folder.file("node1.key")).unwrap());
    taken(&info(&done(&["rotate", &dir, "node1"])));
    let after = folder.certificate("node1.pem");
    assert_eq!(before.names, after.names);
    assert_ne!(before.serial, after.serial);
    assert_ne!(key, std::fs::read(folder.file("node1.key")).unwrap());
    assert_eq!(mode(&folder.file("node1.key")), 0o600);
}

#[test]
fn ca_is_replaced_in_three_steps() {
    let folder = Folder::new();
    let dir = folder.dir();
    done(&["init", &dir]);
    let first = info(&done(&["issue", &dir, "node1"]));
    let second = info(&done(&["issue", &dir, "node2"]));
    done(&["revoke", &dir, "node2"]);
    done(&["rotate", &dir, "--ca"]);
    let bundle = inspect(&std::fs::read(folder.file("ca.pem")).unwrap()).unwrap().certificates;
    assert_eq!(bundle.len(), 2);
    assert_ne!(bundle[0].subject, bundle[1].subject);
    taken(&first);
    refused(&["rotate", &dir, "--ca"], &["not complete", "--drop-old"]);
    refused(&["rotate", &dir, "--drop-old"], &["node1, node2", "old CA"]);
    done(&["rotate", &dir, "node1"]);
    assert_eq!(folder.certificate("node1.pem").issuer, bundle[0].subject);
    // A member of the old CA can still be shut out.
    let lists = || inspect(&std::fs::read(folder.file("crl.pem")).unwrap()).unwrap().revocations;
    assert_eq!(lists().iter().map(|list| list.revoked.len()).collect::<Vec<_>>(), [0, 1]);
    done(&["rotate", &dir, "node2"]);
    done(&["revoke", &dir, "node1"]);
    assert_eq!(lists().iter().map(|list| list.revoked.len()).collect::<Vec<_>>(), [1, 1]);
    done(&["rotate", &dir, "--drop-old"]);
    assert_eq!(inspect(&std::fs::read(folder.file("ca.pem")).unwrap()).unwrap().certificates.len(), 1);
    assert_eq!(lists().iter().map(|list| list.revoked.len()).collect::<Vec<_>>(), [1]);
    assert!(!folder.file("ca-old.key").exists());
    taken(&second);
}

#[test]
fn impossible_requests_are_explained() {
    let folder = Folder::new();
    let dir = folder.dir();
    refused(&["issue", &folder.0.display().to_string(), "node1"], &["no CA in the folder", "mf certs init"]);
    done(&["init", &dir]);
    refused(&["init", &dir], &["there already", "ca.pem"]);
    done(&["issue", &dir, "node1"]);
    refused(&["issue", &dir, "node1"], &["node1.pem", "mf certs rotate"]);
    for name in ["", ".x", "a/b", "../x", "ca", "crl", "a b"] {
        refused(&["issue", &dir, "--", name], &["name"]);
    }
    refused(&["issue", &dir, "node2", "--host", "w\u{f6}rld"], &["no DNS name"]);
    refused(&["issue", &dir, "node2", "--address", "10.0.0"], &["10.0.0"]);
    refused(&["rotate", &dir], &["--ca"]);
    refused(&["rotate", &dir, "nobody"], &["nobody.pem"]);
    refused(&["revoke", &dir, "nobody"], &["nobody.pem"]);
    refused(&["show", &folder.0.display().to_string()], &["no certificate"]);
    let colon = folder.0.join("a:b").display().to_string();
    refused(&["init", &colon], &["tls_info", "without"]);
    std::fs::write(folder.file("ca.key"), std::fs::read(folder.file("node1.key")).unwrap()).unwrap();
    refused(&["issue", &dir, "node3"], &["belongs to the private key"]);
}

#[test]
fn openssl_verifies_issued_certificates() {
    if Command::new("openssl").arg("version").output().is_err() {
        println!("skipped: openssl is not here");
        return;
    }
    let folder = Folder::new();
    let dir = folder.dir();
    done(&["init", &dir]);
    done(&["issue", &dir, "node1", "--address", "10.0.0.1"]);
    done(&["issue", &dir, "node2"]);
    done(&["revoke", &dir, "node2"]);
    done(&["rotate", &dir, "--ca"]);
    let verify = |name: &str| {
        let mut command = Command::new("openssl");
        command.args(["verify", "-crl_check", "-x509_strict", "-CAfile"]).arg(folder.file("ca.pem"));
        command.arg("-CRLfile").arg(folder.file("crl.pem")).arg(folder.file(name)).output().unwrap()
    };
    let (good, bad) = (verify("node1.pem"), verify("node2.pem"));
    assert!(good.status.success(), "{good:?}");
    assert!(String::from_utf8_lossy(&bad.stderr).contains("revoked"), "{bad:?}");
}
