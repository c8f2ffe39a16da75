// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The certificates of this process: validity, remaining time, and access rights of its key.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use mf_base::settings::Settings;
use mf_tls::Access;
use mf_tls::{CertificateFacts, FileRole, Inspected, TlsFiles, check_ahead, date, expiry, inspect};

use super::super::finding::{Finding, Severity};

/// The files, and the moment.
#[derive(Clone, Debug)]
pub(in super::super) struct CertificatesFacts {
    pub(in super::super) now: SystemTime,
    /// Time before a certificate's end from which to warn.
    pub(in super::super) ahead: Duration,
    /// None: no certificates are named.
    pub(in super::super) files: Vec<File>,
    /// Why the store would not take them, which it decides by all together: a key of another certificate,
    /// say; none: it would.
    pub(in super::super) refusal: Option<String>,
}

/// One of them.
#[derive(Clone, Debug)]
pub(in super::super) struct File {
    pub(in super::super) role: FileRole,
    pub(in super::super) path: String,
    /// Its rights; none: it is not there.
    pub(in super::super) mode: Option<u32>,
    /// Contents (nothing of keys and passwords), or the reason why it cannot be read.
    pub(in super::super) found: Result<Inspected, String>,
}

/// Reads the files that `MF_STORE_TLS_INFO` names.
pub(in super::super) fn gather(settings: &Settings) -> CertificatesFacts {
    let mut facts =
        CertificatesFacts { now: SystemTime::now(), ahead: check_ahead(), files: Vec::new(), refusal: None };
    if settings.store_tls_info.is_empty() {
        return facts;
    }
    match TlsFiles::from_info(&settings.store_tls_info) {
        Ok(files) => {
            facts.files = files.named().into_iter().map(|(role, path)| file(role, &path)).collect();
            facts.refusal = Access::default().security().err().map(|error| error.to_string());
        }
        Err(error) => facts.refusal = Some(error.to_string()),
    }
    facts
}

fn file(role: FileRole, path: &Path) -> File {
    let read = || -> Result<Inspected, String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        match role {
            FileRole::Key | FileRole::Password => Ok(Inspected::default()),
            _ => inspect(&bytes).map_err(|error| error.to_string()),
        }
    };
    let mode = std::fs::metadata(path).ok().map(|facts| facts.mode() & 0o777);
    File { role, path: path.display().to_string(), mode, found: read() }
}

const RENEW: &str =
    "mf certs rotate DIR NAME (DIR --ca for a CA) where the CA is; or set the clock of this host";

/// Findings about certificates.
pub(in super::super) fn diagnose(facts: &CertificatesFacts) -> Vec<Finding> {
    if facts.files.is_empty() && facts.refusal.is_none() {
        return vec![Finding::ok(
            "no certificates are named (MF_STORE_TLS_INFO): the secret of the job proves members",
        )];
    }
    let mut findings: Vec<Finding> = facts.files.iter().flat_map(|file| of_file(file, facts)).collect();
    let hinders = |findings: &[Finding]| findings.iter().any(|one| one.severity == Severity::Hinders);
    // It names the first fault of the files only, which may be found already.
    if let Some(refusal) = facts.refusal.as_ref().filter(|_| !hinders(&findings)) {
        findings
            .push(Finding::error(refusal, "correct MF_STORE_TLS_INFO, or make new files: mf certs issue"));
    }
    if findings.is_empty() {
        let own = facts.files.iter().filter(|file| file.role == FileRole::Chain);
        let ends = own
            .filter_map(|file| file.found.as_ref().ok()?.certificates.first())
            .map(|one| one.not_after)
            .min();
        let until = ends.map_or_else(String::new, |end| format!(", valid until {}", date(end)));
        findings.push(Finding::ok(format!("certificate, key and CA fit together{until}")));
    }
    findings
}

fn of_file(file: &File, facts: &CertificatesFacts) -> Vec<Finding> {
    let path = &file.path;
    let mut findings = Vec::new();
    let is_secret = matches!(file.role, FileRole::Key | FileRole::Password);
    match file.mode {
        Some(mode) if is_secret && mode & 0o077 != 0 => findings.push(Finding::warning(
            format!("other users may read or change {path} (mode {mode:03o})"),
            format!("chmod 600 {path}; where others could read the key, make a new one: mf certs rotate"),
        )),
        Some(mode) if mode & 0o022 != 0 => findings.push(Finding::warning(
            format!(
                "other users may change {path} (mode {mode:03o}), and with it whom this process believes"
            ),
            format!("chmod go-w {path}"),
        )),
        _ => {}
    }
    let found = match &file.found {
        Ok(found) => found,
        Err(reason) => {
            findings.push(Finding::error(
                format!("{path} cannot be used: {reason}"),
                "correct MF_STORE_TLS_INFO, or bring the file here: mf certs issue makes it",
            ));
            return findings;
        }
    };
    findings.extend(found.certificates.iter().filter_map(|one| of_certificate(one, path, facts)));
    for list in &found.revocations {
        let due = list.next_update.and_then(|due| expiry(facts.now, due, Duration::ZERO));
        if due.is_some_and(|due| due.left.is_none()) {
            findings.push(Finding::error(
                format!("the revocation list in {path} was due for renewal: members refuse to start with it"),
                "get the current crl.pem from the CA; mf certs revoke and rotate make new ones",
            ));
        }
        let own = facts.files.iter().filter(|file| file.role == FileRole::Chain);
        let certificates =
            own.filter_map(|file| file.found.as_ref().ok()).flat_map(|found| &found.certificates);
        let is_revoked = |one: &&CertificateFacts| {
            one.issuer == list.issuer && list.revoked.iter().any(|entry| entry.serial == one.serial)
        };
        findings.extend(certificates.filter(is_revoked).map(|one| {
            Finding::error(format!("the certificate {} is revoked by {path}", one.subject), RENEW)
        }));
    }
    findings
}

