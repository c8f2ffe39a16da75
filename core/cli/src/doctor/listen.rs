// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mf doctor --listen`: the other end of `mf doctor --reach`. An echo server for any peer.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use mf_base::os::interface::interfaces;
use mf_base::{Error, Kind, Result};
use mf_program::output::print;

use super::OPERATION;

/// Greeting, so that the peer can identify a listener.
pub(super) const GREETING: &[u8; 12] = b"mf doctor 1\n";
/// Peers at a time; further ones are refused.
const MOST_PEERS: usize = 16;
/// Longest silence of a peer.
const SILENCE: Duration = Duration::from_secs(10);
/// Limit of echoed bytes per peer: not for bulk data.
const MOST_BYTES: u64 = 1 << 30;

/// Listens at `address` until the time is over.
///
/// # Errors
/// `InUse`, `Failed` nothing can listen there.
pub(super) fn main(address: SocketAddr, limit: Duration) -> Result<u8> {
    let until = Instant::now() + limit;
    let (bound, served) = start(address)?;
    print(&format!("listens at {bound} for {} s; on the other host:\n", limit.as_secs_f64()))?;
    for place in addresses(bound) {
        print(&format!("  mf doctor --reach {place}\n"))?;
    }
    loop {
        match served.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => print(&format!("{line}\n"))?,
            Err(RecvTimeoutError::Timeout) => return Ok(0),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::new(Kind::Failed, OPERATION).what("the listener has ended"));
            }
        }
    }
}

/// Addresses for other hosts.
fn addresses(bound: SocketAddr) -> Vec<SocketAddr> {
    if !bound.ip().is_unspecified() {
        return vec![bound];
    }
    let all = interfaces().unwrap_or_default();
    let fits = all
        .iter()
        .filter(|one| one.is_up && !one.is_link_local() && one.address.is_ipv4() == bound.is_ipv4());
    let mut places: Vec<_> = fits.collect();
    // Addresses for other hosts first; the loopback is for this host alone.
    places.sort_by_key(|one| (one.is_loopback, one.is_bridge()));
    if places.first().is_some_and(|first| !first.is_loopback) {
        places.retain(|one| !one.is_loopback);
    }
    places.into_iter().map(|one| SocketAddr::new(one.address, bound.port())).collect()
}

/// Starts to listen; where, and a line for each peer that was served. The thread ends with the process.
///
/// # Errors
/// As [`main`].
pub(super) fn start(address: SocketAddr) -> Result<(SocketAddr, Receiver<String>)> {
    let failed = |error: std::io::Error| {
        let kind = if error.kind() == std::io::ErrorKind::AddrInUse { Kind::InUse } else { Kind::Failed };
        Error::new(kind, OPERATION).what("nothing can listen there").with("address", address).source(error)
    };
    let listener = TcpListener::bind(address).map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    let (sender, served) = channel();
    let peers = Arc::new(());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                // Out of descriptors, perhaps: some are free again soon.
                std::thread::sleep(Duration::from_millis(10));
                continue;
            };
            if Arc::strong_count(&peers) > MOST_PEERS {
                continue;
            }
            let (mine, sender) = (Arc::clone(&peers), sender.clone());
            let serve = move || {
                let from = stream.peer_addr();
                if let (Some(bytes @ 1..), Ok(from)) = (serve(stream), from) {
                    // The receiver is gone when the time is over.
                    let _ = sender.send(format!("{from}: {bytes} bytes came and went back"));
                }
                drop(mine);
            };
            // A peer without a thread is refused: its connection is dropped.
            let _ = std::thread::Builder::new().spawn(serve);
        }
    });
    Ok((bound, served))
}

/// Echoes input until the peer closes or is silent. Returns the number of bytes.
fn serve(mut stream: TcpStream) -> Option<u64> {
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(SILENCE)).ok()?;
    stream.set_write_timeout(Some(SILENCE)).ok()?;
    stream.write_all(GREETING).ok()?;
    let (mut buffer, mut bytes) = (vec![0; 64 << 10], 0);
    while bytes < MOST_BYTES {
        let count = match stream.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => count,
        };
        if stream.write_all(buffer.get(..count)?).is_err() {
            break;
        }
        bytes += count as u64;
    }
    Some(bytes)
}
