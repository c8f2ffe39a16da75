// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers by names, without a pool: each process offers memory to the one before it, which writes there
//! and sends a message that comes behind the data.
//!
//! ```text
//! cargo build --release -p mf-capi -p mf-cli -p mf-examples
//! target/release/mf run -n 2 -- target/release/12_transfer
//! ```

use std::error::Error;
use std::time::Duration;

use memfabric::trans::Endpoint;
use memfabric::{Job, Rank};

const BYTES: usize = 1 << 20;
const TIMEOUT: Duration = Duration::from_secs(60);

/// An endpoint's name is a label; nothing listens there on the strength of it.
fn name(rank: Rank) -> String {
    format!("127.0.0.1:{}", 6000 + rank.0)
}

fn content(rank: Rank) -> Vec<u8> {
    (0..BYTES).map(|i| ((i + rank.index() * 17) % 251) as u8).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    // Only to have numbers and a store; endpoints need a store that is there, and nothing else of a job.
    let job = Job::join()?;
    let (me, before, behind) = (job.rank(), job.neighbour(-1), job.neighbour(1));
    let endpoint = Endpoint::builder(job.store_url(), name(me)).init_timeout(TIMEOUT).create()?;

    // Memory that processes of this host map; `register` takes any other.
    let block = endpoint.allocate(BYTES as u64)?;
    job.barrier("all have a name")?;
    endpoint.notify(&name(before), &block.address().to_le_bytes())?;

    // An offer of the process behind, and the word of the one before that it has written: in any order.
    let mut written = false;
    let mut sent = false;
    while !(written && sent) {
        let notification = endpoint.notification(TIMEOUT)?.ok_or("no notification came")?;
        if let Ok(address) = <[u8; 8]>::try_from(notification.message.as_slice()) {
            endpoint.write(&content(me), &notification.from, u64::from_le_bytes(address))?;
            endpoint.notify(&notification.from, b"written")?;
            sent = true;
        } else {
            written = true;
        }
    }

    // Others may write to the memory at any time, so even its owner reads it as a transfer.
    let mut found = vec![0; BYTES];
    block.read(0, &mut found)?;
    assert!(found == content(before), "the bytes of {} differ", name(before));
    println!("rank {me}: {BYTES} bytes written to {}, and as many came from {}", name(behind), name(before));

    // From here on no peer can access the memory.
    block.free()?;
    job.barrier("done")?;
    endpoint.destroy();
    Ok(())
}
