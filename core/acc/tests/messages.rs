// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Message servers: links, order, threads, ends.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test; helpers outside of test functions may fail it, too"
)]

mod servers;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use mf_acc::frame::{Frames, Message};
use mf_acc::hello::{ANSWER_BYTES, Answer, Hello, Verdict};
use mf_acc::{Bounds, Link, SENT, SENT_BROKEN, SENT_TIMEOUT, Server, TcpOptions, Times, code};
use servers::*;

#[test]
fn a_message_and_its_answer() {
    let server = echo(4);
    let (client, answers) = client();
    let link = connect(&client, &server);
    for (result, sequence, body) in
        [(0, 0, vec![]), (-7, u32::MAX, vec![1; 64]), (3, 1 << 31, vec![2; 3 << 20])]
    {
        link.send((ECHO, result, sequence), &body, &[], false).unwrap();
        let answer = next(&answers);
        assert_eq!((answer.result, answer.sequence, answer.body == body), (result, sequence, true));
    }
    server.stop().unwrap();
    client.stop().unwrap();
}

#[test]
fn link_keeps_the_order_of_each_thread() {
    const THREADS: u32 = 4;
    const EACH: u32 = 5_000;
    let (found, all) = mpsc::channel();
    let server = server(4, move |message: &Message, body: &[u8], _: &Arc<Link>| {
        assert_eq!(body.len(), (message.sequence % 700) as usize);
        found.send((message.result, message.sequence)).unwrap();
    });
    let (client, _answers) = client();
    let link = connect(&client, &server);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let link = &link;
            scope.spawn(move || {
                let result = i16::try_from(thread).unwrap();
                for sequence in 0..EACH {
                    send_when_there_is_room(
                        link,
                        (ECHO, result, sequence),
                        &[5; 700][..(sequence % 700) as usize],
                    );
                }
            });
        }
    });
    let mut next_of = BTreeMap::new();
    for _ in 0..THREADS * EACH {
        let (thread, sequence) = next(&all);
        let expected = next_of.entry(thread).or_insert(0);
        assert_eq!(sequence, *expected, "thread {thread}");
        *expected += 1;
    }
    client.stop().unwrap();
    server.stop().unwrap();
}

#[test]
fn links_run_in_parallel_and_messages_of_a_link_in_sequence() {
    const LINKS: u16 = 4;
    let running = Arc::new(AtomicUsize::new(0));
    let (entered, all) = mpsc::channel();
    let doors = Arc::new(Mutex::new(Vec::new()));
    let server = {
        let (running, doors) = (Arc::clone(&running), Arc::clone(&doors));
        server(LINKS, move |_: &Message, _: &[u8], link: &Arc<Link>| {
            assert_eq!(link.context() & 1, 0, "two at a time on one link");
            link.set_context(link.context() + 1);
            running.fetch_add(1, Ordering::SeqCst);
            let (open, door) = mpsc::channel::<()>();
            doors.lock().unwrap().push(open);
            entered.send(()).unwrap();
            let _ = door.recv();
            link.set_context(link.context() + 1);
        })
    };
    let (client, _answers) = client();
    let links: Vec<_> = (0..LINKS).map(|_| connect(&client, &server)).collect();
    for link in &links {
        for sequence in 0..2 {
            link.send((ECHO, 0, sequence), b"x", &[], false).unwrap();
        }
    }
    // All four run at once although none returns; the second message of each waits.
    for _ in 0..LINKS {
        next(&all);
    }
    assert_eq!(running.load(Ordering::SeqCst), usize::from(LINKS));
    doors.lock().unwrap().clear();
    for _ in 0..LINKS {
        next(&all);
        doors.lock().unwrap().clear();
    }
    doors.lock().unwrap().clear();
    client.stop().unwrap();
    server.stop().unwrap();
}

