// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Who carries what is not copied in place: the best of what was asked for, or with one warning what reaches
//! the other process. Messages are none of an engine's business: they go by the same carrier, whatever it is.

use std::sync::Arc;

use mf_base::settings::settings;
use mf_base::{Rank, Result};

use crate::transfer::Member;
use crate::transfer::routes::candidates;
use crate::transport::choice::{Decision, EngineSet, Request, Tag, decide};
use crate::transport::{Route, Routes, SegmentKey};

/// What copies ask for.
#[derive(Clone, Copy, Default)]
pub(super) struct Asked {
    pub(super) engines: EngineSet,
    /// Whether the caller has chosen them; else they are a default.
    pub(super) is_chosen: bool,
}

/// The carrier to one other process.
pub(super) struct Far {
    member: Arc<Member>,
    decision: Decision,
    is_chosen: bool,
    /// How it goes, for people.
    pub(super) path: String,
}

impl Far {
    /// The carrier among the routes that `carries` accepts; none: there is no such route.
    ///
    /// # Errors
    /// `NotConnected` the process is gone · settings that are unusable.
    pub(super) fn of(
        rank: Rank,
        key: SegmentKey,
        asked: Asked,
        routes: &Routes,
        carries: impl Fn(&Route) -> bool,
    ) -> Result<Option<Self>> {
        let open: Vec<Route> = routes.open.iter().filter(|route| carries(route)).cloned().collect();
        if open.is_empty() {
            return Ok(None);
        }
        let routes = Routes { open, closed: routes.closed.clone() };
        let request = Request { engines: asked.engines, ..Request::default() };
        // Whether it may be another one than was asked for is decided when it is used.
        let decision = decide(&request, &Tag::default(), &candidates(&routes)?, false)?;
        let Some(route) = routes.open.get(decision.index) else { return Ok(None) };
        let member = Arc::new(Member::new(rank, key, route)?);
        let path = route.reach.path.clone();
        Ok(Some(Self { member, decision, is_chosen: asked.is_chosen, path }))
    }

    /// Who carries data. Warns once when it is not what the caller has chosen.
    ///
    /// # Errors
    /// `NotExist` with `MF_STRICT_ENGINE=1`, when it is not what was asked for.
    pub(super) fn member(&self) -> Result<&Arc<Member>> {
        if self.decision.instead_of.is_some() {
            if settings()?.strict_engine {
                self.decision.insist()?;
            }
            if self.is_chosen {
                self.decision.warn_once("for transfers between endpoints");
            }
        }
        Ok(&self.member)
    }

    /// Who carries messages.
    pub(super) fn messenger(&self) -> &Arc<Member> {
        &self.member
    }
}
