// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Settings: which are set and where, which cannot be used, which names are unknown.

use std::collections::BTreeMap;

use mf_base::settings::{Loaded, Origin, Settings, TABLE, load, parse_file};
use mf_base::{Error, Result};
use mf_bootstrap::StoreUrl;
use mf_net::choice::parse_transports;
use mf_net::decorators::fault::Rule;
use mf_shmem::heap_bytes_of;
use mf_tcp::nic::ListenPatterns;
use mf_tls::TlsFiles;

use super::super::finding::Finding;

/// The variables of a process, or the lines of a file.
type Values = BTreeMap<String, String>;

/// SettingsFacts about settings.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct SettingsFacts {
    /// `NAME = value (where)` of all that are not defaults; secrets are masked.
    pub(in super::super) set: Vec<String>,
    /// Errors of settings that cannot be used; each names the setting, its text and its valid values.
    pub(in super::super) unusable: Vec<String>,
    /// Of unknown and of older names.
    pub(in super::super) warnings: Vec<String>,
    /// Settings for tests and measurements that are in force, with their effect.
    pub(in super::super) for_tests: Vec<(&'static str, &'static str)>,
}

/// Reads environment and file.
pub(in super::super) fn gather() -> SettingsFacts {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    let environment: Values = std::env::vars_os().filter_map(text).collect();
    match file(&environment) {
        Ok(file) => facts(&environment, &file),
        Err(error) => {
            let mut facts = facts(&environment, &Values::new());
            facts.unusable.insert(0, error);
            facts
        }
    }
}

/// The settings file, where one is named.
fn file(environment: &Values) -> Result<Values, String> {
    match environment.get("MF_SETTINGS_FILE").filter(|path| !path.is_empty()) {
        None => Ok(Values::new()),
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| format!("the file of MF_SETTINGS_FILE, {path}, cannot be read: {error}"))?;
            parse_file(&text).map_err(|error| error.to_string())
        }
    }
}

/// The facts of an environment and a file. Pure.
fn facts(environment: &Values, file: &Values) -> SettingsFacts {
    let mut facts = SettingsFacts::default();
    let (mut environment, mut file) = (environment.clone(), file.clone());
    // Alone, so that each of several wrong ones is found.
    for key in TABLE {
        let own = |values: &Values| -> Values {
            let is_own = |name: &String| *name == key.name || key.aliases.contains(&name.as_str());
            values.iter().filter(|(name, _)| is_own(name)).map(|(n, v)| (n.clone(), v.clone())).collect()
        };
        let (ours, filed) = (own(&environment), own(&file));
        if let Err(error) = load(&ours, &filed) {
            facts.unusable.push(error.to_string());
            environment.retain(|name, _| !ours.contains_key(name));
            file.retain(|name, _| !filed.contains_key(name));
        }
    }
    match load(&environment, &file) {
        Ok(loaded) => {
            facts.unusable.extend(refused_later(&loaded.settings));
            facts.for_tests = for_tests(&loaded.settings);
            facts.set = set(&loaded);
            facts.warnings = loaded.warnings;
        }
        Err(error) => facts.unusable.push(error.to_string()),
    }
    facts
}

fn set(loaded: &Loaded) -> Vec<String> {
    let rows = loaded.shown.iter().filter(|row| row.origin != Origin::Default);
    rows.map(|row| format!("{} = {} ({})", row.key.name, row.value, row.origin)).collect()
}

/// Texts that are read when something is made of them; the errors of their readers.
fn refused_later(settings: &Settings) -> Vec<String> {
    type Reader = fn(&str) -> Result<(), Error>;
    let rows: [(&str, &str, Reader); 7] = [
        ("MF_CONFIG_STORE_URL", &settings.store_url, |text| StoreUrl::parse(text).map(drop)),
        ("MF_STORE_TLS_INFO", &settings.store_tls_info, |text| TlsFiles::from_info(text).map(drop)),
        ("MF_NIC", &settings.nic, |text| ListenPatterns::parse(text).map(drop)),
        ("MF_TRANSPORTS", &settings.transports, |text| parse_transports(text).map(drop)),
        ("MF_NET_FAULTS", &settings.net_faults, |text| Rule::parse_list(text).map(drop)),
        ("MF_SHMEM_SYMMETRIC_SIZE", &settings.symmetric_size, |text| heap_bytes_of(text).map(drop)),
        ("MF_SHMEM_SYMMETRIC_MAX", &settings.symmetric_max, |text| heap_bytes_of(text).map(drop)),
    ];
    let wrong = rows.into_iter().filter(|(_, text, _)| !text.is_empty());
    wrong.filter_map(|(name, text, read)| Some(format!("{name}: {}", read(text).err()?))).collect()
}

fn for_tests(settings: &Settings) -> Vec<(&'static str, &'static str)> {
    let rows = [
        (!settings.net_faults.is_empty(), "MF_NET_FAULTS", "harms operations over the network on purpose"),
        (!settings.shared_memory, "MF_SHM", "keeps members of one host from mapping each other's memory"),
        (settings.net_trace, "MF_NET_TRACE", "logs every operation over the network, which takes time"),
    ];
    rows.into_iter().filter(|(is_on, _, _)| *is_on).map(|(_, name, effect)| (name, effect)).collect()
}

