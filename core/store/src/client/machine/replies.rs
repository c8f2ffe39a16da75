// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Effects of a reply beyond its caller: replicas to keep, watches to update, grants to return.

use std::sync::Arc;

use mf_base::Kind;

use super::pending::Pending;
use super::{ClientMachine, Effect, standing_of};
use crate::api::Change;
use crate::protocol::{Answer, Failure, Request, Swapped};
use crate::state::Micros;

impl ClientMachine {
    pub(super) fn learn_revision(&mut self, result: &Result<Answer, Failure>) {
        let seen = match result {
            Ok(
                Answer::Revision(revision) | Answer::Sum { revision, .. } | Answer::Appended { revision, .. },
            ) => *revision,
            Ok(Answer::Entry(Some(entry)) | Answer::Swap(Swapped { current: Some(entry), .. })) => {
                entry.revision
            }
            Ok(Answer::Deleted { revision: Some(revision), .. } | Answer::Locked(Some(revision))) => {
                *revision
            }
            Ok(Answer::Listing(listing)) => listing.revision,
            Ok(Answer::Page(page)) => page.revision,
            Ok(Answer::Watching { revision, .. }) => *revision,
            Ok(Answer::Gathered(round)) => round.round,
            Ok(Answer::View(view)) => {
                self.standing =
                    standing_of(self.standing, view.epoch, view.members.iter().map(|peer| peer.session));
                return;
            }
            _ => return,
        };
        self.revision = self.revision.max(seen);
    }

    /// Brings a watch up to the state of the store.
    pub(super) fn watch_answered(
        &mut self,
        pending: &Pending,
        result: &Result<Answer, Failure>,
        effects: &mut Vec<Effect>,
    ) {
        let watch = match &pending.request {
            Request::Watch { watch, .. } | Request::WatchMembers { watch } => *watch,
            _ => return,
        };
        match result {
            Ok(Answer::Watching { revision, known, entries }) => {
                let changes = self.watches.known(watch, *revision, known, entries);
                effects.extend(
                    changes.into_iter().map(|change| Effect::Deliver { watch, change: Arc::new(change) }),
                );
            }
            Ok(Answer::View(view)) => {
                if let Some(change) = self.watches.view(watch, view) {
                    effects.push(Effect::DeliverView { watch, change: Arc::new(change) });
                }
            }
            Ok(_) => {}
            // It was set up once and cannot be set up again: no notification will follow.
            Err(_) if self.watches.is_set_up(watch) => {
                if self.watches.end_keys(watch) {
                    effects.push(Effect::Deliver { watch, change: Arc::new(Change::StoreLost) });
                }
                self.watches.end(watch);
            }
            Err(_) => {
                self.watches.end(watch);
            }
        }
    }

    /// Returns to the store a grant for a caller that has returned.
    pub(super) fn give_back(
        &mut self,
        now: Micros,
        pending: &Pending,
        result: &Result<Answer, Failure>,
        effects: &mut Vec<Effect>,
    ) {
        if pending.has_caller() {
            return;
        }
        let request = match (&pending.request, result) {
            (Request::Lock { name, .. }, Ok(Answer::Locked(Some(_)))) => {
                Request::Unlock { name: name.clone() }
            }
            (_, Ok(Answer::Lease(lease))) => Request::Revoke { lease: *lease },
            (Request::Watch { watch, .. } | Request::WatchMembers { watch }, Ok(_))
                if !self.watches.exists(*watch) =>
            {
                Request::Unwatch { watch: *watch }
            }
            _ => return,
        };
        let sequence = self.requests.add(Pending::abandoned(request));
        self.send(now, sequence, effects);
    }

    /// Keeps the state that a later store must recover from this member.
    pub(super) fn remember(
        &mut self,
        pending: &mut Pending,
        result: Result<Answer, Failure>,
    ) -> Result<Answer, Failure> {
        match result {
            Ok(answer) => {
                self.memories.acknowledged(&mut pending.request, &answer, pending.superseded);
                Ok(answer)
            }
            Err(failure) if failure.kind() == Kind::NotExist => {
                let was_held = self.memories.ended(&pending.request);
                // The store before this one unlocked it, and only its reply was lost.
                match pending.request {
                    Request::Unlock { .. } if was_held && pending.over_stores => Ok(Answer::Done),
                    _ => Err(failure),
                }
            }
            Err(failure) => Err(failure),
        }
    }
}
