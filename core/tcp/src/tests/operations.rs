// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Successful operations of every kind.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use mf_base::settings::Switch;
use mf_transport::{Atomic, AtomicKind, Completion, Operation, Remote, SignalKind, Transport, Width};

use super::{BASE, End, KEY, end, end_with, introduce, loopback, pair, peer, soon};

const MIB: usize = 1 << 20;

#[test]
fn puts_and_gets_of_all_sizes_arrive_whole() {
    let (a, b) = pair(8 * MIB);
    a.memory.fill(1);
    for bytes in [8, 64, 4096, 16 << 10, (16 << 10) + 8, 64 << 10, MIB, 3 * MIB + 8, 8 * MIB] {
        b.memory.fill(2);
        a.put(&b, 0, 0, bytes).unwrap();
        b.memory.check(1, 0..bytes / 8);
        b.memory.check(2, bytes / 8..MIB);
    }
    b.memory.fill(3);
    for bytes in [8, 64, 4096, 16 << 10, (16 << 10) + 8, 64 << 10, MIB, 3 * MIB + 8, 8 * MIB] {
        a.memory.fill(1);
        a.get(&b, 0, 0, bytes).unwrap();
        a.memory.check(3, 0..bytes / 8);
        a.memory.check(1, bytes / 8..MIB);
    }
}

#[test]
fn odd_lengths_and_addresses_change_nothing_beside_them() {
    let (a, b) = pair(MIB);
    a.memory.fill(5);
    for (there, bytes) in [(1, 1), (3, 2), (5, 7), (9, 100), (13, 20_001), (11, 100_003)] {
        b.memory.fill(0);
        // SAFETY: both lie in the tests' memory; nothing writes now.
        let before = unsafe { std::slice::from_raw_parts(b.memory.at(0), MIB) }.to_vec();
        a.put(&b, 2, there, bytes).unwrap();
        // SAFETY: as above.
        let after = unsafe { std::slice::from_raw_parts(b.memory.at(0), MIB) };
        // SAFETY: as above.
        let sent = unsafe { std::slice::from_raw_parts(a.memory.at(2), bytes) };
        assert_eq!(after[..there], before[..there]);
        assert_eq!(&after[there..there + bytes], sent);
        assert_eq!(after[there + bytes..], before[there + bytes..]);
    }
}

#[test]
fn scattered_pieces_all_arrive() {
    let (a, b) = pair(4 * MIB);
    a.memory.fill(1);
    let spans: Vec<_> = (0..500).map(|i| a.span(i * 4096, (499 - i) * 4096, 8 + (i % 300) * 8)).collect();
    a.run(b.me, &Operation::Put { key: KEY, spans: &spans }).unwrap();
    for i in 0..500 {
        assert_eq!(b.memory.word((499 - i) * 4096), a.memory.word(i * 4096));
    }
    let spans: Vec<_> = (0..500).map(|i| a.span(i * 4096, i * 4096, 4096)).collect();
    a.run(b.me, &Operation::Get { key: KEY, spans: &spans }).unwrap();
    for word in 0..500 * 512 {
        assert_eq!(a.memory.word(word * 8), b.memory.word(word * 8));
    }
}

#[test]
fn data_arrives_with_checksums() {
    let a = end_with(peer(0), 4 * MIB, |options| options.checksum = true);
    let b = end_with(peer(1), 4 * MIB, |options| options.checksum = true);
    introduce(&[&a, &b]);
    a.memory.fill(1);
    a.put(&b, 0, 0, 3 * MIB + 8).unwrap();
    b.memory.check(1, 0..(3 * MIB + 8) / 8);
    b.memory.fill(2);
    a.get(&b, 0, 0, 2 * MIB + 8).unwrap();
    a.memory.check(2, 0..(2 * MIB + 8) / 8);
    a.get(&b, 0, 0, 8).unwrap();
}

#[test]
fn data_arrives_over_encrypted_connections() {
    let a = end_with(peer(0), 16 * MIB, |options| options.tls = Switch::On);
    let b = end_with(peer(1), 16 * MIB, |options| options.tls = Switch::On);
    introduce(&[&a, &b]);
    assert!(a.tcp.reach(b.me).unwrap().encrypted);
    a.memory.fill(1);
    for bytes in [8, 4096, 64 << 10, 12 * MIB, 12 * MIB] {
        b.memory.fill(2);
        a.put(&b, 0, 0, bytes).unwrap();
        b.memory.check(1, 0..bytes / 8);
        b.memory.fill(3);
        a.memory.fill(1);
        a.get(&b, 0, 0, bytes).unwrap();
        a.memory.check(3, 0..bytes / 8);
        a.memory.fill(1);
    }
    let completion = Arc::new(Completion::new());
    for i in 0..20_000 {
        a.post(b.me, &Operation::Put { key: KEY, spans: &[a.span(i * 8, i * 8, 8)] }, &completion).unwrap();
        a.post(b.me, &Operation::Get { key: KEY, spans: &[a.span(MIB + i * 8, i * 8, 8)] }, &completion)
            .unwrap();
    }
    a.tcp.wait(&completion).unwrap();
    assert_eq!(a.memory.word(MIB + 8), a.memory.word(8));
    for i in 0..100u32 {
        a.tcp.send(b.me, &i.to_le_bytes(), soon()).unwrap();
    }
    b.memory.wait_for(|events| events.messages.len() == 100);
}

