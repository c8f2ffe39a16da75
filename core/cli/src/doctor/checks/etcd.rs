// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The etcd cluster of a store, where the URL names one.

use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use mf_base::settings::Settings;
use mf_bootstrap::StoreUrl;

use super::super::finding::Finding;

/// Members of the etcd cluster in the URL, with connection times or errors.
#[derive(Clone, Debug)]
pub(in super::super) struct EtcdFacts {
    pub(in super::super) members: Vec<(String, Result<Duration, String>)>,
}

/// Longest wait for one address.
const CONNECT: Duration = Duration::from_secs(3);

/// Connects to each.
pub(in super::super) fn gather(settings: &Settings) -> EtcdFacts {
    let Ok(StoreUrl::Etcd { endpoints, .. }) = StoreUrl::parse(&settings.store_url) else {
        return EtcdFacts { members: Vec::new() };
    };
    let members = std::thread::scope(|scope| {
        let begun: Vec<_> =
            endpoints.iter().map(|endpoint| (endpoint, scope.spawn(|| connect(endpoint)))).collect();
        let ended = begun.into_iter().map(|(endpoint, thread)| {
            let result =
                thread.join().unwrap_or_else(|_| Err("the attempt ended by a fault of its own".to_owned()));
            (endpoint.clone(), result)
        });
        ended.collect()
    });
    EtcdFacts { members }
}

fn connect(endpoint: &str) -> Result<Duration, String> {
    let mut why = "the name has no address".to_owned();
    for address in endpoint.to_socket_addrs().map_err(|error| error.to_string())? {
        let started = Instant::now();
        match TcpStream::connect_timeout(&address, CONNECT) {
            Ok(_) => return Ok(started.elapsed()),
            Err(error) => why = format!("{address}: {error}"),
        }
    }
    Err(why)
}

/// Decides if enough members are reachable.
pub(in super::super) fn diagnose(facts: &EtcdFacts) -> Vec<Finding> {
    if facts.members.is_empty() {
        return vec![Finding::ok("not used: the store's URL names no etcd cluster")];
    }
    let all = facts.members.len();
    let lost: Vec<String> = facts
        .members
        .iter()
        .filter_map(|(endpoint, result)| Some(format!("{endpoint}: {}", result.as_ref().err()?)))
        .collect();
    let remedy = "etcdctl endpoint health --cluster; correct the URL, or open port 2379 in the firewall";
    let text =
        format!("{} of {all} members of the etcd cluster do not answer: {}", lost.len(), lost.join("; "));
    vec![match lost.len() {
        0 => Finding::ok(format!("all {all} members of the etcd cluster that the URL names answer")),
        // A member unreachable from here may be reachable by others, but any write needs more than half.
        lost if lost * 2 >= all => Finding::error(text, remedy),
        _ => Finding::warning(text, remedy),
    }]
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Hinders, Warning};
    use super::super::super::finding::severities;
    use super::*;

    #[test]
    fn a_cluster_needs_more_than_half_of_its_members() {
        let table: [(&[bool], Severity); 6] = [
            (&[], Good),
            (&[true], Good),
            (&[false], Hinders),
            (&[true, true, false], Warning),
            (&[true, false, false], Hinders),
            (&[true, false], Hinders),
        ];
        for (answers, severity) in table {
            let member = |is_there: &bool| {
                let result = if *is_there { Ok(Duration::from_millis(1)) } else { Err("refused".to_owned()) };
                ("e:2379".to_owned(), result)
            };
            let facts = EtcdFacts { members: answers.iter().map(member).collect() };
            assert_eq!(severities(&diagnose(&facts)), [severity], "{facts:?}");
        }
    }
}
