// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Consensus word: all members of a group agree that a round passed, or that it failed.
//!
//! **Problem.** Every member decides by itself that a round has passed, by polling the arrivals of all
//! others. A member past its deadline decides that it failed. Without more, the late member may
//! arrive in between, and some members take the round for passed and others for failed.
//!
//! **Protocol.** One word for all members. A member that wants to fail a round *objects* in it, checks the
//! arrivals once more, and then settles the objection with a compare-and-swap: dismissed when all have
//! arrived, upheld when not. A member that has seen all arrivals checks the word; when it is at rest the
//! round has passed, else it takes part in settling.
//!
//! **Why it is right.** If a member saw all arrivals and then the word at rest, then the objection came
//! later, and so did the objector's second check: it sees all arrivals too, and dismisses. The same holds for
//! every member that settles, because it has seen the objection. The rest is settled by one compare-and-swap.
//! The fences ([`super::fences`]) separate the check of the arrivals from the check of the word, and the
//! objection (or the sight of it) from the second check: in either order, the later side sees the stores
//! before the earlier fence. Arrivals are stored with release, loaded with acquire, and not taken back while
//! a member is in the round.
//!
//! **Word.** Generation (16 bits, of the group), state (2), cause (16), dismissals (14), round (16, the low
//! bits). A member of a destroyed group has another generation, and can change nothing. Dismissals are
//! counted, because two members may object for the same cause, one after the other: without the count the
//! first, if it was held up, could uphold the second's objection by its earlier observation.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering};

use super::fences::Fences;

const OBJECTED: u64 = 1;
const FAILED: u64 = 2;
const GENERATION_SHIFT: u32 = 48;
const STATE_SHIFT: u32 = 46;
const CAUSE_SHIFT: u32 = 30;
const CAUSE_MASK: u64 = (1 << 16) - 1;
const COUNT_SHIFT: u32 = 16;
const COUNT_MASK: u64 = ((1 << 14) - 1) << COUNT_SHIFT;

/// Outcome of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundOutcome {
    /// All members have taken part.
    Passed,
    /// It failed, for this reason, for all members; nothing follows.
    Failed {
        /// The objector's cause.
        cause: u16,
    },
    /// The word belongs to another group by now.
    Gone,
}

/// The word; see the [module documentation](self).
#[derive(Debug)]
#[repr(transparent)]
pub struct ConsensusWord(AtomicU64);

/// An objection, or what became of it.
fn word(generation: u16, state: u64, cause: u16, count: u64, round: u16) -> u64 {
    u64::from(generation) << GENERATION_SHIFT
        | state << STATE_SHIFT
        | u64::from(cause) << CAUSE_SHIFT
        | count & COUNT_MASK
        | u64::from(round)
}

/// There is no objection.
fn is_rest(word: u64, generation: u16) -> bool {
    word & !COUNT_MASK == u64::from(generation) << GENERATION_SHIFT
}

/// At rest again.
fn at_rest(word: u64) -> u64 {
    let generation = word >> GENERATION_SHIFT << GENERATION_SHIFT;
    generation | word.wrapping_add(1 << COUNT_SHIFT) & COUNT_MASK
}

/// State, cause, round.
#[expect(clippy::cast_possible_truncation, reason = "the fields are taken out of the word by their widths")]
fn fields(word: u64) -> (u64, u16, u16) {
    (word >> STATE_SHIFT & 3, (word >> CAUSE_SHIFT & CAUSE_MASK) as u16, word as u16)
}

#[expect(clippy::cast_possible_truncation, reason = "rounds that meet in a word differ by 1 at most")]
fn low_bits(round: u32) -> u16 {
    round as u16
}

impl ConsensusWord {
    /// At rest, of a group of this generation.
    pub fn new(generation: u16) -> Self {
        Self(AtomicU64::new(word(generation, 0, 0, 0, 0)))
    }

    /// Puts it to rest for a new group.
    pub fn open(&self, generation: u16) {
        self.0.store(word(generation, 0, 0, 0, 0), Ordering::SeqCst);
    }

    /// Returns true if there is no objection: for a member that has seen all arrivals the round has passed
    /// then.
    #[inline(always)]
    pub fn is_at_rest(&self, generation: u16, fences: Fences) -> bool {
        // Pairs with the heavy fence before the objector's second check.
        fences.light();
        is_rest(self.0.load(Ordering::SeqCst), generation)
    }

    /// Wants the round to fail. `have_all_arrived` checks the arrivals of this round.
    pub fn object(
        &self,
        generation: u16,
        round: u32,
        cause: u16,
        fences: Fences,
        mut have_all_arrived: impl FnMut() -> bool,
    ) -> RoundOutcome {
        loop {
            let now = self.0.load(Ordering::SeqCst);
            if is_rest(now, generation) {
                // The result does not matter: the ruling follows, with any objector.
                let _ = self.replace(now, word(generation, OBJECTED, cause, now, low_bits(round)));
            }
            if let Some(ruling) = self.outcome(generation, round, fences, &mut have_all_arrived) {
                return ruling;
            }
        }
    }

