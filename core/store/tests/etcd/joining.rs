// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The way in and out: ranks, secrets, guests, prefixes, and what a job leaves behind.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Kind, Rank};
use mf_store::{EtcdOptions, EtcdStore, Lifetime, RankWish, Store};

use super::servers::{Certificates, Job, Servers, deadline, free_port, fresh, is_installed, tls};

#[test]
fn members_that_leave_the_choice_to_the_store_form_a_dense_world() {
    let Some(job) = Job::new(6) else { return };
    let zero = job.join(Some(3)).unwrap();
    let stores: Vec<EtcdStore> = std::thread::scope(|scope| {
        let joining: Vec<_> = (0..5u16)
            .map(|device| {
                let options = EtcdOptions {
                    device: 10 - device,
                    // The world is complete before this passes.
                    rank_window: Duration::from_secs(600),
                    ..job.options(RankWish::Any)
                };
                scope.spawn(move || EtcdStore::join(options).unwrap())
            })
            .collect();
        joining.into_iter().map(|joining| joining.join().unwrap()).collect()
    });
    let ranks: Vec<u32> = stores.iter().map(|store| store.member().rank.0).collect();
    // The lowest device has the lowest rank; rank 3 was taken.
    assert_eq!(ranks, [5, 4, 2, 1, 0]);
    let view = zero.view().unwrap();
    assert_eq!(view.members.iter().map(|peer| peer.rank.0).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(view.members[0].device, 6);
    assert_eq!(view.members[0].pid, std::process::id());
    assert!(stores.iter().all(|store| store.view().unwrap() == view), "everyone has the same epoch");
}

#[test]
fn a_full_world_waits_for_a_rank_until_the_deadline() {
    let Some(job) = Job::new(2) else { return };
    let (one, two) = (job.join(None).unwrap(), job.join(None).unwrap());
    let ranks = BTreeSet::from([one.member().rank, two.member().rank]);
    assert_eq!(ranks, BTreeSet::from([Rank(0), Rank(1)]));
    let soon = Instant::now() + Duration::from_millis(300);
    let late = EtcdOptions { connect_deadline: soon, ..job.options(RankWish::Any) };
    let error = EtcdStore::join(late).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout);
    assert!(error.to_string().contains("all 2 ranks are taken"), "{error}");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| job.join(None).unwrap());
        let freed = one.member().rank;
        one.close();
        assert_eq!(waiting.join().unwrap().member().rank, freed);
    });
}

#[test]
fn a_wished_rank_is_given_if_it_is_free() {
    let Some(job) = Job::new(4) else { return };
    let two = job.wishing(RankWish::Prefer(Rank(2))).unwrap();
    assert_eq!(two.member().rank, Rank(2));
    let other = job.wishing(RankWish::Prefer(Rank(2))).unwrap();
    assert_eq!(other.member().rank, Rank(0));
    let error = job.wishing(RankWish::Prefer(Rank(4))).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
}

#[test]
fn guests_look_and_write_and_are_no_members() {
    let Some(job) = Job::new(2) else { return };
    let early = EtcdStore::join(EtcdOptions { world_size: 0, ..job.options(RankWish::Guest) }).unwrap();
    early.set("from/guest", b"early", Lifetime::Permanent).unwrap();
    early.set("of/guest", b"", Lifetime::Session).unwrap();
    let zero = job.join(Some(0)).unwrap();
    assert_eq!(zero.get("from/guest").unwrap().unwrap().value, b"early");
    assert_eq!(zero.get("of/guest").unwrap().unwrap().owner, None);
    assert_eq!(zero.view().unwrap().members.len(), 1);
    assert_eq!(early.view().unwrap().members.len(), 1);
    assert_eq!(early.barrier("b", 1, deadline()).unwrap_err().kind(), Kind::InvalidParam);
    early.close();
    assert!(zero.get("of/guest").unwrap().is_none());
    assert!(zero.get("from/guest").unwrap().is_some());
}

#[test]
fn another_secret_or_world_size_is_refused() {
    let Some(job) = Job::new(2) else { return };
    let with = |secret: &[u8], rank| EtcdOptions {
        secret: secret.to_vec(),
        ..job.options(RankWish::Exactly(Rank(rank)))
    };
    let zero = EtcdStore::join(with(b"right", 0)).unwrap();
    for wrong in [&b"wrong"[..], b""] {
        let error = EtcdStore::join(with(wrong, 1)).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam);
        assert!(error.to_string().contains("the job secret differs from that of the store"), "{error}");
        assert!(error.to_string().contains("MF_JOB_SECRET"), "{error}");
    }
    let larger = EtcdOptions { world_size: 3, ..with(b"right", 1) };
    let error = EtcdStore::join(larger).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert!(error.to_string().contains("the world size is 3 here and 2 in the store"), "{error}");
    let one = EtcdStore::join(with(b"right", 1)).unwrap();
    assert_eq!(one.member().job_token, zero.member().job_token);
    assert_eq!(zero.view().unwrap().members.len(), 2, "who was refused has left nothing");
}

