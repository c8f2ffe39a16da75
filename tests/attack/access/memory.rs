// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Transfers to memory that its owner has unmapped under the registration, and between PID namespaces.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use mf_bootstrap::meeting::MeetingPoint;
use mf_tests::skip;
use mf_tls::Access;

use super::row;

const OWNER: &str = "127.0.0.1:5001";
const PEER: &str = "127.0.0.1:5002";
/// Runs a command as pid 1 of a PID namespace.
const CONTAINER: [&str; 6] = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--"];

/// A process with an endpoint, which ends with this.
struct Member {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Member {
    /// Starts one that is called `name` at the store.
    fn start(through: &[&str], shared_memory: &str, store: &MeetingPoint, name: &str) -> Self {
        let mut words = through.iter().copied().chain([env!("CARGO_BIN_EXE_mf-trans-member")]);
        let mut child = Command::new(words.next().unwrap())
            .args(words)
            .envs([("MF_SHM", shared_memory), ("MF_DEVICE", "none")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (orders, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut member = Self { child, orders, answers };
        member.ok(&format!("create tcp://{} {name}", store.address()));
        member
    }

    fn order(&mut self, order: &str) -> String {
        writeln!(self.orders, "{order}").unwrap();
        let mut line = String::new();
        assert!(self.answers.read_line(&mut line).unwrap() > 0, "the process has ended at: {order}");
        line.trim_end().to_owned()
    }

    /// Runs an order that must succeed; returns its output.
    fn ok(&mut self, order: &str) -> String {
        let answer = self.order(order);
        answer.strip_prefix("ok").unwrap_or_else(|| panic!("{order}: {answer}")).trim().to_owned()
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn store() -> MeetingPoint {
    MeetingPoint::open(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), &Access::default()).unwrap()
}

#[test]
fn transfers_to_unmapped_memory_are_refused_and_the_owner_lives() {
    for shared_memory in ["true", "false"] {
        let store = store();
        let [mut owner, mut peer] = [OWNER, PEER].map(|name| Member::start(&[], shared_memory, &store, name));
        let [good, bad] = ["map 65536", "map 65536"].map(|order| owner.ok(order));
        for memory in [&good, &bad] {
            owner.ok(&format!("register {memory} 65536"));
        }
        owner.ok(&format!("unmap {bad} 65536"));
        for order in ["write", "read"] {
            for bytes in [8, 65536] {
                let answer = peer.order(&format!("{order} {OWNER} {bad} {bytes} 1"));
                assert!(answer.starts_with("no -2000 "), "{order}: {answer}");
            }
        }
        peer.ok(&format!("write {OWNER} {good} 65536 7"));
        owner.ok(&format!("find {good} 65536 7"));
        row(
            &format!("transfers to unmapped memory, MF_SHM={shared_memory}"),
            "8 B and 64 KiB, written and read",
            "-2000; the owner lives and serves other memory",
            "no peer ends a process",
        );
    }
}

#[test]
fn equal_pids_in_two_namespaces_are_distinct_processes() {
    let made = Command::new(CONTAINER[0]).args(&CONTAINER[1..]).arg("true").output();
    if !made.is_ok_and(|made| made.status.success()) {
        skip("equal_pids_in_two_namespaces_are_distinct_processes", "no PID namespace can be made here");
        return;
    }
    let store = store();
    let [mut owner, mut peer] = [OWNER, PEER].map(|name| Member::start(&CONTAINER, "true", &store, name));
    for kind in ["map", "allocate"] {
        let memory = owner.ok(&format!("{kind} 65536"));
        owner.ok(&format!("register {memory} 65536"));
        peer.ok(&format!("write {OWNER} {memory} 65536 7"));
        owner.ok(&format!("find {memory} 65536 7"));
        peer.ok(&format!("read {OWNER} {memory} 65536 7"));
        owner.ok(&format!("deregister {memory}"));
        let answer = peer.order(&format!("write {OWNER} {memory} 8 1"));
        assert!(answer.starts_with("no -2000 "), "{answer}");
    }
    row(
        "two processes that are pid 1 of their PID namespaces",
        "transfers to private and to mapped memory",
        "each reaches the other; withdrawn memory is refused",
        "no process is known by its pid",
    );
}
