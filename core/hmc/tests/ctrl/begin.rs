// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of links being made, replaced and refused; starting and stopping in every order.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixListener;

use mf_hmc::Status;
use mf_hmc::ctrl::{PATH_BYTES_MAX, named_by_port};

use super::*;

#[test]
fn silent_connection_does_not_block_others() {
    let limit = Duration::from_secs(2);
    let (server, port) =
        listening(&Rules::with_hello_limit(JobSecret::new(""), Users::default(), false, limit));
    let mut silent = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut half = TcpStream::connect(("127.0.0.1", port)).unwrap();
    half.write_all(&hello(7)[..9]).unwrap();
    let client = control();
    client.connect_tcp(&rules(""), 0, "127.0.0.1", port, 1).unwrap();
    send_tag(client, 0, 3);
    assert_eq!(receive_tag(server, 1).unwrap(), 3);
    half.write_all(&hello(7)[9..]).unwrap();
    assert!(server.has(Peer::Rank(7)));
    // Closed in the end.
    assert_eq!(silent.read(&mut [0; 1]).unwrap(), 0);
}

#[test]
fn connection_without_hello_is_closed() {
    let (server, port) = listening(&rules(""));
    for bytes in [&b"GET / HTTP/1.1\r\n\r\n"[..], &frame(INTEGER, 0, &[0; 8]), &frame(STRUCT, 0, &[0; 4])] {
        let mut peer = TcpStream::connect(("127.0.0.1", port)).unwrap();
        peer.write_all(bytes).unwrap();
        assert_eq!(peer.read(&mut [0; 1]).unwrap_or(0), 0);
    }
    assert!(!server.has(Peer::Rank(0)));
}

#[test]
fn link_closed_by_the_peer_is_gone() {
    let (server, port) = listening(&rules(""));
    let client = control();
    client.connect_tcp(&rules(""), 0, "127.0.0.1", port, 1).unwrap();
    send_tag(client, 0, 3);
    assert_eq!(receive_tag(server, 1).unwrap(), 3);
    assert!(server.has(Peer::Rank(1)) && client.has(Peer::Rank(0)));
    server.close_all();
    wait_for("the client has no link", || !client.has(Peer::Rank(0)));
    client.connect_tcp(&rules(""), 0, "127.0.0.1", port, 1).unwrap();
    send_tag(client, 0, 4);
    assert_eq!(receive_tag(server, 1).unwrap(), 4);
}

#[test]
fn last_claimant_of_a_rank_wins() {
    let (server, port) = listening(&rules(""));
    let (first, second) = (control(), control());
    first.connect_tcp(&rules(""), 0, "127.0.0.1", port, 1).unwrap();
    assert!(server.has(Peer::Rank(1)));
    std::thread::scope(|scope| {
        let old = scope.spawn(|| first.receive(Peer::Rank(0), None).unwrap_err());
        second.connect_tcp(&rules(""), 0, "127.0.0.1", port, 1).unwrap();
        // On accept.
        broken(&old.join().unwrap(), "closed");
        send_tag(second, 0, 8);
        wait_for("the new link has the rank", || receive_tag(server, 1).is_ok_and(|tag| tag == 8));
        // On dial: the old link of the caller ends here. Its waiting thread may come late, and find the new
        // one.
        let old = scope.spawn(|| second.receive(Peer::Rank(0), None));
        second.connect_tcp(&rules(""), 0, "127.0.0.1", port, 1).unwrap();
        send_tag(second, 0, 9);
        wait_for("the newest link has the rank", || receive_tag(server, 1).is_ok_and(|tag| tag == 9));
        send_tag(server, 1, 10);
        match old.join().unwrap() {
            Err(error) => assert_eq!(error.kind(), Kind::NotConnected, "{error}"),
            Ok(message) => assert_eq!(message.payload, 10_u64.to_le_bytes()),
        }
    });
}

#[test]
fn ranks_of_the_same_process_may_connect() {
    let control = control();
    let port =
        control.start(&rules(""), Listen { tcp: Some(("127.0.0.1", 0)), unix: None }).unwrap().unwrap();
    control.connect_tcp(&rules(""), 0, "127.0.0.1", port, 1).unwrap();
    send_tag(control, 0, 1);
    assert_eq!(receive_tag(control, 1).unwrap(), 1);
    send_tag(control, 1, 2);
    assert_eq!(receive_tag(control, 0).unwrap(), 2);
}

