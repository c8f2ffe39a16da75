// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Decorators of a transport: they pass the same suite, and have their effects.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use mf_base::Kind;
use mf_net::decorators::fault::{Fault, Faulty, Rule, When};
use mf_net::decorators::metrics::Snapshot;
use mf_net::decorators::trace::Traced;
use mf_net::decorators::watched::Watched;
use mf_net::watch;
use mf_transport::{
    Atomic, AtomicKind, Capabilities, Completion, Operation, OperationKind, Peer, Target, Width,
};

use crate::bed::{BYTES, Bed, End, Make, failed, late, pattern, same, span, until};
use crate::direct::Direct;
use crate::suite::Shared;

/// Makes transports of one kind and keeps them, to ask them more than a transport can.
struct Keeping<T> {
    inner: Arc<dyn Make>,
    wrap: fn(Shared) -> Arc<T>,
    made: Mutex<Vec<Arc<T>>>,
}

impl<T: mf_transport::Transport + 'static> Make for Keeping<T> {
    fn name(&self) -> String {
        "keeping".to_owned()
    }

    fn start(&self, me: Peer, target: Weak<dyn Target>) -> Shared {
        let made = (self.wrap)(self.inner.start(me, target));
        self.made.lock().unwrap().push(Arc::clone(&made));
        made
    }
}

/// Returns endpoints, and the decorator of the first one's transport.
fn around<T>(count: u32, wrap: fn(Shared) -> Arc<T>) -> (Bed, Arc<T>)
where
    T: mf_transport::Transport + 'static,
{
    let make = Arc::new(Keeping { inner: Direct::make(), wrap, made: Mutex::default() });
    let bed = Bed::new(Arc::clone(&make) as _, count, BYTES);
    let first = Arc::clone(&make.made.lock().unwrap()[0]);
    (bed, first)
}

const SEED: u64 = 0x5eed;

fn harmed(count: u32) -> (Bed, Arc<Faulty>) {
    let (bed, faulty) = around(count, |inner| Faulty::new(inner, SEED));
    for other in &bed.ends()[1..] {
        bed.end(0).works_with(other, 1);
        other.segment.fill(0);
    }
    (bed, faulty)
}

fn soon() -> Instant {
    Instant::now() + Duration::from_millis(30)
}

fn put_until(here: &End, there: &End, data: &[u8], deadline: Instant) -> mf_base::Result<()> {
    let spans = [span(data.as_ptr().cast_mut(), there.segment.address(), data.len())];
    here.run_until(there.peer, &Operation::Put { key: there.key, spans: &spans }, deadline)
}

#[track_caller]
fn one_bit_differs(what: &str, found: &[u8], sent: &[u8]) {
    let differ: u32 = found.iter().zip(sent).map(|(found, sent)| (found ^ sent).count_ones()).sum();
    assert_eq!((found.len(), differ), (sent.len(), 1), "{what}");
}

#[test]
fn operations_are_counted_by_peer_and_kind() {
    let (bed, watched) = around(3, Watched::with_table);
    let (here, first, second) = (bed.end(0), bed.end(1), bed.end(2));
    for _ in 0..10 {
        here.put(&first, 0, &[1; 1000]).unwrap();
    }
    here.put(&second, 0, &[1; 5]).unwrap();
    here.get(&second, 0, 77).unwrap();
    here.put(&second, BYTES - 1, &[1; 5]).unwrap_err();
    let add = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
    here.atomic(&first, 0, add).unwrap();
    here.transport.send(first.peer, b"hello", late()).unwrap();
    here.post_until(
        first.peer,
        &Operation::Put { key: first.key, spans: &[] },
        &Arc::new(Completion::new()),
        late(),
    )
    .unwrap_err();

    let snapshot = watched.snapshot().unwrap();
    let figures = |peer: Peer| &snapshot.peers.iter().find(|(one, _)| *one == peer).unwrap().1;
    let puts = figures(first.peer).of(OperationKind::Put);
    assert_eq!((puts.operations, puts.bytes, puts.errors), (11, 10_000, 1));
    assert_eq!(puts.buckets.iter().sum::<u64>(), 11);
    let puts = figures(second.peer).of(OperationKind::Put);
    assert_eq!((puts.operations, puts.bytes, puts.errors), (2, 5, 1));
    assert_eq!(figures(second.peer).of(OperationKind::Get).bytes, 77);
    assert_eq!(figures(first.peer).of(OperationKind::Atomic).bytes, 8);
    assert_eq!(figures(first.peer).of(OperationKind::Message).bytes, 5);
    let total = snapshot.total.of(OperationKind::Put);
    assert_eq!((total.operations, total.bytes, total.errors), (13, 10_005, 2));
    assert!(total.nanoseconds > 0);

    let table = snapshot.to_string();
    assert!(table.contains("rank 1 (session") && table.contains("10000"), "{table}");
    let bytes = postcard::to_allocvec(&snapshot).unwrap();
    assert_eq!(postcard::from_bytes::<Snapshot>(&bytes).unwrap(), snapshot);

    // Counts of forgotten peers stay in the sum.
    here.forget(&first);
    let after = watched.snapshot().unwrap();
    assert_eq!(after.total, snapshot.total);
    assert!(after.peers.iter().all(|(peer, _)| *peer != first.peer));
}

