// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf certs show`: contents and validity of certificates and revocation lists.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mf_base::{Error, Kind, Result};
use mf_program::output::print;
use mf_tls::{CertificateFacts, Inspected, check_ahead, date, expiry, inspect};
use serde_json::{Value, json};

use super::OPERATION;

/// Show certificates and revocation lists: names, validity, keys, and warnings.
///
/// Takes certificates of any origin. Exit code 1: something has expired or is revoked.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf certs show /secure/job1
  mf certs show node1.pem --json")]
pub(super) struct Args {
    /// A PEM file, or a folder of *.pem files.
    path: PathBuf,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

/// A file and its contents.
struct Shown {
    file: PathBuf,
    found: Inspected,
}

/// Prints the contents.
pub(super) fn main(args: &Args) -> Result<u8> {
    let files = read(&args.path)?;
    let now = SystemTime::now();
    let revoked: Vec<(&str, &str)> = files
        .iter()
        .flat_map(|file| &file.found.revocations)
        .flat_map(|list| list.revoked.iter().map(|entry| (list.issuer.as_str(), entry.serial.as_str())))
        .collect();
    let state = |facts: &CertificateFacts| state(facts, now, &revoked);
    let bad = files.iter().flat_map(|file| &file.found.certificates).any(|facts| state(facts).is_bad);
    if args.json {
        let rows: Vec<Value> = files.iter().map(|file| as_json(file, now, &state)).collect();
        print(&format!("{:#}\n", Value::Array(rows)))?;
    } else {
        let mut text = String::new();
        for file in &files {
            as_text(&mut text, file, now, &state);
        }
        print(&text)?;
    }
    Ok(u8::from(bad))
}

/// A certificate's validity and its problems.
struct CertificateStatus {
    warning: Option<String>,
    is_bad: bool,
}

fn state(facts: &CertificateFacts, now: SystemTime, revoked: &[(&str, &str)]) -> CertificateStatus {
    if revoked.contains(&(facts.issuer.as_str(), facts.serial.as_str())) {
        return CertificateStatus { warning: Some("revoked".to_owned()), is_bad: true };
    }
    if facts.not_before > now {
        return CertificateStatus {
            warning: Some(format!("not valid before {}", date(facts.not_before))),
            is_bad: false,
        };
    }
    match expiry(now, facts.not_after, check_ahead()) {
        Some(warning) => {
            CertificateStatus { warning: Some(warning.to_string()), is_bad: warning.left.is_none() }
        }
        None => CertificateStatus { warning: None, is_bad: false },
    }
}

fn read(path: &Path) -> Result<Vec<Shown>> {
    let unreadable = |path: &Path, error: std::io::Error| {
        Error::new(Kind::NotExist, OPERATION)
            .what("this cannot be read")
            .with("path", path.display())
            .source(error)
    };
    let mut paths = vec![path.to_owned()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|error| unreadable(path, error))?;
        paths = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|end| end == "pem"));
        paths.sort();
    }
    let mut files = Vec::new();
    for file in paths {
        let text = std::fs::read(&file).map_err(|error| unreadable(&file, error))?;
        let found = inspect(&text).map_err(|error| error.with("file", file.display()))?;
        files.push(Shown { file, found });
    }
    if files.iter().all(|file| file.found.certificates.is_empty() && file.found.revocations.is_empty()) {
        return Err(Error::new(Kind::NotExist, OPERATION)
            .what("no certificate and no revocation list")
            .with("path", path.display())
            .hint("they are PEM text, -----BEGIN CERTIFICATE-----"));
    }
    Ok(files)
}

/// Whole days between two moments; negative when `to` is over.
fn days_left(now: SystemTime, to: SystemTime) -> i64 {
    const DAY: u64 = 24 * 60 * 60;
    let days = |duration: std::time::Duration| i64::try_from(duration.as_secs() / DAY).unwrap_or(i64::MAX);
    match to.duration_since(now) {
        Ok(left) => days(left),
        Err(over) => -days(over.duration()) - 1,
    }
}

fn as_json(file: &Shown, now: SystemTime, state: &dyn Fn(&CertificateFacts) -> CertificateStatus) -> Value {
    let certificates = file.found.certificates.iter().map(|facts| {
        json!({
            "subject": facts.subject, "issuer": facts.issuer, "serial": facts.serial, "names": facts.names,
            "not_before": date(facts.not_before), "not_after": date(facts.not_after),
            "days_left": days_left(now, facts.not_after), "key": facts.key.to_string(), "ca": facts.authority,
            "sha256": facts.fingerprint, "warning": state(facts).warning,
        })
    });
    let revocations = file.found.revocations.iter().map(|list| {
        let revoked =
            list.revoked.iter().map(|entry| json!({ "serial": entry.serial, "at": date(entry.at) }));
        json!({
            "issuer": list.issuer, "this_update": date(list.this_update),
            "next_update": list.next_update.map(date), "revoked": revoked.collect::<Vec<_>>(),
        })
    });
    json!({
        "file": file.file.display().to_string(),
        "certificates": certificates.collect::<Vec<_>>(),
        "revocation_lists": revocations.collect::<Vec<_>>(),
    })
}

fn as_text(
    text: &mut String,
    file: &Shown,
    now: SystemTime,
    state: &dyn Fn(&CertificateFacts) -> CertificateStatus,
) {
    let mut line = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {name:<9} {value}");
    };
    for facts in &file.found.certificates {
        let kind = if facts.authority { "CA" } else { "member" };
        line(kind, &format!("{} ({})", facts.subject, file.file.display()));
        if !facts.authority {
            line("signed by", &facts.issuer);
            line("names", &if facts.names.is_empty() { "none".to_owned() } else { facts.names.join(", ") });
        }
        let left = days_left(now, facts.not_after);
        line("valid", &format!("{} to {}, {left} days left", date(facts.not_before), date(facts.not_after)));
        line("key", &facts.key.to_string());
        line("serial", &facts.serial);
        line("sha256", &facts.fingerprint);
        if let Some(warning) = state(facts).warning {
            line("WARNING", &warning);
        }
        line("", "");
    }
    for list in &file.found.revocations {
        let due = list.next_update.map_or_else(|| "never".to_owned(), date);
        line("revoked", &format!("{} of {} ({})", list.revoked.len(), list.issuer, file.file.display()));
        line("made", &format!("{}, due again {due}", date(list.this_update)));
        for entry in &list.revoked {
            line("", &format!("{} since {}", entry.serial, date(entry.at)));
        }
        line("", "");
    }
}
