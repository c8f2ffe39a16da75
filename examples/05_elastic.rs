// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Elastic membership: the last rank leaves the pool and joins again while the others go on copying. They are
//! notified by events; a copy to the absent rank gives an error and harms no other.
//!
//! ```text
//! target/release/mf run -n 4 -- target/release/05_elastic
//! ```

use std::error::Error;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use memfabric::bm::Event;
use memfabric::{ErrorKind, Job, Pool, Rank};

const TIMEOUT: Duration = Duration::from_secs(60);

fn main() -> Result<(), Box<dyn Error>> {
    let job = Job::join()?;
    let (me, world) = (job.rank(), job.world_size());
    let pool = Pool::builder().host_bytes(2 << 20).open(&job)?;
    job.barrier("joined")?;

    let (sender, events) = channel();
    // There is no receiver any more at the end of the program.
    pool.on_event(move |rank, event| {
        let _ = sender.send((rank, event));
    });
    let guest = Rank(world - 1);
    let place = pool.address(guest)?;
    job.barrier("listening")?;

    if me == guest {
        pool.leave()?;
        println!("rank {me}: left; the address of its memory stays reserved");
        job.barrier("everybody noticed")?;
        pool.join()?;
        println!("rank {me}: joined again at {}", pool.local_address()?);
    } else {
        wait_for(&events, guest, Event::Left)?;
        match pool.put(b"are you there?", place) {
            Err(error) if error.kind() == ErrorKind::NotConnected => println!("rank {me}: {error}"),
            Err(error) => return Err(error.into()),
            Ok(()) => return Err(format!("rank {guest} has left, and a copy to it went through").into()),
        }
        // The others work on.
        let own = pool.local_address()?;
        pool.put(b"work", own)?;
        job.barrier("everybody noticed")?;
        wait_for(&events, guest, Event::Joined)?;
        println!("rank {me}: rank {guest} is back, members {:?}", pool.members());
    }
    job.barrier("all are back")?;

    let slot = place.add(64 * u64::from(me.0));
    let greeting = format!("welcome, says rank {me}");
    pool.put(greeting.as_bytes(), slot)?;
    let mut got = vec![0; greeting.len()];
    pool.get(slot, &mut got)?;
    assert_eq!(got, greeting.as_bytes());
    job.barrier("done")?;
    Ok(())
}

/// Waits until `rank` is reported to have come or gone.
fn wait_for(events: &Receiver<(Rank, Event)>, rank: Rank, event: Event) -> Result<(), Box<dyn Error>> {
    while events.recv_timeout(TIMEOUT)? != (rank, event) {}
    Ok(())
}
