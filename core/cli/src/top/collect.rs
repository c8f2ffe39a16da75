// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Asks the members of a job for their figures, and the store for the rest.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use mf_base::Result;
use mf_base::interrupt::{self, InterruptPoll};
use mf_fabric::figures::{FIGURES, Figures, FiguresRequest};
use mf_fabric::group::wait_report;
use mf_store::{Change, Lifetime};

use super::OPERATION;
use super::snapshot::{Moment, Picture, Published};
use crate::job_store::{JobStore, State};

/// Wait for the figures of members; late ones appear in the next sample.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// A viewer of a job.
pub(super) struct Collector {
    store: Arc<JobStore>,
    url: String,
    request: FiguresRequest,
    inbox: Arc<Inbox>,
    /// When members that are dead were found to be so; none: before the first picture.
    dead_since_ms: BTreeMap<u64, Option<u64>>,
    /// When figures were asked for before; none: not yet.
    asked: Option<Instant>,
}

/// Figures published by members, by session, as they arrive.
#[derive(Default)]
struct Inbox {
    published: Mutex<BTreeMap<u64, Published>>,
    changed: Condvar,
}

impl Inbox {
    fn note(&self, change: &Change) {
        match change {
            Change::Put(entry) => {
                // Another release: treated as absent.
                let Ok(figures) = Figures::decoded(&entry.value) else { return };
                let mut published = self.lock();
                let before = published.remove(&figures.session).map(|published| published.figures);
                published.insert(figures.session, Published { figures, before, at: Instant::now() });
            }
            Change::Removed { key, .. } => {
                let session = key.strip_prefix(FIGURES).and_then(|session| session.parse().ok());
                session.map(|session: u64| self.lock().remove(&session));
            }
            Change::StoreLost => {}
        }
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Published>> {
        self.published.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collector {
    /// Connects to the store as a guest.
    ///
    /// # Errors
    /// Errors of the store.
    pub(super) fn new(url: &str, timeout: Duration, interval: Duration) -> Result<Self> {
        let store = Arc::new(crate::store::visit(url, timeout)?);
        let inbox = Arc::new(Inbox::default());
        let notified = Arc::clone(&inbox);
        store.watch(FIGURES, false, move |change| notified.note(change))?;
        let every_ms = u32::try_from(interval.as_millis()).unwrap_or(u32::MAX);
        let request = FiguresRequest { every_ms, number: 0 };
        let (url, dead_since_ms) = (url.to_owned(), BTreeMap::new());
        Ok(Self { store, url, request, inbox, dead_since_ms, asked: None })
    }

    /// Takes a sample: queries the members, and waits for the ones that answered last time (the first time
    /// for all), at most [`ANSWER_WITHIN`].
    ///
    /// # Errors
    /// Errors of the store.
    pub(super) fn sample(&mut self) -> Result<Picture> {
        let asked = Instant::now();
        let before = self.asked.replace(asked);
        self.request.number += 1;
        self.store.set(
            &FiguresRequest::key(self.store.session()),
            &self.request.encoded()?,
            Lifetime::Session,
        )?;
        let State { view, contacts, awaited } = self.store.state()?;
        let waits =
            wait_report::merged(&self.store.list(wait_report::PREFIX)?, &awaited, self.store.world_size());
        let until = asked + ANSWER_WITHIN;
        // An earlier interrupt ends this wait, too.
        interrupt::end_call();
        let mut poll = InterruptPoll::new();
        let mut published = self.inbox.lock();
        loop {
            let is_missing = |session: &u64| match published.get(session) {
                Some(published) => published.at < asked && before.is_none_or(|before| published.at >= before),
                None => before.is_none(),
            };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || !view.members.iter().any(|peer| is_missing(&peer.session)) {
                break;
            }
            let waited = self.inbox.changed.wait_timeout(published, poll.within(left));
            published = waited.unwrap_or_else(PoisonError::into_inner).0;
            poll.check(OPERATION)?;
        }
        let now_ms = now_ms();
        self.dead_since_ms.retain(|session, _| view.dead.iter().any(|lost| lost.peer.session == *session));
        for lost in &view.dead {
            self.dead_since_ms.entry(lost.peer.session).or_insert(before.map(|_| now_ms));
        }
        let moment = Moment {
            now: Instant::now(),
            now_ms,
            store: &self.url,
            world_size: self.store.world_size(),
            view: &view,
            contacts: &contacts,
            waits: &waits,
            published: &published,
            dead_since_ms: &self.dead_since_ms,
        };
        Ok(Picture::new(&moment))
    }

    /// True if the job has ended in order, and its store with it.
    pub(super) fn has_ended(&self) -> bool {
        self.store.has_ended()
    }

    /// Returns a closure that withdraws the request for figures, and leaves the store.
    pub(super) fn ending(&self) -> impl FnOnce() + Send + 'static {
        let store = Arc::clone(&self.store);
        move || {
            // It goes with the session anyway.
            let _ = store.delete(&FiguresRequest::key(store.session()));
            store.close();
        }
    }
}

/// Returns milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
