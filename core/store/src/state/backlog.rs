// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Back-pressure: queues for clients that read slowly.
//!
//! Bytes for a client are counted until the edge reports that they have left the store
//! ([`Event::Drained`](super::Event::Drained)). Above [`Limits::unread_bytes`](super::Limits::unread_bytes) a
//! client is *full*: nothing more is sent to it, and its remaining messages are queued here, in a form that
//! does not grow with the events meanwhile:
//!
//! * a change of a watched key as the key: the state at the time of sending is sent in the end. A key that
//!   changes again keeps its place, one that was created and removed meanwhile loses it;
//! * a request that only reads as the request: it is executed when there is room for the reply;
//! * replies to requests that were carried out. The edge passes on no more requests of a client with many
//!   queued replies ([`Backlog::is_saturated`]);
//! * membership, standing and replicas as flags that there is something to send.
//!
//! The queue keeps its order, so that a change is sent before the reply of the call that made it, and before
//! all that followed from it.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::members::Session;
use super::replies::happens_once;
use super::{Action, Caller, LinkId, LinkState, Machine, Micros, SessionId};
use crate::api::{Entry, ViewChange};
use crate::protocol::{Answer, Changed, Failure, Kept, Memory, Notice, Request};

/// Actions to send, and the size of each client's share.
pub(super) struct Outgoing {
    pub(super) actions: Vec<Action>,
    /// See [`Limits::unread_bytes`](super::Limits::unread_bytes).
    pub(super) unread_bytes: usize,
}

/// Approximate overhead of a message.
const MESSAGE_BYTES: usize = 64;
/// Size of a member in a list of waiters.
const WAITER_BYTES: usize = 24;
/// At this number of queued replies, no more requests of a client are accepted.
const MAX_QUEUED_REQUESTS: usize = 64;

/// One queued item.
enum Queued {
    Key {
        key: Arc<str>,
        /// True if the client may have seen the key.
        is_known: bool,
        /// Its last removal, if it was not set again.
        removed: Option<Arc<Changed>>,
    },
    Ask {
        caller: Caller,
        request: Box<Request>,
    },
    /// The key of a wait appeared. Its value stays in the store until there is room.
    Appeared {
        caller: Caller,
        key: Arc<str>,
        deadline: Micros,
    },
    Reply {
        sequence: u64,
        result: Result<Answer, Failure>,
    },
    View {
        watch: u64,
    },
    Standing,
    Keep(Arc<str>),
}

/// Queue of one client.
#[derive(Default)]
pub(super) struct Backlog {
    /// Bytes that were sent and may still be in the store.
    unread: usize,
    /// Empty places are of keys that were created and removed.
    queue: VecDeque<Option<Queued>>,
    /// The number of the first place.
    first: u64,
    /// Places of keys.
    keys: HashMap<Arc<str>, u64>,
    keeps: HashSet<Arc<str>>,
    views: BTreeMap<u64, ViewChange>,
    is_standing_late: bool,
    queued_requests: usize,
    queued_bytes: usize,
    /// The revision of the change that was queued last: several watches report it.
    last: u64,
}

impl Backlog {
    fn push(&mut self, item: Queued) -> u64 {
        self.queue.push_back(Some(item));
        self.first + self.queue.len() as u64 - 1
    }

    fn pop(&mut self) -> Option<Queued> {
        loop {
            let item = self.queue.pop_front()?;
            self.first += 1;
            match &item {
                Some(Queued::Key { key, .. }) => {
                    self.keys.remove(key);
                }
                Some(Queued::Keep(key)) => {
                    self.keeps.remove(key);
                }
                Some(Queued::Standing) => self.is_standing_late = false,
                Some(Queued::Reply { result, .. }) => {
                    self.queued_requests -= 1;
                    self.queued_bytes -= reply_bytes(result);
                }
                Some(Queued::Ask { .. }) => self.queued_requests -= 1,
                Some(Queued::Appeared { .. } | Queued::View { .. }) | None => {}
            }
            if item.is_some() {
                return item;
            }
        }
    }