#[test]
fn device_memory_is_accessed_through_its_mover() {
    let (a, b) = pair(8 * MIB);
    b.memory.device.store(true, Ordering::SeqCst);
    a.memory.fill(1);
    for bytes in [8, 16 << 10, 64 << 10, 5 * MIB + 8] {
        a.put(&b, 0, 0, bytes).unwrap();
        b.memory.check(1, 0..bytes / 8);
        b.memory.fill(2);
        a.get(&b, 0, 0, bytes).unwrap();
        a.memory.check(2, 0..bytes / 8);
        a.memory.fill(1);
    }
    let at = Remote { key: KEY, address: BASE };
    let (before, mut old) = (b.memory.word(0), 0_u64);
    let add = Operation::Atomic { at, atomic: atomic(AtomicKind::Add, 3, 0), old: (&raw mut old).cast() };
    a.run(b.me, &add).unwrap();
    assert_eq!((old, b.memory.word(0)), (before, before + 3));
    let (key, kind, width, spans) = (KEY, SignalKind::Add, Width::W32, &[a.span(8, 8, 8)]);
    a.run(b.me, &Operation::Signal { key, spans, signal: BASE, width, kind, value: 1 }).unwrap();
    assert_eq!((b.memory.word(0), b.memory.word(8)), (before + 4, a.memory.word(8)));
}

fn atomic(kind: AtomicKind, operand: u64, compare: u64) -> Atomic {
    Atomic { kind, width: Width::W64, operand, compare }
}

#[test]
fn a_signal_is_seen_after_its_data() {
    let (a, b) = pair(4 * MIB);
    for round in 1..200u64 {
        a.memory.fill(round);
        let bytes = if round % 10 == 0 { 3 * MIB } else { 4096 };
        let spans = [a.span(4096, 4096, bytes)];
        let signal = Operation::Signal {
            key: KEY,
            spans: &spans,
            signal: BASE,
            width: Width::W64,
            kind: SignalKind::Add,
            value: 1,
        };
        let completion = Arc::new(Completion::new());
        a.post(b.me, &signal, &completion).unwrap();
        while b.memory.word(0) != round {
            std::hint::spin_loop();
        }
        b.memory.check(round, 512..512 + bytes / 8);
        a.tcp.wait(&completion).unwrap();
    }
}

#[test]
fn concurrent_atomics_all_count() {
    let (a, b) = pair(4096);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    let mut old = 0u64;
                    let operation = Operation::Atomic {
                        at: Remote { key: KEY, address: BASE + 8 },
                        atomic: atomic(AtomicKind::Add, 3, 0),
                        old: (&raw mut old).cast(),
                    };
                    a.run(b.me, &operation).unwrap();
                    assert_eq!(old % 3, 0);
                }
            });
        }
    });
    assert_eq!(b.memory.word(8), 6000);
    let mut old = 9u64;
    let at = Remote { key: KEY, address: BASE + 8 };
    a.run(
        b.me,
        &Operation::Atomic {
            at,
            atomic: atomic(AtomicKind::CompareSwap, 5, 6000),
            old: (&raw mut old).cast(),
        },
    )
    .unwrap();
    assert_eq!((old, b.memory.word(8)), (6000, 5));
}

#[test]
fn messages_arrive_in_their_order() {
    let (a, b) = pair(4096);
    for i in 0..2000u32 {
        let mut message = i.to_le_bytes().to_vec();
        message.resize(4 + (i as usize * 37) % 3000, 1);
        a.tcp.send(b.me, &message, soon()).unwrap();
    }
    b.memory.wait_for(|events| events.messages.len() == 2000);
    b.memory.wait_for(|events| {
        events.messages.iter().zip(0u32..).all(|((from, message), i)| {
            *from == a.me && message[..4] == i.to_le_bytes() && message.len() == 4 + (i as usize * 37) % 3000
        })
    });
    assert!(a.tcp.send(b.me, &[], soon()).is_err());
    assert!(a.tcp.send(b.me, &vec![0; (16 << 10) + 1], soon()).is_err());
}

#[test]
fn many_puts_in_flight_all_end_and_flush_waits_for_them() {
    let (a, b) = pair(MIB);
    a.memory.fill(4);
    let completion = Arc::new(Completion::new());
    for round in 0..3 {
        for i in 0..20_000 {
            let at = (i * 8 + round) % MIB / 8 * 8;
            a.post(b.me, &Operation::Put { key: KEY, spans: &[a.span(at, at, 8)] }, &completion).unwrap();
        }
    }
    a.tcp.flush(Some(b.me), soon()).unwrap();
    assert!(completion.is_done());
    a.tcp.wait(&completion).unwrap();
    b.memory.check(4, 0..20_000);
    a.tcp.flush(None, soon()).unwrap();
}

