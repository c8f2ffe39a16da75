// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Several threads post to one peer: none waits for another, and each keeps its order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use mf_base::sync::lock;
use mf_transport::{Atomic, AtomicKind, Completion, Operation, Remote, Transport, Width};

use super::{BASE, End, KEY, pair, soon};

const WORDS: usize = 512;
/// A thread that waits for a resource held by this test is stuck then.
const LIMIT: Duration = Duration::from_secs(60);

/// Two members that are connected.
fn connected() -> (End, End) {
    let (a, b) = pair(WORDS * 8);
    a.put(&b, 0, 0, 8).unwrap();
    (a, b)
}

#[test]
fn short_puts_take_none_of_the_locks_around_a_connection() {
    let (a, b) = connected();
    let peered = a.tcp.shared.peered(b.me).unwrap();
    let route = a.tcp.route(b.me).unwrap();
    let (done, is_done) = channel();
    std::thread::scope(|scope| {
        let connections = lock(&peered.connections);
        let connecting = lock(&connections[0].connecting);
        let (path, addresses) = (lock(&connections[0].path), lock(&peered.addresses));
        let peers = a.tcp.shared.peers.write().unwrap();
        let (own, route) = (&a, &route);
        scope.spawn(move || {
            let completion = Arc::new(Completion::new());
            let spans = [own.span(0, 8, 8)];
            for _ in 0..100 {
                // SAFETY: the tests' memory outlives their operations.
                unsafe { route.post(&Operation::Put { key: KEY, spans: &spans }, &completion, soon()) }
                    .unwrap();
                own.tcp.wait(&completion).unwrap();
            }
            done.send(()).unwrap();
        });
        let ended = is_done.recv_timeout(LIMIT);
        drop((peers, addresses, path, connecting));
        drop(connections);
        ended.expect("a put waits for a lock");
    });
}

#[test]
fn post_hands_its_work_to_the_sending_thread() {
    let (a, b) = connected();
    let shared = &a.tcp.shared;
    let connection = Arc::clone(&lock(&shared.peered(b.me).unwrap().connections)[0]);
    let route = a.tcp.route(b.me).unwrap();
    let completion = Arc::new(Completion::new());
    let adds = [(24, 5), (32, 10)];
    let (done, is_done) = channel();
    std::thread::scope(|scope| {
        let (own, completion) = (&a, &completion);
        let posted = connection.with(&shared.local, |_| {
            scope.spawn(move || {
                let post = |operation: &Operation<'_>| {
                    // SAFETY: the tests' memory outlives their operations.
                    unsafe { route.post(operation, completion, soon()) }.unwrap();
                };
                own.memory.set(16, 1);
                post(&Operation::Put { key: KEY, spans: &[own.span(16, 16, 8)] });
                // The source of a short put may be reused at once.
                own.memory.set(16, 99);
                for (old, operand) in adds {
                    let atomic = Atomic { kind: AtomicKind::Add, width: Width::W64, operand, compare: 0 };
                    let at = Remote { key: KEY, address: BASE + 16 };
                    post(&Operation::Atomic { at, atomic, old: own.memory.at(old).cast() });
                }
                done.send(completion.pending()).unwrap();
            });
            is_done.recv_timeout(LIMIT)
        });
        assert_eq!(posted.expect("a post waits for the sending end"), 3);
    });
    a.tcp.wait(&completion).unwrap();
    assert_eq!((adds.map(|(old, _)| a.memory.word(old)), b.memory.word(16)), ([1, 6], 16));
    assert_eq!(connection.live(), 0);
}

#[test]
fn each_of_many_threads_sees_its_puts_arrive_in_order() {
    const THREADS: usize = 4;
    let turns: u64 = 2000;
    let (a, b) = connected();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (own, b, is_over) = (&a, &b, &is_over);
        let posters = (0..THREADS).map(|thread| {
            scope.spawn(move || {
                let route = own.tcp.route(b.me).unwrap();
                let completion = Arc::new(Completion::new());
                for turn in 1..=turns {
                    own.memory.set(64 * thread, turn);
                    let spans = [own.span(64 * thread, 64 * thread, 8)];
                    let put = Operation::Put { key: KEY, spans: &spans };
                    // SAFETY: the tests' memory outlives their operations.
                    unsafe { route.post(&put, &completion, soon()) }.unwrap();
                }
                own.tcp.wait(&completion).unwrap();
                assert_eq!(b.memory.word(64 * thread), turns);
            })
        });
        let posters: Vec<_> = posters.collect();
        let observer = scope.spawn(move || {
            let mut seen = [0; THREADS];
            while !is_over.load(Ordering::Relaxed) {
                for (thread, seen) in seen.iter_mut().enumerate() {
                    let now = b.memory.word(64 * thread);
                    assert!(now >= *seen, "thread {thread}: {now} after {seen}");
                    *seen = now;
                }
                std::thread::yield_now();
            }
        });
        let ended: Vec<_> = posters.into_iter().map(|poster| poster.join()).collect();
        is_over.store(true, Ordering::Relaxed);
        observer.join().unwrap();
        ended.into_iter().for_each(|ended| ended.unwrap());
    });
}
