// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Common rustls configuration of all encrypted connections of the store, for every kind of identity.
//!
//! TLS 1.3 and nothing older; the three AEAD suites; X25519 first. No tickets and no early data: a resumed or
//! early handshake would save one round trip and cost the guarantee that nothing recorded can be played
//! again. Both sides name the protocol ([`PROTOCOL`], or the name of a [channel](super::channel)), so that a
//! certificate made for the store cannot be used to pull the store into a conversation of another protocol.

use std::sync::Arc;

use mf_base::{Error, Kind, Result};
use rustls::client::Resumption;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::{CryptoProvider, ring};
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{NoServerSessionStorage, ResolvesServerCert};
use rustls::{ClientConfig, ServerConfig, client::ResolvesClientCert, version};

/// Name of the store's protocol in the handshake (ALPN).
pub(crate) const PROTOCOL: &[u8] = b"memfabric-store/1";

/// Common methods of the two traits of a check of peers: signatures of TLS 1.3, by the check's own
/// `signature` and `schemes`; TLS 1.2 is never used.
macro_rules! tls13_only {
    () => {
        fn verify_tls12_signature(
            &self,
            _: &[u8],
            _: &rustls::pki_types::CertificateDer<'_>,
            _: &rustls::DigitallySignedStruct,
        ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
            Err(rustls::PeerMisbehaved::SignedHandshakeWithUnadvertisedSigScheme.into())
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            shown: &rustls::pki_types::CertificateDer<'_>,
            signed: &rustls::DigitallySignedStruct,
        ) -> Result<rustls::client::danger::HandshakeSignatureValid, rustls::Error> {
            self.signature(message, shown, signed)
        }

        fn supported_verify_schemes(&self) -> Vec<rustls::SignatureScheme> {
            self.schemes()
        }
    };
}
pub(crate) use tls13_only;

/// Settings of one identity for both directions.
#[derive(Clone, Debug)]
pub(crate) struct Configs {
    pub(crate) server: Arc<ServerConfig>,
    pub(crate) client: Arc<ClientConfig>,
}

/// The own identity and the trusted peers.
pub(crate) struct Trust {
    pub(crate) server_key: Arc<dyn ResolvesServerCert>,
    pub(crate) client_key: Arc<dyn ResolvesClientCert>,
    pub(crate) check_client: Arc<dyn ClientCertVerifier>,
    pub(crate) check_server: Arc<dyn ServerCertVerifier>,
}

/// The algorithms.
pub(crate) fn provider() -> CryptoProvider {
    CryptoProvider {
        kx_groups: vec![ring::kx_group::X25519, ring::kx_group::SECP256R1],
        ..ring::default_provider()
    }
}

/// The settings of connections between peers of this trust with `protocol`.
pub(crate) fn configs(provider: &Arc<CryptoProvider>, trust: Trust, protocol: &[u8]) -> Result<Configs> {
    let mut server = ServerConfig::builder_with_provider(Arc::clone(provider))
        .with_protocol_versions(&[&version::TLS13])
        .map_err(unusable)?
        .with_client_cert_verifier(trust.check_client)
        .with_cert_resolver(trust.server_key);
    server.alpn_protocols = vec![protocol.to_vec()];
    server.session_storage = Arc::new(NoServerSessionStorage {});
    server.send_tls13_tickets = 0;
    server.max_early_data_size = 0;

    let mut client = ClientConfig::builder_with_provider(Arc::clone(provider))
        .with_protocol_versions(&[&version::TLS13])
        .map_err(unusable)?
        .dangerous()
        .with_custom_certificate_verifier(trust.check_server)
        .with_client_cert_resolver(trust.client_key);
    client.alpn_protocols = vec![protocol.to_vec()];
    client.resumption = Resumption::disabled();
    client.enable_early_data = false;
    client.enable_sni = false;
    Ok(Configs { server: Arc::new(server), client: Arc::new(client) })
}

/// A setup that rustls refuses.
pub(crate) fn unusable(error: rustls::Error) -> Error {
    Error::new(Kind::Failed, "store tls").what("the TLS setup is not usable").source(error)
}
