// SPDX-License-Identifier: Apache-2.0 OR MIT
//! All changes of a range of keys from a revision on, whatever happens to the members of the cluster in
//! between.
//!
//! etcd keeps the history of its keys. So a watch that breaks goes on at another member with the revision
//! behind the last change that it saw; nothing is missed and nothing comes twice. Only where etcd has thrown
//! history away (compaction) in the meantime, a feed ends.

use std::sync::Arc;
use std::time::Duration;

use etcd_client::{Event, EventType, KeyValue, WatchOptions, WatchRequestSender, WatchResponseStream};
use tokio::sync::watch;

use super::cluster::{ATTEMPT, Backoff, Cluster, LARGEST_MESSAGE_BYTES};

struct Open {
    at: usize,
    /// Kept, because etcd ends a watch whose requester has gone.
    _requests: WatchRequestSender,
    answers: WatchResponseStream,
    moved: watch::Receiver<usize>,
}

/// See the module documentation.
pub(super) struct Feed {
    cluster: Arc<Cluster>,
    key: Vec<u8>,
    /// Empty: the one key.
    end: Vec<u8>,
    /// The next revision that may hold something new.
    next: i64,
    open: Option<Open>,
    backoff: Backoff,
}

/// The history that the feed needs is gone.
#[derive(Debug)]
pub(super) struct Compacted;

/// One change of a key.
pub(super) struct KeyChange<'a> {
    pub(super) now: &'a KeyValue,
    pub(super) before: Option<&'a KeyValue>,
    pub(super) deleted: bool,
}

/// The events of a batch in a handier form.
pub(super) fn changes(events: &[Event]) -> impl Iterator<Item = KeyChange<'_>> {
    events.iter().filter_map(|event| {
        let deleted = matches!(event.event_type(), EventType::Delete);
        Some(KeyChange { now: event.kv()?, before: event.prev_kv(), deleted })
    })
}

impl Feed {
    /// The changes of the keys from `key` up to `end` (empty: of `key` alone) with revisions above `after`.
    pub(super) fn new(cluster: &Arc<Cluster>, key: Vec<u8>, end: Vec<u8>, after: i64) -> Self {
        Self {
            cluster: Arc::clone(cluster),
            key,
            end,
            next: after + 1,
            open: None,
            backoff: Backoff::default(),
        }
    }

    /// The next changes, at least one, ordered by revision; all changes of one revision come together. May be
    /// dropped before it is ready; nothing is lost.
    pub(super) async fn batch(&mut self) -> Result<Vec<Event>, Compacted> {
        loop {
            let Some(open) = &mut self.open else {
                self.open().await;
                continue;
            };
            let message = tokio::select! {
                message = open.answers.message() => message,
                _ = open.moved.changed() => {
                    self.open = None;
                    continue;
                }
            };
            match message {
                Ok(Some(answer)) if answer.compact_revision() > 0 => return Err(Compacted),
                Ok(Some(answer)) if !answer.canceled() => {
                    self.cluster.saw(answer.header());
                    self.backoff = Backoff::default();
                    let last = answer
                        .events()
                        .iter()
                        .filter_map(|event| event.kv())
                        .map(KeyValue::mod_revision)
                        .max();
                    if let Some(last) = last {
                        self.next = last + 1;
                        return Ok(answer.events().to_vec());
                    }
                }
                _ => {
                    let at = open.at;
                    self.open = None;
                    self.cluster.leave(at);
                    self.backoff.pause().await;
                }
            }
        }
    }

    async fn open(&mut self) {
        let (at, client, moved) = self.cluster.current();
        let Some(client) = client else {
            tokio::time::sleep(Duration::from_secs(1)).await;
            return;
        };
        let options = WatchOptions::new().with_start_revision(self.next).with_prev_key();
        let options = if self.end.is_empty() { options } else { options.with_range(self.end.clone()) };
        let mut watching = client.watch_client().max_decoding_message_size(LARGEST_MESSAGE_BYTES);
        match tokio::time::timeout(ATTEMPT, watching.watch(self.key.clone(), Some(options))).await {
            Ok(Ok(stream)) => {
                let (requests, answers) = stream.split();
                self.open = Some(Open { at, _requests: requests, answers, moved });
            }
            Ok(Err(_)) | Err(_) => {
                self.cluster.leave(at);
                self.backoff.pause().await;
            }
        }
    }
}
