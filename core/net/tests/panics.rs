// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A panic of the service of local links, in a process of its own: all links of a process share the thread.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use mf_base::os::service;
use mf_base::{Error, Result};
use mf_net::link::{Answer, ConnectionId, Endpoint, Handler, Message, Name, Outcome};
use mf_transport::JobId;

struct Echo;

impl Handler for Echo {
    fn request(&self, _: ConnectionId, request: Message) -> Result<Answer<'_>> {
        Ok(Answer { message: request, order: None })
    }

    fn closed(&self, _: ConnectionId) {}
}

fn name(session: u64) -> Name {
    Name { job: JobId(1), session, service: "echo".to_owned() }
}

fn open(session: u64, handler: &Arc<Echo>) -> Result<Endpoint> {
    let weak: Weak<dyn Handler> = Arc::downgrade(handler) as Weak<dyn Handler>;
    Endpoint::open(name(session), [7; 32], weak)
}

#[track_caller]
fn names_the_panic(error: &Error) {
    let text = error.to_string();
    assert!(text.contains("mf-links") && text.contains("injected by a test"), "{text}");
}

#[test]
fn links_fail_with_the_panic_of_their_thread_and_can_be_reopened() {
    let handler = Arc::new(Echo);
    let (one, other) = (open(1, &handler).unwrap(), open(2, &handler).unwrap());
    let deadline = Instant::now() + Duration::from_secs(60);
    let asker = one.asker();
    let ask = |connection| {
        let request = asker.request(connection, b"hello", &[]);
        asker.wait(&[request], deadline).unwrap().remove(0)
    };
    let connection = one.connect(other.socket(), name(2)).unwrap();
    assert!(matches!(ask(connection), Outcome::Done(_)));
    service::inject_panic("mf-links");
    // The thread panics before or behind this request: no caller waits for the deadline.
    let first = ask(connection);
    assert!(!matches!(first, Outcome::TimedOut), "{first:?}");
    assert!(one.ends(connection, deadline), "the connection ends");
    assert!(matches!(ask(connection), Outcome::Closed));
    names_the_panic(&open(3, &handler).err().unwrap());
    drop((asker, one, other));
    let again = open(4, &handler).unwrap();
    let connection = again.connect(again.socket(), name(4)).unwrap();
    let request = again.asker().request(connection, b"hello", &[]);
    let outcome = again.asker().wait(&[request], deadline).unwrap().remove(0);
    assert!(matches!(outcome, Outcome::Done(_)), "{outcome:?}");
}
