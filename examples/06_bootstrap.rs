// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Two forms of bootstrap: the launcher's variables, and a unique id.
//!
//! The ranks meet as the launcher says. Then rank 0 opens a second job of its own and hands its unique id to
//! the others, here through the first store; any channel that others cannot read will do. It works the
//! same under `mf run`, torchrun, `srun` and, on one host, `mpirun`.
//!
//! ```text
//! cargo build --release -p mf-capi -p mf-cli -p mf-examples
//! target/release/mf run -n 4 -- target/release/06_bootstrap
//! ```

use std::time::Duration;

use memfabric::{Job, Lifetime, Rank, Result, UniqueId};

const TIMEOUT: Duration = Duration::from_secs(60);

fn main() -> Result<()> {
    let outer = Job::join()?;
    let (rank, world, store) = (outer.rank(), outer.world_size(), outer.store()?);

    // The maker's id keeps the second store alive. It holds a secret, so it goes when its maker does.
    let id = if rank == Rank(0) {
        let id = UniqueId::create(Some([127, 0, 0, 1].into()))?;
        store.set("second job", id.as_bytes(), Lifetime::Session)?;
        id
    } else {
        UniqueId::parse(store.wait("second job", TIMEOUT)?.value())?
    };
    let inner = Job::builder().unique_id(&id, Some(rank), world)?.init_timeout(TIMEOUT).join()?;

    let parts = inner.allgather("squares", &(rank.0 * rank.0).to_le_bytes())?;
    let squares: Vec<u32> =
        parts.into_iter().filter_map(|part| part.try_into().ok().map(u32::from_le_bytes)).collect();
    println!("rank {rank}: squares {squares:?}");
    assert_eq!(squares, (0..world).map(|rank| rank * rank).collect::<Vec<_>>());

    inner.barrier("done")?;
    outer.barrier("done")?;
    inner.leave();
    id.linger();
    Ok(())
}
