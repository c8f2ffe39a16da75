// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Throughput, compared with rustls itself: `MF_TEST_SPEED_MIB=256 cargo test --release -p mf-fabric --lib
//! secure::tests::speed -- --nocapture`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::time::{ClockId, clock_gettime};
use rustls::Connection;

use super::*;

const MESSAGE: usize = 1 << 20;

fn wait(socket: &TcpStream, flags: PollFlags) {
    poll(&mut [PollFd::new(socket, flags)], None).unwrap();
}

/// Time until the other thread has received everything, and processor time of both threads.
type Times = [Duration; 3];

fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap()
}

fn timed(total: usize, send: impl FnOnce() + Send, receive: impl FnOnce() -> usize + Send) -> Times {
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let sender = scope.spawn(|| {
            send();
            spent()
        });
        let receiver = scope.spawn(|| {
            assert_eq!(receive(), total);
            spent()
        });
        let spent = (sender.join().unwrap(), receiver.join().unwrap());
        [begin.elapsed(), spent.0, spent.1]
    })
}

/// Our stream, between two threads that poll.
fn ours(total: usize, message: usize, tls: Switch) -> Times {
    let (one, other) = tcp();
    let client = identity(CLIENT, TOKEN, tls).client(SERVER, address()).unwrap();
    let server = server(&identity(SERVER, TOKEN, tls), address());
    let (client, server) = shake(client, &one, server, &other);
    let (mut here, mut there) = (Wire::new(client.unwrap().2), Wire::new(server.unwrap().2));
    let send = move || {
        let data = vec![7_u8; message];
        for _ in 0..total / message {
            let mut sent = 0;
            while sent < message {
                match here.send(&one, &[&data[sent..]]).unwrap() {
                    0 => wait(&one, PollFlags::OUT),
                    bytes => sent += bytes,
                }
            }
        }
        while !here.flush(&one).unwrap() {
            wait(&one, PollFlags::OUT);
        }
    };
    let receive = move || {
        let mut data = vec![0_u8; message];
        let (mut all, mut got) = (0, 0);
        while all < total {
            match there.receive(&other, &mut data[got..]).unwrap() {
                Received::Bytes(bytes) => (all, got) = (all + bytes, (got + bytes) % message),
                Received::Nothing => wait(&other, PollFlags::IN),
                Received::Closed => break,
            }
        }
        all
    };
    timed(total, send, receive)
}

fn rustls_pair(one: &TcpStream, other: &TcpStream) -> (Connection, Connection) {
    let channels = Channels::new(PROTOCOL).unwrap();
    let (mut client, mut server) =
        (channels.client().unwrap().into_connection(), channels.server().unwrap().into_connection());
    one.set_nonblocking(false).unwrap();
    other.set_nonblocking(false).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while client.is_handshaking() || client.wants_write() {
                client.complete_io(&mut &*one).unwrap();
            }
        });
        while server.is_handshaking() || server.wants_write() {
            server.complete_io(&mut &*other).unwrap();
        }
    });
    (client, server)
}

/// rustls on blocking sockets. With `large` reads, the socket is read into a buffer that it is fed from; else
/// it reads the socket itself.
fn raw(total: usize, message: usize, large: bool) -> Times {
    let (one, other) = tcp();
    let (mut client, mut server) = rustls_pair(&one, &other);
    client.set_buffer_limit(None);
    let send = move || {
        let data = vec![7_u8; message];
        for _ in 0..total / message {
            for part in data.chunks(64 << 10) {
                client.writer().write_all(part).unwrap();
                while client.wants_write() {
                    client.write_tls(&mut &one).unwrap();
                }
            }
        }
    };
    let receive = move || {
        let mut data = vec![0_u8; message];
        let mut buffer = vec![0_u8; 256 << 10];
        let (mut all, mut got) = (0, 0);
        let drain = |server: &mut Connection, data: &mut [u8], got: &mut usize| {
            let before = *got;
            while let Ok(bytes) = server.reader().read(&mut data[*got % message..]) {
                if bytes == 0 {
                    break;
                }
                *got += bytes;
            }
            *got - before
        };
        while all < total {
            if large {
                let bytes = (&other).read(&mut buffer).unwrap();
                let mut rest = &buffer[..bytes];
                while !rest.is_empty() {
                    server.read_tls(&mut rest).unwrap();
                    server.process_new_packets().unwrap();
                    all += drain(&mut server, &mut data, &mut got);
                }
            } else {
                server.read_tls(&mut &other).unwrap();
                server.process_new_packets().unwrap();
                all += drain(&mut server, &mut data, &mut got);
            }
        }
        all
    };
    timed(total, send, receive)
}

#[test]
fn beside_rustls() {
    let Ok(mib) = std::env::var("MF_TEST_SPEED_MIB") else {
        println!(
            "skip beside_rustls: a measurement; set MF_TEST_SPEED_MIB to the MiB of each round, 256 for example"
        );
        return;
    };
    let total: usize = mib.parse::<usize>().unwrap() << 20;
    for message in [4 << 10, 64 << 10, MESSAGE, 16 << 20] {
        let methods: [(&str, &dyn Fn() -> Times); 4] = [
            ("rustls, reading the socket", &|| raw(total, message, false)),
            ("rustls, fed by large reads", &|| raw(total, message, true)),
            ("sealed", &|| ours(total, message, Switch::On)),
            ("plain", &|| ours(total, message, Switch::Off)),
        ];
        let mut best = [[Duration::MAX; 3]; 4];
        for _ in 0..7 {
            for ((_, method), best) in methods.iter().zip(&mut best) {
                for (time, best) in method().into_iter().zip(best) {
                    *best = time.min(*best);
                }
            }
        }
        let speed = |time: Duration| total as f64 / time.as_secs_f64() / 1e9;
        println!("messages of {message} bytes, best of 7 rounds of {} MiB:", total >> 20);
        for ((name, _), [time, sender, receiver]) in methods.iter().zip(best) {
            let (time, sender, receiver) = (speed(time), speed(sender), speed(receiver));
            println!(
                "  {name:28} {time:6.2} GB/s; a second of processor sends {sender:.2} GB, receives {receiver:.2} GB"
            );
        }
    }
}
