// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Capabilities of this machine under its settings, towards any peer.

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use mf_base::os::descriptor;
use mf_base::{Error, Result};

use super::{Engine, EngineName, EngineSet, Request, brief, refused};
use crate::ucx;

/// Folder of the kernel's RDMA devices.
const RDMA_FOLDER: &str = "/sys/class/infiniband";

/// A port of an RDMA device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RdmaPort {
    /// Name of the device.
    pub device: String,
    /// Number of the port.
    pub port: u32,
    /// True if the kernel reports it as active.
    pub is_active: bool,
    /// `Ethernet` or `InfiniBand`.
    pub link_layer: String,
}

impl fmt::Display for RdmaPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.is_active { "active" } else { "not active" };
        write!(f, "{}:{} ({}, {state})", self.device, self.port, self.link_layer)
    }
}

/// Inventory of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The accelerator that provides device memory.
    pub accelerator: Option<String>,
    /// True if members of one host map each other's memory (`MF_SHM`).
    pub shared_memory: bool,
    /// Transports that may be used (`MF_TRANSPORTS`).
    pub transports: Vec<Engine>,
    /// Ports of RDMA devices.
    pub rdma: Vec<RdmaPort>,
    /// Use of them by libucp, or the reason that it cannot.
    pub rdma_way: Result<String, String>,
}

impl Machine {
    /// Returns this machine, with its settings; `transports` is the text of `MF_TRANSPORTS`.
    ///
    /// # Errors
    /// `InvalidParam` a transport that does not exist.
    pub fn here(accelerator: Option<String>, shared_memory: bool, transports: &str) -> Result<Self> {
        let transports = parse_transports(transports)?;
        let rdma = rdma_ports(Path::new(RDMA_FOLDER));
        let rdma_way = no_active_port(&rdma).map_or_else(rdma_way, Err);
        Ok(Self { accelerator, shared_memory, transports, rdma, rdma_way })
    }

    /// Returns true if RDMA is available.
    pub fn has_rdma(&self) -> bool {
        self.rdma_way.is_ok()
    }

    /// Returns the reason that an engine is unavailable here towards any peer; `None` if it may be available.
    pub fn lacks(&self, name: EngineName) -> Option<String> {
        let Some(engine) = Engine::behind(name) else {
            return Some("no transport for it exists yet".to_owned());
        };
        match engine {
            Engine::Cpu => (!self.shared_memory).then(|| "MF_SHM is false".to_owned()),
            Engine::Device => self.accelerator.is_none().then(|| "no accelerator is in use".to_owned()),
            Engine::Tcp | Engine::Ucx | Engine::Cma if !self.transports.contains(&engine) => {
                Some(format!("MF_TRANSPORTS leaves {engine} out"))
            }
            Engine::Ucx => self.rdma_way.clone().err(),
            Engine::Tcp | Engine::Cma => None,
        }
    }

    /// Refuses a request that allows, for some pair of members, only engines that are unavailable here.
    ///
    /// # Errors
    /// `NotExist` names the request and the reason.
    pub fn check(&self, request: &Request) -> Result<()> {
        let of_pairs = request.rules.of_member(&request.tag);
        for asked in of_pairs.into_iter().chain([request.engines]) {
            if let Some(reason) = self.lacks_all(asked) {
                return Err(refused(asked, &reason).with("would_be_used", "the best that reaches each peer"));
            }
        }
        Ok(())
    }

    fn lacks_all(&self, asked: EngineSet) -> Option<String> {
        if asked.is_auto() {
            return None;
        }
        let reasons = asked.names().map(|name| self.lacks(name).map(|reason| format!("{name}: {reason}")));
        reasons.collect::<Option<Vec<_>>>().map(|reasons| reasons.join("; "))
    }
}

/// Parses the text of `MF_TRANSPORTS`: `auto` or names separated by commas.
///
/// # Errors
/// `InvalidParam` names the unknown one.
pub fn parse_transports(text: &str) -> Result<Vec<Engine>> {
    if matches!(text.trim(), "" | "auto") {
        return Ok(vec![Engine::Ucx, Engine::Tcp, Engine::Cma]);
    }
    let engine = |name: &str| {
        Engine::of_transport(name.trim()).ok_or_else(|| {
            Error::invalid("settings", "no such transport")
                .with("MF_TRANSPORTS", text)
                .with("transport", name.trim())
                .hint("auto, or a list of tcp, ucx and cma")
        })
    };
    text.split(',').map(engine).collect()
}

/// Returns the reason that RDMA is unavailable, whether or not libucp works; `None` if there is an active
/// port.
fn no_active_port(ports: &[RdmaPort]) -> Option<String> {
    if ports.is_empty() {
        return Some(format!("no RDMA device: {RDMA_FOLDER} is empty or not there"));
    }
    let ports_text = || ports.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let is_any_active = ports.iter().any(|port| port.is_active);
    (!is_any_active).then(|| format!("no RDMA device is active: {}", ports_text()))
}

