// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Attacks on a store: messages of clients and unauthenticated peers that cost it memory, descriptors or
//! time; and honest loads that resemble them. One line for each, `attack | data sent | result | limit`; ends
//! with 1 when a limit was exceeded.
//!
//! `cargo test -p mf-store --test attack_store`, optionally with a word that the names of the attacks must
//! contain.

#![allow(clippy::print_stdout, reason = "a table is what it is for")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test, without the harness of tests"
)]

#[path = "../store/by_hand.rs"]
mod by_hand;
mod process;
mod raw;

use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mf_store::{Client, Lifetime, Store};
use process::{WORLD, deadline, member, play, store, watcher};
use raw::{Requests, join, send};

const MIB: usize = 1 << 20;
const VALUE: usize = 8 * MIB;
/// Memory that a store may need beyond its content for all.
const MEMORY_LIMIT: usize = 64 * MIB;
/// Longest that a call of another member may take before it counts as hanging; the aim is 1 s.
const HANG: Duration = Duration::from_secs(10);
/// Calls of another member after an attack.
const CALLS: u64 = 200;

struct Table {
    only: Option<String>,
    exceeded: bool,
}

impl Table {
    fn wants(&self, attack: &str) -> bool {
        self.only.as_ref().is_none_or(|only| attack.contains(only.as_str()))
    }

    fn row(&mut self, attack: &str, sent: &str, result: &str, limit: &str, is_good: bool) {
        let mark = if is_good { "" } else { " EXCEEDED" };
        println!("{attack} | {sent} | {result}{mark} | {limit}");
        self.exceeded |= !is_good;
    }
}

/// Another member with measured calls.
struct Bystander {
    calls: AtomicU64,
    slowest_us: AtomicU64,
    stop: AtomicBool,
}

