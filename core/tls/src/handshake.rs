// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handshakes: the channel binding of a complete one, and errors with a remedy for failed ones.
//!
//! The end that refuses has the reason; the other receives one of the alerts of the standard. Both get a
//! text.

use mf_base::Kind;
use rustls::pki_types::ServerName;
use rustls::{AlertDescription, CertificateError, ConnectionCommon, Error, PeerIncompatible};

use crate::inspect::date_of_seconds;
use crate::rustls_config;
use crate::verify::STORE_NAME;

/// Which end of the connection we are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The connecting end.
    Client,
    /// The accepting end.
    Server,
}

/// Label of the TLS exporter that the proofs of the job secret cover.
const EXPORTER: &[u8] = b"EXPORTER-memfabric-job-secret";

/// Why a handshake failed: kind, text and remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandshakeError {
    /// Kind of the error.
    pub kind: Kind,
    /// Text for the user; parts of it may come from the peer.
    pub what: String,
    /// Remedy, or empty.
    pub hint: String,
}

impl HandshakeError {
    fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), hint: String::new() }
    }

    fn invalid(what: impl Into<String>) -> Self {
        Self::new(Kind::InvalidParam, what)
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

const SAME_CA: &str =
    "give both sides CA files of the same job (mf certs show prints the issuer of a certificate)";
const SAME_KIND: &str = "one side identifies itself by the job secret and the other by certificates: \
                         give both the same (MF_JOB_SECRET, or tls_info)";
const CLOCKS: &str = "make a new one (mf certs rotate), or compare the clocks of both hosts";

/// Explains `error` to the user on our `side`.
pub fn explain(error: &Error, side: Side) -> HandshakeError {
    let peer = match side {
        Side::Client => "the store",
        Side::Server => "the member",
    };
    match error {
        Error::InvalidCertificate(_) | Error::InvalidCertRevocationList(_) => {
            let (what, hint) = fault(error);
            HandshakeError::invalid(format!("the certificate of {peer} {what}")).hint(hint)
        }
        Error::NoCertificatesPresented => HandshakeError::invalid(format!("{peer} shows no certificate"))
            .hint("every member needs one of the job's CA: mf certs issue"),
        Error::AlertReceived(alert) => alerted(*alert, peer),
        Error::PeerIncompatible(PeerIncompatible::IncorrectCertificateTypeExtension) => {
            HandshakeError::invalid(format!("{peer} uses another kind of identity")).hint(SAME_KIND)
        }
        Error::PeerIncompatible(
            PeerIncompatible::SupportedVersionsExtensionRequired
            | PeerIncompatible::ServerDoesNotSupportTls12Or13
            | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig,
        ) => HandshakeError::invalid(format!("{peer} does not speak TLS 1.3"))
            .hint("older versions are not supported"),
        Error::NoApplicationProtocol => {
            HandshakeError::invalid(format!("{peer} uses TLS, but not the protocol of the store"))
                .hint("check the address and the release of the other side")
        }
        Error::InvalidMessage(_)
        | Error::InappropriateMessage { .. }
        | Error::InappropriateHandshakeMessage { .. } => {
            HandshakeError::invalid(format!("{peer} does not speak TLS: {error}"))
                .hint("check the address, and that both sides have the same MF_STORE_TLS")
        }
        _ => HandshakeError::new(Kind::NotConnected, format!("the TLS connection to {peer} failed: {error}")),
    }
}

/// Returns the fault of a certificate, as a clause after its name, and the remedy.
pub(crate) fn fault(error: &Error) -> (String, &'static str) {
    let reason = match error {
        Error::InvalidCertificate(reason) => reason,
        Error::InvalidCertRevocationList(reason) => {
            let what = format!("cannot be checked, the revocation list is wrong: {reason:?}");
            return (what, "the list must be signed by the CA itself");
        }
        other => return (format!("is not usable: {other}"), ""),
    };
    match reason {
        CertificateError::ExpiredContext { not_after, .. } => {
            (format!("expired on {}", date_of_seconds(not_after.as_secs())), CLOCKS)
        }
        CertificateError::NotValidYetContext { not_before, .. } => {
            (format!("is not valid before {}", date_of_seconds(not_before.as_secs())), CLOCKS)
        }
        CertificateError::Revoked => ("has been revoked".to_owned(), "issue a new one: mf certs rotate"),
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            ("is not signed by any of our CAs".to_owned(), SAME_CA)
        }
        CertificateError::NotValidForNameContext { expected, presented } => (
            format!("names neither {} nor {STORE_NAME}, but {}", shown(expected), named(presented)),
            "issue one with the address (mf certs issue --address), or MF_TLS_VERIFY_NAME=false",
        ),
        CertificateError::UnknownRevocationStatus => (
            "is of a CA of which no revocation list is given".to_owned(),
            "tlsCrlFile and crlPath need a list of every CA, or must not be given",
        ),
        CertificateError::ExpiredRevocationListContext { next_update, .. } => (
            format!(
                "cannot be checked: the revocation list of its CA was due for renewal on {}",
                date_of_seconds(next_update.as_secs())
            ),
            "get the current list from the CA",
        ),
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => (
            "is made for another purpose".to_owned(),
            "its extended key usage must allow TLS servers and clients, or not be there",
        ),
        CertificateError::BadEncoding => {
            ("cannot be read".to_owned(), "openssl x509 -text shows its content")
        }
        other => (format!("is not usable: {other}"), "openssl x509 -text shows its content"),
    }
}

