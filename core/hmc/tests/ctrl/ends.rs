// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ends of links that no caller is using.

use std::fs::read_to_string;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use super::*;

/// State, in the kernel's list, of a socket that its peer has closed and its owner has not.
const CLOSE_WAIT: &str = "08";

/// Counts the sockets at this port, local (1) or remote (2), that only their peers have closed.
fn half_closed(port: u16, column: usize) -> usize {
    let end = format!(":{port:04X}");
    let list = read_to_string("/proc/net/tcp").unwrap();
    let is_half = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.get(column).is_some_and(|word| word.ends_with(&end)) && words.get(3) == Some(&CLOSE_WAIT)
    };
    list.lines().filter(is_half).count()
}

#[test]
fn links_of_dead_clients_free_descriptors_and_keep_messages() {
    const CLIENTS: u32 = 200;
    let (server, port) = listening(&rules(""));
    for rank in 1..=CLIENTS {
        let mut client = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let tag = frame(INTEGER, 0, &u64::from(rank).to_le_bytes());
        let long = frame(STRUCT, 0, &vec![3; 20_000]);
        client.write_all(&[hello(rank), tag, long].concat()).unwrap();
        // Accepted before it ends.
        assert!(server.has(Peer::Rank(rank)));
    }
    wait_for("descriptors of closed links are closed", || half_closed(port, 1) == 0);
    for rank in 1..=CLIENTS {
        assert_eq!(receive_tag(server, rank).unwrap(), u64::from(rank));
        assert_eq!(server.receive(Peer::Rank(rank), LIMIT).unwrap().payload, vec![3; 20_000]);
        broken(&receive_tag(server, rank).unwrap_err(), "closed");
        broken(&receive_tag(server, rank).unwrap_err(), "no link");
    }
    server.stop();
}

#[test]
fn link_of_a_dead_peer_refuses_sends_and_keeps_its_messages() {
    let (server, client) = pair();
    send_tag(client, 0, 7);
    client.close_all();
    wait_for("a send fails", || server.send(Peer::Rank(1), INTEGER, 0, &[0; 8]).is_err());
    let error = server.send(Peer::Rank(1), INTEGER, 0, &[0; 8]).unwrap_err();
    broken(&error, "closed");
    assert_eq!(receive_tag(server, 1).unwrap(), 7);
    wait_for("the end is noticed", || !server.has(Peer::Rank(1)));
}

#[test]
fn dialer_closes_descriptors_of_dead_servers() {
    let client = control();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    for rank in 0..8 {
        let dialling =
            std::thread::spawn(move || client.connect_tcp(&rules(""), rank, "127.0.0.1", port, 100));
        let (mut server, _) = listener.accept().unwrap();
        server.read_exact(&mut [0; 12]).unwrap();
        dialling.join().unwrap().unwrap();
        server.write_all(&frame(INTEGER, 0, &u64::from(rank).to_le_bytes())).unwrap();
    }
    wait_for("descriptors of closed links are closed", || half_closed(port, 2) == 0);
    (0..8).for_each(|rank| assert_eq!(receive_tag(client, rank).unwrap(), u64::from(rank)));
    client.close_all();
}

#[test]
fn oldest_closed_links_are_dropped() {
    let (server, port) = listening(&rules(""));
    for rank in 0..1100 {
        let mut client = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let tag = frame(INTEGER, 0, &u64::from(rank).to_le_bytes());
        client.write_all(&[hello(rank), tag].concat()).unwrap();
        // Accepted before it ends.
        assert!(server.has(Peer::Rank(rank)));
    }
    wait_for("the oldest is dropped", || !server.has(Peer::Rank(0)));
    assert_eq!(receive_tag(server, 1099).unwrap(), 1099);
    server.stop();
}
