// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A job of MPI ranks that finds its store by MPI. `tests/mpi/run.sh` runs it under `mpirun`; alone it is a
//! job of one.
//!
//! With the argument `theirs` this program initialises MPI itself, as an application may have done before.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test without the harness, which mpirun cannot start"
)]

use std::time::{Duration, Instant};

use mf_base::{Kind, Rank};
use mf_bootstrap::{Bootstrap, Launcher, MpiJob, SecretOrigin, rendezvous};
use mf_store::Lifetime;
use mf_tls::JobSecret;
use mpi::environment::is_finalized;
use mpi::traits::Communicator as _;

const TIMEOUT: Duration = Duration::from_secs(60);

fn main() {
    let theirs = std::env::args().any(|argument| argument == "theirs");
    let universe = theirs.then(|| mpi::initialize().unwrap());
    if let Some(universe) = &universe {
        a_failure_of_rank_0_fails_all_ranks(universe.world().rank());
    }

    let job = Bootstrap::from_mpi(None).unwrap();
    let (rank, world_size) = everybody_joins(&job);
    drop(job);

    assert_eq!(is_finalized(), !theirs, "MPI is finalised by who initialised it");
    drop(universe);
    assert_eq!(Bootstrap::from_mpi(None).unwrap_err().kind(), Kind::NotInit);
    println!("rank {rank} of {world_size}: ok");
}

fn a_failure_of_rank_0_fails_all_ranks(rank: i32) {
    // Set aside for documentation, so no machine has it.
    let not_ours = [203, 0, 113, 7].into();
    let error = Bootstrap::from_mpi(Some(not_ours)).unwrap_err();
    let kind = if rank == 0 { Kind::InvalidParam } else { Kind::NotConnected };
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains("203.0.113.7"), "{error}");
}

fn everybody_joins(job: &MpiJob) -> (u32, u32) {
    let place = &job.bootstrap;
    let (rank, world_size) = (place.rank.unwrap().0, place.world_size);
    assert_eq!((place.launcher, place.secret_origin), (Launcher::Mpi, SecretOrigin::UniqueId));
    // All ranks of this test are on one host.
    assert_eq!((place.local_rank, place.local_size), (Some(rank), Some(world_size)));
    assert_eq!(job.server.is_some(), rank == 0);

    let options = place.options(TIMEOUT, TIMEOUT).unwrap();
    let joined = rendezvous::join(options.clone()).unwrap();
    let store = joined.store.unwrap();
    let deadline = Instant::now() + TIMEOUT;
    assert!(joined.host.is_none_or(|host| host.address().is_none()));
    assert_eq!((store.member().rank, store.member().world_size), (Rank(rank), world_size));

    store.barrier("here", world_size, deadline).unwrap();
    store.set(&format!("greeting/{rank}"), format!("from {rank}").as_bytes(), Lifetime::Session).unwrap();
    let next = (rank + 1) % world_size;
    let greeting = store.wait(&format!("greeting/{next}"), deadline).unwrap();
    assert_eq!(greeting.value, format!("from {next}").into_bytes());
    let parts = store.allgather("values", world_size, &rank.to_le_bytes(), deadline).unwrap();
    let expected: Vec<_> = (0..world_size).map(|rank| (Rank(rank), rank.to_le_bytes().to_vec())).collect();
    assert_eq!(parts.into_iter().map(|part| (part.rank, part.value)).collect::<Vec<_>>(), expected);

    let mut unknown_peer = options;
    unknown_peer.access.secret = Some(JobSecret::new("guessed"));
    let error = rendezvous::join(unknown_peer).unwrap_err();
    assert!(error.to_string().contains("secret"), "{error}");

    store.barrier("done", world_size, deadline).unwrap();
    (rank, world_size)
}