impl Bystander {
    fn call(&self, member: &Client) {
        while !self.stop.load(Ordering::Acquire) {
            let began = Instant::now();
            member.add("bystander", 1).unwrap();
            let us = u64::try_from(began.elapsed().as_micros()).unwrap();
            self.slowest_us.fetch_max(us, Ordering::AcqRel);
            self.calls.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Waits for some more calls.
    fn wait(&self) {
        let until = self.calls.load(Ordering::Acquire) + CALLS;
        let end = deadline();
        while self.calls.load(Ordering::Acquire) < until {
            assert!(Instant::now() < end, "calls of another member hang");
            std::thread::yield_now();
        }
    }
}

/// One attack: prepares and sends. Returns the connections that must stay open until the figures are taken.
type Attack = fn(&Target) -> (Vec<TcpStream>, usize);

struct Target {
    address: SocketAddr,
    member: Client,
}

impl Target {
    fn fill(&self, prefix: &str, keys: usize, bytes: usize) {
        let value = vec![7; bytes];
        for key in 0..keys {
            self.member.set(&format!("{prefix}{key:05}"), &value, Lifetime::Permanent).unwrap();
        }
    }

    fn guest(&self) -> TcpStream {
        join(self.address, None).expect("a guest was refused")
    }

    fn by_guest(&self, requests: &Requests) -> (Vec<TcpStream>, usize) {
        let mut guest = self.guest();
        let sent = send(&mut guest, &requests.bytes);
        (vec![guest], sent)
    }
}

fn many(count: usize, mut request: impl FnMut(&mut Requests, usize)) -> Requests {
    let mut requests = Requests::new();
    (0..count).for_each(|n| request(&mut requests, n));
    requests
}

/// Stores the data for an attack of the same name in advance, so that it does not count.
fn prepare(attack: &str, target: &Target) {
    match attack {
        "gets" | "more gets" | "gets by 16 guests" | "swaps" => target.fill("big", 1, VALUE),
        "lists" => target.fill("l/", 64, 240 << 10),
        "lists of small entries" => target.fill("l/", 20_000, 700),
        "watches with values" => target.fill("l/", 16, 4 * MIB),
        "waits for a large value" | "watches of a large value" | "values replaced under a reader" => {
            target.fill("w", 1, VALUE);
            target.member.delete("w00000").unwrap();
        }
        _ => {}
    }
}

const ATTACKS: [(&str, Attack); 15] = [
    ("gets", |target| target.by_guest(&many(300, |requests, _| requests.get("big00000")))),
    ("more gets", |target| {
        let mut member = join(target.address, Some((1, WORLD))).unwrap();
        let sent = send(&mut member, &many(380, |requests, _| requests.get("big00000")).bytes);
        (vec![member], sent)
    }),
    ("gets by 16 guests", |target| {
        let guests: Vec<_> = (0..16)
            .map(|_| target.by_guest(&many(300, |requests, _| requests.get("big00000"))).0.remove(0))
            .collect();
        (guests, 16 * 300 * 30)
    }),
    ("lists", |target| target.by_guest(&many(920, |requests, _| requests.list("l/")))),
    ("lists of small entries", |target| target.by_guest(&many(920, |requests, _| requests.list("l/")))),
    ("swaps", |target| target.by_guest(&many(300, |requests, _| requests.swap("big00000", b"x", b"y")))),
    ("waits for a large value", |target| {
        let held = target.by_guest(&many(4000, |requests, _| requests.wait("w00000")));
        target.member.set("w00000", &vec![7; VALUE], Lifetime::Permanent).unwrap();
        target.member.delete("w00000").unwrap();
        held
    }),
    ("watches of a large value", |target| {
        let held = target.by_guest(&many(1000, |requests, n| requests.watch(n as u64, "", false)));
        for _ in 0..20 {
            target.member.set("w00000", &vec![7; VALUE], Lifetime::Permanent).unwrap();
        }
        target.member.delete("w00000").unwrap();
        held
    }),
    ("watches with values", |target| {
        target.by_guest(&many(500, |requests, n| requests.watch(n as u64, "l/", true)))
    }),
    ("values replaced under a reader", |target| {
        let mut guest = target.guest();
        let mut sent = 0;
        for n in 0..10 {
            target.member.set("w00000", &vec![n; VALUE], Lifetime::Permanent).unwrap();
            sent += send(&mut guest, &many(20, |requests, _| requests.get("w00000")).bytes);
        }
        target.member.delete("w00000").unwrap();
        (vec![guest], sent)
    }),
    ("keys that come and go under a watch", |target| {
        let held = target.by_guest(&many(1, |requests, _| requests.watch(1, "", false)));
        let name = "n".repeat(1000);
        for n in 0..20_000 {
            let key = format!("{name}{n}");
            target.member.set(&key, b"", Lifetime::Permanent).unwrap();
            target.member.delete(&key).unwrap();
        }
        held
    }),
    ("allgathers that nobody else enters", |target| {
        let value = vec![7; 64 << 10];
        let mut member = join(target.address, Some((1, WORLD))).unwrap();
        let requests = many(2000, |requests, n| requests.gather(&format!("g{n}"), 2, &value));
        let sent = send(&mut member, &requests.bytes);
        (vec![member], sent)
    }),
    ("waits and locks with long names", |target| {
        let name = "n".repeat(1000);
        target.by_guest(&many(20_000, |requests, n| match n % 2 {
            0 => requests.wait(&format!("{name}{n}")),
            _ => requests.lock(&format!("{name}{n}")),
        }))
    }),
    ("half of a large message by 64 guests", |target| {
        let large = many(1, |requests, _| requests.set("k", &vec![7; VALUE])).bytes;
        let mut sent = 0;
        let guests = (0..64).map(|_| {
            let mut guest = target.guest();
            sent += send(&mut guest, &large[..large.len() - 10]);
            guest
        });
        (guests.collect(), sent)
    }),
    ("writes whose replies are never confirmed", |target| {
        let value = vec![7; 2 * MIB];
        let mut requests = Requests::new();
        requests.set("k", &value);
        for n in 0..40 {
            let other = vec![n; 2 * MIB];
            requests.swap("k", b"x", b"y");
            requests.set("k", &other);
        }
        target.by_guest(&requests)
    }),
];

fn attack(table: &mut Table, name: &str, run: Attack) {
    if !table.wants(name) {
        return;
    }
    let (process, address) = store();
    let target = Target { address, member: member(address, 0) };
    let other = member(address, WORLD - 1);
    prepare(name, &target);
    target.member.add("bystander", 1).unwrap();
    let bystander =
        Bystander { calls: AtomicU64::new(0), slowest_us: AtomicU64::new(0), stop: AtomicBool::new(false) };
    let before = process.memory("VmRSS");
    process.forget_peak();
    let sent = std::thread::scope(|scope| {
        scope.spawn(|| bystander.call(&other));
        bystander.wait();
        let (held, sent) = run(&target);
        bystander.wait();
        drop(held);
        bystander.stop.store(true, Ordering::Release);
        sent
    });
    let used = process.memory("VmHWM").saturating_sub(before);
    let slowest = Duration::from_micros(bystander.slowest_us.load(Ordering::Acquire));
    let result =
        format!("{:.1} MiB, another member answered within {:.0} ms", mib(used), slowest.as_secs_f64() * 1e3);
    let is_good =
        used < MEMORY_LIMIT && slowest < HANG && other.is_connected() && target.member.is_connected();
    table.row(name, &size(sent), &result, "64 MiB, 1 s", is_good);
}

#[allow(clippy::cast_precision_loss)]
fn mib(bytes: usize) -> f64 {
    bytes as f64 / MIB as f64
}

fn size(bytes: usize) -> String {
    if bytes < MIB { format!("{} bytes", bytes) } else { format!("{:.1} MiB", mib(bytes)) }
}

/// Threads of one member that read large values all the time.
fn honest_readers(table: &mut Table, name: &str, threads: usize, keys: usize, bytes: usize) {
    if !table.wants(name) {
        return;
    }
    let (process, address) = store();
    let target = Target { address, member: member(address, 0) };
    target.fill("v", keys, bytes);
    let before = process.memory("VmRSS");
    process.forget_peak();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let target = &target;
            scope.spawn(move || {
                for round in 0..6 {
                    let key = format!("v{:05}", (thread + round) % keys);
                    let entry = target.member.get(&key).unwrap().unwrap();
                    assert_eq!(entry.value.len(), bytes);
                }
            });
        }
    });
    let used = process.memory("VmHWM").saturating_sub(before);
    let is_good = target.member.is_connected() && used < MEMORY_LIMIT;
    let result = format!("{:.1} MiB, member: {}", mib(used), target.member.is_connected());
    let sent = format!("{} gets of {} MiB at a time", threads, bytes / MIB);
    table.row(name, &sent, &result, "64 MiB, stays a member", is_good);
}

