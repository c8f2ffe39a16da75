// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Watches of keys, prefixes and the membership.
//!
//! Members of a job watch the same few prefixes, and some of them single keys by the thousand. A change is
//! therefore found by the prefixes of its key, one for each length of a watched prefix, not compared with
//! each watch.
//!
//! A watch belongs to its session. It stays while the session has no link, silent; the client sets it up
//! again under the same number when it is back, and compares.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mf_base::Kind;

use super::SessionId;
use super::format::too_many;
use crate::protocol::Failure;
use crate::protocol::limits::{MAX_ALL_WATCHES_BYTES, MAX_MEMBER_WATCHES, MAX_WATCHES, MAX_WATCHES_BYTES};

/// Overhead of a watch, and the number of copies of its subject.
const OVERHEAD_BYTES: usize = 192;
const SUBJECTS: usize = 2;

/// Subject of a watch.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Subject {
    Prefix(String),
    Key(String),
    Members,
}

impl Subject {
    fn bytes(&self) -> usize {
        match self {
            Subject::Prefix(text) | Subject::Key(text) => OVERHEAD_BYTES + SUBJECTS * text.len(),
            Subject::Members => OVERHEAD_BYTES,
        }
    }
}

/// The watches of one session.
#[derive(Default)]
struct SessionWatches {
    watches: BTreeMap<u64, Subject>,
    of_members: usize,
    bytes: usize,
}

impl SessionWatches {
    fn take(&mut self, watch: u64) -> Option<Subject> {
        let subject = self.watches.remove(&watch)?;
        self.bytes -= subject.bytes();
        self.of_members -= usize::from(subject == Subject::Members);
        Some(subject)
    }

    fn check(&self, subject: &Subject) -> Result<(), Failure> {
        let hint = "watch a prefix instead of many keys";
        if self.watches.len() >= MAX_WATCHES {
            let what = format!("this client has {MAX_WATCHES} watches, more are not allowed");
            return Err(too_many(what).hint(hint));
        }
        if *subject == Subject::Members && self.of_members >= MAX_MEMBER_WATCHES {
            return Err(too_many(format!(
                "this client watches the members {MAX_MEMBER_WATCHES} times, more is not allowed"
            ))
            .hint("share one watch among several callbacks"));
        }
        if self.bytes + subject.bytes() > MAX_WATCHES_BYTES {
            let what = format!("the watches of this client hold {} of {MAX_WATCHES_BYTES} bytes", self.bytes);
            return Err(too_many(what).hint(hint));
        }
        Ok(())
    }
}

type Watchers = BTreeSet<(SessionId, u64)>;

/// All watches. The maps by subject mirror `own`.
#[derive(Default)]
pub(super) struct Watches {
    own: HashMap<SessionId, SessionWatches>,
    bytes: usize,
    prefixes: HashMap<String, Watchers>,
    /// Number of watched prefixes of each length.
    lengths: BTreeMap<usize, usize>,
    keys: HashMap<String, Watchers>,
    /// With the epoch up to which each was notified.
    members: BTreeMap<(SessionId, u64), u64>,
}

