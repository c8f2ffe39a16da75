// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Access to a store: the one type for the credentials of a process. Configurations of every kind hold it;
//! [`Security`] is made of it.

use std::sync::Arc;

use mf_base::Result;
use mf_base::settings::{Switch, settings};

use crate::process_config::{encrypted, policy_for};
use crate::{JobSecret, Security, TlsFiles};

/// Credentials of a store and its clients, and their choice of encryption; both ends must use the same. The
/// default leaves everything to the settings. Without a secret and without certificates, the setting
/// `MF_ALLOW_USERS` names the users of this host that all stores admit.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The secret. `None`: the secret of the settings.
    pub secret: Option<JobSecret>,
    /// Certificates. `None`: the certificates of the settings and of [`configure`](crate::configure).
    pub certificates: Option<TlsFiles>,
    /// Plaintext by explicit choice; overrides all other settings.
    pub plaintext: bool,
    /// The caller that chose plaintext logs the consequences itself; the store does not log them again.
    pub is_explained: bool,
    /// Name of the job; a store and members with different names refuse each other. Empty: the name in the
    /// settings; at a meeting point: any name.
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

    /// Name of the job; falls back to the settings if it is empty here.
    pub fn job(&self) -> Result<String> {
        Ok(if self.job.is_empty() { settings()?.job_id.clone() } else { self.job.clone() })
    }
}
