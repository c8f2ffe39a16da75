// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sender: turns the actions of the state machine into frames for clients.
//!
//! A message for many clients (a change, the end of an allgather) is encoded once; each connection sends the
//! same bytes after a header of its own.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde::Serialize;

use super::super::outbound::{Closing, Outbound, share};
use super::{Hub, LinkEntry};
use crate::api::Entry;
use crate::channel::pieces::{SHARED_BYTES, append_frame};
use crate::protocol::frame::{FrameKind, encode, encode_body, header_of};
use crate::protocol::{Answer, Changed, Failure, Notice, Round, Swapped, Welcome};
use crate::state::{Action, LinkId};

/// A message for several connections.
pub(super) enum SharedMessage {
    Change(Arc<Changed>),
    Notice(Arc<Notice>),
    Round(Arc<Round>),
}

impl SharedMessage {
    fn is(&self, other: &SharedMessage) -> bool {
        match (self, other) {
            (SharedMessage::Change(one), SharedMessage::Change(two)) => Arc::ptr_eq(one, two),
            (SharedMessage::Notice(one), SharedMessage::Notice(two)) => Arc::ptr_eq(one, two),
            (SharedMessage::Round(one), SharedMessage::Round(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }

    fn encode(&self, kind: FrameKind) -> Option<Arc<[u8]>> {
        let mut body = Vec::new();
        let encoded = match self {
            SharedMessage::Change(change) => encode_body(kind, &**change, &mut body),
            SharedMessage::Notice(notice) => encode_body(kind, &**notice, &mut body),
            SharedMessage::Round(round) => {
                let result: Result<Answer, Failure> = Ok(Answer::Gathered(Arc::clone(round)));
                encode_body(kind, &result, &mut body)
            }
        };
        encoded.is_ok().then(|| Arc::from(body))
    }
}

impl Hub {
    /// Performs an action of the state machine for one client.
    pub(super) fn perform(&self, action: Action) {
        match action {
            Action::Welcome { link, granted } => {
                let outbounds = self.outbounds.borrow();
                let Some(attached) = outbounds.get(&link) else { return };
                attached.rank.set(granted.rank.map(|rank| rank.0));
                if !self.machine.borrow().is_fresh() {
                    self.token_stands.set(true);
                }
                self.shown.term.store(granted.term, Ordering::Release);
                let welcome = Welcome {
                    proof: attached.outbound.proof.get(),
                    rank: granted.rank.map(|rank| rank.0),
                    world_size: granted.world_size,
                    session: granted.session,
                    job_token: self.job_token.get(),
                    store: self.identity.store,
                    term: granted.term,
                    standing: granted.standing,
                    revision: granted.revision,
                };
                self.queue(&attached.outbound, FrameKind::Welcome, 0, &welcome);
                attached.is_welcome.set(true);
                self.notify_end(attached);
            }
            Action::Refuse { link, refusal } => {
                self.send(link, FrameKind::Refused, 0, &refusal);
                self.close(link, Closing::Sent);
            }
            Action::Reply { link, sequence, result: Ok(Answer::Gathered(round)) } => {
                self.send_shared(link, FrameKind::Reply, sequence, SharedMessage::Round(round));
            }
            Action::Reply { link, sequence, result } => {
                self.send_reply(link, sequence, &result);
            }
            Action::Change { link, watch, change } if is_large(&change) => {
                let Changed::Put(entry) = &*change else { return };
                self.send_sharing(link, FrameKind::Change, watch, &*change, std::slice::from_ref(entry));
            }
            Action::Change { link, watch, change } => {
                self.send_shared(link, FrameKind::Change, watch, SharedMessage::Change(change));
            }
            Action::Notice { link, notice } => {
                self.send_shared(link, FrameKind::Notice, 0, SharedMessage::Notice(notice));
            }
            Action::Drop { link, reason } => self.close(link, Closing::Rules(reason)),
            Action::StepDown { term } => {
                tracing::warn!(term, "a store of a higher term leads the job, this one ends");
                self.end();
            }
        }
    }

    fn send<T: Serialize>(&self, link: LinkId, kind: FrameKind, sequence: u64, body: &T) {
        // A link may have ended while actions of the same event still address it.
        if let Some(attached) = self.outbounds.borrow().get(&link) {
            self.queue(&attached.outbound, kind, sequence, body);
        }
    }

    fn send_reply(&self, link: LinkId, sequence: u64, result: &Result<Answer, Failure>) {
        let large = |entries: &[Arc<Entry>]| {
            entries.iter().filter(|entry| entry.value.len() >= SHARED_BYTES).cloned().collect()
        };
        let values: Vec<_> = match result {
            Ok(Answer::Entry(Some(entry)) | Answer::Swap(Swapped { current: Some(entry), .. }))
                if entry.value.len() >= SHARED_BYTES =>
            {
                vec![Arc::clone(entry)]
            }
            Ok(Answer::Listing(listing)) => large(&listing.entries),
            Ok(Answer::Page(page)) => large(&page.entries),
            Ok(Answer::Watching { entries, .. }) => large(entries),
            _ => return self.send(link, FrameKind::Reply, sequence, result),
        };
        self.send_sharing(link, FrameKind::Reply, sequence, result, &values);
    }

    /// Sends what holds values of the store, which are not copied.
    fn send_sharing<T: Serialize>(
        &self,
        link: LinkId,
        kind: FrameKind,
        sequence: u64,
        body: &T,
        values: &[Arc<Entry>],
    ) {
        let outbounds = self.outbounds.borrow();
        let Some(LinkEntry { outbound, .. }) = outbounds.get(&link) else { return };
        let first = outbound.append(|queue| {
            if let Err(error) = append_frame(queue, kind, sequence, body, values) {
                tracing::error!(?kind, %error, "store message could not be encoded");
            }
        });
        if first {
            self.dirty.borrow_mut().push(Rc::clone(outbound));
        }
    }

    pub(super) fn queue<T: Serialize>(
        &self,
        outbound: &Rc<Outbound>,
        kind: FrameKind,
        sequence: u64,
        body: &T,
    ) {
        let first = outbound.append(|queue| {
            // Every message that the state machine makes fits into a frame; see `limits`.
            if let Err(error) = queue.append(|own| encode(kind, sequence, body, own)) {
                tracing::error!(?kind, %error, "store message could not be encoded");
            }
        });
        if first {
            self.dirty.borrow_mut().push(Rc::clone(outbound));
        }
    }

    /// Sends a message that goes to others as well.
    pub(super) fn send_shared(&self, link: LinkId, kind: FrameKind, sequence: u64, shared: SharedMessage) {
        let outbounds = self.outbounds.borrow();
        let Some(LinkEntry { outbound, .. }) = outbounds.get(&link) else { return };
        let mut last = self.last.borrow_mut();
        let known = last.as_ref().filter(|(before, _)| before.is(&shared)).map(|(_, body)| Arc::clone(body));
        let body = match known.or_else(|| shared.encode(kind)) {
            Some(body) => body,
            None => return,
        };
        let Ok(header) = header_of(kind, sequence, body.len()) else {
            tracing::error!(?kind, bytes = body.len(), "store message is too large");
            return;
        };
        if outbound.append(|queue| share(queue, &header, &body)) {
            self.dirty.borrow_mut().push(Rc::clone(outbound));
        }
        *last = Some((shared, body));
    }

    fn close(&self, link: LinkId, why: Closing) {
        if let Some(attached) = self.outbounds.borrow().get(&link) {
            attached.outbound.close(why);
        }
    }
}

fn is_large(change: &Changed) -> bool {
    matches!(change, Changed::Put(entry) if entry.value.len() >= SHARED_BYTES)
}
