// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Floods that fill a log: what members and clients send that is warned of.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once, mpsc};
use std::time::{Duration, Instant};

use mf_acc::frame::Message;
use mf_acc::hello::Hello;
use mf_acc::{Bounds, Link, Protocol, Server, TcpOptions, Times, code};
use mf_base::Rank;
use mf_fabric::group::Inbox;

use crate::row;

/// Limit of log lines per call site promised by docs/security.md, including the line with the number of
/// omitted ones.
const MOST: u64 = 11;
const PERIOD: Duration = Duration::from_secs(10);
const KNOWN: i16 = 7;
const UNKNOWN: i16 = 8;

static WARNINGS: AtomicU64 = AtomicU64::new(0);

/// Counts the warnings of this process.
struct Counting;

impl tracing::Subscriber for Counting {
    fn enabled(&self, of: &tracing::Metadata<'_>) -> bool {
        *of.level() <= tracing::Level::WARN
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, _: &tracing::Event<'_>) {
        WARNINGS.fetch_add(1, Ordering::Relaxed);
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

/// Runs a flood, and checks how much was logged of it. Floods run one after the other.
fn flood(attack: &str, sent: &str, run: impl FnOnce()) {
    static LISTENS: Once = Once::new();
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    LISTENS.call_once(|| tracing::subscriber::set_global_default(Counting).unwrap());
    let _one = ONE.lock().unwrap();
    let (before, begun) = (WARNINGS.load(Ordering::Relaxed), Instant::now());
    run();
    let logged = WARNINGS.load(Ordering::Relaxed) - before;
    let periods = begun.elapsed().as_secs() / PERIOD.as_secs() + 2;
    assert!((1..=periods * MOST).contains(&logged), "{attack}: {logged} lines in {:?}", begun.elapsed());
    row(attack, sent, &format!("{logged} lines"), "10 lines of a kind in 10 s");
}

#[test]
fn unreadable_group_messages_do_not_flood_the_log() {
    flood("a member's messages for a group", "100,000 unreadable ones", || {
        let inbox = Inbox::new();
        for message in 0..100_000 {
            inbox.deliver(Rank(message % 7), b"?");
        }
    });
}

fn started(listen: Option<(IpAddr, u16)>) -> (Server, mpsc::Receiver<u32>) {
    let server = Server::new(Protocol::Messages);
    let (found, received) = mpsc::channel();
    server.on_new_link(Some(Arc::new(|_: &Hello, _: &Arc<Link>| 0)));
    server.on_broken(Some(Arc::new(|_: &Arc<Link>| {})));
    server.on_request(
        KNOWN,
        Some(Arc::new(move |message: &Message, _: &[u8], _: &Arc<Link>| {
            found.send(message.sequence).map_or(-1, |()| -1)
        })),
    );
    let times = Times { pause: Duration::from_millis(1), ..Times::default() };
    let options = TcpOptions {
        listen,
        workers: 1,
        queue: 64,
        magic: 3867,
        version: 1,
        times,
        bounds: Bounds::default(),
    };
    server.start_tcp(&options, None).unwrap();
    (server, received)
}

#[test]
fn unserved_messages_do_not_flood_the_log() {
    const MESSAGES: u32 = 20_000;
    flood("messages of a link without a handler", "20,000, and 20,000 that fail", || {
        let (server, received) = started(Some((IpAddr::V4(Ipv4Addr::LOCALHOST), 0)));
        let (client, _none) = started(None);
        let address = server.address().unwrap();
        let hello = Hello { magic: 3867, version: 1, reconnect: 0, rank: 0 };
        let link = client.connect(address.ip(), address.port(), &hello, 3).unwrap();
        for message in 0..2 * MESSAGES {
            let kind = if message % 2 == 0 { UNKNOWN } else { KNOWN };
            loop {
                match link.send((kind, 0, message), &[], &[], false) {
                    Ok(()) => break,
                    // The queue is full.
                    Err(error) if code::code_of(&error) == code::QUEUE_FULL => std::thread::yield_now(),
                    Err(error) => panic!("{error}"),
                }
            }
        }
        for expected in 0..MESSAGES {
            let sequence = received.recv_timeout(Duration::from_secs(60)).unwrap();
            assert_eq!(sequence, 2 * expected + 1);
        }
        client.stop().unwrap();
        server.stop().unwrap();
    });
}
