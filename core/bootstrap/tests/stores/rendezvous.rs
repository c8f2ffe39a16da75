// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members that know only a URL.

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use mf_base::{Kind, Rank, Result};
use mf_bootstrap::rendezvous::{Joined, Options, join};
use mf_bootstrap::{Bootstrap, StoreUrl, UniqueId};
use mf_store::RankWish;
use mf_tls::JobSecret;

use super::members::{TIMEOUT, any_port, deadline, server};

fn free_port() -> SocketAddr {
    TcpListener::bind(any_port()).unwrap().local_addr().unwrap()
}

fn options(address: SocketAddr, world_size: u32, rank: Option<u32>) -> Options {
    Options {
        wish: rank.map_or(RankWish::Any, |rank| RankWish::Exactly(Rank(rank))),
        init_timeout: TIMEOUT,
        request_timeout: TIMEOUT,
        ..Options::new(StoreUrl::tcp(address), world_size)
    }
}

/// Returns true if the store runs with this member.
fn serves(joined: &Joined) -> bool {
    joined.host.as_ref().is_some_and(|host| host.address().is_some())
}

/// Lets `world_size` threads join at once; returns what each got.
fn all_join(world_size: u32, one: impl Fn(u32) -> Result<Joined> + Sync) -> Vec<Joined> {
    std::thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> = (0..world_size).map(|number| scope.spawn(move || one(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
    })
}

fn ranks(joined: &[Joined]) -> Vec<u32> {
    let mut ranks: Vec<u32> = joined.iter().map(|one| one.store.as_ref().unwrap().member().rank.0).collect();
    ranks.sort_unstable();
    ranks
}

#[test]
fn sixty_four_automatic_members_find_each_other() {
    let address = free_port();
    let joined = all_join(64, |_| join(options(address, 64, None)));
    assert_eq!(ranks(&joined), (0..64).collect::<Vec<u32>>());
    assert_eq!(joined.iter().filter(|one| serves(one)).count(), 1);
    std::thread::scope(|scope| {
        for one in &joined {
            scope.spawn(|| one.store.as_ref().unwrap().barrier("all", 64, deadline()).unwrap());
        }
    });
}

#[test]
fn given_ranks_meet_at_rank_zero() {
    let address = free_port();
    let joined = all_join(8, |number| join(options(address, 8, Some(7 - number))));
    assert_eq!(ranks(&joined), (0..8).collect::<Vec<u32>>());
    let zero = joined.iter().find(|one| serves(one)).unwrap();
    assert_eq!(zero.store.as_ref().unwrap().member().rank, Rank(0));
}

#[test]
fn server_only_has_no_membership() {
    let address = free_port();
    let only = join(Options { only_server: true, ..options(address, 0, None) }).unwrap();
    assert!(serves(&only) && only.store.is_none());
    let error = join(Options { only_server: true, ..options(address, 0, None) }).unwrap_err();
    assert_eq!(error.kind(), Kind::InUse);
    let member = join(Options { start_server: false, ..options(address, 1, None) }).unwrap();
    assert!(!serves(&member) && member.store.is_some());
}

#[test]
fn rank_zero_uses_a_running_store() {
    let server = server(2);
    let zero = join(options(server.address(), 2, Some(0))).unwrap();
    assert!(!serves(&zero));
    assert_eq!(join(options(server.address(), 2, Some(0))).unwrap_err().kind(), Kind::Duplicated);
}

#[test]
fn foreign_program_on_the_port_is_named() {
    let taken = TcpListener::bind(any_port()).unwrap();
    let address = taken.local_addr().unwrap();
    let short = |rank| Options { init_timeout: Duration::from_millis(100), ..options(address, 2, rank) };
    assert_eq!(join(short(Some(0))).unwrap_err().kind(), Kind::InUse);
    let error = join(short(None)).unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected);
    assert!(error.to_string().contains("not a memfabric store"), "{error}");
}

#[test]
fn join_times_out_if_no_store_is_started() {
    let address = free_port();
    let options =
        Options { start_server: false, init_timeout: Duration::from_millis(60), ..options(address, 2, None) };
    let error = join(options).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout);
    assert!(error.to_string().contains("is the store started?"), "{error}");
}

#[test]
fn wildcard_url_without_a_secret_is_refused() {
    let address = SocketAddr::from(([0, 0, 0, 0], free_port().port()));
    let error = join(options(address, 1, None)).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert!(error.to_string().contains("MF_JOB_SECRET"), "{error}");
}

#[test]
fn unique_id_suffices_to_join() {
    let (id, server) = UniqueId::create(Some([127, 0, 0, 1].into())).unwrap();
    let text = id.to_text();
    let joined = all_join(4, |number| {
        let place = Bootstrap::from_unique_id(&text.parse()?, None, 4)?;
        // One of them is the maker.
        let place = if number == 2 { place.beside(&server) } else { place };
        join(place.options(TIMEOUT, TIMEOUT)?)
    });
    assert_eq!(ranks(&joined), [0, 1, 2, 3]);
    assert_eq!(joined[2].store.as_ref().unwrap().member().rank, Rank(0));
    assert!(joined.iter().all(|one| !serves(one)));

    let mut unknown_peer = Bootstrap::from_unique_id(&id, None, 4).unwrap();
    unknown_peer.secret = Some(JobSecret::new("guessed"));
    let error = join(unknown_peer.options(TIMEOUT, TIMEOUT).unwrap()).unwrap_err();
    assert!(error.to_string().contains("secret"), "{error}");
}
