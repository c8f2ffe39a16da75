// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Many hosts in one thread: packets of one pair stay in order, packets of different pairs come in any; some
//! hosts die.

use proptest::prelude::*;

use super::*;

/// A network of leaders without threads.
struct World {
    machines: Vec<Exchanger>,
    /// Result of each host: bytes of the exchange, or its failure.
    results: Vec<Option<Result<Vec<u8>, Failure>>>,
    /// Packets in flight: (from, to) pairs that have some.
    roads: std::collections::BTreeMap<(usize, usize), VecDeque<Vec<u8>>>,
    seed: u64,
    sent: usize,
}

impl World {
    fn new(members: &[usize], seed: u64) -> Self {
        let mut place = 0;
        let mut hosts = Vec::new();
        for (number, members) in members.iter().enumerate() {
            hosts.push(Host { mailbox: number as u64 + 1, leader: place, members: *members });
            place += members;
        }
        let machines = (0..hosts.len()).map(|me| Exchanger::new(hosts.clone(), me, 4 << 20)).collect();
        Self { machines, results: vec![None; hosts.len()], roads: Default::default(), seed, sent: 0 }
    }

    fn random(&mut self, below: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.seed >> 33).unwrap() % below
    }

    fn dispatch(&mut self, from: usize, out: Vec<Outgoing>) {
        for Outgoing { host, packet } in out {
            assert_ne!(from, host);
            assert!(packet.len() < mf_transport::MESSAGE_BYTES_MAX);
            self.sent += 1;
            self.roads.entry((from, host)).or_default().push_back(packet);
        }
    }

    fn begin(&mut self, me: usize, tag: u16, piece: usize, fill: u8) {
        let own = vec![fill; piece * self.machines[me].hosts()[me].members];
        let mut out = Vec::new();
        self.results[me] = None;
        let begun = self.machines[me].begin(tag, piece as u64, piece, &own, &mut out);
        self.dispatch(me, out);
        self.ended(me, begun);
    }

    fn ended(&mut self, me: usize, result: Result<(), Failure>) {
        if self.results[me].is_some() {
            return;
        }
        match result {
            Err(failure) => self.results[me] = Some(Err(failure)),
            Ok(()) if self.machines[me].is_done() => self.results[me] = Some(Ok(self.machines[me].take())),
            Ok(()) => {}
        }
    }

    /// Delivers one packet of a random pair. Returns false if none is in flight.
    fn step(&mut self, is_dead: &[bool]) -> bool {
        if self.roads.is_empty() {
            return false;
        }
        let number = self.random(self.roads.len());
        let pair = *self.roads.keys().nth(number).unwrap();
        self.deliver(pair, is_dead);
        true
    }

    /// Delivers the next packet of a pair.
    fn deliver(&mut self, pair: (usize, usize), is_dead: &[bool]) {
        let road = self.roads.get_mut(&pair).unwrap();
        let packet = road.pop_front().unwrap();
        if road.is_empty() {
            self.roads.remove(&pair);
        }
        let (from, to) = pair;
        if !is_dead[to] && !matches!(self.results[to], Some(Err(_))) {
            let mut out = Vec::new();
            let received = self.machines[to].receive(from, packet, &mut out);
            self.dispatch(to, out);
            self.ended(to, received);
        }
    }
}

fn expected(members: &[usize], piece: usize, fill: impl Fn(usize) -> u8) -> Vec<u8> {
    members.iter().enumerate().flat_map(|(host, count)| vec![fill(host); count * piece]).collect()
}

fn fill(host: usize, round: usize) -> u8 {
    u8::try_from((host * 7 + round) % 251).unwrap()
}

#[test]
fn a_thousand_hosts_exchange_in_ten_steps_each() {
    let members = vec![1; 1024];
    let mut world = World::new(&members, 1);
    for me in 0..1024 {
        world.begin(me, 2, 8, fill(me, 0));
    }
    let no_deaths = vec![false; 1024];
    while world.step(&no_deaths) {}
    assert_eq!(world.sent, 1024 * 10);
    let all = expected(&members, 8, |host| fill(host, 0));
    assert!(world.results.iter().all(|result| result.as_ref().unwrap().as_ref().unwrap() == &all));
}

#[test]
fn mismatched_members_are_named() {
    for (tag, piece) in [(1, 8), (2, 16)] {
        let mut world = World::new(&[1, 1], 1);
        world.begin(0, 2, 8, 0);
        world.begin(1, tag, piece, 0);
        while world.step(&[false; 2]) {}
        for result in &world.results {
            assert_eq!(result.as_ref().unwrap().as_ref().unwrap_err().cause, Cause::Mismatch);
        }
    }
}

