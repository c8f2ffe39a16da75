// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Faults injected into tasks, before they run.

use std::time::Duration;

use super::{Running, timeouts};
use crate::clock::Deadline;
use crate::codes::acl;
use crate::fault::{Fault, Outcome};
use crate::faults::Act;
use crate::watch;

/// Applies injected faults to the task `name` that is about to run. Returns false if the task is to be
/// skipped.
///
/// # Errors
/// An injected one; 507899 when its device is lost.
#[inline]
pub(super) fn before_task(name: &'static str, running: &Running) -> Outcome<bool> {
    if watch::watches_tasks() { look_at_task(name, running) } else { Ok(true) }
}

#[cold]
fn look_at_task(name: &'static str, running: &Running) -> Outcome<bool> {
    let device = running.device.physical;
    match watch::hit_task(name, device)? {
        None => Ok(true),
        Some(Act::Skip) => Ok(false),
        Some(Act::Slow(time)) => {
            pause(time, running);
            Ok(true)
        }
        Some(Act::Hang) => Err(hang(name, running)),
        Some(act) => Err(watch::fail(&act, Some(device))),
    }
}

fn pause(time: Duration, running: &Running) {
    let end = Deadline::after(Some(time));
    while !end.is_over() && !running.is_cancelled() {
        std::thread::sleep(end.slice());
    }
}

/// Waits until the task is cancelled or has run too long.
fn hang(name: &str, running: &Running) -> Fault {
    let end = Deadline::after(timeouts::execute());
    while !end.is_over() && !running.is_cancelled() {
        std::thread::sleep(end.slice());
    }
    Fault::new(acl::AICORE_TIMEOUT, format_args!("injected: {name} hung until its time was over"))
}
