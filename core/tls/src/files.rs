// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Locations of certificates, keys and revocation lists: the callers' forms, converted into one.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mf_base::{Error, Result};
use zeroize::Zeroizing;

use crate::{OPERATION, read};

/// Turns the text of a password file into the password.
pub type Decrypt = Arc<dyn Fn(&[u8]) -> Result<Vec<u8>> + Send + Sync>;

/// A place where PEM text or a password is.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum PemSource {
    /// A regular file.
    File(PathBuf),
    /// A file, or a folder; of a folder all files count.
    FileOrFolder(PathBuf),
    /// In memory; the name stands in texts.
    Memory(&'static str, Arc<Zeroizing<Vec<u8>>>),
}

impl fmt::Debug for PemSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for PemSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PemSource::File(path) | PemSource::FileOrFolder(path) => path.display().fmt(f),
            PemSource::Memory(name, _) => f.write_str(name),
        }
    }
}

/// Role of a file of an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// Certificates of CAs.
    Authority,
    /// The own certificate with its chain.
    Chain,
    /// Revocation lists.
    Revocations,
    /// The private key.
    Key,
    /// The password of the private key.
    Password,
}

/// Certificates, keys and revocation lists of one identity, and how strictly names are checked.
///
/// Files are read when a [`Security`](super::Security) is made of it, and again when they change.
#[derive(Clone)]
pub struct TlsFiles {
    pub(crate) authorities: Vec<PemSource>,
    pub(crate) chain: PemSource,
    pub(crate) revocations: Vec<PemSource>,
    pub(crate) key: Option<PemSource>,
    pub(crate) password: Option<PemSource>,
    pub(crate) decrypt: Option<Decrypt>,
    pub(crate) verify_name: bool,
}

impl fmt::Debug for TlsFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsFiles")
            .field("authorities", &self.authorities)
            .field("chain", &self.chain)
            .field("revocations", &self.revocations)
            .field("key", &self.key)
            .field("password", &self.password)
            .field("verify_name", &self.verify_name)
            .finish_non_exhaustive()
    }
}

/// The paths of a configuration by files and folders; empty: not given.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConfigPaths<'a> {
    /// CA file, or folder of CA files.
    pub ca_path: &'a str,
    /// Revocation list, or folder of them; optional.
    pub crl_path: &'a str,
    /// Certificate of this process with its chain.
    pub cert_path: &'a str,
    /// Its private key.
    pub key_path: &'a str,
    /// File with the encrypted password of the key; optional.
    pub key_pass_path: &'a str,
}

/// The paths of a configuration by folders and names in them, as a `tls_info` text has them; empty: not
/// given.
#[derive(Clone, Copy, Debug, Default)]
pub struct OptionPaths<'a> {
    /// Prefix of relative paths; optional.
    pub top_path: &'a str,
    /// Certificate of this process with its chain.
    pub cert: &'a str,
    /// Folder of the revocation lists; optional. It has no effect alone: without `crl_file` there are no
    /// lists.
    pub crl_path: &'a str,
    /// Folder of the CA files.
    pub ca_path: &'a str,
    /// Names of CA files in the folder, separated by commas; none: all files of the folder.
    pub ca_file: &'a str,
    /// Names of revocation lists in their folder, separated by commas; none: there are no lists.
    pub crl_file: &'a str,
    /// Private key of the certificate.
    pub private_key: &'a str,
    /// File with the encrypted password of the key; optional.
    pub private_key_password: &'a str,
}

impl TlsFiles {
    /// From a configuration by files and folders.
    ///
    /// # Errors
    /// `InvalidParam` names a string that is missing.
    pub fn from_config(paths: &ConfigPaths<'_>) -> Result<Self> {
        let needed = |name, text: &str| needed(name, text).map(PathBuf::from);
        Ok(Self {
            authorities: vec![PemSource::FileOrFolder(needed("caPath", paths.ca_path)?)],
            chain: PemSource::File(needed("certPath", paths.cert_path)?),
            revocations: optional(paths.crl_path)
                .map(|path| PemSource::FileOrFolder(path.into()))
                .into_iter()
                .collect(),
            key: Some(PemSource::File(needed("keyPath", paths.key_path)?)),
            password: optional(paths.key_pass_path).map(|path| PemSource::File(path.into())),
            decrypt: None,
            verify_name: true,
        })
    }

    /// From a configuration by folders and names. The private key may be missing; [`key`](Self::key) gives it
    /// then.
    ///
    /// # Errors
    /// `InvalidParam` names a string that is missing.
    pub fn from_options(paths: &OptionPaths<'_>) -> Result<Self> {
        let top = Path::new(paths.top_path.trim());
        let file = |text: &str| PemSource::File(top.join(text));
        Ok(Self {
            authorities: listed(&top.join(needed("tlsCaPath", paths.ca_path)?), paths.ca_file),
            chain: file(needed("tlsCert", paths.cert)?),
            revocations: match (optional(paths.crl_path), optional(paths.crl_file)) {
                (folder, Some(names)) => listed(&top.join(folder.unwrap_or_default()), names),
                // Callers name "/" as the folder although they have no lists.
                (None | Some("/"), None) => Vec::new(),
                (Some(folder), None) => {
                    tracing::warn!(
                        folder,
                        "no revocation list is read from this folder: no tlsCrlFile names any"
                    );
                    Vec::new()
                }
            },
            key: optional(paths.private_key).map(file),
            password: optional(paths.private_key_password).map(file),
            decrypt: None,
            verify_name: true,
        })
    }

