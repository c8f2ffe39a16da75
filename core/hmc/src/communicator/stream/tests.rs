// SPDX-License-Identifier: Apache-2.0 OR MIT
use std::net::TcpListener;

use super::*;
use crate::Buffer;
use crate::numbers::{ConnType, MemoryType};

const OP: &str = "hmc test";
const CPU: i32 = MemoryType::Cpu as i32;

fn communicator(bytes: u64) -> Communicator {
    Communicator::new(OP, Arc::new(Buffer::new(OP, 0, CPU, bytes).unwrap()), 1).unwrap()
}

/// The path of data on an accelerator, without needing one.
#[test]
fn staged_data_arrives_whole() {
    let (listener, dialer) = (communicator(300), communicator(6));
    let port = loop {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        if listener.listen(OP, "127.0.0.1", port, ConnType::Ucx).is_ok() {
            break port;
        }
    };
    dialer.connect(OP, "127.0.0.1", port, ConnType::Ucx).unwrap();
    let at = |port| At { ip: b"127.0.0.1", port, conn: ConnType::Ucx };
    while listener.0.find(OP, at(0)).is_err() {
        std::thread::yield_now();
    }
    let lengths = [0_usize, 1, 2, 3, 5, 6, 7, 500];
    // Runs in turn, and ahead.
    for (bytes, fast) in
        lengths.into_iter().flat_map(|bytes| [(bytes, Duration::MAX), (bytes, Duration::ZERO)])
    {
        let mut sent: Vec<u8> = (0..bytes).map(|at| (at * 7 + at / 251).to_le_bytes()[0]).collect();
        let mut got = vec![0; bytes];
        std::thread::scope(|scope| {
            let sending = scope.spawn(|| {
                let data = Data::new(OP, &dialer.0.buffer, sent.as_mut_ptr(), bytes as u64, CPU)?;
                let connection = dialer.0.find(OP, at(port))?;
                dialer.0.send(OP, &connection, &data, bytes as u64, Some(fast))
            });
            // SAFETY: the vector has room for so many bytes.
            let received = unsafe { listener.recv_data(OP, at(0), got.as_mut_ptr(), bytes as u64, CPU) };
            assert_eq!(received.unwrap(), bytes as u64);
            sending.join().unwrap().unwrap();
        });
        assert!(got == sent, "{bytes} bytes");
    }
    let data = Data::new(OP, &dialer.0.buffer, std::ptr::null_mut(), 0, CPU).unwrap();
    let one = communicator(1);
    let connection = dialer.0.find(OP, at(port)).unwrap();
    assert_eq!(
        Status::from_error(&one.0.send(OP, &connection, &data, 1, Some(send::FAST)).unwrap_err()),
        Status::Error
    );
}
