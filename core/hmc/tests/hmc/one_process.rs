// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Communicators in one process: refused calls, and the fate of ids and connections.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::Result;
use mf_base::sync::rcu;
use mf_hmc::buffer::DataIn;
use mf_hmc::communicator::{At, Communicator, CopyNote, Ranges, fast_path_cached};
use mf_hmc::{Buffer, ConnType, MemoryType, Status};

const OP: &str = "hmc test";
const BYTES: u64 = 1 << 20;
const HERE: &str = "127.0.0.1";

fn status<T>(result: Result<T>) -> Status {
    result.map_or_else(|error| Status::from_error(&error), |_| Status::Success)
}

fn communicator(bytes: u64) -> Communicator {
    let buffer = Buffer::new(OP, 0, MemoryType::Cpu as i32, bytes).unwrap();
    Communicator::new(OP, Arc::new(buffer), 2).unwrap()
}

/// Returns a port that is free now.
fn free_port() -> u16 {
    TcpListener::bind((HERE, 0)).unwrap().local_addr().unwrap().port()
}

/// Listens at a port that is free.
fn listen(listener: &Communicator, ip: &str, conn: ConnType) -> u16 {
    loop {
        let port = free_port();
        // Another process may have taken it meanwhile.
        if listener.listen(OP, ip, port, conn).is_ok() {
            return port;
        }
    }
}

fn listening(bytes: u64, conn: ConnType) -> (Communicator, u16) {
    let listener = communicator(bytes);
    let port = listen(&listener, HERE, conn);
    (listener, port)
}

fn at(port: u16, conn: ConnType) -> At<'static> {
    At { ip: HERE.as_bytes(), port, conn }
}

fn ranges(local: u64, remote: u64, bytes: u64) -> Ranges {
    Ranges { local, remote, bytes }
}

fn fill(of: &Communicator, offset: u64, bytes: &[u8]) {
    let length = bytes.len() as u64;
    // SAFETY: the slice has so many bytes.
    unsafe { of.buffer().write(OP, bytes.as_ptr(), length, offset, DataIn::Host) }.unwrap();
}

fn bytes_of(of: &Communicator, offset: u64, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    // SAFETY: the vector has so many bytes.
    unsafe { of.buffer().read(OP, bytes.as_mut_ptr(), length as u64, offset, DataIn::Host) }.unwrap();
    bytes
}

/// Waits until a state is reached.
fn until(what: &str, is_there: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_there() {
        assert!(Instant::now() < deadline, "{what} does not come");
        std::thread::yield_now();
    }
}

#[test]
fn both_ends_use_a_connection() {
    let (listener, port) = listening(BYTES, ConnType::Ucx);
    let dialer = communicator(2 * BYTES);
    assert_eq!(status(dialer.put(OP, at(port, ConnType::Ucx), ranges(0, 0, 1))), Status::NotFound);
    dialer.connect(OP, HERE, port, ConnType::Ucx).unwrap();
    dialer.connect(OP, HERE, port, ConnType::Ucx).unwrap();
    fill(&dialer, 10, b"towards");
    dialer.put(OP, at(port, ConnType::Ucx), ranges(10, 20, 7)).unwrap();
    assert_eq!(bytes_of(&listener, 20, 7), b"towards");
    // The dialer does not listen: it is known by port 0.
    assert_eq!(listener.port_of(OP, HERE, ConnType::Ucx).unwrap(), 0);
    fill(&listener, 0, b"back");
    let last = 2 * BYTES - 4;
    listener.put(OP, at(0, ConnType::Ucx), ranges(0, last, 4)).unwrap();
    assert_eq!(bytes_of(&dialer, last, 4), b"back");
    listener.get(OP, at(0, ConnType::Ucx), ranges(100, 10, 7)).unwrap();
    assert_eq!(bytes_of(&listener, 100, 7), b"towards");
    for size in [1, 1000, BYTES] {
        dialer.pipeline(OP, at(port, ConnType::Ucx), ranges(0, 0, size), (300, 64), true).unwrap();
        dialer.pipeline(OP, at(port, ConnType::Ucx), ranges(BYTES, 0, size), (0, 0), false).unwrap();
    }
    assert_eq!(bytes_of(&dialer, 0, 1 << 20), bytes_of(&dialer, BYTES, 1 << 20));
    // The other end notices later, this one at once.
    dialer.disconnect(OP, at(port, ConnType::Ucx)).unwrap();
    assert_eq!(status(dialer.get(OP, at(port, ConnType::Ucx), ranges(0, 0, 1))), Status::NotFound);
    until("the end of the connection", || {
        status(listener.connection(OP, at(0, ConnType::Ucx))) == Status::NotFound
    });
    dialer.connect(OP, HERE, port, ConnType::Ucx).unwrap();
    listener.put(OP, at(0, ConnType::Ucx), ranges(0, 0, 4)).unwrap();
    // Without a listener the connection stays, and no further peer can connect.
    listener.stop(OP).unwrap();
    listener.put(OP, at(0, ConnType::Ucx), ranges(0, 0, 4)).unwrap();
    dialer.put(OP, at(port, ConnType::Ucx), ranges(0, 0, 4)).unwrap();
    assert_eq!(status(communicator(4096).connect(OP, HERE, port, ConnType::Ucx)), Status::Error);
    // The memory of a communicator that was ended is out of reach.
    listener.end();
    assert_eq!(status(dialer.put(OP, at(port, ConnType::Ucx), ranges(0, 0, 4))), Status::Error);
    assert_eq!(status(dialer.put(OP, at(port, ConnType::Ucx), ranges(0, 0, 4))), Status::NotFound);
    assert_eq!(status(listener.connect(OP, HERE, port, ConnType::Ucx)), Status::Error);
}

