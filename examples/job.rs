// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the examples share: finding this process's place in the job.

use std::time::Duration;

use mf_base::{Rank, Result};
use mf_smem::bm::{Config, Context};

/// Longest wait of the examples for each other.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Whatever went wrong; `main` prints it and ends with exit code 1.
pub type Failure = Box<dyn std::error::Error>;

/// Joins the job that `mf run` or torchrun started: rank and world size from RANK and WORLD_SIZE (without
/// them the process is the only rank), the store from MF_CONFIG_STORE_URL, else from MASTER_ADDR and
/// MASTER_PORT.
///
/// # Errors
/// Those of [`Context::init`].
pub fn join() -> Result<Context> {
    let number = |name, otherwise| text(name, otherwise).parse().unwrap_or(u32::MAX);
    let config = Config::new(store_url(), number("WORLD_SIZE", "1"));
    Context::init(config.rank(Rank(number("RANK", "0"))).init_timeout(TIMEOUT).control_timeout(TIMEOUT))
}

/// Where the store of the job is.
pub fn store_url() -> String {
    let master = format!("tcp://{}:{}", text("MASTER_ADDR", "127.0.0.1"), text("MASTER_PORT", "5570"));
    text("MF_CONFIG_STORE_URL", &master)
}

fn text(name: &str, otherwise: &str) -> String {
    std::env::var(name).ok().filter(|text| !text.is_empty()).unwrap_or_else(|| otherwise.to_owned())
}

/// Waits until all ranks are here.
///
/// # Errors
/// `Timeout` names who did not come.
pub fn meet(context: &Context, place: &str) -> Result<()> {
    context.barrier(place, context.world_size())
}

/// Fails unless `equal`.
///
/// # Errors
/// Says what differs.
pub fn require(equal: bool, what: impl FnOnce() -> String) -> std::result::Result<(), Failure> {
    if equal { Ok(()) } else { Err(format!("MISMATCH: {}", what()).into()) }
}
