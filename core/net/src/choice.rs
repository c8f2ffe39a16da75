// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Selection of the engine for a pair of members. Pure: it opens nothing and asks no other process.
//!
//! A pool requests engines by name ([`EngineSet`]), and by rules for pairs of tags ([`TagRules`]). The choice
//! for a peer:
//! 1. Memory that is mapped in this process is copied by the processor or by the accelerator, for any
//!    request: no requested engine is faster, and both ends see the same memory.
//! 2. Otherwise the engines of the rule for the two tags; without a rule the pool's. Of several, the first in
//!    the order of [`EngineName`] that reaches the peer.
//! 3. Without a request: the engine with the highest score that reaches the peer.
//! 4. If no requested engine reaches the peer: the same, and one warning a process and engine that names
//!    both. With `MF_STRICT_ENGINE=1` it is an error that names both.
//!
//! | requested | used |
//! |---|---|
//! | `HOST_SHM` | the processor, if the peer's memory is mapped |
//! | `DEVICE_SDMA`, `DEVICE_MTE` | the accelerator, if the peer's device memory is mapped |
//! | `HOST_TCP` | the transport tcp |
//! | `HOST_RDMA` | the transport ucx, if it has an RDMA device |
//! | all others | no engine |
//!
//! So configurations that were written for a cluster start on any machine.

mod machine;
mod names;
mod tags;

use std::cmp::Reverse;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

use mf_base::{Error, Kind, Rank, Result};

pub use machine::{Machine, RdmaPort, parse_transports};
use mf_transport::Reach;
pub use names::{EngineName, EngineSet};
pub use tags::{RULES_BYTES_MAX, TAG_BYTES_MAX, Tag, TagRules};

const OP: &str = "engine choice";

/// Executor of copies to a peer, in the order in which equal scores are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Engine {
    /// The accelerator copies memory that is mapped here.
    Device,
    /// The processor copies memory that is mapped here.
    Cpu,
    /// The kernel copies private memory of processes of this host; between registered regions only.
    Cma,
    /// The transport over libucp.
    Ucx,
    /// The transport over TCP.
    Tcp,
}

impl Engine {
    /// Returns its name for texts, which is the transport's.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Cpu => "cpu",
            Self::Cma => "cma",
            Self::Ucx => "ucx",
            Self::Tcp => "tcp",
        }
    }

    /// The transport of this name.
    pub fn of_transport(name: &str) -> Option<Self> {
        [Self::Ucx, Self::Tcp, Self::Cma].into_iter().find(|engine| engine.as_str() == name)
    }

    /// Returns true if it works on memory that is mapped here.
    pub const fn is_mapped(self) -> bool {
        matches!(self, Self::Device | Self::Cpu)
    }

    /// Returns the engine of this name; `None` for a name without an engine.
    pub const fn behind(name: EngineName) -> Option<Self> {
        match name {
            EngineName::HostShm => Some(Self::Cpu),
            EngineName::DeviceSdma | EngineName::DeviceMte => Some(Self::Device),
            EngineName::HostTcp => Some(Self::Tcp),
            EngineName::HostRdma => Some(Self::Ucx),
            EngineName::DeviceRdma
            | EngineName::DeviceUrma
            | EngineName::DeviceUboe
            | EngineName::HostUrma => None,
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A pool's request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The engines for pairs that no rule speaks of.
    pub engines: EngineSet,
    /// Tag of this member.
    pub tag: Tag,
    /// Engines by pairs of tags.
    pub rules: TagRules,
}

impl Request {
    /// Returns the request towards a member with this tag.
    pub fn towards(&self, theirs: &Tag) -> EngineSet {
        self.rules.of_pair(&self.tag, theirs).unwrap_or(self.engines)
    }
}

/// A route to a peer that may be chosen.
#[derive(Debug)]
pub struct Candidate {
    /// The engine.
    pub engine: Engine,
    /// The names that it serves on this route.
    pub serves: EngineSet,
    /// Its route to the peer, or the reason that it cannot reach it.
    pub reach: Result<Reach>,
}

impl Candidate {
    /// Memory of the peer that is mapped here, or the reason why it is not; `engine` is cpu or device.
    pub fn mapped(engine: Engine, reach: Result<Reach>) -> Self {
        let serves =
            EngineName::ALL.into_iter().filter(|name| Engine::behind(*name) == Some(engine)).collect();
        Self { engine, serves, reach }
    }

    /// The transport tcp.
    pub fn tcp(reach: Result<Reach>) -> Self {
        Self { engine: Engine::Tcp, serves: EngineSet::one(EngineName::HostTcp), reach }
    }

    /// The transport ucx; `has_rdma` is true if its route uses RDMA, so that it serves that name.
    pub fn ucx(reach: Result<Reach>, has_rdma: bool) -> Self {
        let serves = if has_rdma { EngineSet::one(EngineName::HostRdma) } else { EngineSet::AUTO };
        Self { engine: Engine::Ucx, serves, reach }
    }

    fn score(&self) -> Option<u32> {
        self.reach.as_ref().ok().map(|reach| reach.score)
    }
}

/// Result of the selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The engine that copies.
    pub engine: Engine,
    /// Place of it in the candidates.
    pub index: usize,
    /// Set if no requested engine reaches the peer.
    pub instead_of: Option<Substitution>,
    /// One for each candidate, in their order.
    pub why: Vec<Verdict>,
}

