// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How candidates are compared: they take turns (A B C, B C A, …), every turn begins with an unmeasured call.
//!
//! A candidate that leaves the caches in another state than it found them (non-temporal stores do) would give
//! its successor a false handicap; the unmeasured call of each turn makes everybody start from its own
//! leavings.

use std::time::Instant;

use mf_base::Result;

/// How often to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Turns of each candidate; the median counts.
    pub(crate) turns: u32,
    /// Calls in a turn, measured together.
    pub(crate) calls: u32,
}

impl Plan {
    /// A plan for calls that move `bytes`: enough calls that the clock does not matter, few enough that a
    /// person waits.
    pub(crate) fn for_bytes(bytes: u64, quick: bool) -> Self {
        let calls = ((8 << 20) / bytes.max(40)).clamp(1, 200_000);
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
    pub(super) fn with_waiting(self, bytes: u64) -> Self {
        let calls = ((1 << 30) / bytes.max(1)).clamp(u64::from(self.calls), 4_000_000);
        Self { calls: u32::try_from(calls).unwrap_or(self.calls), ..self }
    }
}

/// A candidate: makes that many calls.
pub(crate) type Candidate<'a> = &'a mut dyn FnMut(u32) -> Result<()>;

/// Seconds a call of each candidate took, turn by turn; `result[candidate][turn]`.
///
/// # Errors
/// The first error of a candidate.
pub(crate) fn in_turns(plan: Plan, candidates: &mut [Candidate<'_>]) -> Result<Vec<Vec<f64>>> {
    let count = candidates.len();
    let mut seconds = vec![Vec::new(); count];
    for turn in 0..plan.turns as usize {
        for place in 0..count {
            let number = (turn + place) % count;
            candidates[number](warm_up_calls(plan.calls))?;
            let start = Instant::now();
            candidates[number](plan.calls)?;
            seconds[number].push(start.elapsed().as_secs_f64() / f64::from(plan.calls));
        }
    }
    Ok(seconds)
}

fn warm_up_calls(calls: u32) -> u32 {
    (calls / 16).max(1)
}

/// The middle value; of an even number the mean of the two in the middle; not a number when there is none.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// The mean; not a number when there is none.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// How many times faster than the baseline: the median over the turns, so that a disturbance of the machine
/// that meets one turn of both changes little.
pub(crate) fn speed_ratio(own: &[f64], baseline: &[f64]) -> f64 {
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
