// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric heaps over hosts.

use mf_base::Kind;
use mf_shmem::{Atomic, AtomicKind, Width};
use mf_tests::job::{answers, each};
use mf_tests::order::heap::Heap;
use mf_tests::{Answer, Member, Order};

use super::cluster::{Cluster, MIB};

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
fn pes_on_two_hosts_do_all_that_pes_on_one_do() {
    let cluster = Cluster::new("pes_on_two_hosts_do_all_that_pes_on_one_do", &[0, 0, 1, 1], &[]);
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
    // A team across both hosts, whose numbers run backwards.
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
fn a_pe_that_is_killed_on_another_host_is_named() {
    for call in [Heap::Malloc(64), Heap::Split(0, 1, 3)] {
        let cluster = Cluster::new("a_pe_that_is_killed_on_another_host_is_named", &[0, 0, 1], &[]);
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
