// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The orders about a symmetric heap.

mod together;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use mf_base::settings::{Switch, settings};
use mf_base::{Error, Gva, Kind};
use mf_device::host::HostDevice;
use mf_device::{Choice, Devices, choose};
use mf_shmem::{
    Atomic, AtomicKind, Comparison, Condition, ContextOptions, Elements, Number, Options, Signal, SignalKind,
    Team, TeamOptions, Values, Width, World,
};
use mf_tests::order::heap::{Heap, Started, Strides, Update};
use mf_tests::{Answer, Failure, Init, deadline, pattern};

use crate::copies;
use crate::state::config;

/// This process as a PE.
#[derive(Default)]
pub(crate) struct HeapOfPe {
    world: Option<Arc<World>>,
    /// The team that was kept last.
    team: Option<Arc<Team>>,
}

impl HeapOfPe {
    pub(crate) fn carry_out(&mut self, order: Heap) -> Result<Answer, Failure> {
        match order {
            Heap::Begin(init, heap_bytes) => {
                let config = config(&init);
                let options = match has_accelerator()? {
                    true => Options::instance(0, config)?,
                    false => Options::open_shmem(config)?,
                };
                let options = heap_bytes.into_iter().fold(options, Options::heap_bytes);
                self.begin(options)
            }
            Heap::BeginInstance(init, id, heap_bytes) => {
                self.begin(Options::instance(id, config(&init))?.heap_bytes(heap_bytes))
            }
            Heap::BeginHostSide(init, heap_bytes) => {
                self.begin(Options::host_side(0, config(&init))?.heap_bytes(heap_bytes))
            }
            Heap::IsDeviceMemory => Ok(Answer::Number(u64::from(self.world()?.is_in_device_memory()))),
            Heap::DeviceMemory => device_bytes(&Self::devices()?).map(Answer::Number),
            Heap::PutFromDevice(at, bytes, seed, pe) => self.put_from_device(at, bytes, seed, pe),
            Heap::BeginAlone => self.begin(Options::from_env()?.heap_bytes(1 << 20)),
            Heap::Beside(init, id) => self.beside(&init, id),
            Heap::Shape => {
                let world = self.world()?;
                let numbers = [u64::from(world.my_pe()), u64::from(world.n_pes()), world.heap_bytes()];
                Ok(Answer::Numbers(numbers.to_vec()))
            }
            Heap::UsageOf(pe) => {
                let usage = self.world()?.heap_usage_of(pe)?;
                let sizes = [usage.used, usage.peak, usage.free, usage.largest_free, usage.quarantined];
                Ok(Answer::Numbers([&sizes[..], &[usage.blocks]].concat()))
            }
            Heap::Malloc(bytes) => self.place(self.world()?.malloc(size(bytes))?),
            Heap::Calloc(count, bytes) => {
                let block = self.world()?.calloc(size(count), size(bytes))?;
                if !block.is_null() {
                    let found = self.own(block.cast_const(), size(count * bytes));
                    assert!(found.iter().all(|byte| *byte == 0), "a byte is not zero");
                }
                self.place(block)
            }
            Heap::Align(alignment, bytes) => {
                let block = self.world()?.align(size(alignment), size(bytes))?;
                assert!(block.addr().is_multiple_of(size(alignment)), "{block:?}");
                self.place(block)
            }
            Heap::Realloc(at, bytes) => self.place(self.world()?.realloc(self.at(at)?, size(bytes))?),
            Heap::Free(at) => Ok(done(self.world()?.free(self.at(at)?)?)),
            Heap::Put(at, bytes, seed, pe) => {
                let content = pattern::stream(seed, bytes);
                // SAFETY: the content is as long as that.
                Ok(done(unsafe { self.world()?.put(self.at(at)?, content.as_ptr(), bytes, pe) }?))
            }
            Heap::PutNbi(at, bytes, seed, pe) => {
                // Leaked on purpose: it is in use until the next order.
                let content = pattern::stream(seed, bytes).leak();
                // SAFETY: the content is as long as that, and lives for ever.
                Ok(done(unsafe { self.world()?.put_nbi(self.at(at)?, content.as_ptr(), bytes, pe) }?))
            }
            Heap::Check(at, bytes, seed, pe) => {
                let mut found = vec![0xa5; bytes];
                // SAFETY: the buffer is as long as that.
                unsafe { self.world()?.get(found.as_mut_ptr(), self.at(at)?, bytes, pe) }?;
                copies::compare(seed, &found)
            }
            Heap::CheckNbi(at, bytes, seed, pe) => {
                let mut found = vec![0xa5; bytes];
                // SAFETY: the buffer is as long as that, and is kept until it is complete.
                let started = unsafe { self.world()?.get_nbi(found.as_mut_ptr(), self.at(at)?, bytes, pe) };
                self.world()?.quiet()?;
                started?;
                copies::compare(seed, &found)
            }
            Heap::CheckOwn(at, bytes, seed) => copies::compare(seed, &self.own(self.at(at)?, bytes)),
            Heap::CheckZero(at, bytes) => {
                assert!(self.own(self.at(at)?, bytes).iter().all(|byte| *byte == 0), "a byte is not zero");
                Ok(Answer::Done)
            }
            Heap::PutStrided(at, strides, seed, pe) => self.put_strided(at, strides, seed, pe).map(done),
            Heap::CheckStrided(at, strides, seed, pe) => self.check_strided(at, strides, seed, pe),
            Heap::PassNull(at, pe) => {
                let (world, there) = (self.world()?, self.at(at)?);
                // SAFETY: null is refused.
                let put = unsafe { world.put(there, std::ptr::null(), 8, pe) };
                assert!(put.is_err(), "null was read");
                // SAFETY: null is refused.
                Ok(done(unsafe { world.get(std::ptr::null_mut(), there, 8, pe) }?))
            }
            Heap::PassHoles(at, pe) => crate::holes::of_heap(self.world()?, self.at(at)?, pe),
            Heap::KeepPutting(at, bytes, pe, most) => {
                let content = pattern::stream(1, bytes);
                for _ in 0..most {
                    // SAFETY: the content is as long as that.
                    unsafe { self.world()?.put(self.at(at)?, content.as_ptr(), bytes, pe) }?;
                }
                Ok(done(self.world()?.quiet()?))
            }
            Heap::KeepStarting(kind, at, bytes, pe, most) => self.keep_starting(kind, at, bytes, pe, most),
            Heap::Compute(at, value) => self.compute(at, value),
            Heap::Atomic(at, atomic, pe) => {
                Ok(Answer::Number(self.world()?.atomic(self.at(at)?, atomic, pe)?))
            }
            Heap::AtomicUpdate(at, atomic, pe) => {
                Ok(done(self.world()?.atomic_update(self.at(at)?, atomic, pe)?))
            }
            Heap::AtomicNbi(at, atomic, pe) => {
                let mut old = [0xa5; 16];
                // SAFETY: the place is longer than a word, and is kept until it is complete.
                let started = unsafe { self.world()?.atomic_nbi(old.as_mut_ptr(), self.at(at)?, atomic, pe) };
                self.world()?.quiet()?;
                started?;
                let (word, behind) = old.split_at(size(atomic.width.bytes()));
                assert!(behind.iter().all(|byte| *byte == 0xa5), "{behind:?}");
                let mut bytes = [0; 8];
                bytes[..word.len()].copy_from_slice(word);
                Ok(Answer::Number(u64::from_le_bytes(bytes)))
            }
            Heap::CountUp(at, width, count, pe) => self.count_up(at, width, count, pe),
            Heap::PutSignal((at, bytes, seed), update, pe, is_started) => {
                // Leaked on purpose: it may be in use until the next order.
                let content = pattern::stream(seed, bytes).leak();
                let (world, there, signal) = (self.world()?, self.at(at)?, self.signal(update)?);
                let put = if is_started { World::put_signal_nbi } else { World::put_signal };
                // SAFETY: the content is as long as that, for ever.
                Ok(done(unsafe { put(world, there, content.as_ptr(), bytes, &signal, pe) }?))
            }
            Heap::Signal(update, pe) => Ok(done(self.world()?.signal(&self.signal(update)?, pe)?)),
            Heap::FetchSignal(at, width) => {
                Ok(Answer::Number(self.world()?.signal_fetch(self.at(at)?, width)?))
            }
            Heap::Await(at, comparison, value) => {
                Ok(Answer::Number(self.world()?.wait_until(self.at(at)?, of_words(comparison), value)?))
            }
            Heap::PingPong(data, word, rounds, pe) => self.ping_pong(data, word, rounds, pe),
            Heap::Collect(at, count) => self.collect(at, count),
            Heap::Fence => {
                self.world()?.fence();
                Ok(Answer::Done)
            }
            Heap::Quiet => Ok(done(self.world()?.quiet()?)),
            Heap::Barrier => Ok(done(self.world()?.barrier_all()?)),
            Heap::Sync => Ok(done(self.world()?.sync_all()?)),
            Heap::Barriers(count) => {
                for _ in 0..count {
                    self.world()?.barrier_all()?;
                }
                Ok(Answer::Done)
            }
            Heap::Pointer(at, pe) => self.pointer(at, pe),
            Heap::Accessible(at, pe) => {
                let is_accessible = self.world()?.is_accessible_address(self.at(at)?, pe);
                Ok(Answer::Number(u64::from(is_accessible)))
            }
            Heap::Fork(at, pe) => self.fork(at, pe),
            Heap::Random(seed, steps) => self.random(seed, steps),
            Heap::End => {
                self.team = None;
                let world = self.world.take().ok_or_else(missing)?;
                world.end()?;
                assert_eq!(world.barrier_all().unwrap_err().kind(), Kind::NotInit);
                assert_eq!(world.malloc(8).unwrap_err().kind(), Kind::NotInit);
                world.end()?;
                Ok(Answer::Done)
            }
            Heap::Abandon => {
                self.world = None;
                Ok(Answer::Done)
            }
            Heap::MeetTwice => {
                let world = self.world()?;
                twice(|| world.barrier_all())
            }
            Heap::KeepSplitting(count) => {
                let (world, n) = (self.world()?, number(self.world()?.n_pes()));
                for _ in 0..count {
                    let options = Ok(TeamOptions::default());
                    let team = world.split_strided(world.team_world(), n - 1, -1, n, options)?;
                    let team = team.ok_or_else(missing)?;
                    world.team_sync(&team)?;
                    world.destroy_team(team.number())?;
                }
                Ok(Answer::Done)
            }
            Heap::Split(start, stride, size) => {
                let (world, options) = (self.world()?, Ok(TeamOptions { num_contexts: 2 }));
                self.team = world.split_strided(world.team_world(), start, stride, size, options)?;
                Ok(self.team.as_ref().map_or(Answer::Done, |team| {
                    assert_eq!((team.options().num_contexts, team.index() > 1), (2, true));
                    Answer::Number(team.my_pe().unsigned_abs().into())
                }))
            }
            Heap::TeamSync => Ok(done(self.world()?.team_sync(self.team.as_ref().ok_or_else(missing)?)?)),
            Heap::SplitTwice => {
                let world = self.world()?;
                let (n, options) = (number(world.n_pes()), || Ok(TeamOptions::default()));
                twice(|| world.split_strided(world.team_world(), 0, 1, n, options()).map(drop))
            }
            Heap::PutOnContext(at, bytes, seed, pe) => {
                let (world, team) = (self.world()?, self.team.as_ref().ok_or_else(missing)?);
                let context = world.create_context(team, ContextOptions::default())?;
                let content = pattern::stream(seed, bytes);
                let access = world.access_on(&context);
                // SAFETY: the content is as long as that, until the context is complete.
                let put = unsafe { access.put_nbi(self.at(at)?, content.as_ptr(), bytes, pe) };
                world.destroy_context(context.number())?;
                Ok(done(put?))
            }
            Heap::Exit(status) => self.world()?.global_exit(status),
            Heap::Together(order) => self.together(order),
            Heap::CheckOwnWord(at) => {
                let word = self.own(self.at(at)?, 8);
                Ok(Answer::Number(u64::from_le_bytes(word.try_into().unwrap())))
            }
        }
    }

