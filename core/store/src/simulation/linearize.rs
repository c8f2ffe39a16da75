// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Linearizability of the keys, judged from the calls and their results alone ([`mf_models::history`]).
//!
//! A store that dies may lose what no living member keeps. So after a death of the store only keys are judged
//! whose writes were all answered, to members that still live and that brought them to the next store.

use std::collections::{BTreeMap, HashMap};

use mf_models::history::{Call, Effect, is_linearizable};

use crate::protocol::{Answer, Request};
use crate::state::Micros;

/// A value: none, or its bytes.
type Value = Option<Vec<u8>>;

#[derive(Clone, Debug)]
struct Recorded {
    life: usize,
    call: Call<Value>,
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
        calls.push(Recorded { life, call: Call { effect, began: now, ended: None } });
    }

    pub(super) fn end(&mut self, life: usize, sequence: u64, answer: &Answer, now: Micros) {
        if let Some((key, began)) = self.reads.remove(&(life, sequence)) {
            let Answer::Entry(entry) = answer else { return };
            let effect = Effect::Read(entry.as_deref().map(|entry| entry.value.clone()));
            let call = Call { effect, began, ended: Some(now) };
            self.calls.entry(key).or_default().push(Recorded { life, call });
        }
        let Some((key, place)) = self.running.remove(&(life, sequence)) else { return };
        let recorded = self.calls.get_mut(&key).and_then(|calls| calls.get_mut(place));
        let Some(Recorded { call, .. }) = recorded else { return };
        call.ended = Some(now);
        if let (Effect::Swap { did, .. }, Answer::Swap(swap)) = (&mut call.effect, answer) {
            *did = Some(swap.swapped);
        }
    }

    /// Panics unless the calls of every key are linearizable. `is_judged` is asked with each key and the
    /// lives that wrote it; `has_died`: a store has died.
    pub(super) fn judge(&mut self, has_died: bool, is_judged: impl Fn(&str, &[usize]) -> bool) {
        for (key, calls) in &self.calls {
            let writes = || calls.iter().filter(|recorded| !matches!(recorded.call.effect, Effect::Read(_)));
            let writers: Vec<usize> = writes().map(|recorded| recorded.life).collect();
            let is_open = writes().any(|recorded| recorded.call.ended.is_none());
            if has_died && (is_open || !is_judged(key, &writers)) {
                continue;
            }
            self.judged += calls.len();
            let register: Vec<_> = calls.iter().map(|recorded| recorded.call.clone()).collect();
            assert!(is_linearizable(&register), "no order explains the calls of {key}: {calls:#?}");
        }
    }
}
