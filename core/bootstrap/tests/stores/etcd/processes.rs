// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members in processes of their own, which can be killed and stopped.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use mf_base::{Rank, Result};
use mf_bootstrap::StoreUrl;
use mf_bootstrap::rendezvous::Options;
use mf_store::{Lifetime, RankWish, Store, Timing};
use mf_tls::{Access, JobSecret};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::hosted::{GRACE, Hosted};
use crate::members::{TIMEOUT, timing};

/// Set in the process of a member.
const MARK: &str = "MF_TEST_STORE_PROCESS";
/// Marks each answer, to distinguish it from output of the test harness.
const ANSWER: &str = "\u{1}";

/// A process that follows orders, one a line.
pub(super) struct Process {
    child: Child,
    orders: ChildStdin,
    answers: Receiver<String>,
}

impl Process {
    pub(super) fn start() -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "etcd::processes::follows_orders", "--nocapture", "--test-threads=1"]);
        command.env(MARK, "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (orders, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (answer, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(std::result::Result::ok) {
                if let Some((_, text)) = line.split_once(ANSWER) {
                    // The receiver is gone when the test is over.
                    let _ = answer.send(text.to_owned());
                }
            }
        });
        Self { child, orders, answers }
    }

    pub(super) fn send(&mut self, order: &str) {
        writeln!(self.orders, "{order}").unwrap();
        self.orders.flush().unwrap();
    }

    pub(super) fn answer(&self) -> std::result::Result<String, String> {
        let text = self.answers.recv_timeout(TIMEOUT).expect("the process did not answer");
        text.strip_prefix("ok ").map(str::to_owned).ok_or(text)
    }

    /// Gives an order that succeeds.
    pub(super) fn ask(&mut self, order: &str) -> String {
        self.send(order);
        self.answer().unwrap()
    }

    /// Sends a signal by its name.
    /// Stops all threads: after the signal one that runs goes on for a moment.
    pub(super) fn stop(&self) {
        self.signal("STOP");
        let id = WaitId::Pid(Pid::from_child(&self.child));
        waitid(id, WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT).unwrap();
    }

    pub(super) fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for Process {
    /// As `kill -9`.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The process of [`Process`]; in the process of the tests it has nothing to do.
#[test]
fn follows_orders() {
    if std::env::var_os(MARK).is_none() {
        return;
    }
    let mut member = None;
    for line in std::io::stdin().lines().map_while(std::result::Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        match follow(&mut member, &words) {
            Ok(text) => println!("{ANSWER}ok {text}"),
            Err(error) => println!("{ANSWER}{error}"),
        }
    }
}

fn follow(member: &mut Option<Hosted>, words: &[&str]) -> Result<String> {
    if let ["join", url, rank, world_size, lease_ms, rest @ ..] = words {
        let lease = Duration::from_millis(lease_ms.parse().unwrap());
        let joined = Hosted::join(&Options {
            wish: RankWish::Exactly(Rank(rank.parse().unwrap())),
            init_timeout: TIMEOUT,
            request_timeout: TIMEOUT,
            access: Access {
                secret: rest.first().map(|secret| JobSecret::new(*secret)),
                ..Access::default()
            },
            timing: Some(Timing { lease, ..timing(GRACE) }),
            ..Options::new(StoreUrl::parse(url)?, world_size.parse().unwrap())
        })?;
        let text = if joined.leads() { "leads" } else { "follows" };
        *member = Some(joined);
        return Ok(text.to_owned());
    }
    let store = member.as_ref().unwrap();
    let life = |name: &str| if name == "session" { Lifetime::Session } else { Lifetime::Permanent };
    match words {
        ["set", key, name, value] => store.set(key, value.as_bytes(), life(name)).map(|it| it.to_string()),
        ["add", key] => store.add(key, 1).map(|sum| sum.to_string()),
        ["append", key, value] => store.append(key, value.as_bytes()).map(|bytes| bytes.to_string()),
        ["delete", key] => store.delete(key).map(|was_there| was_there.to_string()),
        ["get", key] => {
            let entry = store.get(key)?;
            Ok(entry.map_or_else(String::new, |entry| String::from_utf8(entry.value).unwrap()))
        }
        ["lock", name] => store.try_lock(name).map(|fence| format!("{fence:?}")),
        ["leads"] => Ok(store.leads().to_string()),
        other => panic!("{other:?}"),
    }
}
