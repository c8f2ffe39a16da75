// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A peer that cannot be connected to is reached by the connections that it opens.

use std::net::{SocketAddr, TcpListener};

use mf_transport::{Atomic, AtomicKind, Remote, SignalKind, Width};

use super::relay::Relay;
use super::*;
use crate::address;
use crate::loans::KEPT;
use crate::process_core::Command;

const MIB: usize = 1 << 20;

/// An address that refuses.
fn closed() -> SocketAddr {
    TcpListener::bind(loopback()).unwrap().local_addr().unwrap()
}

/// Introduces an end that lends to one that borrows, with only a refusing address of the other.
fn introduce_hidden(borrows: &End, lends: &End, at: &[u8]) {
    borrows.tcp.introduce(lends.me, &address::encode(&[closed()])).unwrap();
    borrows.tcp.borrow(lends.me).unwrap();
    lends.tcp.introduce(borrows.me, at).unwrap();
}

fn hidden_pair(bytes: usize, change: impl Fn(&mut Options)) -> (End, End) {
    let (a, b) = (end_with(peer(0), bytes, &change), end_with(peer(1), bytes, &change));
    introduce_hidden(&a, &b, &a.tcp.address());
    b.tcp.lend(a.me).unwrap();
    (a, b)
}

#[test]
fn unreachable_peer_is_served_over_its_own_connections() {
    for (tls, checksum) in [(Switch::Auto, false), (Switch::On, false), (Switch::Auto, true)] {
        let (a, b) = hidden_pair(8 * MIB, |options| (options.tls, options.checksum) = (tls, checksum));
        for (round, bytes) in [8, 4096, 64 << 10, MIB, 8 * MIB].into_iter().enumerate() {
            let seed = round as u64;
            a.memory.fill(seed);
            a.put(&b, 0, 0, bytes).unwrap();
            b.memory.check(seed, 0..bytes / 8);
            b.memory.fill(seed + 100);
            a.get(&b, 0, 0, bytes).unwrap();
            a.memory.check(seed + 100, 0..bytes / 8);
            // The other direction has connections of its own.
            b.put(&a, 0, 0, bytes).unwrap();
        }
        let atomic = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 3, compare: 0 };
        let at = Remote { key: KEY, address: BASE };
        b.memory.set(0, 4);
        a.run(b.me, &Operation::Atomic { at, atomic, old: a.memory.at(0) }).unwrap();
        let (signal, value) = (BASE + 64, 9);
        let spans = [a.span(0, 8, 8)];
        let (width, kind) = (Width::W64, SignalKind::Set);
        a.run(b.me, &Operation::Signal { key: KEY, spans: &spans, signal, width, kind, value }).unwrap();
        assert_eq!([a.memory.word(0), b.memory.word(0), b.memory.word(8), b.memory.word(64)], [4, 7, 4, 9]);
        a.tcp.send(b.me, b"hello", soon()).unwrap();
        b.memory.wait_for(|events| events.messages == [(a.me, b"hello".to_vec())]);
    }
}

#[test]
fn large_operations_have_further_connections() {
    let (a, b) = hidden_pair(8 * MIB, |options| options.connections = 3);
    a.put(&b, 0, 0, 8).unwrap();
    assert_eq!(a.tcp.usage().connections, 1);
    until("the third connection", || {
        a.put(&b, 0, 0, 8 * MIB).unwrap();
        a.tcp.usage().connections == 3
    });
    a.memory.fill(5);
    a.put(&b, 0, 0, 8 * MIB).unwrap();
    b.memory.check(5, 0..MIB);
}

#[test]
fn operations_wait_for_a_lent_connection_or_connect() {
    let (a, b) = (end(0, 4096), end(1, 4096));
    introduce_hidden(&a, &b, &a.tcp.address());
    std::thread::scope(|scope| {
        let put = scope.spawn(|| a.put(&b, 0, 0, 8));
        until("the put", || !a.tcp.shared.all_connections().is_empty());
        b.tcp.lend(a.me).unwrap();
        put.join().unwrap().unwrap();
    });
    // A peer that lends nothing, and can be connected to.
    let c = end(2, 4096);
    introduce(&[&a, &c]);
    a.tcp.borrow(c.me).unwrap();
    a.put(&c, 0, 0, 8).unwrap();
}