fn of_certificate(one: &CertificateFacts, path: &str, facts: &CertificatesFacts) -> Option<Finding> {
    let (subject, now) = (&one.subject, facts.now);
    if one.not_before > now {
        let text = format!(
            "{subject} in {path} is not valid before {}; this host's clock shows {}",
            date(one.not_before),
            date(now)
        );
        return Some(Finding::error(text, "set the clock of this host, or that of the host that made it"));
    }
    let warning = expiry(now, one.not_after, facts.ahead)?;
    let text = format!("{subject} in {path} {warning}");
    Some(if warning.left.is_none() { Finding::error(text, RENEW) } else { Finding::warning(text, RENEW) })
}

#[cfg(test)]
mod tests {
    use mf_tls::{KeyKind, RevocationFacts, Revoked};

    use super::super::super::finding::Severity::{Good, Hinders, Warning};
    use super::super::super::finding::severities;
    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    fn now() -> SystemTime {
        SystemTime::UNIX_EPOCH + DAY * 20_000
    }

    fn certificate(from: SystemTime, until: SystemTime) -> CertificateFacts {
        CertificateFacts {
            subject: "CN=node1".to_owned(),
            issuer: "CN=ca".to_owned(),
            serial: "07".to_owned(),
            names: Vec::new(),
            not_before: from,
            not_after: until,
            key: KeyKind::Ed25519,
            public_key: String::new(),
            authority: false,
            fingerprint: String::new(),
        }
    }

    fn with(role: FileRole, mode: u32, certificates: Vec<CertificateFacts>) -> File {
        let found = Ok(Inspected { certificates, ..Inspected::default() });
        File { role, path: "/c/file".to_owned(), mode: Some(mode), found }
    }

    fn list(serial: &str, due: SystemTime) -> File {
        let revoked = vec![Revoked { serial: serial.to_owned(), at: now() }];
        let list = RevocationFacts {
            issuer: "CN=ca".to_owned(),
            this_update: now() - DAY,
            next_update: Some(due),
            revoked,
        };
        let found = Ok(Inspected { revocations: vec![list], ..Inspected::default() });
        File { found, ..with(FileRole::Revocations, 0o644, Vec::new()) }
    }

    type Row<'a> = (Vec<File>, Option<&'a str>, &'a [Severity], &'a str);

    #[test]
    fn certificates_are_rated_by_validity_permissions_and_crls() {
        let good = || with(FileRole::Chain, 0o644, vec![certificate(now() - DAY, now() + DAY * 100)]);
        let until = |end| with(FileRole::Chain, 0o644, vec![certificate(now() - DAY * 9, end)]);
        let from = |begin| with(FileRole::Chain, 0o644, vec![certificate(begin, now() + DAY * 99)]);
        let lost = || File { mode: None, found: Err("No such file".to_owned()), ..good() };
        let refused = Some("the private key does not fit the certificate");
        let table: [Row<'_>; 13] = [
            (vec![], None, &[Good], "no certificates"),
            (vec![good()], None, &[Good], "valid until 20"),
            (vec![until(now() - DAY)], Some("expired"), &[Hinders], "expired on"),
            (vec![until(now() + DAY * 3)], None, &[Warning], "expires in 3 days"),
            (vec![from(now() + DAY)], None, &[Hinders], "not valid before"),
            (vec![good()], refused, &[Hinders], "does not fit"),
            (vec![good(), with(FileRole::Key, 0o640, vec![])], None, &[Warning], "mode 640"),
            (vec![good(), with(FileRole::Key, 0o600, vec![])], None, &[Good], "fit together"),
            (vec![with(FileRole::Authority, 0o666, vec![])], None, &[Warning], "believes"),
            (vec![lost()], Some("cannot be opened"), &[Hinders], "No such file"),
            (vec![good(), list("08", now() + DAY)], None, &[Good], "fit together"),
            (vec![good(), list("07", now() + DAY)], None, &[Hinders], "is revoked"),
            (vec![good(), list("08", now() - DAY)], None, &[Hinders], "due for renewal"),
        ];
        for (files, refusal, expected, part) in table {
            let facts =
                CertificatesFacts { now: now(), ahead: DAY * 30, files, refusal: refusal.map(str::to_owned) };
            let findings = diagnose(&facts);
            assert_eq!(severities(&findings), expected, "{facts:?}: {findings:?}");
            assert!(findings[0].text.contains(part), "{findings:?}");
        }
    }
}
