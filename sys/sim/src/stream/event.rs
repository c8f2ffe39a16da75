// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Events: points in a stream that others wait for.
//!
//! Recording makes a *mark* in the stream and the event's latest one; a wait uses the latest mark at the time
//! it is issued, so recording again affects no earlier wait. Waiting tasks hold the mark, and the event's
//! number is released after the last task that uses it: destroying an event never disturbs them.
//!
//! * [`mark`]: the points.

mod mark;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use super::latch::{Latch, LatchState};
use super::slot::Slot;
use super::{Running, Stream, Task};
use crate::clock::Deadline;
use crate::codes::acl;
use crate::device::Device;
use crate::fault::{Fault, Outcome, ensure};
use crate::handles::HandleTable;
use crate::machine::machine;
use crate::session::{Number, Offer, Pool, Published, Sort};
use mark::{MADE, Mark, Reach};
use mf_base::sync::lock;

/// Bits of an event's flags.
#[allow(missing_docs, reason = "the names are CANN's")]
pub mod flag {
    pub const SYNC: u32 = 1;
    pub const TIME_LINE: u32 = 8;
    pub const DEVICE_USE_ONLY: u32 = 0x10;
    pub const IPC: u32 = 0x40;
    pub const ALL: u32 = 0x7b;
}

static EVENTS: LazyLock<HandleTable<Event>> = LazyLock::new(|| HandleTable::new("event"));

/// Living events of this process.
///
/// # Errors
/// The machine's own.
pub fn events() -> Outcome<&'static HandleTable<Event>> {
    machine()?;
    Ok(&EVENTS)
}

/// An event.
pub struct Event {
    /// Its handle.
    pub handle: usize,
    /// Its device.
    pub device: Arc<Device>,
    id: u32,
    /// `None` for an event of another process.
    _number: Option<Number>,
    flags: u32,
    /// It may be recorded again without a reset.
    is_reusable: bool,
    history: Mutex<History>,
    /// Waits that were issued and have not ended.
    waits: AtomicUsize,
    /// For events that several processes may share.
    shared: Option<Arc<Slot>>,
    published: Mutex<Option<Published>>,
}

#[derive(Default)]
struct History {
    latest: Option<Mark>,
    /// A reset was issued after the latest record.
    reset: bool,
}

impl Event {
    /// An event of `device`.
    ///
    /// # Errors
    /// 207007 if the device has no free events.
    pub fn create(device: &Arc<Device>, flags: u32, is_reusable: bool) -> Outcome<Arc<Self>> {
        let number = machine()?.session.number(device.physical, Pool::Event)?;
        let shared = if flags & flag::IPC == 0 { None } else { Some(Slot::fresh()?) };
        // The other processes cannot be notified of a reset.
        let is_reusable = is_reusable || shared.is_some();
        Self::build(device, number.value, Some(number), flags, is_reusable, shared)
    }

    /// The event of another process, for a thread that uses `device`.
    ///
    /// # Errors
    /// 507022 for a handle of nothing · 207006 when this process may not.
    pub fn import(device: &Arc<Device>, number: u64, secret: u64) -> Outcome<Arc<Self>> {
        let fetched = machine()?.session.fetch(Sort::Event, number, Some(secret), acl::IPC_ERROR)?;
        let slot = Slot::of_file(&fetched.file, fetched.facts[0])?;
        let id = u32::try_from(fetched.facts[1]).unwrap_or(u32::MAX);
        Self::build(device, id, None, flag::IPC, true, Some(slot))
    }

    fn build(
        device: &Arc<Device>,
        id: u32,
        number: Option<Number>,
        flags: u32,
        is_reusable: bool,
        shared: Option<Slot>,
    ) -> Outcome<Arc<Self>> {
        let (_, event) = events()?.insert_with(|handle| Self {
            handle: handle.addr(),
            device: Arc::clone(device),
            id,
            _number: number,
            flags,
            is_reusable,
            history: Mutex::default(),
            waits: AtomicUsize::new(0),
            shared: shared.map(Arc::new),
            published: Mutex::default(),
        });
        Ok(event)
    }

    /// Its number on the device.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Number and secret by which other processes find it.
    ///
    /// # Errors
    /// 107000 when it was not made for that · 207005 when the machine has no room.
    pub fn publish(&self) -> Outcome<(u64, u64)> {
        let Some(slot) = &self.shared else {
            return Err(Fault::new(acl::RT_PARAM_INVALID, "the event was made without the flag IPC"));
        };
        let mut published = lock(&self.published);
        if published.is_none() {
            let (file, offset) = slot.show()?;
            let facts = [offset, self.id.into(), self.device.physical.into(), 0, 0, 0];
            let offer = Offer { sort: Sort::Event, file, claim: None, facts, open: true, fabric: false };
            *published = Some(machine()?.session.publish(offer)?);
        }
        match &*published {
            Some(offer) => Ok((offer.number, offer.secret)),
            None => Err(Fault::new(acl::INTERNAL_ERROR, "the event was not published")),
        }
    }

    /// Records the event behind the tasks issued to `stream` so far.
    ///
    /// # Errors
    /// 107000 for a second record without reset where one is needed · as [`Stream::push`].
    pub fn record(self: &Arc<Self>, stream: &Arc<Stream>) -> Outcome {
        self.check_unused()?;
        let mark = match &self.shared {
            Some(slot) => self.mark_shared(slot, stream)?,
            None => self.mark_local(stream)?,
        };
        *lock(&self.history) = History { latest: Some(mark), reset: false };
        Ok(())
    }

