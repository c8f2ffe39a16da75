// SPDX-License-Identifier: Apache-2.0 OR MIT

use std::io::{Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::os::socket::{self, Received};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_transport::JobId;

use super::packet::{Packet, encode};
use super::{Answer, ConnectionId, Endpoint, Handler, Message, Name, Outcome};

const TOKEN: [u8; 32] = [7; 32];

/// Replies with the request itself, descriptors included; refuses the word `no`.
struct Echo {
    closed: Mutex<Sender<ConnectionId>>,
    /// Requests wait for these, if there are any.
    may_go_on: Mutex<Option<Receiver<()>>>,
    begun: Mutex<Sender<()>>,
}

impl Handler for Echo {
    fn request(&self, _: ConnectionId, request: Message) -> Result<Answer<'_>> {
        let _ = lock(&self.begun).send(());
        if let Some(may_go_on) = &*lock(&self.may_go_on) {
            let _ = may_go_on.recv();
        }
        assert_ne!(request.bytes, b"panic", "as asked");
        if request.bytes == b"no" {
            return Err(Error::new(Kind::InUse, "echo").what("not this one"));
        }
        Ok(Answer { message: request, order: None })
    }

    fn closed(&self, connection: ConnectionId) {
        let _ = lock(&self.closed).send(connection);
    }
}

struct User {
    handler: Arc<Echo>,
    endpoint: Endpoint,
    closed: Receiver<ConnectionId>,
    begun: Receiver<()>,
}

fn name(session: u64) -> Name {
    Name { job: JobId(1), session, service: "echo".to_owned() }
}

