// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Doors for the fuzz targets in `fuzz/` to functions that are not public. Not part of the interface.
//!
//! Each takes bytes of an unknown peer and panics when an invariant does not hold.

#![allow(clippy::panic, clippy::missing_panics_doc, reason = "a panic is how a fuzz target reports")]

use std::fmt::Debug;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::api::{Cause, Change, Entry, LeaseId, Lifetime, Part};
use crate::protocol::frame::{FrameBuffer, FrameKind, MAX_HELLO_BYTES, encode};
use crate::protocol::{
    About, Answer, Challenge, Failure, Hello, Join, Kept, KnownKey, Memory, Notice, OneWay, Proved,
    RankRequest, Refusal, Request, RequestMessage, Resume, Round, Standing, Welcome,
};

type Reply = Result<Answer, Failure>;

/// Cuts `bytes` into frames and reads the message of each. The first byte chooses the pieces in which the
/// rest arrives and whether the sender has proved itself.
pub fn frames(bytes: &[u8]) {
    let Some((choice, mut rest)) = bytes.split_first() else { return };
    let mut frames = FrameBuffer::new();
    if choice & 1 == 1 {
        frames.trust();
    }
    let piece = usize::from(choice >> 1) * 3 + 1;
    while !rest.is_empty() {
        let space = frames.space();
        assert!(!space.is_empty(), "no room for the next read");
        assert!(
            choice & 1 == 1 || space.len() <= 4 * MAX_HELLO_BYTES,
            "an unknown peer makes the buffer grow"
        );
        let count = piece.min(rest.len()).min(space.len());
        let (now, later) = rest.split_at(count);
        space.iter_mut().zip(now).for_each(|(to, from)| *to = *from);
        rest = later;
        frames.filled(count);
        loop {
            match frames.next_frame() {
                Ok(Some(frame)) => match frame.kind {
                    FrameKind::Hello => again::<Hello>(frame.kind, frame.message()),
                    FrameKind::Challenge => again::<Challenge>(frame.kind, frame.message()),
                    FrameKind::Join => again::<Join>(frame.kind, frame.message()),
                    FrameKind::Proved => again::<Proved>(frame.kind, frame.message()),
                    FrameKind::Welcome => again::<Welcome>(frame.kind, frame.message()),
                    FrameKind::Refused => again::<Refusal>(frame.kind, frame.message()),
                    FrameKind::Request => again::<RequestMessage>(frame.kind, frame.message()),
                    FrameKind::Reply => again::<Reply>(frame.kind, frame.message()),
                    FrameKind::Change => again::<Change>(frame.kind, frame.message()),
                    FrameKind::Leave => again::<()>(frame.kind, frame.message()),
                    FrameKind::OneWay => again::<OneWay>(frame.kind, frame.message()),
                    FrameKind::Notice => again::<Notice>(frame.kind, frame.message()),
                },
                Ok(None) => break,
                Err(error) => {
                    assert!(!error.to_string().is_empty(), "an error without a text");
                    return;
                }
            }
        }
    }
}

/// A message that was read can be written and is the same when read again.
fn again<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    kind: FrameKind,
    message: Result<T, impl Debug>,
) {
    let Ok(message) = message else { return };
    let mut bytes = Vec::new();
    if encode(kind, 0, &message, &mut bytes).is_err() {
        panic!("{kind:?} was read and cannot be written: {message:?}");
    }
    let mut frames = FrameBuffer::new();
    frames.trust();
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let space = frames.space();
        let count = space.len().min(rest.len());
        let (now, later) = rest.split_at(count);
        space.iter_mut().zip(now).for_each(|(to, from)| *to = *from);
        frames.filled(count);
        rest = later;
    }
    match frames.next_frame() {
        Ok(Some(frame)) => {
            let read = frame.message::<T>().ok();
            assert_eq!(read, Some(message), "{kind:?} changed in transit");
        }
        other => panic!("a frame that was written is not one: {other:?}"),
    }
}

