// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A relay on the path between two members that holds the bytes of a put, and releases them after a later
//! one.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use mf_base::Kind;
use mf_tests::job::{answers, each};
use mf_tests::{Init, Job, Member, Order, deadline, host, skip};

use super::{MIB, SMALL, row};

/// The relay of `python/tests/relay.py`, in a network namespace of its own.
struct Relay {
    process: Child,
    orders: BufReader<UnixStream>,
    socket: PathBuf,
}

impl Relay {
    /// Starts it; the error is the reason why that is not possible.
    fn start() -> Result<Self, String> {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/tests/relay.py");
        let socket = std::env::temp_dir().join(format!("mf-relay-{}", std::process::id()));
        let mut command = Command::new("unshare");
        command.args(["--net", "python3"]).arg(program).arg(&socket);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("unshare: {error}"))?;
        let mut said = String::new();
        let _ = BufReader::new(process.stdout.take().unwrap()).read_line(&mut said);
        if said.trim() == "ready" {
            let orders = BufReader::new(UnixStream::connect(&socket).unwrap());
            orders.get_ref().set_read_timeout(Some(deadline::limit())).unwrap();
            return Ok(Self { process, orders, socket });
        }
        let _ = process.kill();
        let _ = process.stderr.take().unwrap().read_to_string(&mut said);
        process.wait().unwrap();
        Err(format!("no relay in a network namespace: {}; run as root", said.trim()))
    }

    fn order(&mut self, order: &str) {
        self.orders.get_mut().write_all(format!("{order}\n").as_bytes()).unwrap();
        let mut answer = String::new();
        self.orders.read_line(&mut answer).unwrap();
        assert_eq!(answer, "ok\n", "{order}");
    }

    /// The members of a job in its namespace, joined to pool 0.
    fn pool(&self, job: &Job) -> Vec<Member> {
        let through = ["nsenter".to_owned(), format!("--net=/proc/{}/ns/net", self.process.id())];
        let start = |rank| {
            let mut member = job.process_through(&through, &format!("rank {rank}"));
            member.send(&Order::Init(Init { start_store: rank == 0, ..job.init(rank) }));
            member
        };
        let mut members: Vec<Member> = (0..job.world()).map(start).collect();
        answers(&mut members);
        each(&mut members, &Order::Create(0, SMALL));
        each(&mut members, &Order::Join(0));
        members
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_file(&self.socket);
    }
}

#[test]
fn delayed_failed_put_does_not_overwrite_a_later_one() {
    let mut relay = match Relay::start() {
        Ok(relay) => relay,
        Err(reason) => {
            return skip("delayed_failed_put_does_not_overwrite_a_later_one", reason);
        }
    };
    let mut job = Job::at(env!("CARGO_BIN_EXE_mf-rank"), 2, "tcp://127.0.0.1:5570");
    let secret = "a secret of sixteen bytes and more";
    for (name, value) in [("MF_SHM", "false"), ("MF_NET_TIMEOUT", "1s"), ("MF_JOB_SECRET", secret)] {
        job.set(name, value);
    }
    let mut members = relay.pool(&job);
    let (failed, later, bytes) = (1, 2, 3 * MIB);
    let there = |offset| host(1, offset);
    relay.order("hold");
    let failure = members[0].refused(&Order::Put(0, there(0), bytes, failed));
    failure.expect(Kind::Timeout, &["rank 1"]);
    members[0].ok(&Order::Put(0, there(0), 64, later));
    for is_released in [false, true] {
        if is_released {
            relay.order("release");
        }
        members[1].ok(&Order::Check(0, there(0), 64, later));
        members[1].ok(&Order::CheckZeroes(0, there(64), bytes - 64));
    }
    job.finish(members);
    row(
        "relay on the path",
        "3 MiB of a put that timed out, after a later put of 64 B",
        "discarded; the later put stands",
        "nothing is written over a later operation",
    );
}
