// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf store hang`: waits between the ranks of a job, and the ranks that keep the others waiting.

use std::collections::{BTreeMap, BTreeSet};

use mf_base::Result;
use mf_fabric::group::wait_report::{self, Waiting, ranks_text};
use mf_program::output;
use mf_store::{Contact, View};
use serde_json::{Value, json};

use crate::job_store::State;

use super::Guest;
use super::keys::lines;

/// Show waits between the ranks of the job, and which ranks keep others waiting.
///
/// Ranks report waits in groups (barriers, allgathers, collectives) that last longer than 3 seconds, since
/// when by the clock of their host; waits for barriers, locks and keys of the store are known to the store.
/// For each rank: its wait and the awaited ranks, else its store request and the time of its last message.
/// Exit code 1 when a rank waits.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf store hang tcp://127.0.0.1:5570
  MF_CONFIG_STORE_URL=tcp://127.0.0.1:5570 mf store hang --json")]
pub(super) struct Args {
    #[command(flatten)]
    guest: Guest,
}

pub(super) fn main(args: &Args) -> Result<u8> {
    let guest = &args.guest;
    let store = guest.enter_all()?;
    let State { view, contacts, awaited } = store.state()?;
    let waits = wait_report::merged(&store.list(wait_report::PREFIX)?, &awaited, store.world_size());
    store.close();
    let report = Report::new(&view, &contacts, waits);
    output::print(&if guest.json { lines(&report.json()) } else { report.text() })?;
    Ok(u8::from(report.ranks.iter().any(|rank| !rank.waits.is_empty())))
}

/// State of a rank of the job.
struct RankState {
    rank: u32,
    /// Its host and process.
    place: String,
    /// Its activity as known to the store; also for a dead rank.
    does: String,
    is_dead: bool,
    waits: Vec<Waiting>,
}

/// All that is known, ordered by rank.
struct Report {
    ranks: Vec<RankState>,
}

impl Report {
    fn new(view: &View, contacts: &[Contact], waits: Vec<Waiting>) -> Self {
        let mut by_session = BTreeMap::<u64, Vec<Waiting>>::new();
        for waiting in waits {
            by_session.entry(waiting.session).or_default().push(waiting);
        }
        let place = |peer: &mf_store::Peer| format!("{} pid {}", peer.host, peer.pid);
        let living = view.members.iter().map(|peer| RankState {
            rank: peer.rank.0,
            place: place(peer),
            does: contacts
                .iter()
                .find(|contact| contact.session == peer.session)
                .map_or_else(String::new, activity),
            is_dead: false,
            waits: by_session.remove(&peer.session).unwrap_or_default(),
        });
        let mut ranks: Vec<RankState> = living.collect();
        ranks.extend(view.dead.iter().map(|lost| RankState {
            rank: lost.peer.rank.0,
            place: place(&lost.peer),
            does: "is dead: its connection to the store broke".to_owned(),
            is_dead: true,
            waits: Vec::new(),
        }));
        ranks.sort_by_key(|of| of.rank);
        Self { ranks }
    }

    /// For whom each rank waits.
    fn edges(&self) -> BTreeMap<u32, BTreeSet<u32>> {
        let of = |state: &RankState| {
            (state.rank, state.waits.iter().flat_map(|wait| wait.missing.iter().copied()).collect())
        };
        self.ranks.iter().map(of).collect()
    }

    /// Ranks that others wait for, and that wait for none themselves.
    fn awaited(&self) -> Vec<u32> {
        let edges = self.edges();
        let awaited: BTreeSet<u32> = edges.values().flatten().copied().collect();
        awaited.into_iter().filter(|rank| edges.get(rank).is_none_or(BTreeSet::is_empty)).collect()
    }

    fn json(&self) -> Value {
        let waiting = |waiting: &Waiting| {
            json!({
                "call": waiting.call, "members": waiting.members, "missing": waiting.missing,
                "sinceMs": waiting.since_ms,
            })
        };
        let ranks = self.ranks.iter().map(|of| {
            json!({
                "rank": of.rank, "at": of.place, "dead": of.is_dead, "does": of.does,
                "waits": of.waits.iter().map(waiting).collect::<Vec<_>>(),
            })
        });
        json!({
            "ranks": ranks.collect::<Vec<_>>(), "awaited": self.awaited(), "cycles": cycles(&self.edges()),
        })
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for of in &self.ranks {
            let waits: Vec<String> = of.waits.iter().map(Waiting::text).collect();
            let state = if waits.is_empty() { of.does.clone() } else { waits.join("; ") };
            text.push_str(&format!("rank {} ({}): {state}\n", of.rank, of.place));
        }
        for cycle in cycles(&self.edges()) {
            let around: Vec<String> = cycle.iter().skip(1).chain(cycle.first()).map(u32::to_string).collect();
            let first = cycle.first().copied().unwrap_or_default();
            let around = around.join(", which waits for rank ");
            text.push_str(&format!("cycle: rank {first} waits for rank {around}\n"));
        }
        let awaited = self.awaited();
        if awaited.is_empty() {
            if self.ranks.iter().all(|of| of.waits.is_empty()) {
                text.push_str("no rank reports a wait that lasts\n");
            }
        } else {
            let verb = if awaited.len() == 1 { "keeps" } else { "keep" };
            let unknown: Vec<u32> =
                awaited.iter().copied().filter(|rank| self.ranks.iter().all(|of| of.rank != *rank)).collect();
            text.push_str(&format!("{} {verb} the others waiting\n", ranks_text(&awaited)));
            if !unknown.is_empty() {
                text.push_str(&format!("of these the store does not know {}\n", ranks_text(&unknown)));
            }
        }
        text
    }
}