#[test]
fn cached_copies_are_fast_until_memory_is_withdrawn() {
    let (listener, port) = listening(BYTES, ConnType::Ucx);
    let (dialer, name, to) = (communicator(4096), 77, at(port, ConnType::Ucx));
    let cached = |range: Ranges, is_put| fast_path_cached(name, to, range, is_put);
    let found = |range| {
        let section = rcu::read_lock();
        // SAFETY: nothing is copied by the name once the communicator is gone.
        let note = unsafe { CopyNote::new(name, rcu::stamp(section.section())) };
        dialer.fast_path(OP, Some(note), to, range, true)
    };
    assert!(!cached(ranges(0, 0, 1), true) && found(ranges(0, 0, 1)).is_none());
    for round in 0..3_u8 {
        dialer.connect(OP, HERE, port, ConnType::Ucx).unwrap();
        assert!(!cached(ranges(0, 0, 1), true), "what is remembered is of the former connection");
        dialer.put(OP, to, ranges(0, 0, 1)).unwrap();
        // Concurrent tests revoke mappings, too, and then the thread's cache is stale.
        until("a copy at once", || {
            assert!(found(ranges(0, 0, 1)).is_some_and(|done| done.is_ok()));
            fill(&dialer, 0, &[round; 100]);
            cached(ranges(0, 9, 100), true) && cached(ranges(100, 9, 50), false)
        });
        assert_eq!(bytes_of(&listener, 8, 102)[1..101], [round; 100]);
        assert_eq!(bytes_of(&dialer, 100, 50), [round; 50]);
        for (local, remote, bytes) in [
            (0, 0, 0),
            (1, 0, 4096),
            (u64::MAX, 0, 1),
            (0, BYTES, 1),
            (0, u64::MAX, 2),
            (0, u64::MAX - 1, 4096),
            (0, 0, u64::MAX),
        ] {
            assert!(!cached(ranges(local, remote, bytes), true), "{bytes} from {local} to {remote}");
        }
        for other in [
            At { ip: b"127.0.0.2", ..to },
            At { ip: b"::", ..to },
            At { port: port ^ 4, ..to },
            At { conn: ConnType::Rdma, ..to },
        ] {
            assert!(!fast_path_cached(name, other, ranges(0, 0, 1), true));
        }
        assert!(!fast_path_cached(name + 4, to, ranges(0, 0, 1), true));
        std::thread::scope(|scope| {
            scope.spawn(|| assert!(!cached(ranges(0, 0, 1), true), "another thread has not found it"));
        });
        dialer.disconnect(OP, to).unwrap();
        assert!(!cached(ranges(0, 0, 1), true));
    }
    dialer.connect(OP, HERE, port, ConnType::Ucx).unwrap();
    dialer.put(OP, to, ranges(0, 0, 1)).unwrap();
    until("a copy at once", || {
        assert!(found(ranges(0, 0, 1)).is_some_and(|done| done.is_ok()));
        cached(ranges(0, 0, 1), true)
    });
    listener.end();
    assert!(!cached(ranges(0, 0, 1), true), "the other end has taken its memory back");
    assert_eq!(status(dialer.put(OP, to, ranges(0, 0, 1))), Status::Error);
}

