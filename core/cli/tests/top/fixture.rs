// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pictures of large jobs, and a server that shows them on the page of a viewer.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// Ranks of a host.
const PER_HOST: u32 = 8;
/// Rate of each flow to the next rank, in bytes a second.
const RATE: f64 = 1.5e9;

/// A picture of a job in which each rank puts to the next one; rank 5 is dead, and rank 6 waits for rank 7.
pub(crate) fn picture(ranks: u32, at_ms: u64) -> Value {
    let (dead, host) = (5, |rank: u32| format!("node{}", rank / PER_HOST));
    let next = |rank: u32| (rank + 1) % ranks;
    let living: Vec<u32> = (0..ranks).filter(|rank| *rank != dead).collect();
    let latency =
        json!([{ "kind": "put", "timed": 100, "meanUs": 12.5, "p50AtMostUs": 16.0, "p99AtMostUs": 64.0 }]);
    let rank = |rank: &u32| {
        json!({
            "rank": rank, "host": host(*rank), "pid": 1000 + rank, "device": 0, "session": rank + 1,
            "connected": true, "silentS": 0.1, "phase": "watch", "ageS": 0.2, "heaps": [],
            "segments": [{ "pool": 0, "poolRank": rank, "kind": "host", "bytes": 2 << 20, "mostBytes": 4 << 20,
                "joined": living.len(), "left": 0, "dead": 1 }],
            "bytesPerS": RATE, "operationsPerS": 300.0, "latency": latency,
        })
    };
    let flow = |rank: &u32| {
        json!({ "from": rank, "to": next(*rank), "route": "tcp", "kind": "put", "bytesPerS": RATE,
            "operationsPerS": 300.0, "errors": 0, "meanUs": 12.5 })
    };
    let hosts = (0..ranks.div_ceil(PER_HOST)).map(|number| {
        let on_it: Vec<&u32> = living.iter().filter(|rank| **rank / PER_HOST == number).collect();
        json!({ "host": host(number * PER_HOST), "ranks": on_it })
    });
    let deaths = if dead < ranks {
        json!([{ "rank": dead, "host": host(dead), "pid": 1000 + dead, "epoch": 2, "sinceMs": at_ms - 60_000 }])
    } else {
        json!([])
    };
    let waits = if dead < ranks {
        json!([{ "rank": 6, "call": "a barrier", "members": living, "missing": [7], "sinceMs": at_ms - 9000,
            "waitedS": 9.0 }])
    } else {
        json!([])
    };
    json!({
        "atMs": at_ms, "ended": false, "store": "tcp://127.0.0.1:1", "worldSize": ranks, "epoch": 2,
        "hosts": hosts.collect::<Vec<_>>(), "ranks": living.iter().map(rank).collect::<Vec<_>>(),
        "traffic": living.iter().map(flow).collect::<Vec<_>>(), "flows": living.len(),
        "routes": [{ "route": "tcp", "bytesPerS": RATE * living.len() as f64, "operationsPerS": 300.0 }],
        "latency": latency,
        "matrix": { "group": 1,
            "cells": living.iter().map(|rank| json!([rank, next(*rank), RATE, 300.0, 12.5])).collect::<Vec<_>>() },
        "waits": waits, "dead": deaths,
    })
}

/// Serves a page, and events from the test.
pub(crate) struct Fixture {
    pub(crate) url: String,
    pictures: Sender<Value>,
}

impl Fixture {
    /// Serves a reply at `/`: the page with its head, as a viewer sends it.
    pub(crate) fn serve(reply: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let (pictures, receiver) = channel();
        let receiver = Arc::new(Mutex::new(receiver));
        // It ends with the process of the test.
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (reply, receiver) = (reply.clone(), Arc::clone(&receiver));
                std::thread::spawn(move || answer(stream, &reply, &receiver));
            }
        });
        Self { url, pictures }
    }

    /// Sends a picture to the page.
    pub(crate) fn show(&self, picture: Value) {
        self.pictures.send(picture).unwrap();
    }
}

/// Answers one request; a request for events until the test ends or the browser goes away.
fn answer(mut stream: TcpStream, page: &str, pictures: &Mutex<Receiver<Value>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let request = lines.next().unwrap_or_default();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    if request.starts_with("GET / ") {
        let _ = stream.write_all(page.as_bytes());
    } else if request.starts_with("GET /events ") {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
        for picture in pictures.lock().unwrap().iter() {
            if stream.write_all(format!("data: {picture}\n\n").as_bytes()).is_err() {
                return;
            }
        }
    } else {
        let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    }
}
