// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Guests with names, at meeting points and at the stores of jobs.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use mf_base::{Kind, Rank, Result};
use mf_bootstrap::meeting::{Card, Guest, MeetingPoint, News};
use mf_bootstrap::{StoreUrl, rendezvous};
use mf_store::{Cause, Lifetime, RankWish, Server, ServerOptions, Store, UserStore};
use mf_tls::{Access, JobSecret};

use super::members::{
    TIMEOUT, any_port, client, deadline, secret_client, secret_server, server, server_options,
};

fn open() -> MeetingPoint {
    MeetingPoint::open(any_port(), &Access::default()).unwrap()
}

fn come(address: SocketAddr, name: &str) -> Result<Guest> {
    come_with(address, name, &Access::default())
}

fn come_with(address: SocketAddr, name: &str, access: &Access) -> Result<Guest> {
    let url = StoreUrl::parse(&format!("tcp://{address}"))?;
    Guest::join(&url, name, format!("card of {name}").as_bytes(), access, TIMEOUT)
}

fn card(name: &str, bytes: &str) -> Card {
    Card { name: name.to_owned(), bytes: bytes.into() }
}

fn news_of(guest: &Guest) -> Receiver<News> {
    let (sender, news) = channel();
    let sender = std::sync::Mutex::new(sender);
    guest
        .watch(Arc::new(move |happened| {
            let _ = sender.lock().unwrap().send(happened.clone());
        }))
        .unwrap();
    news
}

#[test]
fn guests_meet_by_name_and_release_names_on_exit() {
    let point = open();
    let one = come(point.address(), "one").unwrap();
    let news = news_of(&one);
    let two = come(point.address(), "two/with a slash").unwrap();
    assert_eq!(
        news.recv_timeout(TIMEOUT).unwrap(),
        News::Published(card(two.name(), "card of two/with a slash"))
    );
    assert_eq!(two.lookup_by("one", deadline()).unwrap(), Some(card("one", "card of one")));
    assert_eq!(two.lookup_by("three", deadline()).unwrap(), None);
    assert_eq!(point.guests().unwrap(), 2);

    let error = come(point.address(), "one").unwrap_err();
    assert_eq!(error.kind(), Kind::Duplicated);
    let text = error.to_string();
    assert!(
        text.contains("\"one\" is taken by a guest") && text.contains(&std::process::id().to_string()),
        "{text}"
    );
    assert_eq!(two.lookup_by("one", deadline()).unwrap(), Some(card("one", "card of one")));

    two.publish(b"another").unwrap();
    assert_eq!(news.recv_timeout(TIMEOUT).unwrap(), News::Published(card(two.name(), "another")));
    drop(two);
    let gone = News::Gone { name: "two/with a slash".to_owned(), cause: Cause::Left };
    assert_eq!(news.recv_timeout(TIMEOUT).unwrap(), gone);
    let again = come(point.address(), "two/with a slash").unwrap();
    assert_eq!(again.cards().unwrap().len(), 2);
    drop(point);
    let last = std::iter::from_fn(|| news.recv_timeout(TIMEOUT).ok()).find(|news| *news == News::Lost);
    assert_eq!(last, Some(News::Lost));
    assert!(one.publish(b"").is_err());
}

#[test]
fn guest_waits_for_a_later_guest() {
    let point = open();
    let one = come(point.address(), "one").unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| one.wait("two", deadline()).unwrap());
        let _two = come(point.address(), "two").unwrap();
        assert_eq!(waiting.join().unwrap(), card("two", "card of two"));
    });
}

#[test]
fn names_have_1_to_255_bytes() {
    let point = open();
    for name in ["", &"n".repeat(256)] {
        assert_eq!(come(point.address(), name).unwrap_err().kind(), Kind::InvalidParam);
    }
    come(point.address(), &"n".repeat(255)).unwrap();
}