    /// Returns the ruling for a round, given whether all arrivals were seen (`have_all_arrived`). `None`: no
    /// objection, and not all have arrived.
    pub fn outcome(
        &self,
        generation: u16,
        round: u32,
        fences: Fences,
        mut have_all_arrived: impl FnMut() -> bool,
    ) -> Option<RoundOutcome> {
        loop {
            let all = have_all_arrived();
            // Pairs with the heavy fence below, in another member.
            fences.light();
            let now = self.0.load(Ordering::SeqCst);
            if is_rest(now, generation) {
                return all.then_some(RoundOutcome::Passed);
            }
            if now >> GENERATION_SHIFT != u64::from(generation) {
                return Some(RoundOutcome::Gone);
            }
            let (state, cause, its_round) = fields(now);
            if state == OBJECTED && its_round == low_bits(round) {
                // Pairs with the light fences of members that saw all arrivals and no objection. Where the
                // kernel refuses, processors order the two by themselves: a store that one of them has seen,
                // all see.
                let _ = fences.heavy();
                let passed = have_all_arrived();
                let settled =
                    if passed { at_rest(now) } else { word(generation, FAILED, cause, now, its_round) };
                if self.replace(now, settled) {
                    return Some(if passed { RoundOutcome::Passed } else { RoundOutcome::Failed { cause } });
                }
            } else if state == OBJECTED && its_round == low_bits(round).wrapping_sub(1) {
                // That round has passed, or else this member would not be here.
                let _ = self.replace(now, at_rest(now));
            } else if its_round == low_bits(round).wrapping_add(1) && all {
                // A member is in the next round, so this one has passed.
                return Some(RoundOutcome::Passed);
            } else {
                return Some(RoundOutcome::Failed { cause });
            }
        }
    }

    fn replace(&self, from: u64, to: u64) -> bool {
        self.0.compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;
    use loom::sync::atomic::AtomicU64;

    const GENERATION: u16 = 7;

    /// A member: arrives, polls this many times, then objects.
    fn member(shared: &(ConsensusWord, [AtomicU64; 3]), own: usize, polls: usize) -> bool {
        let (verdict, words) = shared;
        words[own].store(1, Ordering::Release);
        let all = || words.iter().all(|word| word.load(Ordering::Acquire) == 1);
        for _ in 0..polls {
            if all() {
                if verdict.is_at_rest(GENERATION, Fences::FULL) {
                    return true;
                }
                return verdict.outcome(GENERATION, 1, Fences::FULL, all) == Some(RoundOutcome::Passed);
            }
        }
        verdict.object(GENERATION, 1, 3, Fences::FULL, all) == RoundOutcome::Passed
    }

    /// One gives up while the last one arrives and a third has seen all: all have the same answer.
    #[test]
    fn all_members_agree_on_the_outcome_of_a_round() {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(2);
        builder.check(|| {
            let words = [AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0)];
            let shared = Arc::new((ConsensusWord::new(GENERATION), words));
            let threads: Vec<_> = [(1, 1), (2, 2)]
                .into_iter()
                .map(|(own, polls)| {
                    let shared = Arc::clone(&shared);
                    loom::thread::spawn(move || member(&shared, own, polls))
                })
                .collect();
            let mine = member(&shared, 0, 1);
            for thread in threads {
                assert_eq!(thread.join().unwrap(), mine);
            }
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const FENCES: Fences = Fences::FULL;

    #[test]
    fn arrivals_decide_whether_objections_are_upheld() {
        let verdict = ConsensusWord::new(5);
        assert_eq!(verdict.object(5, 9, 3, FENCES, || true), RoundOutcome::Passed);
        assert!(verdict.is_at_rest(5, FENCES));
        assert_eq!(verdict.outcome(5, 9, FENCES, || false), None);
        assert_eq!(verdict.object(5, 9, 3, FENCES, || false), RoundOutcome::Failed { cause: 3 });
        assert_eq!(verdict.object(5, 9, 4, FENCES, || true), RoundOutcome::Failed { cause: 3 });
        assert_eq!(verdict.outcome(5, 8, FENCES, || true), Some(RoundOutcome::Passed));
    }

    #[test]
    fn members_of_a_former_group_change_nothing() {
        let verdict = ConsensusWord::new(5);
        assert_eq!(verdict.object(4, 1, 1, FENCES, || false), RoundOutcome::Gone);
        assert_eq!(verdict.outcome(4, 1, FENCES, || false), Some(RoundOutcome::Gone));
        assert!(verdict.is_at_rest(5, FENCES));
        verdict.open(6);
        assert!(!verdict.is_at_rest(5, FENCES));
    }
}
