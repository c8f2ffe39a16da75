// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Refused calls, as tables: wrong listeners, ids of others, arguments, and a forked child.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use mf_base::settings::Users;
use mf_base::{Kind, Result};
use mf_hmc::communicator::{At, Communicator, Ranges};
use mf_hmc::ctrl::frame::INTEGER;
use mf_hmc::ctrl::{Control, Listen, Peer, Rules};
use mf_hmc::{Buffer, ConnType, MemoryType, Status};
use mf_tls::JobSecret;

use crate::processes::{NOT_FOUND, SUCCESS, free_port, pair};
use crate::side::Side;

const OP: &str = "hmc test";
const HERE: &str = "127.0.0.1";

fn communicator() -> Communicator {
    Communicator::new(OP, Arc::new(Buffer::new(OP, 0, MemoryType::Cpu as i32, 4096).unwrap()), 1).unwrap()
}

fn rules() -> Arc<Rules> {
    Rules::new(JobSecret::new(""), Users::default(), false)
}

/// Opens a port that sends these bytes to all clients, and closes them.
fn saying(bytes: &'static [u8]) -> u16 {
    let listener = TcpListener::bind((HERE, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut peer in listener.incoming().map_while(std::result::Result::ok) {
            let _ = peer.write_all(bytes);
            let _ = peer.read(&mut [0; 64]);
        }
    });
    port
}

#[test]
fn foreign_listener_is_rejected_as_communicator() {
    let ctrl: &Control = Box::leak(Box::default());
    let of_ctrl = ctrl.start(&rules(), Listen { tcp: Some((HERE, 0)), unix: None }).unwrap().unwrap();
    let ports = [
        ("a control channel", of_ctrl),
        ("one that closes", saying(b"")),
        ("a web server", saying(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")),
        ("zeroes", saying(&[0; 4096])),
        ("a forged length", saying(&[0xff; 64])),
        ("nobody", free_port()),
    ];
    std::thread::scope(|scope| {
        for (name, port) in ports {
            scope.spawn(move || {
                let dialer = communicator();
                let refused = dialer.connect(OP, HERE, port, ConnType::Ucx).unwrap_err();
                assert_eq!(Status::from_error(&refused), Status::Error, "{name}: {refused}");
                assert!(refused.to_string().contains(&port.to_string()), "{name}: {refused}");
                // The control channel has identified itself: the dialer does not retry.
                let has_said = refused.to_string().contains("it began with \"cont\"");
                assert_eq!(has_said, name == "a control channel", "{name}: {refused}");
            });
        }
    });
    // The control channel still works.
    let peer: &Control = Box::leak(Box::default());
    peer.connect_tcp(&rules(), 0, HERE, of_ctrl, 1).unwrap();
    assert!(ctrl.has(Peer::Rank(1)));
    ctrl.stop();
}

#[test]
fn data_port_is_rejected_as_control_channel() {
    let (listener, port) = (communicator(), free_port());
    listener.listen(OP, HERE, port, ConnType::Ucx).unwrap();
    let ctrl: &Control = Box::leak(Box::default());
    // A hello has no answer, so the failure is noticed later: the listener's reply is not a valid message,
    // and then it closes.
    if ctrl.connect_tcp(&rules(), 0, HERE, port, 1).is_ok() {
        let limit = Some(Duration::from_secs(60));
        let end = loop {
            match ctrl.receive(Peer::Rank(0), limit) {
                Err(error) if error.kind() != Kind::Failed => break error,
                _ => {}
            }
        };
        assert_eq!(end.kind(), Kind::NotConnected, "{end}");
        assert!(!ctrl.has(Peer::Rank(0)) && ctrl.send(Peer::Rank(0), INTEGER, 0, &[0; 8]).is_err());
    }
    let dialer = communicator();
    dialer.connect(OP, HERE, port, ConnType::Ucx).unwrap();
    dialer
        .put(
            OP,
            At { ip: HERE.as_bytes(), port, conn: ConnType::Ucx },
            Ranges { local: 0, remote: 0, bytes: 9 },
        )
        .unwrap();
}

#[test]
fn id_is_valid_once_and_only_for_its_communicator() {
    // Over the network no operation completes at once.
    let (_listener, mut dialer, port) = pair(&[("MF_SHM", "false")]);
    assert_eq!(dialer.call(&format!("1 connect {port} 1")), SUCCESS);
    let of_one = dialer.call(&format!("0 start {port} 1 0 0 1000000"));
    let of_other = dialer.call(&format!("1 start {port} 1 0 0 4096"));
    assert!(of_one != 0 && of_other != 0 && of_one != of_other);
    for (on, id, expected) in [
        (1, of_one, NOT_FOUND),
        (0, of_other, NOT_FOUND),
        (0, of_other + 1, NOT_FOUND),
        (0, i64::MAX, NOT_FOUND),
        (0, of_one, SUCCESS),
        (0, of_one, NOT_FOUND),
        (1, of_other, SUCCESS),
        (1, of_other, NOT_FOUND),
        (0, 0, SUCCESS),
    ] {
        assert_eq!(dialer.call(&format!("{on} wait {id}")), expected, "{on} waits for {id}");
    }
}

/// In a process of the test below: runs the calls of a forked child on the communicator of its parent.
/// Returns the number of the first that is not refused; 0 if none.
pub(crate) fn forked(on: &Communicator, port: u16) -> i64 {
    let at = At { ip: HERE.as_bytes(), port, conn: ConnType::Ucx };
    let ranges = Ranges { local: 0, remote: 0, bytes: 8 };
    let kind = MemoryType::Cpu as i32;
    let (mut data, free) = ([0_u8; 8], free_port());
    // SAFETY: the child only makes calls that are refused, and exits.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let calls: [&mut dyn FnMut() -> Result<()>; 14] = [
            &mut || on.put(OP, at, ranges),
            &mut || on.get(OP, at, ranges),
            &mut || on.start(OP, at, ranges, true).map(drop),
            &mut || on.start_unobserved(OP, at, ranges, false),
            &mut || on.wait(OP, 1),
            &mut || on.wait_all(OP, &[]),
            &mut || on.pipeline(OP, at, ranges, (0, 0), true),
            &mut || on.listen(OP, HERE, free, ConnType::Rdma),
            &mut || on.connect(OP, HERE, port, ConnType::Ucx),
            &mut || on.disconnect(OP, at),
            &mut || on.stop(OP),
            &mut || on.connection(OP, at).map(drop),
            // SAFETY: the array has so many bytes.
            &mut || unsafe { on.send_data(OP, at, [7_u8; 8].as_ptr(), 8, kind) },
            // SAFETY: the array has room for so many bytes.
            &mut || unsafe { on.recv_data(OP, at, data.as_mut_ptr(), 8, kind) }.map(drop),
        ];
        let is_refused = |call: &mut dyn FnMut() -> Result<()>| {
            call().is_err_and(|error| error.to_string().contains("the parent of this process"))
        };
        let wrong = calls.into_iter().position(|call| !is_refused(call));
        let code = wrong.map_or(0, |place| i32::try_from(place).unwrap() + 1);
        // SAFETY: ends the child without the handlers of its parent.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: the child was just made, and nothing else waits for it.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    // The parent goes on.
    on.put(OP, at, ranges).unwrap();
    i64::from(if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 })
}

