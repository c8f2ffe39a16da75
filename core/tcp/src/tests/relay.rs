// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A relay between two ends: passes bytes on, holds them, or cuts its connections.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};

use super::*;
use crate::address;

/// A listener that forwards its connections.
#[derive(Default)]
pub(super) struct Relay(Mutex<Vec<Arc<Passed>>>);

/// A connection through it.
struct Passed {
    from: TcpStream,
    onwards: TcpStream,
    has_ended: AtomicBool,
    /// Bytes that may still pass in each direction.
    budget: AtomicU64,
}

impl Relay {
    /// A relay before an end, and its address.
    pub(super) fn before(end: &End) -> (Arc<Self>, SocketAddr) {
        let (relay, to) = (Arc::new(Self::default()), Tcp::listening(&end.tcp.address()).unwrap()[0]);
        let listener = TcpListener::bind(loopback()).unwrap();
        let at = listener.local_addr().unwrap();
        let passing = Arc::clone(&relay);
        std::thread::spawn(move || {
            for from in listener.incoming().map_while(std::result::Result::ok) {
                let Ok(onwards) = TcpStream::connect(to) else { continue };
                let (has_ended, budget) = (AtomicBool::new(false), AtomicU64::new(u64::MAX));
                let passed = Arc::new(Passed { from, onwards, has_ended, budget });
                passing.0.lock().unwrap().push(Arc::clone(&passed));
                for back in [false, true] {
                    let passed = Arc::clone(&passed);
                    std::thread::spawn(move || passed.pass(back));
                }
            }
        });
        (relay, at)
    }

    /// Introduces `other` to `one` by the address of this relay.
    pub(super) fn introduce(one: &End, other: &End) -> Arc<Self> {
        let (relay, at) = Self::before(other);
        one.tcp.introduce(other.me, &address::encode(&[at])).unwrap();
        relay
    }

    /// Connections that came until now.
    pub(super) fn came(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    /// Ends the present connections. Returns their number.
    pub(super) fn cut(&self) -> usize {
        let all = std::mem::take(&mut *self.0.lock().unwrap());
        let there = all.iter().filter(|passed| !passed.has_ended.load(Ordering::SeqCst)).count();
        all.iter().for_each(|passed| passed.close());
        there
    }

    /// Holds the connections of these places, in the order in which they came, after `bytes` more bytes.
    pub(super) fn hold(&self, places: std::ops::Range<usize>, bytes: u64) -> Held {
        let held = self.0.lock().unwrap()[places].to_vec();
        held.iter().for_each(|passed| passed.budget.store(bytes, Ordering::SeqCst));
        Held(held)
    }
}

/// Connections with bytes that are held until they are released.
pub(super) struct Held(Vec<Arc<Passed>>);

impl Held {
    /// Passes on all that was held; returns once these connections have ended.
    pub(super) fn release(self) {
        self.0.iter().for_each(|passed| passed.budget.store(u64::MAX, Ordering::SeqCst));
        until("the end of the held connections", || {
            self.0.iter().all(|passed| passed.has_ended.load(Ordering::SeqCst))
        });
    }
}

impl Passed {
    fn pass(&self, back: bool) {
        let (mut from, mut to) = (&self.from, &self.onwards);
        if back {
            (from, to) = (to, from);
        }
        let mut buffer = vec![0; 64 << 10];
        while let Ok(bytes) = from.read(&mut buffer)
            && bytes > 0
        {
            let mut rest = &buffer[..bytes];
            while !rest.is_empty() {
                let budget = usize::try_from(self.budget.load(Ordering::SeqCst)).unwrap();
                let (now, later) = rest.split_at(rest.len().min(budget));
                if to.write_all(now).is_err() {
                    return self.close();
                }
                let take = |budget: u64| (budget < u64::MAX).then(|| budget.saturating_sub(now.len() as u64));
                let _ = self.budget.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take);
                rest = later;
                std::thread::yield_now();
            }
        }
        self.close();
    }

    fn close(&self) {
        for stream in [&self.from, &self.onwards] {
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.has_ended.store(true, Ordering::SeqCst);
    }
}