    /// Returns true if the client must read before more of its requests are accepted.
    fn is_saturated(&self, unread_bytes: usize) -> bool {
        self.queued_requests >= MAX_QUEUED_REQUESTS || self.queued_bytes >= unread_bytes
    }

    fn reply(&mut self, sequence: u64, result: Result<Answer, Failure>) {
        self.queued_requests += 1;
        self.queued_bytes += reply_bytes(&result);
        self.push(Queued::Reply { sequence, result });
    }

    /// `fresh`: the key did not exist before the change.
    fn change(&mut self, changed: &Arc<Changed>, fresh: bool) {
        if changed.revision() == self.last {
            return;
        }
        self.last = changed.revision();
        let place = self.keys.get(changed.key()).copied();
        let item =
            place.and_then(|place| self.queue.get_mut(usize::try_from(place.checked_sub(self.first)?).ok()?));
        match (item, &**changed) {
            (Some(Some(Queued::Key { removed, .. })), Changed::Put(_)) => *removed = None,
            (Some(slot @ Some(Queued::Key { is_known: false, .. })), Changed::Removed { .. }) => {
                *slot = None;
                self.keys.remove(changed.key());
            }
            (Some(Some(Queued::Key { removed, .. })), Changed::Removed { .. }) => {
                *removed = Some(Arc::clone(changed));
            }
            (_, change) => {
                let is_put = matches!(change, Changed::Put(_));
                self.key(
                    Arc::from(changed.key()),
                    !(is_put && fresh),
                    (!is_put).then(|| Arc::clone(changed)),
                );
            }
        }
        // Created and removed keys leave empty places; the queue is compacted once they are the greater part
        // of it.
        if self.queue.len() >= 64
            && self.queue.len() > 2 * (self.keys.len() + self.queued_requests + self.keeps.len() + 64)
        {
            self.compact();
        }
    }

    fn key(&mut self, key: Arc<str>, is_known: bool, removed: Option<Arc<Changed>>) {
        let place = self.push(Queued::Key { key: Arc::clone(&key), is_known, removed });
        self.keys.insert(key, place);
    }

    fn compact(&mut self) {
        self.queue.retain(Option::is_some);
        self.first = 0;
        let keys = self.queue.iter().enumerate().filter_map(|(place, item)| match item {
            Some(Queued::Key { key, .. }) => Some((Arc::clone(key), place as u64)),
            _ => None,
        });
        self.keys = keys.collect();
    }

    fn view(&mut self, watch: u64, change: ViewChange) {
        if let Some(before) = self.views.get_mut(&watch) {
            merge(before, change);
        } else {
            self.views.insert(watch, change);
            self.push(Queued::View { watch });
        }
    }
}

/// Merges the later change `after` into `before`.
fn merge(before: &mut ViewChange, after: ViewChange) {
    before.epoch = after.epoch;
    for (departed, all) in [(after.left, &mut before.left), (after.dead, &mut before.dead)] {
        for peer in departed {
            // A member that joined and left between two reports is in neither.
            let came = before.joined.iter().position(|joined| joined.session == peer.session);
            match came {
                Some(at) => drop(before.joined.remove(at)),
                None => all.push(peer),
            }
        }
    }
    before.joined.extend(after.joined);
}

impl Changed {
    fn revision(&self) -> u64 {
        match self {
            Changed::Put(entry) => entry.revision,
            Changed::Removed { revision, .. } => *revision,
        }
    }
}

impl Action {
    /// Returns the link concerned. `None`: the store itself.
    pub(crate) fn link(&self) -> Option<LinkId> {
        match self {
            Action::Welcome { link, .. }
            | Action::Refuse { link, .. }
            | Action::Reply { link, .. }
            | Action::Change { link, .. }
            | Action::Notice { link, .. }
            | Action::Drop { link, .. } => Some(*link),
            Action::StepDown { .. } => None,
        }
    }

