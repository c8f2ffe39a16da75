// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Disconnect callbacks, on separate threads: a callback may block for a minute, connect, send and wait for
//! the answer, which the workers deliver meanwhile.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};

use mf_base::error_limited;
use mf_base::os::service;
use mf_base::sync::{lock, wait_notified};

use crate::link::Link;
use crate::run::{Inside, Run};

/// Most threads at a time; more links wait for their turn.
const THREADS: usize = 256;

#[derive(Default)]
struct State {
    waiting: VecDeque<Arc<Link>>,
    running: usize,
}

#[derive(Default)]
pub(crate) struct Breaks {
    state: Mutex<State>,
    ended: Condvar,
}

impl Breaks {
    /// Queues the callback of a link.
    pub(crate) fn push(&self, run: &Arc<Run>, link: Arc<Link>) {
        let mut state = lock(&self.state);
        state.waiting.push_back(link);
        if state.running >= THREADS {
            return;
        }
        let run = Arc::clone(run);
        // Signals keep the program's mask: processes that it starts in the callback inherit it.
        let thread = std::thread::Builder::new().name("mf-acc-broken".to_owned());
        match thread.spawn(move || run.breaks.work(&run)) {
            Ok(_) => state.running += 1,
            Err(error) if state.running == 0 => {
                error_limited!("no thread for the callback of a broken link: {error}");
                let lost = std::mem::take(&mut state.waiting);
                drop(state);
                lost.iter().for_each(Link::finished);
            }
            Err(_) => {}
        }
    }

    fn work(&self, run: &Arc<Run>) {
        loop {
            let mut state = lock(&self.state);
            let Some(link) = state.waiting.pop_front() else {
                // Under the lock: a thread that adds a link from now on starts a thread for it.
                state.running -= 1;
                self.ended.notify_all();
                return;
            };
            drop(state);
            let handler = run.handlers.broken().filter(|_| !run.is_stopping());
            if let Some(handler) = handler {
                let _inside = Inside::enter(&run.handlers);
                // The callbacks behind it are served nevertheless; a panic was logged.
                let _logged = service::catch(|| handler(&link));
            }
            Link::finished(&link);
        }
    }

    /// Waits until no callback runs.
    pub(crate) fn wait(&self) {
        let mut state = lock(&self.state);
        while state.running > 0 {
            state = wait_notified(&self.ended, state);
        }
    }
}
