// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Clients that are to encrypt, and programs at the store's address that would rather they did not.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use mf_base::settings::Switch;
use mf_base::{Error, Kind};
use mf_store::{Client, ClientOptions};
use mf_tls::{Security, TlsFiles};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

use super::members::{SECRET, any_port, client_options, deadline};

const CHALLENGE: u8 = 2;
const REFUSED: u8 = 5;

/// A frame as `protocol/frame.rs` describes it.
fn frame(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = b"MFST".to_vec();
    bytes.extend(2u16.to_le_bytes());
    bytes.extend([kind, 0]);
    bytes.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
    bytes.extend(0u64.to_le_bytes());
    bytes.extend(body);
    bytes
}

fn text(text: &str) -> Vec<u8> {
    let mut bytes = vec![u8::try_from(text.len()).unwrap()];
    bytes.extend(text.as_bytes());
    bytes
}

/// A refusal with the code of `InvalidParam`, which a client takes as final; `leader`: a redirect.
fn refusal(leader: Option<SocketAddr>) -> Vec<u8> {
    let mut body = vec![0x9f, 0x1f];
    body.extend(text("obey me"));
    body.extend(text(""));
    body.push(0);
    match leader {
        Some(leader) => {
            body.push(1);
            body.extend(text(&leader.to_string()));
        }
        None => body.push(0),
    }
    frame(REFUSED, &body)
}

/// A challenge of a store of any job that speaks our version.
fn challenge() -> Vec<u8> {
    let mut body = vec![7; 32];
    body.extend([2, 2, 0]);
    body.extend(text("some build"));
    body.extend(text(""));
    body.extend([9; 16]);
    frame(CHALLENGE, &body)
}

/// Answers the first connection with `words`, and returns all that it received.
fn fake(words: Vec<u8>) -> (SocketAddr, JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind(any_port()).unwrap();
    let address = listener.local_addr().unwrap();
    let serving = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        drop(listener);
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut received = vec![0; 4096];
        let bytes = socket.read(&mut received).unwrap();
        received.truncate(bytes);
        socket.write_all(&words).unwrap();
        let _ = socket.read_to_end(&mut received);
        received
    });
    (address, serving)
}

fn certificates() -> TlsFiles {
    let mut params = CertificateParams::new(["ca.example".to_owned()]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let ca = params.self_signed(&key).unwrap().pem();
    let issuer = Issuer::new(params, key);
    let key = KeyPair::generate().unwrap();
    let leaf = CertificateParams::new(["memfabric-store".to_owned()]).unwrap();
    let leaf = leaf.signed_by(&key, &issuer).unwrap().pem();
    TlsFiles::in_memory(ca.into(), leaf.into(), key.serialize_pem().into())
}

/// Every configuration of a process that encrypts.
fn who_encrypt() -> Vec<(&'static str, Arc<Security>)> {
    let made = |mode, secret: &[u8], files| Security::new(mode, secret.to_vec(), files).unwrap();
    vec![
        ("a secret", made(Switch::Auto, SECRET, None)),
        ("a secret, MF_STORE_TLS=on", made(Switch::On, SECRET, None)),
        ("certificates", made(Switch::Auto, &[], Some(certificates()))),
        ("certificates, MF_STORE_TLS=on", made(Switch::On, &[], Some(certificates()))),
        ("both", made(Switch::On, SECRET, Some(certificates()))),
    ]
}

fn connect(address: SocketAddr, security: Arc<Security>) -> Error {
    let options = client_options(address, 2, None);
    let options = ClientOptions { security, connect_deadline: deadline(), ..options };
    Client::connect(options).unwrap_err()
}

/// A peer that answers in plaintext was sent nothing but the begin of TLS, and the error says so.
fn assert_nothing_sent(who: &str, error: &Error, received: &[u8]) {
    assert_eq!(received.first(), Some(&0x16), "{who} does not begin with TLS");
    assert!(!received.windows(4).any(|word| word == b"MFST"), "{who} sends its hello in clear");
    assert_eq!(error.kind(), Kind::InvalidParam, "{who}: {error}");
    for part in ["the store speaks plaintext", "MF_STORE_TLS"] {
        assert!(error.to_string().contains(part), "{who}: {error}");
    }
    assert!(!error.to_string().contains("obey me"), "{who}: {error}");
}

#[test]
fn a_plaintext_challenge_gets_no_join() {
    for (who, security) in who_encrypt() {
        let (address, serving) = fake(challenge());
        let error = connect(address, security);
        assert_nothing_sent(who, &error, &serving.join().unwrap());
    }
}

#[test]
fn a_plaintext_refusal_is_not_believed() {
    for (who, security) in who_encrypt() {
        let (address, serving) = fake(refusal(None));
        let error = connect(address, security);
        assert_nothing_sent(who, &error, &serving.join().unwrap());
    }
}

#[test]
fn a_plaintext_redirect_is_not_followed() {
    for (who, security) in who_encrypt() {
        let elsewhere = TcpListener::bind(any_port()).unwrap();
        elsewhere.set_nonblocking(true).unwrap();
        let (address, serving) = fake(refusal(Some(elsewhere.local_addr().unwrap())));
        let error = connect(address, security);
        assert_nothing_sent(who, &error, &serving.join().unwrap());
        assert!(elsewhere.accept().is_err(), "{who} follows");
    }
}

#[test]
fn plaintext_by_choice_gets_a_readable_refusal() {
    let (address, serving) = fake(refusal(None));
    let error = connect(address, Security::new(Switch::Off, SECRET.to_vec(), None).unwrap());
    assert!(error.to_string().contains("obey me"), "{error}");
    assert!(serving.join().unwrap().starts_with(b"MFST"));
}
