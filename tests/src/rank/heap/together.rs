// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective calls and locks.

use mf_base::Result;
use mf_shmem::{ActiveSet, Operand, Operator, Reduction, SYNC_WORDS, World};
use mf_tests::order::heap::{Collective, Part, Together};
use mf_tests::{Answer, Failure, pattern};

use super::HeapOfPe;

/// Bytes of the source, and of the destination.
const AREA: usize = 1 << 20;
/// Bytes that PEs give: nothing, words of arrival, areas of groups, and more.
const SIZES: [usize; 12] = [0, 1, 8, 13, 96, 104, 168, 700, 4096, 4100, 20_000, 70_000];

/// Caller and arguments of the calls.
struct Calls<'w> {
    world: &'w World,
    part: Part,
    /// Numbers in the world.
    members: Vec<u32>,
    own: usize,
    source: *mut u8,
    dest: *mut u8,
    sync: [*mut i64; 2],
}

impl HeapOfPe {
    pub(super) fn together(&self, order: Together) -> Result<Answer, Failure> {
        let world = self.world()?;
        match order {
            Together::Calls(part, at, seed, steps) => {
                let calls = Calls::new(world, part, self.at(at)?);
                for step in 0..steps {
                    calls.make(seed * 1000 + u64::from(step))?;
                }
                Ok(Answer::Done)
            }
            Together::Broadcast(part, at, bytes, root) => {
                let calls = Calls::new(world, part, self.at(at)?);
                Ok(calls.broadcast(bytes, root).map(|()| Answer::Done)?)
            }
            Together::Only(part, at, kind) => {
                let calls = Calls::new(world, part, self.at(at)?);
                Ok(calls.only(kind).map(|()| Answer::Done)?)
            }
            Together::Sum(part, at, count) => {
                let calls = Calls::new(world, part, self.at(at)?);
                Ok(calls.sum(count).map(|()| Answer::Done)?)
            }
            Together::Overlap(at) => {
                let start = self.at(at)?;
                // SAFETY: it is refused.
                let found = unsafe { world.fcollect(world.team_world(), start, start.wrapping_add(8), 64) };
                Ok(found.map(|()| Answer::Done)?)
            }
            Together::Twice(at) => {
                let start = self.at(at)?.addr();
                let reduce = || {
                    let reduction = Reduction::new(Operator::Sum, Operand::I64).unwrap();
                    let own = world.heap_start().with_addr(start);
                    // SAFETY: the test has so much room; the result may be any.
                    unsafe { world.reduce(world.team_world(), own, own, 8, reduction) }
                };
                let done = std::thread::scope(|scope| {
                    let threads = [scope.spawn(reduce), scope.spawn(reduce)];
                    threads.map(|thread| thread.join().unwrap())
                });
                let is_right = |error: &mf_base::Error| error.kind() == mf_base::Kind::RepeatInvoke;
                assert!(done.iter().all(|done| done.as_ref().err().is_none_or(is_right)), "{done:?}");
                Ok(Answer::Number(done.iter().filter(|done| done.is_ok()).count() as u64))
            }
            Together::Lock(at) => Ok(world.set_lock(self.at(at)?.cast()).map(|()| Answer::Done)?),
            Together::TryLock(at) => {
                Ok(world.test_lock(self.at(at)?.cast()).map(|took| Answer::Number(u64::from(took)))?)
            }
            Together::Unlock(at) => Ok(world.clear_lock(self.at(at)?.cast()).map(|()| Answer::Done)?),
            Together::LockedAdds(at, counter, times) => {
                let (lock, counter) = (self.at(at)?.cast(), self.at(counter)?);
                for _ in 0..times {
                    world.set_lock(lock)?;
                    let mut count = [0; 8];
                    // SAFETY: 8 bytes.
                    unsafe { world.get(count.as_mut_ptr(), counter, 8, 0) }?;
                    let count = (u64::from_le_bytes(count) + 1).to_le_bytes();
                    // SAFETY: 8 bytes.
                    unsafe { world.put(counter, count.as_ptr(), 8, 0) }?;
                    world.clear_lock(lock)?;
                }
                Ok(Answer::Done)
            }
        }
    }
}

