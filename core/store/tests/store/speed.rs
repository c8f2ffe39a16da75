// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Prints how long calls take; run it by hand: `cargo test --release -p mf-store --test store speed -- --ignored --nocapture`.

use std::time::{Duration, Instant};

use mf_store::{Client, ClientOptions, Lifetime, Server, Store};

use super::members::{
    client, client_options, deadline, no_security, secret_client, secret_server, security, server,
};

/// Median and 99th percentile of `rounds` calls, in microseconds.
fn time(rounds: usize, mut call: impl FnMut()) -> (f64, f64) {
    for _ in 0..rounds / 10 {
        call();
    }
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let started = Instant::now();
            call();
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    let us = |at: usize| times[at].as_secs_f64() * 1e6;
    (us(rounds / 2), us(rounds * 99 / 100))
}

fn calls(name: &str, server: &Server, join: impl Fn(&Server) -> Client) {
    let store = join(server);
    let show = |what: &str, (median, late): (f64, f64)| {
        println!("{name:>6} {what:<14} median {median:8.1} us   99 % {late:8.1} us");
    };
    show("add", time(5000, || drop(store.add("n", 1))));
    for bytes in [8, 1 << 10, 64 << 10] {
        let value = vec![7; bytes];
        show(&format!("set {bytes} B"), time(3000, || drop(store.set("k", &value, Lifetime::Permanent))));
        show(&format!("get {bytes} B"), time(3000, || drop(store.get("k"))));
    }
}

fn barriers(members: u32) {
    let server = server(members);
    let clients: Vec<Client> =
        (0..members).map(|rank| client(&server, members, Some(rank)).unwrap()).collect();
    let (first, others) = clients.split_first().unwrap();
    const ROUNDS: usize = 2000;
    std::thread::scope(|scope| {
        for other in others {
            scope.spawn(move || {
                (0..ROUNDS + ROUNDS / 10).for_each(|_| other.barrier("b", members, deadline()).unwrap());
            });
        }
        let (median, late) = time(ROUNDS, || first.barrier("b", members, deadline()).unwrap());
        println!("barrier of {members} threads: median {median:.1} us, 99 % {late:.1} us");
    });
}

fn throughput(count: u32) {
    let server = server(count);
    let clients: Vec<Client> = (0..count).map(|rank| client(&server, count, Some(rank)).unwrap()).collect();
    clients[0].set("k", b"12345678", Lifetime::Permanent).unwrap();
    let started = Instant::now();
    const ROUNDS: u32 = 5000;
    std::thread::scope(|scope| {
        for client in &clients {
            scope.spawn(move || (0..ROUNDS).for_each(|_| drop(client.get("k").unwrap())));
        }
    });
    let rate = f64::from(ROUNDS * count) / started.elapsed().as_secs_f64();
    println!("{count} clients: {rate:.0} gets a second");
}

#[test]
#[ignore = "prints times, checks nothing"]
fn speed() {
    calls("plain", &server(1), |server| client(server, 1, None).unwrap());
    calls("tls", &secret_server(1), |server| secret_client(server, 1, None).unwrap());
    for members in [2, 4, 8] {
        barriers(members);
    }
    for count in [1, 8] {
        throughput(count);
    }
}

const CROWD: u32 = 1024;
const PROCESSES: u32 = 4;

/// One process of the crowd: a quarter of the members, on a thread each.
#[test]
#[ignore = "a part of crowd_speed"]
fn crowd_part() {
    let Ok(address) = std::env::var("MF_TEST_CROWD") else { return };
    let security = if std::env::var("MF_TEST_CROWD_TLS").is_ok() { security() } else { no_security() };
    let options = ClientOptions { security, ..client_options(address.parse().unwrap(), CROWD, None) };
    let options = std::sync::Arc::new(options);
    let threads: Vec<_> = (0..CROWD / PROCESSES)
        .map(|_| {
            let options = std::sync::Arc::clone(&options);
            std::thread::Builder::new()
                .stack_size(128 << 10)
                .spawn(move || {
                    let member = Client::connect((*options).clone()).unwrap();
                    let connected = Instant::now();
                    member.barrier("all", CROWD, deadline()).unwrap();
                    let met = Instant::now();
                    let parts = member.allgather("all", CROWD, &[7; 64], deadline()).unwrap();
                    assert_eq!(parts.len(), 1024);
                    (member, connected, met, Instant::now())
                })
                .unwrap()
        })
        .collect();
    let members: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    members[0].0.barrier("done", CROWD / (CROWD / PROCESSES), deadline()).unwrap();
}

#[test]
#[ignore = "prints times and memory, checks nothing"]
fn crowd_speed() {
    for (name, encrypted) in [("plain", false), ("tls", true)] {
        let server = if encrypted { secret_server(CROWD) } else { server(CROWD) };
        let started = Instant::now();
        let children: Vec<_> = (0..PROCESSES)
            .map(|_| {
                let mut part = std::process::Command::new(std::env::current_exe().unwrap());
                part.args(["speed::crowd_part", "--exact", "--ignored", "--quiet"])
                    .env("MF_TEST_CROWD", server.address().to_string());
                if encrypted {
                    part.env("MF_TEST_CROWD_TLS", "1");
                }
                part.stdout(std::process::Stdio::null()).spawn().unwrap()
            })
            .collect();
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let memory = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
        println!(
            "{name:>6} {CROWD} members: {:.3} s from start to end of {PROCESSES} processes, server {memory}",
            started.elapsed().as_secs_f64()
        );
    }
}
