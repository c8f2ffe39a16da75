// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notifies the program of endpoints that are gone: once for each, on a thread of its own, which holds no
//! lock: the program may call anything there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_base::ops::WorkQueue;
use mf_base::ops::queue::{Call, Limits, Refusal};
use mf_base::sync::lock;

/// Called with the name of an endpoint that is gone.
pub type PeerDownFn = Arc<dyn Fn(&str) + Send + Sync>;

#[derive(Default)]
struct KnownPeers {
    callback: Option<PeerDownFn>,
    /// Endpoints by name: the session that is known, and whether its end was noticed.
    known: HashMap<String, (u64, bool)>,
}

/// The ends of other endpoints, as one endpoint learns of them.
pub(super) struct Down {
    state: Mutex<KnownPeers>,
    calls: WorkQueue<Call>,
}

impl Default for Down {
    fn default() -> Self {
        let calls = WorkQueue::new(Limits {
            name: "mf-peer-down",
            threads: 1,
            width: 1,
            waiting: usize::MAX,
            idle: Duration::ZERO,
            calls_program: false,
        });
        Self { state: Mutex::default(), calls }
    }
}

impl Down {
    /// Calls this from now on; when it returns the former one is not called any more, unless it is the
    /// former one that calls this.
    pub(super) fn set(&self, callback: Option<PeerDownFn>) {
        lock(&self.state).callback = callback;
        self.calls.wait();
    }

    /// Calls nothing any more.
    pub(super) fn end(&self) {
        self.set(None);
    }

    /// The endpoint is there, with this session.
    pub(super) fn seen(self: &Arc<Self>, name: &str, session: u64) {
        let mut state = lock(&self.state);
        match state.known.get_mut(name) {
            Some(known) if known.0 == session => {}
            Some(known) => {
                // Its predecessor is gone; the store reports that later or never.
                let is_reported = std::mem::replace(known, (session, false)).1;
                drop(state);
                if !is_reported {
                    self.report(name);
                }
            }
            None => {
                state.known.insert(name.to_owned(), (session, false));
            }
        }
    }

    /// The endpoint is gone; `session` where it is known which one.
    pub(super) fn on_gone(self: &Arc<Self>, name: &str, session: Option<u64>) {
        let mut state = lock(&self.state);
        let Some(known) = state.known.get_mut(name) else { return };
        if known.1 || session.is_some_and(|session| session != known.0) {
            return;
        }
        known.1 = true;
        drop(state);
        self.report(name);
    }

    /// Calls the callback with this name.
    pub(super) fn report(self: &Arc<Self>, name: &str) {
        if lock(&self.state).callback.is_none() {
            return;
        }
        let (down, name) = (Arc::clone(self), name.to_owned());
        let call = move || {
            let callback = lock(&down.state).callback.clone();
            if let Some(callback) = callback {
                callback(&name);
            }
        };
        if let Err((Refusal::NoThread(error), _)) = self.calls.submit(Box::new(call)) {
            tracing::error!("the program is not notified of endpoints that are gone: no thread: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn noting() -> (PeerDownFn, std::sync::mpsc::Receiver<String>) {
        let (sender, names) = channel();
        (Arc::new(move |name: &str| sender.send(name.to_owned()).unwrap()), names)
    }

    #[test]
    fn each_end_is_reported_once() {
        let (down, (callback, names)) = (Arc::new(Down::default()), noting());
        down.set(Some(callback));
        down.on_gone("unknown", None);
        down.seen("a", 1);
        down.on_gone("a", Some(1));
        down.on_gone("a", None);
        down.seen("a", 1);
        down.on_gone("a", Some(1));
        assert_eq!(names.recv().unwrap(), "a");
        down.seen("a", 2);
        down.on_gone("a", Some(1));
        down.on_gone("a", None);
        assert_eq!(names.recv().unwrap(), "a");
        down.end();
        down.seen("b", 3);
        down.on_gone("b", None);
        assert!(names.try_recv().is_err());
    }

    #[test]
    fn replacing_a_callback_waits_for_it_except_from_within() {
        let down = Arc::new(Down::default());
        let (begun, begins) = channel();
        let (go_on, may_end) = channel::<()>();
        let (inner, may_end) = (Arc::clone(&down), Mutex::new(may_end));
        down.set(Some(Arc::new(move |_| {
            begun.send(()).unwrap();
            may_end.lock().unwrap().recv().unwrap();
            inner.set(None);
        })));
        down.seen("a", 1);
        down.on_gone("a", None);
        begins.recv().unwrap();
        std::thread::scope(|scope| {
            let setting = scope.spawn(|| down.set(None));
            assert!(!setting.is_finished());
            go_on.send(()).unwrap();
            setting.join().unwrap();
        });
        assert!(down.calls.is_idle());
    }
}
