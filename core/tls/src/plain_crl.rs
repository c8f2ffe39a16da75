// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Revocation lists without extensions, as `openssl ca -gencrl` makes them by default.
//!
//! The profile of RFC 5280 wants a list number and the identifier of the CA's key in every list, and `webpki`
//! accepts no list without. Neither is needed to trust one: the list names its CA, is signed with the CA's
//! key, names its validity and the serial numbers that it revokes. So these lists are checked here, by the
//! same rules and with the same algorithms, once `webpki` has found the path of a peer's certificate. Lists
//! with extensions, critical ones of entries included, are left to `webpki` or refused.

use std::collections::BTreeSet;
use std::time::SystemTime;

use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::UnixTime;
use rustls::{CertRevocationListError, CertificateError, Error};
use webpki::VerifiedPath;
use x509_cert::Certificate;
use x509_cert::der::asn1::{AnyRef, BitStringRef};
use x509_cert::der::{self, Decode, ErrorKind, Reader, SliceReader, Tag, Tagged};
use x509_cert::ext::Extensions;
use x509_cert::ext::pkix::KeyUsage;
use x509_cert::name::Name;
use x509_cert::time::Time;

use crate::inspect::{RevocationFacts, Revoked, hex};

/// See the [module documentation](self).
#[derive(Debug)]
pub(crate) struct PlainCrl {
    /// The issuer's name in DER, without tag and length, as `webpki` shows names.
    issuer: Vec<u8>,
    next_update: Option<SystemTime>,
    /// Serial numbers in DER, without tag and length.
    revoked: BTreeSet<Vec<u8>>,
    /// The signed bytes, the algorithm (in DER, without tag and length), and the signature.
    signed: Vec<u8>,
    algorithm: Vec<u8>,
    signature: Vec<u8>,
}

impl PlainCrl {
    /// Reads a list that has no extensions.
    ///
    /// # Errors
    /// The fault of the encoding, or that it has extensions.
    pub(crate) fn from_der(bytes: &[u8]) -> der::Result<(Self, RevocationFacts)> {
        AnyRef::from_der(bytes)?.sequence(|list| {
            let signed = list.tlv_bytes()?;
            let algorithm = contents(list)?.to_vec();
            let signature = BitStringRef::decode(list)?;
            let signature = signature.as_bytes().ok_or(ErrorKind::Value { tag: Tag::BitString })?.to_vec();
            AnyRef::from_der(signed)?.sequence(|fields| {
                // The first version has no number; the second one has the number 1.
                if fields.peek_tag()? == Tag::Integer && u8::decode(fields)? != 1 {
                    return Err(ErrorKind::Value { tag: Tag::Integer }.into());
                }
                if contents(fields)? != algorithm {
                    return Err(ErrorKind::Value { tag: Tag::Sequence }.into());
                }
                let name = fields.tlv_bytes()?;
                let this_update = Time::decode(fields)?.to_system_time();
                let next_update = match fields.is_finished() || fields.peek_tag()? == Tag::Sequence {
                    true => None,
                    false => Some(Time::decode(fields)?.to_system_time()),
                };
                let mut revoked = Vec::new();
                let mut serials = BTreeSet::new();
                if !fields.is_finished() && fields.peek_tag()? == Tag::Sequence {
                    AnyRef::decode(fields)?.sequence(|entries| {
                        while !entries.is_finished() {
                            let (serial, at) = entry(entries)?;
                            revoked.push(Revoked { serial: hex(&serial), at });
                            serials.insert(serial);
                        }
                        Ok(())
                    })?;
                }
                let issuer = Name::from_der(name)?.to_string();
                let facts = RevocationFacts { issuer, this_update, next_update, revoked };
                let issuer = AnyRef::from_der(name)?.value().to_vec();
                let signed = signed.to_vec();
                Ok((Self { issuer, next_update, revoked: serials, signed, algorithm, signature }, facts))
            })
        })
    }

    /// The name of its issuer, in DER without tag and length.
    pub(crate) fn issuer(&self) -> &[u8] {
        &self.issuer
    }

