// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions of the program that a thread of the program runs for streams: `aclrtSubscribeReport` names the
//! thread, `aclrtLaunchCallback` puts a function into the stream, and when the stream gets there, the next
//! `aclrtProcessReport` of that thread calls it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::Duration;

use mf_base::sync::lock;

use super::callback::Call;
use super::latch::{Latch, LatchState, Promise};
use super::{Running, Stream};
use crate::clock::{Deadline, wait};
use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::machine::machine;

/// Which threads serve which streams.
#[derive(Default)]
pub struct Reports {
    /// By handle of the stream.
    streams: Mutex<HashMap<usize, Arc<Inbox>>>,
}

static REPORTS: LazyLock<Reports> = LazyLock::new(Reports::default);

/// Threads of this process that run callbacks of streams.
///
/// # Errors
/// The machine's own.
pub fn reports() -> Outcome<&'static Reports> {
    machine()?;
    Ok(&REPORTS)
}

/// Queue of callbacks for a thread.
struct Inbox {
    thread: u64,
    state: Mutex<Arrived>,
    arrived: Condvar,
}

#[derive(Default)]
struct Arrived {
    calls: VecDeque<(Call, Option<Promise>)>,
    /// No stream uses it any longer.
    ended: bool,
}

/// The number by which programs name the calling thread. Assumed: what `pthread_self` gives.
pub fn this_thread() -> u64 {
    // SAFETY: has no preconditions.
    unsafe { libc::pthread_self() }
}

impl Reports {
    /// From now on `thread` calls the functions of `stream`.
    ///
    /// # Errors
    /// Assumed: 107011 when a thread does already.
    pub fn subscribe(&self, thread: u64, stream: &Stream) -> Outcome {
        let mut streams = lock(&self.streams);
        ensure(!streams.contains_key(&stream.handle), acl::STREAM_SUBSCRIBE, || {
            format!("stream {} is served by a thread already", stream.id())
        })?;
        let inbox = streams.values().find(|inbox| inbox.thread == thread).cloned();
        let fresh = || Arc::new(Inbox { thread, state: Mutex::default(), arrived: Condvar::new() });
        streams.insert(stream.handle, inbox.unwrap_or_else(fresh));
        Ok(())
    }

    /// Ends that.
    ///
    /// # Errors
    /// 107011 when no thread serves the stream · 107012 when it is another one.
    pub fn unsubscribe(&self, thread: u64, stream: &Stream) -> Outcome {
        let served_by = lock(&self.streams).get(&stream.handle).map(|inbox| inbox.thread);
        let served_by = served_by.ok_or_else(|| {
            Fault::new(acl::STREAM_SUBSCRIBE, format_args!("no thread serves stream {}", stream.id()))
        })?;
        ensure(served_by == thread, acl::THREAD_SUBSCRIBE, || {
            format!("thread {served_by:#x} serves stream {}, not {thread:#x}", stream.id())
        })?;
        self.forget(stream);
        Ok(())
    }

    /// The stream ends.
    pub fn forget(&self, stream: &Stream) {
        let mut streams = lock(&self.streams);
        let Some(inbox) = streams.remove(&stream.handle) else { return };
        if streams.values().any(|other| Arc::ptr_eq(other, &inbox)) {
            return;
        }
        drop(streams);
        let dropped = {
            let mut state = lock(&inbox.state);
            state.ended = true;
            std::mem::take(&mut state.calls)
        };
        inbox.arrived.notify_all();
        drop(dropped);
    }

    /// Puts a function into the stream. With `holds` the stream goes on only after the function returned.
    ///
    /// # Errors
    /// 107015 when no thread serves the stream · as [`Stream::push`].
    pub fn launch(&self, call: Call, holds: bool, stream: &Arc<Stream>) -> Outcome {
        let inbox = lock(&self.streams).get(&stream.handle).cloned().ok_or_else(|| {
            Fault::new(
                acl::STREAM_NO_CB_REG,
                format_args!("no thread serves stream {}; call aclrtSubscribeReport first", stream.id()),
            )
        })?;
        stream.push("callback", move |running| inbox.deliver(call, holds, running))
    }

    /// Runs the callbacks that have arrived for the calling thread; waits for them, at most `timeout`.
    ///
    /// # Errors
    /// 107012 when the thread serves no stream · 507012 when nothing arrived.
    pub fn process(&self, timeout: Option<Duration>) -> Outcome {
        let thread = this_thread();
        let inbox = lock(&self.streams).values().find(|inbox| inbox.thread == thread).cloned();
        let unknown =
            || Fault::new(acl::THREAD_SUBSCRIBE, format_args!("thread {thread:#x} serves no stream"));
        let inbox = inbox.ok_or_else(unknown)?;
        let deadline = Deadline::after(timeout);
        let mut state = lock(&inbox.state);
        while state.calls.is_empty() {
            if state.ended {
                return Err(unknown());
            }
            if deadline.is_over() {
                return Err(Fault::new(
                    acl::REPORT_TIMEOUT,
                    format_args!("no callback arrived within {timeout:?}"),
                ));
            }
            state = wait(&inbox.arrived, state, deadline);
        }
        let calls = std::mem::take(&mut state.calls);
        drop(state);
        for (call, promise) in calls {
            call.run();
            if let Some(promise) = promise {
                promise.keep();
            }
        }
        Ok(())
    }
}

impl Inbox {
    fn deliver(&self, call: Call, holds: bool, running: &Running) -> Outcome {
        let (latch, promise) = Latch::new();
        {
            let mut state = lock(&self.state);
            if state.ended {
                drop(promise);
            } else {
                state.calls.push_back((call, holds.then_some(promise)));
            }
        }
        self.arrived.notify_all();
        if !holds {
            return Ok(());
        }
        match latch.wait_in(running, "a callback", Deadline::NEVER)? {
            LatchState::Broken => {
                Err(Fault::new(acl::STREAM_NO_CB_REG, "the thread that was to call it went away"))
            }
            LatchState::Open | LatchState::Kept(_) => Ok(()),
        }
    }
}