fn user(session: u64) -> User {
    let (closes, closed) = channel();
    let (begins, begun) = channel();
    let handler =
        Arc::new(Echo { closed: Mutex::new(closes), may_go_on: Mutex::default(), begun: Mutex::new(begins) });
    let weak: Weak<dyn Handler> = Arc::downgrade(&handler) as Weak<dyn Handler>;
    let endpoint = Endpoint::open(name(session), TOKEN, weak).unwrap();
    User { handler, endpoint, closed, begun }
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

fn ask(from: &Endpoint, connection: ConnectionId, body: &[u8], descriptors: &[OwnedFd]) -> Outcome {
    let request = from.asker().request(connection, body, descriptors);
    from.asker().wait(&[request], soon()).unwrap().remove(0)
}

#[test]
fn requests_and_descriptors_round_trip_to_the_named_endpoint() {
    let (one, other) = (user(101), user(102));
    let connection = one.endpoint.connect(other.endpoint.socket(), name(102)).unwrap();
    let file = rustix::fs::memfd_create("mf-test", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
    std::fs::File::from(file.try_clone().unwrap()).write_all(b"content").unwrap();
    let Outcome::Done(reply) = ask(&one.endpoint, connection, b"hello", &[file]) else { panic!() };
    assert_eq!(reply.bytes, b"hello");
    let mut text = String::new();
    let mut file = std::fs::File::from(reply.descriptors.into_iter().next().unwrap());
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "content");
    let Outcome::Refused { code, text } = ask(&one.endpoint, connection, b"no", &[]) else { panic!() };
    assert_eq!(code, Kind::InUse.code());
    assert!(text.contains("not this one"), "{text}");
    // The other user's end is noticed, and its name is free again.
    drop(other);
    assert!(one.endpoint.ends(connection, soon()));
    assert_eq!(one.closed.recv().unwrap(), connection);
    assert!(matches!(ask(&one.endpoint, connection, b"hello", &[]), Outcome::Closed));
    drop(user(102));
}

#[test]
fn duplicate_name_is_refused_and_absent_endpoint_closes() {
    let one = user(201);
    let weak: Weak<dyn Handler> = Arc::downgrade(&one.handler) as Weak<dyn Handler>;
    assert_eq!(Endpoint::open(name(201), TOKEN, weak).err().unwrap().kind(), Kind::InUse);
    let connection = one.endpoint.connect(one.endpoint.socket(), name(202)).unwrap();
    assert!(one.endpoint.ends(connection, soon()));
}

#[test]
fn connections_without_the_token_are_not_served() {
    let one = user(301);
    let hello = |token| Packet::Hello { token, to: name(301) };
    let request = Packet::Request { number: 1, body: b"hello" };
    let unknown = |packets: &[Packet<'_>]| {
        let socket = socket::connect(one.endpoint.socket()).unwrap();
        for packet in packets {
            // One that was closed already has been refused.
            let _ = socket::send(&socket, &encode(packet).unwrap(), &[]);
        }
        socket
    };
    let next = |socket: &OwnedFd| {
        let mut buffer = [0; 100];
        loop {
            let mut readable = [rustix::event::PollFd::new(socket, rustix::event::PollFlags::IN)];
            rustix::event::poll(&mut readable, None).unwrap();
            match socket::receive(socket.as_fd(), &mut buffer).unwrap() {
                Received::Nothing => {}
                Received::Closed => return None,
                Received::Message { bytes, .. } => return Some(buffer[..bytes].to_vec()),
            }
        }
    };
    let refused: [&[Packet<'_>]; 4] = [
        &[hello([8; 32]), Packet::Request { number: 1, body: b"hello" }],
        &[Packet::Request { number: 1, body: b"hello" }],
        &[Packet::Hello { token: TOKEN, to: name(302) }],
        &[hello(TOKEN), hello(TOKEN)],
    ];
    for packets in refused {
        assert_eq!(next(&unknown(packets)), None, "{packets:?}");
    }
    let reply = encode(&Packet::Reply { number: 1, body: b"hello" }).unwrap();
    assert_eq!(next(&unknown(&[hello(TOKEN), request])), Some(reply));
}

#[test]
fn dropping_an_endpoint_waits_for_its_handler() {
    let (one, other) = (user(401), user(402));
    let (go_on, may_go_on) = channel();
    *lock(&other.handler.may_go_on) = Some(may_go_on);
    let connection = one.endpoint.connect(other.endpoint.socket(), name(402)).unwrap();
    let request = one.endpoint.asker().request(connection, b"hello", &[]);
    other.begun.recv().unwrap();
    let User { endpoint, handler, .. } = other;
    let dropping = std::thread::spawn(move || {
        drop(endpoint);
        Arc::strong_count(&handler)
    });
    let shared = &one.endpoint.service.shared;
    while shared.table().endpoints.contains_key(&name(402)) {
        std::thread::yield_now();
    }
    go_on.send(()).unwrap();
    assert_eq!(dropping.join().unwrap(), 1, "the thread of the service has let the handler go");
    let outcome = one.endpoint.asker().wait(&[request], soon()).unwrap().remove(0);
    assert!(matches!(outcome, Outcome::Closed), "{outcome:?}");
}

#[test]
fn threads_await_replies_concurrently() {
    let (one, other) = (user(501), user(502));
    let connection = one.endpoint.connect(other.endpoint.socket(), name(502)).unwrap();
    std::thread::scope(|scope| {
        for number in 0..8_u8 {
            let endpoint = &one.endpoint;
            scope.spawn(move || {
                for round in 0..50_u8 {
                    let Outcome::Done(reply) = ask(endpoint, connection, &[number, round], &[]) else {
                        panic!()
                    };
                    assert_eq!(reply.bytes, [number, round]);
                }
            });
        }
    });
    // A timeout leaves the connection as it is.
    let request = one.endpoint.asker().request(connection, b"late", &[]);
    let outcome = one.endpoint.asker().wait(&[request], Instant::now()).unwrap().remove(0);
    assert!(matches!(outcome, Outcome::TimedOut | Outcome::Done(_)));
    assert!(matches!(ask(&one.endpoint, connection, b"hello", &[]), Outcome::Done(_)));
}

#[test]
fn panic_of_a_handler_ends_its_connection_and_no_other() {
    let (one, other) = (user(601), user(602));
    let connect = || one.endpoint.connect(other.endpoint.socket(), name(602)).unwrap();
    let (first, second) = (connect(), connect());
    let outcome = ask(&one.endpoint, first, b"panic", &[]);
    assert!(matches!(outcome, Outcome::Closed), "{outcome:?}");
    assert!(matches!(ask(&one.endpoint, second, b"hello", &[]), Outcome::Done(_)));
    // Its end does not wait for the handler that panicked.
    drop(other);
}