/// A requested engine that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substitution {
    /// That.
    pub asked: EngineSet,
    /// Why not, for each name of it.
    pub reason: String,
}

/// Why a candidate was chosen or not, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The candidate.
    pub engine: Engine,
    /// True if it was selected.
    pub is_chosen: bool,
    /// Its score, if it reaches the peer.
    pub score: Option<u32>,
    /// The reason.
    pub text: String,
}

/// Selects among `candidates` the engine for a member with the tag `theirs`.
///
/// # Errors
/// `NotConnected` no engine reaches it; the text has the reason of every candidate · `NotExist` `strict`,
/// and no requested engine reaches it; the text names the request, the reason, and an engine that would.
pub fn decide(request: &Request, theirs: &Tag, candidates: &[Candidate], strict: bool) -> Result<Decision> {
    let asked = request.towards(theirs);
    if let Some(index) = best(candidates, |candidate| candidate.engine.is_mapped()) {
        return decision(candidates, index, asked, None);
    }
    for name in asked.names() {
        if let Some(index) = best(candidates, |candidate| candidate.serves.has(name)) {
            return decision(candidates, index, asked, None);
        }
    }
    let index = best(candidates, |_| true).ok_or_else(|| unreachable_by_all(candidates))?;
    if asked.is_auto() {
        return decision(candidates, index, asked, None);
    }
    let reasons: Vec<String> = asked.names().map(|name| why_not(name, candidates)).collect();
    let instead_of = Substitution { asked, reason: reasons.join("; ") };
    let decision = decision(candidates, index, asked, Some(instead_of))?;
    if strict {
        decision.insist()?;
    }
    Ok(decision)
}

/// The error of `MF_STRICT_ENGINE`.
fn refused(asked: EngineSet, reason: &str) -> Error {
    Error::new(Kind::NotExist, OP)
        .what("an engine was asked for that is not available here")
        .with("asked", asked)
        .with("reason", reason)
        .hint("ask for another one, or allow the best that reaches the peer: MF_STRICT_ENGINE=0")
}

/// Of the candidates that reach the peer and fit, the one with the highest score; then the first by engine,
/// then by place.
fn best(candidates: &[Candidate], fits: impl Fn(&Candidate) -> bool) -> Option<usize> {
    let reaching = candidates.iter().enumerate().filter(|(_, candidate)| fits(candidate));
    let scored = reaching.filter_map(|(index, c)| Some((Reverse(c.score()?), c.engine, index)));
    scored.min().map(|(_, _, index)| index)
}

fn decision(
    candidates: &[Candidate],
    index: usize,
    asked: EngineSet,
    instead_of: Option<Substitution>,
) -> Result<Decision> {
    let chosen = candidates.get(index).ok_or_else(|| unreachable_by_all(candidates))?;
    let why = candidates.iter().enumerate().map(|(place, candidate)| Verdict {
        engine: candidate.engine,
        is_chosen: place == index,
        score: candidate.score(),
        text: match &candidate.reach {
            Err(error) => brief(error),
            Ok(reach) if place == index => format!("{}; {}", reach.path, reason(chosen, asked, &instead_of)),
            Ok(reach) => format!("{}; {}", reach.path, rejection(candidate, chosen, asked)),
        },
    });
    Ok(Decision { engine: chosen.engine, index, why: why.collect(), instead_of })
}

