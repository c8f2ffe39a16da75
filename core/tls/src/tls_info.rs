// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The `tls_info` text: `key: value;` pairs that name the files of an identity.
//!
//! ```text
//! tlsCaPath: /etc/mf; tlsCaFile: ca.pem, old-ca.pem; tlsCert: /etc/mf/node1.pem; tlsPk: /etc/mf/node1.key
//! ```
//! Values contain none of `;`, `,` and `:`. Unknown keys are ignored, as callers of several releases rely on
//! it.

use mf_base::{Error, Result};

use crate::OPERATION;
use crate::files::{OptionPaths, TlsFiles};

impl TlsFiles {
    /// Reads a `tls_info` text. The private key may be missing in it; [`key`](Self::key) gives it then.
    ///
    /// # Errors
    /// `InvalidParam` names the key that is missing or stands twice, or the part that is no `key: value`.
    pub fn from_info(text: &str) -> Result<Self> {
        let mut paths = OptionPaths::default();
        let mut seen: Vec<&str> = Vec::new();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once(':') else {
                return Err(
                    Error::invalid(OPERATION, "a part of tls_info is not key: value").with("part", part)
                );
            };
            let (key, value) = (key.trim(), value.trim());
            let field = match key {
                "tlsTopPath" => &mut paths.top_path,
                "tlsCaPath" => &mut paths.ca_path,
                "tlsCaFile" => &mut paths.ca_file,
                "tlsCert" => &mut paths.cert,
                "tlsCrlPath" => &mut paths.crl_path,
                "tlsCrlFile" => &mut paths.crl_file,
                "tlsPk" => &mut paths.private_key,
                "tlsPkPwd" => &mut paths.private_key_password,
                "packagePath" => {
                    tracing::info!(packagePath = value, "packagePath is ignored: no OpenSSL is used");
                    continue;
                }
                _ => {
                    tracing::debug!(key, "this key of tls_info is unknown and has no effect");
                    continue;
                }
            };
            if seen.contains(&key) {
                return Err(Error::invalid(OPERATION, format!("{key} stands twice in tls_info")));
            }
            if value.contains(':') {
                return Err(Error::invalid(OPERATION, "a value of tls_info contains a colon")
                    .with("key", key)
                    .with("value", value)
                    .hint("parts are separated by semicolons"));
            }
            seen.push(key);
            *field = value;
        }
        if paths.ca_file.is_empty() {
            return Err(Error::invalid(OPERATION, "tlsCaFile is missing in tls_info").hint(
                "tlsCaPath, tlsCaFile, tlsCert and tlsPk are needed; mf certs issue prints such a text",
            ));
        }
        Self::from_options(&paths)
    }
}

#[cfg(test)]
mod tests {
    use super::super::files::PemSource;
    use super::*;
    use proptest::prelude::*;

    fn files(paths: &[&str]) -> Vec<PemSource> {
        paths.iter().map(|path| PemSource::File(path.into())).collect()
    }

    #[test]
    fn every_key_is_understood() {
        let text = "tlsTopPath: /top; tlsCaPath: ca; tlsCaFile: a.pem, b.pem; tlsCert: cert.pem;\
                    tlsCrlPath: /crl; tlsCrlFile: c.pem,d.pem; tlsPk: key.pem; tlsPkPwd: pw;\
                    packagePath: /usr/lib; other: thing;";
        let read = TlsFiles::from_info(text).unwrap();
        assert_eq!(read.authorities, files(&["/top/ca/a.pem", "/top/ca/b.pem"]));
        assert_eq!(read.revocations, files(&["/crl/c.pem", "/crl/d.pem"]));
        assert_eq!(read.chain, PemSource::File("/top/cert.pem".into()));
        assert_eq!(read.key, Some(PemSource::File("/top/key.pem".into())));
        assert_eq!(read.password, Some(PemSource::File("/top/pw".into())));
        assert!(read.verify_name);
    }

    #[test]
    fn spaces_and_empty_parts_do_not_matter() {
        let read = TlsFiles::from_info(" tlsCaPath:/a ;;tlsCaFile:x;\n tlsCert : /c ; tlsPk:/k").unwrap();
        assert_eq!(read.authorities, files(&["/a/x"]));
        assert!(read.revocations.is_empty());
        assert!(read.password.is_none());
    }

    #[test]
    fn private_key_may_be_set_later() {
        let read = TlsFiles::from_info("tlsCaPath:/a;tlsCaFile:x;tlsCert:/c").unwrap();
        assert!(read.key.is_none());
        assert!(read.key(b"pem".to_vec()).key.is_some());
    }

    #[test]
    fn malformed_entries_are_named() {
        let good = "tlsCaPath:/a;tlsCaFile:x;tlsCert:/c;tlsPk:/k";
        for (text, part) in [
            ("", "tlsCaFile"),
            ("tlsCaFile:x;tlsCert:/c", "tlsCaPath"),
            ("tlsCaPath:/a;tlsCert:/c", "tlsCaFile"),
            ("tlsCaPath:/a;tlsCaFile:x", "tlsCert"),
            ("tlsCaPath:/a;tlsCaFile: ;tlsCert:/c", "tlsCaFile"),
            ("nonsense", "nonsense"),
            (&format!("{good};tlsCert:/d"), "tlsCert stands twice"),
            (&format!("{good};tlsCrlPath:/d:/e"), "colon"),
        ] {
            let error = TlsFiles::from_info(text).unwrap_err();
            assert_eq!(error.kind(), mf_base::Kind::InvalidParam);
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn crl_file_without_folder_is_relative_to_the_top_path() {
        let read =
            TlsFiles::from_info("tlsTopPath:/t;tlsCaPath:.;tlsCaFile:x;tlsCert:c;tlsCrlFile:l").unwrap();
        assert_eq!(read.revocations, files(&["/t/l"]));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".*") {
            let _ = TlsFiles::from_info(&text);
        }

        #[test]
        fn any_order_of_known_keys_gives_the_same(
            order in Just(vec!["tlsCaPath:/a", "tlsCaFile:x,y", "tlsCert:/c", "tlsPk:/k", "z:1"]).prop_shuffle()
        ) {
            let read = TlsFiles::from_info(&order.join(";")).unwrap();
            prop_assert_eq!(read.authorities, files(&["/a/x", "/a/y"]));
            prop_assert_eq!(read.chain, PemSource::File("/c".into()));
        }
    }
}
