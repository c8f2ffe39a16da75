// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Links of the older interface: identified by their addresses, without a hello.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use super::*;

const HERE: &str = "127.0.0.1";

#[test]
fn legacy_peers_are_keyed_by_address_without_hello() {
    let (server, client, rules) = (control(), control(), rules("a secret changes nothing on one host"));
    let port = server.start_plain(&rules, HERE, 0).unwrap().unwrap();
    assert!(server.is_server());
    assert!(server.start_plain(&rules, "no address", 0).unwrap().is_none());
    let descriptor = client.descriptor(&rules, HERE, port).unwrap();
    assert!(descriptor >= 0);
    // Finds the existing link for any port.
    assert_eq!(client.descriptor(&rules, "::ffff:127.0.0.1", 1).unwrap(), descriptor);
    client.send_to(&rules, HERE, INTEGER, 0x8000, &1_i32.to_le_bytes()).unwrap();
    let message = server.receive_from(&rules, HERE, LIMIT).unwrap();
    assert_eq!((message.head.flags, &message.payload[..]), (0x8000, &[1, 0, 0, 0][..]));
    server.send_to(&rules, HERE, STRUCT, 0, b"struct").unwrap();
    assert_eq!(client.receive_from(&rules, HERE, LIMIT).unwrap().payload, b"struct");
    assert!(client.close_address(HERE).unwrap());
    assert!(!client.close_address(HERE).unwrap());
    broken(&server.receive_from(&rules, HERE, LIMIT).unwrap_err(), "closed");
    server.stop();
}

#[test]
fn legacy_link_carries_only_frames() {
    let (control, rules) = (control(), rules(""));
    let listener = TcpListener::bind((HERE, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let peer = std::thread::spawn(move || {
        let mut peer = listener.accept().unwrap().0;
        let mut bytes = [0; 12];
        peer.read_exact(&mut bytes).unwrap();
        bytes
    });
    control.descriptor(&rules, HERE, port).unwrap();
    control.send_to(&rules, HERE, INTEGER, 0, &7_i32.to_le_bytes()).unwrap();
    assert_eq!(peer.join().unwrap(), [1, 0, 0, 0, 4, 0, 0, 0, 7, 0, 0, 0]);
}

#[test]
fn reconnecting_peer_replaces_its_link() {
    let (server, rules) = (control(), rules(""));
    let port = server.start_plain(&rules, HERE, 0).unwrap().unwrap();
    let mut first = TcpStream::connect((HERE, port)).unwrap();
    let peer = Peer::from_address(HERE.parse().unwrap());
    assert!(server.has(peer));
    let mut second = TcpStream::connect((HERE, port)).unwrap();
    assert_eq!(first.read(&mut [0; 1]).unwrap(), 0);
    second.write_all(&frame(INTEGER, 0, b"1234")).unwrap();
    assert_eq!(server.receive(peer, LIMIT).unwrap().payload, b"1234");
}

#[test]
fn both_interfaces_listen_side_by_side() {
    let (server, rules) = (control(), rules(""));
    let plain = server.start_plain(&rules, HERE, 0).unwrap().unwrap();
    let ranked = server.start(&rules, Listen { tcp: Some((HERE, 0)), unix: None }).unwrap().unwrap();
    let (old, new) = (control(), control());
    old.descriptor(&rules, HERE, plain).unwrap();
    new.connect_tcp(&rules, 0, HERE, ranked, 1).unwrap();
    old.send_to(&rules, HERE, INTEGER, 0, b"old").unwrap();
    send_tag(new, 0, 2);
    assert_eq!(server.receive_from(&rules, HERE, LIMIT).unwrap().payload, b"old");
    assert_eq!(receive_tag(server, 1).unwrap(), 2);
    server.stop();
    assert!(TcpStream::connect((HERE, plain)).is_err() && TcpStream::connect((HERE, ranked)).is_err());
}
