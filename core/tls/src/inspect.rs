// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Contents of certificates and revocation lists, for checks before a connection and for people.
//!
//! This module only reads; `verify.rs` decides about peers.

use std::fmt;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use mf_base::{Error, Result};
use sha2::{Digest, Sha256};
use x509_cert::der::asn1::{AnyRef, ObjectIdentifier, UintRef};
use x509_cert::der::{DateTime, Decode, Encode};
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{BasicConstraints, SubjectAltName};
use x509_cert::spki::SubjectPublicKeyInfoOwned;

use crate::pem;
use crate::plain_crl::PlainCrl;

const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
const EC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");
const P256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");
const P384: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.132.0.34");

/// Kind of a public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// RSA with a modulus of this many bits.
    Rsa(usize),
    /// ECDSA on NIST P-256.
    EcdsaP256,
    /// ECDSA on NIST P-384.
    EcdsaP384,
    /// Ed25519.
    Ed25519,
    /// Something TLS connections of the store cannot use; the algorithm's object identifier.
    Other(String),
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyKind::Rsa(bits) => write!(f, "RSA {bits} bits"),
            KeyKind::EcdsaP256 => f.write_str("ECDSA P-256"),
            KeyKind::EcdsaP384 => f.write_str("ECDSA P-384"),
            KeyKind::Ed25519 => f.write_str("Ed25519"),
            KeyKind::Other(oid) => write!(f, "algorithm {oid}"),
        }
    }
}

/// Contents of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateFacts {
    /// Its subject, as a distinguished name.
    pub subject: String,
    /// Its issuer.
    pub issuer: String,
    /// Serial number, hexadecimal.
    pub serial: String,
    /// Alternative names: addresses and DNS names.
    pub names: Vec<String>,
    /// Begin of its validity.
    pub not_before: SystemTime,
    /// End of its validity.
    pub not_after: SystemTime,
    /// Kind of its key.
    pub key: KeyKind,
    /// SHA-256 of its public key (as in the certificate), hexadecimal.
    pub public_key: String,
    /// True if it may sign certificates.
    pub authority: bool,
    /// SHA-256 of the certificate, hexadecimal.
    pub fingerprint: String,
}

impl CertificateFacts {
    /// Reads a certificate in DER.
    ///
    /// # Errors
    /// The fault of the encoding.
    pub(crate) fn from_der(der: &[u8]) -> Result<Self, x509_cert::der::Error> {
        let certificate = x509_cert::Certificate::from_der(der)?;
        let tbs = &certificate.tbs_certificate;
        let names = match tbs.get::<SubjectAltName>()? {
            Some((_, names)) => names.0.iter().filter_map(name).collect(),
            None => Vec::new(),
        };
        let authority = match tbs.get::<BasicConstraints>()? {
            Some((_, constraints)) => constraints.ca,
            // The first version of certificates knew no extensions; only roots of old age are left of it.
            None => tbs.version == x509_cert::Version::V1,
        };
        Ok(Self {
            subject: tbs.subject.to_string(),
            issuer: tbs.issuer.to_string(),
            serial: hex(tbs.serial_number.as_bytes()),
            names,
            not_before: tbs.validity.not_before.to_system_time(),
            not_after: tbs.validity.not_after.to_system_time(),
            key: key_kind(&tbs.subject_public_key_info),
            public_key: hex(&Sha256::digest(tbs.subject_public_key_info.to_der()?)),
            authority,
            fingerprint: hex(&Sha256::digest(der)),
        })
    }
}

/// Contents of a revocation list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevocationFacts {
    /// Its issuer.
    pub issuer: String,
    /// When it was made.
    pub this_update: SystemTime,
    /// When the next one is due; after that it is not taken any more.
    pub next_update: Option<SystemTime>,
    /// The certificates that it revokes.
    pub revoked: Vec<Revoked>,
}

/// An entry of a revocation list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revoked {
    /// Serial number of the certificate, hexadecimal.
    pub serial: String,
    /// Since when it does not count.
    pub at: SystemTime,
}

impl RevocationFacts {
    pub(crate) fn from_der(der: &[u8]) -> Result<Self, x509_cert::der::Error> {
        if let Ok((_, facts)) = PlainCrl::from_der(der) {
            return Ok(facts);
        }
        let list = x509_cert::crl::CertificateList::from_der(der)?.tbs_cert_list;
        let revoked = list.revoked_certificates.unwrap_or_default();
        let revoked = revoked.iter().map(|entry| Revoked {
            serial: hex(entry.serial_number.as_bytes()),
            at: entry.revocation_date.to_system_time(),
        });
        Ok(Self {
            issuer: list.issuer.to_string(),
            this_update: list.this_update.to_system_time(),
            next_update: list.next_update.map(|time| time.to_system_time()),
            revoked: revoked.collect(),
        })
    }
}

