// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests of the frame codec: decoding returns the encoded frame, and malformed input does no harm.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::api::{Cause, Change, Entry, Lifetime};
use crate::protocol::{About, Answer, Failure, Hello, Listed, Request, Swapped};
use mf_base::{Kind, Rank};

fn frame(kind: FrameKind, sequence: u64, body: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(kind, sequence, body, &mut bytes).unwrap();
    bytes
}

/// Feeds `bytes` in pieces and collects the frames as (kind, sequence, body).
fn cut(bytes: &[u8], piece: usize) -> Result<Vec<(FrameKind, u64, Vec<u8>)>, FrameError> {
    let mut buffer = FrameBuffer::new();
    buffer.trust();
    let mut frames = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let space = buffer.space();
        assert!(!space.is_empty());
        let bytes = rest.len().min(piece).min(space.len());
        space[..bytes].copy_from_slice(&rest[..bytes]);
        buffer.filled(bytes);
        rest = &rest[bytes..];
        while let Some(frame) = buffer.next_frame()? {
            frames.push((frame.kind, frame.sequence, frame.body.to_vec()));
        }
    }
    Ok(frames)
}

fn survives<T: Serialize + DeserializeOwned + PartialEq + fmt::Debug>(message: &T) {
    let bytes = frame(FrameKind::Request, 1, message);
    let mut buffer = FrameBuffer::new();
    buffer.trust();
    let mut rest = &bytes[..];
    while !rest.is_empty() {
        let space = buffer.space();
        let count = rest.len().min(space.len());
        space[..count].copy_from_slice(&rest[..count]);
        buffer.filled(count);
        rest = &rest[count..];
    }
    let found: T = buffer.next_frame().unwrap().unwrap().message().unwrap();
    assert_eq!(&found, message);
}

#[test]
fn messages_survive_a_round_trip() {
    let entry = Entry { key: "k".to_owned(), value: vec![0, 255], revision: u64::MAX, owner: Some(Rank(3)) };
    survives(&Request::CompareAndSwap {
        key: "k".to_owned(),
        expected: None,
        new: vec![1; 8 << 20],
        lifetime: Lifetime::Session,
    });
    survives(&Request::CompareAndSwap {
        key: "k".repeat(1024),
        expected: Some(vec![2; 8 << 20]),
        new: vec![1; 8 << 20],
        lifetime: Lifetime::Permanent,
    });
    survives(&Request::Gather {
        name: "b".to_owned(),
        members: 1024,
        value: Some(vec![1; 64]),
        timeout_us: u64::MAX,
        after_round: None,
    });
    survives::<Result<Answer, Failure>>(&Ok(Answer::Swap(Swapped {
        swapped: true,
        current: Some(Arc::new(entry.clone())),
    })));
    survives::<Result<Answer, Failure>>(&Ok(Answer::Listing(Listed {
        revision: 1,
        entries: vec![Arc::new(entry.clone()), Arc::new(entry.clone())],
    })));
    survives::<Result<Answer, Failure>>(&Err(Failure::new(Kind::Timeout, "late").hint("wait")));
    survives(&Change::Put(entry));
    survives(&Change::Removed { key: "k".to_owned(), revision: 2, owner: None, cause: Cause::Lost });
}

