// SPDX-License-Identifier: Apache-2.0 OR MIT
#![allow(clippy::cast_possible_truncation, clippy::zombie_processes, reason = "tests")]

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use mf_base::MemKind;
use mf_device::Access;
use mf_transport::{Atomic, AtomicKind, JobId, Operation, Remote, SignalKind, Span, Spot, Width};

use super::*;

mod processes;

const TRANSPORTS: [&str; 2] = ["tcp,self", "posix,sysv,self"];

/// Memory under keys, and what came in.
#[derive(Default)]
struct Owner {
    memory: Mutex<HashMap<SegmentKey, Vec<u64>>>,
    messages: Mutex<Vec<(Peer, Vec<u8>)>>,
    lost: Mutex<Vec<Peer>>,
}

impl Target for Owner {
    fn access(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: u64,
        _: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()> {
        assert_ne!(address, 8, "the owner panics");
        let mut memory = self.memory.lock().unwrap();
        let Some(words) = memory.get_mut(&key) else {
            return Err(Error::new(Kind::NotConnected, "test").what("no contributor under this key"));
        };
        let start = words.as_mut_ptr().expose_provenance() as u64;
        let end = start + 8 * words.len() as u64;
        if address < start || address.checked_add(bytes).is_none_or(|last| last > end) {
            return Err(Error::invalid("test", "not inside one segment"));
        }
        touch(Spot::Host(std::ptr::with_exposed_provenance_mut(address as usize)));
        Ok(())
    }

    fn message(&self, from: Peer, message: &[u8]) {
        self.messages.lock().unwrap().push((from, message.to_vec()));
    }

    fn lost(&self, peer: Peer, _: &Error) {
        self.lost.lock().unwrap().push(peer);
    }
}

struct Node {
    peer: Peer,
    owner: Arc<Owner>,
    ucx: Arc<Ucx>,
}

const KEY: SegmentKey = SegmentKey(77);

/// Starts a worker of libucp; `None` if that is not installed.
fn started(tls: &str, one_sided: bool) -> Option<Arc<Engine>> {
    match Engine::start_as(Some(tls), one_sided) {
        Ok(engine) => Some(engine),
        Err(error) if error.kind() == Kind::NotExist => {
            println!("skip ucx: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

impl Node {
    fn start(rank: u32, tls: &str, one_sided: bool) -> Option<Self> {
        Self::on(&started(tls, one_sided)?, rank)
    }

    /// A member on this engine.
    fn on(engine: &Arc<Engine>, rank: u32) -> Option<Self> {
        let owner = Arc::new(Owner::default());
        let peer = Peer { job: JobId(1), rank, session: 1000 + u64::from(rank) };
        let target: Weak<dyn Target> = Arc::downgrade(&owner) as Weak<dyn Target>;
        Some(Self { peer, owner, ucx: engine.join(peer, target).unwrap() })
    }

    /// Memory of this node under [`KEY`]: its address and description.
    fn share(&self, words: usize) -> (u64, Vec<u8>) {
        let mut memory = vec![0_u64; words];
        let address = memory.as_mut_ptr().expose_provenance() as u64;
        self.owner.memory.lock().unwrap().insert(KEY, memory);
        let region = Region { kind: MemKind::Host, is_host_memory: true, address, bytes: 8 * words as u64 };
        // SAFETY: the memory lives as long as the node, or until `conceal`.
        (address, unsafe { self.ucx.expose(KEY, &[region]) }.unwrap())
    }

    fn word(&self, index: usize) -> u64 {
        self.owner.memory.lock().unwrap()[&KEY][index]
    }

    fn post(
        &self,
        to: Peer,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        until: Instant,
    ) -> Result<()> {
        // SAFETY: each test keeps its buffers until it has waited.
        unsafe { self.ucx.post(to, operation, completion, until) }
    }

    fn run(&self, to: Peer, operation: &Operation<'_>) -> Result<()> {
        let completion = Arc::new(Completion::new());
        self.post(to, operation, &completion, soon())?;
        self.ucx.wait(&completion)
    }
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

/// Two nodes, of which at first only one knows the other, and the memory of the second.
fn pair(tls: &str, one_sided: bool, words: usize) -> Option<(Node, Node, u64)> {
    let a = Node::start(0, tls, one_sided)?;
    let b = Node::start(1, tls, one_sided)?;
    a.ucx.introduce(b.peer, &b.ucx.address()).unwrap();
    let (address, description) = b.share(words);
    a.ucx.attach(b.peer, KEY, &description).unwrap();
    assert_eq!(description.is_empty(), !one_sided);
    Some((a, b, address))
}

fn span(local: &mut [u64], address: u64) -> Span {
    Span { local: local.as_mut_ptr().cast(), address, bytes: 8 * local.len() as u64 }
}

fn until(what: &str, condition: impl Fn() -> bool) {
    let end = soon();
    while !condition() {
        assert!(Instant::now() < end, "{what}");
        std::thread::yield_now();
    }
}

#[test]
fn puts_and_gets_of_all_sizes_arrive_over_every_transport() {
    for tls in TRANSPORTS {
        for one_sided in [false, true] {
            let words = 400_000;
            let Some((a, b, address)) = pair(tls, one_sided, words) else { return };
            for count in [1, 3, 700, 40_000, words] {
                let mut there: Vec<u64> = (0..count as u64).map(|i| i * 3 + count as u64).collect();
                let spans = [span(&mut there, address)];
                a.run(b.peer, &Operation::Put { key: KEY, spans: &spans }).unwrap();
                assert_eq!(b.owner.memory.lock().unwrap()[&KEY][..count], there, "{tls} {count}");
                let mut back = vec![0; count];
                let spans = [span(&mut back, address)];
                a.run(b.peer, &Operation::Get { key: KEY, spans: &spans }).unwrap();
                assert_eq!(back, there, "{tls} {count}");
            }
            assert!(a.ucx.reach(b.peer).unwrap().path.contains("UCX"));
            b.ucx.conceal(KEY);
        }
    }
}

#[test]
fn scattered_small_and_large_spans_arrive() {
    for tls in TRANSPORTS {
        let Some((a, b, address)) = pair(tls, false, 100_000) else { return };
        let mut sources: Vec<Vec<u64>> =
            (0..300_u64).map(|i| vec![i + 1; if i % 50 == 0 { 1500 } else { 2 }]).collect();
        let mut at = 0;
        let mut places = Vec::new();
        let spans: Vec<Span> = sources
            .iter_mut()
            .map(|source| {
                places.push(at);
                at += source.len();
                span(source, address + 8 * *places.last().unwrap() as u64)
            })
            .collect();
        a.run(b.peer, &Operation::Put { key: KEY, spans: &spans }).unwrap();
        for (source, place) in sources.iter().zip(places) {
            assert_eq!(b.owner.memory.lock().unwrap()[&KEY][place..place + source.len()], source[..]);
        }
    }
}

#[test]
fn atomics_of_both_widths_return_the_old_value() {
    for tls in TRANSPORTS {
        let Some((a, b, address)) = pair(tls, false, 4) else { return };
        let change = |at: u64, kind, width, operand, compare| {
            let mut old = 0_u64;
            let atomic = Atomic { kind, width, operand, compare };
            let at = Remote { key: KEY, address: at };
            a.run(b.peer, &Operation::Atomic { at, atomic, old: (&raw mut old).cast() }).unwrap();
            old
        };
        use AtomicKind::*;
        assert_eq!(change(address, Add, Width::W64, 5, 0), 0);
        assert_eq!(change(address, Or, Width::W64, 2, 0), 5);
        assert_eq!(change(address, And, Width::W64, 6, 0), 7);
        assert_eq!(change(address, Xor, Width::W64, u64::MAX, 0), 6);
        assert_eq!(change(address, Swap, Width::W64, 9, 0), !6);
        assert_eq!(change(address, CompareSwap, Width::W64, 1, 8), 9);
        assert_eq!(change(address, CompareSwap, Width::W64, 1, 9), 9);
        assert_eq!(change(address, Fetch, Width::W64, 0, 0), 1);
        assert_eq!(change(address + 12, Add, Width::W32, u64::from(u32::MAX), 0), 0);
        assert_eq!(change(address + 12, Add, Width::W32, 2, 0), u64::from(u32::MAX));
        assert_eq!(b.word(1), 1 << 32);
        let bad = Atomic { kind: Add, width: Width::W64, operand: 1, compare: 0 };
        let at = Remote { key: KEY, address: address + 4 };
        let error =
            a.run(b.peer, &Operation::Atomic { at, atomic: bad, old: std::ptr::null_mut() }).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam);
    }
}

#[test]
fn data_is_visible_when_its_signal_arrives() {
    for tls in TRANSPORTS {
        for one_sided in [false, true] {
            let Some((a, b, address)) = pair(tls, one_sided, 200_001) else { return };
            for (round, count) in [1, 0, 500, 200_000].into_iter().enumerate() {
                let mut data = vec![round as u64 + 5; count];
                let spans: Vec<Span> =
                    if count > 0 { vec![span(&mut data, address + 8)] } else { Vec::new() };
                let kind = if round == 0 { SignalKind::Set } else { SignalKind::Add };
                let operation = Operation::Signal {
                    key: KEY,
                    spans: &spans,
                    signal: address,
                    width: Width::W64,
                    kind,
                    value: 10,
                };
                a.run(b.peer, &operation).unwrap();
                assert_eq!(b.word(0), 10 * (round as u64 + 1));
                assert!(count == 0 || b.word(count) == round as u64 + 5);
            }
            b.ucx.conceal(KEY);
        }
    }
}

#[test]
fn remote_copies_bypass_the_caller() {
    for tls in TRANSPORTS {
        let Some((a, b, from)) = pair(tls, false, 200_000) else { return };
        let Some(c) = Node::start(2, tls, false) else { return };
        let (to, _) = c.share(200_000);
        let (own, _) = a.share(200_000);
        b.owner.memory.lock().unwrap().get_mut(&KEY).unwrap().iter_mut().zip(1..).for_each(|(w, i)| *w = i);
        for (node, place) in [(&c, to), (&a, own)] {
            let operation = Operation::Copy {
                from: Remote { key: KEY, address: from },
                to_peer: node.peer,
                to_address: &node.ucx.address(),
                to: Remote { key: KEY, address: place },
                bytes: 8 * 200_000,
            };
            a.run(b.peer, &operation).unwrap();
            assert_eq!(node.owner.memory.lock().unwrap()[&KEY], b.owner.memory.lock().unwrap()[&KEY]);
        }
        let error = a
            .run(
                b.peer,
                &Operation::Copy {
                    from: Remote { key: KEY, address: from },
                    to_peer: c.peer,
                    to_address: &c.ucx.address(),
                    to: Remote { key: SegmentKey(1), address: to },
                    bytes: 8,
                },
            )
            .unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected);
    }
}

#[test]
fn messages_of_any_length_arrive_in_order() {
    for tls in TRANSPORTS {
        let Some((a, b, _)) = pair(tls, false, 1) else { return };
        let messages: Vec<Vec<u8>> = (0..600_usize)
            .map(|i| vec![i as u8; if i % 7 == 0 { MESSAGE_BYTES_MAX } else { 1 + i }])
            .collect();
        messages.iter().for_each(|message| a.ucx.send(b.peer, message, soon()).unwrap());
        until("all messages came", || b.owner.messages.lock().unwrap().len() == messages.len());
        for (got, sent) in b.owner.messages.lock().unwrap().iter().zip(&messages) {
            assert_eq!((got.0, &got.1), (a.peer, sent));
        }
        a.ucx.send(b.peer, &[], soon()).unwrap_err();
    }
}

#[test]
fn absent_memory_is_refused_and_the_connection_stays() {
    for tls in TRANSPORTS {
        let Some((a, b, address)) = pair(tls, false, 4) else { return };
        let mut data = [1_u64; 2];
        let mut put = |key, at| {
            let spans = [span(&mut data, at)];
            a.run(b.peer, &Operation::Put { key, spans: &spans })
        };
        put(KEY, address).unwrap();
        assert_eq!(put(KEY, address + 24).unwrap_err().kind(), Kind::InvalidParam);
        let error = put(SegmentKey(5), address).unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected);
        assert!(error.to_string().contains("rank 1"), "{error}");
        b.owner.memory.lock().unwrap().remove(&KEY);
        b.ucx.conceal(KEY);
        assert_eq!(put(KEY, address).unwrap_err().kind(), Kind::NotConnected);
        let mut back = [0_u64];
        let spans = [span(&mut back, address)];
        a.run(b.peer, &Operation::Get { key: KEY, spans: &spans }).unwrap_err();
        assert_eq!(a.ucx.usage().connections, 1);
        assert!(a.owner.lost.lock().unwrap().is_empty());
    }
}

#[test]
fn a_thousand_operations_in_flight_all_end() {
    for tls in TRANSPORTS {
        let Some((a, b, address)) = pair(tls, false, 1000) else { return };
        let completion = Arc::new(Completion::new());
        let mut data: Vec<u64> = (1..=1000).collect();
        for (index, word) in data.iter_mut().enumerate() {
            let spans = [span(std::slice::from_mut(word), address + 8 * index as u64)];
            a.post(b.peer, &Operation::Put { key: KEY, spans: &spans }, &completion, soon()).unwrap();
        }
        a.ucx.flush(Some(b.peer), soon()).unwrap();
        assert!(completion.is_done());
        a.ucx.wait(&completion).unwrap();
        assert_eq!(b.owner.memory.lock().unwrap()[&KEY], data);
    }
}

#[test]
fn threads_share_a_transport() {
    for tls in TRANSPORTS {
        let Some((a, b, address)) = pair(tls, false, 4) else { return };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let atomic =
                            Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
                        let at = Remote { key: KEY, address };
                        a.run(b.peer, &Operation::Atomic { at, atomic, old: std::ptr::null_mut() }).unwrap();
                    }
                });
            }
        });
        assert_eq!(b.word(0), 800);
    }
}

