// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Certificates of every kind, good and bad, made for a test.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, DnType, ExtendedKeyUsagePurpose,
    IsCa, Issuer, KeyIdMethod, KeyPair, KeyUsagePurpose, RevokedCertParams, SanType, SerialNumber,
    SigningKey, date_time_ymd,
};

use crate::TlsFiles;

pub(super) const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Days from now, as certificates write it.
pub(super) struct Span(pub(super) i64, pub(super) i64);

/// A moment so many days from now. (A macro, because the crate of rcgen's dates is not ours to name.)
macro_rules! days_from_now {
    ($days:expr) => {{
        let days: i64 = $days;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let whole = DAY * u32::try_from(days.unsigned_abs()).unwrap();
        date_time_ymd(1970, 1, 1) + if days < 0 { now - whole } else { now + whole }
    }};
}

/// A CA.
pub(super) struct Ca {
    issuer: Issuer<'static, KeyPair>,
    pub(super) pem: String,
}

/// A certificate and its key.
pub(super) struct Leaf {
    pub(super) pem: String,
    pub(super) key: String,
    pub(super) serial: SerialNumber,
}

/// Contents of a member's certificate.
pub(super) struct Wanted<'a> {
    pub(super) names: &'a [&'a str],
    pub(super) span: Span,
    pub(super) purposes: &'a [ExtendedKeyUsagePurpose],
}

impl Default for Wanted<'_> {
    fn default() -> Self {
        Self { names: &["memfabric-store"], span: Span(-1, 365), purposes: &[] }
    }
}

pub(super) fn serial() -> SerialNumber {
    static NEXT: AtomicU64 = AtomicU64::new(1000);
    SerialNumber::from(NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Ca {
    pub(super) fn new(name: &str) -> Self {
        Self::valid(name, &Span(-2, 3650))
    }

    /// A CA with a certificate that forbids it to sign revocation lists.
    pub(super) fn without_lists(name: &str) -> Self {
        Self::made(name, &Span(-2, 3650), vec![KeyUsagePurpose::KeyCertSign])
    }

    pub(super) fn valid(name: &str, span: &Span) -> Self {
        Self::made(name, span, vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign])
    }

    fn made(name: &str, span: &Span, usages: Vec<KeyUsagePurpose>) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = usages;
        params.not_before = days_from_now!(span.0);
        params.not_after = days_from_now!(span.1);
        params.serial_number = Some(serial());
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// A CA below this one, with a certificate to send along.
    pub(super) fn intermediate(&self, name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        params.not_after = days_from_now!(365);
        params.serial_number = Some(serial());
        let key = KeyPair::generate().unwrap();
        let pem = params.signed_by(&key, &self.issuer).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    pub(super) fn issue(&self, wanted: &Wanted<'_>) -> Leaf {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "member");
        params.subject_alt_names = wanted
            .names
            .iter()
            .map(|name| match name.parse() {
                Ok(address) => SanType::IpAddress(address),
                Err(_) => SanType::DnsName((*name).try_into().unwrap()),
            })
            .collect();
        params.extended_key_usages = wanted.purposes.to_vec();
        params.not_before = days_from_now!(wanted.span.0);
        params.not_after = days_from_now!(wanted.span.1);
        let serial = serial();
        params.serial_number = Some(serial.clone());
        let key = KeyPair::generate().unwrap();
        let pem = params.signed_by(&key, &self.issuer).unwrap().pem();
        Leaf { pem, key: key.serialize_pem(), serial }
    }

    pub(super) fn member(&self) -> Leaf {
        self.issue(&Wanted::default())
    }

    /// A list of the first version: issuer, dates, serial numbers, and no extension. With `extra`, DER that
    /// stands behind the serial numbers.
    pub(super) fn plain_crl(&self, leaves: &[&Leaf], next_update: Option<&str>, extra: &[u8]) -> String {
        let date = |text: &str| tlv(0x18, text.as_bytes());
        // ECDSA with SHA-256, the algorithm of rcgen's keys.
        let algorithm = tlv(0x30, &tlv(0x06, &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
        let issuer = {
            use x509_cert::der::{Decode as _, Encode as _};
            x509_cert::Certificate::from_der(&der(&self.pem))
                .unwrap()
                .tbs_certificate
                .subject
                .to_der()
                .unwrap()
        };
        let entry = |leaf: &&Leaf| {
            let bytes = leaf.serial.as_ref();
            let bytes = &bytes[bytes.iter().position(|byte| *byte != 0).unwrap()..];
            let sign: &[u8] = if bytes[0] < 0x80 { &[] } else { &[0] };
            let serial = tlv(0x02, &[sign, bytes].concat());
            tlv(0x30, &[serial, date("20260101000000Z")].concat())
        };
        let entries: Vec<u8> = leaves.iter().flat_map(entry).collect();
        let fields = [
            algorithm.clone(),
            issuer,
            date("20200101000000Z"),
            next_update.map(date).unwrap_or_default(),
            if leaves.is_empty() { Vec::new() } else { tlv(0x30, &entries) },
            extra.to_vec(),
        ];
        let signed = tlv(0x30, &fields.concat());
        let signature = SigningKey::sign(self.issuer.key(), &signed).unwrap();
        let whole = tlv(0x30, &[signed, algorithm, tlv(0x03, &[&[0], &signature[..]].concat())].concat());
        pem("X509 CRL", &whole)
    }

    pub(super) fn revoke(&self, leaves: &[&Leaf], next_update_days: i64) -> String {
        let revoked = |leaf: &&Leaf| RevokedCertParams {
            serial_number: leaf.serial.clone(),
            revocation_time: days_from_now!(-1),
            reason_code: None,
            invalidity_date: None,
        };
        let params = CertificateRevocationListParams {
            this_update: days_from_now!(-1000),
            next_update: days_from_now!(next_update_days),
            crl_number: serial(),
            issuing_distribution_point: None,
            revoked_certs: leaves.iter().map(revoked).collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        params.signed_by(&self.issuer).unwrap().pem().unwrap()
    }
}

/// A value in DER.
pub(super) fn tlv(tag: u8, value: &[u8]) -> Vec<u8> {
    let length = u16::try_from(value.len()).unwrap().to_be_bytes();
    let length = match length {
        [0, short @ 0..=127] => vec![short],
        [0, long] => vec![0x81, long],
        [high, low] => vec![0x82, high, low],
    };
    [&[tag], &length[..], value].concat()
}

pub(super) fn pem(label: &str, der: &[u8]) -> String {
    use base64ct::Encoding as _;
    let text = base64ct::Base64::encode_string(der);
    let lines: Vec<&str> = (0..text.len()).step_by(64).map(|at| &text[at..text.len().min(at + 64)]).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

/// The first section of a PEM text.
pub(super) fn der(text: &str) -> Vec<u8> {
    crate::pem::sections(text.as_bytes()).unwrap()[0].der.to_vec()
}

/// An identity in memory.
pub(super) fn files(ca: &str, leaf: &Leaf) -> TlsFiles {
    TlsFiles::in_memory(ca.into(), leaf.pem.clone().into(), leaf.key.clone().into())
}

/// A folder that goes away with its owner.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("mf-tls-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Replaces a file as a whole, as `mf certs` does.
    pub(super) fn write(&self, name: &str, text: &str) -> String {
        let (new, path) = (self.0.join(format!(".{name}.new")), self.0.join(name));
        std::fs::write(&new, text).unwrap();
        std::fs::rename(&new, &path).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
