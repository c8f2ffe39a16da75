// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The secret of a job as a value that is never printed.

use std::fmt;

use mf_base::os::descriptor;
use mf_base::settings::Settings;
use mf_base::{Error, Result};
use ring::hkdf::{HKDF_SHA256, Salt};
use zeroize::Zeroizing;

const OPERATION: &str = "bootstrap";

/// Longest secret, with what surrounds it in its file.
const MOST_BYTES: u64 = 64 << 10;

/// Secret of a job; members without it are refused. Empty: no secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct JobSecret(Vec<u8>);

impl JobSecret {
    /// A secret that the caller has.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// Reads the secret from the settings: `MF_JOB_SECRET`, else the content of the file
    /// `MF_JOB_SECRET_FILE`.
    ///
    /// # Errors
    /// `InvalidParam` the file cannot be read, is not a regular file, has more than 64 KiB, or is empty.
    pub fn from_settings(settings: &Settings) -> Result<Self> {
        if !settings.job_secret.0.is_empty() {
            return Ok(Self::new(settings.job_secret.0.clone()));
        }
        let path = &settings.job_secret_file;
        if path.is_empty() {
            return Ok(Self::default());
        }
        let unusable = || {
            Error::invalid(OPERATION, "the file with the job secret is not usable")
                .with("MF_JOB_SECRET_FILE", path)
        };
        let secret = descriptor::read_regular(path, MOST_BYTES).map_err(|error| unusable().source(error))?;
        let secret = secret.trim_ascii();
        // An empty file is more likely a mistake than a wish to go without.
        if secret.is_empty() { Err(unusable().hint("the file is empty")) } else { Ok(Self::new(secret)) }
    }

    /// Derives a key for one purpose, by HKDF-SHA256; `None` without a secret. Neither the secret nor the
    /// key of another purpose follows from it.
    pub fn derive_key(&self, purpose: &str) -> Option<Zeroizing<[u8; 32]>> {
        if self.0.is_empty() {
            return None;
        }
        let mut key = Zeroizing::new([0; 32]);
        let pseudorandom = Salt::new(HKDF_SHA256, b"memfabric job secret").extract(&self.0);
        let purpose = [purpose.as_bytes()];
        pseudorandom.expand(&purpose, HKDF_SHA256).and_then(|derived| derived.fill(&mut *key)).ok()?;
        Some(key)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for JobSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "(none)" } else { "(set)" })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mf_base::settings;

    use super::*;

    fn read(path: &str) -> Result<JobSecret> {
        let environment = BTreeMap::from([("MF_JOB_SECRET_FILE".to_owned(), path.to_owned())]);
        JobSecret::from_settings(&settings::load(&environment, &BTreeMap::new())?.settings)
    }

    #[test]
    fn irregular_or_oversized_secret_file_is_refused() {
        let folder = std::env::temp_dir().join(format!("mf-secret-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let fifo = path("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        for (what, file) in [("FIFO", fifo.as_str()), ("device", "/dev/zero"), ("folder", "/")] {
            let error = read(file).unwrap_err();
            assert!(error.to_string().contains("not a regular file"), "{what}: {error}");
        }
        std::fs::write(path("long"), vec![b'x'; 64 << 10]).unwrap();
        assert_eq!(read(&path("long")).unwrap().as_bytes().len(), 64 << 10);
        std::fs::write(path("longer"), vec![b'x'; (64 << 10) + 1]).unwrap();
        assert!(read(&path("longer")).unwrap_err().to_string().contains("more than 65536 bytes"));
        // As a mount of secrets has it.
        std::fs::write(path("secret"), "word\n").unwrap();
        std::os::unix::fs::symlink(path("secret"), path("link")).unwrap();
        assert_eq!(read(&path("link")).unwrap().as_bytes(), b"word");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn derived_keys_differ_by_secret_and_purpose() {
        let key = |secret: &str, purpose| JobSecret::new(secret).derive_key(purpose);
        assert_eq!(key("", "a"), None);
        assert!(key("s", "a").is_some() && key("s", "a") == key("s", "a"));
        assert!(key("s", "a") != key("s", "b") && key("s", "a") != key("t", "a"));
    }

    #[test]
    fn secrets_come_from_setting_or_file() {
        let load = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let loaded = settings::load(&pairs.collect(), &BTreeMap::new()).unwrap();
            JobSecret::from_settings(&loaded.settings)
        };
        let path = std::env::temp_dir().join(format!("mf-test-secret-{}", std::process::id()));
        let file = ("MF_JOB_SECRET_FILE", path.to_str().unwrap());
        assert!(load(&[]).unwrap().as_bytes().is_empty());
        assert_eq!(load(&[("MF_JOB_SECRET", "s")]).unwrap().as_bytes(), b"s");
        assert!(load(&[file]).unwrap_err().to_string().contains("mf-test-secret"));
        std::fs::write(&path, " \n").unwrap();
        assert!(load(&[file]).unwrap_err().to_string().contains("empty"));
        std::fs::write(&path, "t\n").unwrap();
        assert_eq!(load(&[file]).unwrap().as_bytes(), b"t");
        assert_eq!(load(&[file, ("MF_JOB_SECRET", "s")]).unwrap().as_bytes(), b"s");
        std::fs::remove_file(&path).unwrap();
    }
}