/// Both have memory under the same key, as members of two jobs may: a request reaches the member that it
/// names.
#[test]
fn members_share_a_worker_and_end_independently() {
    for one_sided in [false, true] {
        for tls in TRANSPORTS {
            let Some(engine) = started(tls, one_sided) else { return };
            let nodes = [Node::on(&engine, 0), Node::on(&engine, 1), Node::start(2, tls, one_sided)];
            let nodes = nodes.map(Option::unwrap);
            let shared: Vec<_> = nodes.iter().map(|node| node.share(8)).collect();
            for (from, node) in nodes.iter().enumerate() {
                for (to, other) in nodes.iter().enumerate().filter(|(to, _)| *to != from) {
                    node.ucx.introduce(other.peer, &other.ucx.address()).unwrap();
                    node.ucx.attach(other.peer, KEY, &shared[to].1).unwrap();
                }
            }
            let write = |from: usize, to: usize, value: u64| {
                let (mut data, address) = ([value], shared[to].0 + 8 * from as u64);
                let spans = [span(&mut data, address)];
                nodes[from].run(nodes[to].peer, &Operation::Put { key: KEY, spans: &spans })?;
                let (mut back, add) = ([0], SignalKind::Add.atomic(Width::W64, 100));
                let spans = [span(&mut back, address)];
                nodes[from].run(nodes[to].peer, &Operation::Get { key: KEY, spans: &spans })?;
                let (at, mut old) = (Remote { key: KEY, address }, 0_u64);
                let add = Operation::Atomic { at, atomic: add, old: (&raw mut old).cast() };
                nodes[from].run(nodes[to].peer, &add)?;
                assert_eq!((back[0], old, nodes[to].word(from)), (value, value, value + 100));
                Ok::<(), Error>(())
            };
            let pairs =
                (0..3).flat_map(|from| (0..3).map(move |to| (from, to))).filter(|(from, to)| from != to);
            for (number, (from, to)) in (1..).zip(pairs) {
                write(from, to, number).unwrap();
                let soon = soon();
                nodes[from].ucx.send(nodes[to].peer, &[from as u8], soon).unwrap();
                let came = || {
                    let messages = nodes[to].owner.messages.lock().unwrap();
                    messages.contains(&(nodes[from].peer, vec![from as u8]))
                };
                while !came() && Instant::now() < soon {
                    std::thread::yield_now();
                }
                assert!(came(), "the message of {from} to {to}");
            }
            assert_eq!(nodes[0].word(0), 0, "no member wrote to itself");
            nodes[0].ucx.close();
            write(1, 2, 20).unwrap();
            write(2, 1, 21).unwrap();
            assert!(write(0, 1, 22).is_err());
        }
    }
}

