// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations that failed while the path held their bytes, which arrive after later ones.

use mf_base::Retry;
use mf_base::settings::Switch;
use mf_transport::{Atomic, AtomicKind, Remote, SignalKind, Width};

use super::members::{member, peer_of};
use super::relay::Relay;
use super::*;
use crate::address;

const MIB: usize = 1 << 20;

fn in_a_moment() -> Instant {
    Instant::now() + Duration::from_millis(50)
}

impl End {
    /// Runs an operation and expects a timeout.
    #[track_caller]
    fn times_out(&self, to: &End, operation: &Operation<'_>) {
        let completion = Arc::new(Completion::new());
        // SAFETY: the tests' memory outlives their operations.
        unsafe { self.tcp.post(to.me, operation, &completion, in_a_moment()) }.unwrap();
        let error = self.tcp.wait(&completion).unwrap_err();
        assert_eq!(error.kind(), Kind::Timeout, "{error}");
    }
}

/// The first `words` words there are from the later put, all others from before both.
#[track_caller]
fn is_later_put(there: &End, words: usize, all: usize) {
    there.memory.check(2, 0..words);
    assert!((words..all).all(|word| [0, pattern(1, word as u64)].contains(&there.memory.word(word * 8))));
}

#[test]
fn delayed_bytes_of_a_failed_put_do_not_overwrite_a_later_put() {
    // Held before the first byte of the put, in its header, and in the middle of its payload.
    for (tls, checksum, passing) in [
        (Switch::Off, false, 0),
        (Switch::Off, false, 70),
        (Switch::Off, false, MIB),
        (Switch::On, false, MIB),
        (Switch::Off, true, MIB),
    ] {
        let change = |options: &mut Options| (options.tls, options.checksum) = (tls, checksum);
        let (a, b) = (end_with(peer(0), 4 * MIB, change), end_with(peer(1), 4 * MIB, change));
        let relay = Relay::introduce(&a, &b);
        a.put(&b, 3 * MIB, 3 * MIB, 64).unwrap();
        let held = relay.hold(0..1, passing as u64);
        a.memory.fill(1);
        a.times_out(&b, &Operation::Put { key: KEY, spans: &[a.span(0, 0, 3 * MIB)] });
        a.memory.fill(2);
        a.put(&b, 0, 0, 64).unwrap();
        is_later_put(&b, 8, 3 * MIB / 8);
        held.release();
        is_later_put(&b, 8, 3 * MIB / 8);
        assert!(passing == MIB || b.memory.word(64) == 0, "a failed put was written");
    }
}

#[test]
fn delayed_bytes_are_void_after_an_operation_of_another_member() {
    for leaves in [false, true] {
        let (here, there) = (Engine::start().unwrap(), Engine::start().unwrap());
        let [one, other] = [1, 2].map(|job| member(&here, peer_of(job, 0), |_| {}));
        let [first, second] = [1, 2].map(|job| member(&there, peer_of(job, 1), |_| {}));
        let (relay, at) = Relay::before(&first);
        for (from, to) in [(&one, &first), (&other, &second)] {
            from.tcp.introduce(to.me, &address::encode(&[at])).unwrap();
        }
        one.put(&first, 0, 0, 8).unwrap();
        let held = relay.hold(0..1, 0);
        one.memory.fill(1);
        one.times_out(&first, &Operation::Put { key: KEY, spans: &[one.span(0, 0, 4096)] });
        if leaves {
            one.tcp.close();
        }
        other.put(&second, 0, 0, 8).unwrap();
        held.release();
        assert!((0..512).all(|word| first.memory.word(8 * word) == 0), "a failed put was written");
    }
}

