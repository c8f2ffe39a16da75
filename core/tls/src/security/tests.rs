// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Connections of two ends in memory.

use super::*;
use crate::handshake::{HandshakeError, Side, explain, exporter};

mod bench;
mod certificates;
mod loading;
mod openssl;

/// Both ends of a connection, with their unsent bytes.
struct Pair {
    server: ServerConnection,
    client: ClientConnection,
    /// The side that refused first and why, and the alert that the other received.
    refused: Option<(Side, rustls::Error)>,
    reported: Option<rustls::Error>,
}

impl Pair {
    fn new(server: &Security, client: &Security) -> Self {
        let (server, client) = (server.server_connection(), client.client_connection(ip(AWAY)));
        Self { server: server.unwrap(), client: client.unwrap(), refused: None, reported: None }
    }

    fn failed(&mut self, side: Side, error: rustls::Error) {
        match &self.refused {
            None => self.refused = Some((side, error)),
            Some((first, _)) if *first != side && self.reported.is_none() => self.reported = Some(error),
            Some(_) => {}
        }
    }

    /// Carries bytes until both sides have nothing to send.
    fn run(&mut self) {
        loop {
            let (mut up, mut down) = (Vec::new(), Vec::new());
            while self.client.wants_write() {
                self.client.write_tls(&mut up).unwrap();
            }
            let mut cut = &up[..];
            while !cut.is_empty() {
                self.server.read_tls(&mut cut).unwrap();
                if let Err(error) = self.server.process_new_packets() {
                    self.failed(Side::Server, error);
                    break;
                }
            }
            while self.server.wants_write() {
                self.server.write_tls(&mut down).unwrap();
            }
            let mut cut = &down[..];
            while !cut.is_empty() {
                self.client.read_tls(&mut cut).unwrap();
                if let Err(error) = self.client.process_new_packets() {
                    self.failed(Side::Client, error);
                    break;
                }
            }
            if up.is_empty() && down.is_empty() {
                return;
            }
        }
    }
}

/// Runs the handshake of two ends. Returns the side that refused and its reason.
fn handshake(
    server: &Security,
    client: &Security,
) -> Result<(ServerConnection, ClientConnection), (Side, rustls::Error)> {
    let mut pair = Pair::new(server, client);
    pair.run();
    match pair.refused {
        Some(refused) => Err(refused),
        None => {
            assert!(!pair.server.is_handshaking() && !pair.client.is_handshaking());
            Ok((pair.server, pair.client))
        }
    }
}

/// The side that refused, why, and the alert that the other received.
fn failed_handshake(server: &Security, client: &Security) -> (Side, rustls::Error, Option<rustls::Error>) {
    let mut pair = Pair::new(server, client);
    pair.run();
    let (side, error) = pair.refused.expect("the handshake must fail");
    (side, error, pair.reported)
}

/// Text and remedy.
fn shown(error: &HandshakeError) -> String {
    format!("{}; {}", error.what, error.hint)
}

const HERE: &str = "127.0.0.1";
const AWAY: &str = "192.0.2.1";

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn secret() -> Arc<Security> {
    Security::new(Switch::Auto, vec![7; 32], None).unwrap()
}

#[test]
fn secret_encrypts_everything() {
    let security = secret();
    for address in [HERE, AWAY, "::1", "0.0.0.0"] {
        assert!(security.must_encrypt(ip(address)).unwrap());
        security.may_listen(ip(address)).unwrap();
        assert!(!security.accepts_plain(ip(address)));
    }
}

