// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams: data of any length through two buffers.

use std::net::TcpListener;
use std::sync::Arc;

use mf_base::Result;
use mf_hmc::buffer::DataIn;
use mf_hmc::communicator::{At, Communicator, Ranges};
use mf_hmc::{Buffer, ConnType, MemoryType, Status};

use crate::side::Side;

const OP: &str = "hmc test";
const HERE: &str = "127.0.0.1";
const CPU: i32 = MemoryType::Cpu as i32;

fn at(port: u16) -> At<'static> {
    At { ip: HERE.as_bytes(), port, conn: ConnType::Rdma }
}

fn communicator(bytes: u64) -> Communicator {
    Communicator::new(OP, Arc::new(Buffer::new(OP, 0, CPU, bytes).unwrap()), 1).unwrap()
}

/// Creates a listener. Returns its port, too.
fn listening(bytes: u64) -> (Communicator, u16) {
    let listener = communicator(bytes);
    loop {
        let port = TcpListener::bind((HERE, 0)).unwrap().local_addr().unwrap().port();
        // Another process may have taken it meanwhile.
        if listener.listen(OP, HERE, port, ConnType::Rdma).is_ok() {
            return (listener, port);
        }
    }
}

/// Creates a listener and a dialer, with buffers of these lengths. Returns the port, too.
fn pair(listener_bytes: u64, dialer_bytes: u64) -> (Communicator, Communicator, u16) {
    let ((listener, port), dialer) = (listening(listener_bytes), communicator(dialer_bytes));
    dialer.connect(OP, HERE, port, ConnType::Rdma).unwrap();
    while listener.connection(OP, at(0)).is_err() {
        std::thread::yield_now();
    }
    (listener, dialer, port)
}

fn pattern(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| (at.wrapping_mul(31) ^ (at >> 8) ^ (at >> 16)).to_le_bytes()[0]).collect()
}

fn send(on: &Communicator, port: u16, data: &[u8], kind: i32) -> Result<()> {
    // SAFETY: the slice has so many bytes.
    unsafe { on.send_data(OP, at(port), data.as_ptr(), data.len() as u64, kind) }
}

fn receive(on: &Communicator, port: u16, data: &mut [u8], kind: i32) -> Result<u64> {
    // SAFETY: the slice has so many bytes.
    unsafe { on.recv_data(OP, at(port), data.as_mut_ptr(), data.len() as u64, kind) }
}

/// Sends `bytes`, and compares them; memory behind them must not change.
fn carry(from: (&Communicator, u16), to: (&Communicator, u16), bytes: usize) {
    let data = pattern(bytes);
    let mut got = vec![0xee; bytes + 3];
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| send(from.0, from.1, &data, CPU));
        assert_eq!(receive(to.0, to.1, &mut got, CPU).unwrap(), bytes as u64);
        sending.join().unwrap().unwrap();
    });
    assert!(got[..bytes] == data && got[bytes..] == [0xee; 3], "{bytes} bytes");
}

#[test]
fn every_length_arrives_through_buffers_of_any_length() {
    for (one, other) in [(4096, 4096), (4096, 1000), (1, 4096), (3, 2), (1 << 20, 64)] {
        let (listener, dialer, port) = pair(one, other);
        for (from, to) in [((&dialer, port), (&listener, 0)), ((&listener, 0), (&dialer, port))] {
            let half = usize::try_from(to.0.buffer().bytes() / 2).unwrap();
            let mut lengths = vec![0, 1, 7];
            if half >= 32 {
                for times in [1, 2, 3] {
                    lengths.extend([times * half - 1, times * half, times * half + 1]);
                }
            }
            lengths.iter().for_each(|bytes| carry(from, to, (*bytes).min(1 << 21)));
        }
    }
}

#[test]
fn streams_go_in_both_directions_at_once_and_in_order() {
    let (listener, dialer, port) = pair(10_000, 10_000);
    std::thread::scope(|scope| {
        for (on, port) in [(&listener, 0), (&dialer, port)] {
            scope.spawn(move || {
                for bytes in 1..40 {
                    send(on, port, &pattern(bytes * 977), MemoryType::Default as i32).unwrap();
                }
            });
            scope.spawn(move || {
                for bytes in 1..40 {
                    let mut got = vec![0; 40_000];
                    let length = receive(on, port, &mut got, MemoryType::Default as i32).unwrap();
                    assert_eq!(length, bytes as u64 * 977);
                    assert!(got[..bytes * 977] == pattern(bytes * 977));
                }
            });
        }
    });
}

#[test]
fn a_receiver_without_room_writes_nothing_and_both_ends_fail() {
    let (listener, dialer, port) = pair(4096, 4096);
    let mut got = vec![7; 100];
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| send(&dialer, port, &pattern(101), CPU));
        let error = receive(&listener, 0, &mut got, CPU).unwrap_err();
        assert_eq!(Status::from_error(&error), Status::Error, "{error}");
        let error = sending.join().unwrap().unwrap_err();
        assert!(error.to_string().contains("less room"), "{error}");
    });
    assert_eq!(got, [7; 100]);
    carry((&dialer, port), (&listener, 0), 100);
}

