// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers by names, without a pool: each process offers memory to the one before it, which writes there
//! and sends a message that comes behind the data.
//!
//! ```text
//! cargo build --release -p mf-capi -p mf-cli -p mf-examples
//! target/release/mf run -n 2 -- target/release/12_transfer
//! ```

use std::time::Duration;

use mf_examples::{Failure, join, meet, require, store_url};
use mf_smem::trans::{Endpoint, Options, Role};

const BYTES: usize = 1 << 20;
const TIMEOUT: Duration = Duration::from_secs(60);

/// An endpoint's name is a label; nothing listens there on the strength of it.
fn name(rank: u32) -> String {
    format!("127.0.0.1:{}", 6000 + rank)
}

fn content(rank: u32) -> Vec<u8> {
    (0..BYTES).map(|i| ((i + rank as usize * 17) % 251) as u8).collect()
}

fn main() -> Result<(), Failure> {
    // Only to have numbers and a store; endpoints need a store that is there, and nothing else of a job.
    let context = join()?;
    let (me, world) = (context.rank().0, context.world_size());
    let (before, behind) = ((me + world - 1) % world, (me + 1) % world);
    let endpoint = Endpoint::create(Options::new(store_url(), name(me)).role(Role::Both))?;

    // Memory that processes of this host map; `register` takes any other.
    let block = endpoint.allocate(BYTES as u64)?;
    meet(&context, "all have a name")?;
    endpoint.notify(&name(before), &block.to_le_bytes())?;

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
    endpoint.read(&mut found, endpoint.name(), block)?;
    require(found == content(before), || format!("what {} wrote", name(before)))?;
    println!("rank {me}: {BYTES} bytes written to {}, and as many came from {}", name(behind), name(before));

    // From here on no peer can access the memory.
    endpoint.free(block)?;
    meet(&context, "done")?;
    endpoint.destroy();
    Ok(())
}
