// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State of a job at one moment, with rates. Ranks are numbered as in the job.

use std::collections::BTreeMap;
use std::time::Instant;

use mf_base::MemKind;
use mf_fabric::figures::{CacheFigures, Figures, HeapFigures, PoolFigures, Traffic};
use mf_fabric::group::wait_report::Waiting;
use mf_net::watch::Measured;
use mf_store::{Contact, View};
use serde::Serialize;
use serde_json::Value;

use super::latency::{self, Latency};
use super::matrix::Matrix;

/// Collected figures.
pub(super) struct Moment<'a> {
    pub(super) now: Instant,
    /// Milliseconds since 1970.
    pub(super) now_ms: u64,
    pub(super) store: &'a str,
    /// 0: not known yet.
    pub(super) world_size: u32,
    pub(super) view: &'a View,
    pub(super) contacts: &'a [Contact],
    pub(super) waits: &'a [Waiting],
    /// By session.
    pub(super) published: &'a BTreeMap<u64, Published>,
    /// When members that are dead were seen to be so, by session.
    pub(super) dead_since_ms: &'a BTreeMap<u64, Option<u64>>,
}

/// Latest publication of a member.
pub(super) struct Published {
    pub(super) figures: Figures,
    /// Those before.
    pub(super) before: Option<Figures>,
    /// When they came.
    pub(super) at: Instant,
}

/// A job at one moment.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Picture {
    /// Milliseconds since 1970.
    pub(super) at_ms: u64,
    /// True in the last picture of a job that has ended in order.
    pub(super) ended: bool,
    pub(super) store: String,
    /// 0: not known yet.
    pub(super) world_size: u32,
    /// Grows with every change of the membership.
    pub(super) epoch: u64,
    pub(super) hosts: Vec<Host>,
    pub(super) ranks: Vec<Member>,
    /// Traffic since the previous sample, the most bytes first.
    pub(super) traffic: Vec<Flow>,
    /// Number of flows; some may be left out above.
    pub(super) flows: usize,
    /// The same by route.
    pub(super) routes: Vec<Route>,
    /// Durations of the operations since the previous sample, by kind.
    pub(super) latency: Vec<Latency>,
    /// Traffic of all pairs, for a page, which gets a part of the flows only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) matrix: Option<Matrix>,
    /// Waits in groups that last.
    pub(super) waits: Vec<Wait>,
    pub(super) dead: Vec<Dead>,
}

/// A host and its living ranks.
#[derive(Serialize)]
pub(super) struct Host {
    pub(super) host: String,
    pub(super) ranks: Vec<u32>,
}

/// A member that lives.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Member {
    pub(super) rank: u32,
    pub(super) host: String,
    pub(super) pid: u32,
    pub(super) device: u16,
    pub(super) session: u64,
    /// State of its connection to the store.
    pub(super) connected: Option<bool>,
    pub(super) silent_s: Option<f64>,
    /// Its current or last store request.
    pub(super) phase: String,
    /// Age of its figures; `None` if it publishes none.
    pub(super) age_s: Option<f64>,
    pub(super) segments: Vec<Segment>,
    pub(super) heaps: Vec<Heap>,
    /// Its parts of caches with a tier on disk.
    pub(super) caches: Vec<CacheTiers>,
    /// Bytes moved by its own operations; `None` if unknown.
    pub(super) bytes_per_s: Option<f64>,
    pub(super) operations_per_s: Option<f64>,
    /// Durations of its operations by kind.
    pub(super) latency: Vec<Latency>,
}

/// Its memory of one kind in a pool.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Segment {
    pub(super) pool: u32,
    /// Its rank there.
    pub(super) pool_rank: u32,
    pub(super) kind: String,
    pub(super) bytes: u64,
    /// Limit of its memory.
    pub(super) most_bytes: u64,
    /// Members of the pool as this one knows them.
    pub(super) joined: u32,
    pub(super) left: u32,
    pub(super) dead: u32,
}

/// A symmetric heap.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Heap {
    pub(super) heap: String,
    pub(super) used_bytes: u64,
    pub(super) free_bytes: u64,
    pub(super) quarantined_bytes: u64,
}