fn copy(a: &End, from: &End, to: &End, bytes: usize) -> mf_base::Result<()> {
    a.run(
        from.me,
        &Operation::Copy {
            from: Remote { key: KEY, address: BASE },
            to_peer: to.me,
            to_address: &to.tcp.address(),
            to: Remote { key: KEY, address: BASE + 8 },
            bytes: bytes as u64,
        },
    )
}

#[test]
fn remote_copies_arrive_at_third_peers_and_either_end() {
    let (a, b, c) = (end(0, 4 * MIB), end(1, 4 * MIB), end(2, 4 * MIB));
    introduce(&[&a, &b]);
    b.memory.fill(6);
    copy(&a, &b, &c, 3 * MIB).unwrap();
    for i in 0..3 * MIB / 8 {
        assert_eq!(c.memory.word(8 + i * 8), super::pattern(6, i as u64));
    }
    copy(&a, &b, &a, MIB).unwrap();
    assert_eq!(a.memory.word(8), super::pattern(6, 0));
    copy(&a, &b, &b, 8).unwrap();
    assert_eq!(b.memory.word(8), super::pattern(6, 0));
    let error = copy(&a, &b, &c, 5 * MIB).unwrap_err();
    assert!(error.to_string().contains("outside"), "{error}");
}

#[test]
fn loopback_peer_and_ipv6_work() {
    let a = end_with(peer(3), MIB, |options| options.listen = vec!["[::1]:0".parse().unwrap(), loopback()]);
    introduce(&[&a]);
    a.memory.set(0, 5);
    a.put(&a, 0, 8, 8).unwrap();
    assert_eq!(a.memory.word(8), 5);
    assert!(a.tcp.reach(a.me).unwrap().path.contains("::1"));
}

#[test]
fn both_sides_exchange_large_and_small_puts() {
    let (a, b) = pair(16 * MIB);
    a.memory.fill(1);
    b.memory.fill(2);
    std::thread::scope(|scope| {
        for (one, other) in [(&a, &b), (&b, &a)] {
            for _ in 0..2 {
                scope.spawn(move || {
                    for i in 0..40 {
                        let completion = Arc::new(Completion::new());
                        let large = [one.span(0, 8 * MIB, 4 * MIB)];
                        one.post(other.me, &Operation::Put { key: KEY, spans: &large }, &completion).unwrap();
                        for j in 0..100 {
                            let small = [one.span(j * 8, 12 * MIB + j * 8, 8)];
                            one.post(other.me, &Operation::Put { key: KEY, spans: &small }, &completion)
                                .unwrap();
                        }
                        let back = [one.span(13 * MIB, i * 4096, 2 * MIB)];
                        one.post(other.me, &Operation::Get { key: KEY, spans: &back }, &completion).unwrap();
                        one.tcp.wait(&completion).unwrap();
                    }
                });
            }
        }
    });
    assert_eq!(a.memory.word(8 * MIB), super::pattern(2, 0));
    assert_eq!(b.memory.word(8 * MIB), super::pattern(1, 0));
}

#[test]
fn push_sends_data_held_for_a_reply() {
    let (a, b) = pair(4096);
    a.put(&b, 0, 0, 8).unwrap();
    b.put(&a, 0, 0, 8).unwrap();
    let (here, there) = (Arc::new(Completion::new()), Arc::new(Completion::new()));
    // No bytes are received, or sent later, at `a`: its thread waits to serve a put, and no other thread
    // drives.
    let gate = a.memory.shut();
    b.post(a.me, &Operation::Put { key: KEY, spans: &[b.span(0, 8, 8)] }, &there).unwrap();
    for (word, value) in [(64, 1), (72, 2)] {
        a.memory.set(word, value);
        let spans = [a.span(word, word, 8)];
        a.post(b.me, &Operation::Put { key: KEY, spans: &spans }, &here).unwrap();
    }
    a.tcp.route(b.me).unwrap().push();
    let until = soon();
    while b.memory.word(72) != 2 {
        assert!(Instant::now() < until, "the second put did not leave");
        std::thread::yield_now();
    }
    drop(gate);
    a.tcp.wait(&here).unwrap();
    b.tcp.wait(&there).unwrap();
}

#[test]
fn idle_pairs_have_no_connection_and_rest_needs_little() {
    let ends: Vec<End> = (0..8).map(|rank| end(rank, 4096)).collect();
    introduce(&ends.iter().collect::<Vec<_>>());
    for one in &ends {
        assert_eq!(one.tcp.usage().connections, 0);
        assert!(one.tcp.usage().bytes < 1 << 16);
    }
    ends[0].put(&ends[1], 0, 0, 8).unwrap();
    assert_eq!(ends[0].tcp.usage().connections, 1);
    assert_eq!(ends[2].tcp.usage().connections, 0);
}
