// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Stores that die and come back, with members that wait inside their calls.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::settings::Switch;
use mf_base::{Kind, Rank};
use mf_store::{Cause, Change, Client, ClientOptions, Leader, Lifetime, Server, ServerOptions, Store};
use mf_tls::Security;

use super::members::{
    TIMEOUT, client, client_options, deadline, secret_client, secret_server, security, server,
    server_options, start, timing,
};

/// Ends a store and starts an empty one in its place.
fn replace(server: &mut Server, options: ServerOptions) {
    server.stop();
    *server = again(server.address(), options);
}

fn again(listen: SocketAddr, options: ServerOptions) -> Server {
    Server::start(ServerOptions { listen, ..options }).unwrap()
}

#[test]
fn restarted_store_learns_everything_from_its_members() {
    for encrypted in [false, true] {
        let mut server = if encrypted { secret_server(2) } else { server(2) };
        let join = |server: &Server, rank| {
            if encrypted { secret_client(server, 2, Some(rank)) } else { client(server, 2, Some(rank)) }
                .unwrap()
        };
        let (one, two) = (join(&server, 0), join(&server, 1));
        one.set("permanent", b"p", Lifetime::Permanent).unwrap();
        two.set("session", b"s", Lifetime::Session).unwrap();
        two.append("text", b"abc").unwrap();
        one.append("text", b"def").unwrap();
        one.set("deleted", b"", Lifetime::Permanent).unwrap();
        two.delete("deleted").unwrap();
        let fence = one.lock("l", deadline()).unwrap();
        let (sender, changes) = channel();
        let sender = Mutex::new(sender);
        two.watch("", Arc::new(move |change| sender.lock().unwrap().send(change.clone()).unwrap())).unwrap();
        let (sender, leaders) = channel::<Leader>();
        let sender = Mutex::new(sender);
        two.watch_leader(Arc::new(move |leader| sender.lock().unwrap().send(leader.clone()).unwrap()))
            .unwrap();
        let last = one.set("last", b"1", Lifetime::Permanent).unwrap();
        assert!(matches!(changes.recv_timeout(TIMEOUT).unwrap(), Change::Put(entry) if entry.key == "last"));
        let token = one.member().job_token;

        let options = server_options(2);
        let options = if encrypted { ServerOptions { security: security(), ..options } } else { options };
        replace(&mut server, options);

        assert_eq!(one.get("permanent").unwrap().unwrap().value, b"p");
        let entry = one.get("session").unwrap().unwrap();
        assert_eq!((entry.value.as_slice(), entry.owner), (&b"s"[..], Some(Rank(1))));
        assert_eq!(two.get("text").unwrap().unwrap().value, b"abcdef");
        assert_eq!(two.get("deleted").unwrap(), None);
        assert_eq!(two.try_lock("l").unwrap(), None);
        assert_eq!(two.view().unwrap().members.len(), 2);
        one.unlock("l").unwrap();
        assert!(two.try_lock("l").unwrap().unwrap() > fence);
        assert!(two.set("after", b"2", Lifetime::Permanent).unwrap() > last);
        assert_eq!(leaders.recv_timeout(TIMEOUT).unwrap().term, 2);
        assert_eq!(two.leader().term, 2);
        // Nothing is seen twice: the next change is the new store's.
        assert!(matches!(changes.recv_timeout(TIMEOUT).unwrap(), Change::Put(entry) if entry.key == "after"));
        // The new client has the same token as the old one.
        two.close();
        assert_eq!(join(&server, 1).member().job_token, token);
        match changes.recv_timeout(Duration::ZERO) {
            Ok(change) => panic!("{change:?} after the close"),
            Err(_) => assert!(one.get("session").unwrap().is_none()),
        }
    }
}

#[test]
fn callers_inside_waits_and_barriers_do_not_notice_a_restart() {
    let mut server = server(3);
    let members: Vec<Client> = (0..3).map(|rank| client(&server, 3, Some(rank)).unwrap()).collect();
    std::thread::scope(|scope| {
        let [one, two, three] = &members[..] else { panic!("three members") };
        let waiting = scope.spawn(|| one.wait("k", deadline()).unwrap());
        let inside = scope.spawn(|| two.barrier("b", 3, deadline()).unwrap());
        let gathering = scope.spawn(|| one.allgather("g", 3, b"1", deadline()).unwrap());
        two.set("before", b"", Lifetime::Permanent).unwrap();
        for _ in 0..3 {
            replace(&mut server, server_options(3));
            assert!(three.get("before").unwrap().is_some());
        }
        three.set("k", b"v", Lifetime::Permanent).unwrap();
        assert_eq!(waiting.join().unwrap().value, b"v");
        let rest = scope.spawn(|| one.barrier("b", 3, deadline()).unwrap());
        three.barrier("b", 3, deadline()).unwrap();
        inside.join().unwrap();
        rest.join().unwrap();
        let third = scope.spawn(|| two.allgather("g", 3, b"2", deadline()).unwrap());
        let parts = three.allgather("g", 3, b"3", deadline()).unwrap();
        assert_eq!(parts, gathering.join().unwrap());
        assert_eq!(parts, third.join().unwrap());
    });
}

