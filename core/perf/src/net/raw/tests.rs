// SPDX-License-Identifier: Apache-2.0 OR MIT
use super::wire::{Plain, Wire};
use super::*;

fn pattern(bytes: usize, seed: usize) -> Vec<u8> {
    (0..bytes).map(|at| u8::try_from((at * 7 + at / 256 + seed * 31) % 251).unwrap()).collect()
}

fn pair() -> (Server, Client) {
    let server = Server::start("127.0.0.1").unwrap();
    let client = Client::connect(&server.card).unwrap();
    (server, client)
}

#[test]
fn puts_over_any_number_of_lanes_read_back() {
    let (_server, mut client) = pair();
    let mut seed = 0;
    for bytes in [1, 8, 4095, 65_536, 1_000_003] {
        for lanes in [1, 2, 4] {
            for waiting in [Waiting::Block, Waiting::Spin] {
                seed += 1;
                let sent = pattern(bytes, seed);
                let mut received = vec![0; bytes];
                client.plain(Op::Put, waiting, lanes, Payload::From(&sent), 2).unwrap();
                client.plain(Op::Get, waiting, lanes, Payload::Into(&mut received), 3).unwrap();
                assert!(sent == received, "{bytes} bytes over {lanes} lanes, {waiting:?}");
            }
        }
    }
}

#[test]
fn encrypted_puts_read_back() {
    let (_server, mut client) = pair();
    for suite in [Suite::Aes128, Suite::Aes256] {
        for bytes in [8, 65_536, 1_000_003] {
            let sent = pattern(bytes, bytes);
            let mut received = vec![0; bytes];
            client.encrypted(suite, Op::Put, Waiting::Spin, Payload::From(&sent), 2).unwrap();
            client.encrypted(suite, Op::Get, Waiting::Block, Payload::Into(&mut received), 2).unwrap();
            assert!(sent == received, "{bytes} bytes with {suite:?}");
        }
    }
}

#[test]
fn streams_end_with_the_last_byte_and_leave_the_lanes_usable() {
    let (_server, mut client) = pair();
    for (bytes, calls) in [(8, 10_000), (65_536, 17), (1 << 20, 3)] {
        for lanes in [1, 4] {
            let sent = pattern(bytes, lanes);
            let mut received = vec![0; bytes];
            client.plain(Op::PutStream, Waiting::Block, lanes, Payload::From(&sent), calls).unwrap();
            client.plain(Op::GetStream, Waiting::Block, lanes, Payload::Into(&mut received), calls).unwrap();
            assert!(bytes < 65_536 || sent == received, "{bytes} bytes over {lanes} lanes");
        }
    }
}

#[test]
fn the_server_reports_its_processor_time() {
    let (_server, mut client) = pair();
    let before = client.peer_cpu().unwrap();
    let mut sum = 0u64;
    while client.peer_cpu().unwrap() == before {
        sum = std::hint::black_box(sum + 1);
    }
}

#[test]
fn unknown_peers_are_not_served() {
    let (server, _client) = pair();
    let stream = std::net::TcpStream::connect(server.card.address.as_str()).unwrap();
    let mut unknown = Plain::new(stream).unwrap();
    unknown.send(&[0; TOKEN_BYTES + 1]).unwrap();
    assert!(unknown.receive(&mut [0]).is_err());
}

#[test]
fn commands_survive_the_way_and_nonsense_is_refused() {
    for op in Op::ALL {
        for waiting in [Waiting::Block, Waiting::Spin] {
            let command = Command { op, waiting, bytes: 1 << 30, calls: u64::MAX };
            assert_eq!(Command::decode(&command.encode()).unwrap(), command);
        }
    }
    assert!(Command::decode(&[9; COMMAND_BYTES]).is_err());
    let huge = Command { op: Op::Put, waiting: Waiting::Block, bytes: u64::MAX, calls: 1 };
    assert!(Command::decode(&huge.encode()).is_err());
}
