// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Trace points of the program: how often each was begun and ended, and how long it took.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, RwLock};
use std::time::Instant;

use mf_base::sync::{read, write};

/// Trace points that are kept apart; further ones count together.
const APART: usize = 4096;

/// One trace point.
pub(super) struct Point {
    pub(super) name: String,
    begun: AtomicU64,
    good: AtomicU64,
    bad: AtomicU64,
    nanoseconds: AtomicU64,
    shortest: AtomicU64,
    longest: AtomicU64,
}

/// Counts of a trace point.
pub(super) struct Counted {
    pub(super) begun: u64,
    pub(super) good: u64,
    pub(super) bad: u64,
    /// All together, the shortest, the longest, in nanoseconds; none ended yet: `None`.
    pub(super) took: Option<(u64, u64, u64)>,
}

impl Point {
    fn new(name: String) -> Self {
        let [begun, good, bad, nanoseconds, longest] = [const { AtomicU64::new(0) }; 5];
        Self { name, begun, good, bad, nanoseconds, shortest: AtomicU64::new(u64::MAX), longest }
    }

    fn end(&self, nanoseconds: u64, is_good: bool) {
        if is_good { &self.good } else { &self.bad }.fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        self.shortest.fetch_min(nanoseconds, Ordering::Relaxed);
        self.longest.fetch_max(nanoseconds, Ordering::Relaxed);
    }

    /// Read one by one: of calls that are counted meanwhile a part may be missing.
    pub(super) fn counted(&self) -> Counted {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let [good, bad] = [of(&self.good), of(&self.bad)];
        let took = (good + bad > 0).then(|| (of(&self.nanoseconds), of(&self.shortest), of(&self.longest)));
        Counted { begun: of(&self.begun), good, bad, took }
    }
}

static POINTS: RwLock<BTreeMap<u32, Arc<Point>>> = RwLock::new(BTreeMap::new());
static OTHERS: LazyLock<Arc<Point>> = LazyLock::new(|| Arc::new(Point::new("(others)".to_owned())));
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// All that were met.
pub(super) fn all() -> Vec<Arc<Point>> {
    let mut all: Vec<Arc<Point>> = read(&POINTS).values().cloned().collect();
    all.push(Arc::clone(&OTHERS));
    all.retain(|point| {
        let counted = point.counted();
        counted.begun + counted.good + counted.bad > 0
    });
    all
}

fn point(id: u32, name: impl FnOnce() -> String) -> Arc<Point> {
    if let Some(point) = read(&POINTS).get(&id) {
        return Arc::clone(point);
    }
    let mut points = write(&POINTS);
    if points.len() >= APART && !points.contains_key(&id) {
        return Arc::clone(&OTHERS);
    }
    Arc::clone(points.entry(id).or_insert_with(|| Arc::new(Point::new(name()))))
}

fn is_enabled() -> bool {
    super::g_tracer.enabled.load(Ordering::Relaxed)
}

pub(super) unsafe extern "C" fn begin(id: u32, name: *const c_char) {
    if !is_enabled() {
        return;
    }
    let text = || {
        if name.is_null() {
            return id.to_string();
        }
        // SAFETY: not null; the caller passes a C string.
        unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
    };
    point(id, text).begun.fetch_add(1, Ordering::Relaxed);
}

pub(super) unsafe extern "C" fn end(id: u32, nanoseconds: u64, result: i32) {
    if is_enabled() {
        point(id, || id.to_string()).end(nanoseconds, result == 0);
    }
}

pub(super) unsafe extern "C" fn now() -> u64 {
    u64::try_from(START.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
