// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Verification of a peer's certificate chain.
//!
//! The chain must lead to one of our CAs that is valid itself, every certificate must be valid now, made for
//! the purpose, and not revoked. Where revocation lists are given, there must be one of the CA that signed
//! the peer's certificate (else a list that was forgotten would let revoked members in), and a list that is
//! overdue is not taken. The certificate of a store must name the address that was dialled, or
//! `memfabric-store`; members need no name.
//!
//! Lists without extensions, which `webpki` does not accept, are checked separately (`plain_crl.rs`), by the
//! same rules.
//!
//! The path is built and checked by `webpki`, the crate behind rustls' own verifiers. Those are not used
//! directly, because they accept one name for a server, not either of two, and cannot leave the name out.

use std::borrow::Cow;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, DnsName, ServerName, TrustAnchor, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    CertRevocationListError, CertificateError, DigitallySignedStruct, DistinguishedName, Error, OtherError,
    SignatureScheme,
};
use webpki::{
    CertRevocationList, EndEntityCert, ExpirationPolicy, KeyUsage, RevocationCheckDepth,
    RevocationOptionsBuilder, UnknownStatusPolicy,
};

use crate::plain_crl::{self, PlainCrl};
use crate::rustls_config::tls13_only;

/// The name that makes a certificate good for a store at any address.
pub(crate) const STORE_NAME: &str = "memfabric-store";

/// A CA that we trust, between two moments in seconds since 1970.
#[derive(Clone, Debug)]
pub(crate) struct Authority {
    pub(crate) anchor: TrustAnchor<'static>,
    /// True if its certificate lets it sign revocation lists.
    pub(crate) signs_lists: bool,
    pub(crate) not_before_s: u64,
    pub(crate) not_after_s: u64,
}

/// See the [module documentation](self).
#[derive(Debug)]
pub(crate) struct ChainCheck {
    anchors: Vec<TrustAnchor<'static>>,
    /// The validity of each anchor.
    valid: Vec<(u64, u64)>,
    revocations: Revocations,
    algorithms: WebPkiSupportedAlgorithms,
    verify_name: bool,
}

/// The revocation lists that are given.
#[derive(Debug, Default)]
pub(crate) struct Revocations {
    /// With the extensions that the profile asks for.
    pub(crate) full: Vec<CertRevocationList<'static>>,
    /// Without any.
    pub(crate) plain: Vec<PlainCrl>,
}

impl Revocations {
    fn is_empty(&self) -> bool {
        self.full.is_empty() && self.plain.is_empty()
    }

    fn any_of(&self, issuer: &[u8]) -> bool {
        self.full.iter().any(|list| list.issuer() == issuer)
            || self.plain.iter().any(|list| list.issuer() == issuer)
    }
}

/// Purpose of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Member,
    Store,
}

impl ChainCheck {
    pub(crate) fn new(
        authorities: Vec<Authority>,
        revocations: Revocations,
        algorithms: WebPkiSupportedAlgorithms,
        verify_name: bool,
    ) -> Self {
        let valid = authorities.iter().map(|one| (one.not_before_s, one.not_after_s)).collect();
        let anchors = authorities.into_iter().map(|one| one.anchor).collect();
        Self { anchors, valid, revocations, algorithms, verify_name }
    }

    /// Checks everything but the name.
    pub(crate) fn check(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
        purpose: Purpose,
    ) -> Result<(), Error> {
        let certificate = EndEntityCert::try_from(end_entity).map_err(refusal)?;
        if !self.revocations.is_empty() && !self.revocations.any_of(certificate.issuer()) {
            return Err(CertificateError::UnknownRevocationStatus.into());
        }
        let lists: Vec<&CertRevocationList<'_>> = self.revocations.full.iter().collect();
        // Without any list there are no options.
        let revocation = RevocationOptionsBuilder::new(&lists).ok().map(|options| {
            options
                .with_depth(RevocationCheckDepth::Chain)
                .with_status_policy(UnknownStatusPolicy::Allow)
                .with_expiration_policy(ExpirationPolicy::Enforce)
                .build()
        });
        let usage = match purpose {
            Purpose::Member => KeyUsage::client_auth(),
            Purpose::Store => KeyUsage::server_auth(),
        };
        let anchors = self.anchors(now.as_secs());
        let path = certificate
            .verify_for_usage(self.algorithms.all, &anchors, intermediates, now, usage, revocation, None)
            .map_err(refusal)?;
        plain_crl::check(&self.revocations.plain, &path, now, &self.algorithms)
    }

