// SPDX-License-Identifier: Apache-2.0 OR MIT
//! TLS of both servers: admission, and all functions as without TLS.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test; helpers outside of test functions may fail it, too"
)]

mod servers;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use mf_acc::frame::Message;
use mf_acc::hello::Hello;
use mf_acc::http::Method;
use mf_acc::{Bounds, HttpOptions, HttpRequest, Link, Protocol, Server, TcpOptions, Times, code};
use mf_tls::{Peers, TlsFiles};
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, DnType, IsCa,
    KeyIdMethod, KeyPair, KeyUsagePurpose, RevokedCertParams, SerialNumber, date_time_ymd,
};
use servers::*;

struct Ca(CertifiedIssuer<'static, KeyPair>);

struct Leaf {
    pem: String,
    key: String,
    serial: u64,
}

impl Ca {
    fn new() -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "CA");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// Issues a certificate without a host name, as deployments have them.
    fn issue(&self, serial: u64, last_year: i32) -> Leaf {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "member");
        params.serial_number = Some(SerialNumber::from(serial));
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(last_year, 1, 1);
        let key = KeyPair::generate().unwrap();
        Leaf { pem: params.signed_by(&key, &self.0).unwrap().pem(), key: key.serialize_pem(), serial }
    }

    fn files(&self, leaf: &Leaf) -> TlsFiles {
        TlsFiles::in_memory(self.0.pem().into(), leaf.pem.clone().into(), leaf.key.clone().into())
    }

    fn revoke(&self, leaf: &Leaf) -> Vec<u8> {
        let revoked = RevokedCertParams {
            serial_number: SerialNumber::from(leaf.serial),
            revocation_time: date_time_ymd(2025, 1, 1),
            reason_code: None,
            invalidity_date: None,
        };
        let list = CertificateRevocationListParams {
            this_update: date_time_ymd(2025, 1, 1),
            next_update: date_time_ymd(2099, 1, 1),
            crl_number: SerialNumber::from(1),
            issuing_distribution_point: None,
            revoked_certs: vec![revoked],
            key_identifier_method: KeyIdMethod::Sha256,
        };
        list.signed_by(&self.0).unwrap().pem().unwrap().into()
    }
}

/// Creates a server that sends messages back.
fn encrypted_echo(files: Option<TlsFiles>) -> Server {
    let server = Server::new(Protocol::Messages);
    server.on_new_link(Some(Arc::new(|_: &Hello, link: &Arc<Link>| {
        link.send((ECHO, 0, 1000), b"welcome", &[], true).unwrap();
        0
    })));
    server.on_broken(Some(Arc::new(|_: &Arc<Link>| {})));
    server.on_request(
        ECHO,
        Some(Arc::new(|message: &Message, body: &[u8], link: &Arc<Link>| {
            link.send((ECHO, message.result, message.sequence), body, &[], true).unwrap();
            0
        })),
    );
    server.start_tcp(&listening(2), files).unwrap();
    server
}

#[test]
fn messages_are_encrypted_and_names_are_not_checked() {
    let ca = Ca::new();
    let server = encrypted_echo(Some(ca.files(&ca.issue(1, 2099))));
    let (client, answers) = client_with(Some(ca.files(&ca.issue(2, 2099))));
    let link = connect(&client, &server);
    assert_eq!(next(&answers).body, b"welcome");
    for (sequence, body) in [(1, vec![]), (2, vec![3; 100]), (3, vec![4; 5 << 20])] {
        link.send((ECHO, 0, sequence), &body, &[], true).unwrap();
        let answer = next(&answers);
        assert_eq!((answer.sequence, answer.body == body), (sequence, true));
    }
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for sequence in 0..500 {
                    send_when_there_is_room(&link, (ECHO, 0, sequence), &[1; 900]);
                }
            });
        }
        for _ in 0..1500 {
            assert_eq!(next(&answers).body, [1; 900]);
        }
    });
    client.stop().unwrap();
    server.stop().unwrap();
}

