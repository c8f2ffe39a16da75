// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Progress of libucp: the driving thread.
//!
//! A thread of ours drives, unless another one waits: then the waiting thread drives, which saves waking two
//! threads for each answer. The thread sleeps on the worker's descriptor, which becomes readable once after
//! each arming and does not while a thread drives; the thread that stops driving arms it again. Deadlines are
//! checked every few milliseconds, as long as there are any.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use mf_base::os::descriptor;
use mf_base::os::futex;
use mf_base::os::process::Owner;
use mf_base::os::service;
use mf_base::sync::lock;
use mf_base::sync::spin::Spin;
use mf_base::{Error, Kind, Result};
use mf_transport::Completion;
use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::{EventfdFlags, Timespec};

use super::state::WorkerState;

/// Interval of checks of deadlines.
const TICK: Duration = Duration::from_millis(10);
/// Number of polls without an event before a pause, and the length of the pause, if there is no descriptor to
/// wait on.
const POLLS: u32 = 100;
const PAUSE: Duration = Duration::from_micros(500);

pub(super) struct Shared {
    state: Mutex<WorkerState>,
    pub(super) owner: Owner,
    epoll: OwnedFd,
    wake: OwnedFd,
    /// The worker's; it lives as long as the worker, which is not closed before the thread has ended.
    event_fd: i32,
    /// Threads that wait and drive.
    drivers: AtomicU32,
    /// The thread sleeps.
    asleep: AtomicBool,
    /// It checks no deadlines meanwhile.
    without_tick: AtomicBool,
    stop: AtomicBool,
    /// Counts ends while there are sleepers.
    pub(super) ended: AtomicU32,
    pub(super) sleepers: AtomicU32,
    started: Instant,
    /// When deadlines were last checked, in milliseconds since `started`.
    checked: AtomicU32,
}

/// The state, under its lock. Before the lock is released, libucp's events are handled, and waiting threads
/// are notified.
pub(super) struct Locked<'a> {
    shared: &'a Shared,
    state: MutexGuard<'a, WorkerState>,
    ended: u64,
    delayed: u64,
}

impl Deref for Locked<'_> {
    type Target = WorkerState;

    fn deref(&self) -> &WorkerState {
        &self.state
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut WorkerState {
        &mut self.state
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.state.settle();
        let shared = self.shared;
        if self.state.ended() != self.ended && shared.sleepers.load(Ordering::SeqCst) > 0 {
            shared.ended.fetch_add(1, Ordering::SeqCst);
            futex::wake(&shared.ended, u32::MAX >> 1);
        }
        if !shared.asleep.load(Ordering::SeqCst) {
            return;
        }
        let is_alone = shared.drivers.load(Ordering::SeqCst) == 0;
        let has_work = self.state.parts.delayed() != self.delayed || self.state.has_to_serve();
        let needs_tick = shared.without_tick.load(Ordering::SeqCst) && !self.state.is_idle();
        if is_alone && has_work || needs_tick {
            shared.kick();
        }
    }
}

thread_local! {
    /// Records whether polling before sleeping paid on this thread.
    static SPIN: RefCell<Spin> = RefCell::new(Spin::default());
}

impl Shared {
    /// # Errors
    /// No descriptors.
    pub(super) fn new(state: WorkerState) -> Result<Self> {
        let os = |errno| Error::os("ucx start", errno);
        let epoll = descriptor::epoll().map_err(os)?;
        let wake = descriptor::eventfd(EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(os)?;
        epoll::add(&epoll, &wake, EventData::new_u64(0), EventFlags::IN).map_err(os)?;
        let event_fd = state.worker.as_ref().map_or(-1, |worker| worker.event_fd);
        // SAFETY: a descriptor of the worker, which lives.
        let descriptor = unsafe { BorrowedFd::borrow_raw(event_fd) };
        epoll::add(&epoll, descriptor, EventData::new_u64(1), EventFlags::ONESHOT).map_err(os)?;
        Ok(Self {
            state: Mutex::new(state),
            owner: Owner::current(),
            epoll,
            wake,
            event_fd,
            drivers: AtomicU32::new(0),
            asleep: AtomicBool::new(false),
            without_tick: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            ended: AtomicU32::new(0),
            sleepers: AtomicU32::new(0),
            started: Instant::now(),
            checked: AtomicU32::new(0),
        })
    }

    /// Checks that this is the process that started the transport.
    pub(super) fn in_own_process(&self) -> Result<()> {
        if self.owner.is_current() {
            return Ok(());
        }
        Err(Error::new(Kind::NotInit, "ucx")
            .what("this process was forked from the one that started the transport")
            .hint("initialise after the fork, or use spawn instead of fork"))
    }

    fn locked<'a>(&'a self, state: MutexGuard<'a, WorkerState>) -> Locked<'a> {
        let (ended, delayed) = (state.ended(), state.parts.delayed());
        Locked { shared: self, state, ended, delayed }
    }

    pub(super) fn lock(&self) -> Locked<'_> {
        self.locked(lock(&self.state))
    }

    /// Makes progress on all work, unless another thread drives. Returns true if there was any.
    pub(super) fn drive(&self) -> bool {
        let state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        self.drive_locked(self.locked(state))
    }

    fn drive_locked(&self, mut state: Locked<'_>) -> bool {
        let moved = state.turn();
        self.look_at_deadlines(&mut state);
        let serves = state.has_to_serve();
        drop(state);
        if serves {
            self.serve();
        }
        moved || serves
    }

