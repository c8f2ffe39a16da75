// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Certificates of every kind, good and bad, made for a test.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, DnType, ExtendedKeyUsagePurpose,
    IsCa, Issuer, KeyIdMethod, KeyPair, KeyUsagePurpose, RevokedCertParams, SanType, SerialNumber,
    date_time_ymd,
};

use super::super::TlsFiles;

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

/// What a certificate of a member says.
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

    pub(super) fn valid(name: &str, span: &Span) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
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