/// Activity of a member outside of group waits.
fn activity(contact: &Contact) -> String {
    let broken = if contact.is_connected { "" } else { "its connection is broken; " };
    let silent = std::time::Duration::from_micros(contact.silent_us).as_secs_f64();
    format!("waits in no group; {broken}at the store: {}; last contact {silent:.1} s ago", contact.phase)
}

/// Rings of ranks that wait for each other, each beginning with its lowest rank; at most one through a rank.
fn cycles(edges: &BTreeMap<u32, BTreeSet<u32>>) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = Vec::new();
    let mut done = BTreeSet::new();
    for start in edges.keys() {
        // Depth-first, without recursion: a path, and for each rank on it the untried rest.
        let mut path: Vec<(u32, Vec<u32>)> = Vec::new();
        let next = |rank: u32| -> Vec<u32> {
            edges.get(&rank).map(|to| to.iter().rev().copied().collect()).unwrap_or_default()
        };
        if !done.contains(start) {
            path.push((*start, next(*start)));
        }
        while let Some((rank, rest)) = path.last_mut() {
            let Some(to) = rest.pop() else {
                done.insert(*rank);
                path.pop();
                continue;
            };
            if let Some(at) = path.iter().position(|(rank, _)| *rank == to) {
                let ring: Vec<u32> = path.iter().skip(at).map(|(rank, _)| *rank).collect();
                if ring.iter().all(|rank| found.iter().all(|other| !other.contains(rank))) {
                    found.push(from_lowest(&ring));
                }
            } else if !done.contains(&to) {
                path.push((to, next(to)));
            }
        }
    }
    found
}

fn from_lowest(ring: &[u32]) -> Vec<u32> {
    let lowest = ring.iter().enumerate().min_by_key(|(_, rank)| **rank).map_or(0, |(at, _)| at);
    ring.iter().cycle().skip(lowest).take(ring.len()).copied().collect()
}

#[cfg(test)]
mod tests {
    use mf_base::Rank;
    use mf_store::{Lost, Peer};

    use super::*;

    fn peer(rank: u32) -> Peer {
        Peer { rank: Rank(rank), session: 100 + u64::from(rank), host: "node".into(), pid: 1, device: 0 }
    }

    fn waiting(rank: u32, members: &[u32], missing: &[u32]) -> Waiting {
        Waiting {
            rank,
            session: 100 + u64::from(rank),
            call: "a barrier".into(),
            members: members.into(),
            missing: missing.into(),
            since_ms: 0,
        }
    }

    fn report(waits: Vec<Waiting>) -> Report {
        let contact = |rank: u32| Contact {
            rank: Rank(rank),
            session: 100 + u64::from(rank),
            phase: "last request get, 9.000 s ago".into(),
            silent_us: 500_000,
            is_connected: true,
        };
        let view = View {
            epoch: 7,
            members: vec![peer(0), peer(1), peer(2)],
            dead: vec![Lost { epoch: 6, peer: peer(3) }],
        };
        Report::new(&view, &[contact(0), contact(1), contact(2)], waits)
    }

    #[test]
    fn rank_blocking_the_others_is_named() {
        let report = report(vec![waiting(0, &[0, 1], &[1]), waiting(1, &[1, 2], &[2])]);
        let text = report.text();
        for part in [
            "rank 0 (node pid 1): waits ",
            " s in a barrier of ranks 0, 1 for rank 1\n",
            "rank 2 (node pid 1): waits in no group; at the store: last request get, 9.000 s ago; last contact 0.5",
            "rank 3 (node pid 1): is dead",
            "\nrank 2 keeps the others waiting\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("cycle"), "{text}");
        let json = report.json();
        assert_eq!((&json["awaited"], &json["ranks"][3]["dead"]), (&json!([2]), &json!(true)));
        // A member of an earlier process under that rank is another one.
        let mut other = waiting(0, &[0, 1], &[1]);
        other.session = 1;
        assert!(self::report(vec![other]).text().contains("no rank reports a wait that lasts"));
    }

    #[test]
    fn mutually_waiting_ranks_are_named_as_a_cycle() {
        let waits = vec![waiting(0, &[0, 1], &[1]), waiting(1, &[1, 2], &[2]), waiting(2, &[1, 2], &[1])];
        let report = report(waits);
        let text = report.text();
        assert!(text.ends_with("cycle: rank 1 waits for rank 2, which waits for rank 1\n"), "{text}");
        assert_eq!(report.json()["cycles"], json!([[1, 2]]));
        assert!(cycles(&BTreeMap::from([(0, BTreeSet::from([1])), (1, BTreeSet::new())])).is_empty());
        let unknown = self::report(vec![waiting(0, &[0, 7], &[7])]).text();
        assert!(
            unknown.ends_with("rank 7 keeps the others waiting\nof these the store does not know rank 7\n")
        );
    }
}
