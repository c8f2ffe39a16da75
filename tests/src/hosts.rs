// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Two hosts for all tests of a program: network namespaces with a cable between them, made once.
//!
//! Each is held by a process that ends when its input does, so with the test program, however that ends; the
//! kernel takes the namespace away with the last process in it.

use std::io::{BufRead, BufReader};
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};

use crate::guests;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

/// `true`: every job of the tests that ask for it has its ranks on two hosts.
pub const VARIABLE: &str = "MF_TEST_HOSTS";
/// Below the kernel's ephemeral ports.
const FIRST_PORT: u16 = 5000;

/// The hosts.
#[derive(Debug)]
pub struct Hosts {
    /// None where the hosts are guests.
    holders: Option<[Child; 2]>,
    next_port: AtomicU16,
}

/// The hosts of this program, or the reason for their absence.
///
/// # Errors
/// Returns the hosts, or the missing tool or permission.
pub fn pair() -> Result<&'static Hosts, &'static str> {
    static PAIR: OnceLock<Result<Hosts, String>> = OnceLock::new();
    PAIR.get_or_init(Hosts::new).as_ref().map_err(|reason| &**reason)
}

/// True if jobs have their ranks on two hosts in this run of the tests.
pub fn are_wanted() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| value == "true")
}

impl Hosts {
    fn new() -> Result<Self, String> {
        let next_port = AtomicU16::new(FIRST_PORT);
        if guests::are_used() {
            return Ok(Self { holders: None, next_port });
        }
        let holders = [holder()?, holder()?];
        let other = holders[1].id();
        let hosts = Self { holders: Some(holders), next_port };
        hosts.run(0, &format!("ip link add cable type veth peer name cable netns {other}"))?;
        for host in 0..2 {
            let address = address(host);
            hosts.run(host, &format!("ip addr add {address}/24 dev cable && ip link set cable up"))?;
        }
        Ok(hosts)
    }

    /// Runs a command of the shell on a host.
    fn run(&self, host: usize, command: &str) -> Result<(), String> {
        let through = self.through(host);
        let run = Command::new(&through[0]).args(&through[1..]).args(["sh", "-c", command]).output();
        let output = run.map_err(|error| format!("nsenter cannot be run: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!("{command}: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }

    fn namespace(&self, host: usize) -> Option<String> {
        self.holders.as_ref().map(|holders| format!("/proc/{}/ns/net", holders[host].id()))
    }

    /// The words of a command that runs on a host what follows them, in its place.
    pub fn through(&self, host: usize) -> Vec<String> {
        match self.namespace(host) {
            Some(namespace) => vec!["nsenter".to_owned(), format!("--net={namespace}")],
            None => guests::through(u32::try_from(host).unwrap()),
        }
    }

    /// Does something on a host, on a thread of its own. Guests: on the first alone.
    pub fn on<T: Send>(&self, host: usize, what: impl FnOnce() -> T + Send) -> T {
        let Some(namespace) = self.namespace(host) else {
            assert_eq!(host, 0, "the test program is in the first guest");
            return what();
        };
        let namespace = std::fs::File::open(namespace).expect("the holder lives");
        std::thread::scope(|scope| {
            let there = scope.spawn(move || {
                move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))
                    .expect("the right that made the namespace");
                what()
            });
            there.join().unwrap()
        })
    }

    /// The URL of a store on the first host, on a port that no other had.
    pub(crate) fn next_store(&self) -> String {
        format!("tcp://{}:{}", address(0), self.next_port.fetch_add(1, Ordering::Relaxed))
    }
}

/// The address of a host.
pub fn address(host: usize) -> String {
    format!("10.213.9.{}", host + 1)
}

/// A process that holds a network namespace of its own, with a loopback.
fn holder() -> Result<Child, String> {
    let mut command = Command::new("unshare");
    command.args(["--net", "sh", "-c", "ip link set lo up && echo up && exec cat >/dev/null"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut holder = command.spawn().map_err(|error| format!("unshare cannot be run: {error}"))?;
    let (mut said, output) = (String::new(), holder.stdout.take().unwrap());
    if BufReader::new(output).read_line(&mut said).is_ok_and(|bytes| bytes > 0) {
        return Ok(holder);
    }
    let output = holder.wait_with_output().map_err(|error| error.to_string())?;
    Err(String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; "))
}
