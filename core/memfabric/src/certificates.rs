// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Certificates of a process.

use mf_tls::{ConfigPaths, TlsFiles};

use crate::Result;
use crate::error::Wrap;

/// Certificates, private key and revocation lists of this process. `mf certs` makes a set.
///
/// Files are read when a job, an endpoint or a server begins with them, and again when they change. `Send`
/// and `Sync`.
#[derive(Clone, Debug)]
pub struct Certificates(TlsFiles);

impl Certificates {
    /// Names the files in PEM form: the authorities (a file, or a folder of files), the certificate of this
    /// process with its chain, its private key.
    ///
    /// # Errors
    /// `InvalidParam` an empty path.
    pub fn from_files(authorities: &str, certificate: &str, key: &str) -> Result<Self> {
        let paths =
            ConfigPaths { ca_path: authorities, cert_path: certificate, key_path: key, ..<_>::default() };
        TlsFiles::from_config(&paths).map(Self).wrap()
    }

    /// Takes the same as PEM text.
    pub fn from_pem(
        authorities: impl Into<Vec<u8>>,
        certificate: impl Into<Vec<u8>>,
        key: impl Into<Vec<u8>>,
    ) -> Self {
        Self(TlsFiles::in_memory(authorities.into(), certificate.into(), key.into()))
    }

    /// Adds revocation lists in PEM form.
    #[must_use]
    pub fn revocations(self, pem: impl Into<Vec<u8>>) -> Self {
        Self(self.0.revocations(pem.into()))
    }

    /// Sets the password of an encrypted private key.
    #[must_use]
    pub fn password(self, text: impl Into<Vec<u8>>) -> Self {
        Self(self.0.password(text.into()))
    }

    pub(crate) fn files(self) -> TlsFiles {
        self.0
    }
}