    /// Gives everything up.
    pub(crate) fn finish(&mut self) {
        self.world = None;
    }

    fn begin(&mut self, options: Options) -> Result<Answer, Failure> {
        let world = World::begin(options)?;
        let pe = world.my_pe();
        self.world = Some(world);
        Ok(Answer::Number(u64::from(pe)))
    }

    fn beside(&self, init: &Init, id: u32) -> Result<Answer, Failure> {
        let options = Options::instance(id, config(init))?.heap_bytes(2 << 20);
        let world = World::begin(options)?;
        assert_eq!((world.my_pe(), world.n_pes()), (self.world()?.my_pe(), self.world()?.n_pes()));
        let block = world.malloc(64)?;
        let next = i32::try_from((world.my_pe() + 1) % world.n_pes()).unwrap();
        let content = pattern::stream(u64::from(world.my_pe()), 64);
        // SAFETY: the content is as long as that.
        unsafe { world.put(block, content.as_ptr(), 64, next) }?;
        world.barrier_all()?;
        // Each heap has its own addresses.
        assert!(!self.world()?.is_accessible_address(block, next));
        let before = (world.my_pe() + world.n_pes() - 1) % world.n_pes();
        let answer = copies::compare(u64::from(before), &self.own(block, 64));
        world.end()?;
        answer
    }

