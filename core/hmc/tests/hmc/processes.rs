// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Communicators in separate processes, driven by lines on their standard input.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use crate::side::{self, Side};

/// Statuses as numbers.
pub(crate) const SUCCESS: i64 = 0;
pub(crate) const ERROR: i64 = 1;
pub(crate) const NOT_FOUND: i64 = 5;

pub(crate) fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// Repeats an attempt until it has this result.
pub(crate) fn until(expected: i64, mut attempt: impl FnMut() -> i64) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while attempt() != expected {
        assert!(Instant::now() < deadline, "the status {expected} does not come");
    }
}

/// Starts two processes, of which the second has dialled the first.
pub(crate) fn pair(environment: &[(&str, &str)]) -> (Side, Side, u16) {
    let (mut listener, mut dialer) = (Side::start(environment), Side::start(environment));
    let mut port = free_port();
    while listener.call(&format!("0 listen {port} 1")) != SUCCESS {
        port = free_port();
    }
    assert_eq!(dialer.call(&format!("0 connect {port} 1")), SUCCESS);
    (listener, dialer, port)
}

/// Puts of all sizes, each of which the other process reads after a message that takes another path.
fn never_stale(environment: &[(&str, &str)], rounds: u64) {
    let (mut listener, mut dialer, port) = pair(environment);
    for (bytes, rounds) in [(64, rounds), (4096, rounds), (65_536, rounds / 2), (1 << 20, 8), (8 << 20, 4)] {
        for round in 1..=rounds {
            let seed = round * 7 + bytes;
            for is_back in [false, true] {
                let (from, to, port) = match is_back {
                    false => (&mut dialer, &mut listener, port),
                    true => (&mut listener, &mut dialer, 0),
                };
                assert_eq!(from.call(&format!("0 fill 0 {bytes} {seed}")), SUCCESS);
                assert_eq!(from.call(&format!("0 put {port} 1 0 {} {bytes}", 8 << 20)), SUCCESS);
                assert_eq!(to.call(&format!("0 stale {} {bytes} {seed}", 8 << 20)), 0, "{bytes} B, {round}");
            }
        }
        // And back, from a process that is idle.
        assert_eq!(dialer.call(&format!("0 get {port} 1 0 {} {bytes}", 8 << 20)), SUCCESS);
        assert_eq!(dialer.call(&format!("0 stale 0 {bytes} {}", rounds * 7 + bytes)), 0);
    }
}

/// Started and pipelined operations are complete after their wait.
fn begun_is_done(environment: &[(&str, &str)]) {
    let (mut listener, mut dialer, port) = pair(environment);
    let (half, whole) = (8 << 20, 16 << 20);
    assert_eq!(dialer.call(&format!("0 fill 0 {whole} 3")), SUCCESS);
    assert_eq!(dialer.call(&format!("0 pipeline {port} 1 0 0 {whole} 700001 64")), SUCCESS);
    assert_eq!(listener.call(&format!("0 stale 0 {whole} 3")), 0);
    assert_eq!(dialer.call(&format!("0 fill 0 {whole} 4")), SUCCESS);
    let starts = [0, half].map(|at| dialer.call(&format!("0 start {port} 1 {at} {at} {half}")));
    for id in starts.iter().rev() {
        assert_eq!(dialer.call(&format!("0 wait {id}")), SUCCESS);
        assert_eq!(dialer.call(&format!("0 wait {id}")), if *id == 0 { SUCCESS } else { NOT_FOUND });
    }
    assert_eq!(listener.call(&format!("0 stale 0 {whole} 4")), 0);
}

#[test]
fn started_operations_are_complete_after_wait() {
    begun_is_done(&[]);
    begun_is_done(&[("MF_SHM", "false")]);
}

#[test]
fn a_word_behind_the_data_ends_the_wait_for_it() {
    for environment in [&[][..], &[("MF_SHM", "false")]] {
        let (mut listener, mut dialer, port) = pair(environment);
        let (word, data) = (4096, 8192);
        for round in 1..=20 {
            let waits = format!("0 await {word} {round} 60");
            assert_eq!(listener.call(&format!("0 await {word} {round} 0")), 1);
            listener.begin(&waits);
            assert_eq!(dialer.call(&format!("0 put_from {port} 1 {data} 300000 {round}")), SUCCESS);
            assert_eq!(dialer.call(&format!("0 mark {port} 1 0 {word} {round}")), SUCCESS);
            assert_eq!(listener.finish(&waits), SUCCESS);
            assert_eq!(listener.call(&format!("0 stale {data} 300000 {round}")), 0);
        }
        assert_eq!(dialer.call(&format!("0 mark {port} 1 0 {word} 21")), SUCCESS);
        assert_eq!(dialer.call("0 flush"), SUCCESS);
        assert_eq!(listener.call(&format!("0 await {word} 21 0")), SUCCESS);
        assert_eq!(listener.call("0 await 4100 1 0"), ERROR);
        assert_eq!(dialer.call(&format!("0 put_from {port} 1 {} 2 1", (16 << 20) - 1)), ERROR);
        assert_eq!(dialer.call(&format!("0 put_from {port} 0 0 2 1")), NOT_FOUND);
    }
}

