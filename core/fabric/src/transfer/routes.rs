// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which of the routes to a process is used: what each transport says of it, and what both members ask for.

use mf_base::settings::settings;
use mf_base::{Error, Kind, Rank, Result};

use crate::transport::choice::{Candidate, Engine, Machine, Request, Tag, decide};
use crate::transport::{Route, Routes};

const OP: &str = "engine choice";

/// The route to the member of this rank whose tag is `theirs`. Warns once when it is not what was asked for.
///
/// # Errors
/// `InvalidParam` it is no tag · those of [`decide`] · settings that are unusable.
pub fn choose<'a>(rank: Rank, request: &Request, theirs: &str, routes: &'a Routes) -> Result<&'a Route> {
    let decision =
        decide(request, &Tag::parse(OP, theirs)?, &candidates(routes)?, settings()?.strict_engine)?;
    decision.warn_once(format_args!("to rank {rank}"));
    routes.open.get(decision.index).ok_or_else(|| {
        Error::new(Kind::NotConnected, OP).what("no transport reaches the member").with("rank", rank)
    })
}

/// The routes as they are open to choice; the open ones first, in their order.
///
/// # Errors
/// Settings that are unusable.
pub fn candidates(routes: &Routes) -> Result<Vec<Candidate>> {
    let has_rdma = Machine::here(None, true, &settings()?.transports)?.has_rdma();
    let open = routes.open.iter().map(|route| (route.transport.name(), Ok(route.reach.clone())));
    let closed = routes.closed.iter().map(|closed| {
        (closed.name, Err(Error::new(Kind::NotConnected, "network").what(closed.reason.clone())))
    });
    let candidate = |(name, reach)| match Engine::of_transport(name) {
        Some(Engine::Ucx) => Candidate::ucx(reach, has_rdma),
        _ => Candidate::tcp(reach),
    };
    Ok(open.chain(closed).map(candidate).collect())
}
