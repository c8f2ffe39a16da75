// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf doctor` from outside: in an environment that is well, in broken ones, and between two processes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail the test")]

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;

/// No check may be late only because the machine is busy.
const TIMEOUT: [&str; 2] = ["--timeout", "300"];

/// `mf doctor` without the settings and launchers around the tests.
fn doctor(arguments: &[&str], environment: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mf"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let is_ours = ["MF_", "SHMEM_", "PMI", "SLURM_", "OMPI_"].iter().any(|begin| text.starts_with(begin));
        if is_ours || ["RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"].contains(&&*text) {
            command.env_remove(&name);
        }
    }
    command.arg("doctor").args(arguments).env("MF_DEVICE", "none").envs(environment.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Exit code and JSON.
fn json(arguments: &[&str], environment: &[(&str, &str)]) -> (i32, Value) {
    let all = [arguments, &["--json"], &TIMEOUT].concat();
    let output = doctor(&all, environment).output().unwrap();
    let value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (output.status.code().unwrap(), value)
}

/// The findings of a check that have this severity, as texts.
fn found(value: &Value, check: &str, severity: &str) -> Vec<String> {
    let checks = value["checks"].as_array().unwrap();
    let check =
        checks.iter().find(|one| one["name"] == check).unwrap_or_else(|| panic!("no {check}: {value:#}"));
    let findings = check["findings"].as_array().unwrap().iter();
    findings
        .filter(|one| one["severity"] == severity)
        .map(|one| one["text"].as_str().unwrap().to_owned())
        .collect()
}

#[track_caller]
fn assert_found(value: &Value, check: &str, severity: &str, part: &str) {
    let texts = found(value, check, severity);
    assert!(texts.iter().any(|text| text.contains(part)), "{part} is not in {texts:?}: {value:#}");
}

/// A folder of its own, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("mf-doctor-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    /// A file with these rights.
    fn file(&self, name: &str, text: &str, mode: u32) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Checks that do not depend on the machine of the tests.
const CONFIGURATION: [&str; 2] = ["--only", "settings,pages,compiler,store,etcd,secret,certificates"];

/// A port of the loopback at which nothing listens and nothing else can, as long as the socket lives.
fn reserved_port() -> (rustix::fd::OwnedFd, u16) {
    use rustix::net::{AddressFamily, SocketType, bind, getsockname, socket};
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&socket, &"127.0.0.1:0".parse::<std::net::SocketAddr>().unwrap()).unwrap();
    let address = std::net::SocketAddr::try_from(getsockname(&socket).unwrap()).unwrap();
    (socket, address.port())
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn valid_configuration_has_no_errors() {
    let folder = Folder::new();
    let secret = folder.file("secret", "0123456789abcdef0123456789abcdef", 0o600);
    let (_reserved, port) = reserved_port();
    let url = format!("tcp://127.0.0.1:{port}");
    let (code, value) =
        json(&CONFIGURATION, &[("MF_CONFIG_STORE_URL", &url), ("MF_JOB_SECRET_FILE", &secret)]);
    assert_eq!((code, &value["hinders"], &value["warnings"]), (0, &0.into(), &0.into()), "{value:#}");
    assert_eq!(value["schema"], 1);
    assert_eq!(value["checks"].as_array().unwrap().len(), 7);
    assert_found(
        &value,
        "settings",
        "good",
        &format!("MF_CONFIG_STORE_URL = {url} (environment MF_CONFIG_STORE_URL)"),
    );
    assert_found(&value, "store", "good", "is free");
    assert_found(&value, "secret", "good", "32 bytes");
    for check in value["checks"].as_array().unwrap() {
        assert!(check["seconds"].is_number(), "{check:#}");
    }
}

#[test]
fn every_check_ends_with_a_finding_on_this_machine() {
    let (_, value) = json(&[], &[]);
    let checks = value["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 15);
    for check in checks {
        assert!(check["seconds"].is_number(), "{check:#}");
        let findings = check["findings"].as_array().unwrap();
        assert!(!findings.is_empty(), "{check:#}");
        for finding in findings {
            let needs_remedy = finding["severity"] == "hinders" || finding["severity"] == "warning";
            assert!(
                !needs_remedy || finding["remedy"].as_str().is_some_and(|text| !text.is_empty()),
                "{finding:#}"
            );
        }
    }
}

#[test]
fn unusable_settings_are_all_found_and_end_the_checks() {
    let folder = Folder::new();
    let file = folder.file("settings", "MF_PREFAULT=perhaps\n", 0o600);
    let environment = [("MF_LOG_LEVEL", "foo"), ("MF_SETTINGS_FILE", &file), ("MF_LOG_LEVLE", "1")];
    let (code, value) = json(&["--only", "settings,secret"], &environment);
    assert_eq!(code, 1, "{value:#}");
    assert_found(&value, "settings", "hinders", "MF_LOG_LEVEL cannot be \"foo\"");
    assert_found(&value, "settings", "hinders", "MF_PREFAULT cannot be \"perhaps\"");
    assert_found(&value, "settings", "warning", "did you mean MF_LOG_LEVEL?");
    assert_found(&value, "secret", "note", "settings cannot be used");
}

/// Makes a member's certificate and key that are valid between these days after the epoch, and the CA.
fn certificates(folder: &Folder, first_day: u64, last_day: u64) -> String {
    let day = |days: u64| rcgen::date_time_ymd(1970, 1, 1) + Duration::from_secs(86_400 * days);
    let key = || rcgen::KeyPair::generate().unwrap();
    let mut of_ca = rcgen::CertificateParams::default();
    of_ca.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    of_ca.distinguished_name.push(rcgen::DnType::CommonName, "doctor's ca");
    let (ca_key, own_key) = (key(), key());
    let ca = of_ca.self_signed(&ca_key).unwrap();
    let mut own = rcgen::CertificateParams::new(["memfabric-store".to_owned()]).unwrap();
    own.distinguished_name.push(rcgen::DnType::CommonName, "doctor's member");
    (own.not_before, own.not_after) = (day(first_day), day(last_day));
    let issuer = rcgen::Issuer::from_params(&of_ca, &ca_key);
    let member = own.signed_by(&own_key, &issuer).unwrap();
    folder.file("ca.pem", &ca.pem(), 0o644);
    folder.file("member.pem", &member.pem(), 0o644);
    folder.file("member.key", &own_key.serialize_pem(), 0o644);
    format!(
        "tlsTopPath:{};tlsCaPath:.;tlsCaFile:ca.pem;tlsCert:member.pem;tlsPk:member.key",
        folder.0.display()
    )
}

#[test]
fn common_faults_are_found_with_remedies() {
    let folder = Folder::new();
    let secret = folder.file("secret", "short", 0o644);
    let info = certificates(&folder, 10_000, 10_100);
    // Listens, and is no store.
    let holder = TcpListener::bind("127.0.0.1:0").unwrap();
    std::thread::spawn({
        let holder = holder.try_clone().unwrap();
        move || holder.incoming().for_each(drop)
    });
    let url = format!("tcp://{}", holder.local_addr().unwrap());
    let environment = [
        ("MF_CONFIG_STORE_URL", url.as_str()),
        ("MF_JOB_SECRET_FILE", &secret),
        ("MF_STORE_TLS_INFO", &info),
        ("MF_HUGE_PAGES", "off"),
        ("CXX", "/nowhere/c++"),
    ];
    let (code, value) = json(&CONFIGURATION, &environment);
    assert_eq!(code, 1, "{value:#}");
    assert_found(&value, "certificates", "hinders", "expired on 1997");
    assert_found(&value, "certificates", "warning", "member.key (mode 644)");
    assert_found(&value, "secret", "warning", "5 bytes");
    assert_found(&value, "secret", "warning", "secret (mode 644)");
    assert_found(&value, "store", "hinders", &format!("process {}", std::process::id()));
    assert_found(&value, "compiler", "warning", "/nowhere/c++");
    assert!(!value.to_string().contains("\"short\""), "{value:#}");
}

#[test]
fn not_yet_valid_certificates_point_at_the_clock() {
    let folder = Folder::new();
    let info = certificates(&folder, 100_000, 100_100);
    let (code, value) = json(&["--only", "certificates"], &[("MF_STORE_TLS_INFO", &info)]);
    assert_eq!(code, 1, "{value:#}");
    assert_found(&value, "certificates", "hinders", "not valid before 2243");
}

#[test]
fn remote_store_without_an_identity_is_found() {
    let environment = [("MF_CONFIG_STORE_URL", "tcp://192.0.2.1:5570")];
    let (code, value) = json(&["--only", "secret"], &environment);
    assert_eq!(code, 1, "{value:#}");
    assert_eq!(found(&value, "secret", "hinders").len(), 1, "{value:#}");
    assert_eq!(json(&["--only", "secret"], &[environment[0], ("MF_JOB_SECRET", "0123456789abcdef")]).0, 0);
}

#[test]
fn store_comes_from_the_launcher_without_a_setting() {
    let only = ["--only", "store"];
    let torchrun = [
        ("RANK", "0"),
        ("WORLD_SIZE", "2"),
        ("MASTER_ADDR", "127.0.0.1"),
        ("MASTER_PORT", "20000"),
        ("MF_STORE_PORT_OFFSET", "7"),
    ];
    let (_, value) = json(&only, &torchrun);
    assert!(value.to_string().contains("127.0.0.1:20007 is "), "{value:#}");
    let (code, value) = json(&only, &[("RANK", "3"), torchrun[1], torchrun[2], torchrun[3]]);
    assert_eq!(code, 1, "{value:#}");
    assert_found(&value, "store", "hinders", "RANK");
    assert_found(&json(&only, &[]).1, "store", "note", "no store is named");
}

#[test]
fn quiet_prints_nothing_on_success_and_remedies_follow_findings() {
    let all = |environment: &[(&str, &str)]| -> Output {
        doctor(&[&["--quiet", "--only", "settings"], &TIMEOUT[..]].concat(), environment).output().unwrap()
    };
    let output = all(&[]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let output = all(&[("MF_NIC", "10.0.0.0/99")]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["settings\n", "  hinders  MF_NIC", "-> ", "hinders: 1, warnings: 0\n"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn wrong_arguments_are_refused() {
    for arguments in [
        &["--only", "nonsense"][..],
        &["--reach", "nowhere"],
        &["--listen", "--json"],
        &["--timeout", "x"],
        &["more"],
    ] {
        let output = doctor(arguments, &[]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    }
}

/// A process of `mf`, ended with its owner.
struct Running {
    child: Child,
    first_line: String,
    /// Kept: a program with a closed output ends.
    _output: BufReader<ChildStdout>,
}

impl Running {
    /// Starts it, and reads the first line.
    fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (mut output, mut first_line) = (BufReader::new(child.stdout.take().unwrap()), String::new());
        output.read_line(&mut first_line).unwrap();
        Self { child, first_line, _output: output }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_listener_is_reached_and_measured() {
    let listener = Running::start(&mut doctor(&["--listen", "127.0.0.1:0"], &[]));
    let address = listener.first_line.split_whitespace().nth(2).unwrap().to_owned();
    let (code, value) = json(&["--reach", &address], &[]);
    assert_eq!(code, 0, "{value:#}");
    assert_found(&value, "reach", "good", "on this host; a connection takes");
    assert_found(&value, "reach", "good", "mf doctor --listen is there");
    drop(listener);
    let (code, value) = json(&["--reach", &address], &[]);
    assert_eq!(code, 1, "{value:#}");
    assert_found(&value, "reach", "hinders", "is not reached");
}

#[test]
fn store_check_needs_the_secret() {
    let (secret, url) = ("a secret of a fitting length", format!("tcp://127.0.0.1:{}", free_port()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_mf"));
    command.args(["store", "serve", &url]).env("MF_JOB_SECRET", secret).env_remove("MF_CONFIG_STORE_URL");
    let _store = Running::start(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()));
    let with = |secret, part: &str| {
        let (code, value) = json(&["--reach", &url], &[("MF_JOB_SECRET", secret)]);
        assert_eq!(code, 0, "{value:#}");
        assert_found(&value, "reach", if part.contains("neither") { "warning" } else { "good" }, part);
    };
    with(secret, "a store of this job is there");
    with("another secret of a fitting length", "neither a store that admits this process");
    let environment = [("MF_JOB_SECRET", secret), ("MF_CONFIG_STORE_URL", &url)];
    let (code, value) = json(&["--only", "store"], &environment);
    assert_eq!(code, 0, "{value:#}");
    assert_found(&value, "store", "good", "answers in");
}
