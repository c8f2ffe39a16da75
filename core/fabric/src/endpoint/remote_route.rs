// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Selection of the transport for copies that are not in place: the best requested engine, or (with one
//! warning) any that reaches the other process. Messages do not depend on engines: they take the same
//! transport in any case.

use std::sync::Arc;

use mf_base::settings::settings;
use mf_base::{Rank, Result};
use mf_net::choice::{Decision, EngineSet, Request, Tag, decide};
use mf_net::{Member, Route, Routes};
use mf_transport::SegmentKey;

use crate::transfer::choose_transport::candidates;

/// Engines requested for copies.
#[derive(Clone, Copy, Default)]
pub(super) struct RequestedEngines {
    pub(super) engines: EngineSet,
    /// True if the caller has chosen them; else they are a default.
    pub(super) is_chosen: bool,
}

/// The carrier to one other process.
pub(super) struct RemoteRoute {
    member: Arc<Member>,
    decision: Decision,
    is_chosen: bool,
    /// Description of the path, for people.
    pub(super) path: String,
}

impl RemoteRoute {
    /// Selects the carrier among the routes that `carries` accepts; `None` if there is no such route.
    ///
    /// # Errors
    /// `NotConnected` the process has ended · settings that are unusable.
    pub(super) fn of(
        rank: Rank,
        key: SegmentKey,
        asked: RequestedEngines,
        routes: &Routes,
        carries: impl Fn(&Route) -> bool,
    ) -> Result<Option<Self>> {
        let open: Vec<Route> = routes.open.iter().filter(|route| carries(route)).cloned().collect();
        if open.is_empty() {
            return Ok(None);
        }
        let routes = Routes { open, closed: routes.closed.clone() };
        let request = Request { engines: asked.engines, ..Request::default() };
        // Not strict here: an engine that was not requested is refused at its use.
        let decision = decide(&request, &Tag::default(), &candidates(&routes)?, false)?;
        let Some(route) = routes.open.get(decision.index) else { return Ok(None) };
        let member = Arc::new(Member::new(rank, key, route)?);
        let path = route.reach.path.clone();
        Ok(Some(Self { member, decision, is_chosen: asked.is_chosen, path }))
    }

    /// Returns the member for data. Warns once if its engine is not the one that the caller has chosen.
    ///
    /// # Errors
    /// `NotExist` with `MF_STRICT_ENGINE=1`, if it is not a requested one.
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

    /// Returns the member for messages.
    pub(super) fn messenger(&self) -> &Arc<Member> {
        &self.member
    }
}
