// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric heaps over hosts.

use std::sync::atomic::{AtomicBool, Ordering};

use mf_base::Kind;
use mf_shmem::{Atomic, AtomicKind, Comparison, Width};
use mf_tests::deadline::wait_until;
use mf_tests::job::{answers, each};
use mf_tests::order::heap::{Heap, Started};
use mf_tests::{Answer, Member, Order, skip};

use super::cluster::{Cluster, MIB, STORE_PORT, is_about};

/// The PEs of a cluster.
fn pes(cluster: &Cluster, n_pes: u32) -> Vec<Member> {
    let mut pes: Vec<Member> = (0..n_pes).map(|pe| cluster.process(pe, &format!("PE {pe}"))).collect();
    for (rank, pe) in (0..).zip(&mut pes) {
        let Order::Init(init) = cluster.init(rank) else { panic!("no init") };
        pe.send(&Order::Heap(Heap::Begin(init, Some(4 * MIB))));
    }
    answers(&mut pes);
    pes
}

fn all(pes: &mut [Member], order: Heap) -> Vec<Answer> {
    each(pes, &Order::Heap(order))
}

fn block(pes: &mut [Member], bytes: u64) -> u64 {
    match all(pes, Heap::Malloc(bytes))[..] {
        [Answer::Number(place), ..] => place,
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn pes_on_two_hosts_support_every_operation() {
    let cluster = Cluster::new("pes_on_two_hosts_support_every_operation", &[0, 0, 1, 1], &[]);
    let mut pes = pes(&cluster, 4);
    let base = block(&mut pes, 4 * 200_000);
    for bytes in [1usize, 8, 1001, 200_000] {
        let place = |from: u64| base + from * 200_000;
        for (from, pe) in (0..).zip(&mut pes) {
            for to in 0..4i32 {
                pe.ok(&Order::Heap(Heap::Put(
                    place(from),
                    bytes,
                    10 * from + u64::from(to.unsigned_abs()),
                    to,
                )));
            }
        }
        all(&mut pes, Heap::Barrier);
        for (own, pe) in (0..).zip(&mut pes) {
            for from in 0..4 {
                pe.ok(&Order::Heap(Heap::CheckOwn(place(from), bytes, 10 * from + own)));
                for to in 0..4i32 {
                    let seed = 10 * from + u64::from(to.unsigned_abs());
                    pe.ok(&Order::Heap(Heap::CheckNbi(place(from), bytes, seed, to)));
                }
            }
        }
        all(&mut pes, Heap::Barrier);
    }
    for (own, pe) in (0..).zip(&mut pes) {
        for to in 0..4i32 {
            let is_near = if cluster.hosts.is_some() { own / 2 == to / 2 } else { own == to };
            let mapped = pe.ok(&Order::Heap(Heap::Pointer(base, to)));
            assert_eq!(mapped, Answer::Number(u64::from(is_near)), "PE {own} and {to}");
        }
        pe.ok(&Order::Heap(Heap::PutStrided(base, (3, 2, 100, 8), 4, 3)));
        pe.ok(&Order::Heap(Heap::CheckStrided(base, (3, 2, 100, 8), 4, 3)));
    }
    // PE 3 and its neighbour change the word themselves, for the others its host does.
    for width in [Width::W32, Width::W64] {
        let word = block(&mut pes, 8);
        pes[0].ok(&Order::Heap(Heap::Atomic(
            word,
            Atomic { kind: AtomicKind::Swap, width, operand: 0, compare: 0 },
            3,
        )));
        all(&mut pes, Heap::Barrier);
        all(&mut pes, Heap::CountUp(word, width, 50, 3));
        all(&mut pes, Heap::Barrier);
        let found = all(
            &mut pes,
            Heap::Atomic(word, Atomic { kind: AtomicKind::Fetch, width, operand: 0, compare: 0 }, 3),
        );
        assert!(found.iter().all(|found| *found == Answer::Number(4 * 50 * (3 + (1 << 20)))), "{found:?}");
    }
    // A team across both hosts, numbered backwards.
    all(&mut pes, Heap::Split(3, -1, 4));
    for (own, pe) in (0..).zip(&mut pes) {
        pe.ok(&Order::Heap(Heap::PutOnContext(base + own * 200_000, 5000, own + 1, 3)));
    }
    all(&mut pes, Heap::TeamSync);
    for own in 0..4 {
        pes[0].ok(&Order::Heap(Heap::CheckOwn(base + own * 200_000, 5000, own + 1)));
    }
    all(&mut pes, Heap::KeepSplitting(50));
    all(&mut pes, Heap::Free(base));
    let places = all(&mut pes, Heap::Random(3, 100));
    assert!(places.iter().all(|place| *place == places[0]), "{places:?}");
    all(&mut pes, Heap::Barriers(200));
    all(&mut pes, Heap::End);
    cluster.job.finish(pes);
}

#[test]
fn unmapped_local_memory_is_refused_and_both_pes_go_on() {
    let cluster = Cluster::new("unmapped_local_memory_is_refused_and_both_pes_go_on", &[0, 1], &[]);
    let mut pes = pes(&cluster, 2);
    let base = block(&mut pes, MIB);
    pes[0].ok(&Order::Heap(Heap::Put(base, 500_000, 7, 1)));
    pes[0].ok(&Order::Heap(Heap::PassHoles(base, 1)));
    all(&mut pes, Heap::Barrier);
    pes[1].ok(&Order::Heap(Heap::CheckOwn(base, 500_000, 7)));
    all(&mut pes, Heap::End);
    cluster.job.finish(pes);
}

#[test]
fn pe_killed_on_another_host_is_named() {
    for call in [Heap::Malloc(64), Heap::Split(0, 1, 3)] {
        let cluster = Cluster::new("pe_killed_on_another_host_is_named", &[0, 0, 1], &[]);
        let mut pes = pes(&cluster, 3);
        let mut doomed = pes.pop().unwrap();
        for pe in &mut pes {
            pe.send(&Order::Heap(call.clone()));
        }
        doomed.kill();
        for pe in &mut pes {
            pe.answer().unwrap_err().expect(Kind::NotConnected, &["rank 2"]);
        }
        cluster.job.finish(pes);
    }
}

/// Bytes of a started operation, and the distance between the places of two PEs.
const STARTED_BYTES: usize = 5000;
const APART: u64 = 16 << 10;

/// Lets three PEs start operations at the last one, a kind each, until they are refused, and waits until all
/// are in the middle of it.
fn start_on_last(pes: &mut [Member], base: u64) {
    let (last, others) = pes.split_last_mut().unwrap();
    for ((place, kind), pe) in
        [Started::Puts, Started::Gets, Started::Atomics].into_iter().enumerate().zip(others)
    {
        let at = base + place as u64 * APART;
        let before = match last.ok(&Order::Heap(Heap::CheckOwnWord(at))) {
            Answer::Number(before) => before,
            other => panic!("{other:?}"),
        };
        pe.send(&Order::Heap(Heap::KeepStarting(kind, at, STARTED_BYTES, 3, u32::MAX)));
        last.ok(&Order::Heap(Heap::Await(at, Comparison::Greater, before + 3)));
    }
}

#[test]
fn nonblocking_operations_over_a_cut_link_fail_and_recover() {
    let test = "nonblocking_operations_over_a_cut_link_fail_and_recover";
    let environment = [("MF_STORE_LEASE", "60s"), ("MF_NET_TIMEOUT", "3s")];
    let cluster = Cluster::new(test, &[0, 0, 0, 1], &environment);
    let Some(hosts) = &cluster.hosts else {
        skip(test, "the loopback has no cable");
        return;
    };
    let mut pes = pes(&cluster, 4);
    let base = block(&mut pes, 3 * APART);
    start_on_last(&mut pes, base);
    hosts.cable(1, false);
    for pe in &mut pes[..3] {
        is_about(&pe.answer().unwrap_err(), 3);
        // It was said once, and nothing is in flight.
        pe.ok(&Order::Heap(Heap::Quiet));
    }
    hosts.cable(1, true);
    for pe in &mut pes[..3] {
        let orders = [Heap::Put(base, STARTED_BYTES, 5, 3), Heap::Quiet].map(Order::Heap);
        let works = || orders.iter().all(|order| pe.order(order).is_ok());
        assert!(wait_until(works), "it does not work again");
    }
    all(&mut pes, Heap::Barrier);
    all(&mut pes, Heap::Free(base));
    all(&mut pes, Heap::End);
    cluster.job.finish(pes);
}

#[test]
fn connection_reset_fails_nonblocking_operations_naming_the_pe() {
    let test = "connection_reset_fails_nonblocking_operations_naming_the_pe";
    let cluster = Cluster::new(test, &[0, 0, 0, 1], &[("MF_STORE_LEASE", "60s")]);
    let Some(hosts) = &cluster.hosts else {
        skip(test, "connections are reset by their host");
        return;
    };
    let mut pes = pes(&cluster, 4);
    let base = block(&mut pes, 3 * APART);
    start_on_last(&mut pes, base);
    let descriptors = |pe: &Member| std::fs::read_dir(format!("/proc/{}/fd", pe.pid())).unwrap().count();
    let before: Vec<usize> = pes.iter().map(descriptors).collect();
    if let Err(reason) = hosts.reset(1, 0, STORE_PORT) {
        skip(test, reason);
        return;
    }
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Without traffic in flight no operation fails: repeated until each has been hit.
        scope.spawn(|| {
            wait_until(|| {
                let _ = hosts.reset(1, 0, STORE_PORT);
                is_over.load(Ordering::Relaxed)
            })
        });
        let answers: Vec<_> = pes[..3].iter_mut().map(Member::answer).collect();
        is_over.store(true, Ordering::Relaxed);
        answers.into_iter().for_each(|answer| is_about(&answer.unwrap_err(), 3));
    });
    for pe in &mut pes[..3] {
        // It was said once, and nothing is in flight.
        pe.ok(&Order::Heap(Heap::Quiet));
        // The last reset may have hit a new connection: the next put reports it when it completes.
        let mut puts = |order| pe.order(&Order::Heap(order)).is_ok();
        assert!(wait_until(|| puts(Heap::Put(base, STARTED_BYTES, 5, 3)) && puts(Heap::Quiet)));
    }
    all(&mut pes, Heap::Barrier);
    // Connections that were reset are closed.
    for (pe, before) in pes.iter().zip(before) {
        assert!(wait_until(|| descriptors(pe) <= before), "{} descriptors, {before} before", descriptors(pe));
    }
    all(&mut pes, Heap::Free(base));
    all(&mut pes, Heap::End);
    cluster.job.finish(pes);
}

