// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The secret of the job: its origin, its readers, and whether the store can run without it.

use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

use mf_base::settings::Settings;
use mf_bootstrap::StoreUrl;
use mf_tls::{Access, JobSecret};

use super::super::finding::Finding;

/// The secret, without its text.
#[derive(Clone, Debug)]
pub(in super::super) struct SecretFacts {
    /// Its length (0: no secret), or the reason why it cannot be read.
    pub(in super::super) bytes: Result<usize, String>,
    /// The file that holds it, where one is named.
    pub(in super::super) file: Option<SecretFile>,
    /// True if `MF_JOB_SECRET` is set, which takes precedence over the file.
    pub(in super::super) is_set: bool,
    /// Why the store of the settings cannot be used with what there is; none: it can.
    pub(in super::super) refusal: Option<String>,
}

/// The file of a secret.
#[derive(Clone, Debug)]
pub(in super::super) struct SecretFile {
    pub(in super::super) path: String,
    /// Its rights; none: it cannot be examined.
    pub(in super::super) mode: Option<u32>,
    /// True if it belongs to this user, or to root.
    pub(in super::super) is_own: bool,
    /// Age of the file.
    pub(in super::super) age: Option<Duration>,
}

/// Examines the file, and asks the store's own policy.
pub(in super::super) fn gather(settings: &Settings) -> SecretFacts {
    let path = settings.job_secret_file.clone();
    let file = (!path.is_empty()).then(|| {
        let facts = std::fs::metadata(&path).ok();
        let own = rustix::process::geteuid().as_raw();
        SecretFile {
            mode: facts.as_ref().map(|facts| facts.mode() & 0o777),
            is_own: facts.as_ref().is_none_or(|facts| facts.uid() == own || facts.uid() == 0),
            age: facts.and_then(|facts| SystemTime::now().duration_since(facts.modified().ok()?).ok()),
            path,
        }
    });
    let secret = JobSecret::from_settings(settings);
    // Errors of the secret or of certificates are reported by their own checks.
    let refusal = secret.is_ok().then(|| refusal(settings)).flatten();
    SecretFacts {
        bytes: secret.map(|secret| secret.as_bytes().len()).map_err(|error| error.to_string()),
        file,
        is_set: !settings.job_secret.0.is_empty(),
        refusal,
    }
}

fn refusal(settings: &Settings) -> Option<String> {
    let addresses = StoreUrl::parse(&settings.store_url).ok()?.connect_addresses();
    let security = Access::default().security().ok()?;
    addresses
        .iter()
        .find_map(|address| security.must_encrypt(address.ip()).err())
        .map(|error| error.to_string())
}

/// Shorter ones can be guessed.
const LEAST_BYTES: usize = 16;
/// Older ones have been given to many.
const OLD: Duration = Duration::from_secs(365 * 86_400);

/// Findings about the secret.
pub(in super::super) fn diagnose(facts: &SecretFacts) -> Vec<Finding> {
    let mut findings = Vec::new();
    let make = |path: &str| {
        format!("head -c 32 /dev/urandom | base64 > {path}; chmod 600 {path}; then to all hosts")
    };
    let path = facts.file.as_ref().map_or("secret", |file| &file.path);
    match &facts.bytes {
        Err(reason) => findings.push(Finding::error(reason, make(path))),
        Ok(0) => {}
        Ok(bytes) if *bytes < LEAST_BYTES => findings.push(Finding::warning(
            format!("the secret has {bytes} bytes: a false store could guess it"),
            "export MF_JOB_SECRET=$(openssl rand -hex 32), the same on all hosts",
        )),
        Ok(bytes) => findings.push(Finding::ok(match (&facts.file, facts.is_set) {
            (Some(file), false) => {
                format!("a secret of {bytes} bytes is in {}{}", file.path, age_text(file.age))
            }
            _ => format!("a secret of {bytes} bytes is in MF_JOB_SECRET"),
        })),
    }
    if let Some(file) = &facts.file {
        findings.extend(of_file(file, facts.is_set));
    }
    if let Some(refusal) = &facts.refusal {
        findings.push(Finding::error(
            refusal,
            "export MF_JOB_SECRET=$(openssl rand -hex 32), the same on all hosts; or certificates: mf certs init",
        ));
    } else if facts.bytes == Ok(0) {
        findings.push(Finding::ok(
            "no secret: the job is for processes of this user on this host, or by certificates",
        ));
    }
    findings
}

fn age_text(age: Option<Duration>) -> String {
    age.map_or_else(String::new, |age| format!(", written {} days ago", age.as_secs() / 86_400))
}

fn of_file(file: &SecretFile, is_set: bool) -> Vec<Finding> {
    let path = &file.path;
    let mut findings = Vec::new();
    if is_set {
        findings.push(
            Finding::note(format!("MF_JOB_SECRET is set as well: {path} is not read"))
                .remedy("unset one of the two"),
        );
    }
    if let Some(mode) = file.mode.filter(|mode| mode & 0o077 != 0) {
        findings.push(Finding::warning(
            format!("other users may read or change {path} (mode {mode:03o})"),
            format!("chmod 600 {path}; where others could read it, make a new secret"),
        ));
    }
    if !file.is_own {
        findings.push(Finding::warning(
            format!("{path} belongs to another user, which may change it"),
            format!("chown $(id -u) {path}"),
        ));
    }
    if let Some(age) = file.age.filter(|age| *age > OLD) {
        findings.push(
            Finding::note(format!("the secret in {path} is {} days old", age.as_secs() / 86_400))
                .remedy("make a new one for the next job"),
        );
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Hinders, Note, Warning};
    use super::super::super::finding::severities;
    use super::*;

    fn file(mode: u32, is_own: bool, days: u64) -> Option<SecretFile> {
        let age = Some(Duration::from_secs(days * 86_400));
        Some(SecretFile { path: "/s".to_owned(), mode: Some(mode), is_own, age })
    }

    #[test]
    fn secrets_are_rated_by_length_permissions_and_age() {
        let facts = |bytes, file, is_set| SecretFacts { bytes, file, is_set, refusal: None };
        let table: [(SecretFacts, &[Severity], &str); 10] = [
            (facts(Ok(0), None, false), &[Good], "no secret"),
            (facts(Ok(44), None, true), &[Good], "MF_JOB_SECRET"),
            (facts(Ok(44), file(0o600, true, 3), false), &[Good], "written 3 days ago"),
            (facts(Ok(7), None, true), &[Warning], "7 bytes"),
            (facts(Ok(44), file(0o644, true, 0), false), &[Good, Warning], "mode 644"),
            (facts(Ok(44), file(0o600, false, 0), false), &[Good, Warning], "another user"),
            (facts(Ok(44), file(0o600, true, 400), false), &[Good, Note], "400 days old"),
            (facts(Ok(44), file(0o600, true, 0), true), &[Good, Note], "is not read"),
            (facts(Err("the file is empty".to_owned()), file(0o600, true, 0), false), &[Hinders], "is empty"),
            (
                SecretFacts { refusal: Some("leaves the host".to_owned()), ..facts(Ok(0), None, false) },
                &[Hinders],
                "leaves",
            ),
        ];
        for (facts, expected, part) in table {
            let findings = diagnose(&facts);
            assert_eq!(severities(&findings), expected, "{facts:?}: {findings:?}");
            assert!(findings.iter().any(|one| one.text.contains(part)), "{findings:?}");
        }
    }
}
