// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Makes connection settings of the files of an identity, after checking everything that can be checked
//! alone.
//!
//! A fault here would otherwise show as a failed handshake on some other host: so expired and not yet valid
//! certificates, short keys, a key of another certificate, certificates that are not of a CA, and overdue
//! revocation lists are refused with the name of the file.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use mf_base::{Error, Result};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::sign::{CertifiedKey, SigningKey, SingleCertAndKey};
use rustls::{ClientConfig, InconsistentKeys, RootCertStore};
use webpki::{CertRevocationList, OwnedCertRevocationList};
use zeroize::Zeroizing;

use crate::files::TlsFiles;
use crate::handshake::fault;
use crate::inspect::{CertificateFacts, KeyKind, RevocationFacts, date};
use crate::pem::{self, PemSection};
use crate::plain_crl::{self, PlainCrl};
use crate::read::{self, Text};
use crate::rustls_config::{self, Configs, Trust};
use crate::verify::{Authority, ChainCheck, Purpose, Revocations};
use crate::{OPERATION, private_key};

/// Bits that the modulus of an RSA key must have.
const LEAST_RSA_BITS: usize = 2048;

/// An identity that is ready for connections.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) configs: Configs,
    /// Our certificates and CAs, and when they end.
    pub(crate) ends: Vec<CertificateEnd>,
}

/// A certificate that ends.
#[derive(Clone, Debug)]
pub(crate) struct CertificateEnd {
    pub(crate) what: String,
    pub(crate) not_after: SystemTime,
}

/// Reads and checks everything that is not secret.
struct Public {
    check: Arc<ChainCheck>,
    chain: Vec<CertificateDer<'static>>,
    /// Origin of the chain.
    from: String,
    ends: Vec<CertificateEnd>,
}

/// Reads and checks the files but not the private key, which may be given later.
///
/// # Errors
/// `InvalidParam` names the file and its fault.
pub(crate) fn check(files: &TlsFiles, now: SystemTime) -> Result<()> {
    public(files, now, &rustls_config::provider()).map(|_| ())
}

/// Reads and checks all files.
///
/// # Errors
/// `InvalidParam` names the file and its fault.
pub(crate) fn load(files: &TlsFiles, now: SystemTime) -> Result<Loaded> {
    let provider = Arc::new(rustls_config::provider());
    let public = public(files, now, &provider)?;
    let key = private(files)?;
    let own = CertifiedKey::new(public.chain, key);
    match own.keys_match() {
        Ok(()) | Err(rustls::Error::InconsistentKeys(InconsistentKeys::Unknown)) => {}
        Err(_) => {
            return Err(Error::invalid(OPERATION, "the private key does not fit the certificate")
                .with("certificate", &public.from)
                .with("key", files.key.as_ref().map(ToString::to_string).unwrap_or_default()));
        }
    }
    let own = Arc::new(SingleCertAndKey::from(own));
    let trust = Trust {
        server_key: Arc::<SingleCertAndKey>::clone(&own),
        client_key: own,
        check_client: Arc::<ChainCheck>::clone(&public.check),
        check_server: public.check,
    };
    Ok(Loaded {
        configs: rustls_config::configs(&provider, trust, rustls_config::PROTOCOL)?,
        ends: public.ends,
    })
}

/// Settings of connections to etcd. Its certificate must lead to one of the authorities and name its address;
/// an authority need not be one for members, as a cluster may have its own.
pub(crate) fn for_etcd(files: &TlsFiles) -> Result<Arc<ClientConfig>> {
    let mut roots = RootCertStore::empty();
    for place in &files.authorities {
        for text in read::texts(place)? {
            for (der, facts) in certificates(&text)? {
                roots.add(der).map_err(|error| {
                    Error::invalid(OPERATION, "the CA certificate cannot be used for etcd")
                        .with("file", &text.from)
                        .with("subject", &facts.subject)
                        .source(error)
                })?;
            }
        }
    }
    let chain = certificates(&only(read::texts(&files.chain)?)?)?;
    let chain = chain.into_iter().map(|(der, _)| der).collect();
    let own = Arc::new(SingleCertAndKey::from(CertifiedKey::new(chain, private(files)?)));
    let mut config = ClientConfig::builder_with_provider(Arc::new(rustls_config::provider()))
        .with_safe_default_protocol_versions()
        .map_err(rustls_config::unusable)?
        .with_root_certificates(roots)
        .with_client_cert_resolver(own);
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(Arc::new(config))
}

fn private(files: &TlsFiles) -> Result<Arc<dyn SigningKey>> {
    let Some(place) = &files.key else {
        return Err(Error::invalid(OPERATION, "the private key is missing")
            .hint("set tlsPk or keyPath, or let the program give it"));
    };
    read::warn_of_readers(place);
    let text = only(read::secrets(place)?)?;
    private_key::signing_key(&text.bytes, &text.from, || password(files))
}