/// Returns libucp's RDMA devices, queried once a process: it takes milliseconds.
fn rdma_way() -> Result<String, String> {
    static FOUND: OnceLock<Result<String, String>> = OnceLock::new();
    FOUND.get_or_init(|| ucx::has_rdma().map_err(|error| brief(&error))).clone()
}

/// Reads ports below a folder in the kernel's layout; unreadable ones are left out.
fn rdma_ports(folder: &Path) -> Vec<RdmaPort> {
    let names = |folder: &Path| -> Vec<String> {
        let entries = descriptor::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    };
    let mut ports = Vec::new();
    for device in names(folder) {
        let folder = folder.join(&device).join("ports");
        for port in names(&folder) {
            let read = |file| descriptor::read_text(folder.join(&port).join(file)).unwrap_or_default();
            let Ok(number) = port.parse() else { continue };
            ports.push(RdmaPort {
                device: device.clone(),
                port: number,
                is_active: read("state").contains("ACTIVE"),
                link_layer: read("link_layer").trim().to_owned(),
            });
        }
    }
    ports.sort_by(|a, b| (&a.device, a.port).cmp(&(&b.device, b.port)));
    ports
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{Tag, TagRules};

    fn laptop() -> Machine {
        with_ports(vec![])
    }

    fn with_ports(rdma: Vec<RdmaPort>) -> Machine {
        Machine {
            accelerator: None,
            shared_memory: true,
            transports: parse_transports("auto").unwrap(),
            rdma_way: no_active_port(&rdma).map_or_else(|| Ok("UCX 1 over mlx5_0:1".to_owned()), Err),
            rdma,
        }
    }

    fn port(is_active: bool) -> RdmaPort {
        RdmaPort { device: "mlx5_0".to_owned(), port: 1, is_active, link_layer: "Ethernet".to_owned() }
    }

    fn asks(names: &[EngineName]) -> Request {
        Request { engines: names.iter().copied().collect(), ..Request::default() }
    }

    #[test]
    fn machine_without_nics_has_shared_memory_and_tcp() {
        let here: Vec<EngineName> =
            EngineName::ALL.into_iter().filter(|name| laptop().lacks(*name).is_none()).collect();
        assert_eq!(here, [EngineName::HostShm, EngineName::HostTcp]);
        let without = Machine { shared_memory: false, transports: vec![Engine::Ucx], ..laptop() };
        assert!(EngineName::ALL.into_iter().all(|name| without.lacks(name).is_some()));
        let with = Machine { accelerator: Some("sim".to_owned()), ..with_ports(vec![port(true)]) };
        assert!(with.lacks(EngineName::DeviceSdma).is_none() && with.lacks(EngineName::HostRdma).is_none());
    }

    #[test]
    fn absent_rdma_is_refused_with_the_reason() {
        let error = laptop().check(&asks(&[EngineName::HostRdma])).unwrap_err();
        assert_eq!(error.code(), -2007);
        for part in ["asked HOST_RDMA", "no RDMA device", "MF_STRICT_ENGINE"] {
            assert!(error.to_string().contains(part), "{error}");
        }
        let down = with_ports(vec![port(false)]);
        let error = down.check(&asks(&[EngineName::HostRdma])).unwrap_err().to_string();
        assert!(error.contains("mlx5_0:1 (Ethernet, not active)"), "{error}");
        laptop().check(&asks(&[EngineName::HostRdma, EngineName::HostTcp])).unwrap();
        laptop().check(&asks(&[])).unwrap();
    }

    #[test]
    fn only_rules_of_the_own_tag_apply() {
        let rules = |tag| Request {
            tag: Tag::parse("test", tag).unwrap(),
            rules: TagRules::parse("test", "a:HOST_RDMA:b,b:HOST_TCP:c").unwrap(),
            ..Request::default()
        };
        for (tag, is_fine) in [("a", false), ("b", false), ("c", true), ("", true)] {
            assert_eq!(laptop().check(&rules(tag)).is_ok(), is_fine, "{tag}");
        }
    }

    #[test]
    fn transports_are_a_list_of_names() {
        assert_eq!(parse_transports(" ucx , tcp ").unwrap(), [Engine::Ucx, Engine::Tcp]);
        assert_eq!(parse_transports("auto").unwrap().len(), 3);
        for bad in ["cpu", "tcp,", "rdma", "tcp;ucx"] {
            assert!(parse_transports(bad).unwrap_err().to_string().contains("MF_TRANSPORTS"), "{bad}");
        }
    }

    #[test]
    fn ports_are_read_from_the_kernel() {
        let folder = std::env::temp_dir().join(format!("mf-rdma-{}", std::process::id()));
        for (device, state) in [("mlx5_1", "4: ACTIVE"), ("mlx5_0", "1: DOWN")] {
            let port = folder.join(device).join("ports/1");
            std::fs::create_dir_all(&port).unwrap();
            std::fs::write(port.join("state"), format!("{state}\n")).unwrap();
            std::fs::write(port.join("link_layer"), "Ethernet\n").unwrap();
        }
        let ports = rdma_ports(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(ports, [port(false), RdmaPort { device: "mlx5_1".to_owned(), ..port(true) }]);
        assert!(rdma_ports(&folder).is_empty());
    }
}
