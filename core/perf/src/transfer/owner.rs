// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The process with the target memory: rank 0 of a pool, which serves the store, and endpoints.

use mf_base::Result;
use mf_library::big_memory::Job;
use mf_library::transfers::Transfers;
use mf_measure::members::{print_value, store_url, wait_for_end};

use super::{Args, CROWDED, FIRST_DESTINATION, MAIN, Owned, name};
use crate::{Buffer, echo, length, segment_bytes};

/// Offers memory until the input ends.
pub(super) fn main(args: &Args) -> Result<()> {
    let url = store_url()?;
    let bytes = args.sizes.iter().copied().max().unwrap_or(0).max(super::caller::LARGEST_BATCH);
    // The pool that short transfers are compared with.
    // Outlives the endpoints. Written through, so that all pages are there.
    let size = length(bytes)?;
    let mut private = Buffer::filled(size);
    let start = private.bytes_mut().as_mut_ptr();
    let job = Job::join_as(&url, 2, Some(0))?;
    let pool = job.create(0, segment_bytes(8), 0)?;
    let transfers = Transfers::begin(&url, |_| {})?;
    let endpoint = |number: u32| transfers.create(&name(number));
    let (main, crowded) = (endpoint(MAIN)?, endpoint(CROWDED)?);
    let destinations = (FIRST_DESTINATION..FIRST_DESTINATION + args.destinations)
        .map(endpoint)
        .collect::<Result<Vec<_>>>()?;
    let mapped = main.malloc(size)?.addr() as u64;
    for endpoint in destinations.iter().chain([&main]) {
        // SAFETY: a buffer that nothing else uses, and that outlives the endpoint.
        unsafe { endpoint.register(start, size) }?;
    }
    // Disjoint ranges; the middle one is written.
    let count = args.registrations.max(1) as usize;
    let step = (size / count).max(16);
    let ranges: Vec<_> =
        (0..count.min(size / step)).map(|number| (start.wrapping_add(number * step), 8)).collect();
    // SAFETY: as above.
    unsafe { crowded.register_all(&ranges) }?;
    let private = start.addr() as u64;
    let owned = Owned { process: std::process::id(), bytes, mapped, private, echo_port: echo::serve()? };
    pool.join()?;
    print_value(&owned)?;
    wait_for_end();
    drop(destinations);
    Ok(())
}