/// Counts spans and entries.
#[derive(Default)]
struct Ears {
    spans: AtomicU64,
    entered: AtomicU64,
    events: AtomicU64,
}

struct Listening(Arc<Ears>);

impl tracing::Subscriber for Listening {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(self.0.spans.fetch_add(1, Ordering::Relaxed) + 1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, _: &tracing::Event<'_>) {
        self.0.events.fetch_add(1, Ordering::Relaxed);
    }
    fn enter(&self, _: &tracing::span::Id) {
        self.0.entered.fetch_add(1, Ordering::Relaxed);
    }
    fn exit(&self, _: &tracing::span::Id) {}
}

#[test]
fn each_operation_is_reported_to_a_subscriber() {
    let (bed, _) = around(2, Traced::new);
    let (here, there) = bed.pair();
    here.works_with(&there, 1);
    let ears = Arc::new(Ears::default());
    tracing::subscriber::with_default(Listening(Arc::clone(&ears)), || {
        here.put(&there, 0, &[1; 10]).unwrap();
        here.get(&there, 0, 10).unwrap();
        here.put(&there, BYTES, &[1]).unwrap_err();
        here.transport.send(there.peer, b"x", late()).unwrap();
    });
    let counted = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    assert_eq!(counted(&ears.spans), 4);
    // Each put and get when it was posted and when it ended, the message when it was sent.
    until("the ends are reported", || counted(&ears.entered) == 7);
    assert!(counted(&ears.events) >= 3);
    let before = counted(&ears.spans);
    here.works_with(&there, 2);
    assert_eq!(counted(&ears.spans), before, "reported without a listener");
}

#[test]
fn dropped_operation_ends_at_its_deadline_without_effect() {
    let (bed, faulty) = harmed(3);
    let (here, there, other) = (bed.end(0), bed.end(1), bed.end(2));
    faulty.add(Rule::black_hole(1));
    let since = Instant::now();
    let error = failed("into a black hole", put_until(&here, &there, &[1; 100], soon()), &[Kind::Timeout]);
    assert!(error.to_string().contains("rank 1"), "{error}");
    assert!(since.elapsed() >= Duration::from_millis(29), "it ended before its deadline");
    failed("a get from there", here.get_until(&there, soon()), &[Kind::Timeout]);
    here.transport.send(there.peer, b"lost", late()).unwrap();
    here.works_with(&other, 2);
    let completion = Arc::new(Completion::new());
    let data = [1; 8];
    let spans = [span(data.as_ptr().cast_mut(), there.segment.address(), 8)];
    let put = Operation::Put { key: there.key, spans: &spans };
    here.post(there.peer, &put, &completion);
    failed("a flush of a black hole", here.transport.flush(None, soon()), &[Kind::Timeout]);
    here.transport.flush(Some(other.peer), late()).unwrap();
    // Operations to a forgotten peer end at once.
    here.forget(&there);
    failed("a put to a forgotten peer", here.transport.wait(&completion), &[Kind::NotConnected]);
    faulty.clear();
    assert_eq!(there.segment.first_other_than(0), None);
    here.works_with(&there, 3);
    assert_eq!(there.memory.messages(), []);
}

