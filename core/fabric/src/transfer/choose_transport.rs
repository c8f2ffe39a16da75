// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Selection of a route to a process, from the transports' offers and both members' requests.

use mf_base::settings::settings;
use mf_base::{Error, Kind, Rank, Result};

use mf_net::choice::{Candidate, Engine, Machine, Request, Tag, decide};
use mf_net::{Route, Routes};

const OP: &str = "engine choice";

/// Selects the route to the member of this rank with the tag `theirs`. Warns once if it is not the requested
/// one.
///
/// # Errors
/// `InvalidParam` invalid tag · as [`decide`] · settings that are unusable.
pub(crate) fn choose<'a>(
    rank: Rank,
    request: &Request,
    theirs: &str,
    routes: &'a Routes,
) -> Result<&'a Route> {
    let decision =
        decide(request, &Tag::parse(OP, theirs)?, &candidates(routes)?, settings()?.strict_engine)?;
    decision.warn_once(format_args!("to rank {rank}"));
    routes.open.get(decision.index).ok_or_else(|| {
        Error::new(Kind::NotConnected, OP).what("no transport reaches the member").with("rank", rank)
    })
}

/// Returns the candidates for the selection; open routes first, in their order.
///
/// # Errors
/// Settings that are unusable.
pub(crate) fn candidates(routes: &Routes) -> Result<Vec<Candidate>> {
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
