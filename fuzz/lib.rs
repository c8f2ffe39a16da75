// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Common parts of the targets and the writer of their first inputs: an identity with certificates, and PEM;
//! numbers from inputs.

mod input;

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, DnType, IsCa,
    KeyIdMethod, KeyPair, KeyUsagePurpose, RevokedCertParams, SerialNumber, date_time_ymd,
};

pub use input::Input;

/// A good identity as PEM text.
pub struct Identity {
    /// The CA.
    pub authority: Vec<u8>,
    /// The member's certificate.
    pub chain: Vec<u8>,
    /// Its private key.
    pub key: Vec<u8>,
    /// A revocation list of the CA.
    pub revocations: Vec<u8>,
}

/// Makes an identity, the same each time, so that an input does the same again.
pub fn identity() -> Identity {
    made().expect("a CA and a certificate of fixed contents can be made")
}

/// Ed25519 in PKCS#8, up to the private key itself.
const KEY_HEAD: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/// A key that everybody knows.
fn key(number: u8) -> Vec<u8> {
    [KEY_HEAD.as_slice(), &[number; 32]].concat()
}

fn named(name: &str, alternative: &[String]) -> Result<CertificateParams, rcgen::Error> {
    let mut certificate = CertificateParams::new(alternative)?;
    certificate.distinguished_name.push(DnType::CommonName, name);
    Ok(certificate)
}

fn made() -> Result<Identity, rcgen::Error> {
    let mut authority = named("CA", &[])?;
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let authority = CertifiedIssuer::self_signed(authority, KeyPair::try_from(key(1))?)?;
    let chain = named("member", &["memfabric-store".to_owned()])?
        .signed_by(&KeyPair::try_from(key(2))?, &authority)?;
    let revoked = RevokedCertParams {
        serial_number: SerialNumber::from(7),
        revocation_time: date_time_ymd(2025, 1, 1),
        reason_code: None,
        invalidity_date: None,
    };
    let revocations = CertificateRevocationListParams {
        this_update: date_time_ymd(2025, 1, 1),
        next_update: date_time_ymd(2099, 1, 1),
        crl_number: SerialNumber::from(1),
        issuing_distribution_point: None,
        revoked_certs: vec![revoked],
        key_identifier_method: KeyIdMethod::Sha256,
    }
    .signed_by(&authority)?;
    Ok(Identity {
        authority: authority.pem().into_bytes(),
        chain: chain.pem().into_bytes(),
        key: pem("PRIVATE KEY", &key(2)),
        revocations: revocations.pem()?.into_bytes(),
    })
}

/// `der` as PEM text.
pub fn pem(label: &str, der: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = format!("-----BEGIN {label}-----\n").into_bytes();
    for line in der.chunks(48) {
        for three in line.chunks(3) {
            let bits = (0..3).fold(0, |bits, at| bits << 8 | u32::from(three.get(at).copied().unwrap_or(0)));
            for at in 0..4 {
                let digit = DIGITS[(bits >> (18 - 6 * at)) as usize & 63];
                text.push(if at <= three.len() { digit } else { b'=' });
            }
        }
        text.push(b'\n');
    }
    text.extend_from_slice(format!("-----END {label}-----\n").as_bytes());
    text
}

/// The bytes of the first section of PEM text.
pub fn der(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let body = text.lines().filter(|line| !line.starts_with('-')).flat_map(str::bytes);
    let value = |digit| match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for digit in body.filter_map(value) {
        (bits, held) = ((bits << 6 | u32::from(digit)) & 0xffff, held + 6);
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