/// A watcher that is stopped while others write a lot.
fn stopped_watcher(table: &mut Table) {
    let name = "watcher stopped for 10 s";
    if !table.wants(name) {
        return;
    }
    let (process, address) = store();
    let writer = member(address, 0);
    let mut watching = watcher(address, 1);
    for key in 0..16 {
        writer.set(&format!("w/{key:02}"), &vec![0; VALUE], Lifetime::Permanent).unwrap();
    }
    let before = process.memory("VmRSS");
    process.forget_peak();
    watching.signal("-STOP");
    let began = Instant::now();
    let mut slowest = Duration::ZERO;
    for round in 1..=8u8 {
        for key in 0..16 {
            let call = Instant::now();
            let value = vec![round; VALUE];
            writer.set(&format!("w/{key:02}"), &value, Lifetime::Permanent).unwrap();
            slowest = slowest.max(call.elapsed());
        }
    }
    writer.delete("w/15").unwrap();
    // The test needs this time in which the client does not read.
    std::thread::sleep(Duration::from_secs(10).saturating_sub(began.elapsed()));
    watching.signal("-CONT");
    watching.order("report");
    let report = watching.receive();
    let used = process.memory("VmHWM").saturating_sub(before);
    let kept = report.starts_with("true") && writer.get("alive").unwrap().is_some();
    let last = (0..15).all(|key| report.contains(&format!("\"w/{key:02}\": Some(8)")));
    let deleted = report.contains("\"w/15\": None") && !report.contains("lost");
    let result = format!(
        "{:.1} MiB, member: {kept}, final states: {}, slowest write {:.0} ms",
        mib(used),
        last && deleted,
        slowest.as_secs_f64() * 1e3
    );
    let is_good = kept && last && deleted && used < MEMORY_LIMIT;
    table.row(
        name,
        "1 GiB of writes to 16 keys",
        &result,
        "64 MiB, stays a member, no final state lost",
        is_good,
    );
}

/// Connections that send nothing, or something that is no hello.
fn unauthenticated_peers(table: &mut Table, count: usize, words: &[u8]) {
    let name =
        if words.is_empty() { "silent unauthenticated peers" } else { "unauthenticated peers that talk" };
    if !table.wants(name) {
        return;
    }
    let (process, address) = store();
    let first = member(address, 0);
    let mut open = Vec::new();
    for _ in 0..count {
        if let Ok(mut socket) = TcpStream::connect_timeout(&address, Duration::from_secs(10)) {
            let _ = std::io::Write::write_all(&mut socket, words);
            open.push(socket);
        }
    }
    let began = Instant::now();
    let second = member(address, 1);
    let waited = began.elapsed();
    first.add("n", 1).unwrap();
    second.add("n", 1).unwrap();
    let used = process.descriptors();
    let result = format!("a member connects in {:.0} ms, {used} descriptors", waited.as_secs_f64() * 1e3);
    let is_good = waited < HANG && used < 2000;
    table.row(name, &format!("{} connections", open.len()), &result, "1 s, 2000 descriptors", is_good);
}

/// As many guests as it takes.
fn guests(table: &mut Table) {
    let name = "guests";
    if !table.wants(name) {
        return;
    }
    let (_process, address) = store();
    let first = member(address, 0);
    let guests: Vec<_> = (0..1000).map_while(|_| join(address, None)).collect();
    let second = member(address, 1);
    let is_good = guests.len() <= 512 && first.is_connected() && second.is_connected();
    let result = format!("{} were let in, a member still is", guests.len());
    table.row(name, "1000 guests", &result, "512 guests", is_good);
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if words.first().is_some_and(|word| word == "serve" || word == "watch") {
        return play(&words);
    }
    let mut table = Table { only: words.first().cloned(), exceeded: false };
    println!("attack | what was sent | result | limit");
    for (name, run) in ATTACKS {
        attack(&mut table, name, run);
    }
    unauthenticated_peers(&mut table, 5000, b"");
    unauthenticated_peers(&mut table, 5000, b"MFST\x02\x00\x01");
    guests(&mut table);
    honest_readers(&mut table, "16 threads that read 8 MiB", 16, 4, VALUE);
    honest_readers(&mut table, "64 threads that read 2 MiB", 64, 64, 2 * MIB);
    stopped_watcher(&mut table);
    assert!(!table.exceeded, "a limit was exceeded");
}