/// The refusal of the other side.
fn alerted(alert: AlertDescription, peer: &str) -> HandshakeError {
    let (what, hint) = match alert {
        AlertDescription::CertificateExpired => {
            ("refuses our certificate: expired, or not valid yet", CLOCKS)
        }
        AlertDescription::CertificateRevoked => {
            ("refuses our certificate: revoked", "issue a new one: mf certs rotate")
        }
        AlertDescription::UnknownCA => (
            "refuses our certificate: not signed by any of its CAs, or it has no current revocation list",
            SAME_CA,
        ),
        AlertDescription::BadCertificate => (
            "refuses our certificate: it does not name the address dialled, or cannot be read",
            "issue one with the address (mf certs issue --address)",
        ),
        AlertDescription::UnsupportedCertificate => (
            "refuses our certificate: made for another purpose",
            "its extended key usage must allow TLS servers and clients, or not be there",
        ),
        AlertDescription::CertificateRequired => {
            ("demands a certificate, and we have none", "mf certs issue makes one; tls_info names it")
        }
        AlertDescription::DecryptError | AlertDescription::CertificateUnknown => {
            ("cannot verify our certificate", SAME_CA)
        }
        AlertDescription::HandshakeFailure => ("uses another kind of identity", SAME_KIND),
        AlertDescription::ProtocolVersion => ("does not speak TLS 1.3", "older versions are not supported"),
        AlertDescription::NoApplicationProtocol => (
            "uses TLS, but not the protocol of the store",
            "check the address and the release of the other side",
        ),
        other => {
            return HandshakeError::new(
                Kind::NotConnected,
                format!("{peer} ended the TLS connection: {other:?}"),
            );
        }
    };
    HandshakeError::invalid(format!("{peer} {what}")).hint(hint)
}

fn shown(name: &ServerName<'_>) -> String {
    name.to_str().into_owned()
}

fn named(presented: &[String]) -> String {
    if presented.is_empty() { "nothing".to_owned() } else { presented.join(", ") }
}

/// Returns the channel binding of `connection`: 32 bytes of the TLS exporter, which the proofs of the job
/// secret cover. Only after a complete handshake.
///
/// # Errors
/// The peer did not agree to the store's protocol · the handshake is not complete.
pub fn exporter<Side>(connection: &ConnectionCommon<Side>) -> Result<[u8; 32], HandshakeError> {
    if connection.alpn_protocol() != Some(rustls_config::PROTOCOL) {
        return Err(HandshakeError::invalid("the other side uses TLS, but not the protocol of the store")
            .hint("check the address: another program answers there, or connects here"));
    }
    connection.export_keying_material([0; 32], EXPORTER, None).map_err(|error| {
        HandshakeError::new(Kind::Failed, format!("the TLS connection is not complete: {error}"))
    })
}