fn reason(chosen: &Candidate, asked: EngineSet, instead_of: &Option<Substitution>) -> String {
    if chosen.engine.is_mapped() {
        return "mapped here, so it is copied in place".to_owned();
    }
    match instead_of {
        Some(other) => format!("the best that reaches the peer, instead of {}", other.asked),
        None if asked.is_auto() => "the highest score".to_owned(),
        None => {
            let name = asked.names().find(|name| chosen.serves.has(*name));
            format!("asked for as {}", name.map_or("auto", EngineName::as_str))
        }
    }
}

fn rejection(candidate: &Candidate, chosen: &Candidate, asked: EngineSet) -> String {
    if chosen.engine.is_mapped() && !candidate.engine.is_mapped() {
        return "not needed: the memory is mapped".to_owned();
    }
    let is_asked = asked.names().any(|name| candidate.serves.has(name));
    match (asked.is_auto() || candidate.engine.is_mapped(), is_asked) {
        (true, _) => "a lower score".to_owned(),
        (false, true) => format!("asked for, {} comes first", chosen.engine),
        (false, false) => "not asked for".to_owned(),
    }
}

fn why_not(name: EngineName, candidates: &[Candidate]) -> String {
    let Some(engine) = Engine::behind(name) else {
        return format!("{name}: no transport for it exists yet");
    };
    match candidates.iter().find(|candidate| candidate.engine == engine) {
        None if engine.is_mapped() => format!("{name}: that memory is not mapped here"),
        None => format!("{name}: {engine} is not in use here"),
        Some(Candidate { reach: Err(error), .. }) => format!("{name}: {}", brief(error)),
        Some(Candidate { reach: Ok(reach), .. }) => {
            format!("{name}: {engine} has no RDMA device on the path ({})", reach.path)
        }
    }
}

fn unreachable_by_all(candidates: &[Candidate]) -> Error {
    let error = Error::new(Kind::NotConnected, OP).what("nothing reaches the peer");
    if candidates.is_empty() {
        return error.hint("MF_TRANSPORTS leaves no transport in use");
    }
    let all = candidates.iter().filter_map(|candidate| {
        let error = candidate.reach.as_ref().err()?;
        Some(format!("{}: {}", candidate.engine, brief(error)))
    });
    error.with("tried", all.collect::<Vec<_>>().join("; "))
}

/// The text of an error without its code, for use inside another text.
fn brief(error: &Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" [").map_or(text.as_str(), |(text, _)| text).to_owned()
}

impl Substitution {
    /// The warning, for people.
    pub fn text(&self, instead: Engine, peer: Rank) -> String {
        self.text_of(instead, format_args!("to rank {peer}"))
    }

    /// Returns the same text, with the use of the other engine.
    fn text_of(&self, instead: Engine, used: impl fmt::Display) -> String {
        format!(
            "{} was asked for and is not available here ({}); {instead} is used {used}",
            self.asked,
            // The name need not be repeated.
            self.reason.strip_prefix(&format!("{}: ", self.asked)).unwrap_or(&self.reason)
        )
    }
}

impl Decision {
    /// Refuses an engine that was not requested, as `MF_STRICT_ENGINE=1` demands.
    ///
    /// # Errors
    /// `NotExist` names the request, the reason why it is unavailable, and an engine that would reach the
    /// peer.
    pub fn insist(&self) -> Result<()> {
        let Some(other) = &self.instead_of else { return Ok(()) };
        Err(refused(other.asked, &other.reason).with("would_reach", self.engine))
    }

    /// Logs the substitution, if there is one; once a process and requested engine. `used` is the use of the
    /// other engine: `to rank 3`.
    pub fn warn_once(&self, used: impl fmt::Display) {
        static WARNED: AtomicU32 = AtomicU32::new(0);
        let Some(other) = &self.instead_of else { return };
        // Relaxed: no other data depends on it.
        let before = WARNED.fetch_or(other.asked.bits(), Ordering::Relaxed);
        if other.asked.bits() & !before != 0 {
            tracing::warn!("{}", other.text_of(self.engine, used));
        }
    }
}

#[cfg(test)]
mod tests;
