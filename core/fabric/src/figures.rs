// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Figures that a member publishes at the store while the job is viewed (`mf top`).
//!
//! A viewer, which is a guest of the store, writes a [`FiguresRequest`] below [`REQUESTS`] again and again;
//! with each one every member writes its [`Figures`] once, under a key that lives with its session. Both go
//! through the store, so that members without a network are reached. Figures stop when viewers have not
//! written for a while.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use mf_base::Result;
use mf_net::watch::{Measured, rows};
use serde::{Deserialize, Serialize};

use crate::pool::protocol::{decode, decode_first, encode};
use crate::pool::segments;
use crate::space::Presence;

/// Key prefix of requests; the session of the viewer follows.
pub const REQUESTS: &str = ".mf/top/ask/";
/// Key prefix of figures; the session of the member follows.
pub const FIGURES: &str = ".mf/top/of/";
/// Bounds of the interval at which a viewer may request figures.
pub const INTERVALS: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(60)];

/// A viewer's request to all members: their figures, now, and measures by route and peer for so long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FiguresRequest {
    /// When the next one is to be expected.
    pub every_ms: u32,
    /// Grows with each.
    pub number: u64,
}

/// A member's published figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Its rank in the job.
    pub rank: u32,
    /// Its session.
    pub session: u64,
    /// When they were taken, by a clock of the process that only grows.
    pub taken_us: u64,
    /// Its part in pools that are open there, the first 63 of them.
    pub pools: Vec<PoolFigures>,
    /// Its symmetric heaps.
    pub heaps: Vec<HeapFigures>,
    /// Its traffic, by route and peer.
    pub traffic: Vec<Traffic>,
    /// Its parts of caches with a tier on disk; empty from members of a release that does not publish them.
    #[serde(skip)]
    pub caches: Vec<CacheFigures>,
}

/// The part of a member in an open pool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolFigures {
    /// The pool's number in the job.
    pub pool: u32,
    /// The member's rank in the pool.
    pub rank: u32,
    /// Bytes of its segments, by kind.
    pub bytes: [u64; 2],
    /// Most bytes that they may have.
    pub most_bytes: [u64; 2],
    /// Members of the pool as this one knows them: joined, left, dead.
    pub members: [u32; 3],
}

/// A symmetric heap of a member.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeapFigures {
    /// The number of its pool.
    pub heap: String,
    /// Bytes of blocks.
    pub used: u64,
    /// Free bytes.
    pub free: u64,
    /// Bytes of freed blocks that are still quarantined.
    pub quarantined: u64,
}

/// The part of a member in a cache with a tier on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheFigures {
    /// The number of its pool.
    pub pool: u32,
    /// Bytes with values in memory that the member manages, and all that it manages.
    pub memory: [u64; 2],
    /// Bytes of values on disk, and size of the tier.
    pub disk: [u64; 2],
    /// Gets and leases that found a value, and those of them that read the disk.
    pub hits: [u64; 2],
    /// Gets and leases that found none.
    pub misses: u64,
    /// Values that the disk did not keep.
    pub drops: u64,
    /// Bytes that wait to be written to disk.
    pub queue: u64,
    /// 1 while a fault has switched the disk off.
    pub off: u64,
}

/// Operations of one kind by one route to one peer, since the process began to count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// `mapped`, `device`, or the transport's name.
    pub route: String,
    /// The peer's rank in the job; `None`: several.
    pub peer: Option<u32>,
    /// Kind of the operations, as `put`.
    pub kind: String,
    /// Number of ended operations.
    pub operations: u64,
    /// Bytes moved by the successful ones.
    pub bytes: u64,
    /// Number of failed operations.
    pub errors: u64,
    /// Durations of the timed ones, all in all; empty from members of a release that does not publish them.
    #[serde(skip)]
    pub took: Measured,
}

/// Durations of one kind of operations in the form that the store keeps.
#[derive(Default, Serialize, Deserialize)]
struct Durations {
    nanoseconds: u64,
    /// Buckets of [`Measured`], without the empty ones at the end.
    buckets: Vec<u64>,
}

impl From<&Measured> for Durations {
    fn from(took: &Measured) -> Self {
        let used = took.buckets.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
        Self { nanoseconds: took.nanoseconds, buckets: took.buckets.iter().copied().take(used).collect() }
    }
}

impl From<Durations> for Measured {
    fn from(durations: Durations) -> Self {
        let mut took = Self { nanoseconds: durations.nanoseconds, ..Self::default() };
        took.buckets.iter_mut().zip(durations.buckets).for_each(|(bucket, count)| *bucket = count);
        took
    }
}

impl FiguresRequest {
    /// Returns the key of the requests of the viewer with this session.
    pub fn key(session: u64) -> String {
        format!("{REQUESTS}{session}")
    }

    /// As the store keeps it.
    ///
    /// # Errors
    /// Only when memory is short.
    pub fn encoded(&self) -> Result<Vec<u8>> {
        encode(self)
    }

    /// Decodes a request.
    ///
    /// # Errors
    /// `InvalidParam` if malformed.
    pub fn decoded(bytes: &[u8]) -> Result<Self> {
        decode(bytes)
    }

