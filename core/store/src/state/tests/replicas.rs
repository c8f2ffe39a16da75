// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Property test of clients as replicas: with any fate of the writers, the next store recovers exactly the
//! acknowledged writes.
//!
//! The clients here are as simple as the protocol allows. They are notified of superseded keys after a random
//! delay, but are handed the keys of others at once: a key in flight only to a client that dies is lost with
//! the store.

use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Step {
    Ask(usize, Request),
    /// A client receives its next message.
    Receive(usize),
    /// A client loses its link and resumes; messages in flight are lost.
    Relink(usize),
    Die(usize),
    Leave(usize),
    Pass(Micros),
}

#[derive(Default)]
struct Client {
    link: LinkId,
    kept: BTreeMap<String, Vec<(u64, Memory)>>,
    undelivered: VecDeque<Notice>,
}

impl Client {
    fn keep(&mut self, Kept { key, revision, what }: Kept) {
        let kept = self.kept.entry(key).or_default();
        if kept.iter().any(|(other, _)| *other == revision) {
            return;
        }
        if !matches!(what, Memory::Piece { .. }) {
            kept.retain(|(other, _)| *other > revision);
        }
        kept.push((revision, what));
        kept.sort_by_key(|(revision, _)| *revision);
    }

    /// A handed replica replaces another of the same revision.
    fn keep_handed(&mut self, kept: Kept) {
        if let Some(own) = self.kept.get_mut(&kept.key) {
            own.retain(|(other, _)| *other != kept.revision);
        }
        self.keep(kept);
    }

    fn forget(&mut self, key: &str, below: u64) {
        if let Some(kept) = self.kept.get_mut(key) {
            kept.retain(|(revision, _)| *revision >= below);
        }
    }

    fn acknowledged(&mut self, request: &Request, answer: Answer) {
        let value = |bytes: Vec<u8>| Memory::Value { bytes, lifetime: Lifetime::Permanent };
        let (key, revision, what) = match (request.clone(), answer) {
            (Request::Set { key, value: bytes, .. }, Answer::Revision(revision)) => {
                (key, revision, value(bytes))
            }
            (Request::Add { key, .. }, Answer::Sum { sum, revision }) => {
                (key, revision, value(sum.to_string().into_bytes()))
            }
            (Request::Append { key, value: bytes }, Answer::Appended { offset, revision }) => {
                (key, revision, Memory::Piece { offset, bytes })
            }
            (Request::Delete { key }, Answer::Deleted { revision: Some(revision), remember }) => {
                if !remember {
                    self.forget(&key, revision);
                    return;
                }
                (key, revision, Memory::Deletion)
            }
            _ => return,
        };
        self.keep(Kept { key, revision, what });
    }

    fn messages(&self) -> Vec<Kept> {
        let all = self.kept.iter().flat_map(|(key, kept)| {
            kept.iter().map(|(revision, what)| Kept {
                key: key.clone(),
                revision: *revision,
                what: what.clone(),
            })
        });
        all.collect()
    }
}

struct Cluster {
    bench: Bench,
    clients: Vec<Client>,
    links: LinkId,
}

impl Cluster {
    fn new(members: u32) -> Self {
        let bench = Bench::with_grace(members);
        let clients = (1..=u64::from(members)).map(|link| Client { link, ..Client::default() }).collect();
        Self { bench, clients, links: 1000 }
    }

    fn new_link(&mut self) -> LinkId {
        self.links += 1;
        self.links
    }

