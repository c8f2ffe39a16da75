// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Deterministic simulation: the production code of members over a memory in which each access is a step. A
//! seeded scheduler runs one thread at a time and may switch between any two steps; members join, and die at
//! any step. Long copies are several steps, so that they tear.
//!
//! Invariants (`sim/runs.rs`): a get returns a whole value that was put under this key and was not replaced
//! or removed before the get began; a key that was put is found, unless a death, a removal or an eviction
//! took it.

mod disk;
mod fetch;
mod leaving;
mod parts;
mod returned;
mod roles;
mod runs;
mod single_thread;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, TryLockError};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use crate::atomic_fields::Spot;
use crate::memory::{Memory, Source, Target};
use crate::options::Options;

/// Bytes of a copy between two steps.
const TEAR: usize = 1024;
const RANKS: u16 = 4;
/// Most steps of a world.
const STEPS_MAX: u64 = 1_000_000;

/// Options of members: a small index.
fn options() -> Options {
    Options { index_entries: 128, ..Options::default() }
}

thread_local! {
    static THREAD: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Random numbers that depend on the seed alone.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        // Marsaglia's xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

struct Turns {
    dice: Dice,
    /// The threads that still run.
    runs: Vec<bool>,
    /// The thread that has the turn.
    turn: usize,
    steps: u64,
    /// One in so many turns is of a thread in the background.
    background: u64,
    /// A thread has panicked.
    is_broken: bool,
}

/// Passes the turn on when a thread ends, also by a panic.
struct Leaves<'a> {
    world: &'a World,
    thread: usize,
}

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        let mut turns = lock(&self.world.turns);
        turns.runs[self.thread] = false;
        turns.is_broken |= std::thread::panicking();
        if turns.runs.iter().any(|runs| *runs) {
            turns.choose();
            self.world.wakes[turns.turn].notify_one();
        }
    }
}

struct World {
    seed: u64,
    turns: Mutex<Turns>,
    wakes: Vec<Condvar>,
    segments: Vec<Mutex<Vec<u8>>>,
    /// The step at which a rank joined; 0: it has not.
    joined: Vec<AtomicU64>,
    /// The step at which it died; 0: it lives.
    died: Vec<AtomicU64>,
    /// The steps at which victims die.
    kills: Mutex<Vec<(u16, u64)>>,
    /// Number of members that have joined.
    joins: AtomicU64,
    /// Number of members with disks that have joined.
    disks: AtomicU64,
    /// Steps until others notice a death.
    notice: u64,
    work_is_done: AtomicBool,
    /// Atomic operations below this offset get no answer.
    silent_below: AtomicU64,
    /// Offset of the clock from the number of steps, wrapping.
    ahead: AtomicU64,
    /// Called in pauses of a single thread, for the members that it waits for.
    on_pause: Mutex<Option<Box<dyn Fn() + Send>>>,
    /// Each member is on a host of its own.
    is_spread: AtomicBool,
}

impl World {
    fn new(seed: u64, bytes: usize, kills: Vec<(u16, u64)>) -> Arc<Self> {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let notice = dice.below(60);
        let ranks = usize::from(RANKS);
        Arc::new(Self {
            seed,
            turns: Mutex::new(Turns {
                dice,
                runs: vec![false; 2 * ranks],
                turn: usize::MAX,
                steps: 1,
                background: 6,
                is_broken: false,
            }),
            wakes: (0..2 * ranks).map(|_| Condvar::new()).collect(),
            segments: (0..ranks).map(|_| Mutex::new(vec![0; bytes])).collect(),
            joined: (0..ranks).map(|_| AtomicU64::new(0)).collect(),
            died: (0..ranks).map(|_| AtomicU64::new(0)).collect(),
            kills: Mutex::new(kills),
            joins: AtomicU64::new(0),
            disks: AtomicU64::new(0),
            notice,
            work_is_done: AtomicBool::new(false),
            silent_below: AtomicU64::new(0),
            ahead: AtomicU64::new(0),
            on_pause: Mutex::new(None),
            is_spread: AtomicBool::new(false),
        })
    }

