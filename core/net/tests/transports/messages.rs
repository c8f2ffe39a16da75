// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages.

use std::sync::Arc;

use mf_base::Kind;
use mf_transport::{Capabilities, MESSAGE_BYTES_MAX, Peer};

use crate::bed::{End, failed, late, pattern, same, until};
use crate::suite::Bench;

fn messages_from(there: &End, peer: Peer) -> Vec<Vec<u8>> {
    there
        .memory
        .messages()
        .into_iter()
        .filter(|(from, _)| *from == peer)
        .map(|(_, message)| message)
        .collect()
}

pub(crate) fn messages_of_one_peer_keep_their_order(bench: &Bench) {
    const COUNT: usize = 1000;
    let Some(bed) = bench.bed(3, Capabilities::MESSAGE) else { return };
    let there = bed.end(0);
    let size = |number: usize| if number.is_multiple_of(40) { 9000 } else { 8 + number % 300 };
    let content = |rank: u32, number: usize| {
        let mut message = pattern(u64::from(rank) * 10_000 + number as u64, size(number));
        message[..8].copy_from_slice(&(number as u64).to_le_bytes());
        message
    };
    std::thread::scope(|scope| {
        for rank in [1, 2] {
            let (me, there) = (bed.end(rank), Arc::clone(&there));
            scope.spawn(move || {
                me.meet(&there);
                for number in 0..COUNT {
                    me.transport.send(there.peer, &content(rank as u32, number), late()).unwrap();
                    // Large operations beside them have no effect.
                    if number % 200 == 0 {
                        me.put(&there, 300_000 * (rank - 1), &vec![rank as u8; 300_000]).unwrap();
                    }
                }
            });
        }
    });
    until("all messages", || there.memory.message_count() >= 2 * COUNT);
    for rank in [1_u32, 2] {
        let found = messages_from(&there, bed.end(rank as usize).peer);
        assert_eq!(found.len(), COUNT);
        for (number, message) in found.iter().enumerate() {
            same("a message", message, &content(rank, number));
        }
    }
}

pub(crate) fn messages_of_every_size_arrive(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::MESSAGE) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    let sizes: Vec<usize> = (1..70)
        .chain([100, 127, 128, 1000, 1023, 1024, 4095, 4096, 4097, 8191, 8192, 16_000])
        .chain(MESSAGE_BYTES_MAX - 3..=MESSAGE_BYTES_MAX)
        .collect();
    for bytes in &sizes {
        here.transport.send(there.peer, &pattern(*bytes as u64, *bytes), late()).unwrap();
    }
    until("all messages", || there.memory.message_count() >= sizes.len());
    for (bytes, message) in sizes.iter().zip(messages_from(&there, here.peer)) {
        same("a message", &message, &pattern(*bytes as u64, *bytes));
    }
}

pub(crate) fn messages_of_wrong_size_are_refused(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::MESSAGE) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    for bytes in [0, MESSAGE_BYTES_MAX + 1, 1 << 20] {
        let refused = here.transport.send(there.peer, &vec![1; bytes], late());
        failed("a message of wrong size", refused, &[Kind::InvalidParam]);
    }
    here.transport.send(there.peer, b"good", late()).unwrap();
    until("the good one", || there.memory.message_count() > 0);
    assert_eq!(there.memory.messages(), [(here.peer, b"good".to_vec())]);
}

pub(crate) fn messages_of_many_threads_all_arrive(bench: &Bench) {
    const THREADS: usize = 4;
    const EACH: usize = 500;
    let Some(bed) = bench.bed(2, Capabilities::MESSAGE) else { return };
    let (here, there) = bed.pair();
    // In both directions.
    std::thread::scope(|scope| {
        for (from, to) in [(&here, &there), (&there, &here)] {
            for thread in 0..THREADS {
                scope.spawn(move || {
                    from.meet(to);
                    for number in 0..EACH {
                        let message = format!("{thread} {number}");
                        from.transport.send(to.peer, message.as_bytes(), late()).unwrap();
                    }
                });
            }
        }
    });
    for (from, to) in [(&here, &there), (&there, &here)] {
        until("all messages", || to.memory.message_count() >= THREADS * EACH);
        let mut next = [0; THREADS];
        for message in messages_from(to, from.peer) {
            let text = String::from_utf8(message).unwrap();
            let (thread, number) = text.split_once(' ').unwrap();
            let next = &mut next[thread.parse::<usize>().unwrap()];
            assert_eq!(number.parse(), Ok(*next), "the order of one thread's messages");
            *next += 1;
        }
        assert_eq!(next, [EACH; THREADS]);
    }
}
