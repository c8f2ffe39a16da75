// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The engines of this machine: which there are, under which names they are asked for, and why others are
//! lacking.

use std::sync::Arc;

use mf_base::os::interface::{Interface, interfaces};
use mf_base::settings::{Settings, Switch, settings};
use mf_base::{Error, Rank, Result};
use mf_device::choose;
use mf_device::host::HostDevice;
use mf_net::choice::{Engine, EngineName, Machine, RdmaPort};
use mf_net::cma::Cma;
use mf_net::ucx;
use mf_program::output;
use mf_program::table::TextTable;
use mf_tcp::nic::{ListenPatterns, choose as choose_addresses};
use serde_json::{Value, json};

/// One engine.
pub(crate) struct Row {
    pub(crate) engine: Engine,
    /// Description, or the reason for its absence.
    pub(crate) state: Result<String, String>,
}

/// All engines, and the libraries and devices below them.
pub(crate) struct Engines {
    pub(crate) rows: Vec<Row>,
    pub(crate) rdma: Vec<RdmaPort>,
    pub(crate) interfaces: Vec<Interface>,
}

/// Inspects this machine.
///
/// # Errors
/// Settings that are unusable.
pub(crate) fn engines() -> Result<Engines> {
    let settings = settings()?;
    let accelerator = accelerator(settings);
    let found = accelerator.clone().ok();
    let machine = Machine::here(found, settings.shared_memory, &settings.transports)?;
    let interfaces = interfaces().map_err(|error| error.to_string());
    let rows = [Engine::Cpu, Engine::Device, Engine::Cma, Engine::Ucx, Engine::Tcp].map(|engine| Row {
        engine,
        state: match engine {
            Engine::Cpu if !settings.shared_memory => {
                Err("MF_SHM is false: ranks of this host use the network".to_owned())
            }
            Engine::Cpu => Ok("memory of ranks of this host is mapped and copied in place".to_owned()),
            Engine::Device => accelerator.clone(),
            Engine::Ucx | Engine::Tcp | Engine::Cma if !machine.transports.contains(&engine) => {
                Err(format!("MF_TRANSPORTS is {}", settings.transports))
            }
            Engine::Cma => cma(settings),
            Engine::Ucx => ucx(&machine, settings),
            Engine::Tcp => tcp(settings, &interfaces),
        },
    });
    Ok(Engines { rows: rows.into(), rdma: machine.rdma, interfaces: interfaces.unwrap_or_default() })
}

fn accelerator(settings: &Settings) -> Result<String, String> {
    let brief = |error: Error| error.to_string();
    let (devices, report) =
        choose(settings.device, 0, Arc::new(HostDevice::new(Switch::Auto))).map_err(brief)?;
    devices.accelerator().map(|accelerator| accelerator.describe()).ok_or_else(|| match &report.lines[..] {
        [] => "no accelerator is asked for".to_owned(),
        _ => "no accelerator; mf info shows where it was searched".to_owned(),
    })
}

/// Tried on this process itself; another one may be refused all the same, which shows when it is used.
fn cma(settings: &Settings) -> Result<String, String> {
    match Cma::refusal() {
        _ if !settings.shared_memory => {
            Err("MF_SHM is false: processes of this host use the network".to_owned())
        }
        Some(reason) => Err(reason),
        None => Ok("registered memory of processes of this host is copied by the kernel".to_owned()),
    }
}

/// Used where it has RDMA, or where it is named.
fn ucx(machine: &Machine, settings: &Settings) -> Result<String, String> {
    let version = ucx::version().map_err(|error| error.to_string())?;
    let is_named = settings.transports.split(',').any(|name| name.trim() == Engine::Ucx.as_str());
    match &machine.rdma_way {
        Ok(route) => Ok(route.clone()),
        Err(reason) if is_named => Ok(format!("UCX {version}, but not as HOST_RDMA: {reason}")),
        Err(reason) => {
            Err(format!("UCX {version} is there, but {reason}; MF_TRANSPORTS=ucx,tcp uses it all the same"))
        }
    }
}