#[test]
fn invalid_arguments_are_rejected_at_once() {
    let (listener, dialer, port) = pair(4096, 4096);
    let status = |result: Result<()>| Status::from_error(&result.unwrap_err());
    assert_eq!(status(send(&dialer, port, &[1], 99)), Status::InvalidConfig);
    assert_eq!(status(send(&dialer, port ^ 1, &[1], CPU)), Status::NotFound);
    assert_eq!(status(receive(&listener, 1, &mut [0], CPU).map(drop)), Status::NotFound);
    // SAFETY: null is refused.
    let null = unsafe { dialer.send_data(OP, at(port), std::ptr::null(), 1, CPU) };
    assert_eq!(status(null), Status::Error);
    carry((&dialer, port), (&listener, 0), 5);
}

#[test]
fn destroying_an_end_fails_the_other() {
    for sender_waits in [true, false] {
        let (listener, dialer, port) = pair(4096, 4096);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(move || match sender_waits {
                true => send(&dialer, port, &pattern(100), CPU),
                false => receive(&dialer, port, &mut [0; 10], CPU).map(drop),
            });
            listener.end();
            let error = waiting.join().unwrap().unwrap_err();
            assert_ne!(Status::from_error(&error), Status::Success, "{error}");
        });
    }
}

/// Starts two processes; communicator `number` of the second has dialled the first.
fn sides(number: u32, environment: &[(&str, &str)]) -> (Side, Side, u16) {
    let (mut listener, mut dialer) = (Side::start(environment), Side::start(environment));
    let port = loop {
        let port = TcpListener::bind((HERE, 0)).unwrap().local_addr().unwrap().port();
        if listener.call(&format!("{number} listen {port} 0")) == 0 {
            break port;
        }
    };
    assert_eq!(dialer.call(&format!("{number} connect {port} 0")), 0);
    while listener.call(&format!("{number} check 0 0")) != 0 {}
    (listener, dialer, port)
}

#[test]
fn processes_stream_by_mapped_memory_and_network() {
    for environment in [&[][..], &[("MF_SHM", "false")]] {
        let (mut listener, mut dialer, port) = sides(0, environment);
        let bytes = 21_000_001;
        let (send, receive) =
            (format!("0 send {port} 0 {bytes} 3"), format!("0 receive 0 0 {bytes} {bytes} 3"));
        for receiver_first in [true, false] {
            if receiver_first {
                listener.begin(&receive);
                // The other end waits for its own answer meanwhile.
                assert_eq!(dialer.call("0 check 1 0"), 5);
                dialer.begin(&send);
            } else {
                dialer.begin(&send);
                assert_eq!(listener.call("0 check 1 0"), 5);
                listener.begin(&receive);
            }
            assert_eq!(dialer.finish(&send), 0);
            assert_eq!(listener.finish(&receive), 0);
        }
    }
}

#[test]
fn killed_peer_fails_the_other_end() {
    for sender_dies in [true, false] {
        // Their buffers are so short that it takes long.
        let (mut listener, mut dialer, port) = sides(1, &[("MF_SHM", "false")]);
        let bytes = 40_000_000;
        let send = format!("1 send {port} 0 {bytes} 3");
        let receive = format!("1 receive 0 0 {bytes} {bytes} 3");
        dialer.begin(&send);
        listener.begin(&receive);
        // It listens as well: dialers of one address without a port of their own replace each other.
        let (watching, _) = listening(64);
        watching.connect(OP, HERE, port, ConnType::Rdma).unwrap();
        let mut seen = [0_u8; 64];
        while seen == [0; 64] {
            watching.get(OP, at(port), Ranges { local: 0, remote: 0, bytes: 64 }).unwrap();
            // SAFETY: the array has so many bytes.
            unsafe { watching.buffer().read(OP, seen.as_mut_ptr(), 64, 0, DataIn::Host) }.unwrap();
        }
        if sender_dies {
            dialer.kill();
            assert_eq!(listener.finish(&receive), 1);
        } else {
            listener.kill();
            assert_eq!(dialer.finish(&send), 1);
        }
    }
}

#[test]
fn receiver_may_leave_after_the_last_byte() {
    let (listener, dialer, port) = pair(4096, 4096);
    let data = pattern(10_000);
    for _ in 0..200 {
        std::thread::scope(|scope| {
            let sending = scope.spawn(|| send(&listener, 0, &data, CPU));
            let mut got = vec![0; data.len()];
            receive(&dialer, port, &mut got, CPU).unwrap();
            dialer.disconnect(OP, at(port)).unwrap();
            sending.join().unwrap().unwrap();
            assert!(got == data);
        });
        dialer.connect(OP, HERE, port, ConnType::Rdma).unwrap();
    }
}