#[test]
fn ranges_are_checked_at_every_entry() {
    let (listener, port) = listening(BYTES, ConnType::Ucx);
    let dialer = communicator(4096);
    dialer.connect(OP, HERE, port, ConnType::Ucx).unwrap();
    let to = at(port, ConnType::Ucx);
    for (local, remote, bytes, expected) in [
        (0, 0, 0, Status::Success),
        (4096, BYTES, 0, Status::Success),
        (0, BYTES - 4096, 4096, Status::Success),
        (4000, 0, 96, Status::Success),
        (4000, 0, 97, Status::Error),
        (4097, 0, 0, Status::Error),
        (0, BYTES + 1, 0, Status::Error),
        (0, BYTES - 4095, 4096, Status::Error),
        (u64::MAX - 2, 0, 5, Status::Error),
        (0, u64::MAX - 2, 5, Status::Error),
        (1, 1, u64::MAX, Status::Error),
    ] {
        let these = ranges(local, remote, bytes);
        assert_eq!(status(dialer.put(OP, to, these)), expected, "{these:?}");
        assert_eq!(status(dialer.get(OP, to, these)), expected, "{these:?}");
        for is_put in [true, false] {
            assert_eq!(status(dialer.pipeline(OP, to, these, (7, 3), is_put)), expected, "{these:?}");
            assert_eq!(status(dialer.start_unobserved(OP, to, these, is_put)), expected, "{these:?}");
            let id = dialer.start(OP, to, these, is_put);
            if let Ok(id) = id {
                dialer.wait(OP, id).unwrap();
            }
            assert_eq!(status(id), expected, "{these:?}");
        }
    }
    drop(listener);
}

#[test]
fn invalid_addresses_and_ports_are_rejected() {
    let one = communicator(4096);
    for (ip, port) in [("", 5000), ("1.2.3", 5000), ("198.51.100.7", 5000), (HERE, 0)] {
        assert_eq!(status(one.listen(OP, ip, port, ConnType::Rdma)), Status::InvalidConfig, "{ip} {port}");
    }
    for (ip, port) in [("", 5000), (HERE, 0)] {
        assert_eq!(status(one.connect(OP, ip, port, ConnType::Rdma)), Status::InvalidConfig, "{ip} {port}");
    }
    // No listener.
    assert_eq!(status(one.connect(OP, HERE, free_port(), ConnType::Rdma)), Status::Error);
    // Without a secret no other host may be dialled.
    assert_eq!(status(one.connect(OP, "198.51.100.7", 5000, ConnType::Rdma)), Status::Error);
    let (first, port) = listening(4096, ConnType::Rdma);
    assert_eq!(status(one.listen(OP, HERE, port, ConnType::Rdma)), Status::Error);
    assert_eq!(status(first.listen(OP, HERE, port, ConnType::Ucx)), Status::Error);
    // A second listen of the same kind is ignored, with any arguments.
    first.listen(OP, "nowhere", 0, ConnType::Rdma).unwrap();
    drop(first);
    one.listen(OP, HERE, port, ConnType::Rdma).unwrap();
    for channels in [0, 17, u64::MAX] {
        let buffer = Arc::clone(one.buffer());
        assert_eq!(status(Communicator::new(OP, buffer, channels)), Status::InvalidConfig);
    }
}

#[test]
fn kinds_are_separate_and_a_dialer_is_keyed_by_its_port() {
    let (listener, rdma) = listening(4096, ConnType::Rdma);
    let ucx = free_port();
    listener.listen(OP, "0.0.0.0", ucx, ConnType::Ucx).unwrap();
    let (dialer, own) = listening(4096, ConnType::Ucx);
    dialer.connect(OP, HERE, rdma, ConnType::Rdma).unwrap();
    dialer.connect(OP, HERE, ucx, ConnType::Ucx).unwrap();
    assert_eq!(listener.port_of(OP, HERE, ConnType::Ucx).unwrap(), own);
    assert_eq!(listener.port_of(OP, HERE, ConnType::Rdma).unwrap(), 0);
    assert_eq!(status(listener.connection(OP, at(own, ConnType::Rdma))), Status::NotFound);
    // Already connected.
    listener.connect(OP, HERE, own, ConnType::Ucx).unwrap();
    dialer.disconnect(OP, at(rdma, ConnType::Rdma)).unwrap();
    fill(&dialer, 0, b"x");
    dialer.put(OP, at(ucx, ConnType::Ucx), ranges(0, 0, 1)).unwrap();
    assert_eq!(bytes_of(&listener, 0, 1), b"x");
    let other = communicator(4096);
    other.connect(OP, HERE, ucx, ConnType::Ucx).unwrap();
    assert_eq!(status(listener.port_of(OP, HERE, ConnType::Ucx)), Status::Error);
    listener.put(OP, At { ip: b"localhost", port: 0, conn: ConnType::Ucx }, ranges(0, 9, 1)).unwrap();
    assert_eq!(bytes_of(&other, 9, 1), b"x");
}

