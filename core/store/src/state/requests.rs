// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Execution of requests, and the ends of waiting ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use mf_base::{Kind, Rank};

use super::format::{seconds, timeout, too_many};
use super::gathers::{Entrant, RoundEnd};
use super::keys::{Holder, Writer, Written};
use super::locks::{Grant, Outcome};
use super::replies::{self, Awaited, RequestState, happens_once, name_of};
use super::watches::Subject;
use super::{Action, Caller, LinkId, LinkState, Machine, Micros, SessionId};
use crate::api::{self, AwaitedKind, Cause, Entry, Lifetime, Waiter};
use crate::protocol::limits::{self, MAX_HELD_BYTES};
use crate::protocol::{Answer, Failure, Request, RequestMessage};

impl Machine {
    pub(super) fn request(&mut self, now: Micros, link: LinkId, sequence: u64, message: RequestMessage) {
        let Some(LinkState::Of(session)) = self.links.get(&link).copied() else {
            self.end_link(now, link, false);
            self.outgoing
                .actions
                .push(Action::Drop { link, reason: "it sent a request before it was a member" });
            return;
        };
        if self.recovery.is_some() || (self.is_young(now) && !self.may_answer_early(&message.request)) {
            if !self.deferred.add(link, sequence, message) {
                let what = format!(
                    "the store may take over from another, and keeps {MAX_HELD_BYTES} bytes of requests until then"
                );
                let result = Err(too_many(what).hint("try again in a moment"));
                if let Some(member) = self.members.get_mut(session) {
                    member.answer(sequence, result, &mut self.outgoing);
                }
            }
            return;
        }
        let Some(member) = self.members.get_mut(session) else { return };
        let RequestMessage { answered_below, request } = message;
        let caller = Caller { session, sequence };
        let once = happens_once(&request);
        member.last_contact = now;
        member.replies.confirm(answered_below);
        match member.replies.look_up(sequence, once) {
            RequestState::Never => {}
            RequestState::Settled => return,
            RequestState::Answered(result) => {
                self.acknowledge_again(now, session, &request, &result);
                if let Some(member) = self.members.get_mut(session) {
                    member.answer(sequence, result, &mut self.outgoing);
                }
                return;
            }
            RequestState::Lost => {
                member.answer(sequence, Err(replies::lost()), &mut self.outgoing);
                return;
            }
        }
        member.replies.began(now, name_of(&request));
        let is_guest = member.rank.is_none();
        let checked = limits::check(&request);
        let checked =
            if is_guest { checked.and_then(|()| limits::check_guest(session, &request)) } else { checked };
        if let Err(failure) = checked {
            self.reply(caller, once, Err(failure));
            return;
        }
        let Some(request) = self.queue_request(caller, request) else { return };
        let Some(writer) = self.writer(session) else { return };
        let checked = self.check_card(writer, &request);
        match checked.and_then(|()| self.execute(now, caller, writer, request)) {
            Ok(Some(answer)) => self.reply(caller, once, Ok(answer)),
            // It waits, or was answered with others.
            Ok(None) => {}
            Err(failure) => self.reply(caller, once, Err(failure)),
        }
    }

    pub(super) fn writer(&self, session: SessionId) -> Option<Writer> {
        self.members.get(session).map(|member| Writer { session, rank: member.rank })
    }

