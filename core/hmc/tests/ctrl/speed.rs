// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Round trips of tags beside round trips of 16 bytes over plain sockets that block, in turns.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;

use super::*;

const TRIPS: u64 = 5000;
const ROUNDS: usize = 7;

fn plain(mut here: impl Read + Write, mut there: impl Read + Write + Send) -> Duration {
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut bytes = [0; 16];
            for _ in 0..TRIPS {
                there.read_exact(&mut bytes).unwrap();
                there.write_all(&bytes).unwrap();
            }
        });
        let (start, mut bytes) = (Instant::now(), [0; 16]);
        for _ in 0..TRIPS {
            here.write_all(&bytes).unwrap();
            here.read_exact(&mut bytes).unwrap();
        }
        start.elapsed()
    })
}

fn tags(server: &Control, client: &Control, rank: u32) -> Duration {
    let receive = |control: &Control, peer| {
        control.receive_into(Peer::Rank(peer), None, TAG, |_| {}).unwrap();
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for tag in 0..TRIPS {
                receive(server, rank);
                send_tag(server, rank, tag);
            }
        });
        let start = Instant::now();
        for tag in 0..TRIPS {
            send_tag(client, 0, tag);
            receive(client, 0);
        }
        start.elapsed()
    })
}

#[test]
fn speed() {
    if std::env::var_os("MF_TEST_SPEED").is_none() {
        eprintln!("skip: MF_TEST_SPEED is not set");
        return;
    }
    let file = File::new("speed");
    let (server, by_tcp, by_unix) = (control(), control(), control());
    let at = Listen { tcp: Some(("127.0.0.1", 0)), unix: Some(file.path()) };
    let port = server.start(&rules(""), at).unwrap().unwrap();
    by_tcp.connect_tcp(&rules(""), 0, "127.0.0.1", port, 1).unwrap();
    by_unix.connect_unix(&rules(""), 0, file.path(), 2).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let there = listener.accept().unwrap().0;
    here.set_nodelay(true).unwrap();
    there.set_nodelay(true).unwrap();
    let (unix_here, unix_there) = UnixStream::pair().unwrap();
    let mut best = [Duration::MAX; 4];
    for _ in 0..ROUNDS {
        let took = [
            plain(&here, &there),
            tags(server, by_tcp, 1),
            plain(&unix_here, &unix_there),
            tags(server, by_unix, 2),
        ];
        best = std::array::from_fn(|i| best[i].min(took[i]));
    }
    let [plain_tcp, tcp, plain_unix, unix] = best.map(|took| took.as_secs_f64() * 1e6 / TRIPS as f64);
    println!("tcp  {tcp:.2} us, plain {plain_tcp:.2} us, ratio {:.2}", tcp / plain_tcp);
    println!("unix {unix:.2} us, plain {plain_unix:.2} us, ratio {:.2}", unix / plain_unix);
    server.stop();
}
