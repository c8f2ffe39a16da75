// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A backend in memory, with faults on demand.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Arc, Mutex};

use super::{Backend, Fault, Fill};

/// State shared by all handles on one table.
#[derive(Default)]
pub(crate) struct TableState {
    pub(crate) values: BTreeMap<String, Vec<u8>>,
    pub(crate) locks: BTreeSet<String>,
    /// Every operation fails with this.
    pub(crate) broken: Option<Fault>,
    pub(crate) operations: usize,
}

/// A handle on a table.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) rows: Arc<Mutex<TableState>>,
    pub(crate) distributed: bool,
}

impl Table {
    pub(crate) fn new(distributed: bool) -> Self {
        Self { rows: Arc::default(), distributed }
    }

    pub(crate) fn text(&self, key: &str) -> Option<String> {
        let rows = self.rows.lock().unwrap();
        rows.values.get(key).map(|value| String::from_utf8(value.clone()).unwrap())
    }

    fn with<T>(&self, body: impl FnOnce(&mut TableState) -> Result<T, Fault>) -> Result<T, Fault> {
        let mut rows = self.rows.lock().unwrap();
        rows.operations += 1;
        match rows.broken {
            Some(fault) => Err(fault),
            None => body(&mut rows),
        }
    }
}

impl Backend for Table {
    fn distributed(&self) -> bool {
        self.distributed
    }

    fn put(&self, key: &str, value: &[u8]) -> Result<(), Fault> {
        self.with(|rows| {
            rows.values.insert(key.to_owned(), value.to_vec());
            Ok(())
        })
    }

    fn get(&self, key: &str) -> Result<Vec<u8>, Fault> {
        self.with(|rows| rows.values.get(key).cloned().ok_or(Fault::NoEntry))
    }

    fn prefix_get(&self, prefix: &str, marker: &str, fill: Fill<'_>) -> Result<(), Fault> {
        self.with(|rows| {
            let behind = rows.values.range::<str, _>((Bound::Excluded(marker), Bound::Unbounded));
            for (key, value) in behind.filter(|(key, _)| key.starts_with(prefix)) {
                if !fill(key, value) {
                    break;
                }
            }
            Ok(())
        })
    }

    fn remove(&self, key: &str) -> Result<(), Fault> {
        self.with(|rows| rows.values.remove(key).map(drop).ok_or(Fault::NoEntry))
    }

    fn lock(&self, name: &str) -> Result<(), Fault> {
        self.try_lock(name)
    }

    fn try_lock(&self, name: &str) -> Result<(), Fault> {
        self.with(|rows| if rows.locks.insert(name.to_owned()) { Ok(()) } else { Err(Fault::Locked) })
    }

    fn unlock(&self, name: &str) -> Result<(), Fault> {
        self.with(|rows| if rows.locks.remove(name) { Ok(()) } else { Err(Fault::Unlocked) })
    }
}
