// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A job's certificate authority: signs members and revocation lists. No files.
//!
//! Keys are ECDSA on P-256, which every TLS 1.3 library knows. A CA signs members only, no further CAs. Its
//! revocation list is good as long as it is: there is no service that would renew it, and members take a list
//! that is overdue for none.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use mf_base::os::random;
use mf_base::{Error, Kind, Result};
use mf_tls::{CertificateFacts, Revoked, inspect};
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, DnType, ExtendedKeyUsagePurpose,
    IsCa, Issuer, KeyIdMethod, KeyPair, KeyUsagePurpose, PublicKeyData, RevokedCertParams, SanType,
    SerialNumber, date_time_ymd,
};
use sha2::{Digest, Sha256};

use super::OPERATION;

/// The name by which members believe a store at any address.
pub(super) const STORE_NAME: &str = "memfabric-store";

/// Prefix of the names of our CAs.
const CA_NAME: &str = "memfabric job CA ";

/// Clocks of hosts may differ by this much.
const CLOCK_DIFFERENCE: Duration = Duration::from_secs(5 * 60);

/// Names in a member's certificate, besides [`STORE_NAME`].
pub(super) struct Names {
    pub(super) addresses: Vec<IpAddr>,
    pub(super) hosts: Vec<String>,
}

impl Names {
    /// Names of a certificate to be replaced.
    pub(super) fn from_certificate(facts: &CertificateFacts) -> Self {
        let (mut addresses, mut hosts) = (Vec::new(), Vec::new());
        for name in facts.names.iter().filter(|name| *name != STORE_NAME) {
            match name.parse() {
                Ok(address) => addresses.push(address),
                Err(_) => hosts.push(name.clone()),
            }
        }
        Self { addresses, hosts }
    }
}

/// A new certificate of a member with its key.
pub(super) struct Leaf {
    pub(super) pem: String,
    pub(super) key_pem: String,
    pub(super) not_after: SystemTime,
}

/// A certificate authority with its private key.
pub(super) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
    key_pem: String,
    facts: CertificateFacts,
}

impl Authority {
    /// Makes a CA.
    pub(super) fn new(valid: Duration) -> Result<Self> {
        let key = KeyPair::generate().map_err(failed)?;
        let mut params = params(&format!("{CA_NAME}{}", hex(&random::<4>(OPERATION)?)))?;
        let now = since_1970(SystemTime::now())?;
        params.not_before = date_time_ymd(1970, 1, 1) + now.saturating_sub(CLOCK_DIFFERENCE);
        params.not_after = date_time_ymd(1970, 1, 1) + (now + valid);
        let pem = params.self_signed(&key).map_err(failed)?.pem();
        Self::load(&pem, &key.serialize_pem())
    }

    /// The CA of this private key, with its certificate from the `bundle`.
    pub(super) fn load(bundle: &str, key_pem: &str) -> Result<Self> {
        let key = KeyPair::from_pem(key_pem).map_err(failed)?;
        for pem in split(bundle) {
            let Some(facts) = inspect(pem.as_bytes())?.certificates.into_iter().next() else { continue };
            let Some(name) = facts.subject.strip_prefix("CN=").filter(|name| name.starts_with(CA_NAME))
            else {
                return Err(Error::invalid(OPERATION, "this CA was not made by mf certs")
                    .with("subject", &facts.subject)
                    .hint("issue its certificates with the program that made it"));
            };
            if facts.public_key == hex(&Sha256::digest(key.subject_public_key_info())) {
                let issuer = Issuer::new(params(name)?, key);
                return Ok(Self { issuer, pem, key_pem: key_pem.to_owned(), facts });
            }
        }
        Err(Error::invalid(OPERATION, "no certificate in ca.pem belongs to the private key of the CA"))
    }

    pub(super) fn pem(&self) -> &str {
        &self.pem
    }

    pub(super) fn key_pem(&self) -> String {
        self.key_pem.clone()
    }

    pub(super) fn subject(&self) -> &str {
        &self.facts.subject
    }

