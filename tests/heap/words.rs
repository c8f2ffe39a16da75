// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words of PEs: atomics, signals and waits.

use mf_base::Kind;
use mf_shmem::{Atomic, AtomicKind, Comparison, Width};
use mf_tests::deadline::wait_until;
use mf_tests::order::heap::Heap;
use mf_tests::{Answer, Member, pattern};

use super::pes::{MIB, all_do, block, each, everywhere, heap, job, numbers, pes};

const WIDTHS: [Width; 2] = [Width::W32, Width::W64];

fn atomic(kind: AtomicKind, width: Width, operand: u64, compare: u64) -> Atomic {
    Atomic { kind, width, operand, compare }
}

fn number(answer: &Answer) -> u64 {
    match answer {
        Answer::Number(number) => *number,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn fetched(pe: &mut Member, order: Heap) -> u64 {
    number(&pe.ok(&heap(order)))
}

#[test]
fn atomics_change_only_their_word_and_return_the_old_value() {
    use AtomicKind::{Add, And, CompareSwap, Fetch, Or, Swap, Xor};
    everywhere(|_, pes, _| {
        let base = block(pes, &Heap::Calloc(4, 8));
        let last = numbers(pes).end - 1;
        for (width, bytes) in [(Width::W32, 4), (Width::W64, 8)] {
            let (at, most) = (base + bytes, width.low(u64::MAX));
            let change = |kind, operand, compare| atomic(kind, width, operand, compare);
            let steps = [
                (change(Swap, u64::MAX, 0), 0),
                (change(Add, 13, 0), most),
                (change(And, 10, 0), 12),
                (change(Or, 5, 0), 8),
                (change(Xor, 1, 0), 13),
                (change(CompareSwap, 7, 1), 12),
                (change(CompareSwap, 7, 12), 12),
                (change(Add, u64::MAX, 0), 7),
                (change(Fetch, 0, 0), 6),
            ];
            for (step, before) in steps {
                assert_eq!(fetched(&mut pes[0], Heap::Atomic(at, step, last)), before, "{step:?}");
            }
            for (step, before) in steps {
                let before = if before == 0 { 6 } else { before };
                assert_eq!(fetched(&mut pes[0], Heap::AtomicNbi(at, step, last)), before, "{step:?}");
            }
            for (step, _) in steps {
                pes[0].ok(&heap(Heap::AtomicUpdate(at, step, last)));
            }
            pes[0].ok(&heap(Heap::Quiet));
            for (place, value) in [(at, 6), (at - bytes, 0), (at + bytes, 0)] {
                let own = atomic(Swap, width, 0, 0);
                let found = fetched(pes.last_mut().unwrap(), Heap::Atomic(place, own, last));
                assert_eq!(found, value);
            }
        }
    });
}

#[test]
fn concurrent_changes_of_a_word_have_one_order() {
    const COUNT: u64 = 50;
    everywhere(|_, pes, _| {
        let last = numbers(pes).end - 1;
        for width in WIDTHS {
            let word = block(pes, &Heap::Calloc(1, 8));
            let n_pes = pes.len();
            let sums = all_do(pes, std::iter::repeat_n(Heap::CountUp(word, width, COUNT, last), n_pes));
            each(pes, &Heap::Barrier);
            let (n_pes, fetch) = (n_pes as u64, atomic(AtomicKind::Fetch, width, 0, 0));
            let all = 3 * COUNT * n_pes;
            // Every number from 0 on was the old one of one change.
            assert_eq!(sums.iter().map(number).sum::<u64>(), all * (all - 1) / 2, "{sums:?}");
            let found = fetched(&mut pes[0], Heap::Atomic(word, fetch, last));
            assert_eq!(found, all + ((COUNT * n_pes) << 20));
            each(pes, &Heap::Free(word));
        }
    });
}

#[test]
fn signals_are_updated_after_their_data() {
    everywhere(|_, pes, _| {
        let last = numbers(pes).end - 1;
        let data = block(pes, &Heap::Calloc(300_000, 1));
        let words = block(pes, &Heap::Calloc(4, 8));
        let most = |width: Width| width.low(u64::MAX);
        for (width, word) in [(Width::W32, words + 4), (Width::W64, words + 16)] {
            for (round, is_started) in [(0, false), (1, true)] {
                for bytes in [0usize, 1, 8, 1001, 300_000] {
                    let put = |update, seed| Heap::PutSignal((data, bytes, seed), update, last, is_started);
                    pes[0].ok(&heap(put((word, width, false, u64::MAX), 5 + round)));
                    pes[0].ok(&heap(put((word, width, true, 3), 5 + round)));
                    pes[0].ok(&heap(Heap::Quiet));
                    let owner = pes.last_mut().unwrap();
                    assert_eq!(fetched(owner, Heap::FetchSignal(word, width)), 2);
                    owner.ok(&heap(Heap::CheckOwn(data, bytes, 5 + round)));
                }
            }
            pes[0].ok(&heap(Heap::Signal((word, width, false, u64::MAX - 1), last)));
            pes[0].ok(&heap(Heap::Signal((word, width, true, 1), last)));
            pes[0].ok(&heap(Heap::Quiet));
            assert_eq!(fetched(pes.last_mut().unwrap(), Heap::FetchSignal(word, width)), most(width));
            pes[0].ok(&heap(Heap::Signal((word, width, true, 1), last)));
            pes[0].ok(&heap(Heap::Quiet));
        }
        pes.last_mut().unwrap().ok(&heap(Heap::CheckZero(words, 32)));
    });
}

#[test]
fn invalid_signals_are_refused_and_their_data_is_not_written() {
    everywhere(|_, pes, _| {
        let base = block(pes, &Heap::Calloc(8, 8));
        let n_pes = numbers(pes).end;
        let set = |at, width| (at, width, false, 1);
        let refused = |pes: &mut [Member], update, pe, text: &str| {
            for is_started in [false, true] {
                let put = Heap::PutSignal((base, 16, 1), update, pe, is_started);
                pes[0].refused(&heap(put)).expect(Kind::InvalidParam, &[text]);
            }
            pes[0].refused(&heap(Heap::Signal(update, pe))).expect(Kind::InvalidParam, &[text]);
        };
        for width in WIDTHS {
            for pe in [-1, n_pes] {
                refused(pes, set(base + 32, width), pe, "no such PE");
            }
            for pe in [0, n_pes - 1] {
                refused(pes, set(4 * MIB, width), pe, "not in the symmetric memory");
                refused(pes, set(base + 32 + width.bytes() / 2, width), pe, "not aligned");
                let far = Heap::PutSignal((4 * MIB - 8, 9, 1), set(base + 32, width), pe, false);
                let failure = pes[0].refused(&heap(far));
                failure.expect(Kind::InvalidParam, &["not in the symmetric memory"]);
            }
            for (at, text) in [(4 * MIB, "not in the symmetric memory"), (base + 2, "not aligned")] {
                let failure = pes[0].refused(&heap(Heap::FetchSignal(at, width)));
                failure.expect(Kind::InvalidParam, &[text]);
            }
        }
        each(pes, &Heap::Barrier);
        each(pes, &Heap::CheckZero(base, 64));
    });
}

#[test]
fn waits_end_for_every_kind_of_update() {
    everywhere(|_, pes, is_mapped| {
        let last = numbers(pes).end - 1;
        if last == 0 {
            return;
        }
        let word = block(pes, &Heap::Calloc(1, 8));
        let swap = |operand| atomic(AtomicKind::Swap, Width::W64, operand, 0);
        let stream = |seed| u64::from_le_bytes(pattern::stream(seed, 8).try_into().unwrap());
        let updates = [
            (Heap::Put(word, 8, 3, last), stream(3)),
            (Heap::PutNbi(word, 8, 4, last), stream(4)),
            (Heap::Atomic(word, swap(6), last), 6),
            (Heap::AtomicUpdate(word, swap(7), last), 7),
            (Heap::Signal((word, Width::W64, true, 1), last), 8),
            (Heap::PutSignal((word + 8, 0, 1), (word, Width::W64, false, 9), last, true), 9),
            (Heap::Pointer(word, last), 0x1234_5678_9abc_def0 + word),
        ];
        for (update, value) in updates.into_iter().take(if is_mapped { 7 } else { 6 }) {
            let waiting = pes.last_mut().unwrap();
            waiting.send(&heap(Heap::Await(word, Comparison::Equal, value)));
            assert!(wait_until(|| waiting.sleeps()));
            pes[0].ok(&heap(update));
            assert_eq!(pes.last_mut().unwrap().answer().unwrap(), Answer::Number(value));
        }
    });
}

#[test]
fn data_is_visible_when_its_signal_arrives() {
    everywhere(|_, pes, _| {
        let last = numbers(pes).end - 1;
        let word = block(pes, &Heap::Calloc(1, 8));
        let data = block(pes, &Heap::Malloc(400_000));
        for (bytes, rounds) in [(8, 300), (1001, 100), (200_000, 10)] {
            let order = |pe| heap(Heap::PingPong((data, bytes), word, rounds, pe));
            pes[0].send(&order(last));
            if last > 0 {
                pes.last_mut().unwrap().ok(&order(0));
            }
            pes[0].answer().unwrap();
            each(pes, &Heap::Barrier);
            let clear = atomic(AtomicKind::Swap, Width::W64, 0, 0);
            for pe in [0, last] {
                pes[0].ok(&heap(Heap::Atomic(word, clear, pe)));
            }
            each(pes, &Heap::Barrier);
        }
    });
}

#[test]
fn wait_some_reports_each_word_once() {
    everywhere(|_, pes, _| {
        let last = numbers(pes).end - 1;
        let words = block(pes, &Heap::Calloc(10, 8));
        let signals = (0..10).map(|index| Heap::Signal((words + index * 8, Width::W64, false, 1), last));
        if last == 0 {
            signals.for_each(|signal| assert_eq!(pes[0].ok(&heap(signal)), Answer::Done));
            pes[0].ok(&heap(Heap::Collect(words, 10)));
            return;
        }
        pes.last_mut().unwrap().send(&heap(Heap::Collect(words, 10)));
        for (index, signal) in signals.rev().enumerate() {
            pes[index % (pes.len() - 1)].ok(&heap(signal));
        }
        pes.last_mut().unwrap().answer().unwrap();
    });
}

#[test]
fn timed_out_wait_names_the_dead_pe() {
    let mut job = job(3);
    job.set("MF_SHMEM_TIMEOUT", "200ms");
    let mut members = pes(&job, 2 * MIB);
    let word = block(&mut members, &Heap::Calloc(1, 8));
    let wait = heap(Heap::Await(word, Comparison::NotEqual, 0));
    members[0].refused(&wait).expect(Kind::Timeout, &["to be != 0x0", "gone no PE"]);
    let mut doomed = members.pop().unwrap();
    doomed.kill();
    for member in &mut members {
        member.refused(&heap(Heap::Barrier)).expect(Kind::NotConnected, &["rank 2"]);
        member.refused(&wait).expect(Kind::Timeout, &["gone PE 2"]);
    }
    job.finish(members);
}

#[test]
fn invalid_words_are_refused() {
    everywhere(|_, pes, _| {
        let base = block(pes, &Heap::Calloc(8, 8));
        let n_pes = numbers(pes).end;
        let add = |width| atomic(AtomicKind::Add, width, 1, 0);
        for width in WIDTHS {
            for order in [
                |at, atomic, pe| Heap::Atomic(at, atomic, pe),
                |at, atomic, pe| Heap::AtomicUpdate(at, atomic, pe),
                |at, atomic, pe| Heap::AtomicNbi(at, atomic, pe),
            ] {
                for pe in [-1, n_pes, i32::MIN, i32::MAX] {
                    let failure = pes[0].refused(&heap(order(base, add(width), pe)));
                    failure.expect(Kind::InvalidParam, &["no such PE", &format!("pe {pe}")]);
                }
                for pe in [0, n_pes - 1] {
                    for place in [4 * MIB, 1 << 46, 8u64.wrapping_neg()] {
                        let failure = pes[0].refused(&heap(order(place, add(width), pe)));
                        failure.expect(Kind::InvalidParam, &["not in the symmetric memory"]);
                    }
                    let failure = pes[0].refused(&heap(order(base + width.bytes() / 2, add(width), pe)));
                    failure.expect(Kind::InvalidParam, &["not aligned"]);
                }
            }
        }
        each(pes, &Heap::Barrier);
        each(pes, &Heap::CheckZero(base, 64));
    });
}

#[test]
fn atomics_on_a_killed_remote_pe_fail() {
    let mut job = job(2);
    job.set("MF_SHM", "false");
    let mut members = pes(&job, 2 * MIB);
    let word = block(&mut members, &Heap::Calloc(1, 8));
    let mut doomed = members.pop().unwrap();
    members[0].send(&heap(Heap::CountUp(word, Width::W64, u64::MAX, 1)));
    doomed.kill();
    members[0].answer().unwrap_err().expect(Kind::NotConnected, &[]);
    job.finish(members);
}
