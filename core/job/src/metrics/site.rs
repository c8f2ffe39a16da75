// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Content of a server: metrics, or the pages and events of a program of ours.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use mf_base::settings::Settings;
use mf_base::{Error, Kind, Result};
use mf_tls::JobSecret;

use super::listen_address::ListenAddress;
use super::server::{Event, Server};
use super::text::Format;

const HELP: &str = "Metrics of a memfabric process: /metrics\n";

/// A request.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Without a query.
    pub path: &'a str,
    /// The media types that the client takes; empty: it does not say.
    pub accept: &'a str,
}

/// A reply.
pub enum Page {
    /// A text.
    Text {
        /// Its type.
        media_type: &'static str,
        /// Further lines of the head, each ended by CR LF.
        headers: &'static str,
        /// The text.
        body: String,
    },
    /// Events, from now on, as server-sent events.
    Events,
}

/// Has pages.
pub trait Site: Send {
    /// Returns the page at a path. `None` if it does not exist. It must not wait.
    fn page(&self, asked: Asked<'_>) -> Option<Page>;
}

/// The metrics of a process, as a text of the format that a client prefers.
pub(super) struct MetricsSite(pub(super) Box<dyn Fn(Format) -> String + Send>);

impl Site for MetricsSite {
    fn page(&self, asked: Asked<'_>) -> Option<Page> {
        let format = Format::preferred(asked.accept);
        let (media_type, body) = match asked.path {
            "/metrics" => (format.media_type(), self.0(format)),
            "/" => ("text/plain; charset=utf-8", HELP.to_owned()),
            _ => return None,
        };
        Some(Page::Text { media_type, headers: "", body })
    }
}

/// Returns true if a client that asks for this host can mean the loopback, or a port forwarded to it: a
/// foreign web page can resolve its own name to the loopback (DNS rebinding).
pub(super) fn is_own_name(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !name.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok()
}

/// A server of a site of ours; dropping it ends it.
pub struct Web(Server);

impl Web {
    /// Serves `site` at a place such as 127.0.0.1:0; `setting` is the caller's name for it. On the loopback
    /// it serves requests for a name of this host, elsewhere clients that present the job's secret.
    /// **Local.**
    ///
    /// # Errors
    /// `InvalidParam` the place is malformed, or others reach it and there is no secret · `InUse` the port
    /// is taken · other errors of the system.
    pub fn serve(
        setting: &'static str,
        place: &str,
        settings: &Settings,
        site: Box<dyn Site>,
    ) -> Result<Self> {
        let (place, secret) = guarded(setting, ListenAddress::parse(setting, place, 0)?, settings)?;
        let failed = |error: std::io::Error| {
            let kind = match error.kind() {
                std::io::ErrorKind::AddrInUse => Kind::InUse,
                _ => Kind::Failed,
            };
            Error::new(kind, "web").what("pages cannot be served there").with("at", &place).source(error)
        };
        let listener = place.listen().map_err(failed)?;
        Server::start(listener, secret, site).map(Self).map_err(failed)
    }

    /// Returns its address.
    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }

    /// Returns the present number of readers of events.
    pub fn readers(&self) -> usize {
        self.0.readers()
    }

    /// Sends `data`, a line, to all readers of events. Never waits: a slow reader gets the newest next, and
    /// misses the events between.
    pub fn publish(&self, data: &str) {
        self.0.publish(event(data));
    }

    /// Sends the last `data`, and waits until all readers have been sent it, at most for `within`: the server
    /// can be dropped then.
    pub fn publish_last(&self, data: &str, within: Duration) {
        self.0.publish_last(event(data), within);
    }
}

fn event(data: &str) -> Event {
    format!("data: {data}\n\n").into_bytes().into()
}

/// Returns the place, and the secret that clients from other hosts must present.
///
/// # Errors
/// `InvalidParam` the secret is missing.
pub(super) fn guarded(
    setting: &'static str,
    place: ListenAddress,
    settings: &Settings,
) -> Result<(ListenAddress, Option<Vec<u8>>)> {
    if place.is_loopback() {
        return Ok((place, None));
    }
    // A unique id's secret does not count: no client could present it.
    let secret = JobSecret::from_settings(settings)?;
    if secret.as_bytes().is_empty() {
        return Err(Error::invalid("metrics", "other hosts would reach the metrics without a secret")
            .with(setting, &place)
            .hint("a loopback address, as 127.0.0.1:9464, or MF_JOB_SECRET, which clients show as bearer token or as a password"));
    }
    Ok((place, Some(secret.as_bytes().to_vec())))
}
