// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Machines without a free core, and processes with cores of their own.

use std::process::Child;

use mf_base::{Error, Kind, Result};
use rustix::thread::CpuSet;

use super::OPERATION;
use crate::child::ourselves;

/// A process that keeps every core busy; dropping this ends it.
pub(super) struct Busy(Child);

impl Drop for Busy {
    fn drop(&mut self) {
        // Either it ends now or it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts it. A process of its own, so that its time is not counted as ours.
///
/// # Errors
/// `Failed` when no process can be started.
pub(super) fn start() -> Result<Busy> {
    let child = ourselves(&["perf", "net", "--burn"]).spawn();
    child.map(Busy).map_err(|error| {
        Error::new(Kind::Failed, OPERATION).what("a process cannot be started").source(error)
    })
}

/// In that process: a loop on each core, until it is killed.
pub(super) fn burn() -> ! {
    for core in own_cores().into_iter().skip(1) {
        std::thread::spawn(move || on_core(core));
    }
    on_core(own_cores().first().copied().unwrap_or(0))
}

fn on_core(core: usize) -> ! {
    // Without a core of its own it burns whichever it gets.
    let _ = pin(&[core]);
    loop {
        std::hint::spin_loop();
    }
}

/// The cores that this process may use.
fn own_cores() -> Vec<usize> {
    let allowed = rustix::thread::sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)).collect()
}

/// Gives rank 0 the first half of the cores and rank 1 the second; call it before any thread is started.
///
/// # Errors
/// `InvalidParam` with one core only.
pub(super) fn share_out(rank: u32) -> Result<()> {
    let cores = own_cores();
    let (first, second) = cores.split_at(cores.len() / 2);
    if first.is_empty() {
        return Err(Error::invalid(OPERATION, "one core cannot be shared out").hint("leave out --pin"));
    }
    pin(if rank == 0 { first } else { second })
}

fn pin(cores: &[usize]) -> Result<()> {
    let mut set = CpuSet::new();
    for core in cores {
        set.set(*core);
    }
    rustix::thread::sched_setaffinity(None, &set).map_err(|errno| Error::os("cores of a process", errno))
}
