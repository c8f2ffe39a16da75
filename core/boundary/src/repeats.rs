// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Suppression of repeated errors. Programs continue to call functions without results after a failure, and a
//! call in a loop fails for one reason a thousand times: each function logs it once for each kind of failure,
//! and for each process that is gone; the rest is counted.

use std::collections::BTreeMap;

use mf_base::os::per_process::PerProcess;
use mf_base::{Error, Kind};

/// Why a function failed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// This process is gone.
    Gone(String),
    /// The text of the error without its facts, and its code.
    Refused(String, i32),
}

/// Number of failures of each function for each cause.
static SEEN: PerProcess<BTreeMap<(Cause, &'static str), u64>> = PerProcess::new(BTreeMap::new());

/// Returns true if this function has failed before because the process that it needs is gone; counts it. For
/// families with refused calls that return codes, or count in streams, and are logged each.
#[cold]
pub fn is_known_end(operation: &'static str, error: &Error) -> bool {
    let names_a_process = error.fact("rank").or_else(|| error.fact("pe")).is_some();
    error.kind() == Kind::NotConnected && names_a_process && is_known(operation, error)
}

/// Returns true if this function has failed for this cause before; counts it. A timeout is always a new
/// cause: the missing members differ, and no program makes thousands.
#[cold]
pub fn is_known(operation: &'static str, error: &Error) -> bool {
    let process = error.fact("rank").or_else(|| error.fact("pe"));
    let cause = match (error.kind(), process) {
        (Kind::Timeout, _) => return false,
        (Kind::NotConnected, Some(process)) => Cause::Gone(process.to_owned()),
        _ => Cause::Refused(error.reason().to_owned(), error.code()),
    };
    let mut seen = SEEN.lock();
    let times = seen.entry((cause, operation)).or_default();
    *times += 1;
    *times > 1
}

/// Logs the number of suppressed errors, and forgets them. For the end of the objects they were about.
pub fn report() {
    let mut gone = BTreeMap::<String, u64>::new();
    for ((cause, operation), times) in SEEN.take() {
        let more = times - 1;
        match cause {
            Cause::Gone(process) => *gone.entry(process).or_default() += more,
            Cause::Refused(reason, code) if more > 0 => {
                tracing::warn!("{more} more calls of {operation} failed: {reason} (code {code})");
            }
            Cause::Refused(..) => {}
        }
    }
    for (process, times) in gone.into_iter().filter(|(_, times)| *times > 0) {
        tracing::warn!("{times} more calls failed because rank {process} is gone");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_logs_each_cause_once() {
        let gone = |rank: u32| Error::new(Kind::NotConnected, "put").with("rank", rank);
        assert!(!is_known("put", &gone(1)) && is_known("put", &gone(1)) && is_known("put", &gone(1)));
        assert!(!is_known("get", &gone(1)) && !is_known("put", &gone(2)));
        let refused = |what: &str, pe: u32| Error::invalid("put", what).with("pe", pe);
        assert!(!is_known("put", &refused("no such PE", 7)) && is_known("put", &refused("no such PE", 8)));
        assert!(!is_known("get", &refused("no such PE", 7)) && !is_known("put", &refused("null", 7)));
        let late = || Error::new(Kind::Timeout, "barrier").with("pe", 1);
        assert!(!is_known("barrier", &late()) && !is_known("barrier", &late()));
        report();
        assert!(!is_known("put", &gone(1)) && !is_known("put", &refused("no such PE", 7)));
    }
}
