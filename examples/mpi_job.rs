// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pool among the ranks of an MPI job. MPI provides rank and size and carries the unique id of the job from
//! rank 0 to the others, so nothing has to be set.
//!
//! ```text
//! cargo build --release -p mf-examples --features mpi --bin mpi_job      # needs mpicc and libclang
//! mpirun -n 4 target/release/mpi_job
//! ```

use std::error::Error;

use memfabric::{Job, Pool, Rank, UniqueId};
use mpi::traits::{Communicator, Root};

fn main() -> Result<(), Box<dyn Error>> {
    // Finalises MPI when it goes, so it is made first.
    let universe = mpi::initialize().ok_or("MPI was initialised before")?;
    let world = universe.world();
    let (rank, size) = (u32::try_from(world.rank())?, u32::try_from(world.size())?);

    let made = if rank == 0 { Some(UniqueId::create(None)?) } else { None };
    let mut bytes = made.as_ref().map_or([0; UniqueId::BYTES], |id| *id.as_bytes());
    world.process_at_rank(0).broadcast_into(&mut bytes);
    let id = made.map_or_else(|| UniqueId::parse(&bytes), Ok)?;
    let job = Job::builder().unique_id(&id, Some(Rank(rank)), size)?.join()?;

    let pool = Pool::builder().host_bytes(2 << 20).open(&job)?;
    job.barrier("joined")?;
    pool.put(&rank.to_le_bytes(), pool.address(job.neighbour(1))?)?;
    job.barrier("written")?;

    let mut got = [0; 4];
    pool.get(pool.local_address()?, &mut got)?;
    let from = u32::from_le_bytes(got);
    println!("rank {rank} of {size}: rank {from} wrote into my memory");
    assert_eq!(from, job.neighbour(-1).0);
    job.barrier("done")?;
    Ok(())
}
