// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Comparison of candidates: they take turns (A B C, B C A, …), and every turn begins with warm-up calls.
//!
//! A candidate that leaves the caches in another state than it found them (non-temporal stores do) would give
//! its successor a false handicap; the warm-up of each turn lets every candidate start from its own state.

use std::time::Instant;

use mf_base::Result;
use rustix::time::ClockId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Number of calls and turns.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Turns of each candidate; the median counts.
    pub turns: u32,
    /// Calls in a turn, measured together.
    pub calls: u32,
}

impl Plan {
    /// A plan for calls that move `bytes`: enough calls that the clock does not matter, few enough that a
    /// person waits.
    pub fn for_bytes(bytes: u64, quick: bool) -> Self {
        let calls = ((8 << 20) / bytes.max(40)).clamp(1, 200_000);
        let calls = if quick { calls.div_ceil(4) } else { calls };
        let turns = match (bytes >= 128 << 20, quick) {
            (true, true) => 3,
            (true, false) => 7,
            (false, true) => 5,
            (false, false) => 15,
        };
        Self { turns, calls: u32::try_from(calls).unwrap_or(1) }
    }

    /// The same for ranks that work at the same time: turns so long that each contains its share of waiting
    /// for a core. Short ones would fit between two interruptions, and ranks would seem to have a core
    /// each.
    pub fn with_waiting(self, bytes: u64) -> Self {
        let calls = ((1 << 30) / bytes.max(1)).clamp(u64::from(self.calls), 4_000_000);
        Self { calls: u32::try_from(calls).unwrap_or(self.calls), ..self }
    }
}

/// Resources common to all candidates of a comparison, such as connections to the other side.
pub trait Shared {
    /// Processor time that the measured processes have used so far, in nanoseconds.
    fn cpu_ns(&mut self) -> Result<u64>;
}

/// Nothing is shared: this process alone.
impl Shared for () {
    fn cpu_ns(&mut self) -> Result<u64> {
        Ok(own_cpu_ns())
    }
}

/// A candidate of a comparison.
pub trait Candidate<S> {
    /// Its name among several of a kind.
    fn name(&self) -> &str {
        ""
    }

    /// Makes so many calls, and returns the seconds that they took together.
    fn run(&mut self, shared: &mut S, calls: u32) -> Result<f64>;
}

/// A function that makes so many calls is timed from here.
impl<F: FnMut(u32) -> Result<()>> Candidate<()> for F {
    fn run(&mut self, (): &mut (), calls: u32) -> Result<f64> {
        let start = Instant::now();
        self(calls)?;
        Ok(start.elapsed().as_secs_f64())
    }
}

/// Figures of one candidate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Seconds of one call, turn by turn.
    pub seconds: Vec<f64>,
    /// Processor time of one call: the median of the turns.
    pub cpu_seconds: f64,
}

impl Measured {
    /// Seconds of one call: the median of the turns.
    pub fn median(&self) -> f64 {
        median(&self.seconds)
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        let Self { name, seconds, cpu_seconds } = self;
        json!({ "name": name, "seconds": self.median(), "all_seconds": seconds, "cpu_seconds": cpu_seconds })
    }

    /// Returns the fastest of some candidates; `None` if there is none.
    pub fn fastest<'a>(measured: impl IntoIterator<Item = &'a Self>) -> Option<&'a Self> {
        measured.into_iter().min_by(|one, other| one.median().total_cmp(&other.median()))
    }
}

/// Seconds that a call of each candidate took, turn by turn; `result[candidate][turn]`.
///
/// # Errors
/// The first error of a candidate.
pub fn in_turns(plan: Plan, candidates: &mut [&mut dyn Candidate<()>]) -> Result<Vec<Vec<f64>>> {
    let calls = vec![plan.calls; candidates.len()];
    Ok(compare(plan.turns, &calls, &mut (), candidates)?
        .into_iter()
        .map(|measured| measured.seconds)
        .collect())
}

/// Measures the candidates in turns, each with its number of calls.
///
/// # Errors
/// The first error of a candidate.
pub fn compare<S: Shared>(
    turns: u32,
    calls: &[u32],
    shared: &mut S,
    candidates: &mut [&mut dyn Candidate<S>],
) -> Result<Vec<Measured>> {
    let count = candidates.len();
    let mut seconds = vec![Vec::new(); count];
    let mut cpu = vec![Vec::new(); count];
    for turn in 0..turns as usize {
        for place in 0..count {
            let number = (turn + place) % count;
            let (candidate, calls) = (&mut candidates[number], calls[number]);
            candidate.run(shared, warm_up_calls(calls))?;
            let before = shared.cpu_ns()?;
            let took = candidate.run(shared, calls)?;
            let used = shared.cpu_ns()?.saturating_sub(before);
            seconds[number].push(took / f64::from(calls));
            cpu[number].push(used as f64 / 1e9 / f64::from(calls));
        }
    }
    let of = candidates.iter().map(|candidate| candidate.name().to_owned()).zip(seconds).zip(cpu);
    Ok(of.map(|((name, seconds), cpu)| Measured { name, seconds, cpu_seconds: median(&cpu) }).collect())
}

