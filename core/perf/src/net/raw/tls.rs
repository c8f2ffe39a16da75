// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Plain rustls over a socket: TLS 1.3 with AES-GCM by ring, as its documentation shows it.

use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, Connection, RootCertStore, ServerConfig, ServerConnection};

use super::Waiting;
use super::wire::{Plain, Wire};

/// The name in the server's certificate.
const NAME: &str = "mf-perf-net";

/// A cipher of TLS 1.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suite {
    Aes128,
    Aes256,
}

/// Identity of a server: a fresh key with its certificate.
pub(super) struct Identity {
    config: Arc<ServerConfig>,
    pub(super) certificate: Vec<u8>,
}

fn provider(suites: &[Suite]) -> Arc<CryptoProvider> {
    let cipher_suites = suites
        .iter()
        .map(|suite| match suite {
            Suite::Aes128 => ring::cipher_suite::TLS13_AES_128_GCM_SHA256,
            Suite::Aes256 => ring::cipher_suite::TLS13_AES_256_GCM_SHA384,
        })
        .collect();
    Arc::new(CryptoProvider { cipher_suites, ..ring::default_provider() })
}

impl Identity {
    pub(super) fn new() -> io::Result<Self> {
        let made = rcgen::generate_simple_self_signed([NAME.to_owned()]).map_err(io::Error::other)?;
        let certificate = made.cert.der().to_vec();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
        let mut config = ServerConfig::builder_with_provider(provider(&[Suite::Aes128, Suite::Aes256]))
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(io::Error::other)?
            .with_no_client_auth()
            .with_single_cert(vec![CertificateDer::from(certificate.clone())], key)
            .map_err(io::Error::other)?;
        config.send_tls13_tickets = 0;
        Ok(Self { config: Arc::new(config), certificate })
    }
}

/// An encrypted connection.
pub(super) struct Tls {
    plain: Plain,
    connection: Connection,
}

impl Tls {
    pub(super) fn server(plain: Plain, identity: &Identity) -> io::Result<Self> {
        let connection = ServerConnection::new(Arc::clone(&identity.config)).map_err(io::Error::other)?;
        Self::shake_hands(plain, connection.into())
    }

    pub(super) fn client(plain: Plain, certificate: &[u8], suite: Suite) -> io::Result<Self> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from(certificate.to_vec())).map_err(io::Error::other)?;
        let config = ClientConfig::builder_with_provider(provider(&[suite]))
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(io::Error::other)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from(NAME).map_err(io::Error::other)?;
        let connection = ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)?;
        Self::shake_hands(plain, connection.into())
    }

    fn shake_hands(mut plain: Plain, mut connection: Connection) -> io::Result<Self> {
        while connection.is_handshaking() {
            connection.complete_io(&mut plain)?;
        }
        Ok(Self { plain, connection })
    }

    fn flush(&mut self) -> io::Result<()> {
        while self.connection.wants_write() {
            self.connection.write_tls(&mut self.plain)?;
        }
        Ok(())
    }
}

impl Wire for Tls {
    fn send(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            // It takes as much as its buffer allows (64 KiB), and encrypts that.
            let taken = self.connection.writer().write(bytes)?;
            bytes = bytes.get(taken..).unwrap_or_default();
            self.flush()?;
        }
        Ok(())
    }

    fn receive(&mut self, mut into: &mut [u8]) -> io::Result<()> {
        while !into.is_empty() {
            match self.connection.reader().read(into) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => into = into.get_mut(count..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if self.connection.read_tls(&mut self.plain)? == 0 {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                    self.connection.process_new_packets().map_err(io::Error::other)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn wait_by(&mut self, waiting: Waiting) {
        self.plain.wait_by(waiting);
    }
}
