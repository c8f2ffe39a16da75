// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Machines without a free core, and processes with cores of their own.

use std::process::Child;

use mf_base::{Error, Kind, Result};
use mf_measure::members::command;

use super::OPERATION;
use crate::cores::{self, pin};
use crate::task::Task;

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
    command(&Task::Burn)?.spawn().map(Busy).map_err(|error| {
        Error::new(Kind::Failed, OPERATION).what("a process cannot be started").source(error)
    })
}

/// In that process: a loop on each core, until it is killed.
pub(crate) fn burn() -> ! {
    for core in cores::own().into_iter().skip(1) {
        std::thread::spawn(move || on_core(core));
    }
    on_core(cores::own().first().copied().unwrap_or(0))
}

fn on_core(core: usize) -> ! {
    // Without a core of its own it burns any core.
    let _ = pin(&[core]);
    loop {
        std::hint::spin_loop();
    }
}

/// Gives rank 0 the first half of the cores and rank 1 the second; call it before any thread is started.
///
/// # Errors
/// `InvalidParam` with one core only.
pub(super) fn share_out(rank: u32) -> Result<()> {
    let all = cores::own();
    let (first, second) = all.split_at(all.len() / 2);
    if first.is_empty() {
        return Err(Error::invalid(OPERATION, "one core cannot be shared out").hint("leave out --pin"));
    }
    pin(if rank == 0 { first } else { second })
}
