// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How ways to move the same bytes are compared: they take turns, and every turn is as long as it takes for
//! the clock and for a scheduler's whims not to matter, however different their speeds are.

use mf_base::Result;
use rustix::time::ClockId;
use serde::{Deserialize, Serialize};

use super::super::measure::median;

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Seconds of a turn.
    pub(super) turn_seconds: f64,
    /// Turns of each candidate.
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

/// Makes that many calls and says how many seconds they took together.
type Run<'a> = dyn FnMut(&mut Tools, u32) -> Result<f64> + 'a;

/// A way to move bytes.
pub(super) struct Candidate<'a> {
    pub(super) name: String,
    pub(super) run: Box<Run<'a>>,
}

/// What the candidates share.
pub(super) type Tools = super::raw::Client;

/// What was measured of one candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) name: String,
    /// Seconds of one call, turn by turn.
    pub(super) seconds: Vec<f64>,
    /// Processor time of one call in both processes, in the middle of the turns.
    pub(super) cpu_seconds: f64,
}

impl Measured {
    /// Seconds of one call, in the middle of the turns.
    pub(super) fn median(&self) -> f64 {
        median(&self.seconds)
    }
}

/// Measures the candidates in turns.
///
/// # Errors
/// The first error of a candidate.
pub(super) fn compare(
    effort: Effort,
    tools: &mut Tools,
    candidates: &mut [Candidate<'_>],
) -> Result<Vec<Measured>> {
    let mut calls = Vec::new();
    for candidate in &mut *candidates {
        calls.push(fitting_calls(effort, &mut |calls| (candidate.run)(tools, calls))?);
    }
    let count = candidates.len();
    let mut seconds = vec![Vec::new(); count];
    let mut cpu = vec![Vec::new(); count];
    for turn in 0..effort.turns as usize {
        for place in 0..count {
            let number = (turn + place) % count;
            let (Some(candidate), Some(&calls)) = (candidates.get_mut(number), calls.get(number)) else {
                continue;
            };
            (candidate.run)(tools, (calls / 16).max(1))?;
            let before = tools.peer_cpu()? + own_cpu();
            let took = (candidate.run)(tools, calls)?;
            let used = (tools.peer_cpu()? + own_cpu()).saturating_sub(before);
            seconds[number].push(took / f64::from(calls));
            cpu[number].push(used as f64 / 1e9 / f64::from(calls));
        }
    }
    let of = candidates.iter().zip(seconds).zip(cpu);
    Ok(of
        .map(|((candidate, seconds), cpu)| Measured {
            name: candidate.name.clone(),
            seconds,
            cpu_seconds: median(&cpu),
        })
        .collect())
}

/// How many calls fill a turn.
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

/// Processor time that this process has used so far, in nanoseconds.
pub(super) fn own_cpu() -> u64 {
    let time = rustix::time::clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u64::try_from(time.tv_nsec));
    seconds.unwrap_or(0) * 1_000_000_000 + nanoseconds.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls_for(seconds_a_call: f64) -> u32 {
        let effort = Effort { turn_seconds: 0.06, turns: 1, calls_max: 1 << 20 };
        fitting_calls(effort, &mut |calls| Ok(f64::from(calls) * seconds_a_call)).unwrap()
    }

    #[test]
    fn turns_of_fast_and_slow_calls_last_about_as_long() {
        assert_eq!(calls_for(1.0), 1);
        assert!((5_900..6_200).contains(&calls_for(10e-6)), "{}", calls_for(10e-6));
        assert_eq!(calls_for(0.02), 3);
        assert_eq!(calls_for(1e-12), 1 << 20);
    }
}