fn number(place: usize) -> i32 {
    i32::try_from(place).unwrap()
}

impl<'w> Calls<'w> {
    fn new(world: &'w World, part: Part, start: *mut u8) -> Self {
        let members: Vec<u32> = match part {
            Part::Team => (0..world.n_pes()).collect(),
            Part::Set(start, log_stride, count) => (0..count)
                .map(|place| {
                    start.unsigned_abs() + place.unsigned_abs().wrapping_shl(log_stride.unsigned_abs())
                })
                .collect(),
        };
        let own = members.iter().position(|pe| *pe == world.my_pe()).unwrap();
        let dest = start.wrapping_add(AREA);
        let sync = dest.wrapping_add(AREA).cast::<i64>();
        Self { world, part, members, own, source: start, dest, sync: [sync, sync.wrapping_add(SYNC_WORDS)] }
    }

    fn set(&self, sync: usize) -> Option<ActiveSet> {
        match self.part {
            Part::Team => None,
            Part::Set(start, log_stride, count) => {
                Some(ActiveSet { start, log_stride, count, sync: self.sync[sync] })
            }
        }
    }

    fn meet(&self) -> Result<()> {
        match self.set(1) {
            None => self.world.team_sync(self.world.team_world()),
            Some(set) => self.world.barrier_of(set),
        }
    }

    fn give(&self, bytes: &[u8]) {
        assert!(bytes.len() <= AREA);
        // SAFETY: an area of this PE.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.source, bytes.len()) };
        // SAFETY: the area of this PE has `AREA` bytes.
        unsafe { self.dest.write_bytes(0xa5, AREA) };
    }

    fn found(&self, bytes: usize) -> Vec<u8> {
        let mut found = vec![0; bytes];
        // SAFETY: an area of this PE.
        unsafe { std::ptr::copy_nonoverlapping(self.dest, found.as_mut_ptr(), bytes) };
        found
    }

    fn check(&self, what: &str, bytes: &[u8]) -> Result<(), Failure> {
        let found = self.found(bytes.len() + 1);
        let wrong = found.iter().zip(bytes).position(|(found, expected)| found != expected);
        match wrong {
            None if found[bytes.len()] == 0xa5 => Ok(()),
            None => Err(Failure::wrong(format!("{what}: bytes behind the {} were written", bytes.len()))),
            Some(at) => Err(Failure::wrong(format!("{what}: byte {at} of {} is another", bytes.len()))),
        }
    }

    fn broadcast(&self, bytes: usize, root: i32) -> Result<()> {
        let (world, dest, source) = (self.world, self.dest, self.source);
        match self.set(0) {
            // SAFETY: both areas are of this PE, and as long as the test asks for.
            None => unsafe { world.broadcast(world.team_world(), dest, source, bytes, root) },
            // SAFETY: both areas are of this PE, and as long as the test asks for.
            Some(set) => unsafe { world.broadcast_of(set, dest, source, bytes, root) },
        }
    }

