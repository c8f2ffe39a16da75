// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of leaders that die, are stopped, or lose etcd; the next one continues from the acknowledged writes.

use std::sync::Arc;
use std::time::Duration;

use mf_base::{Kind, Rank};
use mf_bootstrap::rendezvous::Options;
use mf_store::{Cause, Change, Lifetime, RankWish, Store};

use super::faults::{Proxy, within};
use super::processes::Process;
use super::servers::{Job, url_of};
use crate::conformance::{next, recorder};
use crate::hosted::Hosted;
use crate::members::deadline;

const SHORT: Duration = Duration::from_secs(2);

fn text(store: &Hosted, key: &str) -> Option<String> {
    store.get(key).unwrap().map(|entry| String::from_utf8(entry.value).unwrap())
}

#[test]
fn acknowledged_writes_survive_a_killed_leader() {
    let Some(job) = Job::new(3) else { return };
    let mut leader = Process::start();
    assert_eq!(leader.ask(&format!("join {} 0 3 5000", job.url())), "leads");
    let (one, two) = (job.join(Some(1)).unwrap(), job.join(Some(2)).unwrap());
    let (token, term) = (one.member().job_token, one.leader().term);
    // Of the member that dies with the store.
    leader.ask("set his/permanent permanent v");
    leader.ask("set his/session session v");
    leader.ask("append his/log abc");
    leader.ask("append shared x");
    one.append("shared", b"y").unwrap();
    leader.ask("append shared z");
    leader.ask("set gone permanent v");
    leader.ask("delete gone");
    one.set("gone/too", b"v", Lifetime::Permanent).unwrap();
    leader.ask("delete gone/too");
    leader.ask("add sum");
    // State of members that stay.
    one.set("mine", b"v", Lifetime::Session).unwrap();
    let lease = two.grant_lease(Duration::from_secs(600)).unwrap();
    two.set("leased", b"v", Lifetime::Lease(lease)).unwrap();
    let large: Vec<u8> = (0..8u32 << 20).map(|n| n.to_le_bytes()[0] ^ n.to_le_bytes()[1]).collect();
    let last = two.set("large", &large, Lifetime::Permanent).unwrap();
    let fence = one.lock("l", deadline()).unwrap();
    let (callback, changes) = recorder();
    two.watch("his/", callback).unwrap();
    drop(leader);

    assert_eq!(text(&one, "his/permanent").as_deref(), Some("v"));
    assert_eq!(text(&two, "his/log").as_deref(), Some("abc"));
    assert_eq!(text(&two, "shared").as_deref(), Some("xyz"));
    assert_eq!(text(&one, "sum").as_deref(), Some("1"));
    assert!(two.get("large").unwrap().unwrap().value == large);
    assert_eq!((text(&one, "gone"), text(&one, "gone/too")), (None, None));
    let removed = next(&changes);
    assert!(
        matches!(&removed, Change::Removed { key, cause: Cause::Lost, .. } if key == "his/session"),
        "{removed:?}"
    );
    assert_eq!(text(&one, "his/session"), None);
    let mine = two.get("mine").unwrap().unwrap();
    assert_eq!(mine.owner, Some(Rank(1)));
    one.keep_alive(lease).unwrap();
    assert_eq!(text(&one, "leased").as_deref(), Some("v"));
    assert!(two.revoke_lease(lease).unwrap());
    assert_eq!(text(&one, "leased"), None);
    // The lock is where it was, and numbers grow from leader to leader.
    assert_eq!(two.try_lock("l").unwrap(), None);
    one.unlock("l").unwrap();
    assert!(two.try_lock("l").unwrap().unwrap() > fence);
    assert!(one.set("next", b"", Lifetime::Permanent).unwrap() > last);
    assert!(one.leader().term > term);
    let late = job.join(Some(0)).unwrap();
    assert_eq!(late.member().job_token, token);
    assert_eq!(late.view().unwrap().members.len(), 3);
    assert_eq!(text(&late, "his/permanent").as_deref(), Some("v"));
}

#[test]
fn writes_survive_repeated_leader_kills() {
    let Some(job) = Job::new(4) else { return };
    let mut processes: Vec<Process> = (0..3).map(|_| Process::start()).collect();
    for (rank, process) in processes.iter_mut().enumerate() {
        process.ask(&format!("join {} {rank} 4 5000", job.url()));
    }
    let store = job.join(Some(3)).unwrap();
    let (mut written, mut revision) = (Vec::new(), 0);
    while !processes.is_empty() {
        for number in 0..20 {
            for process in &mut processes {
                let key = format!("k/{}/{number}", written.len());
                process.ask(&format!("set {key} permanent {number}"));
                written.push((key, number.to_string()));
            }
            let now = store.set("own", b"", Lifetime::Permanent).unwrap();
            assert!(now > revision, "{now} {revision}");
            revision = now;
        }
        let leads = processes.iter_mut().position(|process| process.ask("leads") == "true");
        // The last of them may have left the lead to this process.
        drop(processes.remove(leads.unwrap_or(0)));
    }
    for (key, value) in written {
        assert_eq!(text(&store, &key), Some(value), "{key}");
    }
    assert!(store.leads());
}

