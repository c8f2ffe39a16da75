// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which operation is harmed, and how.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mf_base::settings::Value;
use mf_base::{Error, Kind, Result};
use mf_transport::{OperationKind, Peer};

/// Fault of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is lost: it does not reach the peer, and it ends at its deadline with `Timeout`; a message is
    /// dropped.
    Drop,
    /// It starts so much later. Messages keep their order, so their sender waits.
    Delay(Duration),
    /// One bit of the payload is flipped; copies between two others are not changed.
    Corrupt,
    /// It ends at once with an error of this kind.
    Fail(Kind),
    /// It and all operations in flight to its peer end with `NotConnected`, and so do later ones, until the
    /// peer is healed.
    Sever,
}

/// Which of the operations that a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// All of them.
    Always,
    /// One, counted from 1.
    Nth(u64),
    /// Every n-th one.
    Every(u64),
    /// By chance, in so many of a million.
    PerMillion(u32),
}

/// A fault and the operations that it applies to. Without restrictions: every operation to every peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    rank: Option<u32>,
    kind: Option<OperationKind>,
    when: When,
    fault: Fault,
}

impl Rule {
    /// This fault in every operation.
    pub fn new(fault: Fault) -> Self {
        Self { rank: None, kind: None, when: When::Always, fault }
    }

    /// Reads rules with semicolons between them, in the words of `MF_NET_FAULTS`.
    ///
    /// # Errors
    /// `InvalidParam` names the rule and the word.
    pub fn parse_list(text: &str) -> Result<Vec<Self>> {
        text.split(';').map(str::trim).filter(|rule| !rule.is_empty()).map(Self::parse).collect()
    }

    fn parse(text: &str) -> Result<Self> {
        let wrong = |word: &str, accepted: &'static str| {
            Error::invalid("fault rule", "a rule of MF_NET_FAULTS is not understood")
                .with("rule", text)
                .with("word", word)
                .hint(accepted)
        };
        let mut words = text.split_whitespace().map(|word| word.split_once('=').unwrap_or((word, "")));
        let fault = match words.next() {
            Some(("drop", "")) => Fault::Drop,
            Some(("corrupt", "")) => Fault::Corrupt,
            Some(("sever", "")) => Fault::Sever,
            Some(("delay", time)) => {
                Fault::Delay(Duration::parse(time).map_err(|accepted| wrong(time, accepted))?)
            }
            Some(("fail", name)) => {
                let is = |kind: &&Kind| format!("{kind:?}").eq_ignore_ascii_case(name);
                let kind = Kind::ALL.iter().find(is);
                Fault::Fail(*kind.ok_or_else(|| wrong(name, "a kind of error, for example timeout"))?)
            }
            Some((word, _)) => return Err(wrong(word, "drop, corrupt, sever, delay=TIME or fail=KIND")),
            None => return Err(wrong("", "drop, corrupt, sever, delay=TIME or fail=KIND")),
        };
        let mut rule = Self::new(fault);
        for (word, value) in words {
            let number = || value.parse().map_err(|_| wrong(value, "a number"));
            rule = match word {
                "rank" => rule.to(value.parse().map_err(|_| wrong(value, "a rank"))?),
                "only" => {
                    let kind = OperationKind::ALL.into_iter().find(|kind| kind.name() == value);
                    let accepted = "put, get, atomic, signal, copy or message";
                    rule.only(kind.ok_or_else(|| wrong(value, accepted))?)
                }
                "nth" => rule.when(When::Nth(number()?)),
                "every" => rule.when(When::Every(number()?)),
                "permillion" => {
                    rule.when(When::PerMillion(value.parse().map_err(|_| wrong(value, "a number"))?))
                }
                _ => return Err(wrong(word, "rank=, only=, nth=, every= or permillion=")),
            };
        }
        Ok(rule)
    }

    /// Everything to this rank is lost, as in a black hole.
    pub fn black_hole(rank: u32) -> Self {
        Self::new(Fault::Drop).to(rank)
    }

    /// Only in operations to this rank.
    #[must_use]
    pub fn to(self, rank: u32) -> Self {
        Self { rank: Some(rank), ..self }
    }

    /// Only in operations of this kind.
    #[must_use]
    pub fn only(self, kind: OperationKind) -> Self {
        Self { kind: Some(kind), ..self }
    }

    /// Only in some of those.
    #[must_use]
    pub fn when(self, when: When) -> Self {
        Self { when, ..self }
    }
}