/// The password of the private key, if one is given.
fn password(files: &TlsFiles) -> Result<Option<Zeroizing<Vec<u8>>>> {
    let Some(place) = &files.password else { return Ok(None) };
    let text = only(read::secrets(place)?)?;
    // Editors end files with a line end, which is no part of the password.
    let end = text.bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
    let text = text.bytes.get(..end).unwrap_or_default();
    match &files.decrypt {
        Some(decrypt) => Ok(Some(Zeroizing::new(decrypt(text)?))),
        None => Ok(Some(Zeroizing::new(text.to_vec()))),
    }
}

fn only(texts: Vec<Text>) -> Result<Text> {
    texts.into_iter().next().ok_or_else(|| Error::invalid(OPERATION, "no file is given"))
}

fn public(files: &TlsFiles, now: SystemTime, provider: &CryptoProvider) -> Result<Public> {
    let mut ends = Vec::new();
    let (authorities, chain, from) =
        (authorities(files, now, &mut ends)?, chain(files, now, &mut ends)?, &files.chain);
    let revocations = revocations(files, now, &authorities, provider)?;
    let check = ChainCheck::new(
        authorities,
        revocations,
        provider.signature_verification_algorithms,
        files.verify_name,
    );
    if let Some((own, rest)) = chain.split_first() {
        for purpose in [Purpose::Store, Purpose::Member] {
            if let Err(error) = check.check(own, rest, unix(now), purpose) {
                let (what, hint) = fault(&error);
                tracing::warn!(
                    certificate = %from,
                    "members with the same CA files will refuse our certificate: it {what}; {hint}"
                );
                break;
            }
        }
    }
    Ok(Public { check: Arc::new(check), chain, from: from.to_string(), ends })
}

fn unix(time: SystemTime) -> UnixTime {
    UnixTime::since_unix_epoch(time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO))
}

/// The sections of a text with this kind of label, of which there must be one at least.
fn sections(text: &Text, labels: &[&str]) -> Result<Vec<PemSection>> {
    let wrong = |what: String| Error::invalid(OPERATION, what).with("file", &text.from);
    let mut found =
        pem::sections(&text.bytes).map_err(|fault| wrong(fault.what.to_owned()).with("line", fault.line))?;
    found.retain(|section| labels.contains(&section.label.as_str()));
    if found.is_empty() {
        let label = labels.first().copied().unwrap_or_default();
        return Err(
            wrong(format!("there is no {label} in the file")).hint(format!("-----BEGIN {label}----- …"))
        );
    }
    Ok(found)
}

/// Returns the certificates of a text with their contents.
fn certificates(text: &Text) -> Result<Vec<(CertificateDer<'static>, CertificateFacts)>> {
    let mut found = Vec::new();
    for section in sections(text, &["CERTIFICATE", "X509 CERTIFICATE"])? {
        let facts = CertificateFacts::from_der(&section.der).map_err(|error| {
            Error::invalid(OPERATION, "a certificate cannot be read")
                .with("file", &text.from)
                .with("line", section.line)
                .source(error)
        })?;
        let weak = |what: String| {
            Error::invalid(OPERATION, what).with("file", &text.from).with("subject", &facts.subject)
        };
        match &facts.key {
            KeyKind::Rsa(bits) if *bits < LEAST_RSA_BITS => {
                return Err(weak("the RSA key of the certificate is too short".to_owned())
                    .with("bits", bits)
                    .with("least", LEAST_RSA_BITS));
            }
            KeyKind::Other(oid) => return Err(weak(format!("keys of algorithm {oid} cannot be used"))),
            _ => {}
        }
        found.push((CertificateDer::from(section.der.to_vec()), facts));
    }
    Ok(found)
}

/// Why a certificate is not valid now.
fn outside(facts: &CertificateFacts, now: SystemTime) -> Option<String> {
    if now > facts.not_after {
        Some(format!("expired on {}", date(facts.not_after)))
    } else if now < facts.not_before {
        Some(format!("is not valid before {}", date(facts.not_before)))
    } else {
        None
    }
}

fn authorities(files: &TlsFiles, now: SystemTime, ends: &mut Vec<CertificateEnd>) -> Result<Vec<Authority>> {
    let mut trusted = Vec::new();
    let mut refused = None;
    for place in &files.authorities {
        for text in read::texts(place)? {
            for (der, facts) in certificates(&text)? {
                let about = |what: String| {
                    Error::invalid(OPERATION, what).with("file", &text.from).with("subject", &facts.subject)
                };
                if !facts.authority {
                    return Err(about("this certificate is not that of a CA".to_owned()).hint(
                        "tlsCaFile and caPath name CA certificates, tlsCert and certPath those of members",
                    ));
                }
                if let Some(why) = outside(&facts, now) {
                    // One of several may end while its successor is in use.
                    tracing::warn!(file = text.from, subject = facts.subject, "the CA {why} and is left out");
                    refused = Some(about(format!("the CA {why}")));
                    continue;
                }
                let anchor = webpki::anchor_from_trusted_cert(&der)
                    .map_err(|error| about("the CA certificate cannot be used".to_owned()).source(error))?
                    .to_owned();
                ends.push(CertificateEnd {
                    what: format!("the CA {} in {}", facts.subject, text.from),
                    not_after: facts.not_after,
                });
                trusted.push(Authority {
                    anchor,
                    signs_lists: plain_crl::signs_lists(&der),
                    not_before_s: unix(facts.not_before).as_secs(),
                    not_after_s: unix(facts.not_after).as_secs(),
                });
            }
        }
    }
    match refused {
        Some(error) if trusted.is_empty() => {
            Err(error.hint("make a new CA: mf certs rotate --ca; or compare the clock of this host"))
        }
        _ => Ok(trusted),
    }
}

