// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Routes as people type them: `FROM:TO`, without anything that a shell would take for itself.
//!
//! An end is `RANK`, `RANK.host` or `RANK.device`; without a kind it is host memory. FROM may be `local`:
//! this machine, as if a member ran here. A route is explained from the side of FROM, which is the member
//! that copies.

use mf_base::{MemKind, Rank};

/// Copying rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// A member.
    Member(Rank),
    /// No peer yet: this machine.
    Here,
}

/// Source and target of the route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Route {
    pub(super) from: From,
    pub(super) from_kind: MemKind,
    pub(super) to: Rank,
    pub(super) to_kind: MemKind,
}

const FORM: &str = "a route is FROM:TO, for example 0:1, 0.host:1.device or local:1";

/// Reads a route; the error is for people.
pub(super) fn parse(text: &str) -> Result<Route, String> {
    let ends = text.split_once("->").or_else(|| text.split_once(':'));
    let (from, to) = ends.ok_or_else(|| FORM.to_owned())?;
    let (from, from_kind) = end(from)?;
    let (to, to_kind) = end(to)?;
    let Some(to) = to else {
        return Err("the second end of a route is a rank; turn the route around".to_owned());
    };
    Ok(Route { from: from.map_or(From::Here, From::Member), from_kind, to, to_kind })
}

/// Reads a kind of memory; the error is for people.
pub(super) fn kind(text: &str) -> Result<MemKind, String> {
    match text {
        "host" => Ok(MemKind::Host),
        "device" => Ok(MemKind::Device),
        _ => Err(format!("{text:?} is not a kind of memory: host or device")),
    }
}

fn end(text: &str) -> Result<(Option<Rank>, MemKind), String> {
    let text = text.trim();
    let (who, kind) = text.split_once('.').unwrap_or((text, "host"));
    let kind = self::kind(kind).map_err(|error| format!("{error}; {FORM}"))?;
    if who == "local" {
        return Ok((None, kind));
    }
    let is_number = !who.is_empty() && who.bytes().all(|c| c.is_ascii_digit());
    let rank =
        who.parse().ok().filter(|_| is_number).ok_or_else(|| format!("{who:?} is not a rank; {FORM}"))?;
    Ok((Some(Rank(rank)), kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn route_ends_are_ranks_or_the_local_machine() {
        let route = |from, from_kind, to, to_kind| Route { from, from_kind, to: Rank(to), to_kind };
        use MemKind::{Device, Host};
        for (text, expected) in [
            ("0:1", route(From::Member(Rank(0)), Host, 1, Host)),
            ("0.host:1.device", route(From::Member(Rank(0)), Host, 1, Device)),
            ("12.device:0", route(From::Member(Rank(12)), Device, 0, Host)),
            ("local:3", route(From::Here, Host, 3, Host)),
            ("local.device:3.device", route(From::Here, Device, 3, Device)),
            ("0->1", route(From::Member(Rank(0)), Host, 1, Host)),
            ("1 -> 1.device", route(From::Member(Rank(1)), Host, 1, Device)),
        ] {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn malformed_routes_are_refused_with_the_syntax() {
        for text in ["", "0", "0:", ":1", "0:1:2", "a:1", "0:-1", "0:+1", "0.gpu:1", "0:99999999999", "0.:1"]
        {
            let error = parse(text).unwrap_err();
            assert!(error.contains("FROM:TO"), "{text}: {error}");
        }
        assert!(parse("0:local").unwrap_err().contains("turn the route around"));
    }
}