#[test]
fn unknown_and_forgotten_peers_are_refused() {
    let Some((a, b, address)) = pair(TRANSPORTS[0], false, 4) else { return };
    let mut data = [1_u64];
    let spans = [span(&mut data, address)];
    let put = Operation::Put { key: KEY, spans: &spans };
    let unknown = Peer { job: JobId(1), rank: 9, session: 9 };
    assert_eq!(a.run(unknown, &put).unwrap_err().kind(), Kind::NotConnected);
    a.run(b.peer, &put).unwrap();
    a.ucx.forget(b.peer);
    let error = a.run(b.peer, &put).unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected);
    assert!(error.to_string().contains("rank 1 (session 1001)"), "{error}");
    assert_eq!(a.ucx.usage().connections, 0);
    a.ucx.introduce(b.peer, &b.ucx.address()).unwrap();
    a.run(b.peer, &put).unwrap();
    assert_eq!(a.ucx.introduce(b.peer, b"garbage").unwrap_err().kind(), Kind::InvalidParam);
}

#[test]
fn close_ends_operations_in_flight_and_is_idempotent() {
    for tls in TRANSPORTS {
        let Some((a, b, address)) = pair(tls, false, 1 << 20) else { return };
        let completion = Arc::new(Completion::new());
        let mut data = vec![1_u64; 1 << 17];
        for _ in 0..8 {
            let spans = [span(&mut data, address)];
            a.post(b.peer, &Operation::Put { key: KEY, spans: &spans }, &completion, soon()).unwrap();
        }
        a.ucx.close();
        assert!(completion.is_done());
        if let Err(error) = a.ucx.wait(&completion) {
            assert_eq!(error.kind(), Kind::NotConnected, "{error}");
        }
        a.ucx.close();
        let spans = [span(&mut data, address)];
        a.run(b.peer, &Operation::Put { key: KEY, spans: &spans }).unwrap_err();
        b.ucx.close();
    }
}