    fn random_below(&self, end: u64) -> u64 {
        lock(&self.turns).dice.below(end)
    }

    fn now(&self) -> u64 {
        lock(&self.turns).steps.wrapping_add(self.ahead.load(Ordering::Relaxed))
    }

    /// Sets the clock, as an administrator does.
    fn set_clock(&self, us: u64) {
        self.ahead.store(us.wrapping_sub(lock(&self.turns).steps), Ordering::Relaxed);
    }

    /// Lets the scheduler choose the next thread.
    fn step(&self, is_pause: bool) {
        let me = THREAD.get();
        let mut turns = lock(&self.turns);
        turns.steps += 1;
        assert!(
            turns.steps < STEPS_MAX || turns.is_broken || std::thread::panicking(),
            "the members of world {} do not end",
            self.seed
        );
        if !self.work_is_done.load(Ordering::SeqCst) {
            let now = turns.steps;
            lock(&self.kills).retain(|(rank, at)| {
                if now >= *at {
                    self.die(*rank, now);
                }
                now < *at
            });
        }
        if !is_pause && turns.dice.below(4) != 0 {
            return;
        }
        turns.choose();
        self.wakes[turns.turn].notify_one();
        while turns.turn != me {
            turns = self.wakes[me].wait(turns).unwrap();
        }
        assert!(!turns.is_broken || std::thread::panicking(), "another thread of this world failed");
    }

    /// Runs `work` as one of the world's threads.
    fn run(&self, thread: usize, work: impl FnOnce()) {
        THREAD.set(thread);
        let mut turns = lock(&self.turns);
        while turns.turn != thread {
            turns = self.wakes[thread].wait(turns).unwrap();
        }
        drop(turns);
        let _leaves = Leaves { world: self, thread };
        work();
    }

