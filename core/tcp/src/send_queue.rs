// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sending end of a connection: queued frames, and their entries in the table of operations.

use mf_base::sync::ring::Adder;
use mf_base::{Error, Kind};
use mf_transport::{Range, SegmentKey, Spot};

use crate::frames::Reader;
use crate::outbound::Outbound;
use crate::table::Entry;
use crate::validity::Numbers;
use crate::wire::Header;

/// The sending end.
pub(crate) struct Sending {
    pub(crate) out: Outbound,
    pub(crate) entries: Adder<Entry>,
    /// The count of void numbers that the last report on this connection belongs to.
    pub(crate) reported: u64,
}

impl Sending {
    /// Reports which numbers are live, on the connection `own`.
    pub(crate) fn report(&mut self, numbers: &Numbers, own: u64) {
        let (voided, report) = numbers.report();
        self.reported = voided;
        self.out.frame(Header::valid(numbers.scope, own, report.issued), &report.encode());
    }
}

/// Requests never lie in segments.
pub(crate) struct Nowhere;

impl Reader for Nowhere {
    fn read(&self, _: SegmentKey, _: u64, _: u64, _: &mut dyn FnMut(Spot<'_>)) -> mf_base::Result<()> {
        Err(Error::new(Kind::Failed, "tcp send"))
    }

    fn read_all(&self, _: SegmentKey, _: &[Range], _: &mut dyn FnMut(&[Spot<'_>])) -> mf_base::Result<()> {
        Err(Error::new(Kind::Failed, "tcp send"))
    }
}
