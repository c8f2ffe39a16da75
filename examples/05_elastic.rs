// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Elastic membership: the last rank leaves the pool and joins again while the others go on copying. They are
//! notified by events; a copy to the absent rank gives an error and harms no other.
//!
//! ```text
//! target/release/mf run -n 4 -- target/release/05_elastic
//! ```

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use mf_base::{Kind, MemKind, Rank};
use mf_examples::{Failure, join, meet, require};
use mf_smem::bm::{GroupEvent, PoolOptions};

const TIMEOUT: Duration = Duration::from_secs(60);

fn main() -> Result<(), Failure> {
    let context = join()?;
    let (me, world) = (context.rank(), context.world_size());
    let pool = context.create(PoolOptions::new(0).host(2 << 20))?;
    pool.join()?;
    meet(&context, "joined")?;

    let (sender, events) = channel();
    // There is no receiver any more at the end of the program.
    pool.on_event(move |rank, event| {
        let _ = sender.send((rank, event));
    });
    let guest = Rank(world - 1);
    let place = pool.address(MemKind::Host, guest)?;
    meet(&context, "listening")?;

    if me == guest {
        pool.leave()?;
        println!("rank {me}: left; the address of its memory stays reserved");
        meet(&context, "everybody noticed")?;
        pool.join()?;
        println!("rank {me}: joined again at {}", pool.address(MemKind::Host, me)?);
    } else {
        wait_for(&events, guest, GroupEvent::Leave)?;
        match pool.put(b"are you there?", place) {
            Err(error) if error.kind() == Kind::NotConnected => println!("rank {me}: {error}"),
            Err(error) => return Err(error.into()),
            Ok(()) => return Err(format!("rank {guest} has left, and a copy to it went through").into()),
        }
        // The others work on.
        let own = pool.address(MemKind::Host, me)?;
        pool.put(b"work", own)?;
        meet(&context, "everybody noticed")?;
        wait_for(&events, guest, GroupEvent::Join)?;
        println!("rank {me}: rank {guest} is back, members {:?}", pool.members());
    }
    meet(&context, "all are back")?;

    let slot = place.add(64 * u64::from(me.0));
    let greeting = format!("welcome, says rank {me}");
    pool.put(greeting.as_bytes(), slot)?;
    let mut got = vec![0; greeting.len()];
    pool.get(slot, &mut got)?;
    require(got == greeting.as_bytes(), || "the greeting".to_owned())?;
    meet(&context, "done")?;
    Ok(())
}

/// Waits until `rank` is reported to have come or gone.
fn wait_for(events: &Receiver<(Rank, GroupEvent)>, rank: Rank, event: GroupEvent) -> Result<(), Failure> {
    while events.recv_timeout(TIMEOUT)? != (rank, event) {}
    Ok(())
}