    fn die(&self, rank: u16, now: u64) {
        let died = &self.died[usize::from(rank)];
        let _ = died.compare_exchange(0, now, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Lets another process of a rank begin, with an empty segment. Nothing of the former one runs.
    fn revive(&self, rank: u16) {
        let place = usize::from(rank);
        lock(&self.segments[place]).fill(0);
        self.joined[place].store(self.now(), Ordering::SeqCst);
        self.died[place].store(0, Ordering::SeqCst);
    }

    fn is_alive(&self, rank: u16) -> bool {
        self.died[usize::from(rank)].load(Ordering::SeqCst) == 0
    }
}

impl Turns {
    /// Workers are chosen more often than threads that only refresh their view.
    fn choose(&mut self) {
        let workers = usize::from(RANKS);
        loop {
            let of = if self.dice.below(self.background) == 0 { workers } else { 0 };
            let thread = of + usize::try_from(self.dice.below(workers as u64)).unwrap();
            let others = if of == 0 { 0..workers } else { workers..2 * workers };
            if self.runs[thread] {
                self.turn = thread;
                return;
            }
            if !self.runs[others].iter().any(|runs| *runs) && self.runs.iter().any(|runs| *runs) {
                self.turn = self.runs.iter().position(|runs| *runs).unwrap();
                return;
            }
        }
    }
}

struct SimMemory {
    world: Arc<World>,
    rank: u16,
}

impl SimMemory {
    /// Performs one step. Fails if the own process or that of `at` is dead.
    fn access<T>(&self, at: Spot, bytes: usize, act: impl FnOnce(&mut [u8]) -> T) -> Result<T> {
        self.world.step(false);
        let gone = |what: &str| Error::new(Kind::NotConnected, "sim").what(what).with("rank", at.rank);
        if !self.world.is_alive(self.rank) {
            return Err(gone("this process is dead"));
        }
        if !self.world.is_alive(at.rank)
            || self.world.joined[usize::from(at.rank)].load(Ordering::SeqCst) == 0
        {
            return Err(gone("that process is dead"));
        }
        let mut segment = lock(&self.world.segments[usize::from(at.rank)]);
        let start = usize::try_from(at.offset).unwrap();
        let range = segment.get_mut(start..start + bytes).expect("inside the segment");
        Ok(act(range))
    }

    fn word(&self, at: Spot, change: impl FnOnce(u64) -> Option<u64>) -> Result<u64> {
        assert_eq!(at.offset % 8, 0);
        if at.offset < self.world.silent_below.load(Ordering::SeqCst) {
            return Err(Error::new(Kind::Timeout, "sim").what("no answer"));
        }
        self.access(at, 8, |word| {
            let old = u64::from_ne_bytes((&*word).try_into().unwrap());
            if let Some(new) = change(old) {
                word.copy_from_slice(&new.to_ne_bytes());
            }
            old
        })
    }
}

impl Memory for SimMemory {
    fn own(&self) -> u16 {
        self.rank
    }

    fn own_bytes(&self) -> u64 {
        lock(&self.world.segments[usize::from(self.rank)]).len() as u64
    }

    fn members(&self) -> Vec<u16> {
        (0..RANKS).filter(|rank| self.is_member(*rank)).collect()
    }

    fn is_member(&self, rank: u16) -> bool {
        let world = &self.world;
        let (joined, died) = (&world.joined[usize::from(rank)], &world.died[usize::from(rank)]);
        let died = died.load(Ordering::SeqCst);
        joined.load(Ordering::SeqCst) != 0 && (died == 0 || world.now() < died + world.notice)
    }

    fn is_near(&self, rank: u16) -> bool {
        rank == self.rank || !self.world.is_spread.load(Ordering::Relaxed)
    }

    fn read(&self, at: Spot, into: &mut [u8]) -> Result<()> {
        self.access(at, into.len(), |bytes| into.copy_from_slice(bytes))
    }

    fn write(&self, at: Spot, bytes: &[u8]) -> Result<()> {
        self.access(at, bytes.len(), |to| to.copy_from_slice(bytes))
    }

    fn compare_swap(&self, at: Spot, old: u64, new: u64) -> Result<u64> {
        self.word(at, |now| (now == old).then_some(new))
    }

    fn add(&self, at: Spot, value: u64) -> Result<()> {
        self.word(at, |now| Some(now.wrapping_add(value))).map(drop)
    }

    fn fetch(&self, at: Spot, to: Target<'_>) -> Result<()> {
        let bytes = usize::try_from(to.bytes()).unwrap();
        // SAFETY: the target is writable as long as it lives, and only this thread runs.
        let to = unsafe { std::slice::from_raw_parts_mut(to.start(), bytes) };
        (0u64..).zip(to.chunks_mut(TEAR)).try_for_each(|(n, to)| self.read(at.add(n * TEAR as u64), to))
    }

    fn send(&self, from: Source<'_>, at: Spot) -> Result<()> {
        let bytes = usize::try_from(from.bytes()).unwrap();
        // SAFETY: the source is readable as long as it lives.
        let from = unsafe { std::slice::from_raw_parts(from.start(), bytes) };
        (0u64..).zip(from.chunks(TEAR)).try_for_each(|(n, from)| self.write(at.add(n * TEAR as u64), from))
    }

    fn populate(&self, at: Spot, bytes: u64, _: bool) -> Result<()> {
        self.access(at, usize::try_from(bytes).unwrap(), |_| ())
    }

    fn now(&self) -> u64 {
        self.world.now()
    }

    fn pause(&self, _: u32) {
        // Not in pauses of the call itself.
        if let Ok(on_pause) = self.world.on_pause.try_lock()
            && let Some(on_pause) = &*on_pause
        {
            on_pause();
        }
        self.world.step(true);
    }

    /// A thread that holds the lock may not have the turn.
    fn lock<'a, T>(&self, mutex: &'a Mutex<T>) -> MutexGuard<'a, T> {
        loop {
            match mutex.try_lock() {
                Ok(guard) => return guard,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => self.world.step(true),
            }
        }
    }
}
