// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Linearizability of the keys, judged from the calls and their results alone (Wing and Gong, with memo).
//!
//! Of each key, some order of the calls must explain all results: every call takes effect at one moment
//! between its begin and its end, a call without a result at any later time or never. The search tries the
//! calls that may be next, and remembers the sets of calls that it has tried with the same value.
//!
//! A store that dies may lose what no living member keeps. So after a death of the store only keys are judged
//! whose writes were all answered, to members that still live and that brought them to the next store.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::protocol::{Answer, Request};
use crate::state::Micros;

/// A value: none, or its bytes.
type Value = Option<Vec<u8>>;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Effect {
    Write(Value),
    /// Writes `new` if the value is `expected`; `did`: the result.
    Swap {
        expected: Value,
        new: Value,
        did: Option<bool>,
    },
    Read(Value),
}

impl Effect {
    /// Returns the value after this call; none if the call cannot be next.
    fn apply(&self, value: &Value) -> Option<Value> {
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

#[derive(Clone, Debug)]
struct Recorded {
    life: usize,
    effect: Effect,
    began: Micros,
    ended: Option<Micros>,
}

/// The calls of all members, by keys.
#[derive(Default)]
pub(super) struct History {
    calls: BTreeMap<String, Vec<Recorded>>,
    running: HashMap<(usize, u64), (String, usize)>,
    reads: HashMap<(usize, u64), (String, Micros)>,
    pub(super) judged: usize,
}

impl History {
    pub(super) fn begin(&mut self, life: usize, sequence: u64, request: &Request, now: Micros) {
        let (key, effect) = match request {
            Request::Set { key, value, .. } => (key, Effect::Write(Some(value.clone()))),
            Request::Delete { key } => (key, Effect::Write(None)),
            Request::CompareAndSwap { key, expected, new, .. } => {
                let (expected, new) = (expected.clone(), Some(new.clone()));
                (key, Effect::Swap { expected, new, did: None })
            }
            Request::Get { key } => {
                self.reads.insert((life, sequence), (key.clone(), now));
                return;
            }
            _ => return,
        };
        let calls = self.calls.entry(key.clone()).or_default();
        self.running.insert((life, sequence), (key.clone(), calls.len()));
        calls.push(Recorded { life, effect, began: now, ended: None });
    }

    pub(super) fn end(&mut self, life: usize, sequence: u64, answer: &Answer, now: Micros) {
        if let Some((key, began)) = self.reads.remove(&(life, sequence)) {
            let Answer::Entry(entry) = answer else { return };
            let effect = Effect::Read(entry.as_deref().map(|entry| entry.value.clone()));
            self.calls.entry(key).or_default().push(Recorded { life, effect, began, ended: Some(now) });
        }
        let Some((key, place)) = self.running.remove(&(life, sequence)) else { return };
        let Some(call) = self.calls.get_mut(&key).and_then(|calls| calls.get_mut(place)) else { return };
        call.ended = Some(now);
        if let (Effect::Swap { did, .. }, Answer::Swap(swap)) = (&mut call.effect, answer) {
            *did = Some(swap.swapped);
        }
    }

    /// Panics unless the calls of every key are linearizable. `is_judged` is asked with each key and the
    /// lives that wrote it; `has_died`: a store has died.
    pub(super) fn judge(&mut self, has_died: bool, is_judged: impl Fn(&str, &[usize]) -> bool) {
        for (key, calls) in &self.calls {
            let writes = || calls.iter().filter(|call| !matches!(call.effect, Effect::Read(_)));
            let writers: Vec<usize> = writes().map(|call| call.life).collect();
            let is_open = writes().any(|call| call.ended.is_none());
            if has_died && (is_open || !is_judged(key, &writers)) {
                continue;
            }
            self.judged += calls.len();
            assert!(is_linearizable(calls), "no order explains the calls of {key}: {calls:#?}");
        }
    }
}

/// Returns true if some order explains the results.
fn is_linearizable(calls: &[Recorded]) -> bool {
    let mut tried: HashSet<(Vec<bool>, Value)> = HashSet::new();
    let mut stack = vec![(vec![false; calls.len()], None)];
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

    fn value(text: &str) -> Value {
        Some(text.into())
    }

    fn call(effect: Effect, began: Micros, ended: Option<Micros>) -> Recorded {
        Recorded { life: 0, effect, began, ended }
    }

    #[test]
    fn overlapping_calls_may_take_effect_in_any_order() {
        let write = |text, began, ended| call(Effect::Write(value(text)), began, ended);
        let read = |text, began, ended| call(Effect::Read(value(text)), began, Some(ended));
        assert!(is_linearizable(&[write("a", 1, Some(9)), write("b", 2, Some(8)), read("a", 10, 11)]));
        assert!(is_linearizable(&[write("a", 1, Some(9)), write("b", 2, Some(8)), read("b", 10, 11)]));
        // One after the other.
        assert!(!is_linearizable(&[write("a", 1, Some(2)), write("b", 3, Some(4)), read("a", 5, 6)]));
        assert!(!is_linearizable(&[
            write("a", 1, None),
            read("a", 2, 3),
            call(Effect::Read(None), 4, Some(5))
        ]));
        // A call without a result may take effect late, or never.
        assert!(is_linearizable(&[
            write("a", 1, None),
            call(Effect::Read(None), 2, Some(3)),
            read("a", 4, 5)
        ]));
    }

    #[test]
    fn swap_takes_effect_once() {
        let swap = |did| Effect::Swap { expected: None, new: value("a"), did: Some(did) };
        assert!(is_linearizable(&[call(swap(true), 1, Some(5)), call(swap(false), 2, Some(6))]));
        assert!(!is_linearizable(&[call(swap(true), 1, Some(5)), call(swap(true), 2, Some(6))]));
    }
}
