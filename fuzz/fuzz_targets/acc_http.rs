// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A client's input to an HTTP server. The first byte selects the pieces of the input; the requests are the
//! same for any pieces.

#![no_main]

use mf_acc::http::Parameters;
use mf_acc::http::requests::{Requests, Step};

fn read(bytes: &[u8], piece: usize) -> Vec<Step> {
    let (mut requests, mut found) = (Requests::new(1 << 10), Vec::new());
    for input in bytes.chunks(piece.max(1)) {
        requests.feed(input);
        loop {
            match requests.step() {
                Step::More => break,
                // A "100 Continue" depends on the amount received.
                Step::Continue => {}
                step => found.push(step),
            }
        }
    }
    found
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((piece, bytes)) = bytes.split_first() else { return };
    let found = read(bytes, usize::from(*piece));
    assert_eq!(found, read(bytes, usize::MAX));
    for step in &found {
        if let Step::Request(request) = step {
            let all = Parameters::read(&request.head.query);
            assert!(all.all().all(|(name, _)| name.ends_with(&[0])));
        }
    }
});
