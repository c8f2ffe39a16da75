// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How the members of a job find each other, knowing only a URL: who starts the store, and who becomes its client.
//!
//! | rank | `start_server` | who starts the store |
//! |---|---|---|
//! | given | true | the process of rank 0 |
//! | automatic | true | whoever can bind the address: the first wins, to all others the port is in use, or the address is not theirs |
//! | either | false | somebody else |
//!
//! A port in use turns into a client without any delay. Whether a store of the job is behind it, the hello tells: a
//! foreign program is an error, a store that runs already (made by hand, or by another object of this process) is not.

use std::time::Duration;

use mf_base::{Error, Kind, Rank, Result, settings};

use crate::Client;
use crate::client::{ClientOptions, after};
use crate::server::{Server, ServerOptions};
use crate::url::StoreUrl;

const OPERATION: &str = "store rendezvous";

/// How to take part in a job.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The store of the job.
    pub url: StoreUrl,
    /// Ranks of the job, 1 to 1024; with `only_server` also 0: the first member decides.
    pub world_size: u32,
    /// The rank of this process; none: the store picks.
    pub rank: Option<Rank>,
    /// Number of the device this process uses; orders automatic ranks on one machine.
    pub device: u16,
    /// Whether this process may start the store.
    pub start_server: bool,
    /// Start the store and nothing else: this process is no member.
    pub only_server: bool,
    /// Members come and go: a store that is started here hands out automatic ranks at once, in the order of arrival,
    /// instead of waiting a moment for the world to be complete.
    pub dynamic: bool,
    /// Bounds connecting and ranking.
    pub init_timeout: Duration,
    /// Bounds each later request.
    pub request_timeout: Duration,
}

/// What taking part gave.
#[derive(Debug)]
pub struct Joined {
    /// The store, if this process runs it.
    pub server: Option<Server>,
    /// The membership; none with `only_server`.
    pub client: Option<Client>,
}

/// Starts the store if it falls to this process, and joins it. Blocks until this process has its rank, at most for
/// `init_timeout`.
///
/// # Errors
/// `InUse` a foreign program has the port of the store that this process should start · else as [`Server::start`] and
/// [`Client::connect`].
pub fn join(options: Options) -> Result<Joined> {
    let deadline = after(options.init_timeout);
    let secret = job_secret()?;
    if options.only_server {
        return Ok(Joined { server: Some(start(&options, &secret)?), client: None });
    }
    let (mut server, mut busy) = (None, None);
    if options.start_server && options.rank.is_none_or(|rank| rank == Rank(0)) {
        match start(&options, &secret) {
            Ok(started) => server = Some(started),
            Err(error) if error.kind() == Kind::InUse => busy = Some(error),
            // Another machine has the address: its processes start the store.
            Err(error) if options.rank.is_none() && address_is_elsewhere(&error, &options) => {}
            Err(error) => return Err(error),
        }
    }
    let may_start = server.is_some() || busy.is_some();
    let wanted = ClientOptions {
        server: options.url.connect_address(),
        world_size: options.world_size,
        rank: options.rank,
        device: options.device,
        hosts_store: server.is_some(),
        connect_deadline: deadline,
        request_timeout: options.request_timeout,
        secret: secret.clone(),
    };
    let client = Client::connect_or(&wanted, || {
        // The port was in use by a store that has ended since then: the next one may fall to this process.
        if may_start && server.is_none() {
            server = start(&options, &secret).ok();
        }
    });
    let client = match (client, busy) {
        (Ok(client), _) => client,
        // A given rank 0 was to start the store and found neither a free port nor a store.
        (Err(error), Some(busy)) if options.rank.is_some() && error.kind() == Kind::NotConnected => {
            return Err(busy.source(error));
        }
        (Err(error), _) => return Err(error),
    };
    Ok(Joined { server, client: Some(client) })
}

fn start(options: &Options, secret: &[u8]) -> Result<Server> {
    let rank_window = if options.dynamic { Duration::ZERO } else { settings::settings()?.rank_window };
    let (listen, world_size) = (options.url.address, options.world_size);
    Server::start(ServerOptions { listen, world_size, secret: secret.to_vec(), rank_window })
}

fn address_is_elsewhere(error: &Error, options: &Options) -> bool {
    error.kind() == Kind::InvalidParam && !options.url.address.ip().is_unspecified()
}

/// The secret of the job, empty for none.
fn job_secret() -> Result<Vec<u8>> {
    let settings = settings::settings()?;
    if !settings.job_secret.0.is_empty() {
        return Ok(settings.job_secret.0.clone().into_bytes());
    }
    let path = &settings.job_secret_file;
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let unusable = || {
        Error::invalid(OPERATION, "the file with the job secret is not usable")
            .with("MF_JOB_SECRET_FILE", path)
    };
    let secret = std::fs::read(path).map_err(|error| unusable().source(error))?;
    let secret = secret.trim_ascii().to_vec();
    // An empty file is more likely a mistake than a wish to go without.
    if secret.is_empty() { Err(unusable().hint("the file is empty")) } else { Ok(secret) }
}
