// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The network of this process: whether it needs one, and with which transports.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use mf_base::Result;
use mf_base::settings::{Settings, Switch};
use mf_fabric::transport::choice::{Engine, Machine};
use mf_fabric::transport::tcp;
use mf_fabric::transport::tcp::nic::{self, Wishes};
use mf_fabric::transport::ucx::{self, Ucx};
use mf_fabric::transport::{Absent, Network, Peer, Target, Transport};
use mf_store::{Store, StoreUrl};

use crate::bm::Config;

/// Starts the network, or none where all members are on this host for sure: the store is reached by loopback, and members map
/// each other's memory.
///
/// # Errors
/// `InvalidParam` names what cannot be met of `MF_NIC` or of the configuration · `InUse` the port is taken · those of the
/// store.
pub(super) fn start(
    store: &Arc<dyn Store>,
    url: &StoreUrl,
    config: &Config,
    settings: &Settings,
) -> Result<Option<Arc<Network>>> {
    let nic = config.nic.as_deref().unwrap_or(&settings.nic);
    if url.is_loopback() && settings.shared_memory && nic.is_empty() {
        return Ok(None);
    }
    let wishes = Wishes::parse(nic)?;
    let listen = match (url.is_loopback(), nic.is_empty()) {
        // Whoever finds the store there finds this process there, too.
        (true, true) => vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 0))],
        _ => nic::choose(&wishes, &nic::interfaces()?, store.member().rank)?,
    };
    if !url.is_loopback() && listen.iter().all(|address| address.ip().is_loopback()) {
        tracing::warn!(
            "this host has no address that others reach, so members on other hosts cannot copy to or from this one; \
             is its network up?"
        );
    }
    let machine = Machine::here(None, settings.shared_memory, &settings.transports)?;
    let open = |me: Peer, target: &Arc<dyn Target>| {
        let (mut transports, mut absent): (Vec<Arc<dyn Transport>>, Vec<Absent>) = Default::default();
        if machine.transports.contains(&Engine::Tcp) {
            transports.push(tcp::Engine::start()?.join(tcp::Options {
                me,
                token: store.member().job_token,
                listen: listen.clone(),
                tls: if config.data_certificates.is_some() { Switch::On } else { settings.net_tls },
                checksum: settings.net_checksum,
                connections: settings.net_connections,
                target: Arc::downgrade(target),
            })?);
        } else {
            absent.push(Absent { name: "tcp", reason: LEFT_OUT.to_owned() });
        }
        match open_ucx(&machine, settings, me, target) {
            Ok(ucx) => transports.push(ucx),
            Err(reason) => absent.push(Absent { name: "ucx", reason }),
        }
        Ok((transports, absent))
    };
    Network::start(Arc::clone(store), settings.net_timeout, open).map(Some)
}

const LEFT_OUT: &str = "MF_TRANSPORTS leaves it out";

/// Opens UCX where it pays, or where it is asked for; the error says why not.
fn open_ucx(
    machine: &Machine,
    settings: &Settings,
    me: Peer,
    target: &Arc<dyn Target>,
) -> std::result::Result<Arc<Ucx>, String> {
    if !machine.transports.contains(&Engine::Ucx) {
        return Err(LEFT_OUT.to_owned());
    }
    let is_named = settings.transports.split(',').any(|name| name.trim() == Engine::Ucx.as_str());
    if !is_named && !machine.has_rdma() {
        // It costs threads and memory, and over TCP our own transport is faster.
        return Err(
            "no RDMA device is active here; name ucx in MF_TRANSPORTS to use it all the same".to_owned()
        );
    }
    let options = ucx::Options { me, target: Arc::downgrade(target), tls: None };
    Ucx::start(options).map_err(|error| error.to_string())
}
