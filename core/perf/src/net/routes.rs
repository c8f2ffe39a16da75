// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The routes that are compared: the baselines by their kinds of waiting, connections and ciphers, and the
//! pool's calls.

use std::cell::RefCell;
use std::time::Instant;

use mf_base::Result;

use super::raw::{Op, Payload, Suite, Waiting};
use super::turn_length::{Named, Tools};

/// A route of a baseline.
#[derive(Clone, Copy)]
pub(super) struct Route {
    pub(super) waiting: Waiting,
    pub(super) lanes: usize,
    pub(super) suite: Option<Suite>,
}

impl Route {
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
    pub(super) fn put(self, op: Op, source: &[u8]) -> Named<'_> {
        Named {
            name: self.name(),
            run: Box::new(move |tools, calls| self.run(tools, op, Payload::From(source), calls)),
        }
    }

    /// Receives by [`Op::Get`] or [`Op::GetStream`]; routes take turns, so they can share their memory.
    pub(super) fn get<'a>(self, op: Op, into: &'a RefCell<&mut [u8]>) -> Named<'a> {
        Named {
            name: self.name(),
            run: Box::new(move |tools, calls| {
                self.run(tools, op, Payload::Into(&mut into.borrow_mut()), calls)
            }),
        }
    }
}

/// Baselines of calls with `bytes` of payload, the compared ones first: spinning with a core for each side,
/// else blocking; several connections only for long payloads.
pub(super) fn routes(is_short: bool, tls: bool, busy: bool) -> Vec<Route> {
    let (first, second) =
        if busy { (Waiting::Block, Waiting::Spin) } else { (Waiting::Spin, Waiting::Block) };
    let suite = tls.then_some(Suite::Aes128);
    let route = |waiting, lanes| Route { waiting, lanes, suite };
    let mut routes = vec![route(first, 1), route(second, 1)];
    if tls {
        routes.push(Route { suite: Some(Suite::Aes256), ..route(Waiting::Block, 1) });
    } else if !is_short {
        routes.extend([route(Waiting::Block, 2), route(Waiting::Block, 4)]);
    }
    routes
}

/// The baseline of a flood of short puts: one call of the kernel each.
pub(super) fn flood_routes(tls: bool) -> Vec<Route> {
    vec![Route { waiting: Waiting::Block, lanes: 1, suite: tls.then_some(Suite::Aes128) }]
}

/// Calls of the pool, one after the other.
pub(super) fn calls<'a>(mut call: impl FnMut() -> Result<()> + 'a) -> Named<'a> {
    Named {
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
) -> Named<'a> {
    Named {
        name: "pool".to_owned(),
        run: Box::new(move |_, calls| {
            let start = Instant::now();
            let mut left = calls;
            while left > 0 {
                let burst = left.min(flight);
                let called = (0..burst).try_for_each(|_| call());
                // Completes outstanding calls first.
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
        assert_eq!(routes(true, false, false)[0].name(), "1 conn, spins");
        assert_eq!(routes(true, false, true)[0].name(), "1 conn");
        assert!(routes(true, false, false).iter().all(|route| route.lanes == 1));
        assert_eq!(routes(false, false, false).last().unwrap().name(), "4 conns");
        assert!(routes(false, true, false).iter().all(|route| route.name().starts_with("rustls")));
    }
}
