// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Histories of a cache: a get returns a value that was put under its key, whole, and not one that was
//! removed or replaced before the get began. A cache may lose values, so any get may miss.

use std::collections::BTreeSet;
use std::fmt;

use super::register;

/// Operation and result of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Did {
    /// Put a value.
    Put(Vec<u8>),
    /// Removed the value.
    Remove,
    /// Returned a value, or missed.
    Get(Option<Vec<u8>>),
}

/// A call, from its begin to its end.
#[derive(Clone, Debug)]
pub struct Call {
    /// The key.
    pub key: u64,
    /// Operation and result.
    pub did: Did,
    /// Time of its begin.
    pub began: u64,
    /// Time of its end; none without a result.
    pub ended: Option<u64>,
}

impl Call {
    fn changes(&self, key: u64) -> bool {
        self.key == key && !matches!(self.did, Did::Get(_))
    }
}

/// The reason why a history is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// No put of this key before the end of the get has these bytes: torn, or of another key.
    NeverPut,
    /// All puts of these bytes were replaced or removed before the get began.
    Over,
    /// No order of the calls explains the values that gets returned.
    Order,
}

/// A call that is wrong, with its place in the history; the last get of the key if the order is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The call.
    pub place: usize,
    /// The reason.
    pub wrong: Wrong,
}

/// Returns the changes of a key, as places in the history, that may be the latest one at `at`: no other one
/// began after their end, and ended before `at`.
pub fn latest(calls: &[Call], key: u64, at: u64) -> impl Iterator<Item = usize> {
    let changes = move || calls.iter().enumerate().filter(move |(_, call)| call.changes(key));
    let is_over = move |change: &Call| {
        changes().any(|(_, later)| {
            later.ended.is_some_and(|ended| ended < at)
                && change.ended.is_some_and(|ended| ended < later.began)
        })
    };
    changes().filter(move |(_, change)| !is_over(change)).map(|(place, _)| place)
}

/// Judges each value that a get returned. Returns their number.
///
/// # Errors
/// The first get that is wrong.
pub fn judge(calls: &[Call]) -> Result<usize, Verdict> {
    let mut hits = 0;
    for (place, get) in calls.iter().enumerate() {
        let (Did::Get(Some(value)), Some(ended)) = (&get.did, get.ended) else { continue };
        hits += 1;
        let is_it = |put: &Call| {
            put.key == get.key && put.began <= ended && matches!(&put.did, Did::Put(bytes) if bytes == value)
        };
        if !calls.iter().any(is_it) {
            return Err(Verdict { place, wrong: Wrong::NeverPut });
        }
        if !latest(calls, get.key, get.began).any(|put| is_it(&calls[put])) {
            return Err(Verdict { place, wrong: Wrong::Over });
        }
    }
    Ok(hits)
}

/// Judges the order of the values of each key as a register's; with `misses` also gets without one,
/// where the cache had no reason to lose values.
///
/// This is more than a cache promises while members die: a value of an unfinished put may be seen, and die
/// with its member.
///
/// # Errors
/// A key with calls that no order explains.
pub fn judge_order(calls: &[Call], misses: bool) -> Result<(), Verdict> {
    let keys: BTreeSet<u64> = calls.iter().map(|call| call.key).collect();
    for key in keys {
        let of_key: Vec<&Call> = calls.iter().filter(|call| call.key == key).collect();
        // A value is named by the first put of it.
        let name = |value: &Vec<u8>| {
            of_key.iter().position(|call| matches!(&call.did, Did::Put(bytes) if bytes == value))
        };
        let effect = |call: &Call| match &call.did {
            Did::Put(value) => Some(register::Effect::Write(name(value))),
            Did::Remove => Some(register::Effect::Write(None)),
            Did::Get(None) if !misses => None,
            Did::Get(_) if call.ended.is_none() => None,
            Did::Get(found) => Some(register::Effect::Read(found.as_ref().and_then(name))),
        };
        let register: Vec<_> = of_key
            .iter()
            .filter_map(|call| {
                let (began, ended) = (call.began, call.ended);
                effect(call).map(|effect| register::Call { effect, began, ended })
            })
            .collect();
        if !register::is_linearizable(&register) {
            let is_get = |call: &Call| call.key == key && matches!(call.did, Did::Get(_));
            let place = calls.iter().rposition(is_get).unwrap_or_default();
            return Err(Verdict { place, wrong: Wrong::Order });
        }
    }
    Ok(())
}