#[test]
fn a_delayed_operation_starts_later_and_flush_waits_for_it() {
    let (bed, faulty) = harmed(2);
    let (here, there) = bed.pair();
    faulty.add(Rule::new(Fault::Delay(Duration::from_millis(40))).only(OperationKind::Put));
    let since = Instant::now();
    put_until(&here, &there, &[3; 100], late()).unwrap();
    assert!(since.elapsed() >= Duration::from_millis(40));
    assert_eq!(there.segment.read(0, 100), [3; 100]);
    let completion = Arc::new(Completion::new());
    let data = [4; 100];
    let spans = [span(data.as_ptr().cast_mut(), there.segment.address(), 100)];
    here.post(there.peer, &Operation::Put { key: there.key, spans: &spans }, &completion);
    here.transport.flush(Some(there.peer), late()).unwrap();
    assert!(completion.is_done());
    assert_eq!(there.segment.read(0, 100), [4; 100]);
    // A deadline before its start: it never starts.
    let touches = there.memory.touches();
    let expired = put_until(&here, &there, &[5; 100], Instant::now() + Duration::from_millis(5));
    failed("a delay beyond the deadline", expired, &[Kind::Timeout]);
    here.transport.flush(None, late()).unwrap();
    assert_eq!((there.memory.touches(), there.segment.read(0, 100)), (touches, vec![4; 100]));
    // Closing ends held operations.
    here.post(there.peer, &Operation::Put { key: there.key, spans: &spans }, &completion);
    here.transport.close();
    failed("a closed one", here.transport.wait(&completion), &[Kind::NotConnected]);
}

#[test]
fn corrupted_operation_has_a_single_wrong_bit() {
    let (bed, faulty) = harmed(2);
    let (here, there) = bed.pair();
    faulty.add(Rule::new(Fault::Corrupt));
    let data = pattern(1, 10_000);
    let sent = data.clone();
    put_until(&here, &there, &sent, late()).unwrap();
    assert!(sent == data, "the caller's memory was changed");
    one_bit_differs("a put", &there.segment.read(0, 10_000), &data);
    there.segment.write(0, &data);
    one_bit_differs("a get", &here.get(&there, 0, 10_000).unwrap(), &data);
    same("what was got", &there.segment.read(0, 10_000), &data);
    here.transport.send(there.peer, &data[..500], late()).unwrap();
    until("the message", || there.memory.message_count() > 0);
    one_bit_differs("a message", &there.memory.messages()[0].1, &data[..500]);
    there.segment.word(0).store(0, Ordering::SeqCst);
    let or = Atomic { kind: AtomicKind::Or, width: Width::W64, operand: 0, compare: 0 };
    here.atomic(&there, 0, or).unwrap();
    assert_eq!(there.segment.word(0).load(Ordering::SeqCst).count_ones(), 1);
    faulty.clear();
    here.works_with(&there, 1);
}

#[test]
fn nth_operation_fails_as_the_rule_specifies() {
    let (bed, faulty) = harmed(3);
    let (here, there, other) = (bed.end(0), bed.end(1), bed.end(2));
    let rule = Rule::new(Fault::Fail(Kind::NoResources)).to(1).only(OperationKind::Put);
    faulty.add(rule.when(When::Nth(3)));
    for number in 1..6 {
        here.works_with(&other, number);
        here.get(&there, 0, 10).unwrap();
        match put_until(&here, &there, &[1], late()) {
            Ok(()) => assert_ne!(number, 3),
            Err(error) => assert_eq!((number, error.kind()), (3, Kind::NoResources), "{error}"),
        }
    }
}

