// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Events: marks of how far streams have come.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::device_key::DeviceKey;
use crate::lock::lock;

/// An event.
pub(crate) struct Event {
    pub(crate) place: DeviceKey,
    records: Mutex<Records>,
    changed: Condvar,
}

#[derive(Default)]
struct Records {
    put: u64,
    reached: u64,
}

impl Event {
    /// An event of a device.
    pub(crate) fn new(place: DeviceKey) -> Self {
        Self { place, records: Mutex::default(), changed: Condvar::new() }
    }

    /// Counts a record, and returns its number.
    pub(crate) fn put(&self) -> u64 {
        let mut records = lock(&self.records);
        records.put += 1;
        records.put
    }

    /// Returns true if the last record is reached.
    pub(crate) fn is_reached(&self) -> bool {
        let records = lock(&self.records);
        records.reached >= records.put
    }

    /// A stream has reached a record.
    pub(crate) fn reach(&self, record: u64) {
        let mut records = lock(&self.records);
        records.reached = records.reached.max(record);
        self.changed.notify_all();
    }

    /// Waits for a record.
    pub(crate) fn wait(&self, record: u64) {
        let mut records = lock(&self.records);
        while records.reached < record {
            records = self.changed.wait(records).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns the number of the last record.
    pub(crate) fn last(&self) -> u64 {
        lock(&self.records).put
    }
}
