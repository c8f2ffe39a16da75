// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of members that come and go with etcd: ranks, secrets, guests, prefixes, certificates, and the keys
//! left by a job.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use mf_base::{Kind, Rank};
use mf_bootstrap::rendezvous::Options;
use mf_store::{Lifetime, RankWish, Store, Timing};
use mf_tls::TlsFiles;
use mf_tls::{Access, JobSecret};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose, SanType};

use super::processes::Process;
use super::servers::{Certificates, Job, Servers, free_port, fresh, is_installed, url_of};
use crate::hosted::{GRACE, Hosted};
use crate::members::{deadline, timing};

fn refusal(options: &Options) -> mf_base::Error {
    Hosted::join(options).expect_err("it was let in")
}

#[test]
fn automatic_ranks_form_a_dense_world() {
    let Some(job) = Job::new(6) else { return };
    // The world is complete before this passes.
    let slow = Timing { rank_window: Duration::from_secs(600), ..timing(GRACE) };
    let options = |wish| Options { timing: Some(slow), ..job.options(wish) };
    let zero = Hosted::join(&options(RankWish::Exactly(Rank(3)))).unwrap();
    let stores: Vec<Hosted> = std::thread::scope(|scope| {
        let joining: Vec<_> = (0..5u16)
            .map(|device| {
                let options = Options { device: 10 - device, ..options(RankWish::Any) };
                scope.spawn(move || Hosted::join(&options).unwrap())
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
    let late = Options { init_timeout: Duration::from_millis(300), ..job.options(RankWish::Any) };
    let error = refusal(&late);
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
fn preferred_rank_is_given_if_free() {
    let Some(job) = Job::new(4) else { return };
    let two = job.wishing(RankWish::Prefer(Rank(2))).unwrap();
    assert_eq!(two.member().rank, Rank(2));
    let other = job.wishing(RankWish::Prefer(Rank(2))).unwrap();
    assert_eq!(other.member().rank, Rank(0));
    let error = refusal(&job.options(RankWish::Prefer(Rank(4))));
    assert_eq!(error.kind(), Kind::InvalidParam);
}

#[test]
fn guests_read_and_write_without_membership() {
    let Some(job) = Job::new(2) else { return };
    let early = Hosted::join(&Options { world_size: 0, ..job.options(RankWish::Guest) }).unwrap();
    assert!(early.leads(), "a guest that may start the store does");
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
    let with = |secret: &[u8], rank| Options {
        access: Access::by_secret(JobSecret::new(secret)),
        ..job.options(RankWish::Exactly(Rank(rank)))
    };
    let zero = Hosted::join(&with(b"right", 0)).unwrap();
    for wrong in [&b"wrong"[..], b""] {
        let error = refusal(&with(wrong, 1));
        assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
        assert!(error.to_string().contains("secret"), "{error}");
        assert!(error.to_string().contains("MF_JOB_SECRET"), "{error}");
    }
    let error = refusal(&Options { world_size: 3, ..with(b"right", 1) });
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert!(error.to_string().contains("the world size is 3 here and 2 in the store"), "{error}");
    let one = Hosted::join(&with(b"right", 1)).unwrap();
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
fn last_member_removes_the_data_of_the_job() {
    let Some(job) = Job::new(2) else { return };
    let zero = job.join(Some(0)).unwrap();
    zero.set("k", &vec![7; 200 << 10], Lifetime::Permanent).unwrap();
    drop(zero);
    // Another world size: it is another job.
    let again = Job { servers: Arc::clone(&job.servers), prefix: job.prefix.clone(), world_size: 3 };
    let next = again.join(Some(2)).unwrap();
    assert_eq!(next.list("").unwrap().entries, []);
}

#[test]
fn keys_of_a_crashed_job_are_removed_by_the_next() {
    let Some(job) = Job::new(1) else { return };
    let mut crashed = Process::start();
    crashed.ask(&format!("join {} 0 1 2000 first", job.url()));
    crashed.ask("set k permanent old");
    crashed.ask(&format!("set large permanent {}", "x".repeat(100 << 10)));
    drop(crashed);
    let options = |secret: &[u8]| Options {
        access: Access::by_secret(JobSecret::new(secret)),
        timing: Some(Timing { lease: Duration::from_secs(2), ..timing(GRACE) }),
        ..job.options(RankWish::Exactly(Rank(0)))
    };
    // For two leases the job of the dead member may only be without a leader; then it has died.
    let next = Hosted::join(&options(b"second")).unwrap();
    assert_eq!(next.list("").unwrap().entries, []);
    assert_eq!(next.add("n", 1).unwrap(), 1);
    drop(next);
    let third = Hosted::join(&options(b"third")).unwrap();
    assert_eq!(third.list("").unwrap().entries, []);
}

#[test]
fn an_absent_cluster_is_named() {
    let place = free_port();
    let options = Options {
        init_timeout: Duration::from_millis(200),
        timing: Some(timing(GRACE)),
        ..Options::new(url_of(&[place], "job"), 1)
    };
    let error = refusal(&options);
    assert_eq!(error.kind(), Kind::NotConnected);
    for part in ["cannot be reached", &place.to_string(), "waited_ms", "etcdctl endpoint health"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn certificates_are_required_and_checked() {
    if !is_installed() {
        return;
    }
    let folder = std::env::temp_dir().join(fresh("mf-store-certificates"));
    std::fs::create_dir_all(&folder).unwrap();
    let (right, wrong) = (certificates(&folder, "right"), certificates(&folder, "wrong"));
    let servers = Servers::start_with(1, Some(&right), &[]).unwrap();
    let job = Job::on(Arc::new(servers), 1);
    let with = |certificates: Option<&Certificates>| Options {
        access: Access { certificates: certificates.map(files), ..Access::default() },
        ..job.options(RankWish::Any)
    };
    let store = Hosted::join(&with(Some(&right))).unwrap();
    store.set("k", b"v", Lifetime::Permanent).unwrap();
    assert_eq!(store.get("k").unwrap().unwrap().value, b"v");
    let soon = Duration::from_millis(500);
    for bad in [Some(&wrong), None] {
        let error = refusal(&Options { init_timeout: soon, ..with(bad) });
        assert_eq!(error.kind(), Kind::NotConnected, "{error}");
    }
    drop(store);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// An authority, and a certificate of it for the loopback that is good for servers and members.
fn certificates(folder: &std::path::Path, name: &str) -> Certificates {
    let mut ca = CertificateParams::default();
    ca.distinguished_name.push(DnType::CommonName, name);
    ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    ca.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let ca_key = KeyPair::generate().unwrap();
    let ca_pem = ca.self_signed(&ca_key).unwrap().pem();
    let mut leaf = CertificateParams::default();
    leaf.distinguished_name.push(DnType::CommonName, "member");
    leaf.subject_alt_names = vec![SanType::IpAddress("127.0.0.1".parse().unwrap())];
    let key = KeyPair::generate().unwrap();
    let pem = leaf.signed_by(&key, &Issuer::new(ca, ca_key)).unwrap().pem();
    let write = |what: &str, text: String| {
        let path = folder.join(format!("{name}.{what}"));
        std::fs::write(&path, text).unwrap();
        path
    };
    Certificates {
        ca: write("ca", ca_pem),
        certificate: write("pem", pem),
        key: write("key", key.serialize_pem()),
    }
}

fn files(certificates: &Certificates) -> TlsFiles {
    let read = |path| std::fs::read(path).unwrap();
    TlsFiles::in_memory(read(&certificates.ca), read(&certificates.certificate), read(&certificates.key))
}