#[test]
fn leader_cut_off_from_etcd_stops_before_another_begins() {
    let Some(job) = Job::new(2) else { return };
    let proxy = Proxy::start(job.servers.endpoints()[0]);
    let url = url_of(&[proxy.address], &job.prefix);
    let options = Options { url, ..within(&job, SHORT, RankWish::Exactly(Rank(0))) };
    let cut = Hosted::join(&Options { request_timeout: Duration::from_millis(500), ..options }).unwrap();
    assert!(cut.leads());
    let other = Hosted::join(&within(&job, SHORT, RankWish::Exactly(Rank(1)))).unwrap();
    let before = other.set("k", b"before", Lifetime::Permanent).unwrap();
    proxy.is_cut.store(true, std::sync::atomic::Ordering::Release);
    // Nothing is acknowledged that is not in etcd.
    let error = cut.set("k", b"never", Lifetime::Permanent).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout, "{error}");
    // The other member's call outlasts the change of leaders.
    assert!(other.set("n", b"1", Lifetime::Permanent).unwrap() > before);
    assert!(other.leads());
    assert!(!cut.leads());
    assert_eq!(text(&other, "k").as_deref(), Some("before"));
    proxy.is_cut.store(false, std::sync::atomic::Ordering::Release);
    assert_eq!(text(&other, "k").as_deref(), Some("before"), "what was not acknowledged comes not later");
}

#[test]
fn leader_suspended_beyond_its_lease_stops_leading() {
    let Some(job) = Job::new(2) else { return };
    let mut leader = Process::start();
    assert_eq!(leader.ask(&format!("join {} 0 2 2000", job.url())), "leads");
    let one = Hosted::join(&within(&job, SHORT, RankWish::Exactly(Rank(1)))).unwrap();
    one.set("k", b"v", Lifetime::Permanent).unwrap();
    leader.stop();
    // Its connections stand; only a new one finds out that there is no leader.
    one.cut_link();
    let revision = one.set("k", b"w", Lifetime::Permanent).unwrap();
    assert!(one.leads());
    leader.send("set k permanent old");
    leader.signal("CONT");
    // It may be one of the others again, or have been given up; its store says nothing.
    match leader.answer() {
        Ok(later) => assert!(later.parse::<u64>().unwrap() > revision),
        Err(_) => assert_eq!(text(&one, "k").as_deref(), Some("w")),
    }
    assert_eq!(leader.ask("leads"), "false");
}

#[test]
fn leaving_leader_hands_over() {
    let Some(job) = Job::new(2) else { return };
    let zero = job.join(Some(0)).unwrap();
    let one = job.join(Some(1)).unwrap();
    assert!(zero.leads() && !one.leads());
    one.set("mine", b"v", Lifetime::Session).unwrap();
    zero.set("k", b"v", Lifetime::Permanent).unwrap();
    let host = Arc::clone(&zero.host);
    drop(zero);
    // Its process ends.
    host.stop();
    drop(host);
    assert_eq!(text(&one, "k").as_deref(), Some("v"));
    let again = Hosted::join(&job.options(RankWish::Exactly(Rank(0)))).unwrap();
    assert_eq!(text(&again, "mine").as_deref(), Some("v"));
    assert_eq!(again.view().unwrap().members.len(), 2);
}

#[test]
fn guests_see_the_keys_of_a_killed_member() {
    let Some(job) = Job::new(1) else { return };
    let mut member = Process::start();
    member.ask(&format!("join {} 0 1 2000", job.url()));
    member.ask("set k permanent v");
    drop(member);
    let guest = Hosted::join(&Options { world_size: 0, ..within(&job, SHORT, RankWish::Guest) }).unwrap();
    assert_eq!(text(&guest, "k").as_deref(), Some("v"));
    let (callback, changes) = recorder();
    guest.watch("k", callback).unwrap();
    // A new member is a new job.
    let zero = Hosted::join(&within(&job, SHORT, RankWish::Exactly(Rank(0)))).unwrap();
    assert!(matches!(next(&changes), Change::Removed { cause: Cause::Deleted, .. }));
    assert_eq!(text(&zero, "k"), None);
}