#[test]
fn waiters_are_notified_of_a_departed_or_failed_host() {
    for cause in [None, Some(Cause::Timeout)] {
        let mut world = World::new(&[1, 1, 1], 1);
        let out = match cause {
            None => world.machines[2].leaving(),
            Some(cause) => world.machines[2].failed(cause.pack(1)),
        };
        world.dispatch(2, out);
        world.begin(0, 1, 0, 0);
        while world.step(&[false; 3]) {}
        let failure = world.results[0].as_ref().unwrap().as_ref().unwrap_err();
        assert_eq!(failure.cause, cause.unwrap_or(Cause::Lost));
        assert_eq!(failure.member, if cause.is_some() { 1 } else { 2 });
    }
}

/// A member may leave as soon as a call has ended for it, when others have not heard of all yet.
#[test]
fn failure_after_a_completed_exchange_ends_only_the_next() {
    let mut world = World::new(&[1, 1, 1], 7);
    for me in 0..3 {
        world.begin(me, 1, 4, fill(me, 0));
    }
    // Host 2 gets nothing yet.
    while let Some(pair) = world.roads.keys().copied().find(|(_, to)| *to != 2) {
        world.deliver(pair, &[false; 3]);
    }
    assert!(world.results[0].is_some() && world.results[2].is_none());
    let failed = world.machines[0].failed(Cause::Lost.pack(0));
    let packet = failed.into_iter().find(|sent| sent.host == 2).unwrap().packet;
    let mut out = Vec::new();
    world.machines[2].receive(0, packet, &mut out).unwrap();
    while world.step(&[false; 3]) {}
    let received = world.results[2].take().unwrap().unwrap();
    assert_eq!(received, expected(&[1, 1, 1], 4, |host| fill(host, 0)));
    let failure = world.machines[2].begin(1, 4, 4, &[0; 4], &mut out).unwrap_err();
    assert_eq!((failure.cause, failure.member), (Cause::Lost, 0));
}

#[test]
fn garbage_and_unexpected_packets_break_only_their_group() {
    let blocks = |step, offset| Body::Blocks { step, tag: 2, length: 8, offset };
    for packet in [
        b"short".to_vec(),
        Head { mailbox: 1, operation: 1, body: blocks(0, 4) }.write(&[0; 4]),
        Head { mailbox: 1, operation: 1, body: blocks(0, 0) }.write(&[0; 9]),
        Head { mailbox: 1, operation: 9, body: blocks(0, 0) }.write(&[0; 8]),
    ] {
        let mut world = World::new(&[1, 1], 1);
        world.begin(0, 2, 8, 0);
        let result = world.machines[0].receive(1, packet, &mut Vec::new());
        assert_eq!(result.unwrap_err().cause, Cause::Mismatch);
    }
    let mut world = World::new(&[1, 1], 1);
    let later = Head { mailbox: 1, operation: 1, body: blocks(200, 0) }.write(&[0; 1000]);
    let mut flood = (0..1 << 20).map(|_| world.machines[0].receive(1, later.clone(), &mut Vec::new()));
    assert!(flood.any(|result| result.is_err()), "kept without a limit");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn members_receive_all_bytes_in_every_round(
        members in prop::collection::vec(1usize..5, 1..24), piece in 0usize..6000, seed in any::<u64>(),
    ) {
        let mut world = World::new(&members, seed);
        let no_deaths = vec![false; members.len()];
        let mut rounds = vec![0; members.len()];
        for me in 0..members.len() {
            world.begin(me, 2, piece, fill(me, 0));
        }
        // A member that has finished begins the next round at once, so some are ahead.
        loop {
            let mut more = world.step(&no_deaths);
            for (me, done) in rounds.iter_mut().enumerate() {
                if let Some(result) = world.results[me].take() {
                    let round = *done;
                    prop_assert_eq!(result.unwrap(), expected(&members, piece, |host| fill(host, round)));
                    *done += 1;
                    more = true;
                    if *done < 4 {
                        world.begin(me, 2, piece, fill(me, *done));
                    }
                }
            }
            if !more {
                break;
            }
        }
        prop_assert!(rounds.iter().all(|round| *round >= 4));
    }

    #[test]
    fn a_death_leaves_no_member_with_wrong_bytes(
        hosts in 2usize..40, dead in 0usize..40, after in 0usize..200, seed in any::<u64>(),
    ) {
        let members = vec![1; hosts];
        let mut world = World::new(&members, seed);
        let mut is_dead = vec![false; hosts];
        for me in 0..hosts {
            world.begin(me, 2, 8, fill(me, 0));
        }
        for number in 0.. {
            if number == after {
                is_dead[dead % hosts] = true;
                world.roads.retain(|(from, _), _| *from != dead % hosts);
            }
            if !world.step(&is_dead) {
                break;
            }
        }
        let all = expected(&members, 8, |host| fill(host, 0));
        for (me, result) in world.results.iter().enumerate() {
            match result {
                Some(Ok(bytes)) => prop_assert_eq!(bytes, &all),
                Some(Err(failure)) => prop_assert!(false, "{failure:?}"),
                // The host waits, and names a host that it waits for.
                None => prop_assert!(is_dead[me] || world.machines[me].awaited() < hosts),
            }
        }
    }
}