fn tcp(settings: &Settings, interfaces: &Result<Vec<Interface>, String>) -> Result<String, String> {
    let interfaces = interfaces.as_ref().map_err(String::clone)?;
    let brief = |error: Error| error.to_string();
    let addresses = ListenPatterns::parse(&settings.nic)
        .and_then(|patterns| choose_addresses(&patterns, interfaces, Some(Rank(0))))
        .map_err(brief)?;
    let shown = addresses.iter().map(|address| match address.port() {
        0 => address.ip().to_string(),
        port => format!("{}, port {port} and those of the ranks above it", address.ip()),
    });
    let by = if settings.nic.is_empty() { "" } else { " (MF_NIC)" };
    Ok(format!("listens on {}{by}; TLS {}", shown.collect::<Vec<_>>().join(", "), tls_text(settings.net_tls)))
}

fn tls_text(switch: Switch) -> &'static str {
    match switch {
        Switch::Auto => "on all but loopback addresses",
        Switch::On => "always",
        Switch::Off => "never",
    }
}

impl Row {
    /// The names under which it is asked for.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let names = EngineName::ALL.into_iter().filter(|name| Engine::behind(*name) == Some(self.engine));
        names.map(EngineName::as_str).collect()
    }

    fn json(&self) -> Value {
        let (is_here, text) = match &self.state {
            Ok(text) => (true, text),
            Err(reason) => (false, reason),
        };
        json!({ "engine": self.engine.as_str(), "here": is_here, "text": text, "serves": self.names() })
    }
}

/// The names that no engine stands behind.
fn unused_names() -> Vec<&'static str> {
    let names = EngineName::ALL.into_iter().filter(|name| Engine::behind(*name).is_none());
    names.map(EngineName::as_str).collect()
}

pub(super) fn main(as_json: bool) -> Result<u8> {
    let engines = engines()?;
    output::print(&if as_json { engines.json() } else { engines.text() })?;
    Ok(0)
}

impl Engines {
    fn json(&self) -> String {
        let rdma = self.rdma.iter().map(|port| {
            json!({ "device": port.device, "port": port.port, "active": port.is_active, "linkLayer": port.link_layer })
        });
        let interfaces = self.interfaces.iter().map(|one| {
            json!({
                "name": one.name, "address": one.address.to_string(), "prefixBits": one.prefix_bits, "up": one.is_up,
                "loopback": one.is_loopback, "mtu": fact(one, "mtu"), "megabits": fact(one, "speed"),
            })
        });
        let value = json!({
            "interfaces": interfaces.collect::<Vec<_>>(),
            "engines": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
            "unavailable": unused_names(),
            "rdma": rdma.collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }

    fn text(&self) -> String {
        let mut table = TextTable::new(4, &["engine", "here", "asked for as", "how, or why not"]);
        for row in &self.rows {
            let (mark, text) = match &row.state {
                Ok(text) => ("yes", text),
                Err(reason) => ("no", reason),
            };
            let names = row.names().join(", ");
            table.row(vec![row.engine.to_string(), mark.to_owned(), names, text.clone()]);
        }
        let none = "no transport for it exists yet";
        table.row(vec!["-".to_owned(), "no".to_owned(), unused_names().join(", "), none.to_owned()]);
        let mut text = table.render();
        let mut table = TextTable::new(3, &["interface", "address", "state", "mtu", "Mbit/s"]);
        let shown = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        for one in &self.interfaces {
            let state = if one.is_up { "up" } else { "down" };
            let address = format!("{}/{}", one.address, one.prefix_bits);
            let (mtu, speed) = (shown(fact(one, "mtu")), shown(fact(one, "speed")));
            table.row(vec![one.name.clone(), address, state.to_owned(), mtu, speed]);
        }
        text.push_str(&format!("\n{}", table.render()));
        let rdma: Vec<String> = self.rdma.iter().map(ToString::to_string).collect();
        let rdma = if rdma.is_empty() { "none".to_owned() } else { rdma.join(", ") };
        text.push_str(&format!("\nRDMA devices: {rdma}\n"));
        text
    }
}

/// Reads a fact about an interface from the kernel; virtual ones have no speed.
fn fact(interface: &Interface, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/sys/class/net/{}/{name}", interface.name)).ok()?;
    text.trim().parse().ok()
}
