// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Common parts of the examples: finding this process's place in the job.

use std::time::Duration;

use mf_base::Result;
use mf_smem::bm::{Config, Context};

/// Longest wait of the examples for each other.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Any error; `main` prints it and ends with exit code 1.
pub type Failure = Box<dyn std::error::Error>;

/// Joins the job that `mf run`, torchrun, `mpirun` or `srun` started (docs/launching.md); without a launcher
/// the process is the only rank.
///
/// # Errors
/// Errors of [`Config::from_launcher_or_alone`] and [`Context::init`].
pub fn join() -> Result<Context> {
    let config = Config::from_launcher_or_alone()?;
    Context::init(config.init_timeout(TIMEOUT).control_timeout(TIMEOUT))
}

/// Meeting address of processes without a launcher.
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
/// `Timeout` names the missing ranks.
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
