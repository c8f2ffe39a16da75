// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Metrics of operations: numbers, bytes, failures, durations; of each peer and of all.
//!
//! A [`Snapshot`], and [`snapshots`] of all of the process, are for people (`Display` is a table) and for
//! programs (serde). Counters are read one by one, so that a snapshot taken while operations end may be off
//! by those. Bytes are of successful operations. Operations are observed by [`super::watched`].

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, RwLock, Weak};
use std::time::Duration;

use mf_base::sync::lock;
use mf_base::sync::{read, write};
use mf_transport::{OperationKind, Peer};
use serde::{Deserialize, Serialize};

/// Buckets of durations: below 1 µs, 2 µs, 4 µs and so on; the last takes the rest, from 4 s on.
pub const BUCKETS: usize = 24;

#[derive(Default)]
struct Counters {
    operations: AtomicU64,
    bytes: AtomicU64,
    errors: AtomicU64,
    nanoseconds: AtomicU64,
    buckets: [AtomicU64; BUCKETS],
}

impl Counters {
    fn add(&self, bytes: u64, took: Duration, is_good: bool) {
        self.operations.fetch_add(1, Ordering::Relaxed);
        if is_good {
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
        } else {
            self.errors.fetch_add(1, Ordering::Relaxed);
        }
        self.nanoseconds.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = usize::try_from(u64::BITS - micros.leading_zeros()).unwrap_or(BUCKETS);
        if let Some(bucket) = self.buckets.get(bucket.min(BUCKETS - 1)) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn read(&self) -> Count {
        Count {
            operations: self.operations.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            errors: self.errors.load(Ordering::Relaxed),
            nanoseconds: self.nanoseconds.load(Ordering::Relaxed),
            buckets: self.buckets.iter().map(|bucket| bucket.load(Ordering::Relaxed)).collect(),
        }
    }
}

/// Of one peer, or of all: one for each kind, in the order of [`OperationKind::ALL`].
#[derive(Default)]
struct Board([Counters; OperationKind::ALL.len()]);

impl Board {
    fn add(&self, kind: OperationKind, bytes: u64, took: Duration, is_good: bool) {
        self.0[kind as usize].add(bytes, took, is_good);
    }

    fn read(&self) -> Figures {
        let used = OperationKind::ALL.into_iter().map(|kind| (kind, self.0[kind as usize].read()));
        Figures(used.filter(|(_, count)| count.operations > 0).collect())
    }
}

/// Counts of one transport. [`super::watched`] adds to it.
pub(super) struct Table {
    transport: &'static str,
    total: Arc<Board>,
    peers: RwLock<BTreeMap<Peer, Arc<Board>>>,
    has_ended: AtomicBool,
}

/// Tables of this process, for [`snapshots`].
static OPEN: Mutex<Vec<Weak<Table>>> = Mutex::new(Vec::new());

/// Returns the counts of this process's transports that count (`MF_NET_METRICS`). **Local.**
pub fn snapshots() -> Vec<Snapshot> {
    let open: Vec<Arc<Table>> = {
        let mut open = lock(&OPEN);
        open.retain(|table| table.strong_count() > 0);
        open.iter().filter_map(Weak::upgrade).collect()
    };
    open.iter().map(|table| table.snapshot()).collect()
}

impl Table {
    /// Of a transport with this name.
    pub(super) fn new(transport: &'static str) -> Arc<Self> {
        let (total, peers, has_ended) = Default::default();
        let table = Arc::new(Self { transport, total, peers, has_ended });
        lock(&OPEN).push(Arc::downgrade(&table));
        table
    }

    /// Returns the counts so far; forgotten peers are left out.
    pub(super) fn snapshot(&self) -> Snapshot {
        let peers = read(&self.peers);
        Snapshot {
            transport: self.transport.to_owned(),
            total: self.total.read(),
            peers: peers.iter().map(|(peer, board)| (*peer, board.read())).collect(),
        }
    }

    /// The peer counts apart from now on.
    pub(super) fn introduce(&self, peer: Peer) {
        write(&self.peers).entry(peer).or_default();
    }

    /// Removes a peer; its counts stay in the sum.
    pub(super) fn forget(&self, peer: Peer) {
        write(&self.peers).remove(&peer);
    }

    /// Returns the boards for operations towards a peer.
    pub(super) fn boards(&self, peer: Peer) -> Boards {
        let board = read(&self.peers).get(&peer).map(Arc::clone);
        Boards([Some(Arc::clone(&self.total)), board])
    }

    /// The transport ends: logs the table, once.
    pub(super) fn end(&self) {
        if !self.has_ended.swap(true, Ordering::Relaxed) {
            tracing::info!("operations over the network\n{}", self.snapshot());
        }
    }
}

/// The board of all, and the board of a peer unless that was not introduced.
#[derive(Clone)]
pub(super) struct Boards([Option<Arc<Board>>; 2]);

impl Boards {
    /// An operation has ended.
    pub(super) fn add(&self, kind: OperationKind, bytes: u64, took: Duration, is_good: bool) {
        self.0.iter().flatten().for_each(|board| board.add(kind, bytes, took, is_good));
    }
}

/// Counts of one kind of operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Number of ended operations.
    pub operations: u64,
    /// Bytes moved by the successful ones.
    pub bytes: u64,
    /// Number of failed operations.
    pub errors: u64,
    /// Total duration of all.
    pub nanoseconds: u64,
    /// Number of operations that took less than 1 µs, 2 µs, 4 µs and so on, each counted once; see
    /// [`BUCKETS`].
    pub buckets: Vec<u64>,
}

impl Count {
    /// A duration in microseconds that so many per mille of the operations stayed below; as exact as the
    /// buckets are.
    pub fn below_us(&self, per_mille: u64) -> Option<u64> {
        let wanted = self.operations.saturating_mul(per_mille).div_ceil(1000);
        let mut seen = 0;
        let bucket = self.buckets.iter().position(|count| {
            seen += count;
            seen >= wanted
        })?;
        // The last one has no upper end.
        (bucket + 1 < BUCKETS).then_some(1 << bucket)
    }
}

/// Counts by kind of operation; kinds without operations are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures(pub BTreeMap<OperationKind, Count>);

impl Figures {
    /// Returns the counts of one kind.
    pub fn of(&self, kind: OperationKind) -> Count {
        self.0.get(&kind).cloned().unwrap_or_default()
    }
}

/// Counts of a transport until one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The transport's name.
    pub transport: String,
    /// Of all peers, including forgotten ones.
    pub total: Figures,
    /// Of each.
    pub peers: Vec<(Peer, Figures)>,
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<24} {:<8} {:>12} {:>16} {:>8} {:>10} {:>10}",
            self.transport, "what", "operations", "bytes", "errors", "p50 us", "p99 us"
        )?;
        let named = self.peers.iter().map(|(peer, figures)| (peer.to_string(), figures));
        for (name, figures) in [("all".to_owned(), &self.total)].into_iter().chain(named) {
            for (kind, count) in &figures.0 {
                let below = |per_mille| match count.below_us(per_mille) {
                    Some(micros) => format!("< {micros}"),
                    None => "longer".to_owned(),
                };
                writeln!(
                    f,
                    "{name:<24} {:<8} {:>12} {:>16} {:>8} {:>10} {:>10}",
                    kind.name(),
                    count.operations,
                    count.bytes,
                    count.errors,
                    below(500),
                    below(990)
                )?;
            }
        }
        Ok(())
    }
}
