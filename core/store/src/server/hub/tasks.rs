// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tasks of the server besides its connections.

use std::rc::Rc;
use std::time::Duration;

use mf_base::sync::spin::Spin;

use super::Hub;
use crate::state::{Event, Micros};

/// Watches members on other hosts that are stopped; never ends.
pub(crate) async fn run_sparing(hub: Rc<Hub>) {
    loop {
        tokio::time::sleep((hub.lease / 5).clamp(Duration::from_millis(200), Duration::from_secs(60))).await;
        hub.spare_the_stopped();
    }
}

/// Ticks the state machine when its next deadline is due; never ends.
pub(crate) async fn run_timer(hub: Rc<Hub>) {
    loop {
        let deadline = hub.machine.borrow().next_deadline();
        hub.armed.set(deadline.unwrap_or(Micros::MAX));
        let at = deadline.and_then(|us| hub.started.checked_add(Duration::from_micros(us)));
        match at {
            None => hub.rearm.notified().await,
            Some(at) => tokio::select! {
                () = tokio::time::sleep_until(at) => {
                    hub.apply(Event::Tick);
                    hub.flush();
                }
                () = hub.rearm.notified() => {}
            },
        }
    }
}

/// Polls for the next request after each one, as long as that pays; never ends.
pub(crate) async fn run_polling(hub: Rc<Hub>) {
    let mut spin = Spin::default();
    loop {
        hub.poll.notified().await;
        let Some(mut poll) = spin.begin() else { continue };
        hub.is_polling.set(true);
        let mut before = hub.handled.get();
        loop {
            // After it, the sockets have been polled.
            tokio::task::yield_now().await;
            let now = hub.handled.get();
            if now != before {
                before = now;
                spin.found();
                poll.restart();
            } else if !poll.again() {
                spin.missed();
                break;
            }
        }
        hub.is_polling.set(false);
    }
}
