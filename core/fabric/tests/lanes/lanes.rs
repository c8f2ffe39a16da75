// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lanes: operations that are started, ordered and completed together.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mf_base::settings::Switch;
use mf_base::sync::rcu::{self, ReadGuard, ReadSection};
use mf_base::{Error, Kind, Rank, Result};
use mf_device::engine::Piece;
use mf_device::host::HostDevice;
use mf_device::{Access, Devices, Locality};
use mf_fabric::transfer::{
    Blocks, End as Ends, Here, Lane, LocalPiece, Memory, Mode, Resolver, Signal, Until, Wanted,
};
use mf_net::Member;
use mf_net::Route;
use mf_transport::Deadlines;
use mf_transport::{Atomic, AtomicKind, Capabilities, SegmentKey, SignalKind, Width};

use crate::bed::{End, failed, late, pattern, same, until};
use crate::suite::Bench;

const MIB: usize = 1 << 20;

/// The segments of others are far; everything else is here.
#[derive(Clone)]
struct Space {
    others: Arc<[(Arc<End>, Arc<Member>)]>,
    devices: Devices,
}

impl Space {
    fn new(here: &End, others: &[Arc<End>]) -> Self {
        let member = |other: &Arc<End>| {
            here.meet(other);
            let route = Route {
                transport: Arc::clone(&here.transport),
                peer: other.peer,
                reach: here.transport.reach(other.peer).unwrap(),
                addresses: [(other.transport.name().to_owned(), other.transport.address())].into(),
            };
            (Arc::clone(other), Arc::new(Member::new(other.peer.rank(), other.key, &route).unwrap()))
        };
        let devices = Devices::new(Arc::new(HostDevice::new(Switch::Off)));
        Self { others: others.iter().map(member).collect(), devices }
    }
}

impl Resolver for Space {
    type Share = Self;

    fn resolve<'s>(
        &'s self,
        _: ReadSection<'s>,
        address: u64,
        bytes: u64,
        _: Access,
    ) -> Result<Option<Ends<'s>>> {
        let holds =
            |end: &End| (end.segment.address()..=end.segment.address() + MIB as u64).contains(&address);
        let Some((end, member)) = self.others.iter().find(|(end, _)| holds(end)) else {
            return Ok(Some(Ends::Here(Here { locality: Locality::Host, memory: Memory::Private })));
        };
        let fits = address + bytes <= end.segment.address() + end.segment.bytes as u64;
        Ok(fits.then_some(Ends::There(member)))
    }

    fn refusal(&self, wanted: Wanted<'_>) -> Error {
        Error::invalid("test", format!("{wanted:?}"))
    }

    fn devices(&self) -> &Devices {
        &self.devices
    }

    fn share(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn came_back(&self, _: (Rank, SegmentKey), _: &Error) -> bool {
        false
    }

    unsafe fn local_copy(&self, _: &ReadGuard, _: &[LocalPiece], _: Mode) -> Result<()> {
        Err(Error::invalid("test", "nothing is copied here"))
    }

    fn queue(&self, _: &[Piece]) -> Result<()> {
        Err(Error::invalid("test", "there is no queue"))
    }
}

fn lane(here: &End) -> Lane {
    Lane::new(&[Arc::clone(&here.transport)], Deadlines(Duration::from_secs(60)))
}

fn put(from: &[u8], to: &End, offset: usize) -> Piece {
    Piece { src: from.as_ptr(), dst: to.segment.start().wrapping_add(offset), bytes: from.len() as u64 }
}

fn get(from: &End, offset: usize, to: &mut [u8]) -> Piece {
    Piece { src: from.segment.start().wrapping_add(offset), dst: to.as_mut_ptr(), bytes: to.len() as u64 }
}

fn copy(lane: &Lane, space: &Space, piece: Piece, until: Until) -> Result<()> {
    // SAFETY: the cases keep their buffers until they have waited.
    unsafe { lane.copy(space, &rcu::read_lock(), &piece, until) }
}

