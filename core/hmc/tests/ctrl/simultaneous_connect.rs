// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Simultaneous connect: both ends keep the same link, and every message arrives, in order.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use super::*;

const ROUNDS: u64 = 20;

/// A control channel that listens, and its address for peers.
struct End {
    control: &'static Control,
    port: u16,
    file: Option<File>,
}

impl End {
    fn new(rules: &Arc<Rules>, name: Option<&str>) -> Self {
        let (control, file) = (control(), name.map(File::new));
        let unix = file.as_ref().map(File::path);
        let port = control.start(rules, Listen { tcp: Some(("127.0.0.1", 0)), unix }).unwrap().unwrap();
        Self { control, port, file }
    }

    fn dial(&self, rules: &Arc<Rules>, to: &Self, peer: u32, own: u32) {
        match &to.file {
            Some(file) => self.control.connect_unix(rules, peer, file.path(), own).unwrap(),
            None => self.control.connect_tcp(rules, peer, "127.0.0.1", to.port, own).unwrap(),
        }
    }

    /// Sends and receives, with other messages before and after the dial.
    fn talk(&self, peer: u32) {
        for tag in 0..50 {
            send_tag(self.control, peer, tag);
            if tag % 7 == 3 {
                assert_eq!(receive_tag(self.control, peer).unwrap(), tag / 7);
            }
        }
        (7..50).for_each(|tag| assert_eq!(receive_tag(self.control, peer).unwrap(), tag));
    }
}

#[test]
fn simultaneous_connect_keeps_one_link_and_loses_nothing() {
    for (secret, is_unix) in [("", false), ("", true), ("s", false)] {
        let rules = rules(secret);
        for round in 0..ROUNDS {
            // Either end is the lower one in turn.
            let (of_one, of_other) = if round % 2 == 0 { (3, 8) } else { (8, 3) };
            let name = |end: &str| is_unix.then(|| format!("cross-{end}-{round}"));
            let one = End::new(&rules, name("one").as_deref());
            let other = End::new(&rules, name("other").as_deref());
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    one.dial(&rules, &other, of_other, of_one);
                    one.talk(of_other);
                });
                other.dial(&rules, &one, of_one, of_other);
                other.talk(of_one);
            });
            // Both ends keep it, also after the other links have ended.
            for (end, peer) in [(&one, of_other), (&other, of_one)] {
                assert!(end.control.has(Peer::Rank(peer)), "round {round}, secret {secret:?}");
            }
            std::thread::scope(|scope| {
                scope.spawn(|| one.talk(of_other));
                other.talk(of_one);
            });
            one.control.stop();
            other.control.stop();
        }
    }
}

/// Reads the next frame of a peer by hand.
fn tag_of(peer: &mut TcpStream) -> u64 {
    let mut bytes = [0; 16];
    peer.read_exact(&mut bytes).unwrap();
    u64::from_le_bytes(bytes[8..].try_into().unwrap())
}

/// Returns true if the other end sends no more.
fn is_at_end(peer: &mut TcpStream) -> bool {
    peer.read(&mut [0; 1]).unwrap() == 0
}

/// Connects to a peer by hand. Returns the peer's end.
fn dialled(control: &'static Control, theirs: &TcpListener, peer: u32, own: u32) -> TcpStream {
    let port = theirs.local_addr().unwrap().port();
    std::thread::scope(|scope| {
        let accepting = scope.spawn(|| theirs.accept().unwrap().0);
        control.connect_tcp(&rules(""), peer, "127.0.0.1", port, own).unwrap();
        accepting.join().unwrap()
    })
}

