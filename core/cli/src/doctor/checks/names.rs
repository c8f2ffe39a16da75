// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Host names: checks that this host's own name and rank 0's resolve to addresses.

use std::net::{IpAddr, ToSocketAddrs};

use mf_base::settings::launcher_environment;

use super::super::finding::Finding;

/// Names and their addresses.
#[derive(Clone, Debug)]
pub(in super::super) struct NamesFacts {
    /// This host.
    pub(in super::super) own: Resolved,
    /// Variables of launchers that name the host of rank 0.
    pub(in super::super) first: Vec<(&'static str, Resolved)>,
}

/// A name.
#[derive(Clone, Debug)]
pub(in super::super) struct Resolved {
    pub(in super::super) name: String,
    pub(in super::super) addresses: Result<Vec<IpAddr>, String>,
}

/// Asks the resolver, which may take its time.
pub(in super::super) fn gather() -> NamesFacts {
    let own = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let variables = launcher_environment();
    let first = ["MASTER_ADDR", "SHMEM_MASTER_ADDR"].into_iter().filter_map(|variable| {
        let name = variables.get(variable).filter(|name| !name.is_empty())?;
        Some((variable, resolve(name.clone())))
    });
    NamesFacts { own: resolve(own), first: first.collect() }
}

fn resolve(name: String) -> Resolved {
    let addresses = (name.as_str(), 0).to_socket_addrs().map_err(|error| error.to_string());
    let addresses = addresses.map(|found| found.map(|address| address.ip()).collect());
    Resolved { name, addresses }
}

/// Findings about names.
pub(in super::super) fn diagnose(facts: &NamesFacts) -> Vec<Finding> {
    let mut findings = Vec::new();
    let name = &facts.own.name;
    let hosts = "add it to /etc/hosts, with an address that the other hosts reach";
    match &facts.own.addresses {
        Err(reason) => findings.push(Finding::warning(
            format!(
                "the name of this host, {name}, has no address: {reason}; launchers may name hosts by it"
            ),
            hosts,
        )),
        Ok(addresses) if addresses.iter().all(|address| address.to_canonical().is_loopback()) => findings
            .push(
                Finding::note(format!(
                    "the name of this host, {name}, leads to the loopback: other hosts see another address"
                ))
                .remedy(hosts),
            ),
        Ok(addresses) => {
            let all: Vec<String> = addresses.iter().map(ToString::to_string).collect();
            findings.push(Finding::ok(format!("{name} is {}", all.join(", "))));
        }
    }
    for (variable, first) in &facts.first {
        let name = &first.name;
        findings.push(match &first.addresses {
            Err(reason) => Finding::error(
                format!("{variable} is {name}, which has no address: {reason}"),
                format!("set {variable} to an address, or add the name to /etc/hosts"),
            ),
            Ok(addresses) => {
                let all: Vec<String> = addresses.iter().map(ToString::to_string).collect();
                Finding::ok(format!("{variable} is {name}: {}", all.join(", ")))
            }
        });
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Hinders, Note, Warning};
    use super::super::super::finding::severities;
    use super::*;

    type Row<'a> = (Result<&'a str, &'a str>, Option<Result<&'a str, &'a str>>, &'a [Severity]);

    #[test]
    fn host_names_are_rated_by_their_addresses() {
        let resolved = |addresses: Result<&str, &str>| Resolved {
            name: "node1".to_owned(),
            addresses: addresses.map(|one| vec![one.parse().unwrap()]).map_err(str::to_owned),
        };
        let table: [Row<'_>; 5] = [
            (Ok("10.0.0.2"), None, &[Good]),
            (Ok("127.0.1.1"), None, &[Note]),
            (Err("not known"), None, &[Warning]),
            (Ok("10.0.0.2"), Some(Ok("10.0.0.1")), &[Good, Good]),
            (Ok("10.0.0.2"), Some(Err("not known")), &[Good, Hinders]),
        ];
        for (own, first, expected) in table {
            let first = first.map(|first| ("MASTER_ADDR", resolved(first))).into_iter().collect();
            let facts = NamesFacts { own: resolved(own), first };
            assert_eq!(severities(&diagnose(&facts)), expected, "{facts:?}");
        }
    }
}
