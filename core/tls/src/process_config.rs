// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The program's configuration of TLS before it makes its stores: the C interface calls this.
//!
//! Calls win over settings: `configure(false, …)` is the explicit choice of plaintext, `configure(true,
//! …)` demands TLS with the given certificates. Without such a call `MF_STORE_TLS`, the job secret and
//! `MF_STORE_TLS_INFO` decide. Existing stores keep their configuration.

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use mf_base::settings::{Settings, Switch, settings};
use mf_base::sync::lock;
use mf_base::{Error, Result};
use zeroize::Zeroizing;

use crate::files::{Decrypt, TlsFiles};
use crate::load;

/// The configuration by calls.
#[derive(Clone, Default)]
struct Configuration {
    /// TLS on or off; `None` if not configured.
    enable: Option<bool>,
    files: Option<TlsFiles>,
    /// The private key, PEM text; empty: the key in the files.
    key: Zeroizing<Vec<u8>>,
    /// The password of the key; empty: the password in the files.
    password: Zeroizing<Vec<u8>>,
    decrypt: Option<Decrypt>,
}

impl Configuration {
    /// The mode and the files for a store, with `own` files of that store where it has some.
    fn resolve(&self, settings: &Settings, own: Option<TlsFiles>) -> Result<(Switch, Option<TlsFiles>)> {
        let mode = match (&own, self.enable) {
            (Some(_), _) | (None, Some(true)) => Switch::On,
            (None, Some(false)) => Switch::Off,
            (None, None) => settings.store_tls,
        };
        if mode == Switch::Off {
            return Ok((mode, None));
        }
        let files = match (own, &self.files) {
            (Some(own), _) => Some(own),
            (None, Some(files)) => Some(files.clone()),
            (None, None) if self.enable.is_none() && !settings.store_tls_info.is_empty() => {
                Some(TlsFiles::from_info(&settings.store_tls_info)?)
            }
            (None, None) => None,
        };
        Ok((mode, files.map(|files| self.with_key(files).verify_name(settings.tls_verify_name))))
    }

    fn with_key(&self, mut files: TlsFiles) -> TlsFiles {
        if !self.key.is_empty() {
            files = files.key(self.key.to_vec());
        }
        if !self.password.is_empty() {
            files = files.password(self.password.to_vec());
        }
        match &self.decrypt {
            Some(decrypt) => files.decrypt(Arc::clone(decrypt)),
            None => files,
        }
    }
}

static CONFIGURATION: Mutex<Option<Configuration>> = Mutex::new(None);

/// Sets whether stores made from now on use TLS, and with which certificates. The private key may be missing
/// in `files`; [`configure_key`] gives it then, before or after.
///
/// # Errors
/// `InvalidParam` names the file and its fault · plaintext, which `MF_REQUIRE_TLS` forbids.
/// Nothing is changed then.
pub fn configure(enable: bool, files: Option<TlsFiles>) -> Result<()> {
    if !enable && settings()?.require_tls {
        encrypted(Switch::Off)?;
    }
    if let Some(files) = files.as_ref().filter(|_| enable) {
        // A key that was given before is checked with the rest; one that is given later, when a store is
        // made.
        let known =
            lock(&CONFIGURATION).clone().filter(|known| !known.key.is_empty() || known.decrypt.is_some());
        match known {
            Some(known) => load::load(&known.with_key(files.clone()), SystemTime::now()).map(drop)?,
            None => load::check(files, SystemTime::now())?,
        }
    }
    let mut configuration = lock(&CONFIGURATION);
    let configuration = configuration.get_or_insert_default();
    configuration.enable = Some(enable);
    configuration.files = files.filter(|_| enable);
    Ok(())
}

/// Gives the private key (PEM text) and its password to the certificates of stores made from now on, in place
/// of the key and the password in the files. Empty: the files' own. `decrypt` makes the password of its text.
pub fn configure_key(key: Vec<u8>, password: Vec<u8>, decrypt: Option<Decrypt>) {
    let mut configuration = lock(&CONFIGURATION);
    let configuration = configuration.get_or_insert_default();
    configuration.key = Zeroizing::new(key);
    configuration.password = Zeroizing::new(password);
    configuration.decrypt = decrypt;
}

