// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of sending and receiving over links.

use std::cell::Cell;
use std::io::{Read, Write};
use std::net::TcpStream;

use mf_base::interrupt;
use mf_hmc::ctrl::frame::PAYLOAD_BYTES_MAX;

use super::*;

#[test]
fn tags_arrive_in_order_over_both_link_kinds() {
    let file = File::new("tags");
    let (server, by_tcp, by_unix) = (control(), control(), control());
    let at = Listen { tcp: Some(("localhost", 0)), unix: Some(file.path()) };
    let port = server.start(&rules(""), at).unwrap().unwrap();
    by_tcp.connect_tcp(&rules(""), 0, "127.0.0.1", port, 1).unwrap();
    by_unix.connect_unix(&rules(""), 0, file.path(), 2).unwrap();
    for (client, rank) in [(by_tcp, 1), (by_unix, 2)] {
        std::thread::scope(|scope| {
            scope.spawn(|| (0..2000).for_each(|tag| assert_eq!(receive_tag(server, rank).unwrap(), tag)));
            scope.spawn(|| (0..2000).for_each(|tag| assert_eq!(receive_tag(client, 0).unwrap(), tag * 3)));
            (0..2000).for_each(|tag| send_tag(client, 0, tag));
            (0..2000).for_each(|tag| send_tag(server, rank, tag * 3));
        });
    }
}

#[test]
fn messages_of_any_length_arrive_whole() {
    let (server, client) = pair();
    let sizes = [0, 1, 4, 1016, 1024, 1025, 4088, 4089, 70_000, PAYLOAD_BYTES_MAX];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for bytes in sizes {
                let payload: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
                client.send(Peer::Rank(0), STRUCT, 5, &payload).unwrap();
            }
        });
        for bytes in sizes {
            let message = server.receive(Peer::Rank(1), LIMIT).unwrap();
            assert_eq!((message.head.kind, message.head.flags), (STRUCT, 5));
            assert_eq!(message.payload.len(), bytes);
            assert!(message.payload.iter().enumerate().all(|(i, byte)| *byte == (i % 251) as u8));
        }
    });
    let error = client.send(Peer::Rank(0), STRUCT, 0, &vec![0; PAYLOAD_BYTES_MAX + 1]).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    let error = client.send(Peer::Rank(0), STRUCT, RESERVED, &[]).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    send_tag(client, 0, 9);
    assert_eq!(receive_tag(server, 1).unwrap(), 9);
}

#[test]
fn mismatched_message_is_consumed() {
    let (server, client) = pair();
    for (kind, payload) in
        [(STRUCT, vec![1; 8]), (INTEGER, vec![1; 4]), (INTEGER, vec![1; 9000]), (7, vec![])]
    {
        client.send(Peer::Rank(0), kind, 0, &payload).unwrap();
        send_tag(client, 0, 5);
        let error = receive_tag(server, 1).unwrap_err();
        assert_eq!(error.kind(), Kind::Failed, "{error}");
        assert_eq!(receive_tag(server, 1).unwrap(), 5);
    }
}

#[test]
fn timeout_in_the_middle_of_a_message_loses_nothing() {
    let (server, port) = listening(&rules(""));
    let mut peer = TcpStream::connect(("127.0.0.1", port)).unwrap();
    peer.write_all(&hello(1)).unwrap();
    assert!(server.has(Peer::Rank(1)));
    let soon = Some(Duration::from_millis(2));
    let error = server.receive(Peer::Rank(1), soon).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout, "{error}");
    assert!(error.to_string().contains("rank 1"), "{error}");
    let bytes = [frame(INTEGER, 0, &7_u64.to_le_bytes()), frame(STRUCT, 0, &vec![3; 50_000])].concat();
    for piece in [&bytes[..3], &bytes[3..12], &bytes[12..30], &bytes[30..40_000], &bytes[40_000..]] {
        assert_eq!(server.receive(Peer::Rank(1), soon).unwrap_err().kind(), Kind::Timeout);
        peer.write_all(piece).unwrap();
        if piece.len() == 18 {
            assert_eq!(receive_tag(server, 1).unwrap(), 7);
        }
    }
    assert_eq!(server.receive(Peer::Rank(1), LIMIT).unwrap().payload, vec![3; 50_000]);
    // Without waiting, and for longer than one sleep of the socket.
    for limit in [Duration::ZERO, interrupt::SLICE * 5 / 2] {
        let begun = Instant::now();
        assert_eq!(server.receive(Peer::Rank(1), Some(limit)).unwrap_err().kind(), Kind::Timeout);
        assert!(begun.elapsed() >= limit);
    }
}

#[test]
fn leaving_waiter_does_not_disturb_other_ranks() {
    let (server, port) = listening(&rules(""));
    let [first, second] = [1, 2].map(|rank| {
        let client = control();
        client.connect_tcp(&rules(""), 0, "127.0.0.1", port, rank).unwrap();
        client
    });
    for left in [2, 1] {
        // Of two threads that wait for the same rank, either may be first.
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| receive_tag(server, 1).unwrap());
            let error = server.receive(Peer::Rank(left), Some(Duration::from_millis(5))).unwrap_err();
            assert_eq!(error.kind(), Kind::Timeout, "{error}");
            send_tag(second, 0, 20);
            assert_eq!(receive_tag(server, 2).unwrap(), 20);
            send_tag(first, 0, 10);
            assert_eq!(waiting.join().unwrap(), 10);
        });
    }
}

