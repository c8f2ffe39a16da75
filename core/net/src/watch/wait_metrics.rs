// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls in which this process waits for other members: which are going on and since when, and how long those
//! took that have ended.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mf_base::sync::lock;

use super::meter::{Measured, Meter};
use super::{is_on, timeline};

/// Calls of one name and route.
struct Calls {
    took: Meter,
    failed: AtomicU64,
}

type Name = (&'static str, &'static str);

#[derive(Default)]
struct Table {
    /// By a number that grows, so that the first is the oldest.
    open: BTreeMap<u64, (Name, Instant)>,
    next: u64,
}

static TABLE: Mutex<Table> = Mutex::new(Table { open: BTreeMap::new(), next: 0 });
static CALLS: Mutex<BTreeMap<Name, &'static Calls>> = Mutex::new(BTreeMap::new());

/// Counts of the calls of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waited {
    /// The call, as errors name it.
    pub call: &'static str,
    /// Route by which the members meet.
    pub route: &'static str,
    /// Durations of the ended ones.
    pub took: Measured,
    /// Number of failed calls.
    pub failed: u64,
    /// Number of running calls.
    pub open: u64,
    /// Duration of the oldest running one.
    pub oldest: Duration,
}

/// A call that is going on.
pub struct Waiting {
    number: u64,
    name: Name,
    since: Instant,
}

/// Notes that a call begins, while that is asked for.
#[inline(always)]
pub fn begin(call: &'static str, route: &'static str) -> Option<Waiting> {
    is_on().then(|| Waiting::begin((call, route)))
}

fn calls(name: Name) -> &'static Calls {
    // One for each name in the code, kept for ever.
    let new = || &*Box::leak(Box::new(Calls { took: Meter::new(), failed: AtomicU64::new(0) }));
    lock(&CALLS).entry(name).or_insert_with(new)
}

/// Notes that one failed.
#[cold]
pub fn failed(call: &'static str, route: &'static str) {
    if is_on() {
        calls((call, route)).failed.fetch_add(1, Ordering::Relaxed);
    }
}

impl Waiting {
    #[cold]
    fn begin(name: Name) -> Self {
        let since = Instant::now();
        let mut table = lock(&TABLE);
        let number = table.next;
        table.next += 1;
        table.open.insert(number, (name, since));
        Self { number, name, since }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let took = self.since.elapsed();
        lock(&TABLE).open.remove(&self.number);
        calls(self.name).took.add(took);
        timeline::wait(self.name, self.since, took);
    }
}

/// All names of which there was a call since it is asked for. **Local.**
pub fn waits() -> Vec<Waited> {
    let now = Instant::now();
    let mut all: BTreeMap<Name, Waited> = BTreeMap::new();
    let ended: Vec<(Name, &'static Calls)> =
        lock(&CALLS).iter().map(|(name, calls)| (*name, *calls)).collect();
    let none = |(call, route): Name| Waited {
        call,
        route,
        took: Measured::default(),
        failed: 0,
        open: 0,
        oldest: Duration::ZERO,
    };
    for (name, calls) in ended {
        let failed = calls.failed.load(Ordering::Relaxed);
        all.insert(name, Waited { took: calls.took.read(), failed, ..none(name) });
    }
    for (name, since) in lock(&TABLE).open.values() {
        let waited = all.entry(*name).or_insert_with(|| none(*name));
        waited.open += 1;
        waited.oldest = waited.oldest.max(now.saturating_duration_since(*since));
    }
    all.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_counted_while_open_and_when_finished() {
        let of = || waits().into_iter().find(|waited| waited.call == "test wait").unwrap();
        let waiting = [(); 2].map(|()| Waiting::begin(("test wait", "test")));
        assert_eq!((of().open, of().took.count()), (2, 0));
        drop(waiting);
        assert_eq!((of().open, of().took.count(), of().oldest), (0, 2, Duration::ZERO));
    }
}