fn chain(
    files: &TlsFiles,
    now: SystemTime,
    ends: &mut Vec<CertificateEnd>,
) -> Result<Vec<CertificateDer<'static>>> {
    let text = only(read::texts(&files.chain)?)?;
    let mut chain = Vec::new();
    for (index, (der, facts)) in certificates(&text)?.into_iter().enumerate() {
        let about = |what: String| {
            Error::invalid(OPERATION, what).with("file", &text.from).with("subject", &facts.subject)
        };
        if let Some(why) = outside(&facts, now) {
            return Err(about(format!("the certificate {why}"))
                .hint("make a new one: mf certs rotate; or compare the clock of this host"));
        }
        if index == 0 && facts.authority {
            return Err(about("this is the certificate of a CA, not of a member".to_owned())
                .hint("the member's own certificate comes first in its file"));
        }
        ends.push(CertificateEnd {
            what: format!("the certificate {} in {}", facts.subject, text.from),
            not_after: facts.not_after,
        });
        chain.push(der);
    }
    Ok(chain)
}

fn revocations(
    files: &TlsFiles,
    now: SystemTime,
    authorities: &[Authority],
    provider: &CryptoProvider,
) -> Result<Revocations> {
    let mut lists = Revocations::default();
    for place in &files.revocations {
        for text in read::texts(place)? {
            for section in sections(&text, &["X509 CRL"])? {
                let about = |what: &str| {
                    Error::invalid(OPERATION, what).with("file", &text.from).with("line", section.line)
                };
                let facts = RevocationFacts::from_der(&section.der)
                    .map_err(|error| about("a revocation list cannot be read").source(error))?;
                let about = |what: &str| about(what).with("issuer", &facts.issuer);
                check_date(&facts, now, about)?;
                let named = if let Ok((list, _)) = PlainCrl::from_der(&section.der) {
                    let signers = signers(authorities, list.issuer());
                    check_signature(&list, &signers, provider).map_err(about)?;
                    lists.plain.push(list);
                    signers
                } else {
                    let list: CertRevocationList<'static> = OwnedCertRevocationList::from_der(&section.der)
                        .map_err(|error| about("the revocation list cannot be used").source(error))?
                        .into();
                    let signers = signers(authorities, list.issuer());
                    lists.full.push(list);
                    signers
                };
                if named.is_empty() {
                    tracing::warn!(
                        file = text.from,
                        issuer = facts.issuer,
                        "no CA given has issued this revocation list"
                    );
                }
            }
        }
    }
    Ok(lists)
}

/// Accepts only lists that name their validity, and are valid now.
fn check_date(facts: &RevocationFacts, now: SystemTime, about: impl Fn(&str) -> Error) -> Result<()> {
    match facts.next_update {
        Some(due) if due < now => {
            Err(about(&format!("the revocation list was due for renewal on {}", date(due)))
                .hint("get the current list from the CA"))
        }
        Some(_) => Ok(()),
        None => Err(about("the revocation list has no end of its validity")
            .hint("make it with a date of the next one, with openssl by -crldays")),
    }
}

/// The CAs of this name.
fn signers<'a>(authorities: &'a [Authority], name: &[u8]) -> Vec<&'a Authority> {
    authorities.iter().filter(|one| one.anchor.subject.as_ref() == name).collect()
}

/// A list that names a CA of ours is signed by one of that name. Lists of intermediate CAs are checked with
/// the connection.
fn check_signature(
    list: &PlainCrl,
    signers: &[&Authority],
    provider: &CryptoProvider,
) -> Result<(), &'static str> {
    if signers.is_empty() {
        return Ok(());
    }
    if !signers.iter().any(|one| one.signs_lists) {
        return Err("the certificate of the CA does not let it sign revocation lists");
    }
    let algorithms = provider.signature_verification_algorithms;
    let signed_by = |one: &Authority| {
        one.signs_lists && list.verify(one.anchor.subject_public_key_info.as_ref(), &algorithms).is_ok()
    };
    match signers.iter().any(|one| signed_by(one)) {
        true => Ok(()),
        false => Err("the revocation list is not signed by the CA that it names"),
    }
}
