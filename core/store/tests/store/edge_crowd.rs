// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A thousand members in one process, over real connections.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mf_store::{Client, ClientOptions, Server, ServerOptions, Store};

use super::members::{client_options, security, server_options};

const MEMBERS: u32 = 1024;
/// Threads that stand for the members: connecting and allgather block, so each member needs one for a moment.
const STACK_BYTES: usize = 128 << 10;
/// For all members together, on a machine with other work.
const TIMEOUT: Duration = Duration::from_secs(120);
/// One crowd at a time.
static TURN: Mutex<()> = Mutex::new(());

fn deadline() -> Instant {
    Instant::now() + TIMEOUT
}

fn crowd(encrypted: bool) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let with = |options: ServerOptions| match encrypted {
        true => ServerOptions { security: security(), ..options },
        false => options,
    };
    let server = Server::start(with(server_options(MEMBERS))).unwrap();
    // One identity for all, as one process has.
    let mut options = client_options(server.address(), MEMBERS, None);
    if encrypted {
        options.security = security();
    }
    let options = Arc::new(options);
    let threads: Vec<_> = (0..MEMBERS)
        .map(|_| {
            let options = Arc::clone(&options);
            std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn(move || {
                    let wanted = ClientOptions { connect_deadline: deadline(), ..(*options).clone() };
                    let member = Client::connect(wanted).unwrap();
                    member.barrier("all", MEMBERS, deadline()).unwrap();
                    let own = [u8::try_from(member.member().rank.0 % 251).unwrap(); 64];
                    let parts = member.allgather("all", MEMBERS, &own, deadline()).unwrap();
                    assert_eq!(parts.len(), 1024);
                    for part in parts {
                        assert_eq!(part.value, [u8::try_from(part.rank.0 % 251).unwrap(); 64]);
                    }
                    member
                })
                .unwrap()
        })
        .collect();
    let members: Vec<Client> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    let mut ranks: Vec<u32> = members.iter().map(|member| member.member().rank.0).collect();
    ranks.sort_unstable();
    assert_eq!(ranks, (0..MEMBERS).collect::<Vec<_>>());
    assert_eq!(members[7].view().unwrap().members.len(), 1024);
    drop(members);
}

#[test]
fn thousand_plaintext_members_join() {
    crowd(false);
}

#[test]
fn thousand_encrypted_members_join() {
    crowd(true);
}