    fn deliver(&mut self) {
        for (link, notice) in self.bench.take_notices() {
            let Some(client) = self.clients.iter_mut().find(|client| client.link == link) else { continue };
            match notice {
                Notice::Keep(entries) => entries.into_iter().for_each(|kept| client.keep_handed(kept)),
                other => client.undelivered.push_back(other),
            }
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Ask(who, request) => {
                let client = &mut self.clients[who];
                // Messages that the store sent before its answer arrive before it.
                if let Ok(answer) = self.bench.answer(client.link, request.clone()) {
                    client.acknowledged(&request, answer);
                }
            }
            Step::Receive(who) => {
                let client = &mut self.clients[who];
                if let Some(Notice::Superseded(keys)) = client.undelivered.pop_front() {
                    for (key, revision) in &keys {
                        client.forget(key, *revision);
                    }
                    let link = client.link;
                    self.bench.one_way(link, OneWay::Forgotten(keys));
                }
            }
            Step::Relink(who) => {
                let link = self.new_link();
                let before = self.clients[who].link;
                let resume = self.bench.resume_of(before);
                let key = self.bench.machine.members.get(resume.session).unwrap().key;
                self.bench.end(before, Cause::Lost);
                self.clients[who].undelivered.clear();
                self.clients[who].link = link;
                self.bench.resume(link, key, resume);
            }
            Step::Die(who) | Step::Leave(who) => {
                let cause = if matches!(step, Step::Die(_)) { Cause::Lost } else { Cause::Left };
                let link = self.new_link();
                self.bench.end(self.clients[who].link, cause);
                self.clients[who] = Client { link, ..Client::default() };
                self.bench.pass(LEAVING_US);
                self.bench.join(link, Some(u32::try_from(who).unwrap()));
            }
            Step::Pass(us) => {
                self.bench.pass(us);
            }
        }
        self.deliver();
        let sessions: Vec<_> = self.clients.iter().map(|client| self.bench.session_of(client.link)).collect();
        keepers::check_consistent(&self.bench.machine.keys, &sessions);
    }

    /// The store dies, and another one learns.
    fn take_over(&mut self) {
        let members = self.bench.machine.ranks.world_size();
        let mut next = Bench::with(Limits { resume_grace_us: GRACE_US, ..limits(members) });
        for client in &mut self.clients {
            let mut resume = self.bench.resume_of(client.link);
            let key = self.bench.machine.members.get(resume.session).unwrap().key;
            resume.store = [9; 16];
            client.undelivered.clear();
            next.resume(client.link, key, resume);
            next.one_way(client.link, OneWay::Kept(client.messages()));
            next.one_way(client.link, OneWay::Complete);
        }
        self.bench = next;
        self.deliver();
    }

    fn contents(&mut self) -> BTreeMap<String, Vec<u8>> {
        let listing = self.bench.answer(self.clients[0].link, Request::List { prefix: String::new() });
        let Ok(Answer::Listing(listing)) = listing else { panic!("{listing:?}") };
        listing.entries.into_iter().map(|entry| (entry.key.clone(), entry.value.clone())).collect()
    }
}

fn any_step() -> impl Strategy<Value = Step> {
    let key = || prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned);
    let bytes = || prop::collection::vec(b'0'..=b'9', 1..3);
    let request = prop_oneof![
        3 => (key(), bytes()).prop_map(|(key, value)| {
            Request::Set { key, value, lifetime: Lifetime::Permanent }
        }),
        1 => key().prop_map(|key| Request::Add { key, delta: 1 }),
        3 => (key(), bytes()).prop_map(|(key, value)| Request::Append { key, value }),
        3 => key().prop_map(|key| Request::Delete { key }),
    ];
    let who = || 0usize..3;
    prop_oneof![
        12 => (who(), request).prop_map(|(who, request)| Step::Ask(who, request)),
        6 => who().prop_map(Step::Receive),
        1 => who().prop_map(Step::Relink),
        1 => who().prop_map(Step::Die),
        1 => who().prop_map(Step::Leave),
        4 => (0u64..300_000).prop_map(Step::Pass),
    ]
}

/// Steps from one store to the next.
fn any_life() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(any_step(), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn next_store_recovers_all_contents(steps in prop::collection::vec(any_life(), 1..4)) {
        let mut cluster = Cluster::new(3);
        for steps in steps {
            for step in steps {
                cluster.step(step);
            }
            let before = cluster.contents();
            cluster.take_over();
            prop_assert_eq!(cluster.contents(), before);
        }
        // When all has been received, no client has a replica of more than there is.
        for _ in 0..20 {
            cluster.step(Step::Pass(SECOND_US));
            for who in 0..3 {
                while !cluster.clients[who].undelivered.is_empty() {
                    cluster.step(Step::Receive(who));
                }
            }
        }
        prop_assert_eq!(cluster.bench.machine.keys.tombstones.len(), 0);
        let contents = cluster.contents();
        for client in &cluster.clients {
            for (key, kept) in &client.kept {
                prop_assert!(kept.is_empty() || contents.contains_key(key), "{} {:?}", key, kept);
            }
        }
    }
}