#[test]
fn dialer_is_keyed_by_its_listening_address() {
    // The kernel dials it from another address of this host.
    let second = "127.0.0.2";
    let (listener, port) = listening(4096, ConnType::Ucx);
    let dialer = communicator(4096);
    let own = listen(&dialer, second, ConnType::Ucx);
    dialer.connect(OP, HERE, port, ConnType::Ucx).unwrap();
    fill(&listener, 0, b"x");
    listener.put(OP, At { ip: second.as_bytes(), port: own, conn: ConnType::Ucx }, ranges(0, 7, 1)).unwrap();
    assert_eq!(bytes_of(&dialer, 7, 1), b"x");
    assert_eq!(status(listener.connection(OP, at(own, ConnType::Ucx))), Status::NotFound);
    // A listener at all addresses is known by the address that it dials from.
    let own = listen(&dialer, "0.0.0.0", ConnType::Rdma);
    dialer.connect(OP, HERE, listen(&listener, HERE, ConnType::Rdma), ConnType::Rdma).unwrap();
    assert_eq!(listener.port_of(OP, HERE, ConnType::Rdma).unwrap(), own);
}

#[test]
fn simultaneous_dials_connect() {
    for _ in 0..10 {
        let ((one, first), (other, second)) =
            (listening(4096, ConnType::Ucx), listening(4096, ConnType::Ucx));
        std::thread::scope(|scope| {
            scope.spawn(|| one.connect(OP, HERE, second, ConnType::Ucx).unwrap());
            other.connect(OP, HERE, first, ConnType::Ucx).unwrap();
        });
        // Also after each has noticed the other's end.
        for _ in 0..50 {
            one.put(OP, at(second, ConnType::Ucx), ranges(0, 0, 9)).unwrap();
            other.put(OP, at(first, ConnType::Ucx), ranges(0, 0, 9)).unwrap();
            std::thread::yield_now();
        }
    }
    let (own, port) = listening(4096, ConnType::Ucx);
    own.connect(OP, HERE, port, ConnType::Ucx).unwrap();
    fill(&own, 0, b"own");
    own.put(OP, at(port, ConnType::Ucx), ranges(0, 100, 3)).unwrap();
    assert_eq!(bytes_of(&own, 100, 3), b"own");
}

#[test]
fn ids_can_be_waited_for_once_in_any_order() {
    let (listeners, ports): (Vec<_>, Vec<_>) = (0..3).map(|_| listening(BYTES, ConnType::Ucx)).unzip();
    let dialer = communicator(BYTES);
    for port in &ports {
        dialer.connect(OP, HERE, *port, ConnType::Ucx).unwrap();
    }
    let content: Vec<u8> = (0..251).cycle().take(1 << 20).collect();
    fill(&dialer, 0, &content);
    let mut ids = Vec::new();
    for round in 0..8 {
        for port in &ports {
            let part = ranges(round * (BYTES / 8), round * (BYTES / 8), BYTES / 8);
            ids.push(dialer.start(OP, at(*port, ConnType::Ucx), part, true).unwrap());
        }
    }
    let given: Vec<u64> = ids.iter().copied().filter(|id| *id != 0).collect();
    let mut unique = given.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), given.len());
    let (first, rest) = ids.split_at(ids.len() / 2);
    first.iter().rev().for_each(|id| dialer.wait(OP, *id).unwrap());
    // Large ones may take long on a busy machine; their ids can be waited for again then.
    let mut list = rest.to_vec();
    list.extend([0, 0]);
    list.extend_from_slice(rest);
    until("the end of all", || match status(dialer.wait_all(OP, &list)) {
        Status::Timeout => false,
        other => {
            assert_eq!(other, Status::Success);
            true
        }
    });
    for listener in &listeners {
        assert_eq!(bytes_of(listener, 0, 1 << 20), content);
    }
    dialer.wait(OP, 0).unwrap();
    dialer.wait_all(OP, &[]).unwrap();
    for id in given.iter().copied().chain([u64::MAX]) {
        assert_eq!(status(dialer.wait(OP, id)), Status::NotFound);
        assert_eq!(status(dialer.wait_all(OP, &[0, id])), Status::NotFound);
    }
}

#[test]
fn word_wait_fails_when_the_communicator_ends() {
    let (listener, _) = listening(4096, ConnType::Ucx);
    let later = Instant::now() + Duration::from_secs(60);
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| status(listener.await_word(OP, &[0], 1, later)));
        listener.end();
        assert_eq!(waits.join().unwrap(), Status::Error);
    });
}
