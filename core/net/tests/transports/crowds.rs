// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Many at once.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mf_transport::{Atomic, AtomicKind, Capabilities, Completion, Operation, Width};

use crate::bed::{pattern, same, span};
use crate::suite::Bench;

pub(crate) fn many_threads_use_one_transport(bench: &Bench) {
    const THREADS: usize = 6;
    const ROOM: usize = 100_000;
    let Some(bed) = bench.bed(3, Capabilities::COPY) else { return };
    let here = bed.end(0);
    let counts = here.transport.capabilities().contains(Capabilities::ATOMIC_64);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (bed, here) = (&bed, &here);
            scope.spawn(move || {
                let mut own = vec![0; ROOM];
                for round in 0..40 {
                    let there = bed.end(1 + (thread + round) % 2);
                    let bytes = [1, 9, 300, 4096, 20_000, 70_000][(thread * 7 + round) % 6];
                    let data = pattern((thread * 1000 + round) as u64, bytes);
                    let place = 4096 + thread * ROOM;
                    here.put(&there, place, &data).unwrap();
                    same("one thread's place", &here.get(&there, place, bytes).unwrap(), &data);
                    if counts {
                        let atomic =
                            Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
                        here.atomic(&bed.end(1), 0, atomic).unwrap();
                    }
                    let completion = Arc::new(Completion::new());
                    for offset in (0..bytes).step_by(10_000) {
                        let length = 10_000.min(bytes - offset);
                        let address = there.segment.address() + (place + offset) as u64;
                        let spans = [span(own[offset..].as_mut_ptr(), address, length)];
                        here.post(there.peer, &Operation::Get { key: there.key, spans: &spans }, &completion);
                    }
                    here.transport.wait(&completion).unwrap();
                    same("in pieces", &own[..bytes], &data);
                }
            });
        }
    });
    if counts {
        assert_eq!(bed.end(1).segment.word(0).load(Ordering::SeqCst), 40 * THREADS as u64);
    }
}

pub(crate) fn all_peers_exchange_data_concurrently(bench: &Bench) {
    const ENDS: usize = 5;
    let Some(bed) = bench.bed(ENDS as u32, Capabilities::COPY) else { return };
    std::thread::scope(|scope| {
        for rank in 0..ENDS {
            let bed = &bed;
            scope.spawn(move || {
                let me = bed.end(rank);
                for round in 0..15 {
                    for step in 1..ENDS {
                        let there = bed.end((rank + step) % ENDS);
                        let data = pattern((rank * 100 + round) as u64, 3000);
                        me.put(&there, rank * 4096, &data).unwrap();
                        same("all to all", &me.get(&there, rank * 4096, 3000).unwrap(), &data);
                    }
                }
            });
        }
    });
    for end in bed.ends() {
        assert_eq!(end.memory.lost(), []);
    }
}

pub(crate) fn idle_peers_hold_no_connections(bench: &Bench) {
    const ENDS: u32 = 8;
    let Some(bed) = bench.bed(ENDS, Capabilities::COPY) else { return };
    for end in bed.ends() {
        for other in bed.ends().iter().filter(|other| other.peer != end.peer) {
            end.meet(other);
            end.transport.reach(other.peer).unwrap();
        }
    }
    for end in bed.ends() {
        let usage = end.transport.usage();
        assert_eq!(usage.connections, 0, "an idle peer holds connections: {usage:?}");
        assert!(usage.bytes < 1 << 20, "{usage:?}");
    }
    let (here, there) = bed.pair();
    here.works_with(&there, 1);
    assert!(here.transport.usage().connections > 0);
    for end in &bed.ends()[2..] {
        assert_eq!(end.transport.usage().connections, 0, "connections of who did nothing");
    }
    assert!(here.transport.usage().bytes < 1 << 20, "{:?}", here.transport.usage());
}
