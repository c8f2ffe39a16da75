// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Stores that are absent, foreign or of another job, and members that do not fit.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use mf_base::Kind;
use mf_tests::{Init, Order};

use super::jobs::{SMALL, job};

/// Long enough to find out, short enough to wait for.
const SHORT_MS: u64 = 300;

/// A program that is no store.
struct Foreign {
    url: String,
    port: u16,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Foreign {
    /// Answers every connection with `handle`.
    fn start(handle: impl Fn(TcpStream) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            for connection in listener.incoming() {
                if stopped.load(Ordering::Acquire) {
                    return;
                }
                handle(connection.unwrap());
            }
        });
        Self { url: format!("tcp://127.0.0.1:{port}"), port, stop, thread: Some(thread) }
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        self.thread.take().unwrap().join().unwrap();
    }
}

#[test]
fn a_foreign_program_on_the_port_is_distinguished_from_a_store() {
    let held = std::sync::Mutex::new(Vec::new());
    let silent = Foreign::start(move |connection| held.lock().unwrap().push(connection));
    let garbage = Foreign::start(|mut connection| {
        let _ = connection.write_all(&[0x5a; 4096]);
        let _ = connection.read(&mut [0; 64]);
    });
    let web = Foreign::start(|mut connection| {
        let _ = connection.read(&mut [0; 64]);
        let _ = connection
            .write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
    let closing = Foreign::start(drop);
    let job = job(2);
    let mut process = job.process("process");
    for (foreign, part) in [
        (&silent, "sent nothing"),
        (&garbage, "not a memfabric store"),
        (&web, "not a memfabric store"),
        (&closing, "closed the connection"),
    ] {
        let init = |rank, start_store| {
            Order::Init(Init {
                url: foreign.url.clone(),
                rank,
                start_store,
                init_ms: SHORT_MS,
                ..job.init(0)
            })
        };
        let port = foreign.port.to_string();
        // The member that should start the store finds the port in use; a connecting member finds an unknown
        // service there.
        process.refused(&init(Some(0), true)).expect(Kind::InUse, &["in use", &port, part]);
        process.refused(&init(None, true)).expect(Kind::NotConnected, &[&port, part]);
        process.refused(&init(Some(1), false)).expect(Kind::NotConnected, &[&port, part]);
    }
    job.finish(vec![process]);
}

#[test]
fn absent_store_is_named_at_the_timeout() {
    let job = job(2);
    let mut process = job.process("process");
    for rank in [Some(1), None] {
        let init = Init { rank, start_store: false, init_ms: SHORT_MS, ..job.init(1) };
        process
            .refused(&Order::Init(init))
            .expect(Kind::Timeout, &["no store answered", &job.url(), "rank 0"]);
    }
    job.finish(vec![process]);
}

#[test]
fn late_store_is_found() {
    let job = job(2);
    let mut early = job.process("rank 1");
    early.send(&Order::Init(job.init(1)));
    let mut late = job.process("rank 0");
    late.ok(&Order::Init(job.init(0)));
    early.answer().unwrap();
    job.finish(vec![late, early]);
}

#[test]
fn malformed_urls_are_refused_naming_the_wrong_part() {
    let job = job(1);
    let mut process = job.process("process");
    for (url, part) in [
        ("", "empty"),
        ("127.0.0.1:5570", "no scheme"),
        ("tcp:/127.0.0.1:5570", "no scheme"),
        ("tcp:://127.0.0.1:5570", "tcp:"),
        ("http://127.0.0.1:5570", "http"),
        ("TCP://127.0.0.1:5570", "TCP"),
        ("etcd://127.0.0.1", "port is missing"),
        ("reg://nowhere.invalid:2379", "\"nowhere.invalid\" has no address"),
        ("tcp://", "address is missing"),
        ("tcp://:5570", "address is missing"),
        ("tcp://127.0.0.1", "port is missing"),
        ("tcp://127.0.0.1:", "port is missing"),
        ("tcp://nowhere.invalid:5570", "\"nowhere.invalid\" has no address"),
        ("tcp://-a:5570", "neither a numeric address nor a host name"),
        ("tcp://256.0.0.1:5570", "numeric address"),
        ("tcp://127.0.0.1/8:5570", "numeric address"),
        ("tcp://::1:5570", "brackets"),
        ("tcp://[::1:5570", "closing bracket"),
        ("tcp://[::1]5570", "between"),
        ("tcp6://127.0.0.1:5570", "IPv6"),
        ("tcp://127.0.0.1:0", "outside 1025"),
        ("tcp://127.0.0.1:1024", "outside 1025"),
        ("tcp://127.0.0.1:65536", "outside 1025"),
        ("tcp://127.0.0.1:0x15c2", "decimal"),
        ("tcp://127.0.0.1:5570 ", "decimal"),
        ("tcp://127.0.0.1:5570/path", "decimal"),
        ("tcp://127.0.0.1:55\u{0}70", "null"),
        ("tcp://224.0.0.1:5570", "multicast"),
    ] {
        let init = Init { url: url.to_owned(), ..job.init(0) };
        process
            .refused(&Order::Init(init))
            .expect(Kind::InvalidParam, &["store url", part, "expected tcp://"]);
    }
    job.finish(vec![process]);
}

#[test]
fn impossible_members_are_refused_at_once() {
    let job = job(2);
    let mut process = job.process("process");
    for (init, part) in [
        (Init { world: 0, rank: None, ..job.init(0) }, "world_size 0"),
        (Init { world: 16_385, ..job.init(0) }, "world_size 16385"),
        (Init { world: u32::MAX, ..job.init(0) }, "world_size 4294967295"),
        (Init { rank: Some(2), ..job.init(0) }, "rank 2"),
        (Init { rank: Some(u32::MAX), ..job.init(0) }, "rank 4294967295"),
        (Init { init_ms: 0, ..job.init(0) }, "timeout init"),
        (Init { create_ms: 0, ..job.init(0) }, "timeout create"),
        (Init { control_ms: 0, ..job.init(0) }, "timeout control"),
    ] {
        process.refused(&Order::Init(init)).expect(Kind::InvalidParam, &[part]);
    }
    job.finish(vec![process]);
}

#[test]
fn mismatched_members_are_refused_without_disturbing_the_job() {
    let job = job(2);
    let mut members = job.pool(SMALL);
    let mut process = job.process("process");
    process
        .refused(&Order::Init(Init { world: 3, ..job.init(1) }))
        .expect(Kind::InvalidParam, &["world size is 3 here and 2", &job.url()]);
    process.refused(&Order::Init(job.init(1))).expect(Kind::Duplicated, &["rank 1 is taken"]);
    // A second rank 0 finds the port in use and a store behind it, and then its rank taken.
    process.refused(&Order::Init(job.init(0))).expect(Kind::Duplicated, &["rank 0 is taken"]);
    let init = Init { rank: None, init_ms: SHORT_MS, start_store: false, ..job.init(0) };
    process.refused(&Order::Init(init)).expect(Kind::Timeout, &["all 2 ranks are taken"]);
    super::jobs::all_reach_all(&mut members, &[0, 1]);
    members.push(process);
    job.finish(members);
}

#[test]
fn waiting_member_gets_the_rank_of_a_dead_one() {
    let job = job(2);
    let mut members = job.members(0..2);
    let mut waiting = job.process("waiting");
    waiting.send(&Order::Init(Init { rank: None, start_store: false, ..job.init(0) }));
    members[1].kill();
    assert_eq!(waiting.answer().unwrap(), mf_tests::Answer::Number(1));
    members[1] = waiting;
    job.finish(members);
}

#[test]
fn a_wrong_job_secret_is_refused_on_either_side() {
    let mut job = job(3);
    job.set("MF_JOB_SECRET", "swordfish");
    let mut members = job.members(0..2);
    for (secret, text) in [("herring", "job secret differs"), ("", "encrypted connections only")] {
        job.set("MF_JOB_SECRET", secret);
        let mut unknown = job.process("unknown peer");
        unknown.refused(&Order::Init(job.init(2))).expect(Kind::InvalidParam, &[text, "MF_JOB_SECRET"]);
        assert!(!job.transcript().contains("swordfish"), "the secret is shown");
        members.push(unknown);
    }
    job.set("MF_JOB_SECRET", "swordfish");
    members.push(job.member(2));
    job.finish(members);
}

#[test]
fn unusable_settings_are_refused_with_their_name() {
    let mut job = job(1);
    for (name, value, part) in [
        ("MF_COPY_ASSIST", "maybe", "auto, on or off"),
        ("MF_STREAM_FROM", "many", "MF_STREAM_FROM"),
        ("MF_ADDRESS_BASE", "0xhigh", "hexadecimal"),
        ("MF_JOB_SECRET_FILE", "/nowhere/secret", "/nowhere/secret"),
    ] {
        job.set(name, value);
        let mut process = job.process("process");
        process.refused(&Order::Init(job.init(0))).expect(Kind::InvalidParam, &[name, part]);
        job.finish(vec![process]);
        job.unset(name);
    }
}