#[test]
fn delayed_stripes_of_a_failed_put_do_not_overwrite_a_later_put() {
    const BYTES: usize = 16 * MIB;
    for place in [0, 2] {
        let change = |options: &mut Options| options.tls = Switch::Off;
        let (a, b) = (end_with(peer(0), BYTES, change), end_with(peer(1), BYTES, change));
        let relay = Relay::introduce(&a, &b);
        until("the connections for stripes", || {
            a.put(&b, 0, 0, BYTES).unwrap();
            a.tcp.usage().connections == 4
        });
        let held = relay.hold(place..place + 1, 100);
        a.memory.fill(1);
        a.times_out(&b, &Operation::Put { key: KEY, spans: &[a.span(0, 0, BYTES)] });
        a.memory.fill(2);
        a.put(&b, 0, 0, BYTES).unwrap();
        held.release();
        b.memory.check(2, 0..BYTES / 8);
    }
}

#[test]
fn failed_signals_and_atomics_are_not_applied_later() {
    let change = |options: &mut Options| options.tls = Switch::Off;
    let (a, b) = (end_with(peer(0), 4096, change), end_with(peer(1), 4096, change));
    let relay = Relay::introduce(&a, &b);
    let at = Remote { key: KEY, address: BASE + 8 };
    let add = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
    let atomic = Operation::Atomic { at, atomic: add, old: a.memory.at(64) };
    let (signal, value) = (BASE + 16, 9);
    let spans = &[a.span(128, 128, 8)];
    let signal =
        Operation::Signal { key: KEY, spans, signal, width: Width::W64, kind: SignalKind::Add, value };
    for operation in [&atomic, &signal] {
        a.put(&b, 256, 256, 8).unwrap();
        let held = relay.hold(relay.came() - 1..relay.came(), 0);
        a.times_out(&b, operation);
        a.put(&b, 256, 256, 8).unwrap();
        held.release();
    }
    assert_eq!((b.memory.word(8), b.memory.word(16)), (0, 0));
}

#[test]
fn only_the_unsent_operations_fail() {
    let (a, b) = pair(64 * MIB);
    let gate = b.memory.shut();
    // The first put fills the socket; those behind it stay here.
    let (long, short) = (Arc::new(Completion::new()), Arc::new(Completion::new()));
    let spans = [a.span(0, 0, 3 * MIB)];
    for completion in [&long, &long, &long, &long] {
        a.post(b.me, &Operation::Put { key: KEY, spans: &spans }, completion).unwrap();
    }
    a.memory.set(48 * MIB, 7);
    let spans = [a.span(48 * MIB, 48 * MIB, 8)];
    // SAFETY: the tests' memory outlives their operations.
    unsafe { a.tcp.post(b.me, &Operation::Put { key: KEY, spans: &spans }, &short, in_a_moment()) }.unwrap();
    assert_eq!(a.tcp.wait(&short).unwrap_err().kind(), Kind::Timeout);
    drop(gate);
    a.tcp.wait(&long).unwrap();
    a.put(&b, 0, 0, 8).unwrap();
    assert_eq!((b.memory.word(48 * MIB), a.tcp.usage().connections), (0, 1));
}

#[test]
fn operations_beside_a_timeout_may_be_retried_at_once() {
    let (a, b) = (end(0, 4096), end(1, 4096));
    let relay = Relay::introduce(&a, &b);
    a.put(&b, 0, 0, 8).unwrap();
    let held = relay.hold(0..1, 0);
    let others = [Arc::new(Completion::new()), Arc::new(Completion::new())];
    let spans = [a.span(0, 0, 8)];
    a.post(b.me, &Operation::Put { key: KEY, spans: &spans }, &others[0]).unwrap();
    a.post(b.me, &Operation::Get { key: KEY, spans: &spans }, &others[1]).unwrap();
    a.times_out(&b, &Operation::Put { key: KEY, spans: &[a.span(8, 8, 8)] });
    for other in &others {
        let error = a.tcp.wait(other).unwrap_err();
        assert_eq!((error.kind(), error.retry_class()), (Kind::Timeout, Retry::AtOnce), "{error}");
    }
    a.put(&b, 0, 0, 8).unwrap();
    held.release();
}