/// Inputs of [`frames`] to start from, with their names: one for each kind of message.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let about = About { oldest: 1, newest: 1, features: 3, build: "0.1.0".into(), job: "job".into() };
    let standing = Standing { epoch: 4, members: 3, host_session: Some(1) };
    let entry = Entry { key: "k".into(), value: vec![1, 2], revision: 9, owner: Some(mf_base::Rank(1)) };
    let resume = Resume {
        session: 5,
        rank: Some(2),
        store: [4; 16],
        term: 1,
        standing,
        revision: 8,
        answered_below: 3,
    };
    let join = Join {
        proof: [7; 32],
        world_size: 4,
        wish: RankRequest::Prefer(2),
        device: 0,
        hosts_store: false,
        timeout_us: 1_000_000,
        host: "host".into(),
        pid: 42,
        key: [3; 16],
        resume: Some(resume),
        job_token: None,
    };
    let welcome = Welcome {
        proof: [8; 32],
        rank: Some(2),
        world_size: 4,
        session: 5,
        job_token: [9; 32],
        store: [4; 16],
        term: 2,
        standing,
        revision: 10,
    };
    let refusal = Refusal { failure: Failure::invalid("no").hint("yes"), later: true, leader: None };
    let round =
        Round { round: 11, ranks: vec![0, 1], parts: vec![Part { rank: mf_base::Rank(0), value: vec![5] }] };
    let value = Memory::Value { bytes: vec![6], lifetime: Lifetime::Lease(LeaseId(1)) };
    let piece = Memory::Piece { offset: 1, bytes: vec![7] };
    let kept = [value, piece, Memory::Deletion].map(|what| Kept { key: "k".into(), revision: 3, what });
    let requests = [
        Request::Set { key: "k".into(), value: vec![1], lifetime: Lifetime::Session },
        Request::Wait { key: "k".into(), timeout_us: 5 },
        Request::Add { key: "k".into(), delta: -1 },
        Request::CompareAndSwap {
            key: "k".into(),
            expected: Some(vec![1]),
            new: vec![2],
            lifetime: Lifetime::Permanent,
        },
        Request::ListPage { prefix: "p".into(), after: Some("q".into()), limit: 7 },
        Request::Watch { watch: 1, prefix: "p".into(), exact: false, values: true },
        Request::Gather {
            name: "b".into(),
            members: 4,
            value: Some(vec![3]),
            timeout_us: 9,
            after_round: Some(1),
        },
        Request::Lock { name: "l".into(), timeout_us: None },
    ];
    let answers = [
        Answer::Revision(4),
        Answer::Entry(Some(Arc::new(entry.clone()))),
        Answer::Deleted { revision: Some(3), remember: true },
        Answer::Watching {
            revision: 3,
            known: vec![KnownKey { key: "k".into(), revision: 2, owner: None }],
            entries: vec![Arc::new(entry.clone())],
        },
        Answer::Gathered(Arc::new(round.clone())),
    ];
    let messages = [
        OneWay::Kept(kept.to_vec()),
        OneWay::Holding(vec![("l".into(), 4)]),
        OneWay::Leases(vec![(LeaseId(1), 100_000)]),
        OneWay::Rounds(vec![("b".into(), round)]),
        OneWay::Complete,
    ];
    let removed = Change::Removed { key: "k".into(), revision: 8, owner: None, cause: Cause::Lost };
    let view = Notice::View { watch: 2, change: crate::api::ViewChange::default() };
    let failed: Reply = Err(Failure::invalid("why"));

    let mut seeds = Vec::new();
    seed(&mut seeds, FrameKind::Hello, &Hello { nonce: [1; 32], about: about.clone() });
    seed(&mut seeds, FrameKind::Challenge, &Challenge { nonce: [2; 32], about, store: [4; 16] });
    seed(&mut seeds, FrameKind::Join, &join);
    seed(&mut seeds, FrameKind::Welcome, &welcome);
    seed(&mut seeds, FrameKind::Refused, &refusal);
    for request in requests {
        seed(&mut seeds, FrameKind::Request, &RequestMessage { answered_below: 2, request });
    }
    for answer in answers {
        seed(&mut seeds, FrameKind::Reply, &Ok::<Answer, Failure>(answer));
    }
    seed(&mut seeds, FrameKind::Reply, &failed);
    for change in [Change::Put(entry), removed, Change::StoreLost] {
        seed(&mut seeds, FrameKind::Change, &change);
    }
    seed(&mut seeds, FrameKind::Leave, &());
    for one_way in messages {
        seed(&mut seeds, FrameKind::OneWay, &one_way);
    }
    for notice in [
        Notice::Standing(standing),
        Notice::Superseded(vec![("k".into(), 4)]),
        Notice::Keep(kept.to_vec()),
        Notice::Ending,
        view,
    ] {
        seed(&mut seeds, FrameKind::Notice, &notice);
    }
    seeds
}

fn seed<T: Serialize + ?Sized>(seeds: &mut Vec<(String, Vec<u8>)>, kind: FrameKind, message: &T) {
    // From an authenticated peer, in large pieces.
    let mut bytes = vec![0xff];
    if encode(kind, 1, message, &mut bytes).is_ok() {
        seeds.push((format!("{kind:?}-{}", seeds.len()).to_lowercase(), bytes));
    }
}