#[test]
fn only_local_connections_are_allowed_without_an_identity() {
    let security = Security::new(Switch::Auto, Vec::new(), None).unwrap();
    for address in [HERE, "::1", "::ffff:127.0.0.1"] {
        assert!(!security.must_encrypt(ip(address)).unwrap());
        security.may_listen(ip(address)).unwrap();
        assert!(security.accepts_plain(ip(address)));
    }
    for address in [AWAY, "0.0.0.0", "::", "2001:db8::1"] {
        assert!(!security.accepts_plain(ip(address)));
        for error in
            [security.must_encrypt(ip(address)).unwrap_err(), security.may_listen(ip(address)).unwrap_err()]
        {
            let text = error.to_string();
            for part in [address, "MF_JOB_SECRET", "mf certs", "MF_STORE_TLS=off"] {
                assert!(text.contains(part), "{text}");
            }
        }
    }
}

#[test]
fn off_allows_plaintext_and_on_requires_an_identity() {
    let off = Security::new(Switch::Off, vec![7; 32], None).unwrap();
    assert!(!off.must_encrypt(ip(AWAY)).unwrap());
    assert!(off.accepts_plain(ip(AWAY)));
    assert_eq!(off.secret(), [7; 32]);
    assert!(Security::new(Switch::On, Vec::new(), None).unwrap_err().to_string().contains("MF_JOB_SECRET"));
    let on = Security::new(Switch::On, vec![7; 32], None).unwrap();
    assert!(on.must_encrypt(ip(HERE)).unwrap());
    assert!(!on.accepts_plain(ip(HERE)));
}

#[test]
fn exporter_matches_at_both_ends_and_differs_per_connection() {
    let (one, two) = (secret(), secret());
    let (server, client) = handshake(&one, &two).unwrap();
    let first = exporter(&server).unwrap();
    assert_eq!(first, exporter(&client).unwrap());
    assert_eq!(server.protocol_version(), Some(rustls::ProtocolVersion::TLSv1_3));
    let (server, client) = handshake(&one, &two).unwrap();
    let second = exporter(&server).unwrap();
    assert_eq!(second, exporter(&client).unwrap());
    assert_ne!(first, second);
}

#[test]
fn man_in_the_middle_has_two_different_exporters() {
    let (ours, theirs, between) = (secret(), secret(), Security::new(Switch::On, vec![9; 32], None).unwrap());
    let (_, to_client) = (0, handshake(&between, &ours).unwrap());
    let to_server = handshake(&theirs, &between).unwrap();
    assert_ne!(exporter(&to_client.1).unwrap(), exporter(&to_server.0).unwrap());
}

#[test]
fn other_protocols_over_tls_are_refused() {
    let (server, other) = (secret(), secret());
    for protocols in [vec![], vec![b"http/1.1".to_vec()]] {
        let mut config = (*other.configs().unwrap().client).clone();
        config.alpn_protocols = protocols.clone();
        let configs = Configs { client: Arc::new(config), ..other.configs().unwrap() };
        let client = Security::made(Switch::On, Zeroizing::default(), Identity::Raw(configs));
        match handshake(&server, &client) {
            Ok((server, _)) => {
                assert!(protocols.is_empty());
                assert!(exporter(&server).unwrap_err().what.contains("not the protocol of the store"));
            }
            Err((side, error)) => {
                assert_eq!(side, Side::Server);
                assert!(explain(&error, side).what.contains("not the protocol of the store"));
            }
        }
    }
}

#[test]
fn no_tickets_and_no_early_data() {
    let (mut server, mut client) = handshake(&secret(), &secret()).unwrap();
    assert!(!server.wants_write() && !client.wants_write());
    assert_eq!(client.tls13_tickets_received(), 0);
    assert!(client.early_data().is_none());
    assert!(server.early_data().is_none());
}

#[test]
fn non_tls_bytes_are_explained() {
    let mut server = secret().server_connection().unwrap();
    let mut cut = &b"GET / HTTP/1.1\r\n\r\n"[..];
    server.read_tls(&mut cut).unwrap();
    let error = server.process_new_packets().unwrap_err();
    assert!(explain(&error, Side::Server).what.contains("does not speak TLS"), "{error}");
}

#[test]
fn the_exporter_needs_a_complete_handshake() {
    assert!(exporter(&secret().server_connection().unwrap()).is_err());
}