    fn world(&self) -> Result<&World, Failure> {
        self.world.as_deref().ok_or_else(missing)
    }

    fn at(&self, offset: u64) -> Result<*mut u8, Failure> {
        Ok(self.world()?.heap_start().wrapping_add(size(offset)))
    }

    fn place(&self, block: *mut u8) -> Result<Answer, Failure> {
        if block.is_null() {
            return Ok(Answer::Done);
        }
        Ok(Answer::Number((block.addr() - self.world()?.heap_start().addr()) as u64))
    }

    /// Own bytes, by a plain copy where the processor can make one.
    fn own(&self, from: *const u8, bytes: usize) -> Vec<u8> {
        let mut found = vec![0xa5; bytes];
        match self.world.as_deref().filter(|world| world.is_in_device_memory()) {
            // SAFETY: the test asks for a place in the own heap.
            None => unsafe { std::ptr::copy_nonoverlapping(from, found.as_mut_ptr(), bytes) },
            // SAFETY: `found` has room for that many bytes, and the test names a place in the own heap.
            Some(world) => unsafe { world.copy_local(from, found.as_mut_ptr(), bytes) }.unwrap(),
        }
        found
    }

    fn devices() -> Result<Devices, Failure> {
        let host = Arc::new(HostDevice::new(Switch::Off));
        Ok(choose(settings()?.device, 0, host)?.0)
    }

