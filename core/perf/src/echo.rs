// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A plain blocking socket between two processes of this machine, of TCP or Unix, as a baseline: a request of
//! any number of bytes, and an answer of as many as it asks for.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};

use mf_base::{Error, Kind, Result};

const OPERATION: &str = "plain socket";
const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

fn failed(what: &str, error: std::io::Error) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what).source(error)
}

/// Common interface of TCP and Unix sockets.
trait Stream: Read + Write + Send {}

impl<S: Read + Write + Send> Stream for S {}

/// A blocking socket to a thread of the other side.
pub(super) struct Echo {
    stream: Box<dyn Stream>,
    reply: Vec<u8>,
}

impl Echo {
    /// Connects to the server of another process of this machine.
    ///
    /// # Errors
    /// `Failed` it does not answer.
    pub(super) fn connect(port: u16) -> Result<Self> {
        let stream =
            TcpStream::connect((HERE, port)).map_err(|error| failed("the echo does not answer", error))?;
        stream.set_nodelay(true).map_err(|error| failed("the socket cannot be set up", error))?;
        Ok(Self { stream: Box::new(stream), reply: Vec::new() })
    }

    /// The same to a Unix socket, by its name.
    ///
    /// # Errors
    /// As [`Echo::connect`].
    pub(super) fn connect_unix(name: &str) -> Result<Self> {
        let stream =
            SocketAddr::from_abstract_name(name).and_then(|address| UnixStream::connect_addr(&address));
        let stream = stream.map_err(|error| failed("the echo does not answer", error))?;
        Ok(Self { stream: Box::new(stream), reply: Vec::new() })
    }

    /// Sends `bytes`, with their length and the answer's length in the first two words, and reads the answer.
    ///
    /// # Errors
    /// `Failed` the server has ended.
    pub(super) fn exchange(&mut self, bytes: &mut [u8], answer_bytes: usize) -> Result<()> {
        let words = [bytes.len(), answer_bytes].map(|word| (word as u64).to_le_bytes());
        bytes.iter_mut().zip(words.as_flattened()).for_each(|(byte, word)| *byte = *word);
        self.reply.resize(answer_bytes, 0);
        let done = self.stream.write_all(bytes).and_then(|()| self.stream.read_exact(&mut self.reply));
        done.map_err(|error| failed("the echo ended", error))
    }
}

/// Serves connections until the process ends, a thread for each; the port.
///
/// # Errors
/// `Failed` there is no free port.
pub(super) fn serve() -> Result<u16> {
    let no_port = |error| failed("no port to listen on", error);
    let listener = TcpListener::bind((HERE, 0)).map_err(no_port)?;
    let port = listener.local_addr().map_err(no_port)?.port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || stream.set_nodelay(true).ok().and_then(|()| answer(stream)));
        }
    });
    Ok(port)
}

/// The same at a Unix socket without a file; its name.
///
/// # Errors
/// `Failed` the kernel refuses it.
pub(super) fn serve_unix() -> Result<String> {
    let name = format!("mf-perf-echo-{}", std::process::id());
    let bound = SocketAddr::from_abstract_name(&name).and_then(|address| UnixListener::bind_addr(&address));
    let listener = bound.map_err(|error| failed("there is no Unix socket to listen at", error))?;
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    Ok(name)
}

/// Answers requests with their length and the answer's length in the first two words.
fn answer(mut stream: impl Stream) -> Option<()> {
    let mut buffer = vec![0; 1 << 20];
    loop {
        let mut filled = 0;
        while filled < 16 {
            filled += Some(stream.read(buffer.get_mut(filled..)?).ok()?).filter(|count| *count > 0)?;
        }
        let word = |at: usize| Some(u64::from_le_bytes(buffer.get(at..at + 8)?.try_into().ok()?));
        let (inward, mut outward) = (usize::try_from(word(0)?).ok()?, usize::try_from(word(8)?).ok()?);
        while filled < inward {
            let room = (inward - filled).min(buffer.len());
            filled += Some(stream.read(buffer.get_mut(..room)?).ok()?).filter(|count| *count > 0)?;
        }
        while outward > 0 {
            let piece = outward.min(buffer.len());
            stream.write_all(buffer.get(..piece)?).ok()?;
            outward -= piece;
        }
    }
}
