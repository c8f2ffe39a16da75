// SPDX-License-Identifier: Apache-2.0 OR MIT
//! TLS 1.3 for other connections between members than those to the store: a private channel to an *unknown
//! peer*, and numbers that only its two ends know.
//!
//! It is the first half of the construction that [the module above](super) explains: fresh keys that identify
//! no member. The caller authenticates the other end by a proof over [`Channel::export`], with a secret that
//! both members know. There are no sockets and no waits here: the caller carries the records.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr};

use mf_base::{Error, Kind, Result};
use rustls::pki_types::ServerName;
use rustls::{CipherSuite, ClientConnection, Connection, ServerConnection};

use crate::raw_public_key;
use crate::rustls_config::{self, Configs};

const OPERATION: &str = "tls channel";

/// Most bytes of a record on the wire, its head of [`HEAD_BYTES`] included.
pub const RECORD_BYTES_MAX: usize = HEAD_BYTES + (16 << 10) + 256;
/// Bytes of the head of a record; the last two are the length of what follows, big end first.
pub const HEAD_BYTES: usize = 5;

/// A key of this process, and the settings that go with it.
pub struct Channels {
    configs: Configs,
    protocol: &'static [u8],
}

/// One end of a channel.
pub struct Channel {
    connection: Connection,
    protocol: &'static [u8],
}

/// Protection of a channel's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cipher {
    /// AES in Galois counter mode, keys of 16 bytes.
    Aes128Gcm,
    /// The same with keys of 32 bytes.
    Aes256Gcm,
    /// ChaCha20 with Poly1305: for processors without instructions for AES.
    ChaCha20Poly1305,
}

impl Channels {
    /// Makes a fresh key. Both ends name the `protocol`; with different ones no channel is made.
    ///
    /// # Errors
    /// `Failed` when the kernel gives no random numbers.
    pub fn new(protocol: &'static [u8]) -> Result<Self> {
        let mut provider = rustls_config::provider();
        // The client's order decides. Keys of 16 bytes are not the weak spot of anything, and a fifth faster.
        provider.cipher_suites.sort_by_key(|suite| match cipher(suite.suite()) {
            Some(Cipher::Aes128Gcm) => u8::from(!has_aes()) * 3,
            Some(Cipher::ChaCha20Poly1305) => 1,
            Some(Cipher::Aes256Gcm) => 2,
            None => 4,
        });
        Ok(Self { configs: raw_public_key::configs(provider, protocol)?, protocol })
    }

    /// The connecting end.
    ///
    /// # Errors
    /// `Failed` when the setup is not usable.
    pub fn client(&self) -> Result<Channel> {
        // The name is not used: the keys have none.
        let name = ServerName::IpAddress(IpAddr::V4(Ipv4Addr::UNSPECIFIED).into());
        let client =
            ClientConnection::new(self.configs.client.clone(), name).map_err(rustls_config::unusable)?;
        Ok(Channel { connection: client.into(), protocol: self.protocol })
    }

    /// The accepting end.
    ///
    /// # Errors
    /// `Failed` when the setup is not usable.
    pub fn server(&self) -> Result<Channel> {
        let server = ServerConnection::new(self.configs.server.clone()).map_err(rustls_config::unusable)?;
        Ok(Channel { connection: server.into(), protocol: self.protocol })
    }
}

impl Channel {
    /// Takes one whole record. Output that it causes is in [`take_output`](Self::take_output), also after an
    /// error.
    ///
    /// # Errors
    /// `NotConnected` when the other side does not use TLS, or refuses.
    pub fn receive(&mut self, record: &[u8]) -> Result<()> {
        let mut rest = record;
        while !rest.is_empty() {
            let taken = self.connection.read_tls(&mut rest).map_err(|error| broken().source(error))?;
            self.connection.process_new_packets().map_err(|error| broken().source(error))?;
            if taken == 0 {
                return Err(broken().what("a TLS record is too long").with("bytes", record.len()));
            }
        }
        Ok(())
    }

    /// Appends the bytes to send to `output`.
    pub fn take_output(&mut self, output: &mut Vec<u8>) {
        while self.connection.wants_write() {
            // Writing to memory does not fail.
            if !self.connection.write_tls(output).is_ok_and(|written| written > 0) {
                return;
            }
        }
    }

    /// Returns true until both ends have keys.
    pub fn is_handshaking(&self) -> bool {
        self.connection.is_handshaking()
    }

    /// Encrypts a short message; [`take_output`](Self::take_output) has it.
    ///
    /// # Errors
    /// `NoResources` when it is too long for the buffer (some records).
    pub fn write(&mut self, plaintext: &[u8]) -> Result<()> {
        self.connection.writer().write_all(plaintext).map_err(|error| {
            Error::new(Kind::NoResources, OPERATION).with("bytes", plaintext.len()).source(error)
        })
    }

