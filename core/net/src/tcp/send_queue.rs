// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sending end of a connection: queued frames, and their entries in the table of operations.

use mf_base::sync::ring::Adder;
use mf_base::{Error, Kind};
use mf_transport::{Range, SegmentKey, Spot};

use super::frames::Reader;
use super::outbound::Outbound;
use super::table::Entry;
use super::validity::Numbers;
use super::wire::Header;

/// The sending end.
pub(super) struct Sending {
    pub(super) out: Outbound,
    pub(super) entries: Adder<Entry>,
    /// The count of void numbers that the last report on this connection belongs to.
    pub(super) reported: u64,
}

impl Sending {
    /// Reports which numbers are live, on the connection `own`.
    pub(super) fn report(&mut self, numbers: &Numbers, own: u64) {
        let (voided, report) = numbers.report();
        self.reported = voided;
        self.out.frame(Header::valid(numbers.scope, own, report.issued), &report.encode());
    }
}

/// Requests never lie in segments.
pub(super) struct Nowhere;

impl Reader for Nowhere {
    fn read(&self, _: SegmentKey, _: u64, _: u64, _: &mut dyn FnMut(Spot<'_>)) -> mf_base::Result<()> {
        Err(Error::new(Kind::Failed, "tcp send"))
    }

    fn read_all(&self, _: SegmentKey, _: &[Range], _: &mut dyn FnMut(&[Spot<'_>])) -> mf_base::Result<()> {
        Err(Error::new(Kind::Failed, "tcp send"))
    }
}
