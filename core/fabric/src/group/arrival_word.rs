// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The arrival word: generation of the slot (16 bits), tag of the round (16), number of the round (32,
//! wraps).

/// The members' call in a round; it must be equal on all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Tag {
    /// Nothing yet.
    None = 0,
    /// A barrier.
    Barrier = 1,
    /// A piece of an allgather.
    Allgather = 2,
    /// A piece from other hosts, spread by the leader.
    Spread = 3,
    /// A comparison of numbers.
    Compare = 4,
}

impl Tag {
    /// For texts.
    pub(super) fn text(self) -> &'static str {
        Self::name(self as u64)
    }

    /// Returns the name of a tag for error texts; a page can contain any value.
    fn name(tag: u64) -> &'static str {
        match tag {
            1 => "a barrier",
            2 | 3 => "an allgather",
            4 => "a comparison",
            _ => "a call that this version does not know",
        }
    }
}

/// The word of a member that has arrived.
#[inline(always)]
pub(super) const fn arrival(generation: u16, tag: Tag, round: u32) -> u64 {
    (generation as u64) << 48 | (tag as u64) << 32 | round as u64
}

/// Meaning of a word for a member that waits for `expected`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// It has arrived.
    There,
    /// It is in an earlier round.
    NotYet,
    /// It makes another call in this round.
    Otherwise(&'static str),
    /// The slot serves another group.
    Gone,
}

/// Reads a word.
pub(super) fn seen(word: u64, expected: u64) -> Seen {
    if word == expected {
        return Seen::There;
    }
    if word >> 48 != expected >> 48 {
        return Seen::Gone;
    }
    if round(word) == round(expected) {
        Seen::Otherwise(Tag::name(word >> 32 & 0xffff))
    } else {
        Seen::NotYet
    }
}

/// The round in a word.
#[expect(clippy::cast_possible_truncation, reason = "the round is the low half")]
pub(super) fn round(word: u64) -> u32 {
    word as u32
}

/// Describes a member's last seen state, from the words of its two sides, for people.
pub(super) fn last_seen(sides: [u64; 2], generation: u16) -> String {
    let own = |word: &&u64| **word >> 48 == u64::from(generation) && **word >> 32 & 0xffff != 0;
    // The rounds of the two sides follow each other, also where the number wraps.
    let later = |a: &&u64, b: &&u64| round(**a).wrapping_sub(round(**b)).cast_signed().cmp(&0);
    match sides.iter().filter(own).max_by(later) {
        Some(word) => format!("last seen in round {} ({})", round(*word), Tag::name(*word >> 32 & 0xffff)),
        None => "never seen".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrival_words_distinguish_delay_mismatch_and_other_groups() {
        let expected = arrival(7, Tag::Barrier, 5);
        for (word, what) in [
            (expected, Seen::There),
            (arrival(7, Tag::Barrier, 3), Seen::NotYet),
            (arrival(7, Tag::Allgather, 5), Seen::Otherwise("an allgather")),
            (arrival(8, Tag::Barrier, 5), Seen::Gone),
        ] {
            assert_eq!(seen(word, expected), what);
        }
    }

    #[test]
    fn later_round_is_chosen_across_wraparound() {
        let sides = [arrival(7, Tag::Barrier, u32::MAX), arrival(7, Tag::Allgather, 0)];
        assert_eq!(last_seen(sides, 7), "last seen in round 0 (an allgather)");
        assert_eq!(last_seen(sides, 8), "never seen");
        assert_eq!(last_seen([arrival(7, Tag::None, 0); 2], 7), "never seen");
    }
}
