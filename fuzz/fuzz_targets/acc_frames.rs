// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A peer's input to a message server: hello, answer, messages. The first byte selects the pieces of the
//! input; the messages are the same for any pieces.

#![no_main]

use mf_acc::frame::{Fault, Frames, Message};
use mf_acc::hello::{ANSWER_BYTES, Answer, HELLO_BYTES, Hello};

type Found = Result<Vec<(Message, Vec<u8>)>, Fault>;

fn read(bytes: &[u8], piece: usize) -> Found {
    let (mut frames, mut found) = (Frames::default(), Vec::new());
    for mut input in bytes.chunks(piece.max(1)) {
        while let Some((message, body)) = frames.take(&mut input)? {
            found.push((message, body.into_owned()));
        }
    }
    Ok(found)
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((piece, bytes)) = bytes.split_first() else { return };
    if let Some(hello) = bytes.first_chunk::<HELLO_BYTES>() {
        if let Some(read) = Hello::read(hello) {
            assert_eq!(read.bytes(), *hello);
        }
    }
    if let Some(answer) = bytes.first_chunk::<ANSWER_BYTES>() {
        let _ = Answer::read(answer);
    }
    assert_eq!(read(bytes, usize::from(*piece)), read(bytes, usize::MAX));
});
