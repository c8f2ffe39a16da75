// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Exit callbacks for the end of the program: one rank publishes the status, all ranks' callbacks run, each
//! on a thread of its process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_store::{Change, Entry, Lifetime, Store, WatchId};

/// The callback of an object in this process.
#[derive(Default)]
pub(super) struct Exit(Mutex<Option<Listener>>);

struct Listener {
    watch: WatchId,
    /// `None` ends the thread.
    sender: Sender<Option<i32>>,
    thread: JoinHandle<()>,
}

/// Runs the callbacks of all ranks, of this one too; does not wait for them.
pub(super) fn announce(store: &dyn Store, key: &str, status: i32) -> Result<()> {
    store.set(key, &status.to_le_bytes(), Lifetime::Permanent).map(drop)
}

impl Exit {
    /// Runs `callback` with the status whenever a rank announces one, also when one did before.
    pub(super) fn register(
        &self,
        operation: &'static str,
        store: &dyn Store,
        key: &str,
        callback: Box<dyn Fn(i32) + Send + Sync>,
    ) -> Result<()> {
        let mut slot = lock(&self.0);
        if slot.is_some() {
            return Err(Error::new(Kind::Duplicated, operation).what("the object has a callback already"));
        }
        let (sender, receiver) = channel::<Option<i32>>();
        let own_sender = sender.clone();
        let thread = std::thread::Builder::new()
            .name("mf-object-exit".to_owned())
            .spawn(move || receiver.into_iter().map_while(|status| status).for_each(callback))
            .map_err(|error| {
                Error::new(Kind::NoResources, operation).what("no thread for it").source(error)
            })?;
        // The watch and the first read may report the same entry.
        let newest = AtomicU64::new(0);
        let notify = Arc::new(move |entry: &Entry| {
            let status = entry.value.as_slice().try_into().map(i32::from_le_bytes);
            if let (Ok(status), true) =
                (status, newest.fetch_max(entry.revision, Ordering::AcqRel) < entry.revision)
            {
                // The receiver is dropped only if its callback panicked, which was reported then.
                let _ = sender.send(Some(status));
            }
        });
        let notified = Arc::clone(&notify);
        let watch = store.watch_key(
            key,
            Arc::new(move |change: &Change| {
                if let Change::Put(entry) = change {
                    notified(entry);
                }
            }),
        );
        let watch = watch.inspect_err(|_| {
            let _ = own_sender.send(None);
        })?;
        *slot = Some(Listener { watch, sender: own_sender, thread });
        if let Some(entry) = store.get(key)? {
            notify(&entry);
        }
        Ok(())
    }

    /// The callback does not run any more when this returns, unless it is the caller.
    pub(super) fn end(&self, store: &dyn Store) {
        let Some(Listener { watch, sender, thread }) = lock(&self.0).take() else { return };
        if let Err(error) = store.unwatch(watch) {
            tracing::debug!("a watch on the end of the program was gone: {error}");
        }
        let _ = sender.send(None);
        if thread.thread().id() != std::thread::current().id() {
            // A panic of the callback was reported when it happened.
            let _ = thread.join();
        }
    }
}