    /// Writes to a PE from memory of the accelerator that is in no pool, and reads it back into other such.
    fn put_from_device(&self, at: u64, bytes: usize, seed: u64, pe: i32) -> Result<Answer, Failure> {
        let (world, devices) = (self.world()?, Self::devices()?);
        let device = devices.accelerator().ok_or_else(missing)?;
        let buffers = [device.allocate_buffer(bytes as u64)?, device.allocate_buffer(bytes as u64)?];
        let [from, to] = [&buffers[0], &buffers[1]].map(|buffer| Gva(buffer.address()).as_ptr());
        let content = pattern::stream(seed, bytes);
        // SAFETY: the buffers have so many bytes.
        unsafe { world.copy_local(content.as_ptr(), from, bytes) }?;
        // SAFETY: the buffer on the device has that many bytes, until `quiet` returns.
        unsafe { world.put(self.at(at)?, from, bytes, pe) }?;
        world.quiet()?;
        // SAFETY: the buffer on the device has that many bytes.
        unsafe { world.get(to, self.at(at)?, bytes, pe) }?;
        let mut found = vec![0xa5; bytes];
        // SAFETY: both have that many bytes.
        unsafe { world.copy_local(to, found.as_mut_ptr(), bytes) }?;
        copies::compare(seed, &found)
    }

    fn signal(&self, (at, width, adds, value): Update) -> Result<Signal, Failure> {
        let kind = if adds { SignalKind::Add } else { SignalKind::Set };
        Ok(Signal { address: self.at(at)?.addr() as u64, kind, value, width })
    }

