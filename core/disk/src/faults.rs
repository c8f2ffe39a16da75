// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Faults of the disk: the switch that turns the tier off, and the watch over calls that do not return.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use rustix::io::Errno;

/// Failed reads in a row that switch the tier off: one bad sector does not.
const READS_MAX: u32 = 8;

/// Pure switch: on, or off until an instant.
#[derive(Debug, Default)]
pub(crate) struct Switch {
    off_until: Option<Instant>,
    /// The present fault was logged.
    is_logged: bool,
    failed_reads: u32,
}

impl Switch {
    pub(crate) fn is_off(&self) -> bool {
        self.off_until.is_some()
    }

    /// Returns true if the tier is off and may try again.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.off_until.is_some_and(|until| now >= until)
    }

    /// Turns off. Returns true for the first fault since the last success, which is logged.
    pub(crate) fn turn_off(&mut self, until: Instant) -> bool {
        self.off_until = Some(until);
        !std::mem::replace(&mut self.is_logged, true)
    }

    /// Tries again; the fault counts as ended with the next success.
    pub(crate) fn turn_on(&mut self) {
        self.off_until = None;
        self.failed_reads = 0;
    }

    /// A write succeeded. Returns true if it ends a logged fault.
    pub(crate) fn succeeded(&mut self) -> bool {
        std::mem::take(&mut self.is_logged)
    }

    /// A read failed. Returns true if there were too many in a row.
    pub(crate) fn read_failed(&mut self) -> bool {
        self.failed_reads += 1;
        self.failed_reads >= READS_MAX
    }

    pub(crate) fn read_succeeded(&mut self) {
        self.failed_reads = 0;
    }
}

/// Remedy of a failed disk call.
pub(crate) fn remedy(errno: Errno) -> &'static str {
    match errno {
        Errno::NOSPC | Errno::DQUOT => "free space on the file system, or lower the capacity of the tier",
        Errno::ROFS => "mount the file system read-write; the kernel log has the reason",
        Errno::IO | Errno::NODEV | Errno::NXIO => "see the kernel log (dmesg), and replace the disk",
        Errno::ACCESS | Errno::PERM => "give the user of this process the folder",
        Errno::NOENT | Errno::NOTDIR => "check the path of the folder",
        _ => "see the kernel log (dmesg)",
    }
}

/// Calls in progress, so that others do not follow one that does not return.
#[derive(Debug, Default)]
pub(crate) struct Calls(Mutex<Running>);

#[derive(Debug, Default)]
struct Running {
    next: u64,
    since: BTreeMap<u64, Instant>,
    is_logged: bool,
}

/// A call in progress.
pub(crate) struct Call<'a>(&'a Calls, u64);

impl Calls {
    pub(crate) fn begin(&self) -> Call<'_> {
        let mut running = lock(&self.0);
        let number = running.next;
        running.next += 1;
        running.since.insert(number, Instant::now());
        Call(self, number)
    }

    /// Returns true while the longest call has run for more than `limit`; logs the first time.
    pub(crate) fn are_stuck(&self, limit: Duration) -> bool {
        let mut running = lock(&self.0);
        // Numbers rise with time: the first is the oldest.
        let oldest = running.since.first_key_value().map(|(_, since)| since.elapsed());
        let is_stuck = oldest.is_some_and(|elapsed| elapsed > limit);
        if is_stuck && !std::mem::replace(&mut running.is_logged, true) {
            tracing::error!(
                "a disk call of the disk tier has not returned for {limit:?}: reads miss until it does; see the kernel log (dmesg)"
            );
        }
        if !is_stuck {
            running.is_logged = false;
        }
        is_stuck
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        lock(&self.0.0).since.remove(&self.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lasting_fault_is_logged_once() {
        let (mut switch, now) = (Switch::default(), Instant::now());
        assert!(switch.turn_off(now));
        assert!(switch.is_off() && switch.is_due(now));
        switch.turn_on();
        assert!(!switch.turn_off(now));
        switch.turn_on();
        assert!(switch.succeeded());
        assert!(!switch.succeeded());
        assert!(switch.turn_off(now));
    }

    #[test]
    fn reads_that_fail_in_a_row_are_too_many() {
        let mut switch = Switch::default();
        assert!((1..READS_MAX).all(|_| !switch.read_failed()));
        assert!(switch.read_failed());
    }

    #[test]
    fn call_in_progress_is_stuck_after_the_limit() {
        let calls = Calls::default();
        assert!(!calls.are_stuck(Duration::ZERO));
        let call = calls.begin();
        while !calls.are_stuck(Duration::ZERO) {
            std::hint::spin_loop();
        }
        drop(call);
        assert!(!calls.are_stuck(Duration::ZERO));
    }
}
