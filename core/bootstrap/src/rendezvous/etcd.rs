// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The rendezvous by a leader that is elected in etcd.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use mf_base::sync::wait::Deadline;
use mf_base::{Error, Kind, Result, interrupt};
use mf_store::{Client, RankWish};
use mf_tls::Security;
use rustls::ClientConfig;

use super::{LOOK_PAUSE, OPERATION, Options, join_elected, template};
use crate::etcd::{ClusterAddress, Directory};
use crate::hosting::{Host, HostingPolicy};

/// Joins a store with a leader that is elected in etcd.
pub(super) fn join(
    options: &Options,
    endpoints: Vec<String>,
    prefix: &str,
) -> Result<(Arc<Host>, Option<Client>)> {
    let security = options.access.security()?;
    let place = ClusterAddress { tls: etcd_tls(&security, &endpoints)?, endpoints };
    let unknown = SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), 0);
    let template = template(options, unknown, &security)?;
    let directory = Directory::new(place, prefix, template.timing.lease, security.secret().to_vec());
    // A job on etcd needs no first process, so every member may be elected.
    let may_start = options.start_server || options.wish != RankWish::Guest;
    if may_start {
        security.may_listen(directory.own_address()?)?;
    }
    reach(&directory, Deadline::Within(options.init_timeout).instant())?;
    join_elected(options, Host::new(HostingPolicy::Etcd(directory), template, may_start), security)
}

/// Waits until the cluster answers.
fn reach(directory: &Directory, deadline: Instant) -> Result<()> {
    let started = Instant::now();
    loop {
        let error = match directory.find(deadline) {
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == Kind::Timeout => error,
            Err(error) => return Err(error),
        };
        if Instant::now() >= deadline {
            return Err(Error::new(Kind::NotConnected, OPERATION)
                .what("the etcd cluster cannot be reached")
                .with("waited_ms", started.elapsed().as_millis())
                .source(error));
        }
        interrupt::sleep(OPERATION, LOOK_PAUSE)?;
    }
}

/// Certificates for the connections to etcd. The job secret proves members to each other, not to etcd.
fn etcd_tls(security: &Security, endpoints: &[String]) -> Result<Option<Arc<ClientConfig>>> {
    if let Some(config) = security.for_etcd()? {
        return Ok(Some(config));
    }
    match endpoints.iter().find(|place| !is_loopback(place)) {
        Some(place) if !security.is_off() => Err(Error::invalid(
            OPERATION,
            "etcd is not on this host, and there are no certificates for it",
        )
        .with("etcd", place)
        .hint("give certificates (MF_STORE_TLS_INFO, mf certs), or choose plaintext by MF_STORE_TLS=off")),
        Some(_) => {
            tracing::warn!("the connections to etcd are not encrypted");
            Ok(None)
        }
        None => Ok(None),
    }
}

/// Returns true if `host:port` is on this host.
fn is_loopback(place: &str) -> bool {
    place.parse::<SocketAddr>().is_ok_and(|place| place.ip().is_loopback()) || place.starts_with("localhost:")
}