/// The calls of the key that is wrong, without the bytes of values.
pub struct Shown<'a>(pub &'a [Call], pub Verdict);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(calls, Verdict { place, wrong }) = self;
        let key = calls.get(*place).map(|call| call.key);
        writeln!(f, "{wrong:?}: call {place} of key {key:?}, among")?;
        for (at, call) in calls.iter().enumerate().filter(|(_, call)| Some(call.key) == key) {
            let short =
                |value: &[u8]| format!("{} bytes {:02x?}", value.len(), value.get(..8).unwrap_or(value));
            let did = match &call.did {
                Did::Put(value) => format!("put {}", short(value)),
                Did::Remove => "remove".to_owned(),
                Did::Get(None) => "get: a miss".to_owned(),
                Did::Get(Some(value)) => format!("get: {}", short(value)),
            };
            writeln!(f, "{at}: {did} from {} to {:?}", call.began, call.ended)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(value: &[u8], began: u64, ended: impl Into<Option<u64>>) -> Call {
        Call { key: 1, did: Did::Put(value.to_vec()), began, ended: ended.into() }
    }

    fn remove(began: u64, ended: impl Into<Option<u64>>) -> Call {
        Call { key: 1, did: Did::Remove, began, ended: ended.into() }
    }

    fn get(found: &[u8], began: u64, ended: u64) -> Call {
        Call { key: 1, did: Did::Get(Some(found.to_vec())), began, ended: Some(ended) }
    }

    fn miss(began: u64, ended: u64) -> Call {
        Call { key: 1, did: Did::Get(None), began, ended: Some(ended) }
    }

    fn wrong(calls: &[Call]) -> Option<Wrong> {
        judge(calls).err().map(|verdict| verdict.wrong)
    }

    #[test]
    fn values_in_time_are_accepted() {
        let two = [put(b"aa", 1, 4), put(b"bb", 3, 6)];
        for found in [b"aa", b"bb"] {
            // Both puts were running at one time, so either may be the later one.
            let calls = [two[0].clone(), two[1].clone(), get(found, 7, 8), miss(9, 10)];
            assert_eq!(judge(&calls), Ok(1));
        }
        // A get that began before the replacement had ended.
        assert_eq!(judge(&[put(b"aa", 1, 2), put(b"bb", 3, 9), get(b"aa", 8, 12)]), Ok(1));
        // A put without an end takes effect at any time.
        assert_eq!(judge(&[put(b"aa", 1, None), remove(3, 4), get(b"aa", 5, 6)]), Ok(1));
    }

    #[test]
    fn torn_and_foreign_values_are_rejected() {
        let (one, two) = (put(b"aaaa", 1, 2), put(b"bbbb", 3, 4));
        for found in [&b"aabb"[..], b"aaa", b"aaaaa", b"", b"cccc"] {
            assert_eq!(wrong(&[one.clone(), two.clone(), get(found, 3, 5)]), Some(Wrong::NeverPut));
        }
        let other = Call { key: 2, ..put(b"cccc", 1, 2) };
        assert_eq!(wrong(&[one.clone(), other, get(b"cccc", 3, 4)]), Some(Wrong::NeverPut));
        // Before its put began.
        assert_eq!(wrong(&[get(b"aaaa", 0, 0), one]), Some(Wrong::NeverPut));
    }

    #[test]
    fn removed_and_replaced_values_are_rejected() {
        assert_eq!(wrong(&[put(b"aa", 1, 2), remove(3, 4), get(b"aa", 5, 6)]), Some(Wrong::Over));
        assert_eq!(wrong(&[put(b"aa", 1, 2), put(b"bb", 3, 4), get(b"aa", 5, 6)]), Some(Wrong::Over));
        // Put again, it is there again.
        let again = [put(b"aa", 1, 2), remove(3, 4), put(b"aa", 5, 6), get(b"aa", 7, 8)];
        assert_eq!(judge(&again), Ok(1));
        assert_eq!(wrong(&[again[0].clone(), again[1].clone(), get(b"aa", 5, 6), again[2].clone()]), None);
    }

    #[test]
    fn values_that_change_back_are_rejected() {
        let two = [put(b"aa", 1, 2), put(b"bb", 3, 9)];
        let back = [two[0].clone(), two[1].clone(), get(b"bb", 4, 5), get(b"aa", 6, 7)];
        assert_eq!(judge(&back), Ok(2));
        assert_eq!(judge_order(&back, false), Err(Verdict { place: 3, wrong: Wrong::Order }));
        let forth = [two[0].clone(), two[1].clone(), get(b"aa", 4, 5), get(b"bb", 6, 7), miss(10, 11)];
        assert_eq!(judge_order(&forth, false), Ok(()));
        assert!(judge_order(&forth, true).is_err());
        let text = Shown(&back, Verdict { place: 3, wrong: Wrong::Order }).to_string();
        assert!(text.contains("3: get: 2 bytes [61, 61] from 6 to Some(7)"), "{text}");
    }
}
