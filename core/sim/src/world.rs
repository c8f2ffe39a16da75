// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Settings of a world: number of ranks, times, faults, bounds.

use std::time::Duration;

pub(crate) type Nanos = u64;

/// Times and chances of a rare event: chance in a million, longest duration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rare {
    pub(crate) millionths: u32,
    pub(crate) longest: Nanos,
}

/// Description of a simulated job: ranks, network, faults, bounds. Every run begins from it anew.
///
/// Without faults, ranks start at different times, operations take different times, and writes that are not
/// ordered become visible in any order. Every fault is off until it is named. Each run scales the chances
/// of a fault by 0, 1/4, 1 or 4, so that runs with few and with many of them are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    pub(crate) ranks: u32,
    pub(crate) latency: (Nanos, Nanos),
    pub(crate) step: (Nanos, Nanos),
    pub(crate) delays: Rare,
    pub(crate) losses: Rare,
    pub(crate) stalls: Rare,
    pub(crate) deaths: u32,
    pub(crate) mortal: Vec<u32>,
    pub(crate) death_steps: u32,
    pub(crate) cuts: u32,
    pub(crate) cut_longest: Nanos,
    pub(crate) clock_skew: Nanos,
    pub(crate) session_lease: Nanos,
    pub(crate) request_limit: Nanos,
    pub(crate) horizon: Nanos,
    pub(crate) events: u64,
    pub(crate) shrink_runs: u32,
}

const MICRO: Nanos = 1_000;
const SECOND: Nanos = 1_000_000_000;

impl World {
    /// Describes a world of `ranks` ranks, 1 to 16,384 (more are cut to that), without faults.
    pub fn new(ranks: u32) -> Self {
        Self {
            ranks: ranks.clamp(1, 16_384),
            latency: (MICRO, 20 * MICRO),
            step: (MICRO / 10, 2 * MICRO),
            delays: Rare::default(),
            losses: Rare::default(),
            stalls: Rare::default(),
            deaths: 0,
            mortal: Vec::new(),
            death_steps: 1024,
            cuts: 0,
            cut_longest: 0,
            clock_skew: 0,
            session_lease: 5 * SECOND,
            request_limit: 60 * SECOND,
            horizon: 3600 * SECOND,
            events: 10_000_000,
            shrink_runs: 1000,
        }
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// Sets the time of a message in one direction (1 us to 20 us): each message takes a time between these.
    #[must_use]
    pub fn latency(mut self, shortest: Duration, longest: Duration) -> Self {
        self.latency = span(shortest, longest);
        self
    }

    /// Sets the time from a call to its effect (0.1 us to 2 us): each operation takes a time between these
    /// before anything else. The shortest is at least 1 ns, so that a loop of operations advances the clock.
    #[must_use]
    pub fn step(mut self, shortest: Duration, longest: Duration) -> Self {
        self.step = span(shortest.max(Duration::from_nanos(1)), longest);
        self
    }

    /// Delays a message with this chance (0 to 1), by at most `longest`.
    #[must_use]
    pub fn delays(mut self, chance: f64, longest: Duration) -> Self {
        self.delays = rare(chance, longest);
        self
    }

    /// Loses a message with this chance (0 to 1), up to 4 times in a row; it is sent again `resend` later.
    /// The library's transports are reliable: a loss is a late arrival, not a missing one.
    #[must_use]
    pub fn losses(mut self, chance: f64, resend: Duration) -> Self {
        self.losses = rare(chance, resend);
        self
    }

    /// Pauses a task before an operation with this chance (0 to 1), for at most `longest`: a slow machine, a
    /// garbage collection, a page fault.
    #[must_use]
    pub fn stalls(mut self, chance: f64, longest: Duration) -> Self {
        self.stalls = rare(chance, longest);
        self
    }

    /// Kills at most so many ranks, each before one of its first 1,024 operations or shortly after. Its peers
    /// see a closed connection at once, or silence until its session at the store ends.
    #[must_use]
    pub fn deaths(mut self, most: u32) -> Self {
        self.deaths = most;
        self
    }

    /// Limits deaths and cuts to these ranks. Default: all.
    #[must_use]
    pub fn mortal(mut self, ranks: impl IntoIterator<Item = u32>) -> Self {
        self.mortal = ranks.into_iter().collect();
        self
    }

    /// Sets the number of first operations before which a rank may die (1,024).
    #[must_use]
    pub fn death_steps(mut self, operations: u32) -> Self {
        self.death_steps = operations.max(1);
        self
    }

    /// Cuts a rank off from all others and the store, at most `most` times in a run, for at most `longest`,
    /// at a time below twice that. Messages that meet a cut arrive after its end.
    #[must_use]
    pub fn cuts(mut self, most: u32, longest: Duration) -> Self {
        self.cuts = most;
        self.cut_longest = nanos(longest);
        self
    }

    /// Sets the clock of each rank (`Rank::now`) forward by up to `longest`.
    #[must_use]
    pub fn clock_skew(mut self, longest: Duration) -> Self {
        self.clock_skew = nanos(longest);
        self
    }

    /// Sets the time after which the store ends the session of a silent rank (5 s): `MF_STORE_LEASE`.
    #[must_use]
    pub fn session_lease(mut self, time: Duration) -> Self {
        self.session_lease = nanos(time);
        self
    }

    /// Sets the deadline of operations that take none (60 s).
    #[must_use]
    pub fn request_limit(mut self, limit: Duration) -> Self {
        self.request_limit = nanos(limit);
        self
    }

    /// Sets the simulated time at which a run ends (1 h); a program that is not done by then fails the run.
    #[must_use]
    pub fn horizon(mut self, time: Duration) -> Self {
        self.horizon = nanos(time);
        self
    }

    /// Sets the number of events after which a run ends (10,000,000): the bound on endless loops.
    #[must_use]
    pub fn events(mut self, most: u64) -> Self {
        self.events = most;
        self
    }

    /// Sets the number of runs that shrinking may take (1,000); 0 turns it off.
    #[must_use]
    pub fn shrink_runs(mut self, most: u32) -> Self {
        self.shrink_runs = most;
        self
    }
}

pub(crate) fn nanos(time: Duration) -> Nanos {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 4).min(u64::MAX / 4)
}

fn span(shortest: Duration, longest: Duration) -> (Nanos, Nanos) {
    (nanos(shortest), nanos(longest.max(shortest)))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn rare(chance: f64, longest: Duration) -> Rare {
    Rare { millionths: (chance.clamp(0.0, 1.0) * 1e6) as u32, longest: nanos(longest) }
}