pub(crate) fn quiet_completes_started_operations(bench: &Bench) {
    let Some(bed) = bench.bed(3, Capabilities::COPY) else { return };
    let here = bed.end(0);
    let space = Space::new(&here, &bed.ends()[1..]);
    let lane = lane(&here);
    let data: Vec<Vec<u8>> = (0..200).map(|n| pattern(n, [8, 40, 3000][n as usize % 3])).collect();
    for (number, data) in data.iter().enumerate() {
        copy(&lane, &space, put(data, &bed.end(1 + number % 2), number * 4096), Until::Started).unwrap();
    }
    lane.quiet().unwrap();
    assert!(lane.is_done());
    let mut back: Vec<Vec<u8>> = data.iter().map(|data| vec![0; data.len()]).collect();
    for (number, back) in back.iter_mut().enumerate() {
        copy(&lane, &space, get(&bed.end(1 + number % 2), number * 4096, back), Until::Started).unwrap();
    }
    lane.quiet().unwrap();
    for (data, back) in data.iter().zip(&back) {
        same("a get behind its put", back, data);
    }
    let mut one = [0; 40];
    copy(&lane, &space, get(&bed.end(2), 4096, &mut one), Until::Reusable).unwrap();
    same("a get that was waited for", &one, &data[1]);
}

pub(crate) fn source_is_reusable_when_put_reports_it(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    let (space, lane) = (Space::new(&here, &[Arc::clone(&there)]), lane(&here));
    let mut data = vec![0; 20_000];
    for bytes in [8, 1000, 8192, 20_000] {
        for round in 1..=20 {
            data.fill(round);
            copy(&lane, &space, put(&data[..bytes], &there, usize::from(round) * 20_000), Until::Reusable)
                .unwrap();
        }
        data.fill(0xee);
        lane.quiet().unwrap();
        for round in 1..=20 {
            let found = there.segment.read(usize::from(round) * 20_000, bytes);
            assert!(found.iter().all(|byte| *byte == round), "{bytes} bytes of round {round} changed");
        }
    }
}

pub(crate) fn fence_orders_puts_signals_and_atomics(bench: &Bench) {
    let Some(bed) = bench.large_bed(2, Capabilities::COPY.with(Capabilities::ATOMIC_64), 6 * MIB) else {
        return;
    };
    let (here, there) = bed.pair();
    let (space, lane) = (Space::new(&here, &[Arc::clone(&there)]), lane(&here));
    let flag = there.segment.address();
    for (bytes, rounds) in [(8, 100), (8192, 50), (300_000, 20), (5 * MIB, 3)] {
        for round in 1..=rounds {
            let data = vec![round as u8; bytes];
            std::thread::scope(|scope| {
                let reader = scope.spawn(|| {
                    until("the flag", || there.segment.word(0).load(Ordering::Acquire) == round);
                    there.segment.read(4096, bytes).iter().position(|byte| *byte != round as u8)
                });
                copy(&lane, &space, put(&data, &there, 4096), Until::Started).unwrap();
                lane.fence();
                let word = round.to_ne_bytes();
                if round % 2 == 0 {
                    copy(&lane, &space, put(&word, &there, 0), Until::Started).unwrap();
                } else {
                    let signal =
                        Signal { address: flag, kind: SignalKind::Set, value: round, width: Width::W64 };
                    lane.signal(&space, &rcu::read_lock(), signal, Until::Started).unwrap();
                }
                lane.quiet().unwrap();
                assert_eq!(
                    reader.join().unwrap(),
                    None,
                    "{bytes} bytes, round {round}: data behind the fence"
                );
            });
        }
        there.segment.word(0).store(0, Ordering::SeqCst);
    }
}