#[test]
fn new_link_handler_returns_before_connect_and_any_request() {
    let server = Server::new(mf_acc::Protocol::Messages);
    let was_asked = Arc::new(AtomicBool::new(false));
    let (found, asked) = mpsc::channel();
    {
        let was_asked = Arc::clone(&was_asked);
        server.on_new_link(Some(Arc::new(move |hello: &Hello, link: &Arc<Link>| {
            // Data sent here arrives after the answer.
            link.send((ECHO, 0, 77), b"welcome", &[], false).unwrap();
            link.set_context(hello.rank);
            found.send((*hello, link.id())).unwrap();
            was_asked.store(true, Ordering::SeqCst);
            0
        })));
    }
    let checked = Arc::clone(&was_asked);
    server.on_request(
        ECHO,
        Some(Arc::new(move |message: &Message, _: &[u8], link: &Arc<Link>| {
            assert!(checked.load(Ordering::SeqCst));
            let context = link.context();
            assert_eq!(context, u64::MAX - 1);
            link.send((ECHO, 0, message.sequence), &[], &[], false).unwrap();
            0
        })),
    );
    server.on_broken(Some(Arc::new(|_: &Arc<Link>| {})));
    server.start_tcp(&listening(2), None).unwrap();
    let (client, answers) = client();
    let hello = Hello { rank: u64::MAX - 1, reconnect: 1, ..HELLO };
    let link = connect_as(&client, &server, &hello);
    assert!(was_asked.load(Ordering::SeqCst));
    let (asked, id) = next(&asked);
    assert_eq!(asked, hello);
    assert_ne!(id, 0);
    assert_eq!(next(&answers).sequence, 77);
    link.send((ECHO, 0, 5), &[], &[], false).unwrap();
    assert_eq!(next(&answers).sequence, 5);
    client.stop().unwrap();
    server.stop().unwrap();
}

