// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Hosts: network namespaces on one bridge, and processes in them.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};

use mf_tests::{deadline, guests};

/// Network devices of a guest that have an RDMA device each.
pub(crate) const RAILS: [&str; 2] = ["eth0", "eth1"];

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Some hosts with a cable each to one switch. Dropping it takes all of it away.
pub(crate) struct Hosts {
    name: String,
    count: u32,
}

impl Hosts {
    /// Sets up `count` hosts, or says why not.
    pub(crate) fn new(count: u32) -> Result<Self, String> {
        if guests::are_used() {
            let name = String::new();
            return if count <= guests::COUNT {
                Ok(Self { name, count })
            } else {
                Err("there are two guests".to_owned())
            };
        }
        let name = format!("mft{}x{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let hosts = Self { name, count };
        let switch = hosts.space("s");
        ip(&["netns", "add", &switch])?;
        ip(&["-n", &switch, "link", "add", "br0", "type", "bridge"])?;
        ip(&["-n", &switch, "link", "set", "br0", "up"])?;
        for host in 0..count {
            let space = hosts.space(&host.to_string());
            let plug = format!("p{host}");
            ip(&["netns", "add", &space])?;
            ip(&["-n", &space, "link", "set", "lo", "up"])?;
            ip(&[
                "-n", &space, "link", "add", "eth0", "type", "veth", "peer", "name", &plug, "netns", &switch,
            ])?;
            ip(&["-n", &space, "addr", "add", &format!("{}/24", address(host)), "dev", "eth0"])?;
            ip(&["-n", &space, "link", "set", "eth0", "up"])?;
            ip(&["-n", &switch, "link", "set", &plug, "master", "br0", "up"])?;
        }
        Ok(hosts)
    }

    fn space(&self, host: &str) -> String {
        format!("{}-{host}", self.name)
    }

    /// Pulls the cable of a host, or puts it in again.
    pub(crate) fn cable(&self, host: u32, plugged: bool) {
        if guests::are_used() {
            // Frames are lost in both directions; the devices notice nothing, as with a cable behind a
            // switch.
            for guest in 0..guests::COUNT {
                self.rails(
                    guest,
                    if plugged { "del" } else { "add" },
                    if plugged { "" } else { "netem loss 100%" },
                )
                .unwrap();
            }
            return;
        }
        let state = if plugged { "up" } else { "down" };
        ip(&["-n", &self.space("s"), "link", "set", &format!("p{host}"), state]).unwrap();
    }

    /// Resets the connections of a host to another, except the store's on a port; fails if this kernel
    /// cannot.
    pub(crate) fn reset(&self, host: u32, to: u32, store_port: u16) -> Result<(), String> {
        let filter = format!("dst {} and dport != :{store_port} and sport != :{store_port}", address(to));
        let mut words = vec!["netns", "exec"];
        let space = self.space(&host.to_string());
        words.extend([&*space, "ss", "-H", "-t", "-n", "-K"]);
        words.extend(filter.split(' '));
        let output =
            Command::new("ip").args(&words).output().map_err(|error| format!("ip cannot be run: {error}"))?;
        if output.status.success() && !output.stdout.is_empty() {
            return Ok(());
        }
        Err(format!("ss -K resets nothing: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }

    /// The words of a command that runs on a host what follows them.
    pub(crate) fn through(&self, host: u32) -> Vec<String> {
        if guests::are_used() {
            return guests::through(host);
        }
        ["ip", "netns", "exec", &self.space(&host.to_string())].map(str::to_owned).to_vec()
    }

    /// Lets a host send packets of so many bytes at most.
    pub(crate) fn mtu(&self, host: u32, bytes: u32) {
        let space = self.space(&host.to_string());
        ip(&["-n", &space, "link", "set", "eth0", "mtu", &bytes.to_string()]).unwrap();
    }

    /// Makes packets of a host late and lossy, in netem's syntax; fails if this kernel cannot.
    pub(crate) fn degrade(&self, host: u32, how: &str) -> Result<(), String> {
        if guests::are_used() {
            return self.rails(host, "replace", &format!("netem {how}"));
        }
        let mut words = vec!["-n".to_owned(), self.space(&host.to_string())];
        words.extend("qdisc replace dev eth0 root netem".split(' ').map(str::to_owned));
        words.extend(how.split(' ').map(str::to_owned));
        let output = Command::new("tc").args(&words).output();
        let output = output.map_err(|error| format!("tc cannot be run: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!("tc netem: {}", String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ")))
    }

    /// Changes the queues of both rails of a guest.
    fn rails(&self, guest: u32, change: &str, how: &str) -> Result<(), String> {
        queues(guest, &RAILS, change, how)
    }

    /// A command that runs on a host, without the settings of this process.
    pub(crate) fn command(&self, host: u32, program: impl AsRef<Path>) -> Command {
        let mut command = match self.through(host).split_first() {
            None => Command::new(program.as_ref()),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(program.as_ref());
                command
            }
        };
        for (variable, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MF_"))
        {
            command.env_remove(variable);
        }
        command
    }

    /// Starts a member of the store on a host.
    pub(crate) fn member(&self, host: u32, environment: &[(&str, &str)]) -> Member {
        let mut command = self.command(host, env!("CARGO_BIN_EXE_mf-store-member"));
        command.envs(environment.iter().copied());
        Member::start(command)
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        if guests::are_used() {
            for guest in 0..self.count {
                // There is none to delete unless a test degraded or cut the link.
                let _ = self.rails(guest, "del", "");
            }
            return;
        }
        for host in (0..self.count).map(|host| host.to_string()).chain(["s".to_owned()]) {
            let _ = ip(&["netns", "del", &self.space(&host)]);
        }
    }
}

/// Changes the queues of rails of a guest, in the syntax of `tc qdisc`.
pub(crate) fn queues(guest: u32, rails: &[&str], change: &str, how: &str) -> Result<(), String> {
    // One command, as each takes seconds in an emulated guest.
    let commands: Vec<String> =
        rails.iter().map(|rail| format!("tc qdisc {change} dev {rail} root {how}")).collect();
    guests::shell(guest, &commands.join(" && "))
}

/// The address of a host.
pub(crate) fn address(host: u32) -> String {
    format!("10.213.7.{}", host + 1)
}

fn ip(arguments: &[&str]) -> Result<(), String> {
    let output =
        Command::new("ip").args(arguments).output().map_err(|error| format!("ip cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("ip {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim()))
}

/// A process of `mf-store-member`. Dropping it kills it.
pub(crate) struct Member {
    child: Child,
    orders: ChildStdin,
    answers: Receiver<String>,
}

impl Member {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the member starts");
        let (orders, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, orders, answers }
    }

    /// Sends an order; [`answer`](Self::answer) takes its answer.
    pub(crate) fn send(&mut self, order: &str) {
        writeln!(self.orders, "{order}").expect("the member is alive");
    }

    /// The answer to the oldest order.
    #[track_caller]
    pub(crate) fn answer(&mut self) -> Result<String, String> {
        let line = self.answers.recv_timeout(deadline::limit() * 2).expect("the member answers in time");
        match line.split_once(' ') {
            Some(("ok", text)) => Ok(text.to_owned()),
            Some(("error", text)) => Err(text.to_owned()),
            _ => Err(line),
        }
    }

    /// Orders something that works.
    #[track_caller]
    pub(crate) fn ok(&mut self, order: &str) -> String {
        self.send(order);
        self.answer().unwrap_or_else(|error| panic!("{order}: {error}"))
    }

    /// Orders something that is refused.
    #[track_caller]
    pub(crate) fn refused(&mut self, order: &str) -> String {
        self.send(order);
        self.answer().expect_err(order)
    }

    /// Waits until the member was notified of `event`.
    #[track_caller]
    pub(crate) fn await_event(&mut self, event: &str) {
        let mut received = Vec::new();
        let came = deadline::wait_until(|| {
            received.extend(self.ok("events").split(' ').map(str::to_owned));
            received.iter().any(|one| one == event)
        });
        assert!(came, "{event} was not received, but {received:?}");
    }

    /// Ends the process without a word.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
