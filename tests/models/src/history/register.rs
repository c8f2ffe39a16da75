// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Linearizability of one register (Wing and Gong, with memo).
//!
//! Some order of the calls must explain all results. The search tries the calls that may be next, and
//! remembers the sets of calls that it has tried with the same value.

use std::collections::HashSet;
use std::hash::Hash;

/// Effect and result of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect<V> {
    /// Writes the value.
    Write(V),
    /// Writes `new` if the value is `expected`.
    Swap {
        /// The value to replace.
        expected: V,
        /// The value after it.
        new: V,
        /// The result; none without one.
        did: Option<bool>,
    },
    /// Found this value.
    Read(V),
}

impl<V: Clone + PartialEq> Effect<V> {
    /// Returns the value after this call; none if the call cannot be next.
    fn apply(&self, value: &V) -> Option<V> {
        match self {
            Self::Write(new) => Some(new.clone()),
            Self::Read(found) => (found == value).then(|| value.clone()),
            Self::Swap { expected, new, did } => {
                let swaps = expected == value;
                let after = if swaps { new } else { value };
                did.is_none_or(|did| did == swaps).then(|| after.clone())
            }
        }
    }
}

/// A call of a register, from its begin to its end.
#[derive(Clone, Debug)]
pub struct Call<V> {
    /// Effect and result.
    pub effect: Effect<V>,
    /// Time of its begin.
    pub began: u64,
    /// Time of its end; none without a result.
    pub ended: Option<u64>,
}

/// Returns true if some order explains the results, from the default value on.
pub fn is_linearizable<V: Clone + Default + Eq + Hash>(calls: &[Call<V>]) -> bool {
    let mut tried: HashSet<(Vec<bool>, V)> = HashSet::new();
    let mut stack = vec![(vec![false; calls.len()], V::default())];
    while let Some((done, value)) = stack.pop() {
        let left = || calls.iter().zip(&done).filter(|(_, is_done)| !**is_done).map(|(call, _)| call);
        let Some(first_end) = left().filter_map(|call| call.ended).min() else { return true };
        for (place, call) in calls.iter().enumerate() {
            if done[place] || call.began > first_end {
                continue;
            }
            if let Some(after) = call.effect.apply(&value) {
                let mut next = done.clone();
                next[place] = true;
                if tried.insert((next.clone(), after.clone())) {
                    stack.push((next, after));
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    type Value = Option<&'static str>;

    fn write(text: &'static str, began: u64, ended: Option<u64>) -> Call<Value> {
        Call { effect: Effect::Write(Some(text)), began, ended }
    }

    fn read(found: Value, began: u64, ended: u64) -> Call<Value> {
        Call { effect: Effect::Read(found), began, ended: Some(ended) }
    }

    #[test]
    fn overlapping_calls_may_take_effect_in_any_order() {
        let both = [write("a", 1, Some(9)), write("b", 2, Some(8))];
        for found in ["a", "b"] {
            assert!(is_linearizable(&[both[0].clone(), both[1].clone(), read(Some(found), 10, 11)]));
        }
        // One after the other.
        let replaced = [write("a", 1, Some(2)), write("b", 3, Some(4)), read(Some("a"), 5, 6)];
        assert!(!is_linearizable(&replaced));
        assert!(!is_linearizable(&[write("a", 1, None), read(Some("a"), 2, 3), read(None, 4, 5)]));
        // A call without a result may take effect late, or never.
        assert!(is_linearizable(&[write("a", 1, None), read(None, 2, 3), read(Some("a"), 4, 5)]));
    }

    #[test]
    fn swap_takes_effect_once() {
        let swap = |did, ended| Call {
            effect: Effect::Swap { expected: None, new: Some("a"), did: Some(did) },
            began: 1,
            ended: Some(ended),
        };
        assert!(is_linearizable(&[swap(true, 5), swap(false, 6)]));
        assert!(!is_linearizable(&[swap(true, 5), swap(true, 6)]));
    }
}