#[test]
fn puts_arrive_with_a_secret() {
    let secret = "0123456789abcdef0123456789abcdef";
    never_stale(&[("MF_SHM", "false"), ("MF_JOB_SECRET", secret)], 10);
    // A process with another secret is refused.
    let (mut listener, _dialer, port) = pair(&[("MF_JOB_SECRET", secret)]);
    let mut other = Side::start(&[("MF_JOB_SECRET", "another secret of thirty bytes or more")]);
    assert_eq!(other.call(&format!("0 connect {port} 1")), ERROR);
    assert_eq!(Side::start(&[]).call(&format!("0 connect {port} 1")), ERROR);
    assert_eq!(listener.call("0 check 0 1"), SUCCESS);
}

#[test]
fn puts_arrive_without_a_secret_by_choice() {
    never_stale(&[("MF_SHM", "false"), ("MF_HMC_OPEN", "1")], 10);
}

#[test]
fn a_killed_listener_is_an_error_and_then_not_found() {
    for environment in [&[][..], &[("MF_SHM", "false")]] {
        let (listener, mut dialer, port) = pair(environment);
        assert_eq!(dialer.call(&format!("0 put {port} 1 0 0 100000")), SUCCESS);
        let id = dialer.call(&format!("0 start {port} 1 0 0 {}", 16 << 20));
        listener.kill();
        // Done before, or lost.
        assert!([SUCCESS, ERROR].contains(&dialer.call(&format!("0 wait {id}"))));
        until(NOT_FOUND, || {
            let status = dialer.call(&format!("0 put {port} 1 0 0 100000"));
            assert!([SUCCESS, ERROR, NOT_FOUND].contains(&status), "{status}");
            status
        });
        assert_eq!(dialer.call(&format!("0 check {port} 1")), NOT_FOUND);
        assert_eq!(dialer.call(&format!("0 connect {port} 1")), ERROR);
        // Another process at the same address.
        let mut next = Side::start(environment);
        until(SUCCESS, || next.call(&format!("0 listen {port} 1")));
        assert_eq!(dialer.call(&format!("0 connect {port} 1")), SUCCESS);
        assert_eq!(dialer.call("0 fill 0 64 5"), SUCCESS);
        assert_eq!(dialer.call(&format!("0 put {port} 1 0 0 64")), SUCCESS);
        assert_eq!(next.call("0 stale 0 64 5"), 0);
    }
}

#[test]
fn a_killed_dialer_is_not_found_any_more() {
    let (mut listener, dialer, port) = pair(&[]);
    assert_eq!(listener.call("0 put 0 1 0 0 100"), SUCCESS);
    dialer.kill();
    until(NOT_FOUND, || listener.call("0 check 0 1"));
    let mut next = Side::start(&[]);
    assert_eq!(next.call(&format!("0 connect {port} 1")), SUCCESS);
    assert_eq!(listener.call("0 fill 0 64 6"), SUCCESS);
    assert_eq!(listener.call("0 put 0 1 0 128 64"), SUCCESS);
    assert_eq!(next.call("0 stale 128 64 6"), 0);
}

/// One communicator dials 32 others of one process; measures the cost of the first peer, and of the others.
fn peers_cost_nothing(environment: &[(&str, &str)], mapped: i64) {
    let (mut listener, mut dialer) = (Side::start(environment), Side::start(environment));
    let before = (dialer.call("census threads"), dialer.call("census descriptors"));
    let mut ports = Vec::new();
    while ports.len() < 32 {
        let port = free_port();
        if listener.call(&format!("{} listen {port} 1", ports.len())) == SUCCESS {
            ports.push(port);
        }
    }
    let mut threads = Vec::new();
    for port in &ports {
        assert_eq!(dialer.call(&format!("0 connect {port} 1")), SUCCESS);
        assert_eq!(dialer.call(&format!("0 put {port} 1 0 0 64")), SUCCESS);
        threads.push(dialer.call("census threads"));
    }
    // The own buffer exists once, for any number of peers; so do peers' buffers, where mapped.
    assert_eq!(dialer.call("census buffers"), 1 + mapped);
    // Resources of connections are released.
    until(1, || i64::from(dialer.call("census threads") <= threads[0]));
    assert_eq!(dialer.call("0 end"), SUCCESS);
    until(1, || i64::from(dialer.call("census threads") <= before.0));
    // The library keeps two descriptors for the process.
    until(1, || i64::from(dialer.call("census descriptors") <= before.1 + 2));
    until(NOT_FOUND, || listener.call("31 check 0 1"));
}

#[test]
fn peers_need_no_threads_and_nothing_is_left() {
    peers_cost_nothing(&[], 32);
    peers_cost_nothing(&[("MF_SHM", "false")], 0);
}

#[test]
#[ignore = "the other processes of the tests above"]
fn side() {
    side::serve();
}