fn warm_up_calls(calls: u32) -> u32 {
    (calls / 16).max(1)
}

/// Processor time that this process has used so far, in nanoseconds.
pub fn own_cpu_ns() -> u64 {
    let time = rustix::time::clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u64::try_from(time.tv_nsec));
    seconds.unwrap_or(0) * 1_000_000_000 + nanoseconds.unwrap_or(0)
}

/// The time of a clock that all processes of this machine share.
pub fn monotonic_seconds() -> f64 {
    let time = rustix::time::clock_gettime(ClockId::Monotonic);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Measurements beside a baseline: seconds of one call, turn by turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Pair {
    /// Of the measured call.
    pub own: Vec<f64>,
    /// Of the baseline.
    pub plain: Vec<f64>,
}

impl Pair {
    /// Measures both in turns.
    ///
    /// # Errors
    /// The first error of one of them.
    pub fn measure(plan: Plan, own: &mut dyn Candidate<()>, plain: &mut dyn Candidate<()>) -> Result<Self> {
        let mut seconds = in_turns(plan, &mut [own, plain])?.into_iter();
        let mut next = || seconds.next().unwrap_or_default();
        Ok(Self { own: next(), plain: next() })
    }

    /// The figures of ranks that measured the same calls: the median over the ranks.
    pub fn figures(of_each: &[Self]) -> Figures {
        let middle = |of: fn(&Self) -> f64| median(&of_each.iter().map(of).collect::<Vec<_>>());
        Figures {
            seconds: middle(|pair| median(&pair.own)),
            plain_seconds: middle(|pair| median(&pair.plain)),
            ratio: middle(|pair| speed_ratio(&pair.own, &pair.plain)),
        }
    }
}

/// A call and its baseline.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Figures {
    /// Seconds of the call.
    pub seconds: f64,
    /// Seconds of the baseline.
    pub plain_seconds: f64,
    /// Speed relative to the baseline.
    pub ratio: f64,
}

/// The middle value; of an even number the mean of the two in the middle; NaN if `values` is empty.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// The mean; NaN if `values` is empty.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Speed relative to the baseline: the median over the turns, so that a disturbance in one turn changes
/// little.
pub fn speed_ratio(own: &[f64], baseline: &[f64]) -> f64 {
    let ratios: Vec<f64> = own.iter().zip(baseline).map(|(own, baseline)| baseline / own).collect();
    median(&ratios)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_ratios() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan() && mean(&[]).is_nan());
        assert_eq!(mean(&[1.0, 2.0, 6.0]), 3.0);
        assert_eq!(speed_ratio(&[1.0, 2.0, 10.0], &[2.0, 4.0, 5.0]), 2.0);
    }

    #[test]
    fn candidates_take_turns_and_warm_up() {
        let log = std::cell::RefCell::new(String::new());
        let mut a = |calls: u32| {
            log.borrow_mut().push_str(&format!("a{calls} "));
            Ok(())
        };
        let mut b = |calls: u32| {
            log.borrow_mut().push_str(&format!("b{calls} "));
            Ok(())
        };
        let seconds = in_turns(Plan { turns: 2, calls: 32 }, &mut [&mut a, &mut b]).unwrap();
        assert_eq!(log.borrow().as_str(), "a2 a32 b2 b32 b2 b32 a2 a32 ");
        assert!(seconds.iter().all(|turns| turns.len() == 2));
    }

    #[test]
    fn plans_stay_in_bounds() {
        assert_eq!(Plan::for_bytes(8, false).calls, 200_000);
        assert_eq!(Plan::for_bytes(1 << 30, false).calls, 1);
        let plan = Plan::for_bytes(64 << 10, true);
        assert_eq!(plan.with_waiting(64 << 10).calls, 16 << 10);
        assert_eq!(Plan::for_bytes(1 << 31, true).with_waiting(1 << 31).calls, 1);
        assert!(Plan::for_bytes(4096, true).turns < Plan::for_bytes(4096, false).turns);
    }
}
