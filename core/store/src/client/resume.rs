// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reconnecting to a store: retries with backoff, on a thread that exists as long as they last.

use std::net::SocketAddr;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use mf_base::os::thread;
use mf_base::{Kind, alarm};

use super::connect::Attempt;
use super::counts;
use super::link::Link;
use super::shared::SessionCore;
use crate::protocol::{Failure, Welcome};

/// Pauses between attempts grow from the first to the second.
const FIRST_PAUSE: Duration = Duration::from_millis(5);
/// A store that is unreachable for this long raises an alarm.
const ALARM_AFTER: Duration = Duration::from_secs(3);
/// Shorter than the wait of a restarted store for its old members.
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// A link to a store that granted membership.
pub(crate) struct NewLink {
    pub(crate) link: Box<dyn Link>,
    pub(crate) welcome: Welcome,
    /// The store's address, for texts.
    pub(crate) place: String,
    /// True if it runs in this process.
    pub(crate) here: bool,
}

/// Cause of a lost link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// For an unknown reason.
    Sudden,
    /// The store had announced its end.
    OnPurpose,
}

/// Connects a session to its store.
pub(crate) trait Connector: Send + Sync {
    /// Tries all addresses once, at most until then.
    fn attempt(&self, shared: &Arc<SessionCore>, until: Instant) -> Result<NewLink, Attempt>;

    /// Returns the longest search for a store after this loss. `None`: do not retry.
    fn resume_limit(&self, loss: Loss) -> Option<Duration>;

    /// After an attempt that found no store.
    fn while_absent(&self);

    /// Searches other addresses from now on. Returns false without any.
    fn relocate(&self, addresses: Vec<SocketAddr>) -> bool;
}

/// Starts the thread that finds the store again.
pub(super) fn start(shared: &Weak<SessionCore>, limit: Duration, loss: Loss, why: &str) -> bool {
    let (shared, why) = (shared.clone(), why.to_owned());
    let started = thread::spawn("mf-store-resume", move || {
        if let Some(shared) = shared.upgrade() {
            run(&shared, limit, loss, &why);
        }
    });
    started.inspect_err(|error| tracing::error!(%error, "store session cannot resume, no thread")).is_ok()
}

fn run(shared: &Arc<SessionCore>, limit: Duration, loss: Loss, why: &str) {
    let started = Instant::now();
    let until = super::after(limit);
    let mut pause = FIRST_PAUSE;
    let mut alarm = None;
    while shared.is_open() {
        let last = match shared.connector.attempt(shared, until) {
            Ok(arrived) => {
                tracing::debug!(store = %arrived.place, waited = ?started.elapsed(), "store session resumed");
                counts::resumed();
                shared.attach_link(arrived);
                return;
            }
            Err(Attempt::Refused(failure, place)) => {
                let what = failure.text();
                shared.give_up(&given_up(&format!(
                    "the store at {place} does not take this member back: {what}"
                )));
                return;
            }
            // A foreign program may have taken the port for a moment.
            Err(Attempt::Again(error) | Attempt::Final(error)) => error,
        };
        if alarm.is_none() && loss == Loss::Sudden && started.elapsed() >= ALARM_AFTER {
            let text = format!("the store does not answer since {} s: {last}", started.elapsed().as_secs());
            alarm = Some(alarm::raise(alarm::Code::StoreLost, &text));
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let waited = started.elapsed().as_millis();
            shared.give_up(&given_up(&format!(
                "{why}, and no store was found again within {waited} ms: {last}"
            )));
            return;
        }
        counts::retried();
        shared.connector.while_absent();
        if !shared.pause(pause.min(left)) {
            return;
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

fn given_up(what: &str) -> Failure {
    Failure::new(Kind::NotConnected, what)
}
