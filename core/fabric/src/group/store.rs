// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The fallback: members meet through the store of the job.

use std::sync::Arc;
use std::time::Instant;

use mf_base::{Error, Kind, Rank};
use mf_store::Store;

use super::failure::{Cause, Failure};
use crate::space::Places;

/// Most bytes of one value, and of the values of all members, in one allgather of the store.
const VALUE_BYTES_MAX: usize = 63 << 10;
const VALUES_BYTES_MAX: usize = 8 << 20;

/// A group that meets in the store.
pub(super) struct ByStore {
    store: Arc<dyn Store>,
    name: String,
    /// The members by their ranks in the job, in that order, each with its place in the list.
    by_rank: Vec<(Rank, usize)>,
}

impl ByStore {
    pub(super) fn new(store: Arc<dyn Store>, name: String, members: &[Rank], places: &Places) -> Self {
        let in_job = |(place, rank): (usize, &Rank)| (places.in_job(*rank), place);
        let mut by_rank: Vec<_> = members.iter().enumerate().map(in_job).collect();
        by_rank.sort_unstable();
        Self { store, name, by_rank }
    }

    fn count(&self) -> u32 {
        u32::try_from(self.by_rank.len()).unwrap_or(u32::MAX)
    }

    fn failure(&self, error: &Error) -> Failure {
        let cause = match error.kind() {
            Kind::Timeout => Cause::Timeout,
            Kind::InvalidParam => Cause::Mismatch,
            Kind::Interrupted => Cause::Left,
            _ => Cause::Wire,
        };
        Failure::new(cause, usize::MAX, error.to_string())
    }

    pub(super) fn barrier(&self, deadline: Instant) -> Result<(), Failure> {
        self.store.barrier(&self.name, self.count(), deadline).map_err(|error| self.failure(&error))
    }

    /// `offset`: how far an earlier call came that was left; and this one, when it is.
    pub(super) fn allgather(
        &self,
        own: &[u8],
        all: &mut [u8],
        deadline: Instant,
        offset: &mut usize,
    ) -> Result<(), Failure> {
        let piece_bytes = (VALUES_BYTES_MAX / self.by_rank.len()).clamp(1, VALUE_BYTES_MAX);
        let length = own.len() as u64;
        loop {
            let piece = own.get(*offset..own.len().min(*offset + piece_bytes)).unwrap_or_default();
            let value = [&length.to_le_bytes()[..], piece].concat();
            let parts = self.store.allgather(&self.name, self.count(), &value, deadline);
            let parts = parts.map_err(|error| self.failure(&error))?;
            for ((rank, place), part) in self.by_rank.iter().zip(&parts) {
                let theirs = part
                    .value
                    .split_first_chunk()
                    .map(|(length, piece)| (u64::from_le_bytes(*length), piece));
                let (theirs, bytes) = theirs.unwrap_or((u64::MAX, &[]));
                let to = place * own.len() + *offset;
                let to = all.get_mut(to..to + piece.len());
                match to {
                    Some(to) if theirs == length && part.rank == *rank && bytes.len() == to.len() => {
                        to.copy_from_slice(bytes);
                    }
                    _ => {
                        let detail = format!("it gives {theirs} bytes, this member {length}");
                        return Err(Failure::new(Cause::Mismatch, *place, detail));
                    }
                }
            }
            if parts.len() != self.by_rank.len() {
                return Err(Failure::new(Cause::Mismatch, usize::MAX, "too few members"));
            }
            *offset += piece_bytes;
            if *offset >= own.len() {
                return Ok(());
            }
        }
    }
}
