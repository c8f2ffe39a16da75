// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Two ends over real sockets, and unknown peers that try to be one.

mod speed;
mod transfer;
mod unauthenticated;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

use mf_transport::JobId;

use super::*;

pub(super) const CLIENT: Peer = Peer { job: JobId(1), rank: 1, session: 11 };
pub(super) const SERVER: Peer = Peer { job: JobId(1), rank: 3, session: 33 };
pub(super) const TOKEN: [u8; 32] = [7; 32];
pub(super) const MODES: [Switch; 2] = [Switch::On, Switch::Off];

pub(super) fn identity(me: Peer, token: [u8; 32], tls: Switch) -> Arc<Identity> {
    Identity::new(me, token, tls, Arc::new(channels().unwrap()))
}

/// A process that is this one member.
pub(super) fn server(member: &Arc<Identity>, from: SocketAddr) -> Handshake {
    let here = Arc::clone(member);
    let find = move |wanted: Peer| (wanted.job == here.me.job).then(|| Arc::clone(&here));
    accept(find, &member.channels, from).unwrap()
}

pub(super) fn address() -> SocketAddr {
    "192.0.2.1:1234".parse().unwrap()
}

pub(super) fn sockets() -> (UnixStream, UnixStream) {
    let (one, other) = UnixStream::pair().unwrap();
    one.set_nonblocking(true).unwrap();
    other.set_nonblocking(true).unwrap();
    (one, other)
}

/// A connection over the loopback interface.
pub(super) fn tcp() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (server, _) = listener.accept().unwrap();
    client.set_nonblocking(true).unwrap();
    server.set_nonblocking(true).unwrap();
    (client, server)
}

type End = Result<(Peer, Peer, Stream)>;

/// One end of a connection, plain or not.
#[expect(clippy::large_enum_variant, reason = "a test has two of them")]
pub(super) enum Wire {
    Plain,
    Sealed(Sending, Receiving),
}

impl Wire {
    pub(super) fn new(stream: Stream) -> Self {
        stream.split().map_or(Self::Plain, |(sending, receiving)| Self::Sealed(sending, receiving))
    }

    pub(super) fn is_plain(&self) -> bool {
        matches!(self, Self::Plain)
    }

    pub(super) fn send(&mut self, socket: impl AsFd, parts: &[&[u8]]) -> std::io::Result<usize> {
        match self {
            Self::Plain => match parts {
                [one] => stream::socket::send(socket.as_fd(), one),
                _ => stream::socket::send(socket.as_fd(), &parts.concat()),
            },
            Self::Sealed(sending, _) => {
                let parts: Vec<(*const u8, usize)> =
                    parts.iter().map(|part| (part.as_ptr(), part.len())).collect();
                // SAFETY: the parts are slices.
                unsafe { sending.send(socket.as_fd(), &parts) }
            }
        }
    }

    pub(super) fn flush(&mut self, socket: impl AsFd) -> std::io::Result<bool> {
        match self {
            Self::Plain => Ok(true),
            Self::Sealed(sending, _) => sending.flush(socket.as_fd()),
        }
    }

    pub(super) fn receive(&mut self, socket: impl AsFd, to: &mut [u8]) -> std::io::Result<Received> {
        match self {
            Self::Plain => stream::socket::receive(socket.as_fd(), to),
            // SAFETY: the range is a slice.
            Self::Sealed(_, receiving) => unsafe {
                receiving.receive(socket.as_fd(), to.as_mut_ptr(), to.len())
            },
        }
    }
}

/// Lets both ends talk until each is done or has failed. An end that has failed closes its socket.
pub(super) fn shake(
    client: Handshake,
    client_socket: impl AsFd,
    server: Handshake,
    server_socket: impl AsFd,
) -> (End, End) {
    let mut ends = [(Some(client), Some(client_socket.as_fd())), (Some(server), Some(server_socket.as_fd()))];
    let mut results = [None, None];
    while results.iter().any(Option::is_none) {
        for ((end, socket), result) in ends.iter_mut().zip(&mut results) {
            let (Some(shaking), Some(open)) = (end.as_mut(), *socket) else { continue };
            match shaking.advance(open) {
                Ok(Step::Done) => *result = Some(Ok(end.take().unwrap().finish().unwrap())),
                Ok(_) => {}
                Err(error) => {
                    rustix::net::shutdown(open, rustix::net::Shutdown::Both).unwrap();
                    *result = Some(Err(error));
                    *end = None;
                }
            }
        }
    }
    let [client, server] = results.map(Option::unwrap);
    (client, server)
}

pub(super) fn meet(client: &Arc<Identity>, server: &Arc<Identity>, wanted: Peer) -> (End, End) {
    let (one, other) = sockets();
    shake(client.client(wanted, address()).unwrap(), one, tests::server(server, address()), other)
}

