// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A panic of the progress thread fails its users.

use std::sync::atomic::Ordering;

use mf_base::{Error, Kind};
use mf_transport::Transport;

use super::{end, introduce, pair, until};

#[track_caller]
fn names_the_panic(error: &Error) {
    let text = error.to_string();
    assert!(text.contains("mf-tcp") && text.contains("the memory panics"), "{text}");
}

#[test]
fn operations_fail_with_the_panic_of_their_progress_thread() {
    let (a, b) = pair(4096);
    let c = end(2, 4096);
    introduce(&[&a, &b, &c]);
    a.put(&b, 0, 0, 8).unwrap();
    b.put(&c, 0, 0, 8).unwrap();
    b.memory.panics.store(true, Ordering::SeqCst);
    // The peer sees the connection end, and the next one is refused.
    assert_eq!(a.put(&b, 0, 0, 8).unwrap_err().kind(), Kind::NotConnected);
    // A new connection, and one that was there.
    names_the_panic(&b.put(&a, 0, 0, 8).unwrap_err());
    until("the failure of a connection that was there", || b.put(&c, 0, 0, 8).is_err());
    names_the_panic(&b.put(&c, 0, 0, 8).unwrap_err());
    assert_eq!(a.put(&b, 0, 0, 8).unwrap_err().kind(), Kind::NotConnected);
    // Other connections work, and the failed one closes.
    a.put(&c, 0, 0, 8).unwrap();
    b.tcp.close();
}
