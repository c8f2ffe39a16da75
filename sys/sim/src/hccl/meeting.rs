// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Meeting at the beginning of a collective: every rank publishes its operation and compares.

use super::code::{self, Progress, Trouble};
use super::communicator::Communicator;
use super::format;
use super::peers::Wait;
use super::shared::WORDS;

/// Which collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum CollectiveKind {
    /// Nothing but the meeting.
    Barrier = 1,
    /// One has, all get.
    Broadcast,
    /// All have, all get everything.
    AllGather,
    /// One has a part for each.
    Scatter,
    /// All have a part for each.
    AlltoAll,
    /// The same, with sizes of their own.
    AlltoAllV,
    /// All get the reduced whole.
    AllReduce,
    /// All get a part of the reduced whole.
    ReduceScatter,
    /// One gets the reduced whole.
    Reduce,
    /// All have, all get everything, with sizes of their own.
    AllGatherV,
    /// All get a part of the reduced whole, with sizes of their own.
    ReduceScatterV,
    /// As [`CollectiveKind::AlltoAllV`], by a matrix.
    AlltoAllVC,
}

const KINDS: [CollectiveKind; 12] = [
    CollectiveKind::Barrier,
    CollectiveKind::Broadcast,
    CollectiveKind::AllGather,
    CollectiveKind::Scatter,
    CollectiveKind::AlltoAll,
    CollectiveKind::AlltoAllV,
    CollectiveKind::AllReduce,
    CollectiveKind::ReduceScatter,
    CollectiveKind::Reduce,
    CollectiveKind::AllGatherV,
    CollectiveKind::ReduceScatterV,
    CollectiveKind::AlltoAllVC,
];

/// A collective, as all ranks must agree on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Which.
    pub kind: CollectiveKind,
    /// Elements; 0 where each rank has its own number.
    pub count: u64,
    /// Their type, by number.
    pub format: u32,
    /// The reduction, by number.
    pub reduction: Option<u32>,
    /// Root rank, if the collective has one.
    pub root: Option<u32>,
}

impl Agreement {
    /// One without elements.
    pub const BARRIER: Self =
        Self { kind: CollectiveKind::Barrier, count: 0, format: 0, reduction: None, root: None };

    fn words(&self) -> [u64; WORDS] {
        let optional = |number: Option<u32>| number.map_or(0, |number| u64::from(number) + 1);
        [self.kind as u64, self.count, self.format.into(), optional(self.reduction), optional(self.root), 0]
    }

    fn of_words(words: &[u64; WORDS]) -> Option<Self> {
        let optional = |word: u64| u32::try_from(word.wrapping_sub(1)).ok();
        Some(Self {
            kind: KINDS.into_iter().find(|kind| *kind as u64 == words[0])?,
            count: words[1],
            format: u32::try_from(words[2]).ok()?,
            reduction: optional(words[3]),
            root: optional(words[4]),
        })
    }

    /// In words.
    pub fn describe(&self) -> String {
        let mut text = format!("{:?}", self.kind);
        if self.kind != CollectiveKind::Barrier {
            let elements = match self.kind {
                CollectiveKind::AlltoAllV
                | CollectiveKind::AllGatherV
                | CollectiveKind::ReduceScatterV
                | CollectiveKind::AlltoAllVC => "elements".to_owned(),
                _ => self.count.to_string(),
            };
            text += &format!(" of {elements} × {}", format::name(self.format));
        }
        if let Some(reduction) = self.reduction {
            text += &format!(" by {}", format::reduction_name(reduction));
        }
        if let Some(root) = self.root {
            text += &format!(" with root {root}");
        }
        text
    }
}

/// Meets the other ranks at collective `number`.
///
/// # Errors
/// `HCCL_E_PARA` if the operations differ · errors of the wait.
pub fn meet(communicator: &Communicator, number: u64, agreement: &Agreement, wait: &Wait<'_>) -> Progress {
    let shared = &communicator.shared;
    shared.slot(communicator.rank).post(number, &agreement.words());
    shared.ring();
    shared.wait(wait, || {
        let is_missing = |rank: &u32| shared.slot(*rank).posted(number).is_none();
        Ok((0..shared.ranks()).filter(is_missing).collect())
    })?;
    let posted = |rank| shared.slot(rank).posted(number).unwrap_or_default();
    let first = posted(0);
    match (0..shared.ranks()).find(|rank| posted(*rank) != first) {
        None => Ok(()),
        Some(other) => {
            let describe = |words: &[u64; WORDS]| {
                Agreement::of_words(words)
                    .map_or_else(|| "nothing known".to_owned(), |known| known.describe())
            };
            Err(Trouble::shared(
                code::PARA,
                format_args!(
                    "collective {number} of {}: rank 0 calls {}, rank {other} calls {}",
                    communicator.name,
                    describe(&first),
                    describe(&posted(other))
                ),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_parsed() {
        for kind in KINDS {
            let stated = Agreement { kind, count: 1 << 40, format: 11, reduction: Some(0), root: Some(7) };
            assert_eq!(Agreement::of_words(&stated.words()), Some(stated));
            let bare = Agreement { kind, reduction: None, root: None, ..stated };
            assert_eq!(Agreement::of_words(&bare.words()), Some(bare));
        }
        assert_eq!(Agreement::of_words(&[99; WORDS]), None);
    }
}