    /// Bytes that this occupies until the client reads it.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Action::Reply { result, .. } => reply_bytes(result),
            Action::Change { change, .. } => match &**change {
                Changed::Put(entry) => entry_bytes(entry),
                Changed::Removed { key, .. } => MESSAGE_BYTES + key.len(),
            },
            Action::Notice { notice, .. } => MESSAGE_BYTES + notice_bytes(notice),
            Action::Welcome { .. }
            | Action::Refuse { .. }
            | Action::Drop { .. }
            | Action::StepDown { .. } => 0,
        }
    }
}

fn entry_bytes(entry: &Arc<Entry>) -> usize {
    MESSAGE_BYTES + entry.key.len() + entry.value.len()
}

fn reply_bytes(result: &Result<Answer, Failure>) -> usize {
    let body = match result {
        Ok(Answer::Entry(Some(entry))) => entry_bytes(entry),
        Ok(Answer::Swap(swap)) => swap.current.as_ref().map_or(0, entry_bytes),
        Ok(Answer::Listing(listing)) => listing.entries.iter().map(entry_bytes).sum(),
        Ok(Answer::Page(page)) => page.entries.iter().map(entry_bytes).sum(),
        Ok(Answer::Watching { known, entries, .. }) => {
            let known: usize = known.iter().map(|known| MESSAGE_BYTES + known.key.len()).sum();
            known + entries.iter().map(entry_bytes).sum::<usize>()
        }
        Ok(Answer::Gathered(round)) => {
            round.ranks.len() * 4 + round.parts.iter().map(|part| part.value.len() + 8).sum::<usize>()
        }
        Ok(Answer::Contacts(contacts)) => contacts.len() * 2 * MESSAGE_BYTES,
        Ok(Answer::Awaited(awaited)) => {
            awaited.iter().map(|one| MESSAGE_BYTES + one.name.len() + one.waiting.len() * WAITER_BYTES).sum()
        }
        Ok(Answer::View(view)) => view.members.len() * 2 * MESSAGE_BYTES,
        Err(failure) => failure.text().len(),
        Ok(_) => 0,
    };
    MESSAGE_BYTES + body
}

fn notice_bytes(notice: &Notice) -> usize {
    match notice {
        Notice::Standing(_) | Notice::Ending => 0,
        Notice::Superseded(keys) => keys.iter().map(|(key, _)| key.len() + 16).sum(),
        Notice::Keep(kept) => kept.iter().map(kept_bytes).sum(),
        Notice::View { change, .. } => {
            (change.joined.len() + change.left.len() + change.dead.len()) * 2 * MESSAGE_BYTES
        }
    }
}

pub(super) fn kept_bytes(kept: &Kept) -> usize {
    let value = match &kept.what {
        Memory::Value { bytes, .. } | Memory::Piece { bytes, .. } => bytes.len(),
        Memory::Deletion => 0,
    };
    kept.key.len() + value + MESSAGE_BYTES
}

/// Returns true if a request only reads, and may wait until there is room for its reply.
fn only_reads(request: &Request) -> bool {
    !happens_once(request) && !matches!(request, Request::KeepAlive { .. } | Request::Withdraw { .. })
}

impl Session {
    /// Returns true while nothing more is sent to this client until it has read the earlier messages.
    pub(super) fn is_full(&self, unread_bytes: usize) -> bool {
        self.backlog.unread >= unread_bytes || !self.backlog.queue.is_empty()
    }

    /// Sends now, without a check for room.
    pub(super) fn send(&mut self, action: Action, outgoing: &mut Outgoing) {
        self.backlog.unread += action.bytes();
        outgoing.actions.push(action);
    }

    pub(super) fn answer(&mut self, sequence: u64, result: Result<Answer, Failure>, outgoing: &mut Outgoing) {
        let Some(link) = self.link else { return };
        if self.is_full(outgoing.unread_bytes) {
            self.backlog.reply(sequence, result);
        } else {
            self.send(Action::Reply { link, sequence, result }, outgoing);
        }
    }

