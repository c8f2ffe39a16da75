// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Network interfaces: which there are, and on which this process would listen for other hosts.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use mf_base::Rank;
use mf_base::os::interface::{Interface, interfaces};
use mf_base::settings::Settings;
use mf_tcp::nic::{ListenPatterns, choose};

use super::super::finding::Finding;

/// NetworkFacts about the network.
#[derive(Clone, Debug)]
pub(in super::super) struct NetworkFacts {
    pub(in super::super) interfaces: Result<Vec<Interface>, String>,
    /// `MF_NIC`.
    pub(in super::super) nic: String,
    /// Listen addresses of rank 0.
    pub(in super::super) chosen: Result<Vec<SocketAddr>, String>,
    /// Packets of these interfaces hold so many bytes at most.
    pub(in super::super) mtus: Vec<(String, u64)>,
}

/// Asks the kernel.
pub(in super::super) fn gather(settings: &Settings) -> NetworkFacts {
    let found = interfaces().map_err(|error| error.to_string());
    let chosen = found.clone().and_then(|found| {
        let patterns = ListenPatterns::parse(&settings.nic).map_err(|error| error.to_string())?;
        choose(&patterns, &found, Some(Rank(0))).map_err(|error| error.to_string())
    });
    let names: BTreeSet<String> = found.iter().flatten().map(|one| one.name.clone()).collect();
    let mtu = |name: String| {
        let text = std::fs::read_to_string(format!("/sys/class/net/{name}/mtu")).ok()?;
        Some((name, text.trim().parse().ok()?))
    };
    NetworkFacts {
        interfaces: found,
        nic: settings.nic.clone(),
        chosen,
        mtus: names.into_iter().filter_map(mtu).collect(),
    }
}

/// Ethernet without tunnels.
const USUAL_MTU: u64 = 1500;

/// Decides if others can reach this host, and by which addresses.
pub(in super::super) fn diagnose(facts: &NetworkFacts) -> Vec<Finding> {
    let interfaces = match &facts.interfaces {
        Ok(interfaces) => interfaces,
        Err(reason) => {
            return vec![Finding::error(reason, "allow netlink and getifaddrs in this container")];
        }
    };
    let chosen = match &facts.chosen {
        Ok(chosen) => chosen,
        Err(reason) => {
            let all: Vec<String> =
                interfaces.iter().map(|one| format!("{} {}", one.name, one.address)).collect();
            let text = format!("MF_NIC={} cannot be used: {reason}", facts.nic);
            return vec![Finding::error(text, format!("unset MF_NIC, or name one of: {}", all.join(", ")))];
        }
    };
    let name = |address: &SocketAddr| {
        interfaces.iter().find(|one| one.address == address.ip()).map(|one| &*one.name)
    };
    let shown: Vec<String> = chosen
        .iter()
        .map(|address| format!("{} ({})", address.ip(), name(address).unwrap_or("every interface")))
        .collect();
    let by = if facts.nic.is_empty() { "" } else { ", by MF_NIC" };
    let mut findings = vec![Finding::ok(format!("listens for other hosts on {}{by}", shown.join(", ")))];
    let is_alone = |one: &Interface| one.is_loopback || !one.is_up || one.is_link_local();
    if interfaces.iter().all(is_alone) {
        findings.push(
            Finding::note("no interface reaches other hosts: all members must be on this one")
                .remedy("ip link set eth0 up; docker: --network host"),
        );
    } else if chosen.iter().all(|address| address.ip().is_loopback()) {
        findings.push(Finding::warning(
            "other hosts do not reach the loopback",
            "unset MF_NIC, or name an interface",
        ));
    }
    let used: BTreeSet<&str> = chosen.iter().filter_map(name).collect();
    for (name, mtu) in facts.mtus.iter().filter(|(name, mtu)| used.contains(&**name) && *mtu < USUAL_MTU) {
        findings.push(
            Finding::note(format!("packets of {name} hold {mtu} bytes at most: a tunnel, perhaps")).remedy(
                "where large copies hang and small ones do not: mf doctor --listen there, --reach here",
            ),
        );
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Hinders, Note, Warning};
    use super::super::super::finding::severities;
    use super::*;

    fn interface(name: &str, address: &str, is_up: bool) -> Interface {
        Interface {
            name: name.to_owned(),
            address: address.parse().unwrap(),
            prefix_bits: 24,
            is_up,
            is_loopback: name == "lo",
            scope: 1,
        }
    }

    #[test]
    fn interfaces_are_rated_by_reachability() {
        let lo = || interface("lo", "127.0.0.1", true);
        let facts = |interfaces: Vec<Interface>, chosen: Result<&str, &str>, mtu| NetworkFacts {
            interfaces: Ok(interfaces),
            nic: String::new(),
            chosen: chosen.map(|one| vec![one.parse().unwrap()]).map_err(str::to_owned),
            mtus: vec![("eth0".to_owned(), mtu)],
        };
        let both = || vec![lo(), interface("eth0", "10.0.0.2", true)];
        let table: [(NetworkFacts, &[Severity], &str); 7] = [
            (facts(both(), Ok("10.0.0.2:0"), 1500), &[Good], "10.0.0.2 (eth0)"),
            (facts(both(), Ok("10.0.0.2:0"), 1400), &[Good, Note], "1400 bytes"),
            (facts(both(), Ok("127.0.0.1:0"), 1400), &[Good, Warning], "do not reach"),
            (facts(vec![lo()], Ok("127.0.0.1:0"), 1500), &[Good, Note], "no interface"),
            (
                facts(vec![lo(), interface("eth0", "10.0.0.2", false)], Ok("127.0.0.1:0"), 1500),
                &[Good, Note],
                "no interface",
            ),
            (facts(both(), Err("no such interface"), 1500), &[Hinders], "no such interface"),
            (
                NetworkFacts { interfaces: Err("refused".to_owned()), ..facts(both(), Err(""), 1500) },
                &[Hinders],
                "refused",
            ),
        ];
        for (facts, expected, part) in table {
            let findings = diagnose(&facts);
            assert_eq!(severities(&findings), expected, "{facts:?}: {findings:?}");
            assert!(findings.iter().any(|one| one.text.contains(part)), "{findings:?}");
        }
    }
}
