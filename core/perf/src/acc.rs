// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf perf acc`: message and HTTP servers, beside a blocking socket that carries the same bytes.
//!
//! The other side is a process of its own with all of them: a message server, an HTTP server, and threads
//! that serve plain sockets. Candidates take turns.
//!
//! * round trips: the callback that gets the answer sends the next message, or the sender waits for it.
//! * messages: four threads send on one link.
//! * large bodies, each answered by a small message.
//! * GET on one connection, beside round trips of messages. Both clients poll for a short time before they
//!   sleep, like message links: else the rate would measure wake-ups.
//! * memory of both processes with many links that do nothing.

mod member;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};

use mf_base::sync::spin::Spin;
use mf_base::{ByteLen, Error, Kind, Result};
use mf_library::messages::{Link, Received, Server};
use mf_measure::members::{Job, Member};
use mf_measure::sizes::mib;
use mf_measure::turns::{Candidate, Figures, Pair, Plan, in_turns, median};
use mf_program::procfs::process_bytes;
use mf_program::table::{Column, figure};
use rustix::io::Errno;
use rustix::net::{RecvFlags, recv};
use serde::Serialize;
use serde_json::json;

use super::echo::Echo;
use crate::measurement::{Measurement, Report};
use crate::task::Task;
pub(crate) use member::main as member;
use member::{COUNTED, ECHO, HERE, LINKS_OF_SERVER, OPERATION, SERVED, Served, hello, options};

/// Bytes before the body of a message on the wire.
const HEAD_BYTES: usize = 20;
/// Bytes of a small body.
const SMALL: usize = 64;
/// Threads that send at the same time.
const SENDERS: u32 = 4;

/// Measure message and HTTP servers: round trips, rates, large bodies, memory of idle links.
///
/// Everything runs on this machine, in two processes over the loopback.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  mf perf acc
  mf perf acc --links 1000 --json acc.json")]
pub(super) struct Args {
    /// Links that do nothing; 0 leaves this out.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(0..=50_000))]
    links: u32,
    /// Bytes of a large body.
    #[arg(long, default_value = "16MiB", value_parser = super::parse_size)]
    body: u64,
    /// Fewer turns.
    #[arg(long)]
    quick: bool,
}

/// This side.
struct Side {
    client: Server,
    link: Link,
    answers: mpsc::Receiver<u32>,
    /// Round trips that the callback has yet to begin.
    left: Arc<AtomicU32>,
    served: Served,
}

fn failed(what: &str, error: std::io::Error) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what).source(error)
}

/// Figures of an operation with a plain twin.
#[derive(Serialize)]
struct Twin {
    what: &'static str,
    bytes: u64,
    seconds: f64,
    plain_seconds: f64,
    times_as_long: f64,
}

const TWINS: [Column<'static, Twin>; 5] = [
    ("what", |row| row.what.to_owned()),
    ("size", |row| ByteLen(row.bytes).to_string()),
    ("us", |row| figure(row.seconds * 1e6)),
    ("blocking socket us", |row| figure(row.plain_seconds * 1e6)),
    ("times as long", |row| figure(row.times_as_long)),
];

/// Figures of an operation with a rate.
#[derive(Serialize)]
struct Rate {
    what: String,
    seconds: f64,
    per_second: f64,
    echo_rates: f64,
}

const RATES: [Column<'static, Rate>; 4] = [
    ("what", |row| row.what.clone()),
    ("us", |row| figure(row.seconds * 1e6)),
    ("a second", |row| figure(row.per_second)),
    ("echo rates", |row| figure(row.echo_rates)),
];

impl Measurement for Args {
    const NAME: &'static str = "acc";

    fn measure(&self) -> Result<Option<Report>> {
        let job = Job::new()?;
        let mut member = job.start("the server", &Task::Acc(self.links), &[])?;
        let served: Served = member.value()?;
        let side = Side::new(served)?;
        let mut report = Report::new();
        let twins = twins(self, &side)?;
        report.section(&twins, 1, &TWINS);
        let rates = rates(self, &side)?;
        report.section(&rates, 1, &RATES);
        if self.links > 0 {
            idle(self, &side, &member, &mut report)?;
        }
        drop(side);
        member.end()?;
        Ok(Some(report))
    }
}

