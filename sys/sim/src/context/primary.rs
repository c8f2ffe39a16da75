// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Setting and resetting devices: references to the primary context, and what ends with the last of them.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::ThreadId;
use std::time::Duration;

use mf_base::sync::lock;

use super::state::{Change, announce};
use super::{Context, contexts, enter};
use crate::clock::{Deadline, wait};
use crate::codes::acl;
use crate::device::{Device, Devices};
use crate::device_ids::MOST_OF_A_SERVER;
use crate::fault::{Fault, Outcome};
use crate::stream::event::events;
use crate::stream::notify::{count_notifies, notifies};
use crate::stream::{Stream, streams};
use crate::{memory, sharing, watch};

/// The primary context of each device, by user number.
static PRIMARIES: [PrimarySlot; MOST_OF_A_SERVER as usize] =
    [const { PrimarySlot { primary: Mutex::new(Primary::NONE), settled: Condvar::new() } };
        MOST_OF_A_SERVER as usize];

struct PrimarySlot {
    primary: Mutex<Primary>,
    /// Signalled when a reset has finished.
    settled: Condvar,
}

/// The primary context of a device.
struct Primary {
    references: u64,
    context: Option<Arc<Context>>,
    /// A thread notifies the program that it is about to make the context.
    announced: bool,
    /// The thread that ends everything; others that set or reset the device wait for it.
    releasing: Option<ThreadId>,
}

impl Primary {
    const NONE: Self = Self { references: 0, context: None, announced: false, releasing: None };
}

fn slot(device: &Device) -> &'static PrimarySlot {
    // The settings admit no more devices than there are slots.
    &PRIMARIES[device.user as usize % PRIMARIES.len()]
}

impl Device {
    /// Makes this the device of the calling thread and counts a reference.
    ///
    /// # Errors
    /// 207008 if the device has no free streams.
    pub fn set(self: &Arc<Self>) -> Outcome {
        let announces = {
            let mut primary = lock(&slot(self).primary);
            let first = primary.context.is_none() && !primary.announced;
            primary.announced |= first;
            first
        };
        if announces {
            announce(self.user, Change::SetPre);
        }
        let context = self.retain(announces)?;
        enter(context);
        if announces {
            announce(self.user, Change::SetPost);
        }
        Ok(())
    }

    fn retain(self: &Arc<Self>, announced: bool) -> Outcome<Arc<Context>> {
        let mut primary = self.settled()?;
        if announced {
            primary.announced = false;
        }
        let context = match &primary.context {
            Some(context) => Arc::clone(context),
            None => Context::create(self, true)?,
        };
        primary.context = Some(Arc::clone(&context));
        primary.references += 1;
        Ok(context)
    }

    /// Makes another context on this device, which becomes the calling thread's.
    ///
    /// # Errors
    /// 207008 if the device has no free streams.
    pub fn new_context(self: &Arc<Self>) -> Outcome<Arc<Context>> {
        let primary = self.settled()?;
        let context = Context::create(self, false)?;
        drop(primary);
        enter(Arc::clone(&context));
        Ok(context)
    }

    /// Returns true if the primary context exists.
    pub fn is_set(&self) -> bool {
        lock(&slot(self).primary).context.is_some()
    }

    /// Its streams of this process, in the order in which they were made.
    ///
    /// # Errors
    /// None that a living process could see.
    pub fn streams(self: &Arc<Self>) -> Outcome<Vec<Arc<Stream>>> {
        let mut streams = streams()?.all();
        streams.retain(|stream| Arc::ptr_eq(&stream.device, self));
        streams.sort_by_key(|stream| stream.handle);
        Ok(streams)
    }

