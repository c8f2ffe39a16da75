// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Parsing of places, selection of addresses, and their order.

use std::net::SocketAddr;

use mf_base::os::interface::interfaces;
use mf_base::{Kind, Rank};
use proptest::prelude::*;

use super::*;

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// `name address/bits`, with `-` before the name when it is down.
fn machine(lines: &[&str]) -> Vec<Interface> {
    let numbered = lines.iter().zip(1_u32..);
    numbered
        .map(|(line, number)| {
            let (name, place) = line.split_once(' ').unwrap();
            let (address, bits) = place.split_once('/').unwrap();
            Interface {
                name: name.trim_start_matches('-').to_owned(),
                address: ip(address),
                prefix_bits: bits.parse().unwrap(),
                is_up: !name.starts_with('-'),
                is_loopback: name == "lo",
                scope: number,
            }
        })
        .collect()
}

fn server() -> Vec<Interface> {
    machine(&[
        "lo 127.0.0.1/8",
        "docker0 172.17.0.1/16",
        "eth0 10.1.2.3/24",
        "-eth1 10.9.9.9/24",
        "ib0 192.168.7.1/16",
        "lo ::1/128",
        "eth0 fd00::3/64",
        "eth0 fe80::3/64",
    ])
}

fn laptop() -> Vec<Interface> {
    machine(&["lo 127.0.0.1/8", "-eth0 10.1.2.3/24", "lo ::1/128"])
}

fn chosen(text: &str, machine: &[Interface], rank: u32) -> Vec<String> {
    let addresses = choose(&ListenPatterns::parse(text).unwrap(), machine, Some(Rank(rank))).unwrap();
    addresses.iter().map(SocketAddr::to_string).collect()
}

fn ordered(theirs: &[&str], machine: &[Interface]) -> Vec<String> {
    let theirs: Vec<SocketAddr> = theirs.iter().map(|one| one.parse().unwrap()).collect();
    order(&theirs, machine).iter().map(SocketAddr::to_string).collect()
}

#[test]
fn every_nic_form_is_parsed() {
    let subnet = |address: &str, bits| ListenPlace::Subnet { address: ip(address), bits };
    let address = |text: &str| ListenPlace::Address(ip(text));
    for (text, wishes, port) in [
        ("", vec![ListenPlace::Any], None),
        (" , ;", vec![ListenPlace::Any], None),
        ("any", vec![ListenPlace::Any], None),
        ("10.0.0.1", vec![address("10.0.0.1")], None),
        ("10.0.0.1:0", vec![address("10.0.0.1")], None),
        ("tcp://10.0.0.1:5000", vec![address("10.0.0.1")], Some(5000)),
        ("tcp://10.0.0.0/8:5000", vec![subnet("10.0.0.0", 8)], Some(5000)),
        ("tcp://0.0.0.0/0:10002", vec![subnet("0.0.0.0", 0)], Some(10002)),
        ("tcp://0.0.0.0:10002", vec![subnet("0.0.0.0", 0)], Some(10002)),
        ("127.0.0.1/0", vec![subnet("127.0.0.1", 0)], None),
        ("tcp://127.0.0.1/0:7", vec![subnet("127.0.0.1", 0)], Some(7)),
        ("::", vec![subnet("::", 0)], None),
        ("fd00::1", vec![address("fd00::1")], None),
        ("tcp://[fd00::1]:5000", vec![address("fd00::1")], Some(5000)),
        ("tcp6://[fd00::/64]:5000", vec![subnet("fd00::", 64)], Some(5000)),
        ("tcp://[fd00::]/64:5000", vec![subnet("fd00::", 64)], Some(5000)),
        ("[fd00::1]", vec![address("fd00::1")], None),
        ("fe80::1%eth0", vec![address("fe80::1")], None),
        ("::ffff:10.0.0.1", vec![address("10.0.0.1")], None),
        ("eth0", vec![ListenPlace::Interface("eth0".into())], None),
        ("tcp://enp1s0f0:81", vec![ListenPlace::Interface("enp1s0f0".into())], Some(81)),
        ("br-4a.7", vec![ListenPlace::Interface("br-4a.7".into())], None),
        (
            "tcp://10.0.0.1:9 ; tcp://10.1.0.1:9, eth0",
            vec![address("10.0.0.1"), address("10.1.0.1"), ListenPlace::Interface("eth0".into())],
            Some(9),
        ),
        ("eth0,eth0", vec![ListenPlace::Interface("eth0".into())], None),
    ] {
        let read = ListenPatterns::parse(text).unwrap();
        let patterns = wishes.into_iter().map(|place| ListenPattern { place, base_port: port }).collect();
        assert_eq!(read, ListenPatterns { patterns }, "{text}");
    }
}

