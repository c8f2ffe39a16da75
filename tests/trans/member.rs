// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Processes with endpoints, and the store where they meet.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use mf_bootstrap::meeting::MeetingPoint;
use mf_tests::deadline::wait_until;
use mf_tls::Access;
use rustix::process::{Pid, Signal, kill_process};

/// Routes of transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Road {
    /// By the kernel, or mapped.
    Host,
    /// The same, and large copies by two threads, also where one is as fast.
    HostTwice,
    /// By the kernel, or mapped, where no network is allowed.
    HostOnly,
    /// Over TCP, as between hosts.
    Network,
    /// Over TCP with TLS.
    Encrypted,
}

pub(crate) const ROADS: [Road; 2] = [Road::Host, Road::Network];

/// Those within a host, for large copies.
pub(crate) const HOST_ROADS: [Road; 2] = [Road::Host, Road::HostTwice];

/// Operations that hang end after so many milliseconds.
const LONG_MS: u64 = 60_000;
/// The same, where that is to happen.
const SHORT_MS: u64 = 1500;

/// A store.
pub(crate) struct Place(MeetingPoint);

impl Place {
    pub(crate) fn open() -> Self {
        let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Self(MeetingPoint::open(anywhere, &Access::default()).unwrap())
    }

    pub(crate) fn url(&self) -> String {
        format!("tcp://{}", self.0.address())
    }

    /// A process with an endpoint of this name.
    pub(crate) fn member(&self, name: &str, road: Road) -> Member {
        self.create(Member::start(name, road))
    }

    /// A member with short timeouts of its operations.
    pub(crate) fn hasty_member(&self, name: &str, road: Road) -> Member {
        self.create(Member::start_with(name, road, SHORT_MS))
    }

    fn create(&self, mut member: Member) -> Member {
        let name = member.name.clone();
        member.ok(&format!("create {} {name}", self.url()));
        member
    }
}

/// A process. It ends with this.
pub(crate) struct Member {
    pub(crate) name: String,
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// A refusal: code and text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused(pub(crate) i32, pub(crate) String);

impl Member {
    pub(crate) fn start(name: &str, road: Road) -> Self {
        Self::start_with(name, road, LONG_MS)
    }

    fn start_with(name: &str, road: Road, timeout_ms: u64) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mf-trans-member"))
            .env("MF_SHM", if [Road::Network, Road::Encrypted].contains(&road) { "false" } else { "true" })
            .env("MF_COPY_ASSIST", if road == Road::HostTwice { "on" } else { "auto" })
            .env("MF_TRANSPORTS", if road == Road::HostOnly { "cma" } else { "auto" })
            .env("MF_NET_TLS", if road == Road::Encrypted { "on" } else { "auto" })
            .env("MF_NET_TIMEOUT", format!("{timeout_ms}ms"))
            .env("MF_DEVICE", "none")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (orders, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { name: name.to_owned(), child, orders, answers }
    }

    /// Sends an order; its answer is taken later.
    pub(crate) fn send(&mut self, order: &str) {
        writeln!(self.orders, "{order}").unwrap();
        self.orders.flush().unwrap();
    }

    /// The answer to the oldest order.
    pub(crate) fn answer(&mut self) -> Result<String, Refused> {
        let mut line = String::new();
        assert!(self.answers.read_line(&mut line).unwrap() > 0, "{} has ended", self.name);
        let line = line.trim_end();
        if let Some(text) = line.strip_prefix("ok") {
            return Ok(text.trim().to_owned());
        }
        let (code, text) = line.strip_prefix("no ").unwrap().split_once(' ').unwrap();
        Err(Refused(code.parse().unwrap(), text.to_owned()))
    }

    pub(crate) fn order(&mut self, order: &str) -> Result<String, Refused> {
        self.send(order);
        self.answer()
    }

    #[track_caller]
    pub(crate) fn ok(&mut self, order: &str) -> String {
        self.order(order).unwrap_or_else(|refused| panic!("{}: {order}: {refused:?}", self.name))
    }

    /// The order is refused with this code, and the text has this in it.
    #[track_caller]
    pub(crate) fn refused(&mut self, order: &str, code: i32, text: &str) {
        let Refused(is, said) = self.order(order).expect_err(order);
        assert!(is == code && said.contains(text), "{order}: {is} {said}");
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Stops it; none of its threads runs when this returns.
    pub(crate) fn stop(&self) {
        self.signal(Signal::STOP);
        let tasks = format!("/proc/{}/task", self.child.id());
        let stands = |task: std::fs::DirEntry| {
            let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            // Behind the name, which may have anything in it, comes the state.
            stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('T'))
        };
        assert!(wait_until(|| std::fs::read_dir(&tasks).unwrap().flatten().all(stands)), "it does not stop");
    }

    pub(crate) fn go_on(&self) {
        self.signal(Signal::CONT);
    }

    pub(crate) fn kill(mut self) {
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