#[test]
fn peer_without_valid_certificate_is_refused_at_once() {
    let (ca, other) = (Ca::new(), Ca::new());
    let (good, revoked) = (ca.issue(1, 2099), ca.issue(7, 2099));
    let server = encrypted_echo(Some(ca.files(&good).revocations(ca.revoke(&revoked))));
    for (files, what) in
        [(other.files(&other.issue(1, 2099)), "of another CA"), (ca.files(&revoked), "revoked")]
    {
        let (client, _answers) = client_with(Some(files));
        let (address, port) = address(&server);
        let error = client.connect(address, port, &HELLO, 30).unwrap_err();
        assert_eq!(code::code_of(&error), code::REFUSED, "{what}: {error}");
        client.stop().unwrap();
    }
    // Either end without TLS.
    let plain = encrypted_echo(None);
    let (encrypting, _answers) = client_with(Some(ca.files(&good)));
    let (clear, _answers) = client_with(None);
    for (client, server) in [(&encrypting, &plain), (&clear, &server)] {
        let (address, port) = address(server);
        let error = client.connect(address, port, &HELLO, 1).unwrap_err();
        assert!([code::NOT_READY, code::REFUSED].contains(&code::code_of(&error)), "{error}");
    }
    // The good certificate is still accepted.
    let (client, answers) = client_with(Some(ca.files(&ca.issue(2, 2099))));
    connect(&client, &server);
    assert_eq!(next(&answers).body, b"welcome");
    for one in [&client, &encrypting, &clear, &server, &plain] {
        one.stop().unwrap();
    }
}

#[test]
fn unusable_files_are_named_at_start() {
    let ca = Ca::new();
    let (good, expired) = (ca.issue(1, 2099), ca.issue(2, 2024));
    let mixed = Leaf { key: expired.key.clone(), ..ca.issue(3, 2099) };
    for (files, part) in [
        (ca.files(&expired), "expired"),
        (ca.files(&mixed), "does not fit"),
        (ca.files(&good).key(b"rubbish".to_vec()), "key"),
    ] {
        let server = Server::new(Protocol::Messages);
        server.on_broken(Some(Arc::new(|_: &Arc<Link>| {})));
        server.on_request(ECHO, Some(Arc::new(|_: &Message, _: &[u8], _: &Arc<Link>| 0)));
        let error = server.start_tcp(&TcpOptions { listen: None, ..listening(1) }, Some(files)).unwrap_err();
        assert_eq!(code::code_of(&error), code::INVALID);
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn http_asks_for_certificates_as_well() {
    let ca = Ca::new();
    let server = Server::new(Protocol::Http);
    server.on_broken(Some(Arc::new(|_: &Arc<Link>| {})));
    server
        .on_http(
            Method::Post,
            "/",
            Arc::new(|request: &Arc<HttpRequest>| {
                request.reply(200, "text/plain", request.body()).unwrap();
                0
            }),
        )
        .unwrap();
    let options = HttpOptions {
        listen: (address_here(), 0),
        workers: 2,
        body_bytes_max: 1 << 20,
        times: Times::default(),
        bounds: Bounds::default(),
    };
    server.start_http(&options, Some(ca.files(&ca.issue(1, 2099)))).unwrap();
    let ask = |files: TlsFiles| {
        let peers = Peers::new(files.verify_name(false), b"http/1.1").unwrap();
        let mut tls = peers.connect(address_here()).unwrap();
        let mut socket = TcpStream::connect(server.address().unwrap()).unwrap();
        socket.set_read_timeout(Some(LIMIT)).unwrap();
        let mut stream = rustls::Stream::new(&mut tls, &mut socket);
        let body = "x".repeat(300_000);
        let request =
            format!("POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes())?;
        let mut text = String::new();
        stream.read_to_string(&mut text)?;
        Ok::<String, std::io::Error>(text)
    };
    let text = ask(ca.files(&ca.issue(2, 2099))).unwrap();
    assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with("xxx"), "{}", &text[..100]);
    assert!(ask(Ca::new().files(&Ca::new().issue(1, 2099))).is_err());
    let mut clear = TcpStream::connect(server.address().unwrap()).unwrap();
    clear.set_read_timeout(Some(LIMIT)).unwrap();
    clear.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    assert!(is_closed(&mut clear));
    server.stop().unwrap();
}