fn texts(ends: (End, End)) -> (String, String) {
    (ends.0.err().unwrap().to_string(), ends.1.err().unwrap().to_string())
}

#[test]
fn members_meet_in_both_modes() {
    for tls in MODES {
        let (client, server) = meet(&identity(CLIENT, TOKEN, tls), &identity(SERVER, TOKEN, tls), SERVER);
        let ((here, there, at_client), (me, peer, at_server)) = (client.unwrap(), server.unwrap());
        assert_eq!((here, there), (CLIENT, SERVER));
        assert_eq!((me, peer), (SERVER, CLIENT));
        assert_eq!(Wire::new(at_client).is_plain(), tls == Switch::Off);
        assert_eq!(Wire::new(at_server).is_plain(), tls == Switch::Off);
    }
}

#[test]
fn auto_encrypts_traffic_to_other_hosts() {
    let auto = identity(CLIENT, TOKEN, Switch::Auto);
    for (text, encrypts) in [
        ("127.0.0.1", false),
        ("127.9.9.9", false),
        ("::1", false),
        ("::ffff:127.0.0.1", false),
        ("10.0.0.1", true),
        ("fe80::1", true),
        ("::ffff:10.0.0.1", true),
    ] {
        assert_eq!(auto.encrypts(text.parse().unwrap()), encrypts, "{text}");
        assert!(identity(CLIENT, TOKEN, Switch::On).encrypts(text.parse().unwrap()));
        assert!(!identity(CLIENT, TOKEN, Switch::Off).encrypts(text.parse().unwrap()));
    }
}

#[test]
fn a_process_of_another_job_is_refused() {
    for tls in MODES {
        let (at_client, at_server) =
            texts(meet(&identity(CLIENT, [8; 32], tls), &identity(SERVER, TOKEN, tls), SERVER));
        assert!(at_client.contains("another job"), "{at_client}");
        assert!(at_server.contains("cannot prove") && at_server.contains("192.0.2.1"), "{at_server}");
    }
}

#[test]
fn restarted_process_is_distinguished_from_the_old_one() {
    for tls in MODES {
        let old = Peer { session: 32, ..SERVER };
        let (at_client, at_server) =
            texts(meet(&identity(CLIENT, TOKEN, tls), &identity(SERVER, TOKEN, tls), old));
        assert!(at_client.contains("rank 3 is another process now"), "{at_client}");
        assert!(at_server.contains("another process"), "{at_server}");
    }
}

#[test]
fn plaintext_is_refused_if_tls_is_required_and_tls_never() {
    let (on, off) = (Switch::On, Switch::Off);
    let (at_client, at_server) =
        texts(meet(&identity(CLIENT, TOKEN, off), &identity(SERVER, TOKEN, on), SERVER));
    assert!(at_client.contains("demands TLS") && at_client.contains("MF_NET_TLS"), "{at_client}");
    assert!(at_server.contains("TLS is demanded"), "{at_server}");
    let (client, server) = meet(&identity(CLIENT, TOKEN, on), &identity(SERVER, TOKEN, off), SERVER);
    assert!(!Wire::new(client.unwrap().2).is_plain() && !Wire::new(server.unwrap().2).is_plain());
}

#[test]
fn failed_handshake_stays_failed() {
    let (one, other) = sockets();
    let mut server = server(&identity(SERVER, TOKEN, Switch::Off), address());
    assert_eq!(server.advance(other.as_fd()).unwrap(), Step::WantsRead);
    (&one).write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    server.advance(other.as_fd()).unwrap_err();
    server.advance(other.as_fd()).unwrap_err();
    assert!(server.finish().is_none());
}

#[test]
fn a_handshake_survives_delivery_byte_by_byte() {
    for tls in MODES {
        let ((one, client_relay), (server_relay, other)) = (sockets(), sockets());
        let mut client = identity(CLIENT, TOKEN, tls).client(SERVER, address()).unwrap();
        let mut server = server(&identity(SERVER, TOKEN, tls), address());
        let mut done = (false, false);
        for _ in 0..100_000 {
            done.0 = done.0 || client.advance(one.as_fd()).unwrap() == Step::Done;
            done.1 = done.1 || server.advance(other.as_fd()).unwrap() == Step::Done;
            if done == (true, true) {
                break;
            }
            let mut byte = [0];
            for (from, to) in [(&client_relay, &server_relay), (&server_relay, &client_relay)] {
                let (mut from, mut to) = (from, to);
                if from.read(&mut byte).is_ok_and(|read| read == 1) {
                    to.write_all(&byte).unwrap();
                }
            }
        }
        assert_eq!(done, (true, true));
        assert_eq!(server.finish().unwrap().1, CLIENT);
    }
}
