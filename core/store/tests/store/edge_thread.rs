// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Many servers in one process.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use mf_base::Kind;
use mf_store::{Lifetime, Server, Store};

use super::members::{client, deadline, secret_client, secret_server, server};

/// Threads of this process that serve stores.
fn server_threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| name.trim() == "mf-store-server").count()
}

#[test]
fn ten_servers_share_a_thread_and_stop_in_any_order() {
    let mut servers: Vec<Server> = (0..10).map(|_| server(2)).collect();
    let clients: Vec<_> = servers.iter().map(|server| client(server, 2, Some(0)).unwrap()).collect();
    // The thread of servers that other tests ended a moment ago may still be ending.
    let until = deadline();
    while server_threads() != 1 && Instant::now() < until {
        std::thread::yield_now();
    }
    assert_eq!(server_threads(), 1);
    for (number, client) in clients.iter().enumerate() {
        client.set("number", &[u8::try_from(number).unwrap()], Lifetime::Permanent).unwrap();
    }
    for (number, client) in clients.iter().enumerate() {
        assert_eq!(usize::from(client.get("number").unwrap().unwrap().value[0]), number);
    }
    // From the middle, too.
    for stopped in [5, 0, 7] {
        drop(servers.remove(stopped));
        for server in &servers {
            assert_eq!(server.status().unwrap().members.len(), 1);
        }
    }
    let addresses: Vec<_> = servers.iter().map(Server::address).collect();
    drop(servers);
    for address in addresses {
        assert!(TcpStream::connect(address).is_err(), "{address}");
    }
    for client in &clients {
        client.sever();
    }
}

#[test]
fn flood_of_one_server_does_not_starve_another() {
    let (flooded, other) = (server(1), secret_server(1));
    let member = secret_client(&other, 1, Some(0)).unwrap();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for number in 0..4 {
            let (address, is_over) = (flooded.address(), &is_over);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let Ok(mut socket) = TcpStream::connect(address) else { continue };
                    // Half of them send malformed frames, the others begin one and never end it.
                    let begun = b"MFST\x01\x00\x01\x00\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00";
                    let bytes: &[u8] = if number % 2 == 0 { &[7; 4096] } else { begun };
                    while !is_over.load(Ordering::Relaxed) && socket.write_all(bytes).is_ok() {}
                }
            });
        }
        for round in 1..=500 {
            assert_eq!(member.add("n", 1).unwrap(), round);
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn stopped_server_reports_not_started() {
    let mut server = server(1);
    let other = super::members::server(1);
    server.stop();
    server.stop();
    assert_eq!(server.status().unwrap_err().kind(), Kind::NotStarted);
    assert_eq!(other.status().unwrap().members, []);
}