#[test]
fn starting_and_stopping_work_in_every_order() {
    let (file, control) = (File::new("order"), control());
    control.stop();
    let at = Listen { tcp: None, unix: Some(file.path()) };
    for _ in 0..2 {
        assert!(!control.is_server());
        control.start(&rules(""), at).unwrap();
        // Arguments are ignored from now on.
        control.start(&rules(""), Listen { tcp: Some(("no address", 1)), unix: None }).unwrap();
        assert!(control.is_server() && file.0.exists());
        control.connect_unix(&rules(""), 0, file.path(), 1).unwrap();
        assert!(control.has(Peer::Rank(1)));
        control.stop();
        control.stop();
        assert!(!file.0.exists());
        // Links stay.
        send_tag(control, 0, 1);
        assert_eq!(receive_tag(control, 1).unwrap(), 1);
        assert!(control.connect_unix(&rules(""), 0, file.path(), 1).is_err());
        control.close_all();
        assert!(!control.has(Peer::Rank(0)) && !control.has(Peer::Rank(1)));
    }
    // Closed first, stopped then; and both from several threads.
    control.start(&rules(""), at).unwrap();
    control.close_all();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| control.stop());
        }
    });
    assert!(!control.is_server());
}

#[test]
fn failed_start_leaves_no_listener() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let (file, control) = (File::new("fails"), control());
    let port = taken.local_addr().unwrap().port();
    let both = Listen { tcp: Some(("127.0.0.1", port)), unix: Some(file.path()) };
    assert_eq!(control.start(&rules(""), both).unwrap_err().kind(), Kind::InUse);
    for at in [
        Listen { tcp: Some(("127.0.0.300", 0)), unix: Some(file.path()) },
        Listen { tcp: Some(("", 0)), unix: None },
    ] {
        let error = control.start(&rules(""), at).unwrap_err();
        assert_eq!(Status::from_error(&error), Status::InvalidConfig, "{error}");
    }
    assert!(!control.is_server() && !file.0.exists());
    drop(taken);
    control.start(&rules(""), both).unwrap();
    control.stop();
}

#[test]
fn path_longer_than_an_address_reaches_its_listener() {
    let (server, client) = (control(), control());
    let long = format!("/tmp/{}/{}", std::process::id(), "x".repeat(PATH_BYTES_MAX));
    server.start(&rules(""), Listen { tcp: None, unix: Some(&long) }).unwrap();
    client.connect_unix(&rules(""), 0, &long, 1).unwrap();
    send_tag(client, 0, 7);
    assert_eq!(receive_tag(server, 1).unwrap(), 7);
    server.stop();
    assert!(client.connect_unix(&rules(""), 0, &long, 1).is_err());
}

#[test]
fn server_with_a_taken_rank_listens_by_tcp_and_port_path() {
    let (file, first, second) = (File::new("two-jobs"), control(), control());
    let at = Listen { tcp: Some(("127.0.0.1", 0)), unix: Some(file.path()) };
    let ports = [first, second].map(|server| server.start(&rules(""), at).unwrap().unwrap());
    let clients = [control(), control(), control(), control()];
    clients[0].connect_unix(&rules(""), 0, file.path(), 1).unwrap();
    clients[1].connect_unix(&rules(""), 0, &named_by_port(file.path(), ports[0]), 2).unwrap();
    clients[2].connect_unix(&rules(""), 0, &named_by_port(file.path(), ports[1]), 1).unwrap();
    clients[3].connect_tcp(&rules(""), 0, "127.0.0.1", ports[1], 2).unwrap();
    for (client, (server, rank)) in
        clients.into_iter().zip([(first, 1), (first, 2), (second, 1), (second, 2)])
    {
        send_tag(client, 0, u64::from(rank));
        assert_eq!(receive_tag(server, rank).unwrap(), u64::from(rank));
    }
    // A path alone, already in use: the server does not start.
    let error = control().start(&rules(""), Listen { tcp: None, unix: Some(file.path()) }).unwrap_err();
    assert_eq!(error.kind(), Kind::InUse, "{error}");
    [first, second].into_iter().for_each(Control::stop);
}