pub(crate) fn lane_atomics_return_old_values(bench: &Bench) {
    let needs = Capabilities::ATOMIC_64.with(Capabilities::ATOMIC_32);
    let Some(bed) = bench.bed(2, needs) else { return };
    let (here, there) = bed.pair();
    let (space, lane) = (Space::new(&here, &[Arc::clone(&there)]), lane(&here));
    let section = rcu::read_lock();
    for width in [Width::W32, Width::W64] {
        there.segment.word(64).store(0, Ordering::SeqCst);
        let (at, mut olds) = (there.segment.address() + 64, [0_u64; 100]);
        let add = Atomic { kind: AtomicKind::Add, width, operand: 2, compare: 0 };
        for old in &mut olds {
            // SAFETY: the old values outlive the wait.
            unsafe { lane.change(&space, &section, at, add, std::ptr::from_mut(old).cast(), Until::Started) }
                .unwrap();
        }
        lane.quiet().unwrap();
        olds.sort_unstable();
        assert!(olds.iter().enumerate().all(|(number, old)| *old == 2 * number as u64), "{olds:?}");
        assert_eq!(lane.atomic(&space, &section, at, add).unwrap(), 200);
        // The old value is not wanted.
        // SAFETY: there is no place for one.
        unsafe { lane.change(&space, &section, at, add, std::ptr::null_mut(), Until::Reusable) }.unwrap();
        lane.quiet().unwrap();
        assert_eq!(there.segment.word(64).load(Ordering::SeqCst), 204);
        let refused = lane.atomic(&space, &section, at + 2, add).map(|_| ());
        failed("a misaligned atomic", refused, &[Kind::InvalidParam]);
    }
}

pub(crate) fn data_arrives_before_its_signal_of_either_width(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::SIGNAL.with(Capabilities::ATOMIC_32)) else { return };
    let (here, there) = bed.pair();
    let (space, lane) = (Space::new(&here, &[Arc::clone(&there)]), lane(&here));
    for (width, address) in [(Width::W32, 4), (Width::W64, 0)] {
        there.segment.fill(0);
        for (bytes, how) in [(8, Until::Started), (100_000, Until::Reusable), (700, Until::Done)] {
            let before = there.segment.word(0).load(Ordering::SeqCst);
            let data = pattern(bytes as u64, bytes);
            let signal =
                Signal { address: there.segment.address() + address, kind: SignalKind::Add, value: 3, width };
            std::thread::scope(|scope| {
                let reader = scope.spawn(|| {
                    until("the signal", || there.segment.word(0).load(Ordering::Acquire) != before);
                    there.segment.read(4096, bytes)
                });
                // SAFETY: the data outlives the wait.
                unsafe { lane.put_signal(&space, &rcu::read_lock(), &put(&data, &there, 4096), signal, how) }
                    .unwrap();
                lane.quiet().unwrap();
                same("data behind its signal", &reader.join().unwrap(), &data);
            });
        }
        let word = there.segment.word(0).load(Ordering::SeqCst);
        assert_eq!(word, if width == Width::W32 { 9 << 32 } else { 9 });
    }
}

pub(crate) fn lane_waits_only_for_its_own_operations(bench: &Bench) {
    let Some(bed) = bench.bed(3, Capabilities::COPY) else { return };
    let (here, slow, other) = (bed.end(0), bed.end(1), bed.end(2));
    let space = Space::new(&here, &[Arc::clone(&slow), Arc::clone(&other)]);
    here.works_with(&slow, 1);
    here.works_with(&other, 1);
    let (one, two) = (lane(&here), lane(&here));
    slow.memory.close_gate();
    let (mut stuck, mut found) = ([0; 64], [1; 64]);
    copy(&one, &space, get(&slow, 0, &mut stuck), Until::Started).unwrap();
    if one.is_done() {
        bench.skip("the peer's processor takes no part, so that nothing is held up");
        return slow.memory.open_gate();
    }
    copy(&one, &space, get(&other, 0, &mut found), Until::Started).unwrap();
    copy(&two, &space, put(&[7; 9], &other, 0), Until::Started).unwrap();
    two.quiet().unwrap();
    one.quiet_peers(&[other.peer], late()).unwrap();
    assert!(!one.is_done() && found != [1; 64], "the peer that is not slow was waited for");
    let soon = Instant::now() + Duration::from_millis(20);
    failed("the slow peer", one.quiet_peers(&[slow.peer], soon), &[Kind::Timeout]);
    slow.memory.open_gate();
    one.quiet_peers(&[slow.peer], late()).unwrap();
    assert!(one.is_done());
}

