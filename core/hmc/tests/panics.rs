// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Panics of HMC's threads fail their users. One test, because panics are injected by thread name.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::os::service;
use mf_base::settings::Users;
use mf_hmc::communicator::{At, Communicator, Ranges};
use mf_hmc::ctrl::{Control, Listen, Peer, Rules};
use mf_hmc::{Buffer, ConnType, MemoryType};
use mf_tls::JobSecret;

const OP: &str = "hmc test";
const LIMIT: Option<Duration> = Some(Duration::from_secs(60));

#[test]
fn thread_panics_fail_their_users_and_later_users_start_fresh() {
    control_channel();
    operations();
}

fn control_channel() {
    let rules = Rules::new(JobSecret::new(""), Users::default(), false);
    let control: &'static Control = Box::leak(Box::default());
    let listen = || control.start(&rules, Listen { tcp: Some(("127.0.0.1", 0)), unix: None });
    let port = listen().unwrap().unwrap();
    service::inject_panic("mf-hmc-ctrl");
    // Wakes the thread.
    let _client = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let deadline = Instant::now() + LIMIT.unwrap();
    let error = loop {
        let error = control.receive(Peer::Rank(1), LIMIT).err().unwrap();
        if error.to_string().contains("panicked") || Instant::now() > deadline {
            break error.to_string();
        }
    };
    assert!(error.contains("mf-hmc-ctrl") && error.contains("injected by a test"), "{error}");
    control.stop();
    assert!(TcpStream::connect(("127.0.0.1", listen().unwrap().unwrap())).is_ok());
    control.stop();
}

fn operations() {
    let communicator = || {
        let buffer = Buffer::new(OP, 0, MemoryType::Cpu as i32, 4096).unwrap();
        Communicator::new(OP, Arc::new(buffer), 2).unwrap()
    };
    let (listener, dialer) = (communicator(), communicator());
    let free_port = || {
        let listening = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listening.local_addr().unwrap().port()
    };
    let conn = ConnType::Ucx;
    let port = std::iter::repeat_with(free_port)
        .find(|port| listener.listen(OP, "127.0.0.1", *port, conn).is_ok())
        .unwrap();
    dialer.connect(OP, "127.0.0.1", port, conn).unwrap();
    let at = At { ip: b"127.0.0.1", port, conn };
    let start = || dialer.start(OP, at, Ranges { local: 0, remote: 0, bytes: 4096 }, true).unwrap();
    service::inject_panic("mf-hmc");
    // Operations may complete at once, without a thread.
    let error = (0..10_000).find_map(|_| dialer.wait(OP, start()).err());
    if let Some(error) = error {
        let text = format!("{error} {:?}", std::error::Error::source(&error).map(ToString::to_string));
        assert!(text.contains("panicked") && text.contains("injected by a test"), "{text}");
    }
    dialer.wait(OP, start()).unwrap();
}