#[test]
fn unreachable_host_fails_nonblocking_operations_naming_its_pe() {
    let test = "unreachable_host_fails_nonblocking_operations_naming_its_pe";
    let environment = [("MF_STORE_LEASE", "1s"), ("MF_NET_TIMEOUT", "20s")];
    let cluster = Cluster::new(test, &[0, 0, 0, 1], &environment);
    let Some(hosts) = &cluster.hosts else {
        skip(test, "the loopback has no cable");
        return;
    };
    let mut pes = pes(&cluster, 4);
    let base = block(&mut pes, 3 * APART);
    start_on_last(&mut pes, base);
    hosts.cable(1, false);
    let mut away = pes.pop().unwrap();
    for pe in &mut pes {
        is_about(&pe.answer().unwrap_err(), 3);
        pe.send(&Order::Heap(Heap::Barrier));
    }
    for pe in &mut pes {
        is_about(&pe.answer().unwrap_err(), 3);
    }
    away.kill();
    cluster.job.finish(pes);
}

#[test]
fn atomics_progress_without_calls_of_the_target_pe() {
    const ROUNDS: u64 = 2500;
    let cluster = Cluster::new("atomics_progress_without_calls_of_the_target_pe", &[0, 1], &[]);
    let mut pes = pes(&cluster, 2);
    let word = block(&mut pes, 8);
    pes[1].ok(&Order::Heap(Heap::Atomic(
        word,
        Atomic { kind: AtomicKind::Swap, width: Width::W64, operand: 0, compare: 0 },
        1,
    )));
    pes[1].send(&Order::Heap(Heap::Compute(word, ROUNDS * (3 + (1 << 20)))));
    // In each round four that bring the old value, three of which count.
    let sum = pes[0].ok(&Order::Heap(Heap::CountUp(word, Width::W64, ROUNDS, 1)));
    assert_eq!(sum, Answer::Number(3 * ROUNDS * (3 * ROUNDS - 1) / 2));
    pes[1].answer().unwrap();
    all(&mut pes, Heap::End);
    cluster.job.finish(pes);
}
