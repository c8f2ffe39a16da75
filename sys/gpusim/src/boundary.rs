// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The edge of the library: every exported function goes through here.

use std::collections::BTreeMap;
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, OnceLock};

use gpu_sys::Vendor;

use crate::codes::{Code, Outcome, injected};
use crate::lock::lock;
use crate::settings::settings;

/// Set when the process has begun to exit.
static ENDED: OnceLock<()> = OnceLock::new();
static COUNTS: Mutex<Counts> = Mutex::new(Counts { all: 0, of: BTreeMap::new(), failing: None, failed: "" });

struct Counts {
    all: u64,
    of: BTreeMap<&'static str, u64>,
    /// The call that fails, counted like `all`.
    failing: Option<u64>,
    /// The function that failed last because it was asked to.
    failed: &'static str,
}

/// Ends every driver.
pub(crate) fn end() {
    let _ = ENDED.set(());
}

/// Returns the number of calls so far.
pub(crate) fn calls() -> u64 {
    lock(&COUNTS).all
}

/// Makes the `nth` call from now fail, regardless of its function; 0 for no failure.
pub(crate) fn fail(nth: u64) {
    let mut counts = lock(&COUNTS);
    counts.failing = (nth > 0).then_some(counts.all + nth);
}

/// Returns the function that [`fail`] failed last; empty if none.
pub(crate) fn failed() -> &'static str {
    lock(&COUNTS).failed
}

/// Runs a call and converts its outcome into a status.
pub(crate) fn call(vendor: Vendor, name: &'static str, body: impl FnOnce() -> Outcome) -> c_int {
    if ENDED.get().is_some() {
        return Code::Ended.number(vendor);
    }
    if let Some(code) = fault(vendor, name) {
        return code;
    }
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => 0,
        Ok(Err(code)) => code.number(vendor),
        Err(_) => injected(vendor),
    }
}

/// Returns the injected status of this call, if any.
fn fault(vendor: Vendor, name: &'static str) -> Option<c_int> {
    let mut counts = lock(&COUNTS);
    counts.all += 1;
    if counts.failing == Some(counts.all) {
        counts.failing = None;
        counts.failed = name;
        return Some(injected(vendor));
    }
    let faults = &settings().faults;
    if faults.is_empty() {
        return None;
    }
    let count = counts.of.entry(name).or_default();
    *count += 1;
    let count = *count;
    faults.get(&(name.to_owned(), count)).or_else(|| faults.get(&("*".to_owned(), counts.all))).copied()
}
