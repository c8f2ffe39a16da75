// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lanes and streams: a thread each, which executes its work in order.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_device::{Lane, RawStream, Transfer, Word};
use mf_tests::deadline;

use super::{OP, Shared, Site};

/// Work in flight on all lanes and streams of a device, and whether it is held up.
#[derive(Default)]
pub(super) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    in_flight: u32,
    /// Held up; waits end after this timeout.
    held: Option<Duration>,
}

impl Gate {
    pub(super) fn hold(&self, timeout: Duration) {
        lock(&self.state).held = Some(timeout);
    }

    pub(super) fn go_on(&self) {
        lock(&self.state).held = None;
        self.changed.notify_all();
    }

    pub(super) fn is_idle(&self) -> bool {
        lock(&self.state).in_flight == 0
    }

    pub(super) fn until_idle(&self) -> Result<()> {
        self.wait(|state| state.in_flight == 0)
    }

    fn begin(&self) {
        lock(&self.state).in_flight += 1;
    }

    fn end(&self) {
        lock(&self.state).in_flight -= 1;
        self.changed.notify_all();
    }

    /// Waits until nothing is held up, as the device itself does.
    fn pass(&self) {
        let mut state = lock(&self.state);
        while state.held.is_some() {
            state = self.changed.wait(state).unwrap();
        }
    }

    fn wait(&self, done: impl Fn(&State) -> bool) -> Result<()> {
        let begin = Instant::now();
        let mut state = lock(&self.state);
        while !done(&state) {
            let timeout = state.held.unwrap_or_else(deadline::limit);
            let Some(left) = timeout.checked_sub(begin.elapsed()).filter(|left| !left.is_zero()) else {
                return Err(Error::new(Kind::Timeout, OP).what("the device does not come to an end"));
            };
            state = self.changed.wait_timeout(state, left).unwrap().0;
        }
        Ok(())
    }
}

/// Work of a lane or stream.
pub(super) enum Work {
    Copies(Vec<Transfer>),
    Word(u64, Word),
    Function(Box<dyn FnOnce() + Send>),
}

/// Copies in order, on a thread.
pub(super) struct Line {
    shared: Arc<Shared>,
    sender: Option<Sender<Work>>,
    progress: Arc<Mutex<Progress>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Progress {
    queued: u64,
    done: u64,
    failed: Option<Error>,
}

impl Line {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let (sender, receiver) = channel::<Work>();
        let progress = Arc::<Mutex<Progress>>::default();
        let (device, mine) = (Arc::clone(&shared), Arc::clone(&progress));
        let work = move || {
            for work in receiver {
                device.held.pass();
                let all = || match work {
                    Work::Copies(all) => all.iter().try_for_each(|transfer| device.transfer(transfer)),
                    Work::Word(address, word) => word.written(address, |transfer| device.transfer(transfer)),
                    Work::Function(function) => {
                        function();
                        Ok(())
                    }
                };
                let result = device.check(Site::Queued).and_then(|()| all());
                let mut progress = lock(&mine);
                progress.done += 1;
                if let (Err(error), None) = (result, &progress.failed) {
                    progress.failed = Some(error);
                }
                drop(progress);
                device.held.end();
            }
        };
        let thread = std::thread::Builder::new().name("scripted-lane".to_owned()).spawn(work).unwrap();
        Self { shared, sender: Some(sender), progress, thread: Some(thread) }
    }

    pub(super) fn push(&self, work: Work) {
        lock(&self.progress).queued += 1;
        self.shared.held.begin();
        let sent = self.sender.as_ref().map(|sender| sender.send(work));
        assert!(matches!(sent, Some(Ok(()))), "the thread of a lane is gone");
    }

    fn until_done(&self) -> Result<()> {
        self.shared.held.wait(|_| {
            let progress = lock(&self.progress);
            progress.done == progress.queued
        })
    }
}

impl Lane for Line {
    unsafe fn enqueue(&self, transfers: &[Transfer]) -> Result<()> {
        self.shared.call("enqueue");
        self.shared.check(Site::Enqueue)?;
        self.push(Work::Copies(transfers.to_vec()));
        Ok(())
    }

    unsafe fn write_word(&self, address: u64, word: Word) -> Result<()> {
        self.shared.call("write word");
        self.shared.check(Site::Enqueue)?;
        word.written(address, |_| Ok(()))?;
        self.push(Work::Word(address, word));
        Ok(())
    }

    fn wait(&self) -> Result<()> {
        self.shared.call("wait");
        self.until_done()?;
        lock(&self.progress).failed.take().map_or(Ok(()), Err)
    }

    fn drain(&self) {
        self.shared.call("drain");
        let _ = self.until_done();
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.sender = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// A stream of a program.
pub(crate) struct Stream(Line);

impl Stream {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self(Line::new(shared))
    }

    /// Its name in calls of the C interface.
    pub(crate) fn raw(&self) -> RawStream {
        RawStream(std::ptr::from_ref(self).cast_mut().cast())
    }

    /// Waits until everything on it is done; gives the first error.
    pub(crate) fn synchronize(&self) -> Result<()> {
        self.0.until_done()?;
        lock(&self.0.progress).failed.take().map_or(Ok(()), Err)
    }

    pub(super) fn push(&self, work: Work) {
        self.0.push(work);
    }
}
