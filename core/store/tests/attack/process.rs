// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This very program in another process: as the store that is attacked, and as a watcher that is stopped.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Lines, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::Rank;
use mf_base::settings::Switch;
use mf_store::{Change, Client, ClientOptions, Lifetime, RankWish, Server, ServerOptions, Store};
use mf_tls::Security;

pub(crate) const WORLD: u32 = 64;
/// Longest that anything here may take.
const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) fn deadline() -> Instant {
    Instant::now() + TIMEOUT
}

fn security() -> Arc<Security> {
    Security::new(Switch::Auto, Vec::new(), None).unwrap()
}

pub(crate) fn member(address: SocketAddr, rank: u32) -> Client {
    let options = ClientOptions {
        wish: RankWish::Exactly(Rank(rank)),
        connect_deadline: deadline(),
        ..ClientOptions::new(address, WORLD, security())
    };
    Client::connect(options).unwrap()
}

/// A process that lives as long as its input is open.
pub(crate) struct Process {
    child: Child,
    sent: Lines<BufReader<ChildStdout>>,
}

impl Process {
    fn start(words: &[&str]) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let sent = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, sent }
    }

    pub(crate) fn receive(&mut self) -> String {
        self.sent.next().expect("the process has ended").unwrap()
    }

    pub(crate) fn order(&mut self, word: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{word}").unwrap();
    }

    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    /// A figure of `/proc/PID/status`, in bytes.
    pub(crate) fn memory(&self, field: &str) -> usize {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = text.lines().find(|line| line.starts_with(field)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() << 10
    }

    /// Returns the number of open descriptors.
    pub(crate) fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// The peak counts from now on.
    pub(crate) fn forget_peak(&self) {
        std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5").unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A store in a process of its own.
pub(crate) fn store() -> (Process, SocketAddr) {
    let mut process = Process::start(&["serve"]);
    let address = process.receive().parse().unwrap();
    (process, address)
}

/// A member that watches all keys under `w/`, in a process of its own.
pub(crate) fn watcher(address: SocketAddr, rank: u32) -> Process {
    let mut process = Process::start(&["watch", &address.to_string(), &rank.to_string()]);
    assert_eq!(process.receive(), "ready");
    process
}

/// Runs this program's part when it was started as one of these processes.
pub(crate) fn play(words: &[String]) {
    match words {
        [what] if what == "serve" => {
            let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
            let server = Server::start(ServerOptions::new(listen, WORLD, security())).unwrap();
            println!("{}", server.address());
            let _ = std::io::stdin().lines().count();
        }
        [what, address, rank] if what == "watch" => watch(address.parse().unwrap(), rank.parse().unwrap()),
        _ => panic!("{words:?}"),
    }
}

fn watch(address: SocketAddr, rank: u32) {
    let member = member(address, rank);
    let seen: Arc<Mutex<BTreeMap<String, Option<u8>>>> = Arc::default();
    let seeing = Arc::clone(&seen);
    let callback = move |change: &Change| {
        let mut seen = seeing.lock().unwrap();
        match change {
            Change::Put(entry) => seen.insert(entry.key.clone(), entry.value.first().copied()),
            Change::Removed { key, .. } => seen.insert(key.clone(), None),
            Change::StoreLost => seen.insert("lost".to_owned(), None),
        };
    };
    member.watch("w/", Arc::new(callback)).unwrap();
    member.set("alive", b"", Lifetime::Session).unwrap();
    println!("ready");
    for _ in std::io::stdin().lines() {
        // All earlier writes have been reported when the call returns.
        let connected = member.add("asked", 1).is_ok();
        println!("{connected} {:?}", seen.lock().unwrap());
    }
}
