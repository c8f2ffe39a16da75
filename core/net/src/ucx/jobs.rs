// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Jobs: remote copies from the memory of this process to others, requested by third parties.

use std::sync::Arc;
use std::time::Instant;

use mf_base::{Error, Kind, Result};
use mf_transport::SegmentKey;

use super::links::LinkId;
use super::members::{Member, MemberId};
use super::slab::{Id, Slab};
use super::wire::CHUNK_BYTES;

/// Chunks that a copy between others has in flight.
const JOB_CHUNKS: u32 = 4;

/// Request for a copy.
pub(super) struct Order {
    pub(super) member: Arc<Member>,
    pub(super) asked_by: LinkId,
    /// The connection that ordered it.
    pub(super) connection: u64,
    pub(super) answer_to: u64,
    pub(super) from: (SegmentKey, u64),
    pub(super) to_link: LinkId,
    pub(super) to: (SegmentKey, u64),
    pub(super) bytes: u64,
    pub(super) deadline: Instant,
}

struct Job {
    order: Order,
    issued: u64,
    in_flight: u32,
    error: Option<Error>,
}

/// The copies in progress.
pub(super) struct Jobs {
    all: Slab<Job>,
    /// Jobs that may go on.
    ready: Vec<Id>,
}

/// Next step of a job.
pub(super) enum Step {
    /// It goes on when a chunk in flight has ended, or is unknown.
    Waits,
    /// A chunk is to be read and sent.
    Read(Chunk),
    /// It is over: answer to a request of a peer of the member.
    Over { asked_by: LinkId, member: MemberId, answer_to: u64, outcome: Result<()> },
}

/// A chunk of a job.
pub(super) struct Chunk {
    pub(super) member: Arc<Member>,
    pub(super) job: Id,
    pub(super) offset: u64,
    pub(super) bytes: u64,
    pub(super) key: SegmentKey,
    pub(super) address: u64,
    /// Start and length of all that the job copies.
    pub(super) whole: (u64, u64),
}

impl Jobs {
    pub(super) const fn new() -> Self {
        Self { all: Slab::new(), ready: Vec::new() }
    }

    pub(super) fn begin(&mut self, order: Order) {
        let job = self.all.insert(Job { order, issued: 0, in_flight: 0, error: None });
        self.ready.push(job);
    }

    /// Returns true if a job may go on.
    pub(super) fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Takes the jobs that may go on.
    pub(super) fn take_ready(&mut self) -> Vec<Id> {
        std::mem::take(&mut self.ready)
    }

    /// Returns the destination of a job's chunks, and their deadline.
    pub(super) fn destination(&mut self, id: Id) -> Option<(LinkId, (SegmentKey, u64), Instant)> {
        self.all.get_mut(id).map(|job| (job.order.to_link, job.order.to, job.order.deadline))
    }

    /// Notes that a chunk has ended.
    pub(super) fn chunk_ended(&mut self, id: Id, outcome: Result<()>) {
        if let Some(job) = self.all.get_mut(id) {
            job.in_flight = job.in_flight.saturating_sub(1);
            if let Err(error) = outcome {
                job.error.get_or_insert(error);
            }
            self.ready.push(id);
        }
    }

    /// Makes the next step of a job. `is_void` returns true if the link has a newer connection than this one.
    pub(super) fn advance(&mut self, id: Id, is_void: impl Fn(LinkId, u64) -> bool) -> Step {
        let Some(job) = self.all.get_mut(id) else { return Step::Waits };
        if is_void(job.order.asked_by, job.order.connection) {
            let void = || Error::new(Kind::NotConnected, "ucx copy").what("its connection is void");
            job.error.get_or_insert_with(void);
        }
        let left = job.order.bytes - job.issued;
        if job.in_flight == 0 && (left == 0 || job.error.is_some()) {
            let outcome = job.error.take().map_or(Ok(()), Err);
            let (asked_by, answer_to) = (job.order.asked_by, job.order.answer_to);
            let member = job.order.member.id;
            self.all.remove(id);
            return Step::Over { asked_by, member, answer_to, outcome };
        }
        if left == 0 || job.error.is_some() || job.in_flight >= JOB_CHUNKS {
            return Step::Waits;
        }
        let bytes = left.min(CHUNK_BYTES);
        let (offset, (key, start)) = (job.issued, job.order.from);
        job.in_flight += 1;
        job.issued += bytes;
        Step::Read(Chunk {
            member: Arc::clone(&job.order.member),
            job: id,
            offset,
            bytes,
            key,
            address: start.wrapping_add(offset),
            whole: (start, job.order.bytes),
        })
    }
}

#[cfg(test)]
mod tests {
    use mf_transport::{JobId, Peer};

    use super::*;
    use crate::ucx::members::test_member;

    fn jobs(bytes: u64) -> (Jobs, Id) {
        let me = Peer { job: JobId(1), rank: 0, session: 1 };
        let member = test_member(me);
        let (from, to) = ((SegmentKey(1), 4096), (SegmentKey(2), 8192));
        let mut jobs = Jobs::new();
        let deadline = Instant::now();
        jobs.begin(Order {
            member,
            asked_by: 1,
            connection: 1,
            answer_to: 9,
            from,
            to_link: 2,
            to,
            bytes,
            deadline,
        });
        let id = jobs.take_ready()[0];
        (jobs, id)
    }

    fn chunks(jobs: &mut Jobs, id: Id) -> (Vec<Chunk>, Step) {
        let mut chunks = Vec::new();
        loop {
            match jobs.advance(id, |_, _| false) {
                Step::Read(chunk) => chunks.push(chunk),
                step => return (chunks, step),
            }
        }
    }

    #[test]
    fn a_job_reads_each_chunk_once_and_few_at_a_time() {
        let bytes = 6 * CHUNK_BYTES + 1;
        let (mut jobs, id) = jobs(bytes);
        let (mut offset, mut in_flight) = (0, 0);
        let outcome = loop {
            let (read, step) = chunks(&mut jobs, id);
            for chunk in read {
                assert_eq!(
                    (chunk.offset, chunk.address, chunk.whole),
                    (offset, 4096 + offset, (4096, bytes))
                );
                offset += chunk.bytes;
                in_flight += 1;
            }
            assert!(in_flight <= JOB_CHUNKS);
            match step {
                Step::Over { outcome, answer_to: 9, asked_by: 1, .. } => break outcome,
                _ => jobs.chunk_ended(id, Ok(())),
            }
            in_flight -= 1;
        };
        outcome.unwrap();
        assert_eq!(offset, bytes);
        assert!(matches!(jobs.advance(id, |_, _| false), Step::Waits), "it is unknown then");
    }

    #[test]
    fn a_void_or_failed_job_ends_with_its_last_chunk() {
        for is_void in [false, true] {
            let (mut jobs, id) = jobs(6 * CHUNK_BYTES);
            let (read, _) = chunks(&mut jobs, id);
            let outcome = if is_void { Ok(()) } else { Err(Error::invalid("test", "no")) };
            jobs.chunk_ended(id, outcome);
            (2..read.len()).for_each(|_| jobs.chunk_ended(id, Ok(())));
            assert!(matches!(jobs.advance(id, |_, _| is_void), Step::Waits), "a chunk is in flight");
            jobs.chunk_ended(id, Ok(()));
            let Step::Over { outcome, .. } = jobs.advance(id, |_, _| is_void) else { panic!("not over") };
            let kind = if is_void { Kind::NotConnected } else { Kind::InvalidParam };
            assert_eq!(outcome.unwrap_err().kind(), kind);
        }
    }
}