    pub(super) fn notify(&mut self, watch: u64, change: &Arc<Changed>, fresh: bool, outgoing: &mut Outgoing) {
        let Some(link) = self.link else { return };
        if self.is_full(outgoing.unread_bytes) {
            self.backlog.change(change, fresh);
        } else {
            self.send(Action::Change { link, watch, change: Arc::clone(change) }, outgoing);
        }
    }

    pub(super) fn notify_view(
        &mut self,
        watch: u64,
        change: &ViewChange,
        notice: &Arc<Notice>,
        outgoing: &mut Outgoing,
    ) {
        let Some(link) = self.link else { return };
        if self.is_full(outgoing.unread_bytes) {
            self.backlog.view(watch, change.clone());
        } else {
            self.send(Action::Notice { link, notice: Arc::clone(notice) }, outgoing);
        }
    }

    pub(super) fn notify_standing(&mut self, notice: &Arc<Notice>, outgoing: &mut Outgoing) {
        let Some(link) = self.link else { return };
        if !self.is_full(outgoing.unread_bytes) {
            self.send(Action::Notice { link, notice: Arc::clone(notice) }, outgoing);
        } else if !std::mem::replace(&mut self.backlog.is_standing_late, true) {
            self.backlog.push(Queued::Standing);
        }
    }

    /// Asks the client to keep a key, when there is room.
    pub(super) fn keep_later(&mut self, key: &Arc<str>) {
        if self.link.is_some() && self.backlog.keeps.insert(Arc::clone(key)) {
            self.backlog.push(Queued::Keep(Arc::clone(key)));
        }
    }

    /// Withdraws a queued request. Returns false if it was not queued.
    pub(super) fn withdraw_queued(&mut self, sequence: u64) -> bool {
        let mut found = false;
        for slot in &mut self.backlog.queue {
            match slot {
                Some(Queued::Ask { caller, .. }) if caller.sequence == sequence => {
                    self.backlog.queued_requests -= 1;
                }
                Some(Queued::Appeared { caller, .. }) if caller.sequence == sequence => {}
                _ => continue,
            }
            *slot = None;
            found = true;
        }
        found
    }

    /// The link has ended, and its queue with it. Its requests are sent again over the next one.
    pub(super) fn discard_backlog(&mut self) {
        for item in std::mem::take(&mut self.backlog).queue.into_iter().flatten() {
            if let Queued::Appeared { caller, .. } = item {
                self.replies.forget(caller.sequence);
            }
        }
    }
}

impl Machine {
    /// Returns true if the edge may pass on requests of this link. It may pass on requests that it held back
    /// after the next [`Event::Drained`](super::Event::Drained).
    pub(crate) fn accepts_requests(&self, link: LinkId) -> bool {
        let Some(LinkState::Of(session)) = self.links.get(&link) else { return true };
        self.members
            .get(*session)
            .is_none_or(|session| !session.backlog.is_saturated(self.outgoing.unread_bytes))
    }

    /// Queues a request that only reads when its client is full; returns it otherwise.
    pub(super) fn queue_request(&mut self, caller: Caller, request: Request) -> Option<Request> {
        match self.members.get_mut(caller.session) {
            Some(session) if only_reads(&request) && session.is_full(self.outgoing.unread_bytes) => {
                session.backlog.queued_requests += 1;
                session.backlog.push(Queued::Ask { caller, request: Box::new(request) });
                None
            }
            _ => Some(request),
        }
    }

    /// Queues entries that a watch reports after the reply that sets it up.
    pub(super) fn notify_later(&mut self, session: SessionId, entries: Vec<Arc<Entry>>) {
        let Some(session) = self.members.get_mut(session) else { return };
        for entry in entries {
            if !session.backlog.keys.contains_key(entry.key.as_str()) {
                session.backlog.key(Arc::from(entry.key.as_str()), true, None);
            }
        }
    }

