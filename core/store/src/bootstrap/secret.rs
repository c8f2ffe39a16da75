// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The secret of a job as a value that is never printed.

use std::fmt;

use mf_base::settings::Settings;
use mf_base::{Error, Result};

use super::OPERATION;

/// Secret of a job; members without it are refused. Empty: there is none.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct JobSecret(Vec<u8>);

impl JobSecret {
    /// A secret that the caller has.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// The secret that the settings give: `MF_JOB_SECRET`, else what the file `MF_JOB_SECRET_FILE` holds.
    ///
    /// # Errors
    /// `InvalidParam` the file cannot be read, or is empty.
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
        let secret = std::fs::read(path).map_err(|error| unusable().source(error))?;
        let secret = secret.trim_ascii();
        // An empty file is more likely a mistake than a wish to go without.
        if secret.is_empty() { Err(unusable().hint("the file is empty")) } else { Ok(Self::new(secret)) }
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
