// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions that may wait, on a stream of the program.
//!
//! A runtime has one thread for the functions of all streams of a context, so none of them may wait for
//! another stream. The function on the stream only starts a thread; the stream then waits for a flag, which
//! that thread sets when the work is done, by a stream of ours.
//!
//! ```text
//!   the program's stream   start the thread | wait for the flag | give the flag back | later work
//!   the thread                     the work, set the flag
//! ```
//!
//! The three parts are three calls of the runtime, each of which may be refused. The thread begins the work
//! only once the wait is on the stream, so a refused call has done nothing; if the third part is missing, or
//! the stream is destroyed with it, the flag is given up when the streams are known to be past it
//! ([`Waiting::forget_passed`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use mf_base::sync::{lock, wait_notified_for};
use mf_base::{Error, Kind, Result};

use super::driver::{Driver, RawNotify, Work};
use super::streams::Stream;
use crate::RawStream;

const OP: &str = "work on a stream";

/// Number of attempts to set a flag: the last one by a new stream of ours.
const TRIES: usize = 3;

/// Longest wait of a thread of the runtime, which does the work if no other thread can be started, until the
/// work is on its stream.
const LONGEST: Duration = Duration::from_secs(10);

/// Flags that streams wait for.
pub(super) struct Waiting {
    flags: Arc<Flags>,
}

/// The flags, and the streams that set them.
struct Flags {
    driver: Arc<dyn Driver>,
    state: Mutex<FlagPool>,
}

#[derive(Default)]
struct FlagPool {
    /// Flags that no stream uses at present.
    idle: Vec<RawNotify>,
    /// The others.
    used: Vec<Used>,
    uses: u64,
    /// Streams of ours, the last of which sets flags; the others have refused to, and may still be about to
    /// set earlier ones.
    setters: Vec<Arc<Stream>>,
}

/// A use of a flag.
#[derive(Clone, Copy)]
struct Used {
    notify: RawNotify,
    number: u64,
    stage: Stage,
}

/// Progress of a use, which only grows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// No stream waits for the flag yet.
    Taken,
    /// One does.
    Queued,
    /// It has got to the work.
    Begun,
    /// The flag was set.
    Set,
}

impl Used {
    /// Returns true if the flag will not be set later if the stream gets no further.
    fn is_out_of_reach(&self) -> bool {
        matches!(self.stage, Stage::Queued | Stage::Set)
    }
}

impl Flags {
    /// A flag, which is used from now on.
    fn take(&self) -> Result<Used> {
        let idle = lock(&self.state).idle.pop();
        let notify = match idle {
            Some(notify) => notify,
            None => self.driver.run(|| self.driver.create_notify())??,
        };
        let mut state = lock(&self.state);
        state.uses += 1;
        let used = Used { notify, number: state.uses, stage: Stage::Taken };
        state.used.push(used);
        Ok(used)
    }

    fn reach(&self, used: &Used, stage: Stage) {
        let mut state = lock(&self.state);
        if let Some(used) = state.used.iter_mut().find(|known| known.number == used.number) {
            used.stage = used.stage.max(stage);
        }
    }

    /// No stream uses it any more.
    fn give_back(&self, notify: RawNotify) {
        let mut state = lock(&self.state);
        if let Some(at) = state.used.iter().position(|used| used.notify == notify) {
            state.used.swap_remove(at);
            state.idle.push(notify);
        }
    }

    fn setter(&self) -> Result<Arc<Stream>> {
        if let Some(setter) = lock(&self.state).setters.last() {
            return Ok(Arc::clone(setter));
        }
        self.add_setter()
    }

    fn add_setter(&self) -> Result<Arc<Stream>> {
        let made = Arc::new(Stream::create(&self.driver)?);
        lock(&self.state).setters.push(Arc::clone(&made));
        Ok(made)
    }

    /// Sets a flag, also where a first try is refused: a stream of the program hangs otherwise.
    fn set(&self, used: &Used) {
        for rest in (0..TRIES).rev() {
            let setter = if rest == 0 { self.add_setter() } else { self.setter() };
            let set = setter.and_then(|setter| {
                // SAFETY: the stream is ours, and the flag is alive until the waiting stream is past it.
                self.driver.run(|| unsafe { self.driver.queue_notify(setter.raw(), used.notify) }).flatten()
            });
            match set {
                Ok(()) => break,
                Err(error) if rest == 0 => tracing::error!("a stream waits for work that is done: {error}"),
                Err(error) => tracing::warn!("a flag is set again: {error}"),
            }
        }
        self.reach(used, Stage::Set);
    }

    /// Gives flags back to the runtime.
    fn destroy(&self, flags: impl IntoIterator<Item = RawNotify>) {
        for notify in flags {
            // SAFETY: no stream uses it.
            let destroyed = self.driver.run(|| unsafe { self.driver.destroy_notify(notify) });
            if let Err(error) = destroyed.flatten() {
                tracing::warn!("a flag of a stream was not given back: {error}");
            }
        }
    }
}

impl Drop for Flags {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut lock(&self.state).idle);
        self.destroy(idle);
    }
}

