// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A dialer that the listener cannot connect to: two hosts, as network namespaces with a virtual cable, and a
//! dialer whose data address is known on its own host alone. Needs the privilege to create namespaces.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::processes::SUCCESS;
use crate::side::Side;

/// Environment of a side's process: its network namespace, its listening address, the other side's address.
const NAMESPACE: &str = "MF_TEST_NAMESPACE";
const OWN: &str = "MF_TEST_OWN_ADDRESS";
const PEER: &str = "MF_TEST_PEER_ADDRESS";
const ADDRESSES: [&str; 2] = ["10.213.11.1", "10.213.11.2"];
/// Address that the dialer announces for its data.
const HIDDEN: &str = "10.213.12.1";

/// Returns the command of a side, run in its namespace.
pub(crate) fn command(environment: &[(&str, &str)]) -> Command {
    let program = std::env::current_exe().unwrap();
    let Some((_, namespace)) = environment.iter().find(|(name, _)| *name == NAMESPACE) else {
        return Command::new(program);
    };
    let mut command = Command::new("nsenter");
    command.arg(format!("--net={namespace}")).arg(program);
    command
}

/// Returns the listening address of this process, and the address of the other one.
pub(crate) fn addresses() -> [String; 2] {
    [OWN, PEER].map(|variable| std::env::var(variable).unwrap_or_else(|_| "127.0.0.1".to_owned()))
}

/// A process that holds a network namespace until its input ends, so until this process ends.
struct Host(Child);

impl Host {
    fn new() -> Result<Self, String> {
        let mut command = Command::new("unshare");
        command.args(["--net", "sh", "-c", "ip link set lo up && echo up && exec cat >/dev/null"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut holder = command.spawn().map_err(|error| format!("unshare: {error}"))?;
        let mut said = String::new();
        let _ = BufReader::new(holder.stdout.take().unwrap()).read_line(&mut said);
        if said.is_empty() {
            let output = holder.wait_with_output().map_err(|error| error.to_string())?;
            return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
        }
        Ok(Self(holder))
    }

    fn namespace(&self) -> String {
        format!("/proc/{}/ns/net", self.0.id())
    }

    fn run(&self, command: &str) -> Result<(), String> {
        let net = format!("--net={}", self.namespace());
        let output = Command::new("nsenter").args([net.as_str(), "sh", "-c", command]).output();
        let output = output.map_err(|error| format!("nsenter: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(()) } else { Err(format!("{command}: {}", said.trim())) }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn hosts() -> Result<[Host; 2], String> {
    let hosts = [Host::new()?, Host::new()?];
    hosts[0].run(&format!("ip link add cable type veth peer name cable netns {}", hosts[1].0.id()))?;
    for (host, address) in hosts.iter().zip(ADDRESSES) {
        host.run(&format!("ip addr add {address}/24 dev cable && ip link set cable up"))?;
    }
    hosts[1].run(&format!("ip addr add {HIDDEN}/32 dev lo"))?;
    Ok(hosts)
}

#[test]
fn listener_reaches_a_dialer_behind_a_firewall() {
    let hosts = match hosts() {
        Ok(hosts) => hosts,
        Err(reason) => return println!("skip: no network namespaces: {reason}"),
    };
    let sides = [0, 1].map(|number| {
        let namespace = hosts[number].namespace();
        let (own, peer) = (ADDRESSES[number], ADDRESSES[1 - number]);
        let secret = ("MF_JOB_SECRET", "a secret of sixteen bytes and more");
        let nic = if number == 0 { own } else { HIDDEN };
        Side::start(&[(NAMESPACE, &namespace), (OWN, own), (PEER, peer), ("MF_NIC", nic), secret])
    });
    let [mut listener, mut dialer] = sides;
    assert_eq!(listener.call("0 listen 5000 1"), SUCCESS);
    assert_eq!(dialer.call("0 connect 5000 1"), SUCCESS);
    let to = 8 << 20;
    for (bytes, rounds) in [(64, 30), (4096, 30), (65_536, 10), (1 << 20, 4), (8 << 20, 3)] {
        for round in 1..=rounds {
            let seed = round * 7 + bytes;
            // First to a dialer that has been idle so far.
            for is_back in [true, false] {
                let (from, other, port) = match is_back {
                    true => (&mut listener, &mut dialer, 0),
                    false => (&mut dialer, &mut listener, 5000),
                };
                assert_eq!(from.call(&format!("0 fill 0 {bytes} {seed}")), SUCCESS);
                assert_eq!(from.call(&format!("0 put {port} 1 0 {to} {bytes}")), SUCCESS);
                assert_eq!(other.call(&format!("0 stale {to} {bytes} {seed}")), 0, "{bytes} B, {round}");
            }
        }
        let seed = bytes + 3;
        assert_eq!(dialer.call(&format!("0 fill {to} {bytes} {seed}")), SUCCESS);
        assert_eq!(listener.call(&format!("0 get 0 1 0 {to} {bytes}")), SUCCESS);
        assert_eq!(listener.call(&format!("0 stale 0 {bytes} {seed}")), 0, "{bytes} B, back");
    }
    // In streams both ends send a message for each chunk.
    let bytes = 3 << 20;
    dialer.begin(&format!("0 receive 5000 1 {bytes} {bytes} 5"));
    assert_eq!(listener.call(&format!("0 send 0 1 {bytes} 5")), SUCCESS);
    assert_eq!(dialer.finish("receive"), SUCCESS);
    listener.begin(&format!("0 receive 0 1 {bytes} {bytes} 6"));
    assert_eq!(dialer.call(&format!("0 send 5000 1 {bytes} 6")), SUCCESS);
    assert_eq!(listener.finish("receive"), SUCCESS);
}
