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

use std::time::{Duration, Instant};

use mf_bootstrap::{Bootstrap, UniqueId, rendezvous};
use mf_examples::{Failure, require};
use mf_store::Lifetime;

const TIMEOUT: Duration = Duration::from_secs(60);

fn main() -> Result<(), Failure> {
    let place = Bootstrap::from_env()?;
    let outer = rendezvous::join(place.options(TIMEOUT, TIMEOUT)?)?;
    let store = outer.store.as_ref().ok_or("no membership")?;
    let (rank, world) = (store.member().rank, store.member().world_size);
    let deadline = Instant::now() + TIMEOUT;

    // Keeps the second store for as long as it lives. The id holds a secret, so it goes when its maker does.
    let mut server = None;
    if rank.0 == 0 {
        let (id, made) = UniqueId::create(Some([127, 0, 0, 1].into()))?;
        store.set("second job", id.as_bytes(), Lifetime::Session)?;
        server = Some(made);
    }
    let id = UniqueId::parse(&store.wait("second job", deadline)?.value)?;
    let mut second = Bootstrap::from_unique_id(&id, Some(rank), world)?;
    if let Some(server) = &server {
        second = second.beside(server);
    }
    let inner = rendezvous::join(second.options(TIMEOUT, TIMEOUT)?)?;
    let inner = inner.store.as_ref().ok_or("no membership")?;

    let parts = inner.allgather("squares", world, &(rank.0 * rank.0).to_le_bytes(), deadline)?;
    let squares: Vec<u32> = parts
        .iter()
        .filter_map(|part| part.value.as_slice().try_into().ok().map(u32::from_le_bytes))
        .collect();
    println!("rank {rank}: placed by {:?}, squares {squares:?}", place.launcher);
    require(squares == (0..world).map(|rank| rank * rank).collect::<Vec<_>>(), || "the squares".to_owned())?;

    inner.barrier("done", world, deadline)?;
    store.barrier("done", world, deadline)?;
    inner.close();
    store.close();
    if let Some(server) = server {
        server.linger();
    }
    if let Some(host) = outer.host {
        host.linger();
    }
    Ok(())
}
