// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Panics of callbacks end a link, and not the worker that others wait for.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod servers;

use std::sync::{Arc, mpsc};

use mf_acc::frame::Message;
use mf_acc::hello::Hello;
use mf_acc::{Link, Protocol, Server};
use servers::*;

#[test]
fn panic_of_a_request_handler_ends_its_link_and_no_other() {
    let server = server(1, |message: &Message, body: &[u8], link: &Arc<Link>| {
        assert_ne!(body, b"panic", "as asked");
        link.send((message.kind, 0, message.sequence), body, &[], false).unwrap();
    });
    let client = Server::new(Protocol::Messages);
    let (answered, answers) = mpsc::channel();
    let (broke, broken) = mpsc::channel();
    client.on_request(
        ECHO,
        Some(Arc::new(move |message: &Message, _: &[u8], _: &Arc<Link>| {
            answered.send(message.sequence).unwrap();
            0
        })),
    );
    client.on_broken(Some(Arc::new(move |link: &Arc<Link>| broke.send(link.id()).unwrap())));
    client.start_tcp(&mf_acc::TcpOptions { listen: None, ..listening(1) }, None).unwrap();
    let (first, second) = (connect(&client, &server), connect(&client, &server));
    first.send((ECHO, 0, 1), b"panic", &[], false).unwrap();
    assert_eq!(next(&broken), first.id());
    // The only worker of the server goes on.
    second.send((ECHO, 0, 2), b"hello", &[], false).unwrap();
    assert_eq!(next(&answers), 2);
    client.stop().unwrap();
    server.stop().unwrap();
}

#[test]
fn panic_of_a_broken_callback_does_not_stop_later_ones() {
    let server = Server::new(Protocol::Messages);
    server.on_new_link(Some(Arc::new(|_: &Hello, _: &Arc<Link>| 0)));
    server.on_request(ECHO, Some(Arc::new(|_: &Message, _: &[u8], _: &Arc<Link>| 0)));
    let (broke, broken) = mpsc::channel();
    server.on_broken(Some(Arc::new(move |link: &Arc<Link>| {
        broke.send(link.id()).unwrap();
        panic!("as asked");
    })));
    server.start_tcp(&listening(1), None).unwrap();
    let (client, _answers) = client();
    let links: Vec<_> = (0..20).map(|_| connect(&client, &server)).collect();
    links.iter().for_each(|link| client.release(link).unwrap());
    for _ in &links {
        next(&broken);
    }
    client.stop().unwrap();
    server.stop().unwrap();
}