#[test]
fn forked_child_is_refused_and_its_parent_continues() {
    for environment in [&[][..], &[("MF_SHM", "false")]] {
        let (_listener, mut dialer, port): (Side, Side, u16) = pair(environment);
        assert_eq!(dialer.call(&format!("0 fork {port}")), 0);
    }
}

#[test]
fn destroying_an_end_fails_its_operations() {
    for is_dialer in [true, false] {
        let (listener, dialer, port) = (communicator(), communicator(), free_port());
        listener.listen(OP, HERE, port, ConnType::Ucx).unwrap();
        dialer.connect(OP, HERE, port, ConnType::Ucx).unwrap();
        let at = At { ip: HERE.as_bytes(), port, conn: ConnType::Ucx };
        let ranges = Ranges { local: 0, remote: 0, bytes: 4096 };
        let operations: [&(dyn Fn() -> Result<()> + Sync); 4] = [
            &|| dialer.put(OP, at, ranges),
            &|| dialer.get(OP, at, ranges),
            &|| dialer.start(OP, at, ranges, true).and_then(|id| dialer.wait(OP, id)),
            &|| dialer.pipeline(OP, at, ranges, (7, 3), false),
        ];
        let (begun, have_begun) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let running: Vec<_> = operations
                .into_iter()
                .map(|operation| {
                    let begun = begun.clone();
                    scope.spawn(move || {
                        operation().unwrap();
                        begun.send(()).unwrap();
                        loop {
                            if let Err(error) = operation() {
                                return error;
                            }
                        }
                    })
                })
                .collect();
            (0..4).for_each(|_| have_begun.recv().unwrap());
            if is_dialer {
                dialer.end();
            } else {
                listener.end();
            }
            for ended in running {
                let error = ended.join().unwrap();
                // One of them drops the connection, and others find none.
                assert!([Status::Error, Status::NotFound].contains(&Status::from_error(&error)), "{error}");
            }
        });
        // The buffer still belongs to the program.
        let mut byte = 0_u8;
        let buffer = if is_dialer { dialer.buffer() } else { listener.buffer() };
        // SAFETY: there is room for a byte.
        unsafe { buffer.read(OP, &raw mut byte, 1, 0, mf_hmc::buffer::DataIn::Host) }.unwrap();
    }
}
