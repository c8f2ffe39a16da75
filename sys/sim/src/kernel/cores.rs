// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The cores of the devices, as a count of how many are busy.
//!
//! Launches of different streams are served in FIFO order: the first gets cores for all its blocks before the
//! second gets one. Thus two kernels with mutually waiting blocks cannot each hold half of the cores.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::Duration;

use mf_base::sync::lock;

use super::attributes::Engine;
use crate::clock::{self, Deadline};

/// The cores of one kind of one device, as this process uses them.
#[derive(Default)]
pub struct Cores {
    state: Mutex<CoreState>,
    changed: Condvar,
}

#[derive(Default)]
struct CoreState {
    busy: u32,
    queue: VecDeque<u64>,
    tickets: u64,
}

/// A place in the queue for cores, given up when dropped.
pub struct Turn {
    cores: Arc<Cores>,
    ticket: u64,
}

/// The cores of a device, by its physical number.
pub fn of_device(device: u32, engine: Engine) -> Arc<Cores> {
    type All = HashMap<(u32, Engine), Arc<Cores>>;
    static ALL: LazyLock<Mutex<All>> = LazyLock::new(Mutex::default);
    Arc::clone(lock(&ALL).entry((device, engine)).or_default())
}

impl Cores {
    /// Queues up.
    pub fn queue(self: &Arc<Self>) -> Turn {
        let mut state = lock(&self.state);
        state.tickets += 1;
        let ticket = state.tickets;
        state.queue.push_back(ticket);
        Turn { cores: Arc::clone(self), ticket }
    }

    /// Gives `count` cores back.
    pub fn give_back(&self, count: u32) {
        let mut state = lock(&self.state);
        state.busy = state.busy.saturating_sub(count);
        self.changed.notify_all();
    }
}

impl Turn {
    /// Takes `count` cores at once, of the `all` that there are, when it is this one's turn and so many are
    /// free; waits a little for that. Whether it took them.
    pub fn take(&self, count: u32, all: u32) -> bool {
        let fits = |state: &CoreState| state.queue.front() == Some(&self.ticket) && state.busy + count <= all;
        let mut state = lock(&self.cores.state);
        if !fits(&state) {
            state =
                clock::wait_slice(&self.cores.changed, state, Deadline::after(Some(Duration::from_secs(1))));
        }
        let taken = fits(&state);
        if taken {
            state.busy += count;
        }
        taken
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = lock(&self.cores.state);
        state.queue.retain(|ticket| *ticket != self.ticket);
        self.cores.changed.notify_all();
    }
}
