// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups of real processes: this program starts itself again as each member.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mf_base::settings::Switch;
use mf_base::{Kind, Rank};
use mf_fabric::group::{Group, Registry};
use mf_store::{Client, ClientOptions, Lifetime, RankWish, Server, ServerOptions, Store};
use mf_tls::Security;

use crate::team::{Seat, gather, ranks, soon};

const PLACE: &str = "MF_TEST_GROUP_MEMBER";

fn security() -> Arc<Security> {
    Security::new(Switch::Off, Vec::new(), None).unwrap()
}

/// A member in a process of its own; killed when dropped.
struct Process {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Process {
    fn start(server: SocketAddr, world: u32, rank: u32, task: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "processes::member_of_another_test", "--nocapture", "--test-threads=1"]);
        command.env(PLACE, format!("{server} {world} {rank} {task}"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    /// The next line that the member said; the test harness says things as well.
    fn said(&mut self) -> String {
        let mut line = String::new();
        while self.lines.read_line(&mut line).unwrap() > 0 {
            if let Some((_, said)) = line.split_once("said: ") {
                return said.trim().to_owned();
            }
            line.clear();
        }
        panic!("the member ended: {:?}", self.child.wait());
    }

    fn end(mut self) {
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn say(what: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "said: {what}").unwrap();
    out.flush().unwrap();
}

fn seat(server: SocketAddr, world: u32, rank: u32) -> Seat {
    let options = ClientOptions {
        wish: RankWish::Exactly(Rank(rank)),
        ..ClientOptions::new(server, world, security())
    };
    let store: Arc<dyn Store> = Arc::new(Client::connect(options).unwrap());
    let registry = Registry::new();
    let own = registry.own_page(Rank(rank)).unwrap();
    let path = format!("/proc/{}/fd/{}", std::process::id(), own.descriptor().unwrap().as_raw_fd());
    store.set(&format!("page/{rank}"), path.as_bytes(), Lifetime::Session).unwrap();
    for other in (0..world).filter(|other| *other != rank) {
        let path = store.wait(&format!("page/{other}"), soon()).unwrap().value;
        let file = std::fs::File::options().read(true).write(true).open(String::from_utf8(path).unwrap());
        registry.adopt_page(Rank(other), OwnedFd::from(file.unwrap())).unwrap();
    }
    Seat { rank: Rank(rank), store, registry, wire: None }
}

/// Does nothing in a run of the tests; the other tests here start it with a place in a job.
#[test]
fn member_of_another_test() {
    let Ok(place) = std::env::var(PLACE) else { return };
    let fields: Vec<&str> = place.split(' ').collect();
    let [server, world, rank, task] = fields[..] else { panic!("{place}") };
    let world = world.parse().unwrap();
    let seat = seat(server.parse().unwrap(), world, rank.parse().unwrap());
    let notified: Arc<Mutex<Vec<Arc<Group>>>> = Arc::default();
    let groups = Arc::clone(&notified);
    seat.store
        .watch_members(Arc::new(move |change| {
            for peer in change.dead.iter().chain(&change.left) {
                groups.lock().unwrap().iter().for_each(|group| group.mark_lost(peer.rank));
            }
        }))
        .unwrap();
    let group = seat.group(&ranks(0..world));
    if task != "not-notified" {
        notified.lock().unwrap().push(Arc::clone(&group));
    }
    match task {
        "rounds" => {
            for round in 0..10_000 {
                group.barrier(soon()).unwrap();
                if round % 100 == 0 {
                    gather(&group, round, 1000 + round);
                }
            }
            say("done");
        }
        "until-death" => {
            say("ready");
            let error = loop {
                if let Err(error) = group.barrier(soon()) {
                    break error;
                }
            };
            assert_eq!(error.kind(), Kind::NotConnected, "{error}");
            say(error.fact("rank").unwrap());
        }
        "waiting" => {
            say("ready");
            let error = group.barrier(soon()).unwrap_err();
            say(&format!("{} {}", error.code(), error.fact("rank").unwrap_or("nobody")));
        }
        "not-notified" => {
            say("ready");
            let until = soon();
            while seat.store.view().unwrap().dead.is_empty() {
                assert!(Instant::now() < until);
                std::thread::yield_now();
            }
            let error = group.barrier(Instant::now()).unwrap_err();
            assert_eq!(error.kind(), Kind::Timeout, "{error}");
            say(error.fact("at_the_store").unwrap());
        }
        "idle" => {
            say("ready");
            let _ = std::io::stdin().read_line(&mut String::new());
        }
        other => panic!("{other}"),
    }
    seat.store.close();
}

fn job(world: u32, task: impl Fn(u32) -> &'static str) -> (Server, Vec<Process>) {
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = Server::start(ServerOptions::new(listen, world, security())).unwrap();
    let address = server.address();
    let members = (0..world).map(|rank| Process::start(address, world, rank, task(rank))).collect();
    (server, members)
}

#[test]
fn processes_meet_ten_thousand_times() {
    for world in [2, 4, 8] {
        let (_server, mut members) = job(world, |_| "rounds");
        for member in &mut members {
            assert_eq!(member.said(), "done");
        }
        members.into_iter().for_each(Process::end);
    }
}

#[test]
fn a_member_killed_amid_barriers_is_named_by_all_others() {
    let (_server, mut members) = job(4, |_| "until-death");
    for member in &mut members {
        assert_eq!(member.said(), "ready");
    }
    members.remove(2).child.kill().unwrap();
    for member in &mut members {
        assert_eq!(member.said(), "2");
    }
    members.into_iter().for_each(Process::end);
}

#[test]
fn a_member_killed_while_all_others_sleep_wakes_them() {
    let (_server, mut members) = job(3, |rank| if rank == 1 { "idle" } else { "waiting" });
    for member in &mut members {
        assert_eq!(member.said(), "ready");
    }
    members[1].child.kill().unwrap();
    for rank in [0, 2] {
        assert_eq!(members[rank].said(), format!("{} 1", Kind::NotConnected.code()));
    }
    drop(members.remove(1));
    members.into_iter().for_each(Process::end);
}

#[test]
fn wait_reports_the_death_of_a_killed_member() {
    let (_server, mut members) = job(2, |rank| if rank == 1 { "idle" } else { "not-notified" });
    for member in &mut members {
        assert_eq!(member.said(), "ready");
    }
    members[1].child.kill().unwrap();
    let said = members[0].said();
    assert!(said.starts_with("it is dead"), "{said}");
    drop(members.remove(1));
    members.into_iter().for_each(Process::end);
}
