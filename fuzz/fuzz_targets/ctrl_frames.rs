// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A peer's input on the control channel: hello, answer, messages. The first byte selects the pieces of the
//! input, and how they are taken; the messages are the same for any pieces.

#![no_main]

use mf_hmc::ctrl::frame::{Head, Inbox, TooLong};
use mf_hmc::ctrl::handshake_frames::{Answer, Hello};

type Found = Result<Vec<(Head, Vec<u8>)>, TooLong>;

/// Messages of bytes that were received in place, at most `piece` at a time; `exact`: no more than a frame.
fn receive(mut bytes: &[u8], piece: usize, exact: bool) -> Found {
    let (mut inbox, mut found) = (Inbox::default(), Vec::new());
    loop {
        while let Some(head) = inbox.ready()? {
            assert_eq!(inbox.payload().len(), head.length as usize);
            found.push((head, inbox.take()));
        }
        if bytes.is_empty() {
            return Ok(found);
        }
        let space = inbox.space(exact);
        let (now, later) = bytes.split_at(piece.max(1).min(space.len()).min(bytes.len()));
        space[..now.len()].copy_from_slice(now);
        inbox.filled(now.len());
        bytes = later;
    }
}

/// The same of bytes that were received elsewhere.
fn push(bytes: &[u8], piece: usize) -> Found {
    let (mut inbox, mut found) = (Inbox::default(), Vec::new());
    for piece in bytes.chunks(piece.max(1)) {
        inbox.push(piece);
        while let Some(head) = inbox.ready()? {
            found.push((head, inbox.payload().to_vec()));
            inbox.consume();
        }
    }
    Ok(found)
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((piece, bytes)) = bytes.split_first() else { return };
    if let Some(hello) = Hello::read(bytes) {
        let mut written = Vec::new();
        hello.write(&mut written);
        assert_eq!(&written[8..], bytes);
    }
    if let Some(answer) = Answer::read(bytes) {
        let mut written = Vec::new();
        answer.write(&mut written);
        assert_eq!(&written[8..], bytes);
    }
    let wanted = receive(bytes, usize::MAX, false);
    assert_eq!(receive(bytes, usize::from(piece >> 1), piece & 1 == 1), wanted);
    assert_eq!(push(bytes, usize::from(*piece)), wanted);
});