#[test]
fn jobs_with_other_prefixes_do_not_see_each_other() {
    let Some(outer) = Job::new(1) else { return };
    let inner =
        Job { prefix: format!("{}/k", outer.prefix), servers: Arc::clone(&outer.servers), world_size: 2 };
    let (one, two) = (outer.join(None).unwrap(), inner.join(None).unwrap());
    one.set("x", b"outer", Lifetime::Permanent).unwrap();
    two.set("x", b"inner", Lifetime::Permanent).unwrap();
    two.set("y", b"inner", Lifetime::Permanent).unwrap();
    assert_eq!(one.list("").unwrap().entries.len(), 1);
    assert_eq!(one.get("x").unwrap().unwrap().value, b"outer");
    assert_ne!(one.member().job_token, two.member().job_token);
    one.close();
    assert_eq!(two.list("").unwrap().entries.len(), 2, "the end of a job removes its own data only");
}

#[test]
fn the_last_member_takes_the_data_of_the_job_along() {
    let Some(job) = Job::new(2) else { return };
    let zero = job.join(Some(0)).unwrap();
    zero.set("k", &vec![7; 200 << 10], Lifetime::Permanent).unwrap();
    zero.close();
    // Another world size: it is another job.
    let again = Job { servers: Arc::clone(&job.servers), prefix: job.prefix.clone(), world_size: 3 };
    let next = again.join(Some(2)).unwrap();
    assert_eq!(next.list("").unwrap().entries, []);
}

#[test]
fn what_a_crashed_job_left_is_removed_by_the_next() {
    let Some(job) = Job::new(2) else { return };
    let secret =
        |secret: &[u8]| EtcdOptions { secret: secret.to_vec(), ..job.options(RankWish::Exactly(Rank(0))) };
    let zero = EtcdStore::join(secret(b"first")).unwrap();
    zero.set("k", b"old", Lifetime::Permanent).unwrap();
    zero.sever();
    assert_eq!(zero.set("k", b"", Lifetime::Permanent).unwrap_err().kind(), Kind::NotConnected);
    let end = deadline();
    let next = loop {
        match EtcdStore::join(secret(b"second")) {
            Ok(next) => break next,
            // As long as the dead member's lease lives, it holds its job.
            Err(error) if error.to_string().contains("the job secret differs") && Instant::now() < end => {}
            Err(error) => panic!("{error}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(next.get("k").unwrap(), None);
    assert_ne!(next.member().job_token, zero.member().job_token);
}

#[test]
fn an_absent_cluster_is_named() {
    let place = free_port();
    let options = EtcdOptions {
        endpoints: vec![place.to_string()],
        prefix: "job".to_owned(),
        world_size: 1,
        wish: RankWish::Any,
        device: 0,
        host: "here".to_owned(),
        lease: Duration::from_secs(5),
        rank_window: Duration::ZERO,
        connect_deadline: Instant::now() + Duration::from_millis(200),
        request_timeout: Duration::from_secs(1),
        secret: Vec::new(),
        tls: None,
    };
    let error = EtcdStore::join(options.clone()).unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected);
    for part in ["cannot be reached", &place.to_string(), "waited_ms", "etcdctl endpoint health"] {
        assert!(error.to_string().contains(part), "{error}");
    }
    let error = EtcdStore::join(EtcdOptions { endpoints: Vec::new(), ..options }).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
}

#[test]
fn certificates_are_asked_for_and_checked() {
    if !is_installed() {
        return;
    }
    let folder = std::env::temp_dir().join(fresh("mf-store-certificates"));
    std::fs::create_dir_all(&folder).unwrap();
    let (Some(right), Some(wrong)) = (certificates(&folder, "right"), certificates(&folder, "wrong")) else {
        println!("SKIPPED: the program openssl is not installed");
        return;
    };
    let servers = Servers::start_with(1, Some(&right)).unwrap();
    let job = Job::on(Arc::new(servers), 1);
    let store =
        EtcdStore::join(EtcdOptions { tls: Some(tls(&right)), ..job.options(RankWish::Any) }).unwrap();
    store.set("k", b"v", Lifetime::Permanent).unwrap();
    let soon = || Instant::now() + Duration::from_millis(500);
    for bad in [Some(tls(&wrong)), None] {
        let options = EtcdOptions { tls: bad, connect_deadline: soon(), ..job.options(RankWish::Any) };
        let error = EtcdStore::join(options).unwrap_err();
        assert_eq!(error.kind(), Kind::NotConnected, "{error}");
    }
    store.close();
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A certificate for the loopback that signs itself: authority, server and client in one.
fn certificates(folder: &std::path::Path, name: &str) -> Option<Certificates> {
    let (certificate, key) = (folder.join(format!("{name}.pem")), folder.join(format!("{name}.key")));
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ])
        .args([
            "-subj",
            "/CN=etcd",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ])
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .output();
    let made = made.ok()?;
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    Some(Certificates { ca: certificate.clone(), certificate, key })
}