    pub(super) fn execute(
        &mut self,
        now: Micros,
        caller: Caller,
        writer: Writer,
        request: Request,
    ) -> Result<Option<Answer>, Failure> {
        let answer = match request {
            Request::Set { key, value, lifetime } => {
                self.check_lifetime(lifetime)?;
                let written = self.keys.set(now, writer, &key, value, writer.hold(lifetime))?;
                self.published(&written.key, written.fresh);
                Answer::Revision(written.revision)
            }
            Request::Get { key } => Answer::Entry(self.keys.get(&key)),
            Request::Wait { key, timeout_us } => match self.keys.get(&key) {
                Some(entry) => Answer::Entry(Some(entry)),
                None => {
                    self.await_reply(now, caller, Awaited::Key(key.clone()), 0)?;
                    self.waits.enter(caller, key, now, timeout_us);
                    return Ok(None);
                }
            },
            Request::Add { key, delta } => {
                let (written, sum) = self.keys.add(now, writer, &key, delta)?;
                self.published(&written.key, written.fresh);
                self.correct(now, writer.session, &written);
                Answer::Sum { sum, revision: written.revision }
            }
            Request::Append { key, value } => {
                let (written, offset) = self.keys.append(now, writer, &key, &value)?;
                self.published(&written.key, written.fresh);
                self.correct(now, writer.session, &written);
                Answer::Appended { offset, revision: written.revision }
            }
            Request::CompareAndSwap { key, expected, new, lifetime } => {
                self.check_lifetime(lifetime)?;
                let hold = writer.hold(lifetime);
                let (written, swap) =
                    self.keys.compare_and_swap(now, writer, &key, expected.as_deref(), new, hold)?;
                if let Some(written) = written {
                    self.published(&written.key, written.fresh);
                }
                Answer::Swap(swap)
            }
            Request::Delete { key } => match self.keys.delete(now, writer, &key) {
                Some((change, remember)) => {
                    self.report([change], false);
                    Answer::Deleted { revision: Some(self.keys.revision), remember }
                }
                None => Answer::Deleted { revision: None, remember: false },
            },
            Request::List { prefix } => Answer::Listing(self.keys.list(&prefix)?),
            Request::ListPage { prefix, after, limit } => {
                Answer::Page(self.keys.page(&prefix, after.as_deref(), limit))
            }
            Request::Watch { watch, prefix, exact, values } => {
                let rest = self.watch(caller, watch, prefix, exact, values)?;
                self.notify_later(caller.session, rest);
                self.send_backlog(now, caller.session);
                return Ok(None);
            }
            Request::WatchMembers { watch } => {
                self.watches.add(caller.session, watch, Subject::Members, self.reports.epoch)?;
                Answer::View(self.reports.view(&self.members))
            }
            Request::Unwatch { watch } => {
                self.watches.remove(caller.session, watch)?;
                Answer::Done
            }
            Request::Gather { name, members, value, timeout_us, after_round } => {
                let rank = self.check_gather(&name, members, writer.rank)?;
                if let Some(round) = self.gathers.missed(&name, rank, after_round) {
                    return Ok(Some(Answer::Gathered(round)));
                }
                let deadline = now.saturating_add(timeout_us);
                let entering = Entrant { caller, rank, members, value, entered: now, deadline };
                return self.gather(now, name, entering);
            }
            Request::Lock { name, timeout_us } => {
                let waiting = Awaited::Lock(name.clone());
                if timeout_us.is_some() {
                    self.check_room(caller, &name, 0)?;
                }
                match self.locks.ask(now, caller, &name, timeout_us, &mut self.keys.revision)? {
                    Outcome::Granted(fence) => Answer::Locked(Some(fence)),
                    Outcome::Taken => Answer::Locked(None),
                    Outcome::Queued => {
                        self.await_reply(now, caller, waiting, 0)?;
                        return Ok(None);
                    }
                }
            }
            Request::Unlock { name } => {
                let next = self.locks.give_back(now, caller.session, &name, &mut self.keys.revision)?;
                self.granted(next);
                Answer::Done
            }
            Request::Grant { ttl_us } => {
                Answer::Lease(self.leases.grant(now, caller.session, ttl_us, &mut self.keys.revision)?)
            }
            Request::KeepAlive { lease } => {
                self.leases.renew(now, lease)?;
                Answer::Done
            }
            Request::Revoke { lease } => {
                let existed = self.leases.revoke(lease);
                let removed = self.keys.end(now, Holder::Lease(lease), Cause::Expired);
                self.report(removed, false);
                Answer::Revoked(existed)
            }
            Request::View => Answer::View(self.reports.view(&self.members)),
            Request::Contacts => Answer::Contacts(self.members.contacts(now)),
            Request::Awaited => Answer::Awaited(self.awaited(now)),
            Request::Withdraw { of } => {
                self.withdraw(caller.session, of);
                Answer::Done
            }
        };
        Ok(Some(answer))
    }

