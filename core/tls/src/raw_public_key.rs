// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Identity by secret: a fresh key a process, shown as a raw public key (RFC 7250).
//!
//! The key itself identifies no member. TLS 1.3 needs it for its channel, and checks, as with certificates,
//! that the other end holds its key. The proofs of the job secret authenticate that end, over a number that
//! belongs to this channel (see the essay of [the module above](super)).

use std::sync::Arc;

use mf_base::{Error, Kind, Result};
use rustls::client::AlwaysResolvesClientRawPublicKeys;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls13_signature_with_raw_key};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::server::AlwaysResolvesServerRawPublicKeys;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::sign::CertifiedKey;
use rustls::{DigitallySignedStruct, DistinguishedName, SignatureScheme};
use zeroize::Zeroizing;

use crate::rustls_config::{self, Configs, Trust, tls13_only};

/// Makes a key and the settings for connections with `protocol`.
///
/// # Errors
/// `Failed` when the kernel gives no random numbers.
pub(crate) fn configs(provider: CryptoProvider, protocol: &[u8]) -> Result<Configs> {
    let provider = Arc::new(provider);
    let failed = || Error::new(Kind::Failed, "store tls").what("no key could be made");
    let document = ring::signature::Ed25519KeyPair::generate_pkcs8(&ring::rand::SystemRandom::new())
        .map_err(|_| failed())?;
    let document = Zeroizing::new(document.as_ref().to_vec());
    let key = PrivatePkcs8KeyDer::from(&document[..]);
    let key = rustls::crypto::ring::sign::any_eddsa_type(&key).map_err(rustls_config::unusable)?;
    let public = key.public_key().ok_or_else(failed)?;
    let shown = vec![CertificateDer::from(public.as_ref().to_vec())];
    let own = Arc::new(CertifiedKey::new(shown, key));
    let check = Arc::new(AnyKey(Arc::clone(&provider)));
    rustls_config::configs(
        &provider,
        Trust {
            server_key: Arc::new(AlwaysResolvesServerRawPublicKeys::new(Arc::clone(&own))),
            client_key: Arc::new(AlwaysResolvesClientRawPublicKeys::new(own)),
            check_client: Arc::<AnyKey>::clone(&check),
            check_server: check,
        },
        protocol,
    )
}

/// Accepts any key that the other end proves to hold.
#[derive(Debug)]
struct AnyKey(Arc<CryptoProvider>);

impl AnyKey {
    fn signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let key = SubjectPublicKeyInfoDer::from(shown.as_ref());
        verify_tls13_signature_with_raw_key(message, &key, signed, &self.0.signature_verification_algorithms)
    }

    fn schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }
}

impl ServerCertVerifier for AnyKey {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    tls13_only!();

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

impl ClientCertVerifier for AnyKey {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        Ok(ClientCertVerified::assertion())
    }

    tls13_only!();

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}