#[test]
fn each_entry_of_a_list_keeps_its_port() {
    let two = "tcp://10.1.2.3:9000;tcp://192.168.7.1:9500";
    assert_eq!(chosen(two, &server(), 7), ["10.1.2.3:9007", "192.168.7.1:9507"]);
    // A process without one takes the first.
    assert_eq!(
        chosen("ib0,10.1.2.3:9000;127.0.0.1:80", &server(), 1),
        ["192.168.7.1:9001", "10.1.2.3:9001", "127.0.0.1:81"]
    );
    assert_eq!(chosen("10.1.2.3:9000,10.1.2.3:9001", &server(), 0), ["10.1.2.3:9000", "10.1.2.3:9001"]);
    let error = choose(&ListenPatterns::parse("10.1.2.3:9000;ib0:65530").unwrap(), &server(), Some(Rank(6)))
        .unwrap_err();
    assert!(error.to_string().contains("base 65530"), "{error}");
}

#[test]
fn malformed_entries_are_named() {
    for (text, part) in [
        ("10.0.0.256", "10.0.0.256"),
        ("10.0.0.1/33", "up to 32"),
        ("fd00::/129", "up to 32 (IPv4) or 128"),
        ("10.0.0.1/", "number of bits"),
        ("eth0/8", "before the slash"),
        ("10.0.0.1:65536", "65535"),
        ("10.0.0.1:x", "port"),
        ("[fd00::1", "bracket"),
        ("[fd00::1]x:1", "bracket"),
        ("http://10.0.0.1:80", "tcp://"),
        ("a name with spaces", "neither"),
        ("a-name-that-is-too-long", "neither"),
        ("eth0, 1.2.3", "1.2.3"),
        ("tcp://", "neither"),
    ] {
        let error = ListenPatterns::parse(text).unwrap_err();
        assert_eq!(error.kind(), Kind::InvalidParam);
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

#[test]
fn default_is_all_reachable_addresses_with_bridges_last() {
    assert_eq!(chosen("", &server(), 0), ["10.1.2.3:0", "192.168.7.1:0", "[fd00::3]:0", "172.17.0.1:0"]);
    assert_eq!(chosen("0.0.0.0/0", &server(), 0), ["10.1.2.3:0", "192.168.7.1:0", "172.17.0.1:0"]);
    assert_eq!(chosen("127.0.0.1/0", &server(), 0), chosen("0.0.0.0", &server(), 0));
    assert_eq!(chosen("::", &server(), 0), ["[fd00::3]:0"]);
}

#[test]
fn a_machine_without_network_uses_loopback() {
    assert_eq!(chosen("", &laptop(), 0), ["127.0.0.1:0", "[::1]:0"]);
    assert_eq!(chosen("tcp://0.0.0.0/0:100", &laptop(), 3), ["127.0.0.1:103"]);
}

#[test]
fn interfaces_are_chosen_in_the_requested_order() {
    assert_eq!(chosen("ib0,10.1.0.0/16", &server(), 0), ["192.168.7.1:0", "10.1.2.3:0"]);
    assert_eq!(chosen("127.0.0.1", &server(), 0), ["127.0.0.1:0"]);
    assert_eq!(chosen("127.0.0.0/8", &server(), 0), ["127.0.0.1:0"]);
    assert_eq!(chosen("lo", &server(), 0), ["127.0.0.1:0", "[::1]:0"]);
    assert_eq!(chosen("eth0", &server(), 0), ["10.1.2.3:0", "[fd00::3]:0"]);
    assert_eq!(chosen("fe80::/10", &server(), 0), ["[fe80::3%8]:0"]);
    // ListenPatterns that one machine of a cluster cannot fulfil are skipped.
    assert_eq!(chosen("ib1,ib0", &server(), 0), ["192.168.7.1:0"]);
    assert_eq!(chosen("ib0,192.168.7.1", &server(), 0), ["192.168.7.1:0"]);
    // An address that was named is taken even when its interface is down.
    assert_eq!(chosen("10.9.9.9", &server(), 0), ["10.9.9.9:0"]);
}

#[test]
fn each_rank_gets_its_port() {
    assert_eq!(chosen("tcp://ib0:10000", &server(), 7), ["192.168.7.1:10007"]);
    let error = choose(&ListenPatterns::parse("ib0:65530").unwrap(), &server(), Some(Rank(6))).unwrap_err();
    for part in ["65530", "rank 6", "65535"] {
        assert!(error.to_string().contains(part), "{error}");
    }
    let huge =
        choose(&ListenPatterns::parse("ib0:65530").unwrap(), &server(), Some(Rank(u32::MAX))).unwrap_err();
    assert_eq!(huge.kind(), Kind::InvalidParam);
}

#[test]
fn missing_interface_error_lists_the_present_ones() {
    for text in ["10.7.7.7", "10.9.9.0/24", "eth1", "ib9"] {
        let error = choose(&ListenPatterns::parse(text).unwrap(), &server(), Some(Rank(0))).unwrap_err();
        assert_eq!(error.kind(), Kind::NotExist);
        for part in [text, "eth0 10.1.2.3/24", "eth1 10.9.9.9/24 (down)"] {
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }
    assert!(
        choose(&ListenPatterns::parse("").unwrap(), &[], Some(Rank(0)))
            .unwrap_err()
            .to_string()
            .contains("nothing")
    );
}

#[test]
fn on_link_addresses_precede_routed_ones_and_bridges_are_last() {
    let theirs = ["172.17.0.1:1", "172.17.0.9:2", "8.8.8.8:3", "[fd00::9]:4", "192.168.9.9:5", "10.1.2.9:6"];
    assert_eq!(
        ordered(&theirs, &server()),
        ["[fd00::9]:4", "192.168.9.9:5", "10.1.2.9:6", "8.8.8.8:3", "172.17.0.1:1", "172.17.0.9:2"]
    );
}

#[test]
fn loopback_among_others_is_tried_only_in_the_same_namespace() {
    // Another host, or another namespace of this one.
    assert_eq!(ordered(&["127.0.0.1:1", "10.1.2.9:1"], &server()), ["10.1.2.9:1"]);
    // One of their addresses is ours.
    assert_eq!(ordered(&["10.1.2.3:1", "127.0.0.1:1"], &server()), ["127.0.0.1:1", "10.1.2.3:1"]);
    // The address of a bridge is no evidence.
    assert_eq!(ordered(&["172.17.0.1:1", "127.0.0.1:1"], &server()), ["172.17.0.1:1"]);
    // There is nothing else; the peer that answers has to prove itself.
    assert_eq!(ordered(&["127.0.0.1:1", "[::1]:1"], &server()), ["127.0.0.1:1", "[::1]:1"]);
    assert_eq!(ordered(&["127.0.0.1:1"], &laptop()), ["127.0.0.1:1"]);
}

#[test]
fn link_local_addresses_get_our_interfaces() {
    let two = machine(&["eth0 fe80::3/64", "eth1 fe80::4/64", "lo ::1/128"]);
    assert_eq!(ordered(&["[fe80::9%77]:1"], &two), ["[fe80::9%1]:1", "[fe80::9%2]:1"]);
    assert!(ordered(&["[fe80::9%77]:1"], &laptop()).is_empty());
}

#[test]
fn unconnectable_addresses_are_left_out() {
    assert!(ordered(&["0.0.0.0:1", "[::]:1", "224.0.0.1:1", "10.1.2.9:0"], &server()).is_empty());
    assert_eq!(ordered(&["[::ffff:10.1.2.9]:1", "10.1.2.9:1"], &server()), ["10.1.2.9:1"]);
}

#[test]
fn this_machine_has_loopback() {
    let found = interfaces().unwrap();
    let Some(loopback) = found.iter().find(|one| one.is_loopback && one.address.is_ipv4()) else {
        println!("skip interfaces: this namespace has no loopback");
        return;
    };
    assert_eq!(loopback.address, ip("127.0.0.1"));
    assert_eq!((loopback.prefix_bits, loopback.name.as_str()), (8, "lo"));
    assert!(loopback.scope > 0);
    if loopback.is_up {
        assert!(!choose(&ListenPatterns::parse("").unwrap(), &found, Some(Rank(0))).unwrap().is_empty());
    }
}

fn any_interface() -> impl Strategy<Value = Interface> {
    let name = prop::sample::select(vec!["lo", "eth0", "eth1", "docker0", "ib0"]);
    let address = prop_oneof![
        any::<u32>().prop_map(|bits| IpAddr::V4(bits.into())),
        any::<u128>().prop_map(|bits| IpAddr::V6(bits.into())),
        Just(ip("127.0.0.1")),
        Just(ip("10.1.2.3")),
        Just(ip("fe80::1")),
    ];
    (name, address, 0..=32_u8, any::<bool>(), 0..9_u32).prop_map(
        |(name, address, prefix_bits, is_up, scope)| {
            let (name, is_loopback) = (name.to_owned(), name == "lo");
            Interface { name, address, prefix_bits, is_up, is_loopback, scope }
        },
    )
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in r"[ -~\n]{0,60}") {
        if let Ok(patterns) = ListenPatterns::parse(&text) {
            prop_assert!(!patterns.patterns.is_empty());
        }
    }

    #[test]
    fn parsed_entries_print_and_parse_back(
        items in prop::collection::vec(r"(tcp://)?([0-9a-f:./]{1,12}|[a-z]{1,6}[0-9])(:[0-9]{1,5})?", 1..4)
    ) {
        if let Ok(patterns) = ListenPatterns::parse(&items.join(",")) {
            let text: Vec<String> = patterns.patterns.iter().map(|one| one.place.to_string()).collect();
            let again = ListenPatterns::parse(&text.join(",")).unwrap();
            let is_there = |one: &ListenPattern| again.patterns.iter().any(|other| other.place == one.place);
            prop_assert!(patterns.patterns.iter().all(is_there));
        }
    }

    #[test]
    fn only_addresses_of_the_machine_are_chosen(
        machine in prop::collection::vec(any_interface(), 0..30),
        text in prop::sample::select(vec!["", "eth0", "10.0.0.0/8", "::/0", "127.0.0.1", "0.0.0.0/0;lo", "fe80::/10"]),
        rank in 0..70_000_u32,
    ) {
        if let Ok(found) = choose(&ListenPatterns::parse(text).unwrap(), &machine, Some(Rank(rank))) {
            prop_assert!((1..=choose::ADDRESSES_MAX).contains(&found.len()));
            for one in &found {
                prop_assert!(machine.iter().any(|ours| ours.address == one.ip()));
                prop_assert_eq!(found.iter().filter(|other| *other == one).count(), 1);
            }
        }
    }

    #[test]
    fn only_addresses_of_the_peer_are_tried(
        machine in prop::collection::vec(any_interface(), 0..10),
        theirs in prop::collection::vec((any_interface(), 0..3_u16), 0..10),
    ) {
        let theirs: Vec<SocketAddr> = theirs.iter().map(|(one, port)| SocketAddr::new(one.address, *port)).collect();
        for one in order(&theirs, &machine) {
            let is_theirs = |other: &SocketAddr| other.ip().to_canonical() == one.ip() && other.port() == one.port();
            prop_assert!(theirs.iter().any(is_theirs));
        }
    }
}
