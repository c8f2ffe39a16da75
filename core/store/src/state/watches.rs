// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who wants to hear of changes under which prefix.

use std::collections::{BTreeMap, HashMap};

use mf_base::Kind;

use super::SessionId;
use crate::protocol::Failure;

/// Most watches of one session.
const MAX_WATCHES: usize = 1024;

/// All watches. Members of a job watch the same few prefixes, so a change is compared with each prefix once, not with
/// each watch.
#[derive(Default)]
pub(super) struct Watches {
    by_prefix: BTreeMap<String, Vec<(SessionId, u64)>>,
    prefixes: HashMap<SessionId, BTreeMap<u64, String>>,
}

impl Watches {
    pub(super) fn add(&mut self, session: SessionId, watch: u64, prefix: String) -> Result<(), Failure> {
        let own = self.prefixes.entry(session).or_default();
        if own.len() >= MAX_WATCHES {
            let what = format!("this member has {MAX_WATCHES} watches, more are not allowed");
            return Err(Failure::new(Kind::NoResources, what));
        }
        if own.contains_key(&watch) {
            return Err(Failure::new(Kind::Duplicated, format!("watch {watch} exists")));
        }
        own.insert(watch, prefix.clone());
        self.by_prefix.entry(prefix).or_default().push((session, watch));
        Ok(())
    }

    pub(super) fn remove(&mut self, session: SessionId, watch: u64) -> Result<(), Failure> {
        let prefix = self
            .prefixes
            .get_mut(&session)
            .and_then(|own| own.remove(&watch))
            .ok_or_else(|| Failure::new(Kind::NotExist, format!("there is no watch {watch}")))?;
        self.forget(session, watch, &prefix);
        Ok(())
    }

    pub(super) fn end(&mut self, session: SessionId) {
        for (watch, prefix) in self.prefixes.remove(&session).unwrap_or_default() {
            self.forget(session, watch, &prefix);
        }
    }

    pub(super) fn matching(&self, key: &str) -> impl Iterator<Item = (SessionId, u64)> {
        let prefixes = self.by_prefix.iter().filter(move |(prefix, _)| key.starts_with(prefix.as_str()));
        prefixes.flat_map(|(_, watches)| watches.iter().copied())
    }

    fn forget(&mut self, session: SessionId, watch: u64, prefix: &str) {
        if let Some(watches) = self.by_prefix.get_mut(prefix) {
            watches.retain(|one| *one != (session, watch));
            if watches.is_empty() {
                self.by_prefix.remove(prefix);
            }
        }
    }
}