/// The tiers of a member in a cache with a tier on disk.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CacheTiers {
    /// The number of its pool.
    pub(super) pool: u32,
    /// Bytes with values in memory that it manages, and all that it manages.
    pub(super) memory_bytes: u64,
    pub(super) memory_most_bytes: u64,
    /// Bytes of values on disk, and size of the tier.
    pub(super) disk_bytes: u64,
    pub(super) disk_most_bytes: u64,
    /// Its gets and leases that found a value in memory, on its disk, and none; `None` if unknown.
    pub(super) memory_hits_per_s: Option<f64>,
    pub(super) disk_hits_per_s: Option<f64>,
    pub(super) misses_per_s: Option<f64>,
    /// Values that the disk did not keep, since the cache was opened.
    pub(super) drops: u64,
    /// Bytes that wait to be written to disk.
    pub(super) queue_bytes: u64,
    /// True while a fault has switched the disk off.
    pub(super) is_off: bool,
}

/// Operations of one kind of a member towards another.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Flow {
    pub(super) from: u32,
    /// None: several.
    pub(super) to: Option<u32>,
    pub(super) route: String,
    pub(super) kind: String,
    pub(super) bytes_per_s: f64,
    pub(super) operations_per_s: f64,
    /// Since it is counted.
    pub(super) errors: u64,
    /// Mean duration of the timed ones; `None` if none was timed.
    pub(super) mean_us: Option<f64>,
    #[serde(skip)]
    pub(super) took: Measured,
}

/// All operations of a route.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Route {
    pub(super) route: String,
    pub(super) bytes_per_s: f64,
    pub(super) operations_per_s: f64,
}

/// A member that waits.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wait {
    pub(super) rank: u32,
    pub(super) call: String,
    pub(super) members: Vec<u32>,
    pub(super) missing: Vec<u32>,
    /// By the clock of its host, milliseconds since 1970.
    pub(super) since_ms: u64,
    pub(super) waited_s: f64,
    #[serde(skip)]
    pub(super) text: String,
}

/// A member that was lost.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Dead {
    pub(super) rank: u32,
    pub(super) host: String,
    pub(super) pid: u32,
    pub(super) epoch: u64,
    /// When it was found; none: before the first picture.
    pub(super) since_ms: Option<u64>,
}

impl Picture {
    /// Of a moment.
    pub(super) fn new(moment: &Moment<'_>) -> Self {
        let view = moment.view;
        let mut hosts: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for peer in &view.members {
            hosts.entry(&peer.host).or_default().push(peer.rank.0);
        }
        let mut traffic = Vec::new();
        let mut ranks = Vec::new();
        for peer in &view.members {
            let published = moment.published.get(&peer.session);
            let flows = published.and_then(|published| flows(peer.rank.0, published));
            let sum = |of: fn(&Flow) -> f64| {
                flows.as_ref().map(|flows| flows.iter().map(of).fold(0.0, |sum, one| sum + one))
            };
            let contact = moment.contacts.iter().find(|contact| contact.session == peer.session);
            ranks.push(Member {
                rank: peer.rank.0,
                host: peer.host.clone(),
                pid: peer.pid,
                device: peer.device,
                session: peer.session,
                connected: contact.map(|contact| contact.is_connected),
                silent_s: contact.map(|contact| contact.silent_us as f64 / 1e6),
                phase: contact.map(|contact| contact.phase.clone()).unwrap_or_default(),
                age_s: published.map(|published| moment.now.duration_since(published.at).as_secs_f64()),
                segments: published.map(|published| segments(&published.figures)).unwrap_or_default(),
                heaps: published.map(|published| heaps(&published.figures)).unwrap_or_default(),
                caches: published.map(caches).unwrap_or_default(),
                bytes_per_s: sum(|flow| flow.bytes_per_s),
                operations_per_s: sum(|flow| flow.operations_per_s),
                latency: latency::by_kind(flows.iter().flatten()),
            });
            traffic.extend(flows.unwrap_or_default());
        }
        traffic.sort_by(|one: &Flow, other| {
            other
                .bytes_per_s
                .total_cmp(&one.bytes_per_s)
                .then((one.from, one.to).cmp(&(other.from, other.to)))
        });
        let lives = |waiting: &&Waiting| view.members.iter().any(|peer| peer.session == waiting.session);
        Self {
            at_ms: moment.now_ms,
            ended: false,
            store: moment.store.to_owned(),
            world_size: moment.world_size,
            epoch: view.epoch,
            hosts: hosts.into_iter().map(|(host, ranks)| Host { host: host.to_owned(), ranks }).collect(),
            ranks,
            flows: traffic.len(),
            routes: routes(&traffic),
            latency: latency::by_kind(&traffic),
            matrix: None,
            traffic,
            waits: moment.waits.iter().filter(lives).map(|waiting| wait(waiting, moment.now_ms)).collect(),
            dead: view
                .dead
                .iter()
                .map(|lost| Dead {
                    rank: lost.peer.rank.0,
                    host: lost.peer.host.clone(),
                    pid: lost.peer.pid,
                    epoch: lost.epoch,
                    since_ms: moment.dead_since_ms.get(&lost.peer.session).copied().flatten(),
                })
                .collect(),
        }
    }

