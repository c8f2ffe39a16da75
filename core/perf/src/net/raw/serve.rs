// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The serving side: a thread a lane, asleep until a command comes.

use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;

use mf_base::os::random;
use mf_base::{Error, Kind, Result};
use mf_measure::memory::Buffer;
use mf_measure::turns::own_cpu_ns;

use super::tls::{Identity, Tls};
use super::wire::{Plain, Wire};
use super::{COMMAND_BYTES, Card, Command, NOTE_BYTES, Op, TOKEN_BYTES, Waiting};

/// Receive buffer for streams of short payloads.
const STREAM_BYTES: usize = 256 << 10;
/// Behind the token: whether the lane goes on encrypted.
pub(super) const PLAIN_LANE: u8 = 0;
pub(super) const TLS_LANE: u8 = 1;

/// Serves the baselines for as long as the process lives.
pub(crate) struct Server {
    pub(crate) card: Card,
}

impl Server {
    /// Listens on a free port; the other side reaches this host as `host`.
    ///
    /// # Errors
    /// `Failed` when there is no port or no randomness.
    pub(crate) fn start(host: &str) -> Result<Self> {
        let failed =
            |error: io::Error| Error::new(Kind::Failed, "raw socket").what("cannot listen").source(error);
        let listener = listen(host).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let token: [u8; TOKEN_BYTES] = random("raw socket")?;
        let identity = Arc::new(Identity::new().map_err(failed)?);
        let address = if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
        let card = Card { address, token, certificate: identity.certificate.clone() };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let identity = Arc::clone(&identity);
                // A lane ends when its client closes it; that is no error.
                std::thread::spawn(move || admit(stream, token, &identity));
            }
        });
        Ok(Self { card })
    }
}

/// On the address of that name if it is one of this machine, else (it may be translated between the hosts) on
/// all.
fn listen(host: &str) -> io::Result<TcpListener> {
    let own = (host, 0).to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    own.map_or_else(|| Err(io::ErrorKind::NotFound.into()), TcpListener::bind)
        .or_else(|_| TcpListener::bind(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0))))
}

fn admit(stream: TcpStream, token: [u8; TOKEN_BYTES], identity: &Identity) -> io::Result<()> {
    let mut plain = Plain::new(stream)?;
    let mut hello = [0; TOKEN_BYTES + 1];
    plain.read_exact(&mut hello)?;
    let (shown, kind) = hello.split_at(TOKEN_BYTES);
    if shown != token {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    match kind {
        [PLAIN_LANE] => serve(&mut plain),
        [TLS_LANE] => serve(&mut Tls::server(plain, identity)?),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Carries out commands until the client goes.
fn serve(wire: &mut dyn Wire) -> io::Result<()> {
    let mut memory = Buffer::filled(STREAM_BYTES);
    loop {
        let mut command = [0; COMMAND_BYTES];
        wire.receive(&mut command)?;
        let command = Command::decode(&command)?;
        let bytes = usize::try_from(command.bytes).map_err(io::Error::other)?;
        if memory.bytes().len() < bytes {
            memory = Buffer::filled(bytes);
        }
        wire.wait_by(command.waiting);
        wire.send(&[0; NOTE_BYTES])?;
        carry_out(wire, command, bytes, memory.bytes_mut())?;
        wire.wait_by(Waiting::Block);
    }
}

fn carry_out(wire: &mut dyn Wire, command: Command, bytes: usize, memory: &mut [u8]) -> io::Result<()> {
    let mut note = [0; NOTE_BYTES];
    match command.op {
        Op::Put => {
            for _ in 0..command.calls {
                wire.receive(&mut memory[..bytes])?;
                wire.send(&note)?;
            }
        }
        Op::Get => {
            for _ in 0..command.calls {
                wire.receive(&mut note)?;
                wire.send(&memory[..bytes])?;
            }
        }
        Op::PutStream => {
            // Short payloads are taken as they come, many at once.
            let piece = if bytes < STREAM_BYTES { STREAM_BYTES } else { bytes };
            let mut left = command.bytes.saturating_mul(command.calls);
            while left > 0 {
                let next = usize::try_from(left).unwrap_or(piece).min(piece);
                wire.receive(&mut memory[..next])?;
                left -= next as u64;
            }
            wire.send(&note)?;
        }
        Op::GetStream => {
            wire.receive(&mut note)?;
            for _ in 0..command.calls {
                wire.send(&memory[..bytes])?;
            }
        }
        Op::Cpu => wire.send(&own_cpu_ns().to_le_bytes())?,
    }
    Ok(())
}