#[test]
fn a_forged_length_ends_the_link() {
    let (server, port) = listening(&rules(""));
    let mut peer = TcpStream::connect(("127.0.0.1", port)).unwrap();
    peer.write_all(&[hello(1), vec![1, 0, 0, 0, 255, 255, 255, 255]].concat()).unwrap();
    broken(&server.receive(Peer::Rank(1), LIMIT).unwrap_err(), "too long");
    assert!(!server.has(Peer::Rank(1)));
    assert_eq!(peer.read(&mut [0; 8]).unwrap_or(0), 0);
}

#[test]
fn second_hello_is_an_error_and_the_link_continues() {
    let (server, port) = listening(&rules(""));
    let mut peer = TcpStream::connect(("127.0.0.1", port)).unwrap();
    peer.write_all(&[hello(1), hello(2), frame(INTEGER, 0, &4_u64.to_le_bytes())].concat()).unwrap();
    assert!(receive_tag(server, 1).unwrap_err().to_string().contains("hello"));
    assert_eq!(receive_tag(server, 1).unwrap(), 4);
    assert!(!server.has(Peer::Rank(2)));
}

#[test]
fn close_wakes_receivers_on_both_ends() {
    let (server, client) = pair();
    std::thread::scope(|scope| {
        let here = scope.spawn(|| client.receive(Peer::Rank(0), None).unwrap_err());
        let there = scope.spawn(|| server.receive(Peer::Rank(1), None).unwrap_err());
        assert!(client.has(Peer::Rank(0)));
        assert!(client.close(Peer::Rank(0)));
        // A thread that had not begun to wait finds no link.
        broken(&here.join().unwrap(), "link");
        broken(&there.join().unwrap(), "link");
    });
    assert!(!client.close(Peer::Rank(0)));
    broken(&client.send(Peer::Rank(0), INTEGER, 0, &[]).unwrap_err(), "no link");
    broken(&client.receive(Peer::Rank(0), None).unwrap_err(), "no link");
    wait_for("the end is noticed", || !server.has(Peer::Rank(1)));
}

#[test]
fn messages_sent_before_the_end_are_received() {
    let (server, client) = pair();
    send_tag(client, 0, 1);
    send_tag(client, 0, 2);
    client.close_all();
    assert_eq!(receive_tag(server, 1).unwrap(), 1);
    assert_eq!(receive_tag(server, 1).unwrap(), 2);
    broken(&receive_tag(server, 1).unwrap_err(), "closed");
}

#[test]
fn many_threads_share_a_link() {
    const THREADS: u64 = 8;
    const TAGS: u64 = 300;
    let (server, client) = pair();
    let sum = std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for tag in 0..TAGS {
                    // Some are long, so that interleaved pieces would show.
                    let bytes = if tag % 50 == 49 { 30_000 } else { 8 };
                    let mut payload = vec![(thread % 250) as u8; bytes];
                    payload[..8].copy_from_slice(&(thread * TAGS + tag).to_le_bytes());
                    client.send(Peer::Rank(0), INTEGER, 0, &payload).unwrap();
                }
            });
        }
        let receiving: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    (0..TAGS)
                        .map(|_| {
                            let payload = server.receive(Peer::Rank(1), LIMIT).unwrap().payload;
                            let tag = u64::from_le_bytes(payload[..8].try_into().unwrap());
                            assert!(payload[8..].iter().all(|byte| u64::from(*byte) == tag / TAGS));
                            tag
                        })
                        .sum::<u64>()
                })
            })
            .collect();
        receiving.into_iter().map(|thread| thread.join().unwrap()).sum::<u64>()
    });
    assert_eq!(sum, (0..THREADS * TAGS).sum());
}

#[test]
fn interrupt_ends_the_wait_without_losing_messages() {
    thread_local! {
        static LEAVES: Cell<bool> = const { Cell::new(false) };
    }
    assert!(interrupt::set_check(|| LEAVES.get()));
    let (server, client) = pair();
    LEAVES.set(true);
    for limit in [None, LIMIT] {
        let error = server.receive(Peer::Rank(1), limit).unwrap_err();
        assert_eq!(error.kind(), Kind::Interrupted, "{error}");
        interrupt::end_call();
    }
    // The peer does not read: its buffers fill, and the message that does not fit is dropped as a whole.
    let payload = vec![0; PAYLOAD_BYTES_MAX];
    let error = loop {
        if let Err(error) = client.send(Peer::Rank(0), STRUCT, 0, &payload) {
            break error;
        }
    };
    interrupt::end_call();
    LEAVES.set(false);
    assert!(matches!(error.kind(), Kind::Interrupted | Kind::NotConnected), "{error}");
}
