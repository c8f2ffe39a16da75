// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notifies: flags that a stream of one process sets and a stream of another takes.
//!
//! The flag is the bell of a [`Slot`] itself: 0 or 1. A counting notify uses it as its count.

use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock, Mutex};

use mf_base::sync::lock;

use super::Running;
use super::slot::Slot;
use crate::clock::Deadline;
use crate::codes::acl;
use crate::device::Device;
use crate::fault::{Fault, Outcome, ensure};
use crate::handles::HandleTable;
use crate::machine::machine;
use crate::session::{Number, Offer, Pool, Published, Sort};

static NOTIFIES: LazyLock<HandleTable<Notify>> = LazyLock::new(|| HandleTable::new("notify"));
static COUNT_NOTIFIES: LazyLock<HandleTable<Notify>> = LazyLock::new(|| HandleTable::new("counting notify"));

/// Living notifies, of this process or imported.
///
/// # Errors
/// The machine's own.
pub fn notifies() -> Outcome<&'static HandleTable<Notify>> {
    machine()?;
    Ok(&NOTIFIES)
}

/// Living counting notifies.
///
/// # Errors
/// The machine's own.
pub fn count_notifies() -> Outcome<&'static HandleTable<Notify>> {
    machine()?;
    Ok(&COUNT_NOTIFIES)
}

/// A notify.
pub struct Notify {
    /// Its handle.
    pub handle: usize,
    /// The device that waits on it.
    pub device: Arc<Device>,
    id: u32,
    /// `None` for a notify of another process.
    number: Option<Number>,
    slot: Slot,
    published: Mutex<Option<(Published, bool)>>,
}

impl Notify {
    /// A notify of `device`, or, with `counts`, a counting one; they are known by handles of different sorts.
    ///
    /// # Errors
    /// 207009 if the device has no free notifies.
    pub fn create(device: &Arc<Device>, counts: bool) -> Outcome<Arc<Self>> {
        let number = machine()?.session.number(device.physical, Pool::Notify)?;
        let slot = Slot::fresh()?;
        let table = if counts { count_notifies()? } else { notifies()? };
        let (_, notify) = table.insert_with(|handle| Self {
            handle: handle.addr(),
            device: Arc::clone(device),
            id: number.value,
            number: Some(number),
            slot,
            published: Mutex::default(),
        });
        Ok(notify)
    }

    /// The notify of another process, for a thread that uses `device`.
    ///
    /// # Errors
    /// 507022 for a key of nothing · 207006 when this process may not.
    pub fn import(device: &Arc<Device>, number: u64, secret: u64) -> Outcome<Arc<Self>> {
        let fetched = machine()?.session.fetch(Sort::Notify, number, Some(secret), acl::IPC_ERROR)?;
        let slot = Slot::of_file(&fetched.file, fetched.facts[0])?;
        let id = u32::try_from(fetched.facts[1]).unwrap_or(u32::MAX);
        let (_, notify) = notifies()?.insert_with(|handle| Self {
            handle: handle.addr(),
            device: Arc::clone(device),
            id,
            number: None,
            slot,
            published: Mutex::default(),
        });
        Ok(notify)
    }

    /// The notify of this process that has this number on the device.
    pub fn with_id(device: &Arc<Device>, id: u32) -> Option<Arc<Self>> {
        let notifies = notifies().ok()?.all();
        notifies
            .into_iter()
            .find(|notify| notify.id == id && notify.number.is_some() && Arc::ptr_eq(&notify.device, device))
    }

    /// Its number on the device.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Returns true if it belongs to another process.
    pub fn is_imported(&self) -> bool {
        self.number.is_none()
    }

    /// Number and secret by which other processes find it. `open`: any of them may.
    ///
    /// # Errors
    /// 107000 for a notify of another process · 207005 if the machine has no room.
    pub fn publish(&self, open: bool) -> Outcome<(u64, u64)> {
        let mut published = lock(&self.published);
        if let Some((offer, was_open)) = &*published
            && *was_open == open
        {
            return Ok((offer.number, offer.secret));
        }
        let (file, offset) = self.slot.show()?;
        let facts = [offset, self.id.into(), self.device.physical.into(), 0, 0, 0];
        let offer = Offer { sort: Sort::Notify, file, claim: None, facts, open, fabric: false };
        let offer = machine()?.session.publish(offer)?;
        let key = (offer.number, offer.secret);
        *published = Some((offer, open));
        Ok(key)
    }

    /// Lets these processes import it.
    ///
    /// # Errors
    /// 107000 when it has no key yet · 207006 when its key is open to all.
    pub fn allow(&self, processes: &[i32]) -> Outcome {
        match &*lock(&self.published) {
            Some((offer, _)) => offer.allow(processes),
            None => Err(Fault::new(acl::RT_PARAM_INVALID, "the notify has no export key yet")),
        }
    }

    /// Sets the flag.
    pub fn record(&self) {
        // Release: the thread that takes the flag also observes the writes before it. Pairs with `take`.
        self.slot.bell().swap(1, Ordering::AcqRel);
        self.slot.wake();
    }

    /// Takes the flag, if it is set.
    pub fn take(&self) -> bool {
        self.slot.bell().compare_exchange(1, 0, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Clears the flag.
    pub fn reset(&self) {
        self.slot.bell().store(0, Ordering::Release);
    }

    /// Waits for the flag and takes it.
    ///
    /// # Errors
    /// As [`Running::check`].
    pub fn wait(&self, running: &Running, deadline: Deadline) -> Outcome {
        while !self.take() {
            running.check("a wait for a notify", deadline)?;
            self.slot.sleep(0, deadline.slice());
        }
        Ok(())
    }

    /// The count of a counting notify.
    pub fn count(&self) -> u32 {
        self.slot.bell().load(Ordering::Acquire)
    }

    /// Changes the count.
    pub fn change(&self, change: impl Fn(u32) -> u32) {
        // The function always answers, so this always succeeds.
        let _ =
            self.slot.bell().fetch_update(Ordering::AcqRel, Ordering::Relaxed, |count| Some(change(count)));
        self.slot.wake();
    }

    /// Waits until the count `suits`, and clears it then if `clear`.
    ///
    /// # Errors
    /// As [`Running::check`].
    pub fn wait_count(
        &self,
        running: &Running,
        deadline: Deadline,
        suits: impl Fn(u32) -> bool,
        clear: bool,
    ) -> Outcome {
        loop {
            let count = self.count();
            let taken = suits(count)
                && (!clear
                    || self
                        .slot
                        .bell()
                        .compare_exchange(count, 0, Ordering::AcqRel, Ordering::Relaxed)
                        .is_ok());
            if taken {
                return Ok(());
            }
            running.check("a wait for a counting notify", deadline)?;
            if !suits(count) {
                self.slot.sleep(count, deadline.slice());
            }
        }
    }

    /// Refuses what only the process that made it may do.
    ///
    /// # Errors
    /// Assumed: 107000.
    pub fn own(&self) -> Outcome {
        ensure(!self.is_imported(), acl::RT_PARAM_INVALID, || {
            "the notify belongs to another process; it can only be recorded here".to_owned()
        })
    }
}