    /// Returns the members' pending waits with the waiting members; guests are left out, as they have no
    /// rank.
    fn awaited(&self, now: Micros) -> Vec<api::Awaited> {
        let mut waiting = BTreeMap::<&Awaited, Vec<Waiter>>::new();
        for (rank, session, replies) in self.members.replies() {
            for (since, awaited) in replies.waits() {
                let waited_us = now.saturating_sub(since);
                waiting.entry(awaited).or_default().push(Waiter { rank, session, waited_us });
            }
        }
        let of = |(awaited, waiting): (&Awaited, Vec<Waiter>)| {
            let (kind, name) = match awaited {
                Awaited::Key(name) => (AwaitedKind::Key, name),
                Awaited::Round(name) => (AwaitedKind::Barrier { members: self.gathers.members(name)? }, name),
                Awaited::Lock(name) => {
                    let holder = self.members.get(self.locks.holder(name)?).and_then(|holder| holder.rank);
                    (AwaitedKind::Lock { holder: holder.map(|rank| rank.0) }, name)
                }
            };
            Some(api::Awaited { kind, name: name.clone(), waiting })
        };
        waiting.into_iter().filter_map(of).collect()
    }

    /// Ends a request that waits, because its caller does not wait any more.
    fn withdraw(&mut self, session: SessionId, of: u64) {
        let Some(member) = self.members.get_mut(session) else { return };
        let (rank, caller) = (member.rank, Caller { session, sequence: of });
        let was_held = member.withdraw_queued(of);
        let awaited = member.replies.awaited(of).cloned();
        match (&awaited, rank) {
            (Some(Awaited::Key(key)), _) => self.waits.leave(key, caller),
            (Some(Awaited::Round(name)), Some(rank)) => self.gathers.leave(name, rank, session),
            (Some(Awaited::Round(_)), None) => {}
            (Some(Awaited::Lock(name)), _) => self.locks.withdraw(session, name),
            (None, _) if was_held => {}
            (None, _) => return,
        }
        let withdrawn = Failure::new(Kind::Interrupted, "the caller withdrew the call");
        let once = matches!(awaited, Some(Awaited::Round(_) | Awaited::Lock(_)));
        self.reply(caller, once, Err(withdrawn));
    }

    fn check_lifetime(&self, lifetime: Lifetime) -> Result<(), Failure> {
        match lifetime {
            Lifetime::Lease(lease) => self.leases.check(lease),
            Lifetime::Permanent | Lifetime::Session => Ok(()),
        }
    }

    fn check_gather(&self, name: &str, members: u32, rank: Option<Rank>) -> Result<Rank, Failure> {
        let world_size = self.ranks.world_size();
        if members == 0 || members > world_size {
            return Err(Failure::invalid(format!(
                "barrier \"{name}\" of {members} members in a world of {world_size}"
            )));
        }
        rank.ok_or_else(|| {
            Failure::invalid(format!("a guest has no rank and cannot enter barrier \"{name}\""))
                .hint("connect as a member")
        })
    }

    fn check_room(&self, caller: Caller, name: &str, value_bytes: usize) -> Result<(), Failure> {
        let Some(session) = self.members.get(caller.session) else { return Ok(()) };
        session.replies.check_room(name, value_bytes).map(drop)
    }

    /// The reply follows later.
    fn await_reply(
        &mut self,
        now: Micros,
        caller: Caller,
        awaited: Awaited,
        value_bytes: usize,
    ) -> Result<(), Failure> {
        match self.members.get_mut(caller.session) {
            Some(session) => session.replies.wait(now, caller.sequence, awaited, value_bytes),
            None => Ok(()),
        }
    }

    /// Sets a watch up and answers; returns the entries for which the answer has no room.
    fn watch(
        &mut self,
        caller: Caller,
        watch: u64,
        prefix: String,
        exact: bool,
        values: bool,
    ) -> Result<Vec<Arc<Entry>>, Failure> {
        if exact && prefix.is_empty() {
            return Err(Failure::invalid("the key to watch is empty"));
        }
        let found = self.keys.found(&prefix, exact, values)?;
        let subject = if exact { Subject::Key(prefix) } else { Subject::Prefix(prefix) };
        self.watches.add(caller.session, watch, subject, self.reports.epoch)?;
        let revision = self.keys.revision;
        let answer = Answer::Watching { revision, known: found.known, entries: found.entries };
        self.reply_now(caller, false, Ok(answer));
        Ok(found.rest)
    }