/// A rule and how many operations it was about so far.
pub(super) struct Watching {
    pub(super) rule: Rule,
    seed: u64,
    seen: AtomicU64,
}

impl Watching {
    pub(super) fn new(rule: Rule, seed: u64) -> Self {
        Self { rule, seed, seen: AtomicU64::new(0) }
    }

    /// The fault of this operation, if any, and a number that follows from the seed and from how many there
    /// were before alone.
    pub(super) fn meets(&self, peer: Peer, kind: OperationKind) -> Option<(Fault, u64)> {
        let rule = self.rule;
        if rule.rank.is_some_and(|rank| rank != peer.rank) || rule.kind.is_some_and(|only| only != kind) {
            return None;
        }
        let number = self.seen.fetch_add(1, Ordering::Relaxed) + 1;
        let dice = mix(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let meets = match rule.when {
            When::Always => true,
            When::Nth(nth) => number == nth,
            When::Every(every) => number.is_multiple_of(every.max(1)),
            When::PerMillion(share) => dice % 1_000_000 < u64::from(share),
        };
        meets.then_some((rule.fault, mix(dice)))
    }
}

/// Spreads the bits of a number over all of it.
pub(super) fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use mf_transport::JobId;

    use super::*;

    const PEER: Peer = Peer { job: JobId(1), rank: 3, session: 1 };

    fn met(rule: Rule, seed: u64) -> Vec<usize> {
        let watching = Watching::new(rule, seed);
        (0..1000).filter(|_| watching.meets(PEER, OperationKind::Put).is_some()).collect()
    }

    #[test]
    fn seed_selects_the_same_operations_again() {
        let rule = Rule::new(Fault::Drop).when(When::PerMillion(100_000));
        assert_eq!(met(rule, 7), met(rule, 7));
        assert_ne!(met(rule, 7), met(rule, 8));
        assert!((50..200).contains(&met(rule, 7).len()), "{}", met(rule, 7).len());
    }

    #[test]
    fn rules_match_only_selected_operations() {
        let rule = Rule::new(Fault::Drop);
        assert_eq!(met(rule.when(When::Nth(4)), 1), [3]);
        assert_eq!(met(rule.when(When::Every(400)), 1), [399, 799]);
        assert_eq!(met(rule, 1).len(), 1000);
        assert!(met(rule.to(4), 1).is_empty() && met(rule.only(OperationKind::Get), 1).is_empty());
        assert_eq!(met(rule.to(3).only(OperationKind::Put), 1).len(), 1000);
    }

    #[test]
    fn rules_are_read_from_a_setting() {
        let rules =
            Rule::parse_list("drop every=100; delay=5ms only=put rank=3 ; fail=timeout nth=7;").unwrap();
        let expected = [
            Rule::new(Fault::Drop).when(When::Every(100)),
            Rule::new(Fault::Delay(Duration::from_millis(5))).only(OperationKind::Put).to(3),
            Rule::new(Fault::Fail(Kind::Timeout)).when(When::Nth(7)),
        ];
        assert_eq!(rules, expected);
        assert!(Rule::parse_list(" ; ").unwrap().is_empty());
        for (text, word) in
            [("burn", "burn"), ("drop rank=x", "x"), ("fail=never", "never"), ("sever to=1", "to")]
        {
            let error = Rule::parse_list(text).unwrap_err().to_string();
            assert!(error.contains(&format!("word {word}")) && error.contains("MF_NET_FAULTS"), "{error}");
        }
    }
}