impl Watches {
    /// Adds a watch, or finds that it exists. `epoch` is the membership in the answer.
    pub(super) fn add(
        &mut self,
        session: SessionId,
        watch: u64,
        subject: Subject,
        epoch: u64,
    ) -> Result<(), Failure> {
        let own = self.own.entry(session).or_default();
        match own.watches.get(&watch) {
            Some(before) if *before != subject => {
                return Err(Failure::new(Kind::Duplicated, format!("watch {watch} exists")));
            }
            Some(_) => {
                if subject == Subject::Members {
                    self.members.insert((session, watch), epoch);
                }
                return Ok(());
            }
            None => {}
        }
        own.check(&subject)?;
        if self.bytes + subject.bytes() > MAX_ALL_WATCHES_BYTES {
            let what = format!("all watches hold {} of {MAX_ALL_WATCHES_BYTES} bytes", self.bytes);
            return Err(too_many(what).hint("end watches, or watch shorter prefixes"));
        }
        own.bytes += subject.bytes();
        own.of_members += usize::from(subject == Subject::Members);
        self.bytes += subject.bytes();
        own.watches.insert(watch, subject.clone());
        match subject {
            Subject::Members => {
                self.members.insert((session, watch), epoch);
            }
            Subject::Key(key) => {
                self.keys.entry(key).or_default().insert((session, watch));
            }
            Subject::Prefix(prefix) => {
                let length = prefix.len();
                let watchers = self.prefixes.entry(prefix).or_default();
                if watchers.is_empty() {
                    *self.lengths.entry(length).or_default() += 1;
                }
                watchers.insert((session, watch));
            }
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, session: SessionId, watch: u64) -> Result<(), Failure> {
        let subject = self
            .own
            .get_mut(&session)
            .and_then(|own| own.take(watch))
            .ok_or_else(|| Failure::new(Kind::NotExist, format!("no watch {watch}")))?;
        self.bytes -= subject.bytes();
        self.forget(session, watch, &subject);
        Ok(())
    }

    pub(super) fn end(&mut self, session: SessionId) {
        for (watch, subject) in self.own.remove(&session).unwrap_or_default().watches {
            self.bytes -= subject.bytes();
            self.forget(session, watch, &subject);
        }
    }

    /// Calls `each` for every watch that a change of `key` concerns.
    pub(super) fn matching(&self, key: &str, mut each: impl FnMut(SessionId, u64)) {
        let beginnings = self.lengths.range(..=key.len()).filter_map(|(length, _)| key.get(..*length));
        let prefixes = beginnings.filter_map(|beginning| self.prefixes.get(beginning));
        for (session, watch) in prefixes.chain(self.keys.get(key)).flatten() {
            each(*session, *watch);
        }
    }

    /// The watches of one session that a change of `key` concerns.
    pub(super) fn of(&self, session: SessionId, key: &str) -> impl Iterator<Item = u64> {
        let own = self.own.get(&session).into_iter().flat_map(|own| &own.watches);
        own.filter(move |(_, subject)| match subject {
            Subject::Key(of) => of == key,
            Subject::Prefix(prefix) => key.starts_with(prefix.as_str()),
            Subject::Members => false,
        })
        .map(|(watch, _)| *watch)
    }

    /// Returns true if there is a watch for changes of `key`.
    pub(super) fn concerns(&self, key: &str) -> bool {
        let mut any = false;
        self.matching(key, |_, _| any = true);
        any
    }

    /// The watches of the membership.
    pub(super) fn of_members(&mut self) -> &mut BTreeMap<(SessionId, u64), u64> {
        &mut self.members
    }

    pub(super) fn anyone_watches_members(&self) -> bool {
        !self.members.is_empty()
    }

    /// Returns the number of watches.
    pub(super) fn count(&self) -> usize {
        self.own.values().map(|own| own.watches.len()).sum()
    }

    fn forget(&mut self, session: SessionId, watch: u64, subject: &Subject) {
        match subject {
            Subject::Members => {
                self.members.remove(&(session, watch));
            }
            Subject::Key(key) => {
                drop_watcher(&mut self.keys, key, (session, watch));
            }
            Subject::Prefix(prefix) => {
                if drop_watcher(&mut self.prefixes, prefix, (session, watch))
                    && let Some(count) = self.lengths.get_mut(&prefix.len())
                {
                    *count -= 1;
                    if *count == 0 {
                        self.lengths.remove(&prefix.len());
                    }
                }
            }
        }
    }
}

/// Removes a watcher; true when it was the last one of its text.
fn drop_watcher(of: &mut HashMap<String, Watchers>, text: &str, watcher: (SessionId, u64)) -> bool {
    let Some(watchers) = of.get_mut(text) else { return false };
    watchers.remove(&watcher);
    let is_last = watchers.is_empty();
    if is_last {
        of.remove(text);
    }
    is_last
}