#[test]
fn unknown_programs_are_recognised_by_their_first_bytes() {
    for (bytes, found) in
        [(&b"GET / HTTP/1.1\r\n"[..], "GET "), (b"M?", "M?"), (b"\x16\x03\x01", "\\x16\\x03")]
    {
        match cut(bytes, 64) {
            Err(error @ FrameError::Magic(_)) => assert!(error.to_string().contains(found), "{error}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn other_versions_are_named_by_number() {
    let mut bytes = frame(FrameKind::Hello, 0, &Hello { nonce: [0; 32], about: About::this("") });
    bytes[4] = 9;
    assert_eq!(cut(&bytes, 64), Err(FrameError::Version(9)));
}

#[test]
fn oversized_bodies_are_refused_by_their_header() {
    let mut bytes = frame(FrameKind::Request, 0, &());
    bytes[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(cut(&bytes[..HEADER_BYTES], 64), Err(FrameError::TooLarge { .. })));
    // Before the hello is done the limit is far lower.
    bytes[8..12].copy_from_slice(&5000u32.to_le_bytes());
    let mut buffer = FrameBuffer::new();
    buffer.space()[..HEADER_BYTES].copy_from_slice(&bytes[..HEADER_BYTES]);
    buffer.filled(HEADER_BYTES);
    assert_eq!(
        buffer.next_frame().unwrap_err(),
        FrameError::TooLarge { bytes: 5000, limit: MAX_HELLO_BYTES }
    );
}

#[test]
fn unknown_kinds_flags_and_trailing_bytes_are_refused() {
    for (at, value) in [(6, 0), (6, 77), (7, 1)] {
        let mut bytes = frame(FrameKind::Request, 0, &());
        bytes[at] = value;
        assert!(matches!(cut(&bytes, 64), Err(FrameError::Kind(..))));
    }
    let bytes = frame(FrameKind::Hello, 0, &([0u8; 32], 7u8));
    let mut buffer = FrameBuffer::new();
    buffer.space()[..bytes.len()].copy_from_slice(&bytes);
    buffer.filled(bytes.len());
    let frame = buffer.next_frame().unwrap().unwrap();
    assert_eq!(frame.message::<Hello>(), Err(FrameError::Body(FrameKind::Hello)));
}

#[test]
fn failed_encode_leaves_the_buffer_unchanged() {
    let mut bytes = vec![1, 2, 3];
    let value = "v".repeat(MAX_BODY_BYTES + 1);
    assert!(encode(FrameKind::Reply, 0, &value, &mut bytes).is_err());
    assert_eq!(bytes, [1, 2, 3]);
}

proptest! {
    #[test]
    fn frames_round_trip_for_any_chunking(
        bodies in prop::collection::vec((any::<u64>(), prop::collection::vec(any::<u8>(), 0..600)), 0..20),
        piece in 1usize..2000,
    ) {
        let mut bytes = Vec::new();
        let mut wanted = Vec::new();
        for (sequence, body) in &bodies {
            encode(FrameKind::Change, *sequence, body, &mut bytes).unwrap();
            wanted.push((FrameKind::Change, *sequence, postcard::to_extend(body, Vec::new()).unwrap()));
        }
        prop_assert_eq!(cut(&bytes, piece).unwrap(), wanted);
    }

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..300), piece in 1usize..64) {
        let _ = cut(&bytes, piece);
    }

    #[test]
    fn random_bodies_do_no_harm(body in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut bytes = frame(FrameKind::Request, 0, &());
        bytes[8..12].copy_from_slice(&u32::try_from(body.len()).unwrap().to_le_bytes());
        bytes.extend(&body);
        let mut buffer = FrameBuffer::new();
        buffer.space()[..bytes.len()].copy_from_slice(&bytes);
        buffer.filled(bytes.len());
        let frame = buffer.next_frame().unwrap().unwrap();
        let _ = frame.message::<Request>();
        let _ = frame.message::<Result<Answer, Failure>>();
        let _ = frame.message::<Change>();
        let _ = frame.message::<Hello>();
    }

    #[test]
    fn one_corrupt_byte_does_no_harm(at in 0usize..60, value: u8) {
        let request = Request::Set { key: "key".to_owned(), value: vec![7; 40], lifetime: Lifetime::Session };
        let mut bytes = frame(FrameKind::Request, 9, &request);
        let at = at % bytes.len();
        bytes[at] = value;
        let mut buffer = FrameBuffer::new();
        buffer.space()[..bytes.len()].copy_from_slice(&bytes);
        buffer.filled(bytes.len());
        if let Ok(Some(frame)) = buffer.next_frame() {
            let _ = frame.message::<Request>();
        }
    }
}