impl Side {
    fn new(served: Served) -> Result<Self> {
        let mut client = Server::of_messages()?;
        let (answered, answers) = mpsc::channel();
        let left = Arc::new(AtomicU32::new(0));
        let (all, done) = (Arc::clone(&left), answered.clone());
        client.on_message(ECHO, move |(sequence, body, link): Received<'_>| {
            // One chain of round trips at a time, so no other thread counts.
            let rest = all.load(Ordering::Relaxed);
            if rest == 0 {
                let _ = done.send(sequence);
                return 0;
            }
            all.store(rest - 1, Ordering::Relaxed);
            link.try_send(ECHO, rest, body)
        });
        client.on_message(COUNTED, move |(sequence, _, _): Received<'_>| {
            let _ = answered.send(sequence);
            0
        });
        client.start_messages(&options(None, 2))?;
        let link = client.connect(HERE, served.message_port(0)?, &hello(), 3)?;
        Ok(Self { client, link, answers, left, served })
    }

    fn answer(&self) -> Result<u32> {
        self.answers.recv().map_err(|_| Error::new(Kind::Failed, OPERATION).what("no answer came"))
    }

    /// Round trips, of which the callback begins all but the first.
    fn chain(&self, calls: u32) -> Result<()> {
        self.left.store(calls.saturating_sub(1), Ordering::Relaxed);
        self.link.send(ECHO, calls, &[1; SMALL])?;
        self.answer().map(drop)
    }

    /// Round trips, for each of which this thread waits.
    fn wait(&self, calls: u32) -> Result<()> {
        (0..calls).try_for_each(|_| {
            self.link.send(ECHO, 0, &[1; SMALL])?;
            self.answer().map(drop)
        })
    }

    /// Messages that are counted, by threads at the same time.
    fn one_way(&self, calls: u32) -> Result<()> {
        let link = &self.link;
        let send_all =
            move || (0..calls / SENDERS).try_for_each(|_| link.send_when_there_is_room(SERVED, &[1; SMALL]));
        std::thread::scope(|scope| {
            let senders: Vec<_> = (0..SENDERS).map(|_| scope.spawn(send_all)).collect();
            let joined = senders.into_iter().map(|sender| {
                sender.join().map_err(|_| Error::new(Kind::Failed, OPERATION).what("a sender panicked"))?
            });
            joined.collect::<Result<()>>()
        })?;
        self.settle()
    }

    /// Waits until the other side has served all messages.
    fn settle(&self) -> Result<()> {
        self.link.send_when_there_is_room(COUNTED, &[])?;
        self.answer().map(drop)
    }
}

/// Operations with a plain twin.
fn twins(args: &Args, side: &Side) -> Result<[Twin; 3]> {
    let turns = if args.quick { 5 } else { 15 };
    let plan = Plan { turns, calls: if args.quick { 500 } else { 3000 } };
    let mut raw = Echo::connect(side.served.echo_port)?;
    let mut small = [0; HEAD_BYTES + SMALL];
    let mut twin = |calls: u32| (0..calls).try_for_each(|_| raw.exchange(&mut small, HEAD_BYTES + SMALL));
    let mut chain = |calls: u32| side.chain(calls);
    let mut wait = |calls: u32| side.wait(calls);
    let row = |what, bytes, pair| {
        let Figures { seconds, plain_seconds, ratio } = Pair::figures(&[pair]);
        Twin { what, bytes, seconds, plain_seconds, times_as_long: 1.0 / ratio }
    };
    let chained = row("round trip, by callbacks", SMALL as u64, Pair::measure(plan, &mut chain, &mut twin)?);
    let waited = row("round trip, waited for", SMALL as u64, Pair::measure(plan, &mut wait, &mut twin)?);
    let mut bytes = vec![0; crate::length(args.body)?.max(64)];
    let body = vec![1; bytes.len()];
    let plan = Plan { turns, calls: u32::try_from((64 << 20) / args.body.max(1)).unwrap_or(1).clamp(1, 100) };
    let mut large = |calls: u32| {
        (0..calls).try_for_each(|_| {
            side.link.send_when_there_is_room(SERVED, &body)?;
            side.settle()
        })
    };
    let mut twin = |calls: u32| (0..calls).try_for_each(|_| raw.exchange(&mut bytes, HEAD_BYTES));
    let large = row("body, and an answer", args.body, Pair::measure(plan, &mut large, &mut twin)?);
    Ok([chained, waited, large])
}