    /// Waits for all its streams of this process, at most `timeout`.
    ///
    /// # Errors
    /// As [`Stream::synchronize`], of the first stream that has one.
    pub fn synchronize(self: &Arc<Self>, timeout: Option<Duration>) -> Outcome {
        let deadline = Deadline::after(timeout);
        for stream in self.streams()? {
            match stream.synchronize(deadline.left()) {
                // Another thread destroyed it meanwhile; there is nothing more to wait for.
                Err(_) if stream.is_closed() => {}
                outcome => outcome?,
            }
        }
        Ok(())
    }

    /// Aborts all its streams of this process and waits, at most `timeout`, until no task runs.
    ///
    /// # Errors
    /// 507000 when a task does not give up.
    pub fn abort(self: &Arc<Self>, timeout: Duration) -> Outcome {
        let streams = self.streams()?;
        let deadline = Deadline::after(Some(timeout));
        for stream in &streams {
            stream.cancel(acl::DEVICE_TASK_ABORT);
        }
        streams.iter().try_for_each(|stream| stream.wait_quiet(deadline))
    }

    /// The state of the primary context, while it is not ending.
    fn settled(&self) -> Outcome<MutexGuard<'static, Primary>> {
        let mut primary = lock(&slot(self).primary);
        while let Some(thread) = primary.releasing {
            if thread == std::thread::current().id() {
                return Err(Fault::new(
                    acl::CONTEXT_NULL,
                    format_args!("device {} is being reset by this thread", self.user),
                ));
            }
            primary = wait(&slot(self).settled, primary, Deadline::NEVER);
        }
        Ok(primary)
    }

    /// Drops one reference, or all; with the last one everything that this process has on the device ends.
    ///
    /// # Errors
    /// 107002 if it was not set · 507000 if a running task does not end; its memory then stays.
    pub fn reset(self: &Arc<Self>, all: bool) -> Outcome {
        let mut primary = self.settled()?;
        if primary.references == 0 {
            return Err(Fault::new(
                acl::CONTEXT_NULL,
                format_args!("device {} is not set in this process", self.user),
            ));
        }
        primary.references = if all { 0 } else { primary.references - 1 };
        if primary.references > 0 {
            return Ok(());
        }
        self.end(primary)
    }

    /// Ends everything, and notifies the program if the device was set.
    fn end(self: &Arc<Self>, mut primary: MutexGuard<'static, Primary>) -> Outcome {
        primary.references = 0;
        primary.releasing = Some(std::thread::current().id());
        let was_set = primary.context.take().is_some();
        drop(primary);
        if was_set {
            announce(self.user, Change::ResetPre);
        }
        let outcome = self.release();
        lock(&slot(self).primary).releasing = None;
        slot(self).settled.notify_all();
        if was_set {
            announce(self.user, Change::ResetPost);
        }
        outcome
    }

    /// Ends all objects of this process on the device without waiting for queued tasks. Assumed: contexts
    /// created by the program end as well.
    fn release(self: &Arc<Self>) -> Outcome {
        let here = |device: &Arc<Self>| Arc::ptr_eq(device, self);
        let mut ended = Vec::new();
        for context in contexts()?.all() {
            if here(&context.device) {
                ended.append(&mut context.end()?);
            }
        }
        events()?.remove_where(|event| here(&event.device));
        notifies()?.remove_where(|notify| here(&notify.device));
        count_notifies()?.remove_where(|notify| here(&notify.device));
        // Memory must not go while a task that was already running still uses it.
        ended.iter().try_for_each(|stream| stream.wait_quiet(Stream::timeout()))?;
        sharing::release_device(self.physical);
        memory::release_device(self.physical)?;
        self.health.repair();
        watch::heal(self.physical);
        Ok(())
    }
}

impl Devices {
    /// Ends everything this process has on any device.
    ///
    /// # Errors
    /// The first that occurs; all devices are reset nevertheless.
    pub fn reset_all(&self) -> Outcome {
        let mut outcome = Ok(());
        for device in self.all() {
            let result = device.settled().and_then(|primary| device.end(primary));
            outcome = outcome.and(result);
        }
        outcome
    }
}
