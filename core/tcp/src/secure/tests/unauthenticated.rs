// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Peers that do not belong to the job: garbage, pieces, a process in the middle.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

use mf_tls::channel::Channel;
use proptest::prelude::*;

use super::*;

/// Returns the client's bytes before it has received any.
fn first_words(tls: Switch) -> Vec<u8> {
    let (one, other) = sockets();
    let mut client = identity(CLIENT, TOKEN, tls).client(SERVER, address()).unwrap();
    client.advance(one.as_fd()).unwrap();
    let mut words = vec![0; 64 << 10];
    let bytes = (&other).read(&mut words).unwrap();
    words.truncate(bytes);
    words
}

/// Feeds bytes to a server and closes. Returns the server's result.
fn fed(server: &Arc<Identity>, bytes: &[u8]) -> Result<Step> {
    let (one, other) = sockets();
    let mut server = super::server(server, address());
    let mut rest = bytes;
    loop {
        // Bytes that do not fit into the socket are sent when the server has read.
        match (&one).write(rest) {
            Ok(sent) => rest = &rest[sent..],
            Err(error) => assert!(matches!(
                error.kind(),
                std::io::ErrorKind::WouldBlock | std::io::ErrorKind::BrokenPipe
            )),
        }
        if rest.is_empty() {
            one.shutdown(Shutdown::Write).unwrap();
        }
        let step = server.advance(other.as_fd());
        if step.is_err() || (rest.is_empty() && step.as_ref().is_ok_and(|step| *step == Step::Done)) {
            return step;
        }
    }
}

#[test]
fn truncated_or_changed_hello_is_refused() {
    for tls in MODES {
        let words = first_words(tls);
        let server = identity(SERVER, TOKEN, tls);
        for bytes in 0..words.len() {
            let error = fed(&server, &words[..bytes]).unwrap_err();
            assert!(error.to_string().contains("192.0.2.1"), "{bytes}: {error}");
            let mut changed = words.clone();
            changed[bytes] ^= 0x41;
            fed(&server, &changed).unwrap_err();
        }
    }
}

#[test]
fn endless_handshake_is_closed() {
    for tls in MODES {
        // Harmless records that TLS ignores, one after the other.
        let mut words = first_words(Switch::On);
        words.extend([20, 3, 3, 0, 1, 1].repeat(100_000));
        assert!(fed(&identity(SERVER, TOKEN, tls), &words).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn garbage_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..300), first in 0..3_usize) {
        for tls in MODES {
            let server = identity(SERVER, TOKEN, tls);
            let begin: &[u8] = [&b""[..], &b"MFNT\x01\0\0\0"[..], &[22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3][..]][first];
            let words = [begin, &bytes].concat();
            prop_assert!(fed(&server, &words).is_err());
        }
    }
}

/// One side of a process in the middle: TLS of its own towards one end.
struct Side {
    socket: UnixStream,
    channel: Channel,
    inbox: Vec<u8>,
    received: Vec<u8>,
}

impl Side {
    fn new(socket: UnixStream, channel: Channel) -> Self {
        Self { socket, channel, inbox: Vec::new(), received: Vec::new() }
    }

    /// Handles arrived bytes and makes the answer.
    fn turn(&mut self, say: &mut Vec<u8>) {
        let mut buffer = [0; 4096];
        while let Ok(bytes) = (&self.socket).read(&mut buffer) {
            if bytes == 0 {
                break;
            }
            self.inbox.extend_from_slice(&buffer[..bytes]);
        }
        while let Some([_, _, _, high, low]) = self.inbox.first_chunk::<5>() {
            let length = 5 + usize::from(u16::from_be_bytes([*high, *low]));
            if self.inbox.len() < length {
                break;
            }
            let record: Vec<u8> = self.inbox.drain(..length).collect();
            if self.channel.receive(&record).is_err() {
                return;
            }
        }
        if !self.channel.is_handshaking() {
            self.channel.read(&mut self.received);
            self.channel.write(say).unwrap();
            say.clear();
        }
        let mut output = Vec::new();
        self.channel.take_output(&mut output);
        let _ = (&self.socket).write_all(&output);
    }
}

#[test]
fn man_in_the_middle_with_two_channels_is_refused() {
    let ((one, front), (back, other)) = (sockets(), sockets());
    let between = Channels::new(PROTOCOL).unwrap();
    let mut front = Side::new(front, between.server().unwrap());
    let mut back = Side::new(back, between.client().unwrap());
    let mut client = identity(CLIENT, TOKEN, Switch::On).client(SERVER, address()).unwrap();
    let mut server = server(&identity(SERVER, TOKEN, Switch::On), address());
    let (mut to_client, mut to_server) = (Vec::new(), Vec::new());
    let (mut at_client, mut at_server) = (None, None);
    for _ in 0..100 {
        if at_client.is_none() {
            at_client = client.advance(one.as_fd()).map(|step| assert_ne!(step, Step::Done)).err();
        }
        if at_server.is_none() {
            at_server = server.advance(other.as_fd()).map(|step| assert_ne!(step, Step::Done)).err();
        }
        front.turn(&mut to_client);
        to_server.append(&mut front.received);
        back.turn(&mut to_server);
        to_client.append(&mut back.received);
    }
    // It carried hello, challenge and proof faithfully; the proof was over another channel.
    assert!(at_server.unwrap().to_string().contains("cannot prove"));
    assert!(at_client.unwrap().to_string().contains("another job"));
}

#[test]
fn impostor_server_without_the_token_is_refused() {
    // It takes any proof.
    for tls in MODES {
        let (at_client, at_server) =
            meet(&identity(CLIENT, TOKEN, tls), &identity(SERVER, [9; 32], tls), SERVER);
        assert!(at_client.is_err() && at_server.is_err());
    }
}