    fn gather(&mut self, now: Micros, name: String, entering: Entrant) -> Result<Option<Answer>, Failure> {
        let caller = entering.caller;
        let value_bytes = entering.value.as_ref().map_or(0, Vec::len);
        self.check_room(caller, &name, value_bytes)?;
        let ended = self.gathers.enter(&name, entering)?;
        match ended {
            None => self.await_reply(now, caller, Awaited::Round(name), value_bytes)?,
            Some(RoundEnd::Full { callers, mut round }) => {
                self.keys.revision += 1;
                round.round = self.keys.revision;
                let round = Arc::new(round);
                for caller in callers {
                    self.reply(caller, true, Ok(Answer::Gathered(Arc::clone(&round))));
                }
            }
            Some(RoundEnd::Failed { callers, failure }) => {
                for caller in callers {
                    self.reply(caller, true, Err(failure.clone()));
                }
            }
        }
        Ok(None)
    }

    pub(super) fn granted(&mut self, grants: impl IntoIterator<Item = Grant>) {
        for Grant { caller, fence } in grants {
            self.reply(caller, true, Ok(Answer::Locked(Some(fence))));
        }
    }

    /// A client wrote without knowing the key's lifetime. Its keeper is notified first, so that the writer,
    /// which may be that keeper, does not prefer its own replica.
    fn correct(&mut self, now: Micros, writer: SessionId, written: &Written) {
        if !written.is_held {
            return;
        }
        if let Some((keeper, kept)) = self.keys.corrected(now, writer, &written.key) {
            if self.members.has_room(keeper, self.outgoing.unread_bytes) {
                self.keep(keeper, vec![kept]);
            } else if let Some(session) = self.members.get_mut(keeper) {
                session.keep_later(&written.key);
            }
        }
    }

    /// A reply is sent again, and its request will be remembered by a client that may have forgotten it.
    fn acknowledge_again(
        &mut self,
        now: Micros,
        session: SessionId,
        request: &Request,
        result: &Result<Answer, Failure>,
    ) {
        let (Request::Set { key, .. }
        | Request::Add { key, .. }
        | Request::Append { key, .. }
        | Request::CompareAndSwap { key, .. }
        | Request::Delete { key }) = request
        else {
            return;
        };
        let revision = match result {
            Ok(
                Answer::Revision(revision)
                | Answer::Sum { revision, .. }
                | Answer::Appended { revision, .. }
                | Answer::Deleted { revision: Some(revision), remember: true },
            ) => *revision,
            Ok(Answer::Swap(swap)) if swap.swapped => swap.current.as_ref().map_or(0, |entry| entry.revision),
            _ => return,
        };
        self.keys.acknowledged_again(now, session, key, revision);
    }

    /// Ends the requests past their deadlines.
    pub(super) fn expire_requests(&mut self, now: Micros) {
        for (caller, failure) in self.waits.expire(now) {
            self.reply(caller, false, Err(failure));
        }
        for late in self.gathers.expire(now) {
            let waited = seconds(now.saturating_sub(late.since));
            let missing = self.members.missing(now, self.ranks.world_size(), &late.came);
            let what = format!(
                "barrier \"{}\": {} of {} members entered within {waited}; {missing}",
                late.name,
                late.came.len(),
                late.members
            );
            for caller in late.callers {
                self.reply(caller, true, Err(timeout(what.clone())));
            }
        }
        for late in self.locks.expire(now) {
            let waited = seconds(now.saturating_sub(late.entered));
            let held = seconds(now.saturating_sub(late.held_since));
            let holder =
                self.members.get(late.holder).map_or_else(|| "no session".to_owned(), |holder| holder.name());
            let what = format!(
                "lock \"{}\" did not become free within {waited}: {holder} holds it since {held}",
                late.name
            );
            self.reply(late.caller, true, Err(timeout(what)));
        }
    }
}