/// Drops the configuration: settings decide again.
pub fn reset() {
    *lock(&CONFIGURATION) = None;
}

/// The mode where `MF_REQUIRE_TLS` is set.
///
/// # Errors
/// `InvalidParam` plaintext was chosen.
pub(crate) fn encrypted(mode: Switch) -> Result<Switch> {
    match mode {
        Switch::Off => Err(Error::invalid("TLS", "plaintext was chosen, and MF_REQUIRE_TLS forbids it")
            .hint("leave the choice to the settings, and give the job a secret (MF_JOB_SECRET) or certificates (MF_STORE_TLS_INFO)")),
        Switch::Auto | Switch::On => Ok(Switch::On),
    }
}

/// The mode and the files of a new store or client by calls and `settings`. `own` are certificates that were
/// given for this one store; they win over everything.
///
/// # Errors
/// `InvalidParam` the certificates that the settings name are described wrongly.
pub(crate) fn policy_for(settings: &Settings, own: Option<TlsFiles>) -> Result<(Switch, Option<TlsFiles>)> {
    let configuration = lock(&CONFIGURATION).clone().unwrap_or_default();
    configuration.resolve(settings, own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn settings(pairs: &[(&str, &str)]) -> Settings {
        let pairs: BTreeMap<_, _> = pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        mf_base::settings::load(&pairs, &BTreeMap::new()).unwrap().settings
    }

    const INFO: &str = "tlsCaPath:/a;tlsCaFile:x;tlsCert:/c;tlsPk:/k";

    #[test]
    fn calls_override_settings_and_own_files_override_calls() {
        let silent = Configuration::default();
        let on = Configuration { enable: Some(true), ..Configuration::default() };
        let off = Configuration { enable: Some(false), ..Configuration::default() };
        let (none, set_off) = (settings(&[]), settings(&[("MF_STORE_TLS", "off")]));
        let own = || Some(TlsFiles::from_info(INFO).unwrap());
        let mode = |configuration: &Configuration, settings: &Settings, own| {
            configuration.resolve(settings, own).unwrap().0
        };
        assert_eq!(mode(&silent, &none, None), Switch::Auto);
        assert_eq!(mode(&silent, &set_off, None), Switch::Off);
        assert_eq!(mode(&on, &set_off, None), Switch::On);
        assert_eq!(mode(&off, &none, None), Switch::Off);
        assert_eq!(mode(&off, &set_off, own()), Switch::On);
    }

    #[test]
    fn required_encryption_refuses_plaintext() {
        assert_eq!(encrypted(Switch::Auto).unwrap(), Switch::On);
        assert_eq!(encrypted(Switch::On).unwrap(), Switch::On);
        assert!(encrypted(Switch::Off).unwrap_err().to_string().contains("MF_REQUIRE_TLS"));
    }

    #[test]
    fn certificates_may_come_from_the_settings() {
        let set = settings(&[("MF_STORE_TLS_INFO", INFO), ("MF_TLS_VERIFY_NAME", "false")]);
        let (mode, files) = Configuration::default().resolve(&set, None).unwrap();
        assert_eq!(mode, Switch::Auto);
        assert!(!files.unwrap().verify_name);
        let configuration = Configuration { enable: Some(true), ..Configuration::default() };
        assert!(configuration.resolve(&set, None).unwrap().1.is_none(), "an explicit call decides");
        let set = settings(&[("MF_STORE_TLS_INFO", "nonsense")]);
        assert!(Configuration::default().resolve(&set, None).unwrap_err().to_string().contains("nonsense"));
    }

    #[test]
    fn key_in_memory_replaces_the_key_file() {
        let configuration = Configuration {
            enable: Some(true),
            files: Some(TlsFiles::from_info(INFO).unwrap()),
            key: Zeroizing::new(b"pem".to_vec()),
            password: Zeroizing::new(b"word".to_vec()),
            ..Configuration::default()
        };
        let files = configuration.resolve(&settings(&[]), None).unwrap().1.unwrap();
        assert_eq!(files.key.unwrap().to_string(), "key in memory");
        assert_eq!(files.password.unwrap().to_string(), "password in memory");
    }
}