    /// Returns the lifetime of a request; a late one does not end measures that the next would begin again.
    pub fn lifetime(&self) -> Duration {
        let [shortest, longest] = INTERVALS;
        3 * Duration::from_millis(self.every_ms.into()).clamp(shortest, longest)
    }
}

impl Figures {
    /// Returns the key of figures of the member with this session.
    pub fn key(session: u64) -> String {
        format!("{FIGURES}{session}")
    }

    /// Returns the figures of this process as the member of that rank and session; the families above add the
    /// heaps and caches. **Local.**
    pub fn collect(rank: u32, session: u64) -> Self {
        let pools = segments().into_iter().map(|segments| {
            let count = |wanted| {
                let found = segments.members.iter().filter(|(_, presence, _)| *presence == wanted).count();
                u32::try_from(found).unwrap_or(u32::MAX)
            };
            let own = segments.members.iter().find(|(rank, ..)| *rank == segments.own);
            PoolFigures {
                pool: segments.pool,
                rank: segments.own.0,
                bytes: own.map(|(.., bytes)| *bytes).unwrap_or_default(),
                most_bytes: segments.most_bytes,
                members: [Presence::Joined, Presence::Left, Presence::Dead].map(count),
            }
        });
        let traffic = rows().into_iter().map(|row| Traffic {
            route: row.route.to_owned(),
            peer: row.peer,
            kind: row.kind.name().to_owned(),
            operations: row.operations,
            bytes: row.bytes,
            errors: row.errors,
            took: row.took,
        });
        let (pools, traffic) = (pools.collect(), traffic.collect());
        let (heaps, caches) = (Vec::new(), Vec::new());
        Self { rank, session, taken_us: clock_us(), pools, heaps, traffic, caches }
    }

    /// As the store keeps them. The durations and the caches follow the rest, so that viewers of earlier
    /// releases, which ignore them, can decode it.
    ///
    /// # Errors
    /// Only when memory is short.
    pub fn encoded(&self) -> Result<Vec<u8>> {
        let durations: Vec<Durations> = self.traffic.iter().map(|row| Durations::from(&row.took)).collect();
        Ok([encode(self)?, encode(&durations)?, encode(&self.caches)?].concat())
    }

    /// Decodes figures. Durations and caches are empty if the member's release does not publish them.
    ///
    /// # Errors
    /// `InvalidParam` if malformed, or of another release.
    pub fn decoded(bytes: &[u8]) -> Result<Self> {
        let (mut figures, rest) = decode_first::<Self>(bytes)?;
        if !rest.is_empty() {
            let (durations, rest): (Vec<Durations>, _) = decode_first(rest)?;
            figures
                .traffic
                .iter_mut()
                .zip(durations)
                .for_each(|(row, durations)| row.took = durations.into());
            if !rest.is_empty() {
                figures.caches = decode(rest)?;
            }
        }
        Ok(figures)
    }
}

fn clock_us() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    u64::try_from(FIRST.get_or_init(Instant::now).elapsed().as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_requests_round_trip() {
        let traffic =
            Traffic { route: "tcp".into(), peer: Some(3), kind: "put".into(), ..Traffic::default() };
        let mut took = Measured { nanoseconds: 70_000, ..Measured::default() };
        took.buckets[3] = 5;
        let traffic = vec![traffic.clone(), Traffic { took, ..traffic }];
        let caches = vec![CacheFigures { pool: 63, disk: [5, 1 << 40], ..CacheFigures::default() }];
        let figures = Figures { rank: 1, traffic, caches, ..Figures::collect(1, 7) };
        assert_eq!(Figures::decoded(&figures.encoded().unwrap()).unwrap(), figures);
        // A release before caches publishes durations last.
        let before_caches = Figures { caches: Vec::new(), ..figures.clone() };
        let [whole, empty] = [before_caches.encoded().unwrap(), encode(&before_caches.caches).unwrap()];
        let published = &whole[..whole.len() - empty.len()];
        assert_eq!(Figures::decoded(published).unwrap(), before_caches);
        assert!(Figures::decoded(b"\xff\xff").is_err());
        // An earlier release publishes no durations, and reads figures with them.
        let earlier = Figures::decoded(&encode(&figures).unwrap()).unwrap();
        assert!(earlier.traffic.len() == 2 && earlier.traffic.iter().all(|row| row.took.count() == 0));
        assert_eq!(decode::<Figures>(&figures.encoded().unwrap()).unwrap(), earlier);
        let request = FiguresRequest { every_ms: 1000, number: 4 };
        assert_eq!(FiguresRequest::decoded(&request.encoded().unwrap()).unwrap(), request);
        assert_eq!(request.lifetime(), Duration::from_secs(3));
        assert_eq!(FiguresRequest { every_ms: 0, number: 0 }.lifetime(), 3 * INTERVALS[0]);
        assert_eq!(FiguresRequest { every_ms: u32::MAX, number: 0 }.lifetime(), 3 * INTERVALS[1]);
    }
}