impl Waiting {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { flags: Arc::new(Flags { driver: Arc::clone(driver), state: Mutex::default() }) }
    }

    /// Makes sure that the work can be put on a stream. Not inside of the stream's context.
    pub(super) fn prepare(&self) -> Result<Prepared> {
        self.flags.setter()?;
        Ok(Prepared { used: self.flags.take()?, flags: Arc::clone(&self.flags), is_queued: false })
    }

    /// Returns the flags that will not be set any more unless their streams get further.
    pub(super) fn settled(&self) -> Vec<RawNotify> {
        let state = lock(&self.flags.state);
        state.used.iter().filter(|used| used.is_out_of_reach()).map(|used| used.notify).collect()
    }

    /// Gives up those [`settled`](Self::settled) flags that were not given back: every stream is past them,
    /// or was destroyed. They are not used again, as they may be set still.
    pub(super) fn forget_passed(&self, flags: &[RawNotify]) {
        let is_passed = |used: &mut Used| flags.contains(&used.notify) && used.is_out_of_reach();
        let passed: Vec<Used> = lock(&self.flags.state).used.extract_if(.., is_passed).collect();
        self.flags.destroy(passed.into_iter().map(|used| used.notify));
    }
}

/// Resources of one piece of work.
pub(super) struct Prepared {
    flags: Arc<Flags>,
    used: Used,
    /// True if a stream waits for the flag.
    is_queued: bool,
}

impl Drop for Prepared {
    fn drop(&mut self) {
        if !self.is_queued {
            self.flags.give_back(self.used.notify);
        }
    }
}

impl Prepared {
    /// Puts the work on a stream with a current context.
    ///
    /// # Errors
    /// Errors of the driver; the work is not done then.
    ///
    /// # Safety
    /// The stream is alive as long as it has work of ours.
    pub(super) unsafe fn queue(mut self, stream: RawStream, work: Work) -> Result<()> {
        let (notify, decision) = (self.used.notify, Arc::new(Decision::default()));
        let start = {
            let (flags, used) = (Arc::clone(&self.flags), self.used);
            let decision = Arc::clone(&decision);
            Box::new(move || {
                flags.reach(&used, Stage::Begun);
                start(work, decision, move || flags.set(&used));
            })
        };
        let driver = &self.flags.driver;
        // SAFETY: the caller keeps the stream alive as long as it has work of ours.
        unsafe { driver.queue_function(stream, start) }?;
        // SAFETY: the caller keeps the stream alive; the notify is given back behind the wait.
        if let Err(error) = unsafe { driver.queue_wait(stream, notify) } {
            decision.decide(false);
            return Err(error);
        }
        self.is_queued = true;
        self.flags.reach(&self.used, Stage::Queued);
        // Before the next call, which waits for room on the stream where it is full.
        let is_done = decision.decide(true);
        if !is_done {
            self.flags.set(&self.used);
        }
        let flags = Arc::clone(&self.flags);
        // SAFETY: the caller keeps the stream alive as long as it has work of ours.
        let back = unsafe { driver.queue_function(stream, Box::new(move || flags.give_back(notify))) };
        if let Err(error) = back {
            tracing::debug!("a flag is given up later, the stream takes no more: {error}");
        }
        if is_done {
            return Ok(());
        }
        Err(Error::new(Kind::NoResources, OP)
            .what("no thread could be started for the work, which is not done"))
    }
}

/// Decision on work with a start on a stream: run or drop.
#[derive(Default)]
struct Decision {
    decided: Mutex<Option<bool>>,
    changed: Condvar,
}

impl Decision {
    /// Sets the decision, unless it is set already. Returns the decision.
    fn decide(&self, is_done: bool) -> bool {
        let decided = *lock(&self.decided).get_or_insert(is_done);
        self.changed.notify_all();
        decided
    }

    /// Waits for the decision; false at the deadline.
    fn wait(&self, deadline: Option<Instant>) -> bool {
        let mut decided = lock(&self.decided);
        loop {
            if let Some(is_done) = *decided {
                return is_done;
            }
            let left =
                deadline.map_or(LONGEST, |deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return *decided.insert(false);
            }
            decided = wait_notified_for(&self.changed, decided, left);
        }
    }
}

/// Runs the work and then `then` on a new thread; here, if no thread can be started.
fn start(work: Work, decision: Arc<Decision>, then: impl FnOnce() + Send + 'static) {
    let all = move |deadline| {
        if !decision.wait(deadline) {
            return;
        }
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            tracing::error!("work on a stream panicked");
        }
        then();
    };
    let all = Arc::new(Mutex::new(Some(all)));
    let theirs = Arc::clone(&all);
    let thread = std::thread::Builder::new().name("mf-stream".to_owned());
    let started = thread.spawn(move || {
        let all = lock(&theirs).take();
        if let Some(all) = all {
            all(None);
        }
    });
    if let Err(error) = started {
        tracing::warn!("a thread for work on a stream could not be started, others wait for it: {error}");
        let all = lock(&all).take();
        if let Some(all) = all {
            all(Some(Instant::now() + LONGEST));
        }
    }
}