    /// Leaves out all but the largest flows, and adds the traffic of all pairs.
    pub(super) fn for_page(&mut self, most_flows: usize) {
        self.matrix = Some(Matrix::of(&self.traffic));
        self.traffic.truncate(most_flows);
    }

    /// Turns it into the last picture of a job that ends now.
    pub(super) fn ended(self) -> Self {
        Self { ended: true, at_ms: super::collect::now_ms(), ..self }
    }

    /// As JSON.
    pub(super) fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

fn routes(traffic: &[Flow]) -> Vec<Route> {
    let mut routes: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
    for flow in traffic {
        let [bytes, operations] = routes.entry(&flow.route).or_default();
        *bytes += flow.bytes_per_s;
        *operations += flow.operations_per_s;
    }
    let route = |(route, [bytes_per_s, operations_per_s]): (&str, [f64; 2])| Route {
        route: route.to_owned(),
        bytes_per_s,
        operations_per_s,
    };
    routes.into_iter().map(route).collect()
}

fn segments(figures: &Figures) -> Vec<Segment> {
    let of = |pool: &PoolFigures| {
        let [joined, left, dead] = pool.members;
        let segment = |kind: MemKind| Segment {
            pool: pool.pool,
            pool_rank: pool.rank,
            kind: kind.to_string(),
            bytes: pool.bytes[kind.index()],
            most_bytes: pool.most_bytes[kind.index()],
            joined,
            left,
            dead,
        };
        MemKind::ALL.map(segment).into_iter().filter(|segment| segment.bytes + segment.most_bytes > 0)
    };
    figures.pools.iter().flat_map(of).collect()
}

fn heaps(figures: &Figures) -> Vec<Heap> {
    let heap = |heap: &HeapFigures| Heap {
        heap: heap.heap.clone(),
        used_bytes: heap.used,
        free_bytes: heap.free,
        quarantined_bytes: heap.quarantined,
    };
    figures.heaps.iter().map(heap).collect()
}

/// The tiers of a member, with rates between its last two publications.
fn caches(published: &Published) -> Vec<CacheTiers> {
    let before = published.before.as_ref();
    let seconds =
        before.map_or(0.0, |before| published.figures.taken_us.saturating_sub(before.taken_us) as f64 / 1e6);
    let tiers = |now: &CacheFigures| {
        let before = before.and_then(|before| before.caches.iter().find(|cache| cache.pool == now.pool));
        let rate = |of: fn(&CacheFigures) -> u64| {
            let before = before.filter(|_| seconds > 0.0)?;
            Some(of(now).saturating_sub(of(before)) as f64 / seconds)
        };
        CacheTiers {
            pool: now.pool,
            memory_bytes: now.memory[0],
            memory_most_bytes: now.memory[1],
            disk_bytes: now.disk[0],
            disk_most_bytes: now.disk[1],
            memory_hits_per_s: rate(|cache| cache.hits[0].saturating_sub(cache.hits[1])),
            disk_hits_per_s: rate(|cache| cache.hits[1]),
            misses_per_s: rate(|cache| cache.misses),
            drops: now.drops,
            queue_bytes: now.queue,
            is_off: now.off > 0,
        }
    };
    published.figures.caches.iter().map(tiers).collect()
}

/// Traffic between the last two publications of a member. Returns `None` after a single one.
fn flows(from: u32, published: &Published) -> Option<Vec<Flow>> {
    let before = published.before.as_ref()?;
    let seconds = published.figures.taken_us.saturating_sub(before.taken_us) as f64 / 1e6;
    if seconds <= 0.0 {
        return None;
    }
    let name = |traffic: &Traffic| (traffic.route.clone(), traffic.peer, traffic.kind.clone());
    let earlier: BTreeMap<_, &Traffic> = before.traffic.iter().map(|one| (name(one), one)).collect();
    let flow = |now: &Traffic| {
        let before = earlier.get(&name(now));
        let per_s = |now: u64, before: Option<u64>| now.saturating_sub(before.unwrap_or(0)) as f64 / seconds;
        let operations_per_s = per_s(now.operations, before.map(|before| before.operations));
        (operations_per_s > 0.0).then(|| {
            let took = latency::between(before.map(|before| &before.took), &now.took);
            Flow {
                from,
                to: now.peer,
                route: now.route.clone(),
                kind: now.kind.clone(),
                bytes_per_s: per_s(now.bytes, before.map(|before| before.bytes)),
                operations_per_s,
                errors: now.errors,
                mean_us: latency::mean_us(&took),
                took,
            }
        })
    };
    Some(published.figures.traffic.iter().filter_map(flow).collect())
}

fn wait(waiting: &Waiting, now_ms: u64) -> Wait {
    Wait {
        rank: waiting.rank,
        call: waiting.call.clone(),
        members: waiting.members.clone(),
        missing: waiting.missing.clone(),
        since_ms: waiting.since_ms,
        waited_s: now_ms.saturating_sub(waiting.since_ms) as f64 / 1e3,
        text: waiting.text(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(taken_us: u64, rows: &[(u32, &str, u64, u64)]) -> Figures {
        let row = |(peer, kind, operations, bytes): &(u32, &str, u64, u64)| Traffic {
            route: "tcp".into(),
            peer: Some(*peer),
            kind: (*kind).into(),
            operations: *operations,
            bytes: *bytes,
            errors: 0,
            took: Measured::default(),
        };
        Figures { taken_us, traffic: rows.iter().map(row).collect(), ..Figures::default() }
    }

    #[test]
    fn rates_are_computed_between_two_publications() {
        let before = figures(1_000_000, &[(1, "put", 10, 1000), (2, "put", 5, 500)]);
        let now = figures(3_000_000, &[(1, "put", 14, 5000), (2, "put", 5, 500), (2, "get", 2, 8)]);
        let mut published = Published { figures: now, before: Some(before), at: Instant::now() };
        let found = flows(7, &published).unwrap();
        let rates: Vec<_> = found
            .iter()
            .map(|flow| (flow.from, flow.to, &flow.kind[..], flow.operations_per_s, flow.bytes_per_s))
            .collect();
        // Unchanged flows are left out, new flows begin at 0.
        assert_eq!(rates, [(7, Some(1), "put", 2.0, 2000.0), (7, Some(2), "get", 1.0, 4.0)]);
        published.before = None;
        assert!(flows(7, &published).is_none());
    }

    #[test]
    fn hits_of_a_cache_are_told_apart_by_tier() {
        let cache = |hits, misses| CacheFigures {
            pool: 63,
            memory: [1 << 20, 16 << 20],
            disk: [5 << 20, 1 << 30],
            hits,
            misses,
            drops: 4,
            queue: 9,
            off: 1,
        };
        let figures = |taken_us, cache| Figures { taken_us, caches: vec![cache], ..Figures::default() };
        let now = figures(3_000_000, cache([30, 10], 6));
        let mut published = Published {
            figures: now,
            before: Some(figures(1_000_000, cache([10, 6], 2))),
            at: Instant::now(),
        };
        let [found] = &caches(&published)[..] else { panic!("one cache") };
        let rates = [found.memory_hits_per_s, found.disk_hits_per_s, found.misses_per_s];
        assert_eq!(rates, [Some(8.0), Some(2.0), Some(2.0)]);
        let tiers = [found.memory_bytes, found.memory_most_bytes, found.disk_bytes, found.disk_most_bytes];
        assert_eq!(tiers, [1 << 20, 16 << 20, 5 << 20, 1 << 30]);
        assert_eq!((found.pool, found.drops, found.queue_bytes, found.is_off), (63, 4, 9, true));
        published.before = None;
        assert!(caches(&published)[0].misses_per_s.is_none());
    }
}