/// Operations with a rate.
fn rates(args: &Args, side: &Side) -> Result<Vec<Rate>> {
    let turns = if args.quick { 5 } else { 11 };
    let calls = if args.quick { 500 } else { 3000 };
    let mut http = Http::new(side.served.http_port)?;
    let mut get = |calls: u32| (0..calls).try_for_each(|_| http.get());
    let mut echo = |calls: u32| side.chain(calls);
    let both = in_turns(Plan { turns, calls }, &mut [&mut get, &mut echo])?;
    let of = |number: usize| both.get(number).map_or(f64::NAN, |seconds: &Vec<f64>| median(seconds));
    let (get, echo) = (of(0), of(1));
    let mut one_way = |calls: u32| side.one_way(calls);
    let plan = Plan { turns, calls: calls * 20 };
    let all = in_turns(plan, &mut [&mut one_way as &mut dyn Candidate<()>])?;
    let one_way = all.first().map_or(f64::NAN, |seconds| median(seconds));
    let rows = [
        ("GET on one connection".to_owned(), get),
        ("echo of 64 B, by callbacks".to_owned(), echo),
        (format!("messages of 64 B, {SENDERS} senders on one link"), one_way),
    ];
    let row = |(what, seconds)| Rate { what, seconds, per_second: 1.0 / seconds, echo_rates: echo / seconds };
    Ok(rows.into_iter().map(row).collect())
}

/// A client of HTTP on one connection.
struct Http {
    stream: TcpStream,
    answer: Vec<u8>,
    spin: Spin,
}

impl Http {
    fn new(port: u16) -> Result<Self> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))
            .map_err(|error| failed("the HTTP server does not answer", error))?;
        stream.set_nodelay(true).map_err(|error| failed("the socket cannot be set up", error))?;
        Ok(Self { stream, answer: vec![0; 4096], spin: Spin::default() })
    }

    /// Reads the next bytes, after polling for a while.
    fn read(&mut self, from: usize) -> std::io::Result<usize> {
        let room = self.answer.get_mut(from..).unwrap_or_default();
        let mut spinning = self.spin.begin();
        while let Some(now) = &mut spinning {
            match recv(&self.stream, &mut *room, RecvFlags::DONTWAIT) {
                Ok((count, _)) => {
                    self.spin.found();
                    return Ok(count);
                }
                Err(Errno::AGAIN | Errno::INTR) if now.again() => {}
                Err(Errno::AGAIN | Errno::INTR) => {
                    self.spin.missed();
                    spinning = None;
                }
                Err(errno) => return Err(errno.into()),
            }
        }
        self.stream.read(room)
    }

    /// Sends a GET and reads the response; its body ends with a line.
    fn get(&mut self) -> Result<()> {
        let lost = |error| failed("the HTTP server ended", error);
        self.stream.write_all(b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n").map_err(lost)?;
        let mut read = 0;
        while !self.answer.get(..read).unwrap_or_default().ends_with(b"\r\n\r\nwell\n") {
            match self.read(read).map_err(lost)? {
                0 => return Err(Error::new(Kind::Failed, OPERATION).what("the HTTP server closed")),
                count => read += count,
            }
        }
        Ok(())
    }
}

/// Memory of links that do nothing.
fn idle(args: &Args, side: &Side, member: &Member, report: &mut Report) -> Result<()> {
    let room = member::raise_descriptors();
    let count = args.links.min(u32::try_from(room.saturating_sub(100)).unwrap_or(u32::MAX));
    let resident = |process: u32| process_bytes(process, "VmRSS");
    let processes = [member.process_id(), std::process::id()];
    let before = processes.map(resident);
    let links = (0..count).map(|number| {
        side.client.connect(HERE, side.served.message_port(number / LINKS_OF_SERVER)?, &hello(), 1)
    });
    let links = links.collect::<Result<Vec<_>>>()?;
    // All of them are served: this answer comes behind the last.
    side.chain(1)?;
    let grown: Vec<u64> = processes
        .iter()
        .zip(before)
        .map(|(process, before)| resident(*process).saturating_sub(before))
        .collect();
    let [server, client] = [grown.first(), grown.get(1)].map(|bytes| bytes.copied().unwrap_or(0));
    report.rows(&[json!({
        "what": "idle links", "links": count, "server_bytes": server, "client_bytes": client,
    })]);
    report.paragraph(&format!(
        "{} idle links: {} MiB in the process of the server, {} MiB in that of the client\n",
        links.len(),
        mib(server),
        mib(client)
    ));
    Ok(())
}