    /// Checks that the key, a `SubjectPublicKeyInfo` without tag and length, has signed it.
    ///
    /// # Errors
    /// It has not, or the algorithm is not supported.
    pub(crate) fn verify(&self, key: &[u8], algorithms: &WebPkiSupportedAlgorithms) -> Result<(), Error> {
        let bad = || Error::InvalidCertRevocationList(CertRevocationListError::BadSignature);
        let (algorithm, key) = public_key(key).map_err(|_| bad())?;
        let fits = algorithms.all.iter().find(|one| {
            one.signature_alg_id().as_ref() == self.algorithm && one.public_key_alg_id().as_ref() == algorithm
        });
        fits.ok_or_else(bad)?.verify_signature(key, &self.signed, &self.signature).map_err(|_| bad())
    }

    /// Checks that the list is not overdue.
    pub(crate) fn check_date(&self, now: UnixTime) -> Result<(), Error> {
        let due = self.next_update.and_then(|due| due.duration_since(SystemTime::UNIX_EPOCH).ok());
        let next_update = UnixTime::since_unix_epoch(due.unwrap_or_default());
        if now >= next_update {
            return Err(CertificateError::ExpiredRevocationListContext { time: now, next_update }.into());
        }
        Ok(())
    }
}

/// Refuses a path with a certificate that one of `lists` revokes, and a path with lists that cannot be
/// trusted.
pub(crate) fn check(
    lists: &[PlainCrl],
    path: &VerifiedPath<'_>,
    now: UnixTime,
    algorithms: &WebPkiSupportedAlgorithms,
) -> Result<(), Error> {
    let between: Vec<_> = path.intermediate_certificates().collect();
    let leaf: &webpki::Cert<'_> = path.end_entity();
    let certificates = std::iter::once(leaf).chain(between.iter().copied());
    for (at, certificate) in certificates.enumerate() {
        for list in lists.iter().filter(|list| list.issuer == certificate.issuer()) {
            match between.get(at) {
                Some(issuer) => {
                    if !signs_lists(&issuer.der()) {
                        return Err(Error::InvalidCertRevocationList(
                            CertRevocationListError::IssuerInvalidForCrl,
                        ));
                    }
                    let key = issuer.subject_public_key_info();
                    let key = AnyRef::from_der(key.as_ref())
                        .map_err(|_| Error::from(CertificateError::BadEncoding))?;
                    list.verify(key.value(), algorithms)?;
                }
                // The CA's right to sign lists was checked when it was read.
                None => list.verify(path.anchor().subject_public_key_info.as_ref(), algorithms)?,
            }
            list.check_date(now)?;
            if list.revoked.contains(certificate.serial()) {
                return Err(CertificateError::Revoked.into());
            }
        }
    }
    Ok(())
}

/// Returns true if the holder of a certificate may sign revocation lists: a certificate without key usage
/// restricts nothing.
pub(crate) fn signs_lists(certificate: &[u8]) -> bool {
    let usage = Certificate::from_der(certificate).and_then(|one| one.tbs_certificate.get::<KeyUsage>());
    matches!(usage, Ok(usage) if usage.is_none_or(|(_, usage)| usage.crl_sign()))
}

/// Reads the contents of the next sequence.
fn contents<'a>(reader: &mut impl Reader<'a>) -> der::Result<&'a [u8]> {
    let any = AnyRef::decode(reader)?;
    any.tag().assert_eq(Tag::Sequence)?;
    Ok(any.value())
}

/// Serial number and date of an entry.
fn entry<'a>(entries: &mut impl Reader<'a>) -> der::Result<(Vec<u8>, SystemTime)> {
    AnyRef::decode(entries)?.sequence(|fields| {
        let serial = AnyRef::decode(fields)?;
        serial.tag().assert_eq(Tag::Integer)?;
        // Serial numbers are compared as they are written, so another spelling of one must not pass for
        // another number.
        if matches!(serial.value(), [] | [0, 0..=0x7f, ..] | [0xff, 0x80..=0xff, ..]) {
            return Err(ErrorKind::Noncanonical { tag: Tag::Integer }.into());
        }
        let at = Time::decode(fields)?.to_system_time();
        if !fields.is_finished() && Extensions::decode(fields)?.iter().any(|extension| extension.critical) {
            return Err(ErrorKind::Value { tag: Tag::Boolean }.into());
        }
        Ok((serial.value().to_vec(), at))
    })
}

/// Algorithm and bits of a public key.
fn public_key(info: &[u8]) -> der::Result<(&[u8], &[u8])> {
    let mut reader = SliceReader::new(info)?;
    let algorithm = contents(&mut reader)?;
    let key = BitStringRef::decode(&mut reader)?;
    reader.finish((algorithm, key.as_bytes().ok_or(ErrorKind::Value { tag: Tag::BitString })?))
}