#[test]
fn a_meeting_point_has_no_ranks() {
    let point = open();
    let url = StoreUrl::parse(&format!("tcp://{}", point.address())).unwrap();
    let options = rendezvous::Options::new(url, 1);
    let error = rendezvous::join(rendezvous::Options {
        wish: RankWish::Exactly(Rank(0)),
        start_server: false,
        ..options
    })
    .unwrap_err();
    assert_eq!(error.kind(), Kind::InvalidParam);
    assert!(error.to_string().contains("meeting point"), "{error}");
}

#[test]
fn secrets_keep_foreign_guests_out_and_both_families_serve() {
    let access = Access::by_secret(JobSecret::new("of this meeting"));
    for ip in [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)] {
        let point = match MeetingPoint::open(SocketAddr::new(ip, 0), &access) {
            Err(error) if ip.is_ipv6() && error.kind() == Kind::InvalidParam => {
                println!("skipped: this machine has no IPv6: {error}");
                continue;
            }
            opened => opened.unwrap(),
        };
        come_with(point.address(), "one", &access).unwrap();
        let other = Access::by_secret(JobSecret::new("guessed"));
        let error = come_with(point.address(), "two", &other).unwrap_err().to_string();
        assert!(error.contains("secret"), "{error}");
        assert!(come(point.address(), "two").is_err());
    }
}

#[test]
fn guests_at_the_store_of_a_job_are_independent_of_it() {
    let server = server(1);
    let member = client(&server, 1, None).unwrap();
    let guest = come(server.address(), "guest").unwrap();
    let news = news_of(&guest);
    member.set("k", b"of the job", Lifetime::Permanent).unwrap();
    // A member is no guest, and its program does not see the cards.
    assert_eq!(member.set(".mf/meeting/guest", b"", Lifetime::Session).unwrap_err().kind(), Kind::Duplicated);
    let seen = UserStore::shared(&(Arc::new(member) as Arc<dyn Store>));
    assert_eq!(seen.list("").unwrap().entries.len(), 1);
    seen.close();
    // The job ends with its last member; its keys go, and the guest stays.
    let late = come(server.address(), "late").unwrap();
    assert_eq!(news.recv_timeout(TIMEOUT).unwrap(), News::Published(card("late", "card of late")));
    assert_eq!(late.cards().unwrap(), [card("guest", "card of guest"), card("late", "card of late")]);
    let next = client(&server, 1, None).unwrap();
    assert_eq!(next.get("k").unwrap(), None);
    assert_eq!(come(server.address(), "guest").unwrap_err().kind(), Kind::Duplicated);
    drop(guest);
    come(server.address(), "guest").unwrap();
}

#[test]
fn member_of_a_secured_job_can_host_a_meeting_point() {
    let store = secret_server(1);
    let member = secret_client(&store, 1, None).unwrap();
    let point = open();
    let _guest = come(point.address(), "one").unwrap();
    assert_eq!(member.list("").unwrap().entries, []);
    assert_eq!(store.status().unwrap().guests, 0);
}

#[test]
fn server_takes_over_a_fitting_socket_of_the_caller() {
    let listening = TcpListener::bind(any_port()).unwrap();
    let address = listening.local_addr().unwrap();
    let server = Server::start_on(listening.into(), ServerOptions { ..server_options(1) }).unwrap();
    assert_eq!(server.address(), address);
    come(address, "one").unwrap();

    let listening = TcpListener::bind(any_port()).unwrap();
    let connected = std::net::TcpStream::connect(listening.local_addr().unwrap()).unwrap();
    let unbound =
        rustix::net::socket(rustix::net::AddressFamily::INET, rustix::net::SocketType::STREAM, None).unwrap();
    let (pair, _) = std::os::unix::net::UnixStream::pair().unwrap();
    for (descriptor, part) in [
        (OwnedFd::from(connected), "is a connection"),
        (unbound, "not bound"),
        (UdpSocket::bind(any_port()).unwrap().into(), "another type"),
        (pair.into(), "another family"),
        (std::fs::File::open("/dev/null").unwrap().into(), "not a socket"),
    ] {
        let error = Server::start_on(descriptor, ServerOptions { ..server_options(1) }).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam);
        assert!(error.to_string().contains(part), "{error}");
    }
}