/// Contents of a PEM file without secrets of ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspected {
    /// Its certificates, in order.
    pub certificates: Vec<CertificateFacts>,
    /// Its revocation lists, in order.
    pub revocations: Vec<RevocationFacts>,
    /// Number of private keys in it.
    pub keys: usize,
}

/// Reads certificates and revocation lists out of PEM text.
///
/// # Errors
/// `InvalidParam` names the line and its fault.
pub fn inspect(text: &[u8]) -> Result<Inspected> {
    let wrong = |line: usize, what: String| {
        Error::invalid("certificate", what).with("line", line).hint("openssl x509 -text -in FILE shows more")
    };
    let mut found = Inspected::default();
    for section in pem::sections(text).map_err(|fault| wrong(fault.line, fault.what.to_owned()))? {
        let unreadable = |error: x509_cert::der::Error| {
            wrong(section.line, format!("the {} that begins here cannot be read", section.label))
                .source(error)
        };
        match section.label.as_str() {
            "CERTIFICATE" | "X509 CERTIFICATE" => {
                found.certificates.push(CertificateFacts::from_der(&section.der).map_err(unreadable)?);
            }
            "X509 CRL" => {
                found.revocations.push(RevocationFacts::from_der(&section.der).map_err(unreadable)?);
            }
            label if label.ends_with("PRIVATE KEY") => found.keys += 1,
            _ => {}
        }
    }
    Ok(found)
}

fn name(name: &GeneralName) -> Option<String> {
    match name {
        GeneralName::DnsName(name) => Some(name.to_string()),
        GeneralName::IpAddress(bytes) => {
            let bytes = bytes.as_bytes();
            if let Ok(four) = <[u8; 4]>::try_from(bytes) {
                return Some(IpAddr::from(four).to_string());
            }
            <[u8; 16]>::try_from(bytes).ok().map(|sixteen| IpAddr::from(sixteen).to_string())
        }
        _ => None,
    }
}

fn key_kind(key: &SubjectPublicKeyInfoOwned) -> KeyKind {
    let curve = key.algorithm.parameters.as_ref().and_then(|any| any.decode_as::<ObjectIdentifier>().ok());
    match (key.algorithm.oid, curve) {
        (RSA, _) => match modulus_bits(key.subject_public_key.raw_bytes()) {
            Ok(bits) => KeyKind::Rsa(bits),
            Err(_) => KeyKind::Other(RSA.to_string()),
        },
        (EC, Some(P256)) => KeyKind::EcdsaP256,
        (EC, Some(P384)) => KeyKind::EcdsaP384,
        (ED25519, _) => KeyKind::Ed25519,
        (_, Some(curve)) => KeyKind::Other(curve.to_string()),
        (oid, None) => KeyKind::Other(oid.to_string()),
    }
}

/// Bits of the modulus of an RSA public key in DER.
fn modulus_bits(der: &[u8]) -> Result<usize, x509_cert::der::Error> {
    AnyRef::from_der(der)?.sequence(|fields| {
        let modulus = UintRef::decode(fields)?;
        let _exponent = UintRef::decode(fields)?;
        let leading = modulus.as_bytes().first().map_or(0, |byte| byte.leading_zeros() as usize);
        Ok((modulus.as_bytes().len() * 8).saturating_sub(leading))
    })
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A moment as texts show it: `2026-01-31T12:00:00Z`.
pub fn date(time: SystemTime) -> String {
    match DateTime::from_system_time(time) {
        Ok(date) => date.to_string(),
        Err(_) => "a date outside of the years 1970 to 9999".to_owned(),
    }
}

/// [`date`] of the seconds since 1970 of certificate checks.
pub(crate) fn date_of_seconds(seconds: u64) -> String {
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds)).map_or_else(String::new, date)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dates_are_written_as_in_the_standard() {
        assert_eq!(date_of_seconds(0), "1970-01-01T00:00:00Z");
        assert_eq!(date_of_seconds(1_790_000_000), "2026-09-21T14:13:20Z");
        assert!(
            date_of_seconds(u64::MAX / 2).contains("outside") || date_of_seconds(u64::MAX / 2).is_empty()
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = CertificateFacts::from_der(&bytes);
            let _ = RevocationFacts::from_der(&bytes);
            let _ = inspect(&bytes);
            let _ = modulus_bits(&bytes);
        }
    }
}