    /// The key of a wait appeared: replies, or queues the reply.
    pub(super) fn appeared(&mut self, caller: Caller, deadline: Micros, key: &Arc<str>, entry: &Arc<Entry>) {
        match self.members.get_mut(caller.session) {
            Some(session) if session.link.is_some() && session.is_full(self.outgoing.unread_bytes) => {
                session.backlog.push(Queued::Appeared { caller, key: Arc::clone(key), deadline });
            }
            _ => self.reply(caller, false, Ok(Answer::Entry(Some(Arc::clone(entry))))),
        }
    }

    /// All messages for a link have left the store.
    pub(super) fn drained(&mut self, now: Micros, link: LinkId) {
        let Some(LinkState::Of(id)) = self.links.get(&link).copied() else { return };
        if let Some(session) = self.members.get_mut(id) {
            session.backlog.unread = 0;
        }
        self.send_backlog(now, id);
    }

    /// Sends from the backlog as far as there is room.
    pub(super) fn send_backlog(&mut self, now: Micros, id: SessionId) {
        loop {
            let Some(session) = self.members.get_mut(id) else { return };
            let Some(link) = session.link else { return };
            if session.backlog.unread >= self.outgoing.unread_bytes {
                return;
            }
            let Some(item) = session.backlog.pop() else { break };
            match item {
                Queued::Key { key, removed, .. } => self.say_key(id, link, &key, removed),
                Queued::Ask { caller, request } => self.execute_queued(now, caller, *request),
                Queued::Appeared { caller, key, deadline } => match self.keys.get(&key) {
                    Some(entry) => {
                        self.reply_now(caller, false, Ok(Answer::Entry(Some(entry))));
                    }
                    // It was removed before its value could be sent: the wait continues.
                    None => self.waits.enter(caller, key.to_string(), now, deadline.saturating_sub(now)),
                },
                Queued::Reply { sequence, result } => {
                    session.send(Action::Reply { link, sequence, result }, &mut self.outgoing);
                }
                Queued::View { watch } => {
                    if let Some(change) = session.backlog.views.remove(&watch) {
                        let notice = Arc::new(Notice::View { watch, change });
                        session.send(Action::Notice { link, notice }, &mut self.outgoing);
                    }
                }
                Queued::Standing => {
                    let standing = self.reports.standing(&self.members);
                    if let Some(session) = self.members.get_mut(id) {
                        session.notified_epoch = standing.epoch;
                        let notice = Arc::new(Notice::Standing(standing));
                        session.send(Action::Notice { link, notice }, &mut self.outgoing);
                    }
                }
                Queued::Keep(key) => {
                    if let Some(kept) = self.keys.handed_again(now, &key, id)
                        && let Some(session) = self.members.get_mut(id)
                    {
                        let notice = Arc::new(Notice::Keep(vec![kept]));
                        session.send(Action::Notice { link, notice }, &mut self.outgoing);
                    }
                }
            }
        }
        self.keys.keepers.outbox.wake(now, id);
        self.ask_for_hand_over(now);
    }

    fn say_key(&mut self, id: SessionId, link: LinkId, key: &str, removed: Option<Arc<Changed>>) {
        let Some(change) = self.keys.get(key).map(|entry| Arc::new(Changed::Put(entry))).or(removed) else {
            return;
        };
        let Some(session) = self.members.get_mut(id) else { return };
        for watch in self.watches.of(id, key) {
            session.send(Action::Change { link, watch, change: Arc::clone(&change) }, &mut self.outgoing);
        }
    }

    fn execute_queued(&mut self, now: Micros, caller: Caller, request: Request) {
        let Some(writer) = self.writer(caller.session) else { return };
        match self.execute(now, caller, writer, request) {
            Ok(Some(answer)) => self.reply_now(caller, false, Ok(answer)),
            Ok(None) => {}
            Err(failure) => self.reply_now(caller, false, Err(failure)),
        }
    }
}