    /// Assumed: recording a plain event again without a reset is an error for the strict and allowed
    /// otherwise.
    fn check_unused(&self) -> Outcome {
        let history = lock(&self.history);
        let used = history.latest.is_some() && !history.reset && !self.is_reusable;
        ensure(!used || !machine()?.config.strict, acl::RT_PARAM_INVALID, || {
            "the event was recorded and not reset; only events of aclrtCreateEventExWithFlag may be recorded again"
                .to_owned()
        })
    }

    fn mark_local(self: &Arc<Self>, stream: &Arc<Stream>) -> Outcome<Mark> {
        let (latch, promise) = Latch::new();
        let event = Arc::clone(self);
        let run = move |_: &Running| {
            // First, so that a caller that has waited finds the event's number free.
            drop(event);
            promise.keep();
            Ok(())
        };
        let number = stream.append(Task { name: "event record", run: Box::new(run) })?;
        Ok(Mark::Local { latch, stream: Arc::downgrade(stream), number })
    }

    fn mark_shared(self: &Arc<Self>, slot: &Arc<Slot>, stream: &Arc<Stream>) -> Outcome<Mark> {
        // A mark that was made counts: if the stream refuses it, it is lost, and its waiters are notified of
        // that.
        let number = slot.word(MADE).fetch_add(1, Ordering::AcqRel) + 1;
        let reach = Reach::new(slot, number);
        let event = Arc::clone(self);
        stream.push("event record", move |_| {
            drop(event);
            reach.reach();
            Ok(())
        })?;
        Ok(Mark::Shared { slot: Arc::clone(slot), number })
    }

    /// The mark a wait that is issued now is for.
    fn latest(&self) -> Option<Mark> {
        if let Some(slot) = &self.shared {
            // Any process may have made it.
            let number = slot.word(MADE).load(Ordering::Acquire);
            return (number > 0).then(|| Mark::Shared { slot: Arc::clone(slot), number });
        }
        lock(&self.history).latest.clone()
    }

    /// Lets `stream` wait for the latest mark, if there is one, at most until `deadline`.
    ///
    /// # Errors
    /// As [`Stream::push`].
    pub fn wait(self: &Arc<Self>, stream: &Arc<Stream>, timeout: Option<Duration>) -> Outcome {
        let mark = if lock(&self.history).reset { None } else { self.latest() };
        let Some(mark) = mark else { return Ok(()) };
        self.waits.fetch_add(1, Ordering::AcqRel);
        let wait = Waiting(Arc::clone(self));
        stream.push("event wait", move |running| {
            let deadline = Deadline::after(timeout).or_earlier(super::timeouts::wait());
            let outcome = mark.wait_in(running, deadline);
            drop(wait);
            outcome
        })
    }

    /// Resets the event after the tasks issued to `stream` so far, as if it was never recorded.
    ///
    /// # Errors
    /// Assumed: 107000 for an event that needs no reset · as [`Stream::push`].
    pub fn reset(self: &Arc<Self>, stream: &Arc<Stream>) -> Outcome {
        ensure(!self.is_reusable, acl::RT_PARAM_INVALID, || {
            "this event may be recorded again without a reset, and cannot be reset".to_owned()
        })?;
        let event = Arc::clone(self);
        // The reset applies to new records and waits from this call on, and to queries when the stream
        // reaches it.
        lock(&self.history).reset = true;
        stream.push("event reset", move |_| {
            let mut history = lock(&event.history);
            if history.reset {
                history.latest = None;
            }
            Ok(())
        })
    }

    /// Returns true if the latest mark was reached, or if there is none.
    pub fn is_reached(&self) -> bool {
        self.latest().is_none_or(|mark| mark.is_reached())
    }

    /// Returns true if no issued wait is pending.
    pub fn is_waited(&self) -> bool {
        self.waits.load(Ordering::Acquire) == 0
    }

    /// Waits on the host for the latest mark, at most `timeout`, and reports what failed before it.
    ///
    /// # Errors
    /// 507047 after `timeout` · the fault of the stream, once.
    pub fn synchronize(&self, timeout: Option<Duration>) -> Outcome {
        let Some(mark) = self.latest() else { return Ok(()) };
        let deadline = Deadline::after(timeout);
        if !mark.wait(deadline)? {
            return Err(Fault::new(
                acl::EVENT_SYNC_TIMEOUT,
                format_args!("event {} was not reached within {timeout:?}", self.id),
            ));
        }
        mark.report()
    }

    /// When the latest mark was reached.
    ///
    /// # Errors
    /// 107006 when it was not, or the event keeps no times.
    pub fn time(&self) -> Outcome<Duration> {
        let refuse =
            |why: &str| Fault::new(acl::EVENT_TIMESTAMP_INVALID, format_args!("event {} {why}", self.id));
        if self.flags & flag::TIME_LINE == 0 {
            return Err(refuse("was made without the flag TIME_LINE"));
        }
        match self.latest() {
            None => Err(refuse("was not recorded")),
            Some(Mark::Shared { .. }) => Err(refuse("is shared with other processes and keeps no times")),
            Some(Mark::Local { latch, .. }) => match latch.state() {
                LatchState::Kept(time) => Ok(time),
                LatchState::Open => Err(refuse("was not reached yet")),
                LatchState::Broken => Err(refuse("was dropped with its stream")),
            },
        }
    }
}

/// A wait that was issued and has not ended.
struct Waiting(Arc<Event>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waits.fetch_sub(1, Ordering::AcqRel);
    }
}
