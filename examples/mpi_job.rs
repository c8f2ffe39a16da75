// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pool among the ranks of an MPI job. MPI provides rank and size and carries the address and the secret of
//! the store from rank 0 to the others, so nothing has to be set.
//!
//! ```text
//! cargo build --release -p mf-examples --features mpi --bin mpi_job      # needs mpicc and libclang
//! mpirun -n 4 target/release/mpi_job
//! ```

use mf_base::{MemKind, Rank};
use mf_bootstrap::Bootstrap;
use mf_examples::{Failure, meet, require};
use mf_smem::bm::{Config, Context, PoolOptions};

fn main() -> Result<(), Failure> {
    // Initialises MPI if the program has not, and finalises it when `job` goes, so `job` is made first.
    let job = Bootstrap::from_mpi(None)?;
    let context = Context::init(Config::from_bootstrap(&job.bootstrap)?)?;
    let (me, world) = (context.rank().0, context.world_size());

    let pool = context.create(PoolOptions::new(0).host(2 << 20))?;
    pool.join()?;
    meet(&context, "joined")?;

    let next = Rank((me + 1) % world);
    pool.put(&me.to_le_bytes(), pool.address(MemKind::Host, next)?)?;
    meet(&context, "written")?;

    let mut got = [0; 4];
    pool.get(pool.address(MemKind::Host, Rank(me))?, &mut got)?;
    let from = u32::from_le_bytes(got);
    println!("rank {me} of {world}: rank {from} wrote into my memory");
    require(from == (me + world - 1) % world, || "the number of the writer".to_owned())?;
    meet(&context, "done")?;
    Ok(())
}