    fn look_at_deadlines(&self, state: &mut WorkerState) {
        if state.operations.is_empty() {
            return;
        }
        let now = Instant::now();
        // Wraps after 49 days, which a difference does not mind.
        #[expect(clippy::cast_possible_truncation, reason = "see above")]
        let elapsed = now.saturating_duration_since(self.started).as_millis() as u32;
        if elapsed.wrapping_sub(self.checked.load(Ordering::Relaxed)) >= 5 {
            self.checked.store(elapsed, Ordering::Relaxed);
            state.expire(now);
        }
    }

    /// Wakes the thread.
    fn kick(&self) {
        // The only error is that it was woken so often that the counter is full.
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
    }

    /// Controls whether the worker's descriptor may wake the thread, once.
    fn listen(&self, yes: bool) {
        // SAFETY: a descriptor of the worker, which lives as long as any thread drives.
        let descriptor = unsafe { BorrowedFd::borrow_raw(self.event_fd) };
        let flags = if yes { EventFlags::IN | EventFlags::ONESHOT } else { EventFlags::ONESHOT };
        if let Err(errno) = epoll::modify(&self.epoll, descriptor, EventData::new_u64(1), flags) {
            tracing::debug!(%errno, "ucx: the descriptor of the worker cannot be watched");
        }
    }

    /// The thread.
    pub(super) fn run(&self) {
        let mut spin = Spin::default();
        let mut posted = 0;
        let mut events = Vec::with_capacity(2);
        let mut fruitless = 0;
        while !self.stop.load(Ordering::SeqCst) {
            service::turn();
            if self.drive_locked(self.lock()) && self.drivers.load(Ordering::SeqCst) == 0 {
                self.poll_on(&mut spin);
            }
            let timeout = {
                let mut state = self.lock();
                let is_alone = self.drivers.load(Ordering::SeqCst) == 0;
                let mut is_armed = true;
                if is_alone {
                    if state.turn() || state.has_to_serve() {
                        fruitless = 0;
                        continue;
                    }
                    is_armed = state.worker.as_ref().is_none_or(|worker| worker.arm());
                    if is_armed {
                        self.listen(true);
                    } else if fruitless < POLLS {
                        // libucp reports work, and makes no progress: it waits for the memory of a peer.
                        fruitless += 1;
                        drop(state);
                        std::thread::yield_now();
                        continue;
                    }
                }
                let is_idle = state.is_idle() && state.operations.posted() == posted;
                posted = state.operations.posted();
                self.without_tick.store(is_idle, Ordering::SeqCst);
                self.asleep.store(true, Ordering::SeqCst);
                if is_armed { (!is_idle).then_some(TICK) } else { Some(PAUSE) }
            };
            let timeout = timeout.and_then(|tick| Timespec::try_from(tick).ok());
            events.clear();
            let _ = epoll::wait(&self.epoll, spare_capacity(&mut events), timeout.as_ref());
            self.asleep.store(false, Ordering::SeqCst);
            self.without_tick.store(false, Ordering::SeqCst);
            let _ = rustix::io::read(&self.wake, &mut [0; 8]);
        }
    }

    /// Drives for another moment after an event, in case more follow.
    fn poll_on(&self, spin: &mut Spin) {
        let Some(mut polling) = spin.begin() else { return };
        let mut paid = false;
        loop {
            if self.drivers.load(Ordering::SeqCst) > 0 || self.stop.load(Ordering::SeqCst) {
                return;
            }
            if self.drive() {
                paid = true;
                polling.restart();
            } else if !polling.again() {
                break;
            }
        }
        if paid { spin.found() } else { spin.missed() }
    }

    /// Waits until `is_done`, driving first and sleeping by `sleep` then.
    pub(super) fn wait_until(&self, is_done: &dyn Fn() -> bool, sleep: &mut dyn FnMut()) {
        if is_done() {
            return;
        }
        let polling = SPIN.try_with(|spin| spin.try_borrow_mut().ok().and_then(|mut spin| spin.begin()));
        if let Ok(Some(mut polling)) = polling {
            if self.drivers.fetch_add(1, Ordering::SeqCst) == 0 {
                self.listen(false);
            }
            let mut paid = true;
            while !is_done() {
                if self.drive() {
                    polling.restart();
                } else if !is_done() && !polling.again() {
                    paid = false;
                    break;
                }
            }
            if self.drivers.fetch_sub(1, Ordering::SeqCst) == 1 {
                self.hand_over();
            }
            let _ = SPIN.try_with(|spin| {
                spin.try_borrow_mut().map(|mut spin| if paid { spin.found() } else { spin.missed() })
            });
        }
        if !is_done() {
            sleep();
        }
    }

    /// No thread drives any more: arms the wake-up of ours, or wakes it now if libucp has work.
    fn hand_over(&self) {
        for _ in 0..4 {
            let mut state = self.lock();
            if self.drivers.load(Ordering::SeqCst) > 0 {
                return;
            }
            if state.turn() || state.has_to_serve() {
                drop(state);
                self.serve();
                continue;
            }
            if state.worker.as_ref().is_none_or(|worker| worker.arm()) {
                self.listen(true);
                return;
            }
        }
        self.kick();
    }

    pub(super) fn wait(&self, completion: &Completion) {
        self.wait_until(&|| completion.is_done(), &mut || {
            completion.sleep(None);
        });
    }

    /// Waits until `is_done` returns true, or until the deadline. Returns the last result of `is_done`.
    pub(super) fn wait_for(&self, is_done: &dyn Fn(&mut WorkerState) -> bool, deadline: Instant) -> bool {
        loop {
            let seen = self.ended.load(Ordering::SeqCst);
            if is_done(&mut self.lock()) {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            self.sleepers.fetch_add(1, Ordering::SeqCst);
            self.wait_until(&|| self.ended.load(Ordering::SeqCst) != seen, &mut || {
                futex::wait_until(&self.ended, seen, Some(deadline));
            });
            self.sleepers.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// The thread ends.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.kick();
    }
}