#[test]
fn unreachable_peers_fail_at_once() {
    let (control, rules) = (control(), rules(""));
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    assert_eq!(
        control.connect_tcp(&rules, 0, "127.0.0.1", closed, 1).unwrap_err().kind(),
        Kind::NotConnected
    );
    for (host, port) in [("127.0.0.1", 0), ("", 1), ("1.2.3", 1)] {
        let error = control.connect_tcp(&rules, 0, host, port, 1).unwrap_err();
        assert_eq!(Status::from_error(&error), Status::InvalidConfig, "{host} {port}: {error}");
    }
    let missing = File::new("missing");
    assert_eq!(control.connect_unix(&rules, 0, missing.path(), 1).unwrap_err().kind(), Kind::NotConnected);
    assert!(control.connect_unix(&rules, 0, "", 1).is_err());
    assert!(!control.has(Peer::Rank(0)));
}

#[test]
fn link_without_secret_matches_the_interface_bytes() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (control, port) = (control(), listener.local_addr().unwrap().port());
    let peer = std::thread::spawn(move || {
        let mut peer = listener.accept().unwrap().0;
        let mut bytes = [0; 12 + 16];
        peer.read_exact(&mut bytes).unwrap();
        peer.write_all(&[2, 0, 1, 0, 3, 0, 0, 0, b'a', b'b', b'c']).unwrap();
        bytes
    });
    control.connect_tcp(&rules(""), 0, "127.0.0.1", port, 0x01020304).unwrap();
    send_tag(control, 0, 5);
    let message = control.receive(Peer::Rank(0), LIMIT).unwrap();
    assert_eq!((message.head.kind, message.head.flags, &message.payload[..]), (2, 1, &b"abc"[..]));
    let wanted = [2, 0, 0, 0x80, 4, 0, 0, 0, 4, 3, 2, 1, 1, 0, 0, 0, 8, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(peer.join().unwrap(), wanted);
}

#[test]
fn equal_secrets_connect_and_others_are_rejected() {
    for client in ["s", "other", ""] {
        let (file, server, at) = (File::new("secret"), control(), control());
        let listen = Listen { tcp: Some(("127.0.0.1", 0)), unix: Some(file.path()) };
        let port = server.start(&rules("s"), listen).unwrap().unwrap();
        let tcp = at.connect_tcp(&rules(client), 0, "127.0.0.1", port, 1);
        let unix = at.connect_unix(&rules(client), 2, file.path(), 3);
        if client == "other" {
            broken(&tcp.unwrap_err(), "another secret");
            broken(&unix.unwrap_err(), "another secret");
            assert!(!server.has(Peer::Rank(1)) && !server.has(Peer::Rank(3)));
        } else {
            // Admitted without a secret: a process of this user on this host.
            tcp.unwrap();
            unix.unwrap();
            for (peer, own) in [(0, 1), (2, 3)] {
                send_tag(server, own, 4);
                assert_eq!(receive_tag(at, peer).unwrap(), 4);
            }
        }
        server.stop();
    }
}

#[test]
fn process_with_a_secret_reaches_older_peers() {
    // One peer with our user id, and one that closes connections of a kind that it does not know.
    let (server, port) = listening(&rules(""));
    let client = control();
    client.connect_tcp(&rules("s"), 0, "127.0.0.1", port, 1).unwrap();
    send_tag(client, 0, 6);
    assert_eq!(receive_tag(server, 1).unwrap(), 6);
    let file = File::new("old");
    let listener = UnixListener::bind(&file.0).unwrap();
    let old = std::thread::spawn(move || {
        let mut first = listener.accept().unwrap().0;
        let mut head = [0; 8];
        first.read_exact(&mut head).unwrap();
        assert_ne!(head[4], 4);
        drop(first);
        let mut second = listener.accept().unwrap().0;
        let mut bytes = [0; 12];
        second.read_exact(&mut bytes).unwrap();
        assert_eq!(bytes[..], hello(2)[..]);
    });
    client.connect_unix(&rules("s"), 5, file.path(), 2).unwrap();
    old.join().unwrap();
}
