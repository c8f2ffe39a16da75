// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A job of MPI ranks; their program has initialised MPI, and the library finds it in the process.
//! `tests/mpi/run.sh` runs it under the `mpirun` of each installed MPI, with the name of that MPI's library.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    unsafe_code,
    reason = "a test without the harness, as a C program"
)]

use std::ffi::{c_char, c_int};
use std::time::{Duration, Instant};

use mf_base::loader::{Candidate, LibrarySpec, Report};
use mf_base::{Kind, Rank};
use mf_bootstrap::{Bootstrap, Launcher, SecretOrigin, rendezvous};

const TIMEOUT: Duration = Duration::from_secs(60);

mf_base::functions! {
    #[allow(non_snake_case)]
    struct Mpi {
        required {
            MPI_Init: fn(*mut c_int, *mut *mut *mut c_char) -> c_int;
            MPI_Finalize: fn() -> c_int;
        }
    }
}

fn main() {
    let Some(library) = std::env::args().nth(1).filter(|name| name.starts_with("lib")) else {
        println!("skipped: it runs under mpirun, started by tests/mpi/run.sh");
        return;
    };
    assert!(Bootstrap::from_loaded_mpi(None, None).unwrap().is_none(), "no MPI is loaded yet");
    let wanted = LibrarySpec {
        candidates: vec![Candidate::system(&library)],
        required: Mpi::REQUIRED.iter().copied().map(Into::into).collect(),
        ..LibrarySpec::new("libmpi", "an MPI library")
    };
    let mpi = Mpi::resolve(&wanted.open(&mut Report::default()).unwrap()).unwrap();
    assert!(Bootstrap::from_loaded_mpi(None, None).unwrap().is_none(), "MPI is not initialised yet");
    // SAFETY: MPI may be initialised without arguments, once, by the main thread.
    assert_eq!(unsafe { (mpi.MPI_Init)(std::ptr::null_mut(), std::ptr::null_mut()) }, 0);
    // Set aside for documentation, so no machine has it.
    let error = Bootstrap::from_loaded_mpi(None, Some([203, 0, 113, 7].into())).unwrap_err();
    assert!(matches!(error.kind(), Kind::InvalidParam | Kind::NotConnected), "{error}");
    assert!(error.to_string().contains("203.0.113.7"), "{error}");

    let job = Bootstrap::from_loaded_mpi(None, None).unwrap().unwrap();
    let place = &job.bootstrap;
    let (rank, world_size) = (place.rank.unwrap().0, place.world_size);
    assert_eq!((place.launcher, place.secret_origin), (Launcher::Mpi, SecretOrigin::UniqueId));
    // All ranks of this test are on one host.
    assert_eq!((place.local_rank, place.local_size), (Some(rank), Some(world_size)));
    assert_eq!(job.server.is_some(), rank == 0);
    let joined = rendezvous::join(place.options(TIMEOUT, TIMEOUT).unwrap()).unwrap();
    let store = joined.store.unwrap();
    assert_eq!((store.member().rank, store.member().world_size), (Rank(rank), world_size));
    let parts = store.allgather("ranks", world_size, &rank.to_le_bytes(), Instant::now() + TIMEOUT).unwrap();
    let expected: Vec<_> = (0..world_size).map(|rank| (Rank(rank), rank.to_le_bytes().to_vec())).collect();
    assert_eq!(parts.into_iter().map(|part| (part.rank, part.value)).collect::<Vec<_>>(), expected);
    store.close();
    drop(job);
    // SAFETY: by the thread that initialised it, once.
    assert_eq!(unsafe { (mpi.MPI_Finalize)() }, 0);
    assert!(Bootstrap::from_loaded_mpi(None, None).unwrap().is_none(), "MPI is finalised");
    println!("rank {rank} of {world_size}: ok");
}
