// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members that know only a URL.

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use mf_base::{Kind, Rank, Result};
use mf_store::rendezvous::{Joined, Options, join};
use mf_store::{Store, StoreUrl};

use super::members::{PATIENCE, any_port, deadline, server};

fn free_port() -> SocketAddr {
    TcpListener::bind(any_port()).unwrap().local_addr().unwrap()
}

fn options(address: SocketAddr, world_size: u32, rank: Option<u32>) -> Options {
    Options {
        url: StoreUrl { address },
        world_size,
        rank: rank.map(Rank),
        device: 0,
        start_server: true,
        only_server: false,
        dynamic: false,
        init_timeout: PATIENCE,
        request_timeout: PATIENCE,
    }
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
    let mut ranks: Vec<u32> = joined.iter().map(|one| one.client.as_ref().unwrap().member().rank.0).collect();
    ranks.sort_unstable();
    ranks
}

#[test]
fn sixty_four_automatic_members_find_each_other() {
    let address = free_port();
    let joined = all_join(64, |_| join(options(address, 64, None)));
    assert_eq!(ranks(&joined), (0..64).collect::<Vec<u32>>());
    assert_eq!(joined.iter().filter(|one| one.server.is_some()).count(), 1);
    std::thread::scope(|scope| {
        for one in &joined {
            scope.spawn(|| one.client.as_ref().unwrap().barrier("all", 64, deadline()).unwrap());
        }
    });
}

#[test]
fn given_ranks_meet_at_rank_zero() {
    let address = free_port();
    let joined = all_join(8, |number| join(options(address, 8, Some(7 - number))));
    assert_eq!(ranks(&joined), (0..8).collect::<Vec<u32>>());
    let zero = joined.iter().find(|one| one.server.is_some()).unwrap();
    assert_eq!(zero.client.as_ref().unwrap().member().rank, Rank(0));
}

#[test]
fn server_only_has_no_membership() {
    let address = free_port();
    let only = join(Options { only_server: true, ..options(address, 0, None) }).unwrap();
    assert!(only.server.is_some() && only.client.is_none());
    let error = join(Options { only_server: true, ..options(address, 0, None) }).unwrap_err();
    assert_eq!(error.kind(), Kind::InUse);
    let member = join(Options { start_server: false, ..options(address, 1, None) }).unwrap();
    assert!(member.server.is_none() && member.client.is_some());
}

#[test]
fn rank_zero_uses_a_store_that_runs_already() {
    let server = server(2);
    let zero = join(options(server.address(), 2, Some(0))).unwrap();
    assert!(zero.server.is_none());
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
fn nobody_starts_the_store_times_out() {
    let address = free_port();
    let options =
        Options { start_server: false, init_timeout: Duration::from_millis(60), ..options(address, 2, None) };
    let error = join(options).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout);
    assert!(error.to_string().contains("is the store started?"), "{error}");
}

#[test]
fn wildcard_url_serves_the_loopback() {
    let address = SocketAddr::from(([0, 0, 0, 0], free_port().port()));
    let joined = join(options(address, 1, None)).unwrap();
    assert_eq!(joined.client.unwrap().member().rank, Rank(0));
}
