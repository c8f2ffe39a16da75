// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Access to a store: the one type for what a process proves itself with. Configurations of every kind
//! hold it; [`Security`] is made of it.

use std::sync::Arc;

use mf_base::Result;
use mf_base::settings::{Switch, settings};

use crate::process_config::{encrypted, policy_for};
use crate::{JobSecret, Security, TlsFiles};

/// What a store and its clients prove themselves with, and whether they encrypt; all that meet must use the
/// same. The default leaves everything to the settings. Which users of this host are admitted where there is
/// neither secret nor certificate, the setting `MF_ALLOW_USERS` says for all stores.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The secret; none: that of the settings.
    pub secret: Option<JobSecret>,
    /// Certificates; none: those of the settings and of [`configure`](crate::configure).
    pub certificates: Option<TlsFiles>,
    /// Plaintext by explicit choice, whatever else is set.
    pub plaintext: bool,
    /// Who chose plaintext says in the log what follows from it; the store does not say it again.
    pub is_explained: bool,
    /// Name of the job; a store and members that have different names refuse each other. Empty: that of the
    /// settings, and of a meeting point: any.
    pub job: String,
}

impl Access {
    /// By this secret, all else by the settings.
    pub fn by_secret(secret: JobSecret) -> Self {
        Self { secret: Some(secret), ..Self::default() }
    }

    /// Policy and identity of a new store or client: by the choice here, else by calls and settings. Reads
    /// the files that are named.
    ///
    /// # Errors
    /// As [`Security::new`], and `InvalidParam` when settings are not usable.
    pub fn security(&self) -> Result<Arc<Security>> {
        let settings = settings()?;
        let secret = match &self.secret {
            Some(secret) => secret.clone(),
            None => JobSecret::from_settings(settings)?,
        };
        let (mode, files) = match self.plaintext {
            true => (Switch::Off, None),
            false => policy_for(settings, self.certificates.clone())?,
        };
        let mode = if settings.require_tls { encrypted(mode)? } else { mode };
        let security = Security::new(mode, secret.as_bytes().to_vec(), files)?;
        Ok(if self.is_explained { security.explained() } else { security })
    }

    /// Name of the job, of the settings where there is none here.
    pub fn job(&self) -> Result<String> {
        Ok(if self.job.is_empty() { settings()?.job_id.clone() } else { self.job.clone() })
    }
}