    fn ping_pong(
        &self,
        (data, bytes): (u64, usize),
        word: u64,
        rounds: u64,
        pe: i32,
    ) -> Result<Answer, Failure> {
        let world = self.world()?;
        let seed = |round: u64, pe: u64| 100 * round + pe;
        for round in 1..=rounds {
            // The other may still read data of the last round.
            let place = self.at(data + round % 2 * bytes as u64)?;
            let content = pattern::stream(seed(round, u64::from(world.my_pe())), bytes);
            let signal = self.signal((word, Width::W64, false, round))?;
            // SAFETY: the content is as long as that, and may be changed afterwards.
            unsafe { world.put_signal(place, content.as_ptr(), bytes, &signal, pe) }?;
            world.wait_until(self.at(word)?, of_words(Comparison::GreaterOrEqual), round)?;
            copies::compare(seed(round, u64::from(pe.unsigned_abs())), &self.own(place, bytes))?;
        }
        Ok(done(world.quiet()?))
    }

    fn collect(&self, at: u64, count: usize) -> Result<Answer, Failure> {
        let (world, words) = (self.world()?, self.at(at)?.cast_const());
        let mut status = vec![0i32; count];
        let condition = of_words(Comparison::Equal);
        let elements = |status: &[i32]| Elements {
            words,
            count,
            status: status.as_ptr(),
            condition,
            values: Values::One(1),
        };
        for _ in 0..count {
            // SAFETY: there is a status of each.
            let found = unsafe { world.wait_until_any(&elements(&status)) }?.unwrap();
            assert_eq!(std::mem::replace(&mut status[found], 1), 0);
        }
        let (left_out, mut indices) = (elements(&status), vec![usize::MAX; count]);
        // SAFETY: the elements lie in the own heap, and each has a status.
        assert_eq!(unsafe { world.wait_until_any(&left_out) }?, None);
        // SAFETY: there is an index and a status of each element.
        assert_eq!(unsafe { world.wait_until_some(&left_out, indices.as_mut_ptr()) }?, 0);
        let all_in = vec![0; count];
        // SAFETY: the elements lie in the own heap, and each has a status.
        unsafe { world.wait_until_all(&elements(&all_in)) }?;
        // SAFETY: there is an index and a status of each element.
        assert_eq!(unsafe { world.wait_until_some(&elements(&all_in), indices.as_mut_ptr()) }?, count);
        assert!(indices.iter().copied().eq(0..count), "{indices:?}");
        // Each one that satisfies is found in some call.
        let mut met = vec![false; count];
        while met.contains(&false) {
            // SAFETY: the elements lie in the own heap, and each has a status.
            met[unsafe { world.test_any(&elements(&all_in)) }?.unwrap()] = true;
        }
        Ok(Answer::Done)
    }

    fn keep_starting(
        &self,
        kind: Started,
        at: u64,
        bytes: usize,
        pe: i32,
        most: u32,
    ) -> Result<Answer, Failure> {
        let (world, word, there) = (self.world()?, self.at(at)?, self.at(at + 64)?);
        let one = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
        let mut here = [vec![1; bytes.max(8)], vec![2; bytes.max(8)], vec![3; bytes.max(8)]];
        for _ in 0..most {
            let started = here.iter_mut().try_for_each(|here| match kind {
                // SAFETY: the buffer is as long as that, and is kept until it is complete.
                Started::Puts => unsafe { world.put_nbi(there, here.as_ptr(), bytes, pe) },
                // SAFETY: the buffer is as long as that, and is kept until `quiet` returns.
                Started::Gets => unsafe { world.get_nbi(here.as_mut_ptr(), there, bytes, pe) },
                // SAFETY: the buffer has at least a word, and is kept until `quiet` returns.
                Started::Atomics => unsafe { world.atomic_nbi(here.as_mut_ptr(), there, one, pe) },
            });
            world.quiet()?;
            started?;
            world.atomic_update(word, one, pe)?;
        }
        Ok(done(world.quiet()?))
    }

    fn compute(&self, at: u64, value: u64) -> Result<Answer, Failure> {
        let word = self.at(at)?.cast::<u64>();
        // SAFETY: an aligned word of the own heap, that others change by atomics.
        let word = unsafe { AtomicU64::from_ptr(word) };
        let end = Instant::now() + deadline::limit();
        let mut computed = 1u64;
        while word.load(Ordering::Acquire) != value {
            for step in 0..10_000 {
                computed = std::hint::black_box(computed.wrapping_mul(31).wrapping_add(step));
            }
            if Instant::now() >= end {
                return Err(Failure::wrong(format!("the word is {}", word.load(Ordering::Acquire))));
            }
        }
        Ok(Answer::Done)
    }

