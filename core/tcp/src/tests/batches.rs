// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Many long operations in flight: one call of the kernel takes several frames.

use mf_base::settings::Switch;

use super::*;

const BYTES: usize = 64 << 10;
const COUNT: usize = 40;

fn ends(tls: Switch) -> (End, End) {
    let end = |rank| end_with(peer(rank), 16 << 20, |options| options.tls = tls);
    let (a, b) = (end(0), end(1));
    introduce(&[&a, &b]);
    (a, b)
}

/// The lengths differ, so that frames end at all places of a page.
fn bytes(number: usize) -> usize {
    BYTES + 8 * number
}

#[test]
fn long_puts_and_gets_in_flight_arrive_in_place() {
    for tls in [Switch::Off, Switch::On] {
        let (a, b) = ends(tls);
        let at = |number: usize| number * 2 * BYTES;
        a.memory.fill(1);
        b.memory.fill(2);
        let completion = Arc::new(Completion::new());
        for number in (0..COUNT).step_by(2) {
            let span = a.span(at(number), at(number), bytes(number));
            a.post(b.me, &Operation::Put { key: KEY, spans: &[span] }, &completion).unwrap();
        }
        for number in (1..COUNT).step_by(2) {
            let span = a.span(at(number), at(number), bytes(number));
            a.post(b.me, &Operation::Get { key: KEY, spans: &[span] }, &completion).unwrap();
        }
        a.tcp.wait(&completion).unwrap();
        for number in 0..COUNT {
            let (first, last) = (at(number) / 8, (at(number) + bytes(number)) / 8);
            let (moved, kept) = if number % 2 == 0 { (1, 1) } else { (2, 2) };
            b.memory.check(moved, first..last);
            a.memory.check(kept, first..last);
            let next = at(number + 1) / 8;
            a.memory.check(1, last..next);
            b.memory.check(2, last..next);
        }
    }
}

#[test]
fn put_into_a_hole_fails_alone_among_puts_in_flight() {
    let (a, b) = ends(Switch::Off);
    a.put(&b, 0, 0, 8).unwrap();
    b.memory.fill(2);
    let holed = holes::Holed::new(192 << 10);
    let gate = b.memory.shut();
    let post = |span: Span| {
        let completion = Arc::new(Completion::new());
        a.post(b.me, &Operation::Put { key: KEY, spans: &[span] }, &completion).unwrap();
        completion
    };
    let first = post(a.span(0, 0, 8));
    let before = post(a.span(0, 4 << 20, BYTES));
    let failing = post(holed.span());
    let behind = post(a.span(0, 5 << 20, BYTES));
    let error = a.tcp.wait(&failing).unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
    for completion in [first, before, behind] {
        let error = a.tcp.wait(&completion).unwrap_err();
        assert_eq!((error.kind(), error.retry_class()), (Kind::Timeout, mf_base::Retry::AtOnce), "{error}");
    }
    drop(gate);
    a.put(&b, 0, 8, 8).unwrap();
}