    fn only(&self, kind: Collective) -> Result<()> {
        let (world, dest, source) = (self.world, self.dest, self.source);
        let (team, sum) = (world.team_world(), Reduction::new(Operator::Sum, Operand::F64).unwrap());
        let elements = if matches!(kind, Collective::LargeReduce) { 9000 } else { 1 };
        let strides = (2, 1);
        match (kind, self.set(0)) {
            (Collective::Broadcast, _) => self.broadcast(8, 0),
            (Collective::LargeBroadcast, _) => self.broadcast(70_000, 0),
            // SAFETY: both areas are of this PE, and longer than that.
            (Collective::Collect, None) => unsafe { world.collect(team, dest, source, 8) },
            // SAFETY: both areas are of this PE, and longer than that.
            (Collective::Collect, Some(set)) => unsafe { world.collect_of(set, dest, source, 8) },
            // SAFETY: both areas are of this PE, and longer than that.
            (Collective::Fcollect, None) => unsafe { world.fcollect(team, dest, source, 8) },
            // SAFETY: both areas are of this PE, and longer than that.
            (Collective::Fcollect, Some(set)) => unsafe { world.fcollect_of(set, dest, source, 8) },
            // SAFETY: both areas are of this PE, and longer than that.
            (Collective::Alltoall, None) => unsafe { world.alltoall(team, dest, source, 8) },
            // SAFETY: both areas are of this PE, and longer than that.
            (Collective::Alltoall, Some(set)) => unsafe { world.alltoall_of(set, dest, source, 8) },
            // SAFETY: both areas are of this PE, and longer than that.
            (Collective::Alltoalls, None) => unsafe { world.alltoalls(team, dest, source, strides, 2, 8) },
            // SAFETY: both areas are of this PE, and longer than that.
            (Collective::Alltoalls, Some(set)) => unsafe {
                world.alltoalls_of(set, dest, source, strides, 2, 8)
            },
            // SAFETY: both areas are of this PE, and longer than that.
            (Collective::Reduce | Collective::LargeReduce, None) => unsafe {
                world.reduce(team, dest, source, elements, sum)
            },
            // SAFETY: both areas are of this PE, and longer than that.
            (Collective::Reduce | Collective::LargeReduce, Some(set)) => unsafe {
                world.reduce_of(set, dest, source, elements, sum)
            },
            // SAFETY: both areas are of this PE, and longer than that.
            (Collective::Scan, _) => unsafe { world.inscan(team, dest, source, elements, sum) },
            (Collective::Barrier, None) => world.team_sync(team),
            (Collective::Barrier, Some(set)) => world.barrier_of(set),
        }
    }

    fn sum(&self, count: usize) -> Result<()> {
        let (world, dest, source) = (self.world, self.dest, self.source);
        let sum = Reduction::new(Operator::Sum, Operand::I64).unwrap();
        match self.set(0) {
            // SAFETY: both areas are of this PE, and as long as the test asks for.
            None => unsafe { world.reduce(world.team_world(), dest, source, count, sum) },
            // SAFETY: both areas are of this PE, and as long as the test asks for.
            Some(set) => unsafe { world.reduce_of(set, dest, source, count, sum) },
        }
    }