    fn count_up(&self, at: u64, width: Width, count: u64, pe: i32) -> Result<Answer, Failure> {
        let (world, word) = (self.world()?, self.at(at)?);
        let change = |kind, operand, compare| Atomic { kind, width, operand, compare };
        let low = |old: u64| old % (1 << 20);
        let mut sum = 0;
        for _ in 0..count {
            sum += low(world.atomic(word, change(AtomicKind::Add, 1, 0), pe)?);
            let mut old = 0u64;
            let place = (&raw mut old).cast();
            // SAFETY: the place is complete after the quiet.
            let started = unsafe { world.atomic_nbi(place, word, change(AtomicKind::Add, 1, 0), pe) };
            world.atomic_update(word, change(AtomicKind::Add, 1 << 20, 0), pe)?;
            world.quiet()?;
            started?;
            sum += low(old);
            let mut seen = world.atomic(word, change(AtomicKind::Fetch, 0, 0), pe)?;
            loop {
                let before =
                    world.atomic(word, change(AtomicKind::CompareSwap, width.low(seen + 1), seen), pe)?;
                if before == seen {
                    break;
                }
                seen = before;
            }
            sum += low(seen);
        }
        Ok(Answer::Number(sum))
    }

    fn put_strided(&self, at: u64, strides: Strides, seed: u64, pe: i32) -> Result<(), Failure> {
        let (to, from, count, bytes) = strides;
        let step = from.max(1).unsigned_abs() * bytes;
        let content = pattern::stream(seed, (count * step).min(1 << 20));
        let world = self.world()?;
        // SAFETY: the content extends beyond the last element; the destination refuses longer ones.
        Ok(unsafe { world.iput(self.at(at)?, content.as_ptr(), to, from, count, bytes, pe) }?)
    }

    fn check_strided(
        &self,
        at: u64,
        (to, from, count, bytes): Strides,
        seed: u64,
        pe: i32,
    ) -> Result<Answer, Failure> {
        let content = pattern::stream(seed, count * from.unsigned_abs() * bytes);
        let mut found = vec![0xa5; count * bytes];
        // SAFETY: the buffer has so many elements, one behind the other.
        unsafe { self.world()?.iget(found.as_mut_ptr(), self.at(at)?, 1, to, count, bytes, pe) }?;
        let elements = content.chunks(from.unsigned_abs() * bytes).map(|chunk| &chunk[..bytes]);
        let wrong = found.chunks(bytes).zip(elements).position(|(found, element)| found != element);
        wrong.map_or(Ok(Answer::Done), |index| Err(Failure::wrong(format!("element {index} is another"))))
    }

    fn pointer(&self, at: u64, pe: i32) -> Result<Answer, Failure> {
        let (world, own) = (self.world()?, self.at(at)?);
        let there = world.ptr(own, pe).cast::<u64>();
        if there.is_null() {
            return Ok(Answer::Number(0));
        }
        let value = 0x1234_5678_9abc_def0 + at;
        if world.is_in_device_memory() {
            // SAFETY: a word of a PE that is mapped here.
            unsafe { world.copy_local((&raw const value).cast(), there.cast(), 8) }?;
        } else {
            // SAFETY: an aligned word of a PE that is mapped here.
            unsafe { there.write_volatile(value) };
        }
        let mut word = [0; 8];
        // SAFETY: the buffer has 8 bytes.
        unsafe { world.get(word.as_mut_ptr(), own, 8, pe) }?;
        assert_eq!(u64::from_le_bytes(word), 0x1234_5678_9abc_def0 + at);
        Ok(Answer::Number(1))
    }

