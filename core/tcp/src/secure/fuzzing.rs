// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fuzz targets: messages of an unknown peer.

use std::net::{Ipv4Addr, SocketAddr};

use mf_tls::channel::{Cipher, HEAD_BYTES as TLS_HEAD_BYTES};
use mf_transport::{JobId, Peer};

use super::hello::{Challenge, Hello, VERSION, Welcome};
use super::record::{self, HEAD_BYTES, Keys, OVERHEAD_BYTES};
use super::talk::{Member, Talk};

const CLIENT: Peer = Peer { job: JobId(1), rank: 1, session: 11 };
const SERVER: Peer = Peer { job: JobId(1), rank: 3, session: 33 };
const TOKEN: [u8; 32] = [7; 32];

fn address() -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, 1))
}

/// The number that both ends of the imagined TLS channel know.
fn binding(choice: u8) -> Option<[u8; 32]> {
    (choice & 1 == 1).then_some([4; 32])
}

/// The first byte chooses which member listens, and whether in a channel.
pub(crate) fn handshake(bytes: &[u8]) {
    let Some((choice, said)) = bytes.split_first() else { return };
    match choice >> 1 & 3 {
        0 => server(*choice, said),
        1 => client(*choice, said),
        2 => records(said),
        _ => socket(*choice, said),
    }
}

/// Waits for a hello of the one job that this process is in.
fn server_of(takes_plaintext: bool) -> Talk {
    let find = move |wanted: Peer| {
        (wanted.job == SERVER.job).then(|| Member { me: SERVER, token: TOKEN.into(), takes_plaintext })
    };
    Talk::server(find, [2; 32])
}

/// Checks that a peer without the token is never authenticated, for any input; with the token it is the peer
/// of the hello.
fn server(choice: u8, mut said: &[u8]) {
    let mut talk = server_of(choice & 8 == 0);
    let mut answer = Vec::new();
    let mut hello = None;
    while let Some((message, rest)) = said.split_at_checked(talk.wants()) {
        if message.is_empty() {
            break;
        }
        hello = hello.or_else(|| Hello::read(message));
        if talk.take(message, binding(choice), &mut answer).is_err() {
            break;
        }
        said = rest;
    }
    // Of the kept inputs one has a right proof; no input guesses another.
    if let Some(known) = talk.known() {
        assert_eq!(hello.map(|hello| (hello.server, hello.client)), Some(known));
    }
    assert!(answer.len() <= 40 + 48, "an unknown peer makes the server send {} bytes", answer.len());
}

fn client(choice: u8, mut said: &[u8]) {
    let mut output = Vec::new();
    let mut talk = Talk::client(CLIENT, TOKEN, [1; 24], SERVER, &mut output);
    while let Some((message, rest)) = said.split_at_checked(talk.wants()) {
        if message.is_empty() {
            break;
        }
        if let Err(error) = talk.take(message, binding(choice), &mut output) {
            assert!(!error.to_string().is_empty(), "an error without a text");
            break;
        }
        said = rest;
    }
    assert!(talk.known().is_none_or(|(_, peer)| peer == SERVER), "another peer is taken for the server");
}

/// Records of a peer that does not have the keys.
fn records(said: &[u8]) {
    let Ok(mut keys) = Keys::new(Cipher::Aes128Gcm, TOKEN) else { return };
    let mut rest = said.to_vec();
    while let Ok(Some(length)) = record::length(&rest) {
        let Some(record) = rest.get_mut(..length) else { return };
        let Ok(plaintext) = keys.open(record) else { return };
        assert!(
            HEAD_BYTES + plaintext <= length - (OVERHEAD_BYTES - HEAD_BYTES),
            "plaintext beyond its record"
        );
        rest.drain(..length);
    }
}

/// The same through a socket, where TLS may begin.
fn socket(choice: u8, said: &[u8]) {
    use std::io::Write;
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;

    use mf_base::settings::Switch;

    let tls = if choice & 1 == 1 { Switch::On } else { Switch::Off };
    let (Ok((one, other)), Ok(channels)) = (UnixStream::pair(), super::channels()) else { return };
    let channels = std::sync::Arc::new(channels);
    let identity = super::Identity::new(SERVER, TOKEN, tls, std::sync::Arc::clone(&channels));
    let shaking = if choice & 8 == 0 {
        let find = move |wanted: Peer| (wanted.job == SERVER.job).then(|| std::sync::Arc::clone(&identity));
        super::accept(find, &channels, address())
    } else {
        identity.client(CLIENT, address())
    };
    let Ok(mut shaking) = shaking else { return };
    // Input that does not fit into the socket at once is cut off.
    let said = said.get(..said.len().min(60 << 10)).unwrap_or_default();
    if (&one).write_all(said).is_err() || one.shutdown(std::net::Shutdown::Write).is_err() {
        return;
    }
    let step = shaking.advance(other.as_fd());
    assert!(!matches!(step, Ok(super::Step::WantsRead)), "it waits for a peer that has closed");
    let is_done = matches!(step, Ok(super::Step::Done));
    assert_eq!(shaking.finish().is_some(), is_done, "an unknown peer is authenticated");
}

/// Returns messages of honest ends, once for each choice.
pub(crate) fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for choice in [0, 1] {
        let (mut up, mut down) = (Vec::new(), Vec::new());
        let mut client = Talk::client(CLIENT, TOKEN, [1; 24], SERVER, &mut up);
        let mut server = server_of(true);
        let (mut heard_up, mut heard_down) = (0, 0);
        while let Some(message) =
            up.get(heard_up..heard_up + server.wants()).filter(|message| !message.is_empty())
        {
            heard_up += message.len();
            if server.take(message, binding(choice), &mut down).is_err() {
                break;
            }
            while let Some(message) =
                down.get(heard_down..heard_down + client.wants()).filter(|message| !message.is_empty())
            {
                heard_down += message.len();
                if client.take(message, binding(choice), &mut up).is_err() {
                    break;
                }
            }
        }
        seeds.push((format!("server-{choice}"), [&[choice], &up[..]].concat()));
        seeds.push((format!("client-{choice}"), [&[choice | 2], &down[..]].concat()));
        seeds.push((format!("socket-{choice}"), [&[choice | 6], &up[..]].concat()));
        seeds.push((format!("socket-client-{choice}"), [&[choice | 14], &down[..]].concat()));
    }
    for number in 0..7 {
        let mut bytes = vec![2];
        let refusal = super::hello::Refusal::of(number);
        Challenge { version: VERSION, refusal, nonce: [2; 32] }.write(&mut bytes);
        Welcome { refusal, server: SERVER, proof: [0; 32] }.write(&mut bytes);
        seeds.push((format!("refusal-{number}"), bytes));
    }
    if let Ok(mut keys) = Keys::new(Cipher::Aes128Gcm, TOKEN) {
        let mut bytes = vec![4];
        for plaintext in [0_usize, 5, 100] {
            let mut record = vec![1; plaintext + OVERHEAD_BYTES];
            if keys.seal(&mut record).is_ok() {
                bytes.append(&mut record);
            }
        }
        seeds.push(("records".into(), bytes));
    }
    if let Ok(channel) = mf_tls::channel::Channels::new(super::PROTOCOL).and_then(|all| all.client()) {
        let mut channel = channel;
        let mut bytes = vec![7];
        channel.take_output(&mut bytes);
        if bytes.len() > TLS_HEAD_BYTES {
            seeds.push(("tls".into(), bytes));
        }
    }
    seeds
}