#[test]
fn requests_of_a_void_connection_are_discarded() {
    let Some((a, b, address)) = pair("tcp,self", false, 1) else { return };
    let put = |value, deadline| {
        let mut there = [value];
        let operation = Operation::Put { key: KEY, spans: &[span(&mut there, address)] };
        let completion = Arc::new(Completion::new());
        a.post(b.peer, &operation, &completion, deadline).unwrap();
        a.ucx.wait(&completion)
    };
    put(1, soon()).unwrap();
    // The greeting of a later connection has come.
    let mut state = b.ucx.shared.lock();
    let link = state.links.of_peer(b.ucx.member.id, a.peer).unwrap();
    state.links.get_mut(link).unwrap().served += 1;
    drop(state);
    let error = put(2, Instant::now() + Duration::from_millis(50)).unwrap_err();
    assert_eq!((error.kind(), b.word(0)), (Kind::Timeout, 1));
    let mut state = a.ucx.shared.lock();
    let link = state.introduced(a.ucx.member.id, b.peer).unwrap();
    state.disconnect(link, &|| Error::new(Kind::NotConnected, "test"));
    drop(state);
    put(3, soon()).unwrap();
    assert_eq!(b.word(0), 3);
}

#[test]
fn owner_panic_fails_the_operation_and_serving_continues() {
    for tls in TRANSPORTS {
        let Some((a, b, address)) = pair(tls, false, 4) else { return };
        let mut word = [7];
        let error = a
            .run(b.peer, &Operation::Put { key: KEY, spans: &[span(&mut word, 8)] })
            .unwrap_err()
            .to_string();
        assert!(error.contains("panicked"), "{error}");
        a.run(b.peer, &Operation::Put { key: KEY, spans: &[span(&mut word, address)] }).unwrap();
        assert_eq!(b.word(0), 7);
    }
}

