// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Requests to the other process: its identity, and its grants.

use std::os::fd::OwnedFd;
use std::time::Instant;

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_transport::SegmentKey;

use super::copy_loop::Cursor;
use super::{Link, OP, Remote, Stop, Wanted};
use crate::cma::grants::{Grants, Held};
use crate::cma::page::Page;
use crate::cma::wire::{self, RANGES_MAX, Reply, Request};
use crate::link::{ConnectionId, Outcome, lost_descriptor};

impl Remote {
    /// The link, made the first time with `connect`.
    pub(super) fn link(
        &self,
        deadline: Instant,
        connect: &dyn Fn(&Self) -> Result<ConnectionId>,
    ) -> Result<&Link> {
        if let Some(link) = self.link.get() {
            return Ok(link);
        }
        let _connecting = lock(&self.connecting);
        if let Some(link) = self.link.get() {
            return Ok(link);
        }
        self.check()?;
        let connection = connect(self)?;
        let (reply, mut descriptors) = self.ask(connection, &Request::Meet, deadline)?;
        let (Reply::Met(_), Some(page)) = (reply, descriptors.pop()) else { return Err(lost_descriptor()) };
        let (_, process) = self.asker.peer(connection);
        let link = Link { connection, page: Page::of(page)?, process };
        Ok(self.link.get_or_init(|| link))
    }

    /// Asks the process to put bytes into memory of its own.
    ///
    /// # Errors
    /// The process's own · `NotConnected`, `Timeout`.
    pub(in crate::cma) fn put_by_owner(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: &[u8],
        deadline: Instant,
        connect: &dyn Fn(&Self) -> Result<ConnectionId>,
    ) -> Result<()> {
        let connection = self.link(deadline, connect)?.connection;
        self.check()?;
        let request = Request::Put { key, address, bytes: bytes.to_vec() };
        self.ask(connection, &request, deadline).map(drop)
    }

    pub(super) fn ask(
        &self,
        connection: ConnectionId,
        request: &Request,
        deadline: Instant,
    ) -> Result<(Reply, Vec<OwnedFd>)> {
        let request = self.asker.request(connection, &wire::encode(request)?, &[]);
        match self.asker.wait(&[request], deadline)?.pop() {
            Some(Outcome::Done(message)) => Ok((wire::decode(&message.bytes)?, message.descriptors)),
            Some(Outcome::Refused { code, text }) => {
                Err(Error::new(Kind::from_code(code).unwrap_or(Kind::Failed), OP).what(text))
            }
            Some(Outcome::TimedOut) => Err(self.late()),
            Some(Outcome::Closed) | None => Err(self.gone("the connection to the other process has ended")),
        }
    }

    /// Asks the owner for missing grants.
    pub(super) fn learn(
        &self,
        link: &Link,
        Wanted { key, spans, device, .. }: Wanted<'_>,
        cursor: Cursor,
        deadline: Instant,
    ) -> std::result::Result<(), Stop> {
        let next = spans.iter().skip(cursor.span).take(RANGES_MAX);
        let ranges = self.uncovered(key, next.map(|span| (span.address, span.bytes)));
        let (reply, _) =
            self.ask(link.connection, &Request::Ask { key, ranges: ranges.clone() }, deadline)?;
        let Reply::Granted { epoch, grants, refused } = reply else {
            return Err(Error::invalid(OP, "the other process answered another request").into());
        };
        let found = self.backings(link, key, &grants, deadline, device)?;
        {
            let mut known = lock(&self.known);
            if epoch > known.grants.epoch || known.grants.len() == 0 {
                known.grants = Grants::of(epoch);
            }
            if epoch == known.grants.epoch {
                for (grant, at) in grants.iter().zip(found) {
                    if let Some(held) = at.and_then(|at| Held::new(key, grant, at)) {
                        known.grants.add(held);
                    }
                }
                self.grants.set(0, Some(Box::new(known.grants.clone())));
            }
        }
        match refused {
            Some((0, code, text)) => match Kind::from_code(code).unwrap_or(Kind::Failed) {
                Kind::NotExist => Err(Stop::Elsewhere),
                kind => {
                    let (address, bytes) = ranges.first().copied().unwrap_or_default();
                    let error = Error::new(kind, OP)
                        .what(text)
                        .with("rank", self.peer.rank_fact())
                        .with("address", format_args!("{address:#x}"))
                        .with("bytes", bytes);
                    let piece = spans.iter().position(|span| (span.address, span.bytes) == (address, bytes));
                    Err(Stop::Failed(match piece.filter(|_| spans.len() > 1) {
                        Some(piece) => error.with("piece", piece),
                        None => error,
                    }))
                }
            },
            _ => Ok(()),
        }
    }

    /// Returns the ranges without a known grant; all of them if none is left.
    fn uncovered(&self, key: SegmentKey, ranges: impl Iterator<Item = (u64, u64)>) -> Vec<(u64, u64)> {
        // The first is asked for in any case: its grant is void, or not there.
        let mut ranges: Vec<(u64, u64)> = ranges.collect();
        let known = lock(&self.known);
        let mut is_first = true;
        ranges.retain(|(address, bytes)| {
            std::mem::take(&mut is_first) || known.grants.find(key, *address, *bytes).is_none()
        });
        ranges
    }
}
