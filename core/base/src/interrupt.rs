// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Interruption of a wait by the program around the library: Ctrl-C in an interpreter.
//!
//! The embedding program sets a check ([`set_check`]). A wait of an application's thread calls it every
//! [`SLICE`] ([`InterruptPoll`]), and ends with [`Kind::Interrupted`] when it returns true. The object of the
//! wait is unchanged: the same call may be made again.
//!
//! * The check is not called while a wait spins: short waits cost no more than before.
//! * The check is called without any lock that it could need: it may wait for the lock of an interpreter,
//!   held by a thread inside a call of the library. It runs no code of the application: it only returns
//!   whether to interrupt, because locks of the waiting call (of a pool that is being joined) are held.
//! * Threads of the library never call it ([`never()`]).
//! * A call is interrupted once: its remaining duties before it returns, such as withdrawing messages to
//!   others, wait as usual; its other waits end at once ([`was_left`]). [`end_call`] enables the check again.
//! * A part of a call may add a condition that ends its waits ([`unless`]): the awaited member is gone.
//! * Of calls that are known to hold nothing else, a check may run code of the application after all, where
//!   it [may](may_run_code): not in the middle of a copy, and not in parts that hold locks ([`closed`]).

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::{Error, Kind, Result};

/// Longest sleep of a wait that may be left.
pub const SLICE: Duration = Duration::from_millis(20);

/// Returns whether the wait that calls it shall end.
pub type Check = fn() -> bool;

static CHECK: OnceLock<Check> = OnceLock::new();
/// Threads in [`Interruptible::Interrupted`].
static INTERRUPTED: AtomicU32 = AtomicU32::new(0);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Interruptible {
    Yes,
    /// The running call was interrupted.
    Interrupted,
    /// The running part of a call is in vain.
    Vain,
    /// A thread of the library, or a part of a call that must not be left.
    Never,
}

thread_local! {
    static INTERRUPTIBLE: Cell<Interruptible> = const { Cell::new(Interruptible::Yes) };
    /// Number of running parts of calls that hold locks while they wait.
    static CLOSED: Cell<u32> = const { Cell::new(0) };
    /// Condition given to [`unless`].
    static IS_VAIN: RefCell<Option<Rc<dyn Fn() -> bool>>> = const { RefCell::new(None) };
}

/// Sets the check, once in a process; false when there is one already.
pub fn set_check(check: Check) -> bool {
    CHECK.set(check).is_ok()
}

/// This thread belongs to the library: its waits are not interrupted.
pub fn never() {
    INTERRUPTIBLE.set(Interruptible::Never);
}

/// Runs `body` without interruption of its waits.
pub fn without<T>(body: impl FnOnce() -> T) -> T {
    struct Restore(Interruptible);
    impl Drop for Restore {
        fn drop(&mut self) {
            INTERRUPTIBLE.set(self.0);
        }
    }
    let _restore = Restore(INTERRUPTIBLE.replace(Interruptible::Never));
    body()
}

/// Runs `body`, which holds locks while it waits: the check runs no code of the application meanwhile.
pub fn closed<T>(body: impl FnOnce() -> T) -> T {
    struct Open;
    impl Drop for Open {
        fn drop(&mut self) {
            CLOSED.set(CLOSED.get() - 1);
        }
    }
    CLOSED.set(CLOSED.get() + 1);
    let _open = Open;
    body()
}

/// Returns true if the check that runs now on this thread may run code that calls the library: the waiting
/// call holds nothing that such code waits for, and waits for nothing that such code could free.
pub fn may_run_code() -> bool {
    CLOSED.get() == 0 && !is_inside_of_a_copy()
}

#[cfg(not(loom))]
fn is_inside_of_a_copy() -> bool {
    crate::sync::rcu::is_reading()
}

#[cfg(loom)]
fn is_inside_of_a_copy() -> bool {
    false
}

/// Runs `body`; its waits end with [`Kind::Interrupted`] also when `is_vain` returns true. It is called every
/// [`SLICE`] of a sleep, under the rules of the check.
pub fn unless<T>(is_vain: impl Fn() -> bool + 'static, body: impl FnOnce() -> T) -> T {
    struct Restore(Option<Rc<dyn Fn() -> bool>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            let _ = IS_VAIN.try_with(|is_vain| is_vain.replace(self.0.take()));
            if INTERRUPTIBLE.get() == Interruptible::Vain {
                INTERRUPTIBLE.set(Interruptible::Yes);
            }
        }
    }
    let before = IS_VAIN.try_with(|given| given.replace(Some(Rc::new(is_vain))));
    let _restore = Restore(before.unwrap_or(None));
    body()
}

/// Returns true if waits of this thread call the check, or the condition of [`unless`].
fn can_interrupt() -> bool {
    INTERRUPTIBLE.get() == Interruptible::Yes && (CHECK.get().is_some() || condition().is_some())
}

/// Returns the condition given to [`unless`]. `None` in functions that run after the thread's own values are
/// gone: exit handlers of the process.
fn condition() -> Option<Rc<dyn Fn() -> bool>> {
    IS_VAIN.try_with(|is_vain| is_vain.borrow().clone()).unwrap_or(None)
}