#[test]
fn operations_fail_with_the_panic_of_the_thread() {
    for tls in TRANSPORTS {
        let Some((a, b, address)) = pair(tls, false, 4) else { return };
        let mut word = [7];
        let spans = [span(&mut word, address)];
        let put = Operation::Put { key: KEY, spans: &spans };
        let panicked = service::catch(|| panic!("as asked")).unwrap_err();
        // The owner's side of it is not driven: it would end with its deadline.
        let behind = b.ucx.shared.lock();
        let completion = Arc::new(Completion::new());
        a.post(b.peer, &put, &completion, soon()).unwrap();
        a.ucx.shared.lock().thread_panicked(&panicked);
        drop(behind);
        for error in [a.ucx.wait(&completion).unwrap_err(), a.run(b.peer, &put).unwrap_err()] {
            assert!(error.kind() == Kind::Failed && error.to_string().contains("as asked"), "{error}");
        }
    }
}

#[test]
fn copies_do_not_overtake_an_unanswered_request() {
    let Some((a, b, address)) = pair("tcp,self", true, 2) else { return };
    let is_one_sided = || {
        let mut state = a.ucx.shared.lock();
        let link = state.introduced(a.ucx.member.id, b.peer).unwrap();
        state.one_sided(link, KEY, address, 8).is_some()
    };
    let put = |value| {
        let mut there = [value];
        a.run(b.peer, &Operation::Put { key: KEY, spans: &[span(&mut there, address)] }).unwrap();
    };
    put(1);
    assert!(is_one_sided());
    // Its owner stands still.
    let held = b.ucx.shared.lock();
    let (signal, width, kind) = (address + 8, Width::W64, SignalKind::Set);
    let signal = Operation::Signal { key: KEY, spans: &[], signal, width, kind, value: 5 };
    let completion = Arc::new(Completion::new());
    a.post(b.peer, &signal, &completion, Instant::now() + Duration::from_millis(50)).unwrap();
    assert_eq!(a.ucx.wait(&completion).unwrap_err().kind(), Kind::Timeout);
    assert!(!is_one_sided());
    drop(held);
    put(2);
    assert!(is_one_sided());
    assert_eq!((b.word(0), b.word(1)), (2, 5));
}