#[test]
fn broken_loans_are_renewed_and_returned_ones_are_not() {
    let (a, b) = (end(0, 4096), end(1, 4096));
    let (relay, at) = Relay::before(&a);
    introduce_hidden(&a, &b, &address::encode(&[at]));
    b.tcp.lend(a.me).unwrap();
    for round in 0..3 {
        a.memory.set(0, round);
        // It may meet the end of the old connection, and fails then.
        until("a put", || a.put(&b, 0, 0, 8).is_ok());
        assert_eq!(b.memory.word(0), round);
        assert_eq!(relay.cut(), 1);
    }
    until("a put", || a.put(&b, 0, 0, 8).is_ok());
    assert!(b.tcp.shared.peered(a.me).unwrap().lends.load(Ordering::SeqCst));
    a.tcp.forget(b.me);
    until("the end", || !b.tcp.shared.peered(a.me).unwrap().lends.load(Ordering::SeqCst));
    until("the end", || b.tcp.usage().connections == 0);
    // The lender may end it, too, and begin anew.
    introduce_hidden(&a, &b, &a.tcp.address());
    b.tcp.lend(a.me).unwrap();
    a.put(&b, 0, 0, 8).unwrap();
    b.tcp.forget(a.me);
    introduce_hidden(&a, &b, &a.tcp.address());
    b.tcp.lend(a.me).unwrap();
    until("a put", || a.put(&b, 0, 0, 8).is_ok());
    assert_eq!(b.tcp.lend(peer(7)).unwrap_err().kind(), Kind::NotConnected);
}

#[test]
fn repeated_lending_keeps_a_single_loan() {
    let (a, b, c) = (end(0, 4096), end(1, 4096), end(2, 4096));
    let (relay, at) = Relay::before(&a);
    introduce_hidden(&a, &b, &address::encode(&[at]));
    introduce_hidden(&c, &b, &c.tcp.address());
    b.tcp.lend(a.me).unwrap();
    for _ in 0..2 {
        b.tcp.shared.local.core.command(Command::Lend(b.me, a.me, KEPT));
        a.put(&b, 0, 0, 8).unwrap();
    }
    // A later request finds it ready.
    b.tcp.lend(c.me).unwrap();
    c.put(&b, 0, 0, 8).unwrap();
    a.put(&b, 0, 0, 8).unwrap();
    assert_eq!((relay.came(), relay.cut()), (1, 1));
}

#[test]
fn loan_to_an_unknowing_peer_ends() {
    let (a, b) = (end(0, 4096), end(1, 4096));
    b.tcp.introduce(a.me, &a.tcp.address()).unwrap();
    b.tcp.lend(a.me).unwrap();
    // The other end does not know this one.
    until("the end", || !b.tcp.shared.peered(a.me).unwrap().lends.load(Ordering::SeqCst));
    b.put(&a, 0, 0, 8).unwrap();
}

#[test]
fn departed_peer_is_not_dialled_again() {
    let (a, b) = (end(0, 4096), end(1, 4096));
    let ((to_a, at_a), (to_b, at_b)) = (Relay::before(&a), Relay::before(&b));
    a.tcp.introduce(b.me, &address::encode(&[at_b])).unwrap();
    b.tcp.introduce(a.me, &address::encode(&[at_a])).unwrap();
    // An end that forgets a peer wants neither its answers nor its requests.
    a.put(&b, 0, 0, 8).unwrap();
    b.put(&a, 0, 0, 8).unwrap();
    a.tcp.forget(b.me);
    until("the end", || b.tcp.usage().connections == 0);
    assert_eq!((to_a.came(), to_b.came()), (1, 1));
    // An end that leaves announces it.
    a.tcp.introduce(b.me, &address::encode(&[at_b])).unwrap();
    a.put(&b, 0, 0, 8).unwrap();
    b.tcp.close();
    a.memory.wait_for(|events| events.lost == [b.me]);
    assert!(b.memory.events.lock().unwrap().lost.is_empty());
    assert_eq!((to_a.came(), to_b.came()), (1, 2));
}

#[test]
fn nothing_is_lent_to_a_replaced_process() {
    let (a, b) = (end(0, 4096), end(1, 4096));
    let (relay, at) = Relay::before(&a);
    let gone = peer(7);
    b.tcp.introduce(gone, &address::encode(&[at])).unwrap();
    b.tcp.lend(gone).unwrap();
    b.memory.wait_for(|events| events.lost == [gone]);
    assert!(!b.tcp.shared.peered(gone).unwrap().lends.load(Ordering::SeqCst));
    assert_eq!(relay.came(), 1);
}