#[test]
fn severed_peer_fails_operations_until_it_is_healed() {
    let (bed, faulty) = harmed(3);
    let (here, there, other) = (bed.end(0), bed.end(1), bed.end(2));
    there.memory.close_gate();
    let completion = Arc::new(Completion::new());
    let mut buffer = [0; 100];
    let spans = [span(buffer.as_mut_ptr(), there.segment.address(), 100)];
    here.post(there.peer, &Operation::Get { key: there.key, spans: &spans }, &completion);
    faulty.sever(there.peer);
    failed("in flight to a severed peer", here.transport.wait(&completion), &[Kind::NotConnected]);
    there.memory.open_gate();
    failed("a severed peer", put_until(&here, &there, &[1], late()), &[Kind::NotConnected]);
    failed("a severed peer", here.transport.reach(there.peer).map(|_| ()), &[Kind::NotConnected]);
    failed("a severed peer", here.transport.send(there.peer, b"x", late()), &[Kind::NotConnected]);
    here.works_with(&other, 1);
    faulty.heal(there.peer).unwrap();
    here.works_with(&there, 2);
    // By a rule.
    faulty.add(Rule::new(Fault::Sever).to(1).when(When::Nth(2)));
    put_until(&here, &there, &[1], late()).unwrap();
    failed("cut by the rule", put_until(&here, &there, &[1], late()), &[Kind::NotConnected]);
    faulty.clear();
    failed("cut by the rule", put_until(&here, &there, &[1], late()), &[Kind::NotConnected]);
    faulty.heal(there.peer).unwrap();
    here.works_with(&there, 3);
}

#[test]
fn same_seed_faults_the_same_operations() {
    let run = |seed: u64| -> Vec<bool> {
        let bed = Bed::new(Direct::make(), 2, BYTES);
        let (here, there) = bed.pair();
        here.meet(&there);
        let faulty = Faulty::new(Arc::clone(&here.transport), seed);
        assert_eq!(faulty.seed(), seed);
        faulty.add(Rule::new(Fault::Fail(Kind::Failed)).when(When::PerMillion(300_000)));
        let data = [1];
        let spans = [span(data.as_ptr().cast_mut(), there.segment.address(), 1)];
        let put = |completion: &Arc<Completion>| {
            let operation = Operation::Put { key: there.key, spans: &spans };
            // SAFETY: `data` outlives the wait.
            unsafe { mf_transport::Transport::post(&*faulty, there.peer, &operation, completion, late()) }
                .unwrap();
            here.transport.wait(completion).is_ok()
        };
        (0..200).map(|_| put(&Arc::new(Completion::new()))).collect()
    };
    let first = run(9);
    assert_eq!(first, run(9));
    assert_ne!(first, run(10));
    let harmed = first.iter().filter(|is_good| !**is_good).count();
    assert!((20..120).contains(&harmed), "{harmed} of 200 at a chance of 0.3");
}

#[test]
fn operations_are_watched_by_peer() {
    watch::set_metrics(true);
    let (bed, _) = around(8, Watched::new);
    // A rank that no other test has a peer of.
    let (here, there) = (bed.end(0), bed.end(7));
    for _ in 0..10 {
        here.put(&there, 0, &[1; 1000]).unwrap();
    }
    here.put(&there, BYTES - 1, &[1; 5]).unwrap_err();
    here.get(&there, 0, 77).unwrap();
    here.transport.send(there.peer, b"hello", late()).unwrap();
    let rows = watch::rows();
    let of = |kind| {
        let is_it = |row: &&watch::Row| row.route == "direct" && row.peer == Some(7) && row.kind == kind;
        let row = rows.iter().find(is_it).unwrap();
        (row.operations, row.bytes, row.errors, row.took.count())
    };
    assert_eq!(of(OperationKind::Put), (11, 10_000, 1, 11));
    assert_eq!(of(OperationKind::Get), (1, 77, 0, 1));
    assert_eq!(of(OperationKind::Message), (1, 5, 0, 1));
}

#[test]
fn decorators_can_be_nested() {
    let (bed, _) = around(2, |inner| Traced::new(Watched::with_table(Faulty::new(inner, 3))));
    let (here, there) = bed.pair();
    assert!(here.transport.capabilities().contains(Capabilities::SIGNAL));
    here.works_with(&there, 1);
    there.works_with(&here, 1);
}
