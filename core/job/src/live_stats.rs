// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Live figures for viewers of the job (`mf top`): with each request of a viewer this process publishes its
//! figures once ([`mf_fabric::figures`]).
//!
//! Without a viewer this is only a watch at the store: no thread, and no counting by peer. The first request
//! starts a thread and the counting; both end when no further request has come in time. With any number of
//! viewers, figures are published at most once in [`SHORTEST`].

use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use mf_base::Result;
use mf_base::os::thread::spawn;
use mf_base::sync::lock;
use mf_fabric::figures::{Figures, FiguresRequest, HeapFigures, INTERVALS, REQUESTS};
use mf_net::watch::Viewed;
use mf_store::{Change, Lifetime, Started, Store, WatchId};

use crate::metrics;

/// Between two publications.
const SHORTEST: Duration = INTERVALS[0];

/// Follows the requests of viewers, until [`end`](Self::end).
pub(crate) struct Viewers {
    watch: OnceLock<WatchId>,
    shared: Arc<Sampler>,
}

struct Sampler {
    store: Weak<dyn Store>,
    state: Mutex<SamplerState>,
    changed: Condvar,
}

#[derive(Default)]
struct SamplerState {
    /// The newest request is not fulfilled yet.
    is_due: bool,
    /// End of the time that the requests so far cover.
    until: Option<Instant>,
    has_thread: bool,
    is_over: bool,
}

impl Viewers {
    /// Begins, as a member of the store; the reply completes it ([`followed`](Self::followed)).
    ///
    /// # Errors
    /// The store's.
    pub(crate) fn start(store: &Arc<dyn Store>) -> Result<(Self, Started<WatchId>)> {
        let (state, changed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Sampler { store: Arc::downgrade(store), state, changed });
        let notified = Arc::clone(&shared);
        let watch = store.start_watch_in_place(REQUESTS, Arc::new(move |change| notified.note(change)))?;
        Ok((Self { watch: OnceLock::new(), shared }, watch))
    }

    /// Keeps the watch, to end it.
    pub(crate) fn followed(&self, watch: WatchId) {
        let _ = self.watch.set(watch);
    }

    /// Ends. The figures go with the session.
    pub(crate) fn end(&self, store: &dyn Store) {
        // A store that is lost has no watches any more.
        let _ = self.watch.get().map(|watch| store.unwatch(*watch));
        lock(&self.shared.state).is_over = true;
        self.shared.changed.notify_all();
    }
}

impl Sampler {
    fn note(self: &Arc<Self>, change: &Change) {
        let Change::Put(entry) = change else { return };
        let Ok(request) = FiguresRequest::decoded(&entry.value) else { return };
        let mut state = lock(&self.state);
        if state.is_over {
            return;
        }
        state.is_due = true;
        state.until = state.until.max(Some(Instant::now() + request.lifetime()));
        if state.has_thread {
            self.changed.notify_all();
            return;
        }
        let shared = Arc::clone(self);
        // Not here: it is called while the store's client is locked.
        match spawn("mf-top", move || shared.publish()) {
            Ok(_) => state.has_thread = true,
            Err(error) => tracing::debug!("a viewer of the job gets no figures: {error}"),
        }
    }

    /// Publishes figures on request, until no request counts any more.
    fn publish(&self) {
        let viewed = Viewed::begin();
        while self.is_wished() {
            let Some(store) = self.store.upgrade() else { break };
            let written = figures(&*store)
                .and_then(|(key, figures)| store.set(&key, &figures, Lifetime::Session).map(drop));
            if let Err(error) = written {
                tracing::debug!("a viewer of the job gets no figures: {error}");
            }
            drop(store);
            self.keep_distance();
        }
        drop(viewed);
    }

    /// Waits for the next request. Returns false if none came, and the thread ends.
    fn is_wished(&self) -> bool {
        let mut state = lock(&self.state);
        loop {
            let left =
                state.until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()));
            if state.is_over {
                return false;
            }
            if state.is_due {
                state.is_due = false;
                return true;
            }
            if !left.is_zero() {
                state = self.wait(state, left);
                continue;
            }
            // The figures have no readers any more. A request that comes meanwhile is handled after that.
            drop(state);
            if let Some(store) = self.store.upgrade() {
                let _ = store.discard(&Figures::key(store.member().session));
            }
            state = lock(&self.state);
            if !state.is_due {
                state.has_thread = false;
                return false;
            }
        }
    }

    /// Keeps the distance between two publications.
    fn keep_distance(&self) {
        let until = Instant::now() + SHORTEST;
        let mut state = lock(&self.state);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if state.is_over || left.is_zero() {
                return;
            }
            state = self.wait(state, left);
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, SamplerState>, limit: Duration) -> MutexGuard<'a, SamplerState> {
        self.changed.wait_timeout(state, limit).unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Returns the key of this member's figures, and their present values.
fn figures(store: &dyn Store) -> Result<(String, Vec<u8>)> {
    let member = store.member();
    let mut figures = Figures::collect(member.rank.0, member.session);
    figures.heaps = metrics::heaps()
        .into_iter()
        .map(|(heap, [used, free, quarantined])| HeapFigures { heap, used, free, quarantined })
        .collect();
    figures.caches = metrics::caches();
    Ok((Figures::key(member.session), figures.encoded()?))
}
