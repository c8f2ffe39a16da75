// SPDX-License-Identifier: Apache-2.0 OR MIT
//! UCX and RDMA: whether they are there, whether they are used, and what older releases cannot do.

use mf_base::settings::Settings;
use mf_net::choice::{Engine, Machine};
use mf_net::ucx;

use super::super::finding::Finding;

/// UcxFacts about UCX.
#[derive(Clone, Debug)]
pub(in super::super) struct UcxFacts {
    /// The version, or the reason for its absence.
    pub(in super::super) version: Result<String, String>,
    /// True if `MF_TRANSPORTS` names it.
    pub(in super::super) is_named: bool,
    /// True if `MF_TRANSPORTS` leaves it out.
    pub(in super::super) is_left_out: bool,
    /// Ports of RDMA cards, as texts.
    pub(in super::super) ports: Vec<String>,
    /// RDMA transports of UCX, or the reason for their absence.
    pub(in super::super) rdma: Result<String, String>,
}

/// Opens libucp.
pub(in super::super) fn gather(settings: &Settings) -> Result<UcxFacts, String> {
    let machine = Machine::here(None, settings.shared_memory, &settings.transports)
        .map_err(|error| error.to_string())?;
    let mut names = settings.transports.split(',').map(str::trim);
    Ok(UcxFacts {
        version: ucx::version().map_err(|error| error.to_string()),
        is_named: names.any(|name| name == Engine::Ucx.as_str()),
        is_left_out: !machine.transports.contains(&Engine::Ucx),
        ports: machine.rdma.iter().map(ToString::to_string).collect(),
        rdma: machine.rdma_way,
    })
}

/// The newest release in which the limits below were seen.
const WITH_LIMITS: (u32, u32) = (1, 13);

/// Findings about UCX.
pub(in super::super) fn diagnose(facts: &UcxFacts) -> Vec<Finding> {
    const INSTALL: &str = "install UCX (Debian: apt-get install libucx0), or MF_TRANSPORTS=tcp";
    let ports = facts.ports.join(", ");
    if facts.is_left_out {
        return vec![Finding::ok("MF_TRANSPORTS leaves UCX out")];
    }
    let version = match &facts.version {
        Err(reason) if facts.is_named => {
            return vec![Finding::error(format!("MF_TRANSPORTS names ucx: {reason}"), INSTALL)];
        }
        Err(reason) if !facts.ports.is_empty() => {
            return vec![Finding::warning(format!("RDMA cards ({ports}) are not used: {reason}"), INSTALL)];
        }
        Err(_) => {
            return vec![Finding::ok(
                "no UCX, and no RDMA card that would need it: hosts are reached by tcp",
            )];
        }
        Ok(version) => version,
    };
    let mut findings = Vec::new();
    match &facts.rdma {
        Ok(text) => findings.push(Finding::ok(text)),
        Err(reason) if !facts.ports.is_empty() => findings.push(Finding::warning(
            format!("UCX {version} is there, and RDMA cards ({ports}) are not used: {reason}"),
            "ucx_info -d shows what UCX sees; check UCX_TLS, UCX_NET_DEVICES and /dev/infiniband",
        )),
        Err(_) if facts.is_named => {
            findings.push(Finding::ok(format!("UCX {version} is used without RDMA, as is set")));
        }
        Err(_) => {
            findings.push(Finding::ok(format!("UCX {version} is there and not needed: no RDMA card")));
        }
    }
    let is_used = facts.is_named || facts.rdma.is_ok();
    if is_used && release(version).is_some_and(|release| release <= WITH_LIMITS) {
        findings.push(Finding::warning(
            format!(
                "UCX {version} may end this process when a peer is killed while the two connect over TCP, and notices \
                 the death of a peer over shared memory by deadlines only"
            ),
            "install a newer UCX; until then keep MF_NET_TIMEOUT short",
        ));
    }
    findings
}

/// Major and minor number of a version.
fn release(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.').map(str::parse::<u32>);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Hinders, Warning};
    use super::super::super::finding::severities;
    use super::*;

    #[test]
    fn ucx_is_rated_by_version_and_use() {
        let no = || Err("no".to_owned());
        let facts =
            |version: Option<&str>, is_named, ports: &[&str], rdma: Result<String, String>| UcxFacts {
                version: version.map(str::to_owned).ok_or_else(|| "libucp is not there".to_owned()),
                is_named,
                is_left_out: false,
                ports: ports.iter().map(|port| (*port).to_owned()).collect(),
                rdma,
            };
        let card = &["mlx5_0:1"][..];
        let used = || Ok("UCX over mlx5_0:1".to_owned());
        let table: [(UcxFacts, &[Severity]); 11] = [
            (facts(None, false, &[], no()), &[Good]),
            (facts(None, true, &[], no()), &[Hinders]),
            (facts(None, false, card, no()), &[Warning]),
            (UcxFacts { is_left_out: true, ..facts(None, false, card, no()) }, &[Good]),
            (facts(Some("1.13.1"), false, &[], no()), &[Good]),
            (facts(Some("1.13.1"), true, &[], no()), &[Good, Warning]),
            (facts(Some("1.13.1"), false, card, used()), &[Good, Warning]),
            (facts(Some("1.17.0"), false, card, used()), &[Good]),
            (facts(Some("1.17.0"), false, card, no()), &[Warning]),
            (facts(Some("2.0.0"), true, &[], no()), &[Good]),
            (facts(Some("odd"), true, &[], no()), &[Good]),
        ];
        for (facts, expected) in table {
            assert_eq!(severities(&diagnose(&facts)), expected, "{facts:?}");
        }
    }
}