    /// The CAs that are valid at this moment. Path building ignores the dates of a trust anchor.
    fn anchors(&self, now_s: u64) -> Cow<'_, [TrustAnchor<'static>]> {
        let is_valid = |(from, to): &(u64, u64)| (*from..=*to).contains(&now_s);
        if self.valid.iter().all(is_valid) {
            return Cow::Borrowed(&self.anchors);
        }
        let valid = self.anchors.iter().zip(&self.valid).filter(|(_, span)| is_valid(span));
        Cow::Owned(valid.map(|(anchor, _)| anchor.clone()).collect())
    }

    fn check_name(&self, end_entity: &CertificateDer<'_>, dialled: &ServerName<'_>) -> Result<(), Error> {
        if !self.verify_name {
            return Ok(());
        }
        let certificate = EndEntityCert::try_from(end_entity).map_err(refusal)?;
        if let Ok(name) = DnsName::try_from(STORE_NAME)
            && certificate.verify_is_valid_for_subject_name(&ServerName::DnsName(name)).is_ok()
        {
            return Ok(());
        }
        certificate.verify_is_valid_for_subject_name(dialled).map_err(refusal)
    }

    fn signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// The refusal in rustls' form: the alert to the peer follows from it.
fn refusal(error: webpki::Error) -> Error {
    use webpki::Error as Pki;
    let reason = match error {
        Pki::BadDer | Pki::BadDerTime | Pki::TrailingData(_) => CertificateError::BadEncoding,
        Pki::CertExpired { time, not_after } => CertificateError::ExpiredContext { time, not_after },
        Pki::CertNotValidYet { time, not_before } => {
            CertificateError::NotValidYetContext { time, not_before }
        }
        Pki::CertRevoked => CertificateError::Revoked,
        // A wrong signature comes from a CA with the name of one of ours, but another key.
        Pki::UnknownIssuer | Pki::InvalidSignatureForPublicKey => CertificateError::UnknownIssuer,
        Pki::UnknownRevocationStatus => CertificateError::UnknownRevocationStatus,
        Pki::CrlExpired { time, next_update } => {
            CertificateError::ExpiredRevocationListContext { time, next_update }
        }
        Pki::CertNotValidForName(names) => {
            CertificateError::NotValidForNameContext { expected: names.expected, presented: names.presented }
        }
        Pki::RequiredEkuNotFoundContext(_) | Pki::EmptyEkuExtension => CertificateError::InvalidPurpose,
        Pki::InvalidCrlSignatureForPublicKey => {
            return Error::InvalidCertRevocationList(CertRevocationListError::BadSignature);
        }
        Pki::IssuerNotCrlSigner => {
            return Error::InvalidCertRevocationList(CertRevocationListError::IssuerInvalidForCrl);
        }
        other => CertificateError::Other(OtherError(Arc::new(other))),
    };
    Error::InvalidCertificate(reason)
}

impl ServerCertVerifier for ChainCheck {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        dialled: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.check(end_entity, intermediates, now, Purpose::Store)?;
        self.check_name(end_entity, dialled)?;
        Ok(ServerCertVerified::assertion())
    }

    tls13_only!();
}

impl ClientCertVerifier for ChainCheck {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        // Members have one certificate and show it for all hints.
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.check(end_entity, intermediates, now, Purpose::Member)?;
        Ok(ClientCertVerified::assertion())
    }

    tls13_only!();
}