    /// One call, which the seed chooses equally on all PEs, and what came of it.
    fn make(&self, seed: u64) -> Result<(), Failure> {
        let mut random = pattern::stream(seed, 64).into_iter().map(usize::from);
        let mut next = |below: usize| random.next().unwrap() % below;
        let (count, kind) = (self.members.len(), next(8));
        let bytes = SIZES[next(SIZES.len())];
        let given = |place: usize, bytes: usize| pattern::stream(seed * 100 + place as u64, bytes);
        let (world, team, dest, source) = (self.world, self.world.team_world(), self.dest, self.source);
        let what = format!("call {kind} of {bytes} bytes, seed {seed}");
        let set = self.set(0);
        match kind {
            0 | 1 => {
                let root = next(count);
                self.give(&given(self.own, bytes));
                self.meet()?;
                self.broadcast(bytes, number(root))?;
                let is_written = set.is_none() || root != self.own;
                self.check(&what, &if is_written { given(root, bytes) } else { Vec::new() })
            }
            2 => {
                self.give(&given(self.own, bytes));
                self.meet()?;
                match set {
                    // SAFETY: both areas are of this PE, and longer than that.
                    None => unsafe { world.fcollect(team, dest, source, bytes) },
                    // SAFETY: both areas are of this PE, and longer than that.
                    Some(set) => unsafe { world.fcollect_of(set, dest, source, bytes) },
                }?;
                let all: Vec<u8> = (0..count).flat_map(|place| given(place, bytes)).collect();
                self.check(&what, &all)
            }
            3 => {
                let length = |place: usize| SIZES[(place * 5 + bytes) % SIZES.len()];
                self.give(&given(self.own, length(self.own)));
                self.meet()?;
                match set {
                    // SAFETY: both areas are of this PE, and longer than that.
                    None => unsafe { world.collect(team, dest, source, length(self.own)) },
                    // SAFETY: both areas are of this PE, and longer than that.
                    Some(set) => unsafe { world.collect_of(set, dest, source, length(self.own)) },
                }?;
                let all: Vec<u8> = (0..count).flat_map(|place| given(place, length(place))).collect();
                self.check(&what, &all)
            }
            4 => {
                self.give(&given(self.own, bytes * count));
                self.meet()?;
                match set {
                    // SAFETY: both areas are of this PE, and longer than that.
                    None => unsafe { world.alltoall(team, dest, source, bytes) },
                    // SAFETY: both areas are of this PE, and longer than that.
                    Some(set) => unsafe { world.alltoall_of(set, dest, source, bytes) },
                }?;
                let block = |place: usize| given(place, bytes * count)[bytes * self.own..][..bytes].to_vec();
                self.check(&what, &(0..count).flat_map(block).collect::<Vec<u8>>())
            }
            5 => {
                let (elements, to, from) = ((bytes / 8).min(500), 1 + next(3), 1 + next(3));
                let area = elements * from * count * 8;
                self.give(&given(self.own, area));
                self.meet()?;
                let strides = (to.cast_signed(), from.cast_signed());
                match set {
                    // SAFETY: both areas are of this PE, and longer than that.
                    None => unsafe { world.alltoalls(team, dest, source, strides, elements, 8) },
                    // SAFETY: both areas are of this PE, and longer than that.
                    Some(set) => unsafe { world.alltoalls_of(set, dest, source, strides, elements, 8) },
                }?;
                let mut expected = vec![0xa5; elements * to * count * 8];
                for place in 0..count {
                    let theirs = given(place, area);
                    for element in 0..elements {
                        let at = (place * elements + element) * to * 8;
                        let there = (self.own * elements + element) * from * 8;
                        expected[at..at + 8].copy_from_slice(&theirs[there..there + 8]);
                    }
                }
                self.check(&what, &expected)
            }
            _ => self.combine(&what, seed, bytes / 8, next(2) == 0, if set.is_none() { next(3) } else { 0 }),
        }
    }

    /// A reduction of numbers with an order-dependent sum, or a scan; perhaps in place.
    fn combine(
        &self,
        what: &str,
        seed: u64,
        elements: usize,
        in_place: bool,
        kind: usize,
    ) -> Result<(), Failure> {
        let given = |place: usize| -> Vec<f64> {
            let bytes = pattern::stream(seed * 100 + place as u64, elements * 2);
            bytes.chunks(2).map(|pair| f64::from(pair[0]) * 1e15 + f64::from(pair[1]) / 7.0).collect()
        };
        let bytes =
            |numbers: &[f64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        self.give(&bytes(&given(self.own)));
        let source = if in_place { self.dest } else { self.source };
        if in_place {
            // SAFETY: both areas are of this PE, and longer than that.
            unsafe { std::ptr::copy_nonoverlapping(self.source, source, elements * 8) };
        }
        self.meet()?;
        let (world, team, dest) = (self.world, self.world.team_world(), self.dest);
        let sum = Reduction::new(Operator::Sum, Operand::F64).unwrap();
        match (self.set(0), kind) {
            // SAFETY: both areas are of this PE, and longer than that.
            (Some(set), _) => unsafe { world.reduce_of(set, dest, source, elements, sum) },
            // SAFETY: both areas are of this PE, and longer than that.
            (None, 0) => unsafe { world.reduce(team, dest, source, elements, sum) },
            // SAFETY: both areas are of this PE, and longer than that.
            (None, 1) => unsafe { world.inscan(team, dest, source, elements, sum) },
            // SAFETY: both areas are of this PE, and longer than that.
            (None, _) => unsafe { world.exscan(team, dest, source, elements, sum) },
        }?;
        let last = [self.members.len(), self.own + 1, self.own][kind];
        let mut expected = if last == 0 { vec![0.0; elements] } else { given(0) };
        for place in 1..last {
            expected.iter_mut().zip(given(place)).for_each(|(sum, number)| *sum += number);
        }
        self.check(&format!("{what}, {kind}, in place: {in_place}"), &bytes(&expected))
    }
}