#[test]
fn refusal_names_its_reason_and_ends_the_attempts() {
    let server = echo(2);
    server.on_new_link(Some(Arc::new(|hello: &Hello, _: &Arc<Link>| if hello.rank == 9 { -5 } else { 0 })));
    let (client, _answers) = client();
    let (address, port) = address(&server);
    for (hello, text) in [
        (Hello { magic: 1, ..HELLO }, "another magic: peer"),
        (Hello { version: 9, ..HELLO }, "another version: peer"),
        (Hello { rank: 9, ..HELLO }, "refuses the link"),
    ] {
        let error = client.connect(address, port, &hello, 30).unwrap_err();
        assert_eq!(code::code_of(&error), code::REFUSED, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
    assert!(client.connect(address, port, &Hello { rank: 8, ..HELLO }, 1).is_ok());
    server.stop().unwrap();
    let error = client.connect(address, port, &HELLO, 2).unwrap_err();
    assert_eq!(code::code_of(&error), code::NOT_READY, "{error}");
    assert!(error.to_string().contains("attempts 2"), "{error}");
    let error = client.connect(address, port, &HELLO, 0).unwrap_err();
    assert_eq!(code::code_of(&error), code::ERROR);
    client.stop().unwrap();
    assert_eq!(code::code_of(&client.connect(address, port, &HELLO, 1).unwrap_err()), code::NOT_STARTED);
}

#[test]
fn full_queue_refuses_at_once_and_sent_handlers_report_outcomes() {
    let (open, door) = mpsc::channel::<()>();
    let door = Mutex::new(door);
    let server = server(1, move |_: &Message, _: &[u8], _: &Arc<Link>| {
        let _ = door.lock().unwrap().recv();
    });
    let (client, _answers) = client();
    let (found, sent) = mpsc::channel();
    client.on_sent(
        ECHO,
        Some(Arc::new(move |code, message: &Message, back: &[u8]| {
            assert_eq!(back, message.sequence.to_le_bytes());
            found.send((code, message.sequence)).unwrap();
        })),
    );
    let link = connect(&client, &server);
    let body = vec![7; 1 << 20];
    let mut count = 0_u32;
    let error = loop {
        match link.send((ECHO, 0, count), &body, &count.to_le_bytes(), true) {
            Ok(()) => count += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(code::code_of(&error), code::QUEUE_FULL);
    assert!(count >= 32, "{count}");
    drop(open);
    for expected in 0..count {
        assert_eq!(next(&sent), (SENT, expected));
    }
    client.stop().unwrap();
    server.stop().unwrap();
}

/// Creates a peer that writes its bytes by hand.
fn by_hand(server: &Server, hello: &Hello) -> TcpStream {
    let mut socket = TcpStream::connect(server.address().unwrap()).unwrap();
    socket.set_read_timeout(Some(LIMIT)).unwrap();
    socket.write_all(&hello.bytes()).unwrap();
    let mut answer = [0; ANSWER_BYTES];
    socket.read_exact(&mut answer).unwrap();
    assert_eq!(Answer::read(&answer), Some(Answer(Verdict::Taken)));
    socket
}

#[test]
fn messages_queued_for_a_dead_peer_are_reported_as_broken() {
    let (found, links) = mpsc::channel();
    let (sent, all) = mpsc::channel();
    let server = server(2, |_: &Message, _: &[u8], _: &Arc<Link>| {});
    server.on_new_link(Some(Arc::new(move |_: &Hello, link: &Arc<Link>| {
        found.send(Arc::clone(link)).unwrap();
        0
    })));
    server.on_sent(ECHO, Some(Arc::new(move |code, _: &Message, _: &[u8]| sent.send(code).unwrap())));
    let peer = by_hand(&server, &HELLO);
    let link = next(&links);
    let body = vec![1; 4 << 20];
    let mut count = 0;
    while link.send((ECHO, 0, 0), &body, &[], false).is_ok() {
        count += 1;
    }
    drop(peer);
    let codes: Vec<i32> = (0..count).map(|_| next(&all)).collect();
    assert!(codes.contains(&SENT_BROKEN), "{codes:?}");
    let error = link.send((ECHO, 0, 0), &body, &[], false).unwrap_err();
    assert_eq!(code::code_of(&error), code::LINK);
    server.stop().unwrap();
}

#[test]
fn peer_that_reads_nothing_loses_its_link() {
    let server = Server::new(mf_acc::Protocol::Messages);
    let (found, links) = mpsc::channel();
    let (sent, all) = mpsc::channel();
    let (broken, ended) = mpsc::channel();
    server.on_new_link(Some(Arc::new(move |_: &Hello, link: &Arc<Link>| {
        found.send(Arc::clone(link)).unwrap();
        0
    })));
    server.on_request(ECHO, Some(Arc::new(|_: &Message, _: &[u8], _: &Arc<Link>| 0)));
    server.on_broken(Some(Arc::new(move |link: &Arc<Link>| broken.send(link.id()).unwrap())));
    server.on_sent(ECHO, Some(Arc::new(move |code, _: &Message, _: &[u8]| sent.send(code).unwrap())));
    let times = Times { send: std::time::Duration::from_millis(50), ..Times::default() };
    server.start_tcp(&TcpOptions { times, ..listening(2) }, None).unwrap();
    let _silent = by_hand(&server, &HELLO);
    let link = next(&links);
    let mut count = 0;
    while link.send((ECHO, 0, 0), &vec![1; 4 << 20], &[], false).is_ok() {
        count += 1;
    }
    assert_eq!(next(&ended), link.id());
    let codes: Vec<i32> = (0..count).map(|_| next(&all)).collect();
    assert!(codes.contains(&SENT_TIMEOUT), "{codes:?}");
    server.stop().unwrap();
}

#[test]
fn malformed_message_ends_only_its_link() {
    let server = echo(2);
    let (broken, ended) = mpsc::channel();
    server.on_broken(Some(Arc::new(move |link: &Arc<Link>| broken.send(link.id()).unwrap())));
    let (client, answers) = client();
    let good = connect(&client, &server);
    let large = Message { kind: ECHO, body_bytes: (64 << 20) + 1, ..Message::default() };
    let wrong = Message { kind: ECHO, body_bytes: 1, crc: Some(1), ..Message::default() };
    for bytes in [
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        vec![0xff; 64],
        large.head().to_vec(),
        [&wrong.head()[..], b"y"].concat(),
    ] {
        let mut peer = by_hand(&server, &HELLO);
        peer.write_all(&bytes).unwrap();
        next(&ended);
        assert!(is_closed(&mut peer));
    }
    // Half a message, then the end.
    let mut peer = by_hand(&server, &HELLO);
    peer.write_all(&wrong.head()[..7]).unwrap();
    peer.shutdown(Shutdown::Write).unwrap();
    next(&ended);
    // No valid hello: no link, hence no callback.
    for bytes in [&b"SSH-2.0-OpenSSH\r\n"[..], &[0; 24], &HELLO.bytes()[..5]] {
        let mut peer = TcpStream::connect(server.address().unwrap()).unwrap();
        peer.set_read_timeout(Some(LIMIT)).unwrap();
        peer.write_all(bytes).unwrap();
        peer.shutdown(Shutdown::Write).unwrap();
        assert!(is_closed(&mut peer));
    }
    good.send((ECHO, 1, 2), b"still", &[], false).unwrap();
    assert_eq!(next(&answers).body, b"still");
    assert!(ended.try_recv().is_err());
    client.stop().unwrap();
    server.stop().unwrap();
}

#[test]
fn silent_connection_is_closed_after_a_time() {
    let server = Server::new(mf_acc::Protocol::Messages);
    server.on_new_link(Some(Arc::new(|_: &Hello, _: &Arc<Link>| 0)));
    server.on_request(ECHO, Some(Arc::new(|_: &Message, _: &[u8], _: &Arc<Link>| 0)));
    server.on_broken(Some(Arc::new(|_: &Arc<Link>| panic!("it was no link"))));
    let times = Times { hello: std::time::Duration::from_millis(20), ..Times::default() };
    server.start_tcp(&TcpOptions { times, ..listening(1) }, None).unwrap();
    let mut silent = TcpStream::connect(server.address().unwrap()).unwrap();
    silent.set_read_timeout(Some(LIMIT)).unwrap();
    assert!(is_closed(&mut silent));
    server.stop().unwrap();
}

#[test]
fn clients_beyond_the_bound_of_an_address_are_refused() {
    let server = Server::new(mf_acc::Protocol::Messages);
    server.on_new_link(Some(Arc::new(|_: &Hello, _: &Arc<Link>| 0)));
    server.on_request(ECHO, Some(Arc::new(|_: &Message, _: &[u8], _: &Arc<Link>| 0)));
    let (ended, ends) = mpsc::channel();
    server.on_broken(Some(Arc::new(move |_: &Arc<Link>| ended.send(()).unwrap())));
    let bounds = Bounds { links_of_address: 2, ..Bounds::default() };
    server.start_tcp(&TcpOptions { bounds, ..listening(1) }, None).unwrap();
    let (client, _answers) = client();
    let (address, port) = address(&server);
    let first = connect(&client, &server);
    let _second = connect(&client, &server);
    let error = client.connect(address, port, &HELLO, 1).unwrap_err();
    assert!(error.to_string().contains("no room"), "{error}");
    // The end of one makes room for another.
    client.release(&first).unwrap();
    next(&ends);
    connect(&client, &server);
    client.stop().unwrap();
    server.stop().unwrap();
}

#[test]
fn silent_client_makes_room_for_another() {
    let server = Server::new(mf_acc::Protocol::Messages);
    server.on_new_link(Some(Arc::new(|_: &Hello, _: &Arc<Link>| 0)));
    server.on_request(ECHO, Some(Arc::new(|_: &Message, _: &[u8], _: &Arc<Link>| 0)));
    server.on_broken(Some(Arc::new(|_: &Arc<Link>| {})));
    let bounds = Bounds { silent: 4, ..Bounds::default() };
    server.start_tcp(&TcpOptions { bounds, ..listening(1) }, None).unwrap();
    let mut silent: Vec<TcpStream> =
        (0..5).map(|_| TcpStream::connect(server.address().unwrap()).unwrap()).collect();
    silent[0].set_read_timeout(Some(LIMIT)).unwrap();
    assert!(is_closed(&mut silent[0]));
    let (client, _answers) = client();
    connect(&client, &server);
    client.stop().unwrap();
    server.stop().unwrap();
}

#[test]
fn messages_in_small_pieces_arrive_whole() {
    let server = echo(1);
    let mut peer = by_hand(&server, &HELLO);
    let body = b"drop by drop";
    let message =
        Message { kind: ECHO, sequence: 3, body_bytes: 12, crc: Some(crc32c::crc32c(body)), result: 0 };
    peer.set_nodelay(true).unwrap();
    for byte in [&message.head()[..], body].concat() {
        peer.write_all(&[byte]).unwrap();
    }
    let mut frames = Frames::default();
    let mut buffer = [0; 64];
    loop {
        let count = peer.read(&mut buffer).unwrap();
        assert_ne!(count, 0);
        let mut input = &buffer[..count];
        if let Some((answer, echoed)) = frames.take(&mut input).unwrap() {
            assert_eq!((answer.sequence, &echoed[..]), (3, &body[..]));
            break;
        }
    }
    server.stop().unwrap();
}

#[test]
fn types_without_handlers_are_dropped() {
    let server = echo(1);
    let (client, answers) = client();
    let link = connect(&client, &server);
    link.send((ECHO + 1, 0, 1), b"nobody takes it", &[], false).unwrap();
    link.send((ECHO, 0, 2), b"", &[], false).unwrap();
    assert_eq!(next(&answers).sequence, 2);
    client.stop().unwrap();
    server.stop().unwrap();
}

#[test]
fn broken_callback_may_reconnect_and_wait_for_a_reply() {
    let first = echo(2);
    let second = Arc::new(echo(2));
    let client = Arc::new(Server::new(mf_acc::Protocol::Messages));
    let (answered, answers) = mpsc::channel();
    let answers = Mutex::new(answers);
    // One worker: it must be free while the callback waits.
    client.on_request(
        ECHO,
        Some(Arc::new(move |message: &Message, _: &[u8], _: &Arc<Link>| {
            answered.send(message.sequence).unwrap();
            0
        })),
    );
    let (done, reconnected) = mpsc::channel();
    {
        let (client_too, second) = (Arc::downgrade(&client), Arc::clone(&second));
        client.on_broken(Some(Arc::new(move |_: &Arc<Link>| {
            let Some(client) = client_too.upgrade() else { return };
            let (address, port) = address(&second);
            let Ok(link) = client.connect(address, port, &Hello { reconnect: 1, ..HELLO }, 30) else {
                return;
            };
            link.send((ECHO, 0, 99), b"again", &[], false).unwrap();
            let answer = answers.lock().unwrap().recv_timeout(LIMIT).unwrap();
            done.send(answer).unwrap();
        })));
    }
    client.start_tcp(&TcpOptions { listen: None, workers: 1, ..listening(1) }, None).unwrap();
    let link = connect(&client, &first);
    first.stop().unwrap();
    assert_eq!(next(&reconnected), 99);
    assert!(link.has_ended());
    client.stop().unwrap();
    second.stop().unwrap();
}

#[test]
fn release_ends_a_link_once_even_inside_its_callback() {
    let ended = Arc::new(AtomicU32::new(0));
    let (broken, all) = mpsc::channel();
    let server = Arc::new(Server::new(mf_acc::Protocol::Messages));
    server.on_new_link(Some(Arc::new(|_: &Hello, _: &Arc<Link>| 0)));
    {
        let (server_too, before) = (Arc::downgrade(&server), Arc::clone(&ended));
        let (broken, ended) = (broken.clone(), Arc::clone(&ended));
        server.on_request(
            ECHO,
            Some(Arc::new(move |_: &Message, _: &[u8], link: &Arc<Link>| {
                let server = server_too.upgrade().unwrap();
                server.release(link).unwrap();
                server.release(link).unwrap();
                assert!(server.stop().is_err());
                assert_eq!(before.load(Ordering::SeqCst), 0, "the callback of the end waits for this one");
                0
            })),
        );
        server.on_broken(Some(Arc::new(move |_: &Arc<Link>| {
            ended.fetch_add(1, Ordering::SeqCst);
            broken.send("server").unwrap();
        })));
    }
    server.start_tcp(&listening(2), None).unwrap();
    let (client, _answers) = client();
    client.on_broken(Some(Arc::new(move |_: &Arc<Link>| broken.send("client").unwrap())));
    let link = connect(&client, &server);
    link.send((ECHO, 0, 0), b"", &[], false).unwrap();
    let mut sides = [next(&all), next(&all)];
    sides.sort_unstable();
    assert_eq!(sides, ["client", "server"]);
    // A link of another server.
    let other = connect(&client, echo_kept());
    assert_eq!(code::code_of(&server.release(&other).unwrap_err()), code::INVALID);
    client.release(&other).unwrap();
    assert_eq!(next(&all), "client");
    client.stop().unwrap();
    server.stop().unwrap();
    assert!(all.try_recv().is_err());
}

#[test]
fn stopped_server_calls_no_handler_and_can_restart() {
    let is_stopped = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&is_stopped);
    let server = server(2, move |_: &Message, _: &[u8], _: &Arc<Link>| {
        assert!(!seen.load(Ordering::SeqCst));
    });
    let seen = Arc::clone(&is_stopped);
    server.on_broken(Some(Arc::new(move |_: &Arc<Link>| assert!(!seen.load(Ordering::SeqCst)))));
    let (client, _answers) = client();
    let link = connect(&client, &server);
    std::thread::scope(|scope| {
        scope.spawn(|| while link.send((ECHO, 0, 0), &[0; 64], &[], false).is_ok() || !link.has_ended() {});
        server.stop().unwrap();
        is_stopped.store(true, Ordering::SeqCst);
    });
    is_stopped.store(false, Ordering::SeqCst);
    server.start_tcp(&listening(2), None).unwrap();
    connect(&client, &server);
    client.stop().unwrap();
    server.stop().unwrap();
}

#[test]
fn ids_are_unique_among_many_links() {
    const LINKS: usize = 300;
    let (found, ids) = mpsc::channel();
    let server = server(4, |_: &Message, _: &[u8], _: &Arc<Link>| {});
    server.on_new_link(Some(Arc::new(move |_: &Hello, link: &Arc<Link>| {
        found.send(link.id()).unwrap();
        0
    })));
    let (client, _answers) = client();
    let links: Vec<_> = (0..LINKS).map(|_| connect(&client, &server)).collect();
    let distinct = |mut ids: Vec<u32>| {
        ids.sort_unstable();
        ids.dedup();
        ids.len()
    };
    assert_eq!(distinct(links.iter().map(|link| link.id()).collect()), LINKS);
    assert_eq!(distinct((0..LINKS).map(|_| next(&ids)).collect()), LINKS);
    client.stop().unwrap();
    server.stop().unwrap();
}
