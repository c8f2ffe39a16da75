// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Duration of measurements of routes for the same bytes: each turn is long enough to make clock and
//! scheduler negligible, at any speed.

use mf_base::Result;
use mf_measure::turns::{Candidate, Measured, Shared, compare, own_cpu_ns};

/// Duration of measurements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Seconds of a turn.
    pub(super) turn_seconds: f64,
    /// Turns of each route.
    pub(super) turns: u32,
    /// Most calls in a turn.
    pub(super) calls_max: u32,
}

impl Effort {
    /// For calls that move `bytes`.
    pub(super) fn for_bytes(bytes: u64, quick: bool) -> Self {
        let turns = match (bytes >= 64 << 20, quick) {
            (true, true) => 5,
            (false, true) => 7,
            (true, false) => 9,
            (false, false) => 15,
        };
        Self { turn_seconds: if quick { 0.02 } else { 0.06 }, turns, calls_max: 1 << 20 }
    }
}

/// Makes so many calls, and returns the seconds that they took together.
type Run<'a> = dyn FnMut(&mut Tools, u32) -> Result<f64> + 'a;

/// A route under its name.
pub(super) struct Named<'a> {
    pub(super) name: String,
    pub(super) run: Box<Run<'a>>,
}

impl Candidate<Tools> for Named<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, tools: &mut Tools, calls: u32) -> Result<f64> {
        (self.run)(tools, calls)
    }
}

/// Resources common to the routes.
pub(super) type Tools = super::raw::Client;

impl Shared for Tools {
    fn cpu_ns(&mut self) -> Result<u64> {
        Ok(self.peer_cpu()? + own_cpu_ns())
    }
}

/// Measures the routes in turns of equal length.
///
/// # Errors
/// The first error of a route.
pub(super) fn in_long_turns(
    effort: Effort,
    tools: &mut Tools,
    routes: &mut [Named<'_>],
) -> Result<Vec<Measured>> {
    let mut calls = Vec::new();
    for route in &mut *routes {
        calls.push(fitting_calls(effort, &mut |calls| route.run(tools, calls))?);
    }
    let mut candidates: Vec<&mut dyn Candidate<Tools>> =
        routes.iter_mut().map(|route| route as &mut dyn Candidate<Tools>).collect();
    compare(effort.turns, &calls, tools, &mut candidates)
}

/// Number of calls that fill a turn.
fn fitting_calls(effort: Effort, run: &mut dyn FnMut(u32) -> Result<f64>) -> Result<u32> {
    run(1)?;
    let mut calls = 1u32;
    loop {
        let took = run(calls)?;
        if took >= effort.turn_seconds {
            return Ok(calls);
        }
        if calls >= effort.calls_max {
            return Ok(effort.calls_max);
        }
        if took >= effort.turn_seconds / 8.0 {
            let wanted = effort.turn_seconds / took * f64::from(calls);
            // Between 1 and 8 times as many, so it fits.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            return Ok((wanted.ceil() as u32).clamp(1, effort.calls_max));
        }
        calls = calls.saturating_mul(4).min(effort.calls_max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls_for(seconds_a_call: f64) -> u32 {
        let effort = Effort { turn_seconds: 0.06, turns: 1, calls_max: 1 << 20 };
        fitting_calls(effort, &mut |calls| Ok(f64::from(calls) * seconds_a_call)).unwrap()
    }

    #[test]
    fn turns_of_fast_and_slow_calls_take_similar_time() {
        assert_eq!(calls_for(1.0), 1);
        assert!((5_900..6_200).contains(&calls_for(10e-6)), "{}", calls_for(10e-6));
        assert_eq!(calls_for(0.02), 3);
        assert_eq!(calls_for(1e-12), 1 << 20);
    }
}