/// Calls the check.
fn check_now() -> bool {
    if INTERRUPTIBLE.get() != Interruptible::Yes {
        return false;
    }
    if condition().is_some_and(|is_vain| is_vain()) {
        INTERRUPTIBLE.set(Interruptible::Vain);
        return true;
    }
    if !CHECK.get().is_some_and(|check| check()) {
        return false;
    }
    INTERRUPTIBLE.set(Interruptible::Interrupted);
    INTERRUPTED.fetch_add(1, Ordering::Relaxed);
    true
}

/// Makes one wait interruptible: it sleeps in slices, and calls the check between them. Made when a wait is
/// about to sleep.
pub struct InterruptPoll {
    /// Time of the next check. `None`: never.
    next: Option<Instant>,
}

impl Default for InterruptPoll {
    fn default() -> Self {
        Self::new()
    }
}

impl InterruptPoll {
    /// For a wait that begins to sleep.
    pub fn new() -> Self {
        Self { next: can_interrupt().then(|| Instant::now() + SLICE) }
    }

    /// Until when to sleep, in a wait that ends at `deadline`.
    pub fn until(&self, deadline: Instant) -> Instant {
        self.next.map_or(deadline, |next| next.min(deadline))
    }

    /// For how long to sleep, in a wait that has this much time left.
    pub fn within(&self, left: Duration) -> Duration {
        self.next.map_or(left, |next| next.saturating_duration_since(Instant::now()).min(left))
    }

    /// Returns true if the check is due: then the caller releases its locks and calls
    /// [`is_left`](Self::is_left).
    pub fn is_due(&self) -> bool {
        self.next.is_some_and(|next| next <= Instant::now())
    }

    /// Returns true if the wait is interrupted; calls the check when it is due. Call it without a lock that
    /// other threads take while they hold something that the check may need.
    pub fn is_left(&mut self) -> bool {
        if !self.is_due() {
            return false;
        }
        let left = check_now();
        self.next = can_interrupt().then(|| Instant::now() + SLICE);
        left
    }

    /// [`is_left`](Self::is_left) as a result.
    ///
    /// # Errors
    /// `Interrupted`.
    pub fn check(&mut self, operation: &'static str) -> Result<()> {
        if self.is_left() { Err(error(operation)) } else { Ok(()) }
    }
}

/// Returns true if the running call of this thread was interrupted: it ends all further waits that it may
/// leave, without another check.
pub fn was_left() -> bool {
    INTERRUPTIBLE.get() == Interruptible::Interrupted
}

/// Sleeps for `time`.
///
/// # Errors
/// `Interrupted`.
pub fn sleep(operation: &'static str, time: Duration) -> Result<()> {
    let (end, mut interrupt) = (Instant::now() + time, InterruptPoll::new());
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return interrupt.check(operation);
        }
        std::thread::sleep(interrupt.within(left));
        interrupt.check(operation)?;
    }
}

/// The error of a wait that was left.
#[cold]
pub fn error(operation: &'static str) -> Error {
    Error::new(Kind::Interrupted, operation).what("the wait was interrupted by the program")
}

/// The call of this thread has ended: the next one calls the check again.
#[inline]
pub fn end_call() {
    if INTERRUPTED.load(Ordering::Relaxed) != 0 {
        rearm();
    }
}

#[cold]
fn rearm() {
    if INTERRUPTIBLE.get() == Interruptible::Interrupted {
        INTERRUPTIBLE.set(Interruptible::Yes);
        INTERRUPTED.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All in one test: the check is the process's.
    #[test]
    fn calls_are_interrupted_once_and_library_threads_never() {
        let far = Instant::now() + Duration::from_secs(60);
        assert_eq!(InterruptPoll::new().until(far), far);
        assert!(set_check(|| true));
        assert!(!set_check(|| false));
        let mut interrupt = InterruptPoll::new();
        assert!(interrupt.until(far) < far && interrupt.within(Duration::from_secs(60)) <= SLICE);
        assert!(!interrupt.is_left(), "it is not time");
        assert_eq!(without(|| InterruptPoll::new().until(far)), far);
        let left = || sleep("test", SLICE * 2).is_err_and(|error| error.kind() == Kind::Interrupted);
        assert!(!was_left() && left());
        assert!(was_left() && !left(), "the call was interrupted already");
        assert!(!without(was_left));
        assert_eq!(InterruptPoll::new().until(far), far);
        end_call();
        assert!(!was_left() && left());
        end_call();
        without(|| assert!(!unless(|| true, left)));
        assert!(unless(|| true, || left() && !left()), "a part of a call ends once");
        assert!(left(), "behind it the check is called again");
        end_call();
        assert!(!crate::os::thread::spawn("test", left).unwrap().join().unwrap());
    }

    #[cfg(not(loom))]
    #[test]
    fn interrupt_code_does_not_run_in_copies_or_under_locks() {
        let section = crate::sync::rcu::read_lock();
        assert!(!may_run_code());
        drop(section);
        assert!(may_run_code() && !closed(may_run_code) && may_run_code());
    }
}