#[test]
fn members_see_the_death_of_a_member_lost_with_its_store() {
    let mut server = server(3);
    let join = |rank| {
        let options = client_options(server.address(), 3, Some(rank));
        Client::connect(ClientOptions { hosts_store: rank == 0, ..options }).unwrap()
    };
    let members: Vec<Client> = (0..3).map(join).collect();
    members[0].set("of/0", b"", Lifetime::Session).unwrap();
    let (sender, seen) = channel();
    let sender = Mutex::new(sender);
    members[1]
        .watch("of", Arc::new(move |change| sender.lock().unwrap().send(change.clone()).unwrap()))
        .unwrap();
    server.stop();
    members[0].sever();
    let _server = again(server.address(), server_options(3));
    let change = seen.recv_timeout(TIMEOUT).unwrap();
    assert!(
        matches!(&change, Change::Removed { key, cause: Cause::Lost, .. } if key == "of/0"),
        "{change:?}"
    );
    let ranks: Vec<Rank> = members[1].view().unwrap().members.iter().map(|peer| peer.rank).collect();
    assert_eq!(ranks, [Rank(1), Rank(2)]);
}

#[test]
fn store_without_recovery_refuses_members_of_another() {
    let mut server = server(1);
    let member = client(&server, 1, None).unwrap();
    replace(&mut server, ServerOptions { skip_recovery: true, ..server_options(1) });
    let error = member.get("k").unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected, "{error}");
    assert!(error.to_string().contains("does not take this member back"), "{error}");
}

#[test]
fn store_with_another_secret_does_not_get_the_members_back() {
    let mut server = secret_server(1);
    let member = secret_client(&server, 1, None).unwrap();
    member.set("k", b"v", Lifetime::Permanent).unwrap();
    let other = Security::new(Switch::Auto, b"another secret, of another job".to_vec(), None).unwrap();
    replace(&mut server, ServerOptions { security: other, ..server_options(1) });
    assert_eq!(member.get("k").unwrap_err().kind(), Kind::NotConnected);
}

#[test]
fn requests_in_flight_are_answered_once_over_broken_links() {
    let server = start(ServerOptions { timing: timing(TIMEOUT), ..server_options(4) });
    let members: Vec<Client> = (0..4).map(|rank| client(&server, 4, Some(rank)).unwrap()).collect();
    let done = Mutex::new(false);
    std::thread::scope(|scope| {
        let adding: Vec<_> = members
            .iter()
            .map(|member| {
                scope.spawn(move || (0..200).for_each(|_| assert!(member.add("n", 1).unwrap() > 0)))
            })
            .collect();
        let cutting = scope.spawn(|| {
            let until = Instant::now() + TIMEOUT;
            let mut rounds = 0u32;
            while !*done.lock().unwrap() && Instant::now() < until {
                for member in &members {
                    if member.is_connected() {
                        member.cut_link();
                        rounds += 1;
                    }
                }
                std::thread::yield_now();
            }
            rounds
        });
        for thread in adding {
            thread.join().unwrap();
        }
        *done.lock().unwrap() = true;
        assert!(cutting.join().unwrap() > 0);
    });
    assert_eq!(members[0].add("n", 0).unwrap(), 800);
    assert_eq!(members[0].view().unwrap().members.len(), 4);
}

/// Passes connections to `store`. Of the second one only the first message of each side: then
/// both receive nothing, as from a process that is stopped.
fn relay(store: SocketAddr) -> SocketAddr {
    fn pass(mut from: TcpStream, mut to: TcpStream, is_stopped: bool) {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            if to.write_all(&bytes[..count]).is_err() {
                break;
            }
            if is_stopped {
                let _ = std::io::copy(&mut from, &mut std::io::sink());
            }
        }
        // The other direction ends, too.
        let _ = to.shutdown(Shutdown::Both);
    }
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for (number, near) in listener.incoming().flatten().enumerate() {
            let Ok(far) = TcpStream::connect(store) else { continue };
            let (near_too, far_too) = (near.try_clone().unwrap(), far.try_clone().unwrap());
            std::thread::spawn(move || pass(near, far, number == 1));
            std::thread::spawn(move || pass(far_too, near_too, number == 1));
        }
    });
    address
}

#[test]
fn member_leaves_a_store_that_stops_while_it_comes_back() {
    let server = Server::start(ServerOptions { timing: timing(TIMEOUT), ..server_options(2) }).unwrap();
    let relay = relay(server.address());
    let options = client_options(relay, 2, Some(1));
    let member = Client::connect(ClientOptions { candidates: vec![relay; 2], ..options }).unwrap();
    member.set("k", b"v", Lifetime::Permanent).unwrap();
    let started = Instant::now();
    member.cut_link();
    member.set("k", b"w", Lifetime::Permanent).unwrap();
    assert!(started.elapsed() < TIMEOUT, "it waited for the stopped store");
}
