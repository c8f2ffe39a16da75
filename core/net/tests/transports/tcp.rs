// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The transport over TCP, on the loopback, in all its settings.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Weak};

use mf_base::settings::Switch;
use mf_tcp::{Engine, Options};
use mf_transport::{Peer, Target};

use crate::bed::Make;
use crate::suite::Shared;

struct Maker {
    /// The processes of the ends, in turn; empty: each end is in a separate one.
    processes: Vec<Arc<Engine>>,
    tls: Switch,
    checksum: bool,
    connections: u32,
}

impl Make for Maker {
    fn name(&self) -> String {
        let tls = if self.tls == Switch::On { ", TLS" } else { "" };
        let checksum = if self.checksum { ", checksums" } else { "" };
        let process = if self.processes.is_empty() { "" } else { ", in two processes" };
        format!("tcp with {} connections{tls}{checksum}{process}", self.connections)
    }

    fn start(&self, me: Peer, target: Weak<dyn Target>) -> Shared {
        let Self { tls, checksum, connections, .. } = *self;
        let own = || Engine::start().unwrap();
        let engine = self.processes.get(me.rank as usize % 2).cloned().unwrap_or_else(own);
        let listen = vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 0))];
        engine.join(Options { me, token: [7; 32], listen, tls, checksum, connections, target }).unwrap()
    }
}

pub(crate) fn plain(connections: u32) -> Arc<dyn Make> {
    Arc::new(Maker { processes: Vec::new(), tls: Switch::Off, checksum: false, connections })
}

/// Even and odd ranks share a process each. Memory that keeps one waiting holds up all of its process.
pub(crate) fn in_two_processes(connections: u32) -> Arc<dyn Make> {
    let processes = vec![Engine::start().unwrap(), Engine::start().unwrap()];
    Arc::new(Maker { processes, tls: Switch::Off, checksum: false, connections })
}

pub(crate) fn encrypted(connections: u32) -> Arc<dyn Make> {
    Arc::new(Maker { processes: Vec::new(), tls: Switch::On, checksum: false, connections })
}

pub(crate) fn checked(connections: u32) -> Arc<dyn Make> {
    Arc::new(Maker { processes: Vec::new(), tls: Switch::Off, checksum: true, connections })
}