    fn fork(&self, at: u64, pe: i32) -> Result<Answer, Failure> {
        let (world, there) = (self.world()?, self.at(at)?);
        // SAFETY: the child makes calls that are refused, and ends without handlers.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let refused =
                |result: mf_base::Result<()>| result.is_err_and(|error| error.kind() == Kind::NotInit);
            // SAFETY: 8 bytes.
            let put = unsafe { world.put(there, [7u8; 8].as_ptr(), 8, pe) };
            let add = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
            let wait = world.wait_until(there, of_words(Comparison::NotEqual), u64::MAX);
            let words = [world.atomic(there, add, pe), world.signal_fetch(there, Width::W64), wait];
            let calls = words.map(|word| word.map(drop)).into_iter().chain([
                put,
                world.barrier_all(),
                world.free(there),
                world.malloc(8).map(drop),
                world.end(),
            ]);
            let is_right =
                world.ptr(there, pe).is_null() && !world.is_accessible_pe(pe) && { calls }.all(refused);
            // SAFETY: ends the child.
            unsafe { libc::_exit(i32::from(!is_right)) };
        }
        let mut status = 0;
        // SAFETY: the child was just made, and no other code waits for it.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0 {
            return Ok(Answer::Done);
        }
        Err(Failure::wrong(format!("the child was not refused: status {status:#x}")))
    }

    /// Takes blocks and gives them back; each keeps its contents. The answer stands for all places.
    fn random(&self, seed: u64, steps: u32) -> Result<Answer, Failure> {
        let world = self.world()?;
        let mut random = seed;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        let mut blocks: Vec<(*mut u8, usize, u64)> = Vec::new();
        let mut places = Vec::new();
        for step in 0..u64::from(steps) {
            let which = next(3);
            if which == 0 && !blocks.is_empty() {
                let index = size(next(blocks.len() as u64));
                let (block, bytes, seed) = blocks.swap_remove(index);
                copies::compare(seed, &self.own(block, bytes))?;
                world.free(block)?;
                continue;
            }
            let bytes = size(1 + next(5000));
            let block = if which == 1 && !blocks.is_empty() {
                let index = size(next(blocks.len() as u64));
                let (block, before, seed) = blocks.swap_remove(index);
                let moved = world.realloc(block, bytes)?;
                copies::compare(seed, &self.own(moved, before.min(bytes)))?;
                moved
            } else {
                world.align(size(1 << (3 + next(10))), bytes)?
            };
            let content = pattern::stream(step, bytes);
            // SAFETY: a block of so many bytes.
            unsafe { world.copy_local(content.as_ptr(), block, bytes) }?;
            blocks.push((block, bytes, step));
            places.extend(((block.addr() - world.heap_start().addr()) as u64).to_le_bytes());
        }
        for (block, bytes, seed) in blocks {
            copies::compare(seed, &self.own(block, bytes))?;
            world.free(block)?;
        }
        Ok(Answer::Number(pattern::digest(&places)))
    }
}

/// True if an accelerator is requested, and the heap is in its memory.
fn has_accelerator() -> Result<bool, Failure> {
    Ok(matches!(settings()?.device, Choice::Ascend | Choice::Sim))
}

/// Bytes that are free in all devices.
fn device_bytes(devices: &Devices) -> Result<u64, Failure> {
    let units = devices.accelerator().ok_or_else(missing)?.units();
    Ok(units.iter().map(|unit| unit.free_bytes).sum())
}

fn done((): ()) -> Answer {
    Answer::Done
}

fn of_words(comparison: Comparison) -> Condition {
    Condition { number: Number::Unsigned(8), comparison }
}

fn size(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

fn number(pes: u32) -> i32 {
    i32::try_from(pes).unwrap()
}

/// Makes a collective call on two threads at the same time; the answer is how often it was made.
fn twice(call: impl Fn() -> mf_base::Result<()> + Sync) -> Result<Answer, Failure> {
    let made = std::thread::scope(|scope| {
        let threads = [scope.spawn(&call), scope.spawn(&call)];
        threads.map(|thread| thread.join().unwrap())
    });
    let refused = made.iter().filter_map(|made| made.as_ref().err());
    let is_right = refused.clone().all(|error| error.kind() == Kind::RepeatInvoke);
    assert!(is_right, "{made:?}");
    Ok(Answer::Number(2 - refused.count() as u64))
}

fn missing() -> Failure {
    Error::new(Kind::NotExist, "test").what("this process is no PE").into()
}