    /// From PEM text in memory: the CAs, the certificate with its chain, its private key.
    pub fn in_memory(authorities: Vec<u8>, chain: Vec<u8>, key: Vec<u8>) -> Self {
        Self {
            authorities: vec![memory("CA in memory", authorities)],
            chain: memory("certificate in memory", chain),
            revocations: Vec::new(),
            key: Some(memory("key in memory", key)),
            password: None,
            decrypt: None,
            verify_name: true,
        }
    }

    /// Returns the named files with their roles, for checks and texts; of a folder every file, or the folder
    /// itself if it cannot be read or is empty. Identities in memory have no files.
    pub fn named(&self) -> Vec<(FileRole, PathBuf)> {
        let of = |role: FileRole, places: &[&PemSource]| -> Vec<(FileRole, PathBuf)> {
            places.iter().flat_map(|place| paths(place)).map(|path| (role, path)).collect()
        };
        [
            of(FileRole::Authority, &self.authorities.iter().collect::<Vec<_>>()),
            of(FileRole::Chain, &[&self.chain]),
            of(FileRole::Revocations, &self.revocations.iter().collect::<Vec<_>>()),
            of(FileRole::Key, &self.key.iter().collect::<Vec<_>>()),
            of(FileRole::Password, &self.password.iter().collect::<Vec<_>>()),
        ]
        .concat()
    }

    /// With this private key, PEM text, instead of one that was named.
    #[must_use]
    pub fn key(mut self, pem: Vec<u8>) -> Self {
        self.key = Some(memory("key in memory", pem));
        self
    }

    /// With this password of the private key, still encrypted if there is a [`decrypt`](Self::decrypt).
    #[must_use]
    pub fn password(mut self, text: Vec<u8>) -> Self {
        self.password = Some(memory("password in memory", text));
        self
    }

    /// Adds revocation lists, PEM text, to the named ones.
    #[must_use]
    pub fn revocations(mut self, pem: Vec<u8>) -> Self {
        self.revocations.push(memory("revocation list in memory", pem));
        self
    }

    /// With this function to decrypt the content of the password file; without, the text is the password.
    #[must_use]
    pub fn decrypt(mut self, decrypt: Decrypt) -> Self {
        self.decrypt = Some(decrypt);
        self
    }

    /// Sets if the certificate of a store must name its address or `memfabric-store`; true unless set here.
    #[must_use]
    pub fn verify_name(mut self, verify: bool) -> Self {
        self.verify_name = verify;
        self
    }
}

/// The files of a place.
fn paths(place: &PemSource) -> Vec<PathBuf> {
    match place {
        PemSource::Memory(..) => Vec::new(),
        PemSource::File(path) => vec![path.clone()],
        PemSource::FileOrFolder(path) => {
            read::entries(path).ok().filter(|all| !all.is_empty()).unwrap_or_else(|| vec![path.clone()])
        }
    }
}

fn memory(name: &'static str, contents: Vec<u8>) -> PemSource {
    PemSource::Memory(name, Arc::new(Zeroizing::new(contents)))
}

fn optional(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

fn needed<'a>(name: &'static str, text: &'a str) -> Result<&'a str> {
    optional(text).ok_or_else(|| {
        Error::invalid(OPERATION, format!("{name} is missing"))
            .hint("the CA, the certificate and its private key are needed; mf certs makes them")
    })
}

/// The files of `folder` that the list `names`, or all of them.
fn listed(folder: &Path, names: &str) -> Vec<PemSource> {
    let mut places: Vec<_> =
        names.split(',').filter_map(optional).map(|name| PemSource::File(folder.join(name))).collect();
    if places.is_empty() {
        places.push(PemSource::FileOrFolder(folder.to_owned()));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_listed_with_their_roles() {
        let folder = std::env::temp_dir().join(format!("mf-tls-named-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let empty = folder.display().to_string();
        let paths =
            ConfigPaths { ca_path: &empty, cert_path: "/c", key_path: "/k", ..ConfigPaths::default() };
        let files = TlsFiles::from_config(&paths).unwrap();
        let rest = [(FileRole::Chain, "/c".into()), (FileRole::Key, "/k".into())];
        let of_folder = |path: PathBuf| [&[(FileRole::Authority, path)][..], &rest].concat();
        assert_eq!(files.named(), of_folder(folder.clone()));
        std::fs::write(folder.join("a.pem"), "").unwrap();
        assert_eq!(files.named(), of_folder(folder.join("a.pem")));
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(TlsFiles::in_memory(Vec::new(), Vec::new(), Vec::new()).named(), []);
    }
}
