// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Errors that come again. Once a process is gone, every call that needs it fails, and programs whose
//! functions return nothing go on calling: each function logs it once for each such process, and the rest is
//! counted.

use std::collections::BTreeMap;

use mf_base::os::per_process::PerProcess;
use mf_base::{Error, Kind};

/// How often each function failed because of each process.
static SEEN: PerProcess<BTreeMap<(&'static str, String), u64>> = PerProcess::new(BTreeMap::new());

/// Whether an error says that a process is gone, and this function has met that before; counts it.
#[cold]
pub fn is_known(operation: &'static str, error: &Error) -> bool {
    let process = error.fact("rank").or_else(|| error.fact("pe"));
    let Some(process) = process.filter(|_| error.kind() == Kind::NotConnected) else { return false };
    let mut seen = SEEN.lock();
    let times = seen.entry((operation, process.to_owned())).or_default();
    *times += 1;
    *times > 1
}

/// Logs how many errors were not logged, and forgets them. For the end of what they were about.
pub fn report() {
    let mut repeated = BTreeMap::<String, u64>::new();
    for ((_, process), times) in SEEN.take() {
        *repeated.entry(process).or_default() += times - 1;
    }
    for (process, times) in repeated.into_iter().filter(|(_, times)| *times > 0) {
        tracing::warn!("{times} more calls failed because rank {process} is gone");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_meets_the_end_of_a_process_once() {
        let gone = |rank: u32| Error::new(Kind::NotConnected, "put").with("rank", rank);
        assert!(!is_known("put", &gone(1)) && is_known("put", &gone(1)) && is_known("put", &gone(1)));
        assert!(!is_known("get", &gone(1)) && !is_known("put", &gone(2)));
        let other = || Error::invalid("put", "no such PE").with("pe", 1);
        assert!(!is_known("put", &other()) && !is_known("put", &other()));
        report();
        assert!(!is_known("put", &gone(1)));
    }
}
