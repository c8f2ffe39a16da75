// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Files that describe the unified bus of a server: addresses of its devices, and its topology.
//!
//! All devices reach each other directly, and the network besides. Each has one address for the first and one
//! for the second.

use std::path::Path;

use serde_json::{Value, json};

/// Name of the file with the addresses, below `/etc`.
pub(super) const RANKS: &str = "hccl_rootinfo.json";
/// The file with the topology, inside the installation.
pub(super) const TOPOLOGY: &str = "driver/topo/950/atlas_850_1.json";
/// Ports of a device: one for the peers, one for the network.
const PORTS: [&str; 2] = ["0/1", "1/1"];

/// Returns true if the product has a unified bus.
pub(super) fn is_in(soc: &str) -> bool {
    ["Ascend950", "Ascend910_95"].iter().any(|line| soc.starts_with(line))
}

/// Addresses of the devices of an installation at `home`.
pub(super) fn ranks(home: &Path, devices: u32) -> String {
    let level = |device: u32, layer: u32| {
        let address = format!("{:032x}", (0xff_u64 << 48) | u64::from(device << 16) | u64::from(layer + 1));
        let port = PORTS[usize::from(layer == 1)];
        json!({
            "net_layer": layer,
            "net_instance_id": layer.to_string(),
            "net_type": if layer == 0 { "TOPO_FILE_DESC" } else { "CLOS" },
            "net_attr": "",
            "rank_addr_list": [{"addr_type": "EID", "addr": address, "plane_id": "0", "ports": [port]}],
        })
    };
    let rank = |device: u32| json!({"device_id": device, "local_id": device, "level_list": [level(device, 0), level(device, 1)]});
    text(&json!({
        "version": "2.0",
        "topo_file_path": home.join(TOPOLOGY),
        "rank_count": devices,
        "rank_list": (0..devices).map(rank).collect::<Vec<_>>(),
    }))
}

/// The topology of a server.
pub(super) fn topology(devices: u32) -> String {
    let network = (0..devices).map(|device| {
        json!({
            "net_layer": 1,
            "link_type": "PEER2NET",
            "topo_type": "CLOS",
            "topo_instance_id": 0,
            "protocols": ["UB_CTP"],
            "local_a": device,
            "local_a_ports": [PORTS[1]],
            "position": "DEVICE",
        })
    });
    let pairs = (0..devices).flat_map(|one| (one + 1..devices).map(move |other| (one, other)));
    let peers = pairs.map(|(one, other)| {
        json!({
            "net_layer": 0,
            "link_type": "PEER2PEER",
            "topo_type": "1DMESH",
            "topo_instance_id": 0,
            "protocols": ["UB_CTP"],
            "local_a": one,
            "local_a_ports": [PORTS[0]],
            "local_b": other,
            "local_b_ports": [PORTS[0]],
            "position": "DEVICE",
        })
    });
    let edges: Vec<Value> = network.chain(peers).collect();
    text(&json!({
        "version": "2.0",
        "hardware_type": "simulated",
        "peer_count": devices,
        "peer_list": (0..devices).map(|device| json!({"local_id": device})).collect::<Vec<_>>(),
        "edge_count": edges.len(),
        "edge_list": edges,
    }))
}

fn text(value: &Value) -> String {
    format!("{value:#}\n")
}