    /// Appends the received and decrypted bytes to `plaintext`.
    pub fn read(&mut self, plaintext: &mut Vec<u8>) {
        // It ends with "nothing there yet", or with the end of the connection, which the socket reports as
        // well.
        let _ = self.connection.reader().read_to_end(plaintext);
    }

    /// 32 bytes that only the two ends of this channel know, different for each `label`. A label begins with
    /// `EXPORTER-`. (RFC 8446, 7.5.)
    ///
    /// # Errors
    /// `NotConnected` when the other side uses another protocol, or the handshake is not done.
    pub fn export(&self, label: &[u8]) -> Result<[u8; 32]> {
        if self.connection.alpn_protocol() != Some(self.protocol) {
            return Err(broken().what("the other side uses TLS, but another protocol in it"));
        }
        let exported = match &self.connection {
            Connection::Client(client) => client.export_keying_material([0; 32], label, None),
            Connection::Server(server) => server.export_keying_material([0; 32], label, None),
        };
        exported.map_err(|error| broken().source(error))
    }

    /// The connection itself, for measurements.
    pub fn into_connection(self) -> Connection {
        self.connection
    }

    /// The cipher that the two ends agreed on; none before they did.
    pub fn cipher(&self) -> Option<Cipher> {
        cipher(self.connection.negotiated_cipher_suite()?.suite())
    }
}

fn cipher(suite: CipherSuite) -> Option<Cipher> {
    match suite {
        CipherSuite::TLS13_AES_128_GCM_SHA256 => Some(Cipher::Aes128Gcm),
        CipherSuite::TLS13_AES_256_GCM_SHA384 => Some(Cipher::Aes256Gcm),
        CipherSuite::TLS13_CHACHA20_POLY1305_SHA256 => Some(Cipher::ChaCha20Poly1305),
        _ => None,
    }
}

/// Returns true if this processor has AES instructions.
fn has_aes() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("aes") && std::arch::is_x86_feature_detected!("pclmulqdq");
    #[cfg(target_arch = "aarch64")]
    return std::arch::is_aarch64_feature_detected!("aes")
        && std::arch::is_aarch64_feature_detected!("pmull");
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    false
}

fn broken() -> Error {
    Error::new(Kind::NotConnected, OPERATION).what("the TLS connection failed")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Carries records until both ends have nothing to send.
    fn run(client: &mut Channel, server: &mut Channel) -> Result<()> {
        loop {
            let (mut up, mut down) = (Vec::new(), Vec::new());
            client.take_output(&mut up);
            server.receive(&up)?;
            server.take_output(&mut down);
            client.receive(&down)?;
            if up.is_empty() && down.is_empty() {
                return Ok(());
            }
        }
    }

    fn pair(channels: &Channels) -> (Channel, Channel) {
        let (mut client, mut server) = (channels.client().unwrap(), channels.server().unwrap());
        run(&mut client, &mut server).unwrap();
        assert!(!client.is_handshaking() && !server.is_handshaking());
        (client, server)
    }

    #[test]
    fn exporters_are_unique_per_channel_and_label() {
        let channels = Channels::new(b"test/1").unwrap();
        let (client, server) = pair(&channels);
        let number = client.export(b"EXPORTER-a").unwrap();
        assert_eq!(number, server.export(b"EXPORTER-a").unwrap());
        assert_ne!(number, server.export(b"EXPORTER-b").unwrap());
        let (other, _) = pair(&channels);
        assert_ne!(number, other.export(b"EXPORTER-a").unwrap());
        assert!(client.cipher().is_some());
        assert_eq!(client.cipher(), server.cipher());
    }

    #[test]
    fn messages_arrive_in_both_directions() {
        let (mut client, mut server) = pair(&Channels::new(b"test/1").unwrap());
        client.write(b"there").unwrap();
        server.write(b"back").unwrap();
        run(&mut client, &mut server).unwrap();
        let (mut at_client, mut at_server) = (Vec::new(), Vec::new());
        client.read(&mut at_client);
        server.read(&mut at_server);
        assert_eq!((&at_client[..], &at_server[..]), (&b"back"[..], &b"there"[..]));
    }

    #[test]
    fn another_protocol_is_refused() {
        let (one, other) = (Channels::new(b"test/1").unwrap(), Channels::new(b"test/2").unwrap());
        let (mut client, mut server) = (one.client().unwrap(), other.server().unwrap());
        let error = run(&mut client, &mut server).unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected);
    }

    #[test]
    fn nothing_is_exported_before_the_handshake() {
        assert!(Channels::new(b"test/1").unwrap().client().unwrap().export(b"EXPORTER-a").is_err());
    }
}