pub(crate) fn lane_errors_are_returned_once_and_to_that_lane(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    let (space, one, two) = (Space::new(&here, &[Arc::clone(&there)]), lane(&here), lane(&here));
    there.withdraw(there.key);
    let data = [1; 100];
    let refused = [Kind::NotConnected, Kind::InvalidParam, Kind::Failed];
    for how in [Until::Started, Until::Reusable] {
        // A source that is reused late is waited for, and then the error comes at once.
        let posted = copy(&one, &space, put(&data, &there, 0), how);
        let waited = one.quiet();
        failed("a key that was withdrawn", posted.and(waited), &refused);
        one.quiet().unwrap();
    }
    two.quiet().unwrap();
    failed("waited for", copy(&two, &space, put(&data, &there, 0), Until::Done), &refused);
    two.quiet().unwrap();
}

pub(crate) fn many_threads_share_a_lane(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    let (space, lane) = (Space::new(&here, &[Arc::clone(&there)]), lane(&here));
    std::thread::scope(|scope| {
        for thread in 0..4_usize {
            let (space, lane, there) = (&space, &lane, &there);
            scope.spawn(move || {
                for round in 0..60 {
                    let data = pattern((thread * 100 + round) as u64, 500);
                    copy(lane, space, put(&data, there, thread * 4096), Until::Started).unwrap();
                    if round % 3 == 0 {
                        lane.fence();
                    }
                    lane.quiet().unwrap();
                    same("behind quiet", &there.segment.read(thread * 4096, 500), &data);
                }
            });
        }
    });
}

pub(crate) fn strided_blocks_are_put_and_got(bench: &Bench) {
    let Some(bed) = bench.bed(2, Capabilities::COPY) else { return };
    let (here, there) = bed.pair();
    let (space, lane) = (Space::new(&here, &[Arc::clone(&there)]), lane(&here));
    for (block, count, near, far) in
        [(8, 1, 8, 8), (8, 1000, 8, 16), (4, 3000, 12, 4), (1, 50, 7, 90), (5000, 60, 5001, 9000)]
    {
        for until in [Until::Started, Until::Reusable, Until::Done] {
            there.segment.fill(0x11);
            let data = pattern(block as u64, near * count);
            let blocks = Blocks {
                src: data.as_ptr(),
                dst: there.segment.start().wrapping_add(64),
                block_bytes: block as u64,
                count: count as u64,
                src_stride: near as u64,
                dst_stride: far as u64,
            };
            // SAFETY: the data outlives the wait.
            unsafe { lane.copy_blocks(&space, &rcu::read_lock(), &blocks, until) }.unwrap();
            lane.quiet().unwrap();
            let mut expected = vec![0x11; there.segment.bytes];
            for number in 0..count {
                let at = 64 + number * far;
                expected[at..at + block].copy_from_slice(&data[number * near..number * near + block]);
            }
            same("blocks that were put", &there.segment.read(0, expected.len()), &expected);
            let mut back = vec![0x22; near * count];
            let blocks = Blocks {
                src: blocks.dst,
                dst: back.as_mut_ptr(),
                src_stride: far as u64,
                dst_stride: near as u64,
                ..blocks
            };
            // SAFETY: the buffer outlives the wait.
            unsafe { lane.copy_blocks(&space, &rcu::read_lock(), &blocks, until) }.unwrap();
            lane.quiet().unwrap();
            let mut expected = vec![0x22; near * count];
            for at in (0..count).map(|number| number * near) {
                expected[at..at + block].copy_from_slice(&data[at..at + block]);
            }
            same("blocks that were got", &back, &expected);
        }
    }
    let data = [1; 64];
    let good = Blocks {
        src: data.as_ptr(),
        dst: there.segment.start(),
        block_bytes: 8,
        count: 8,
        src_stride: 8,
        dst_stride: 8,
    };
    let beyond = there.segment.bytes as u64 / 7;
    for bad in [
        Blocks { dst_stride: 7, ..good },
        Blocks { src_stride: 0, ..good },
        Blocks { dst_stride: beyond, ..good },
        Blocks { dst_stride: u64::MAX / 3, ..good },
    ] {
        // SAFETY: the data outlives the wait.
        let refused = unsafe { lane.copy_blocks(&space, &rcu::read_lock(), &bad, Until::Started) };
        failed("blocks that do not fit", refused, &[Kind::InvalidParam]);
    }
    // SAFETY: nothing is copied.
    unsafe { lane.copy_blocks(&space, &rcu::read_lock(), &Blocks { count: 0, ..good }, Until::Done) }
        .unwrap();
    assert!(lane.is_done());
}