/// Findings about settings.
pub(in super::super) fn diagnose(facts: &SettingsFacts) -> Vec<Finding> {
    let mut findings = Vec::new();
    for text in &facts.unusable {
        findings
            .push(Finding::error(text, "correct it, or unset it: the default counts then; docs/settings.md"));
    }
    for text in &facts.warnings {
        findings.push(Finding::warning(text, "correct the name; mf info --settings lists all"));
    }
    for (name, effect) in &facts.for_tests {
        findings.push(Finding::warning(format!("{name} {effect}"), format!("unset {name}")));
    }
    let known = TABLE.len();
    if facts.set.is_empty() {
        findings.push(Finding::ok(format!("all {known} settings have their defaults")));
    } else {
        let text = "settings are set, the others have their defaults (mf info --settings)";
        findings.push(Finding::ok(format!("{} of {known} {text}", facts.set.len())));
        findings.extend(facts.set.iter().map(Finding::ok));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity;
    use super::*;

    fn values(pairs: &[(&str, &str)]) -> Values {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    /// Findings for an environment and a file, without "ok".
    fn found(environment: &[(&str, &str)], file: &[(&str, &str)]) -> Vec<(Severity, String)> {
        let findings = diagnose(&facts(&values(environment), &values(file)));
        let bad = findings.into_iter().filter(|one| one.severity > Severity::Note);
        bad.map(|one| (one.severity, one.text)).collect()
    }

    /// An environment, a file, and the expected findings.
    type Row<'a> = (Pairs<'a>, Pairs<'a>, &'a [(Severity, &'a str)]);
    type Pairs<'a> = &'a [(&'a str, &'a str)];

    #[test]
    fn each_mistake_is_found_and_names_its_setting() {
        use Severity::{Hinders, Warning};
        let table: &[Row<'_>] = &[
            (&[], &[], &[]),
            (&[("MF_LOG_LEVEL", "1")], &[("MF_PREFAULT", "true")], &[]),
            (
                &[("MF_LOG_LEVEL", "x")],
                &[("MF_PREFAULT", "7x")],
                &[(Hinders, "MF_LOG_LEVEL"), (Hinders, "MF_PREFAULT")],
            ),
            (&[("MF_LOG_LEVLE", "1")], &[], &[(Warning, "did you mean MF_LOG_LEVEL?")]),
            (&[("MF_SOCKET_URL", "eth0")], &[], &[(Warning, "use MF_NIC")]),
            (&[("MF_CONFIG_STORE_URL", "tcp://here")], &[], &[(Hinders, "MF_CONFIG_STORE_URL")]),
            (&[("MF_TRANSPORTS", "pigeon")], &[], &[(Hinders, "pigeon")]),
            (&[("MF_NIC", "10.0.0.0/99")], &[], &[(Hinders, "MF_NIC")]),
            (&[("MF_STORE_TLS_INFO", "nonsense")], &[], &[(Hinders, "MF_STORE_TLS_INFO")]),
            (&[("SHMEM_SYMMETRIC_SIZE", "much")], &[], &[(Hinders, "MF_SHMEM_SYMMETRIC_SIZE")]),
            (&[("MF_SHMEM_SYMMETRIC_MAX", "1q")], &[], &[(Hinders, "MF_SHMEM_SYMMETRIC_MAX")]),
            (&[("MF_NET_FAULTS", "burn")], &[], &[(Hinders, "burn"), (Warning, "MF_NET_FAULTS harms")]),
            (
                &[("MF_SHM", "false"), ("MF_NET_TRACE", "true")],
                &[],
                &[(Warning, "MF_SHM"), (Warning, "MF_NET_TRACE")],
            ),
        ];
        for (environment, file, expected) in table {
            let found = found(environment, file);
            assert_eq!(found.len(), expected.len(), "{environment:?} {file:?}: {found:?}");
            for ((severity, text), (wanted, part)) in found.iter().zip(*expected) {
                assert!(
                    severity == wanted && text.contains(part),
                    "{environment:?} {file:?}: {severity:?} {text}"
                );
            }
        }
    }

    #[test]
    fn settings_are_listed_with_their_origin_and_without_secrets() {
        let facts = facts(
            &values(&[("MF_JOB_SECRET", "hunter2"), ("MF_NIC", "eth0")]),
            &values(&[("MF_DEVICE", "none")]),
        );
        let text = format!("{:?}", diagnose(&facts));
        for part in ["MF_NIC = eth0 (environment MF_NIC)", "MF_DEVICE = none (file MF_DEVICE)", "3 of "] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(!text.contains("hunter2"), "{text}");
    }

    #[test]
    fn missing_settings_file_is_named() {
        let named = values(&[("MF_SETTINGS_FILE", "/nowhere/settings")]);
        assert!(file(&named).unwrap_err().contains("/nowhere/settings"));
        assert!(file(&values(&[])).unwrap().is_empty());
    }
}
