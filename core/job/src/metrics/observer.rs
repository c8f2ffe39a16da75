// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Observer of a member: the server of `MF_METRICS` and the file of `MF_TRACE_FILE`. Each membership holds
//! it; the last one ends it.
//!
//! A malformed value, and an address that others reach without a secret, refuse the membership. A port that
//! is taken and a file that cannot be written do not: the job is worth more. They are logged, with the
//! remedy.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use mf_base::settings::{Settings, launcher_environment};
use mf_base::sync::single::Single;
use mf_base::{Error, Rank, Result};
use mf_bootstrap::Bootstrap;
use mf_net::watch;
use mf_net::watch::timeline::Timeline;

use super::collect::{host, sheet};
use super::listen_address::ListenAddress;
use super::server::Server;
use super::site::{MetricsSite, guarded};
use super::text::text_in;

static CURRENT: Single<Observer> = Single::new();

/// State shared by the memberships of this process.
pub struct Observer {
    server: Option<Server>,
    timeline: Option<Timeline>,
}

/// Requested address of the metrics, and their access rule.
struct MetricsRequest {
    place: ListenAddress,
    secret: Option<Vec<u8>>,
}

/// Returns the address of this process's metrics. `None` if they are not served. **Local.**
pub fn address() -> Option<SocketAddr> {
    let current = CURRENT.get(|| Err(Error::new(mf_base::Kind::NotExist, "metrics"))).ok()?;
    current.server.as_ref().map(Server::address)
}

/// Refuses settings with which a membership could not be observed.
///
/// # Errors
/// `InvalidParam` names the setting.
pub(crate) fn check(settings: &Settings) -> Result<()> {
    parse_wish(settings).map(drop)
}

fn parse_wish(settings: &Settings) -> Result<Option<MetricsRequest>> {
    if settings.metrics.trim().is_empty() {
        return Ok(None);
    }
    let local_rank = Bootstrap::local_rank_of(&launcher_environment())?.unwrap_or(0);
    let place = ListenAddress::parse("MF_METRICS", &settings.metrics, local_rank)?;
    let (place, secret) = guarded("MF_METRICS", place, settings)?;
    Ok(Some(MetricsRequest { place, secret }))
}

impl Observer {
    /// Returns the observer of this process; the first call makes it for the member of this rank. `None` if
    /// none is requested. A guest's rank is `u32::MAX`. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` `MF_METRICS` is malformed, or others reach the address and there is no secret.
    pub fn current(settings: &Settings, rank: Rank) -> Result<Option<Arc<Self>>> {
        if settings.metrics.trim().is_empty() && settings.trace_file.is_empty() {
            return Ok(None);
        }
        CURRENT.get(|| Self::begin(settings, rank).map(Arc::new)).map(Some)
    }

    fn begin(settings: &Settings, rank: Rank) -> Result<Self> {
        let server = parse_wish(settings)?.and_then(serve);
        let timeline = if settings.trace_file.is_empty() { None } else { record(settings, rank) };
        watch::set_metrics(!settings.metrics.trim().is_empty());
        Ok(Self { server, timeline })
    }
}

impl Drop for Observer {
    fn drop(&mut self) {
        watch::set_metrics(false);
        self.server = None;
        self.timeline = None;
    }
}

fn serve(wish: MetricsRequest) -> Option<Server> {
    let MetricsRequest { place, secret } = wish;
    let listener = place.listen();
    let server = listener.and_then(|listener| {
        Server::start(listener, secret, Box::new(MetricsSite(Box::new(|format| text_in(&sheet(), format)))))
    });
    match server {
        Ok(server) => {
            tracing::info!("metrics are served at http://{}/metrics", server.address());
            Some(server)
        }
        Err(error) => {
            tracing::warn!("metrics are not served at {place}: {error}; {}", place.remedy());
            None
        }
    }
}

fn record(settings: &Settings, rank: Rank) -> Option<Timeline> {
    let (host, process) = (host(), std::process::id());
    // A guest has no rank, and is listed under the number of its process.
    let (number, name) = match rank {
        Rank(u32::MAX) => (process, format!("process {process} of {host}")),
        rank => (rank.0, format!("rank {rank} (process {process} of {host})")),
    };
    let path = settings.trace_file.replace("%r", &number.to_string());
    let path = PathBuf::from(path.replace("%p", &process.to_string()).replace("%h", &host));
    match Timeline::begin(&path, settings.trace_bytes.0, number, &name) {
        Ok(timeline) => Some(timeline),
        Err(error) => {
            tracing::warn!("operations are not recorded: {error}");
            None
        }
    }
}