    /// Makes key and certificate of a member; they end with the CA at the latest.
    pub(super) fn issue(&self, name: &str, names: &Names, valid: Duration) -> Result<Leaf> {
        let now = SystemTime::now();
        if self.facts.not_after <= now {
            return Err(Error::invalid(OPERATION, "the CA has expired")
                .hint("mf certs rotate DIR --ca makes a new one"));
        }
        let not_after = (now + valid).min(self.facts.not_after);
        let mut params = CertificateParams::default();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, name);
        params.serial_number = Some(serial()?);
        params.not_before = date_time_ymd(1970, 1, 1) + since_1970(now)?.saturating_sub(CLOCK_DIFFERENCE);
        params.not_after = date_time_ymd(1970, 1, 1) + since_1970(not_after)?;
        params.is_ca = IsCa::ExplicitNoCa;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        params.use_authority_key_identifier_extension = true;
        let hosts = std::iter::once(STORE_NAME).chain(names.hosts.iter().map(String::as_str));
        for host in hosts {
            let name = host.try_into().map_err(|_| {
                Error::invalid(OPERATION, "this is no DNS name")
                    .with("host", host)
                    .hint("a-z, A-Z, 0-9, dots, dashes")
            })?;
            params.subject_alt_names.push(SanType::DnsName(name));
        }
        params.subject_alt_names.extend(names.addresses.iter().copied().map(SanType::IpAddress));
        let key = KeyPair::generate().map_err(failed)?;
        let pem = params.signed_by(&key, &self.issuer).map_err(failed)?.pem();
        Ok(Leaf { pem, key_pem: key.serialize_pem(), not_after })
    }

    /// A revocation list with these entries.
    pub(super) fn revocation_list(&self, revoked: &[Revoked]) -> Result<String> {
        let now = since_1970(SystemTime::now())?;
        let mut revoked_certs = Vec::new();
        for entry in revoked {
            revoked_certs.push(RevokedCertParams {
                serial_number: SerialNumber::from(unhex(&entry.serial)?),
                revocation_time: date_time_ymd(1970, 1, 1) + since_1970(entry.at)?,
                reason_code: None,
                invalidity_date: None,
            });
        }
        let params = CertificateRevocationListParams {
            this_update: date_time_ymd(1970, 1, 1) + now.saturating_sub(CLOCK_DIFFERENCE),
            next_update: date_time_ymd(1970, 1, 1) + since_1970(self.facts.not_after)?,
            // Grows with every list, as it must.
            crl_number: SerialNumber::from(now.as_secs()),
            issuing_distribution_point: None,
            revoked_certs,
            key_identifier_method: KeyIdMethod::Sha256,
        };
        params.signed_by(&self.issuer).and_then(|list| list.pem()).map_err(failed)
    }
}

/// Common parameters of all certificates of a CA of this name.
fn params(name: &str) -> Result<CertificateParams> {
    let mut params = CertificateParams::default();
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params.serial_number = Some(serial()?);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    Ok(params)
}

/// The certificates of a bundle, each as text of its own.
fn split(bundle: &str) -> Vec<String> {
    const END: &str = "-----END CERTIFICATE-----";
    let mut found: Vec<String> = Vec::new();
    for part in bundle.split_inclusive(END).filter(|part| part.contains(END)) {
        found.push(format!("{}\n", part.trim()));
    }
    found
}

fn serial() -> Result<SerialNumber> {
    let mut bytes = random::<16>(OPERATION)?;
    // Positive, and never with a leading zero byte that encodings would drop.
    if let Some(first) = bytes.first_mut() {
        *first = *first & 0x7f | 0x40;
    }
    Ok(SerialNumber::from(bytes.to_vec()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Result<Vec<u8>> {
    let digits = text
        .as_bytes()
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok()));
    digits
        .collect::<Option<Vec<u8>>>()
        .ok_or_else(|| Error::invalid(OPERATION, "not a serial number").with("serial", text))
}

fn since_1970(time: SystemTime) -> Result<Duration> {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .map_err(|_| Error::invalid(OPERATION, "the clock of this host stands before 1970"))
}

fn failed(error: rcgen::Error) -> Error {
    Error::new(Kind::Failed, OPERATION).what("the certificate cannot be made").source(error)
}
