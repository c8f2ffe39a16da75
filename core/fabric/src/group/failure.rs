// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Failure of a group: its encoding between members, and the error for the caller.

use mf_base::{Error, Kind, Rank, interrupt};

/// A member's objection to a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The deadline of a member passed.
    Timeout,
    /// A member died or left.
    Lost,
    /// The members do different things.
    Mismatch,
    /// A leader of another host cannot be reached.
    Wire,
    /// This member's thread left its wait: the group is whole, and the call goes on when it is made again.
    /// Never travels.
    Left,
}

/// Largest member number in the encoding; stands for an unnamed member.
const MEMBER_MAX: u16 = 0x3fff;

impl Cause {
    /// Cause (2 bits) and member (14).
    pub(super) fn pack(self, member: usize) -> u16 {
        let member = u16::try_from(member).unwrap_or(MEMBER_MAX).min(MEMBER_MAX);
        (self as u16) << 14 | member
    }

    /// The inverse of [`pack`](Self::pack).
    pub(super) fn unpack(packed: u16) -> (Self, usize) {
        let cause = match packed >> 14 {
            0 => Self::Timeout,
            1 => Self::Lost,
            2 => Self::Mismatch,
            _ => Self::Wire,
        };
        let member = packed & MEMBER_MAX;
        (cause, if member == MEMBER_MAX { usize::MAX } else { usize::from(member) })
    }

    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Timeout => Kind::Timeout,
            Self::Lost | Self::Wire => Kind::NotConnected,
            Self::Mismatch => Kind::InvalidParam,
            Self::Left => Kind::Interrupted,
        }
    }
}

/// Why a call failed, and with it the group.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) cause: Cause,
    /// The member that caused it, by its place in the list of members.
    pub(super) member: usize,
    /// Details beyond the cause; a member is written there as `@` and its place.
    pub(super) detail: String,
}

impl Failure {
    pub(super) fn new(cause: Cause, member: usize, detail: impl Into<String>) -> Self {
        Self { cause, member, detail: detail.into() }
    }

    /// This member's thread left its wait.
    #[cold]
    pub(super) fn left() -> Self {
        Self::new(Cause::Left, usize::MAX, "")
    }

    /// The error for the member at place `own`, of the call in which it happened, or of a later one.
    pub(super) fn error(
        &self,
        operation: &'static str,
        members: &[Rank],
        own: usize,
        is_later: bool,
    ) -> Error {
        let rank = members.get(self.member);
        let who = rank.map_or_else(|| "a member".to_owned(), |rank| format!("rank {rank}"));
        let what = match self.cause {
            Cause::Timeout => "not all members came within the deadline".to_owned(),
            Cause::Lost => format!("{who} is gone"),
            Cause::Mismatch if self.member == own => {
                "this member does something else than the others".to_owned()
            }
            Cause::Mismatch => format!("{who} is in another call than this member"),
            Cause::Wire => format!("{who} cannot be reached"),
            Cause::Left => return interrupt::error(operation),
        };
        let what = if is_later { format!("the group failed before: {what}") } else { what };
        let error = Error::new(self.cause.kind(), operation).what(what).object_lost();
        let error = error.with("members", members.len());
        let error = match rank {
            Some(rank) => error.with("rank", rank),
            None => error,
        };
        let detail = with_ranks(&self.detail, members);
        let error = if detail.is_empty() { error } else { error.with("seen", detail) };
        error.hint("make a new group of the members that are left; this one is of no use any more")
    }
}

/// Writes ranks for places in the list.
fn with_ranks(detail: &str, members: &[Rank]) -> String {
    let mut parts = detail.split('@');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (place, rest) = part.split_at(digits);
        match place.parse().ok().and_then(|place: usize| members.get(place)) {
            Some(rank) => text += &format!("rank {rank}{rest}"),
            None => text += &format!("a member{rest}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_survive_packing_and_errors_name_the_member() {
        for cause in [Cause::Timeout, Cause::Lost, Cause::Mismatch, Cause::Wire] {
            for (member, named) in
                [(77, 77), (16_382, 16_382), (16_383, usize::MAX), (usize::MAX, usize::MAX)]
            {
                assert_eq!(Cause::unpack(cause.pack(member)), (cause, named));
            }
        }
        assert_eq!(with_ranks("@1 late, @0, @7", &[Rank(4), Rank(9)]), "rank 9 late, rank 4, a member");
        let failure = Failure::new(Cause::Lost, 1, "");
        let error = failure.error("group barrier", &[Rank(4), Rank(9)], 0, true);
        assert_eq!((error.kind(), error.fact("rank")), (Kind::NotConnected, Some("9")));
        assert!(error.to_string().contains("failed before: rank 9 is gone"), "{error}");
    }

    #[test]
    fn mismatch_names_this_member_if_it_differs() {
        let failure = Failure::new(Cause::Mismatch, 1, "it gives 8 bytes");
        for (own, expected) in [
            (0, "rank 9 is in another call than this member"),
            (1, "this member does something else than the others"),
        ] {
            let error = failure.error("group barrier", &[Rank(4), Rank(9)], own, false);
            assert!(error.to_string().contains(expected), "{error}");
            assert_eq!(error.fact("rank"), Some("9"));
        }
    }
}
