// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The ways to do the same: the baselines by their kinds of waiting, connections and ciphers, and the pool's
//! calls.

use std::cell::RefCell;
use std::time::Instant;

use mf_base::Result;

use super::raw::{Op, Payload, Suite, Waiting};
use super::turns::{Candidate, Tools};

/// A way of a baseline.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) waiting: Waiting,
    pub(super) lanes: usize,
    pub(super) suite: Option<Suite>,
}

impl Way {
    fn name(self) -> String {
        let what = match (self.suite, self.lanes) {
            (Some(Suite::Aes128), _) => "rustls AES-128".to_owned(),
            (Some(Suite::Aes256), _) => "rustls AES-256".to_owned(),
            (None, 1) => "1 conn".to_owned(),
            (None, lanes) => format!("{lanes} conns"),
        };
        match self.waiting {
            Waiting::Spin => format!("{what}, spins"),
            Waiting::Block => what,
        }
    }

    fn run(self, tools: &mut Tools, op: Op, payload: Payload<'_>, calls: u32) -> Result<f64> {
        match self.suite {
            Some(suite) => tools.encrypted(suite, op, self.waiting, payload, calls),
            None => tools.plain(op, self.waiting, self.lanes, payload, calls),
        }
    }

    /// Sends `source` by [`Op::Put`] or [`Op::PutStream`].
    pub(super) fn put(self, op: Op, source: &[u8]) -> Candidate<'_> {
        Candidate {
            name: self.name(),
            run: Box::new(move |tools, calls| self.run(tools, op, Payload::From(source), calls)),
        }
    }

    /// Receives by [`Op::Get`] or [`Op::GetStream`]; candidates take turns, so they can share their memory.
    pub(super) fn get<'a>(self, op: Op, into: &'a RefCell<&mut [u8]>) -> Candidate<'a> {
        Candidate {
            name: self.name(),
            run: Box::new(move |tools, calls| {
                self.run(tools, op, Payload::Into(&mut into.borrow_mut()), calls)
            }),
        }
    }
}

/// The baselines of calls with `bytes` of payload, what counts first: with a core for each side one that
/// spins, without one that blocks; several connections only for what is long.
pub(super) fn ways(is_short: bool, tls: bool, busy: bool) -> Vec<Way> {
    let (first, second) =
        if busy { (Waiting::Block, Waiting::Spin) } else { (Waiting::Spin, Waiting::Block) };
    let suite = tls.then_some(Suite::Aes128);
    let way = |waiting, lanes| Way { waiting, lanes, suite };
    let mut ways = vec![way(first, 1), way(second, 1)];
    if tls {
        ways.push(Way { suite: Some(Suite::Aes256), ..way(Waiting::Block, 1) });
    } else if !is_short {
        ways.extend([way(Waiting::Block, 2), way(Waiting::Block, 4)]);
    }
    ways
}

/// The baseline of a flood of short puts: one call of the kernel each.
pub(super) fn ways_of_a_flood(tls: bool) -> Vec<Way> {
    vec![Way { waiting: Waiting::Block, lanes: 1, suite: tls.then_some(Suite::Aes128) }]
}

/// Calls of the pool, one after the other.
pub(super) fn calls<'a>(mut call: impl FnMut() -> Result<()> + 'a) -> Candidate<'a> {
    Candidate {
        name: "pool".to_owned(),
        run: Box::new(move |_, calls| {
            let start = Instant::now();
            for _ in 0..calls {
                call()?;
            }
            Ok(start.elapsed().as_secs_f64())
        }),
    }
}

/// Calls of the pool that return at once; after each burst of `flight` of them a wait for all.
pub(super) fn bursts<'a>(
    flight: u32,
    mut call: impl FnMut() -> Result<()> + 'a,
    mut wait: impl FnMut() -> Result<()> + 'a,
) -> Candidate<'a> {
    Candidate {
        name: "pool".to_owned(),
        run: Box::new(move |_, calls| {
            let start = Instant::now();
            let mut left = calls;
            while left > 0 {
                let burst = left.min(flight);
                let called = (0..burst).try_for_each(|_| call());
                // Whatever was called is over before anything else happens.
                wait()?;
                called?;
                left -= burst;
            }
            Ok(start.elapsed().as_secs_f64())
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_comes_first() {
        assert_eq!(ways(true, false, false)[0].name(), "1 conn, spins");
        assert_eq!(ways(true, false, true)[0].name(), "1 conn");
        assert!(ways(true, false, false).iter().all(|way| way.lanes == 1));
        assert_eq!(ways(false, false, false).last().unwrap().name(), "4 conns");
        assert!(ways(false, true, false).iter().all(|way| way.name().starts_with("rustls")));
    }
}
