// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The process with the target memory: rank 0 of a pool, which serves the store, and endpoints.

use mf_base::{Rank, Result};
use mf_smem::bm::{Config, Context, PoolOptions};
use mf_smem::trans::{Endpoint, Options};

use super::{Args, CROWDED, FIRST_DESTINATION, MAIN, Owned, name};
use crate::members::{print_value, store_url, wait_for_end};
use crate::{Buffer, echo, length, segment_bytes};

/// Offers memory until the input ends.
pub(super) fn main(args: &Args) -> Result<()> {
    let url = store_url()?;
    let bytes = args.sizes.iter().copied().max().unwrap_or(0).max(super::caller::LARGEST_BATCH);
    // The pool that short transfers are compared with.
    let ctx = Context::init(Config::new(url.as_str(), 2).auto_rank(false).rank(Rank(0)))?;
    let pool = ctx.create(PoolOptions::new(0).host(segment_bytes(8)))?;
    let endpoint = |number: u32| Endpoint::create(Options::new(url.as_str(), name(number)));
    let (main, crowded) = (endpoint(MAIN)?, endpoint(CROWDED)?);
    let destinations = (FIRST_DESTINATION..FIRST_DESTINATION + args.destinations)
        .map(endpoint)
        .collect::<Result<Vec<_>>>()?;
    let mapped = main.allocate(bytes)?;
    // Written through, so that all pages are there.
    let mut private = Buffer::filled(length(bytes)?);
    let start = private.bytes_mut().as_mut_ptr().addr() as u64;
    for endpoint in destinations.iter().chain([&main]) {
        endpoint.register(start, bytes)?;
    }
    // Disjoint ranges; the middle one is written.
    let count = u64::from(args.registrations.max(1));
    let step = (bytes / count).max(16);
    crowded.register_all((0..count.min(bytes / step)).map(|number| (start + number * step, 8)))?;
    let owned =
        Owned { process: std::process::id(), bytes, mapped, private: start, echo_port: echo::serve()? };
    pool.join()?;
    print_value(&owned)?;
    wait_for_end();
    for endpoint in destinations.iter().chain([&main, &crowded]) {
        endpoint.destroy();
    }
    pool.destroy();
    ctx.shutdown();
    Ok(())
}
