// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Links over a pair of sockets.

#![allow(clippy::cast_possible_truncation, reason = "patterns of bytes, short lengths")]

use std::io::Read;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use mf_base::settings::Users;
use mf_tls::JobSecret;

use super::super::admission::Rules;
use super::super::frame::{INTEGER, STRUCT};
use super::*;

/// A link that is bound while a receiver waits for dials, with the link that stays.
type Late = (Arc<Link>, Arc<Link>);

impl Others for Option<Late> {
    fn wait_for_pending(&self) {}

    fn wait_for_dials(&self, _: Peer, _: &mut Wait) -> Result<()> {
        if let Some((late, stays)) = self {
            late.replace_by_link(stays);
        }
        Ok(())
    }
}

/// Both ends of an encrypted connection.
fn channels() -> (Channel, Channel) {
    let rules = Rules::new(JobSecret::new("s"), Users::default(), false);
    let (mut client, mut server) = (rules.channel(true).unwrap(), rules.channel(false).unwrap());
    while client.is_handshaking() || server.is_handshaking() {
        let (mut up, mut down) = (Vec::new(), Vec::new());
        client.take_output(&mut up);
        server.receive(&up).unwrap();
        server.take_output(&mut down);
        client.receive(&down).unwrap();
    }
    (client, server)
}

fn link(socket: UnixStream, channel: Channel) -> Link {
    Link::new(socket.into(), Peer::Rank(1), Inbox::default(), Some(channel)).unwrap()
}

fn payload(link: &Link) -> Vec<u8> {
    link.receive(Some(Duration::from_secs(30)), &None, &mut |_, inbox| Ok(inbox.take())).unwrap()
}

#[test]
fn encrypted_messages_round_trip() {
    let ((client, server), (here, there)) = (channels(), UnixStream::pair().unwrap());
    let (here, there) = (link(here, client), link(there, server));
    let long: Vec<u8> = (0..PAYLOAD_BYTES_MAX).map(|i| (i % 253) as u8).collect();
    std::thread::scope(|scope| {
        for (from, to) in [(&here, &there), (&there, &here)] {
            scope.spawn(|| {
                for tag in 0..50_u64 {
                    from.send(INTEGER, 0, &tag.to_le_bytes()).unwrap();
                    from.send(STRUCT, 0, &long[..long.len() / (50 - tag as usize)]).unwrap();
                }
            });
            scope.spawn(|| {
                for tag in 0..50_u64 {
                    assert_eq!(payload(to), tag.to_le_bytes());
                    assert!(payload(to) == long[..long.len() / (50 - tag as usize)]);
                }
            });
        }
    });
}

#[test]
fn wire_is_encrypted_and_tampering_ends_the_link() {
    let ((client, server), (here, mut wire)) = (channels(), UnixStream::pair().unwrap());
    let sender = link(here, client);
    sender.send(STRUCT, 0, b"a text that is private").unwrap();
    let mut sealed = [0; 256];
    let got = wire.read(&mut sealed).unwrap();
    assert!(!sealed[..got].windows(7).any(|window| window == b"private"));
    let (mut wire, there) = UnixStream::pair().unwrap();
    let receiver = link(there, server);
    sealed[got - 1] ^= 1;
    wire.write_all(&sealed[..got]).unwrap();
    let error = receiver.receive(None, &None, &mut |_, _| Ok(())).unwrap_err();
    assert!(error.to_string().contains("encryption"), "{error}");
    assert!(receiver.has_ended());
}

#[test]
fn messages_on_a_link_that_is_still_dialled_come_first() {
    let plain = |socket: UnixStream| {
        Arc::new(Link::new(socket.into(), Peer::Rank(1), Inbox::default(), None).unwrap())
    };
    let [dialled, accepted] = [UnixStream::pair().unwrap(), UnixStream::pair().unwrap()];
    let [(first, dialled), (second, accepted)] = [dialled, accepted].map(|(a, b)| (plain(a), plain(b)));
    first.send(INTEGER, 0, &1_u64.to_le_bytes()).unwrap();
    first.pass_on();
    for tag in [2_u64, 3] {
        second.send(INTEGER, 0, &tag.to_le_bytes()).unwrap();
    }
    // The dialling thread binds its link while another one receives from the accepted link.
    let late = Some((dialled, Arc::clone(&accepted)));
    for tag in [1_u64, 2, 3] {
        let received =
            accepted.receive(Some(Duration::from_secs(30)), &late, &mut |_, inbox| Ok(inbox.take()));
        assert_eq!(received.unwrap(), tag.to_le_bytes());
    }
}