#[test]
fn link_dialled_by_the_lower_rank_stays_in_any_order() {
    for (own, peer_rank) in [(1, 2), (2, 1)] {
        for is_dialled_first in [true, false] {
            let (control, port) = listening(&rules(""));
            let theirs = TcpListener::bind("127.0.0.1:0").unwrap();
            let dial = || dialled(control, &theirs, peer_rank, own);
            let come = || {
                let mut peer = TcpStream::connect(("127.0.0.1", port)).unwrap();
                peer.write_all(&[hello(peer_rank), frame(INTEGER, 0, &1_u64.to_le_bytes())].concat())
                    .unwrap();
                peer
            };
            let (mut dialled, mut accepted) = if is_dialled_first {
                let dialled = dial();
                let accepted = come();
                // Accepted: a round has passed since.
                assert!(!control.has(Peer::Rank(99)));
                (dialled, accepted)
            } else {
                let accepted = come();
                assert!(control.has(Peer::Rank(peer_rank)));
                (dial(), accepted)
            };
            dialled.read_exact(&mut [0; 12]).unwrap();
            // Messages on the link that stays come after those on the other.
            let (stays, goes) = match own < peer_rank {
                true => (&mut dialled, &mut accepted),
                false => (&mut accepted, &mut dialled),
            };
            if own < peer_rank {
                stays.write_all(&frame(INTEGER, 0, &3_u64.to_le_bytes())).unwrap();
                goes.write_all(&frame(INTEGER, 0, &2_u64.to_le_bytes())).unwrap();
                goes.shutdown(std::net::Shutdown::Write).unwrap();
                (1..4).for_each(|tag| assert_eq!(receive_tag(control, peer_rank).unwrap(), tag));
            } else {
                goes.write_all(&frame(INTEGER, 0, &0_u64.to_le_bytes())).unwrap();
                goes.shutdown(std::net::Shutdown::Write).unwrap();
                (0..2).for_each(|tag| assert_eq!(receive_tag(control, peer_rank).unwrap(), tag));
            }
            send_tag(control, peer_rank, 9);
            assert_eq!(tag_of(stays), 9);
            assert!(is_at_end(goes), "nothing is sent on it");
        }
    }
}

#[test]
fn messages_of_a_closed_link_are_read_before_its_successor() {
    let (server, port) = listening(&rules(""));
    let client = control();
    for round in 0..20 {
        client.connect_tcp(&rules(""), 0, "127.0.0.1", port, 1).unwrap();
        send_tag(client, 0, round);
        client.close(Peer::Rank(0));
    }
    (0..20).for_each(|tag| assert_eq!(receive_tag(server, 1).unwrap(), tag));
    broken(&receive_tag(server, 1).unwrap_err(), "closed it");
    server.stop();
}

#[test]
fn late_hello_of_an_older_link_does_not_replace_the_newer() {
    for is_closed in [true, false] {
        let (control, port) = listening(&rules(""));
        let mut earlier = TcpStream::connect(("127.0.0.1", port)).unwrap();
        // Accepted once one more round is over.
        assert!(!control.has(Peer::Rank(99)));
        let mut later = TcpStream::connect(("127.0.0.1", port)).unwrap();
        later.write_all(&[hello(2), frame(INTEGER, 0, &2_u64.to_le_bytes())].concat()).unwrap();
        assert!(control.has(Peer::Rank(2)));
        // A corked socket sends its data together with its end.
        rustix::net::sockopt::set_tcp_cork(&earlier, is_closed).unwrap();
        earlier.write_all(&[hello(2), frame(INTEGER, 0, &1_u64.to_le_bytes())].concat()).unwrap();
        let first = if is_closed {
            drop(earlier);
            1
        } else {
            assert!(is_at_end(&mut earlier));
            2
        };
        assert!(!control.has(Peer::Rank(99)));
        (first..3).for_each(|tag| assert_eq!(receive_tag(control, 2).unwrap(), tag));
        send_tag(control, 2, 3);
        assert_eq!(tag_of(&mut later), 3);
    }
}

#[test]
fn restarted_peer_takes_its_rank_again() {
    let (control, port) = listening(&rules(""));
    let theirs = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut died = dialled(control, &theirs, 2, 1);
    died.read_exact(&mut [0; 12]).unwrap();
    died.write_all(&frame(INTEGER, 0, &1_u64.to_le_bytes())).unwrap();
    drop(died);
    let mut anew = TcpStream::connect(("127.0.0.1", port)).unwrap();
    anew.write_all(&[hello(2), frame(INTEGER, 0, &2_u64.to_le_bytes())].concat()).unwrap();
    assert!(!control.has(Peer::Rank(99)));
    // Its earlier messages come first.
    (1..3).for_each(|tag| assert_eq!(receive_tag(control, 2).unwrap(), tag));
    send_tag(control, 2, 3);
    assert_eq!(tag_of(&mut anew), 3);
}

#[test]
fn endless_crossing_link_is_abandoned() {
    let (control, port) = listening(&rules(""));
    let theirs = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut stays = dialled(control, &theirs, 2, 1);
    // Another process that announces the same rank, and knows of no crossing.
    let mut other = TcpStream::connect(("127.0.0.1", port)).unwrap();
    other.write_all(&hello(2)).unwrap();
    assert!(control.has(Peer::Rank(2)));
    stays.write_all(&frame(INTEGER, 0, &4_u64.to_le_bytes())).unwrap();
    assert_eq!(receive_tag(control, 2).unwrap(), 4);
    assert!(is_at_end(&mut other));
}
