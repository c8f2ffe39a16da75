// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Choice of the route and the leaders: computed by every member alone from the offers of all, with the same
//! result.

use std::borrow::Cow;

use mf_base::{Error, Rank, Result};
use serde::{Deserialize, Serialize};

const OP: &str = "group create";

/// Changes when the protocol of groups changes; members of another version are refused.
pub(super) const VERSION: u16 = 4;

/// Message of a member to all others when a group is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Offer {
    pub(super) version: u16,
    /// The list of members in the order that this member gave.
    pub(super) order: u64,
    pub(super) seating: Seating,
    /// Id of its control page; 0: it has no page.
    pub(super) page: u32,
    /// The pages that it has mapped: place of the member in the list, ascending, and its page.
    pub(super) sees: Vec<(u16, u32)>,
    /// The cores that its process may use, when they are fewer than the members.
    pub(super) cores: Vec<u16>,
}

/// Data that the others need of a member once the hosts are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seating {
    /// Random.
    pub(super) nonce: u64,
    /// The slot in its control page and the slot's generation; `None`: all are taken.
    pub(super) slot: Option<(u16, u16)>,
    /// True if its process is registered for one-sided fences.
    pub(super) is_registered: bool,
    /// Its mailbox; 0: it reaches no other hosts.
    pub(super) mailbox: u64,
}

/// Route by which the members meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// In the control pages of one host.
    IntraHost,
    /// In the pages of each host, and by messages between the leaders.
    Wire,
    /// Through the store.
    Store,
}

/// The decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Topology {
    pub(super) route: Route,
    /// Members that see each other, by place in the list, in the order of their ranks; the first of each is
    /// its leader. The hosts are in the order of their leaders' ranks.
    pub(super) hosts: Vec<Vec<usize>>,
    /// True if all are registered for one-sided fences.
    pub(super) is_asymmetric: bool,
    /// Names this group among all that were ever made.
    pub(super) key: u64,
}

/// Checks a list of members: not empty, no duplicates.
///
/// # Errors
/// `InvalidParam`.
pub(super) fn check_members(members: &[Rank], own: Rank) -> Result<usize> {
    let sorted = sorted(members);
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Error::invalid(OP, "a rank is named twice").with("rank", pair[0]));
    }
    members.iter().position(|rank| *rank == own).ok_or_else(|| {
        Error::invalid(OP, "this rank is not among the members")
            .with("rank", own)
            .with("members", members.len())
            .hint("only members make a group; the others do not call this")
    })
}

/// The ranks in their order; most lists are.
pub(super) fn sorted(members: &[Rank]) -> Cow<'_, [Rank]> {
    if members.is_sorted() {
        return Cow::Borrowed(members);
    }
    let mut sorted = members.to_vec();
    sorted.sort_unstable();
    Cow::Owned(sorted)
}

/// The places of ranks in a list.
pub(super) struct Index<'a> {
    members: &'a [Rank],
    /// The places in the order of the ranks, where that is another one.
    order: Vec<usize>,
}

impl<'a> Index<'a> {
    pub(super) fn new(members: &'a [Rank]) -> Self {
        let order = if members.is_sorted() { Vec::new() } else { by_rank(members, 0..members.len()) };
        Self { members, order }
    }

    /// The place of a rank.
    pub(super) fn find(&self, rank: Rank) -> Option<usize> {
        if self.members.get(rank.index()) == Some(&rank) {
            return Some(rank.index());
        }
        if self.order.is_empty() {
            return self.members.binary_search(&rank).ok();
        }
        let found = self.order.binary_search_by_key(&Some(rank), |place| self.members.get(*place).copied());
        self.order.get(found.ok()?).copied()
    }
}

/// A number for a list in its order.
pub(super) fn order_of(members: &[Rank]) -> u64 {
    digest(members.iter().copied())
}

/// Returns a hash of the set of members, independent of their order.
pub(super) fn set_of(members: &[Rank]) -> u64 {
    order_of(&sorted(members))
}

/// The name under which the members of a list meet in the store; the same for every order of the list.
pub(super) fn name_of(prefix: &str, members: &[Rank]) -> String {
    let sorted = sorted(members);
    let ranks = || sorted.iter().map(|rank| u64::from(rank.0));
    let (one, two) = (order_of(&sorted), mix(ranks(), 0x84_2223_25cb_f29c));
    format!("{prefix}/group/{}-{one:016x}{two:016x}", members.len())
}

/// A number for ranks in their order.
pub(super) fn digest(ranks: impl Iterator<Item = Rank>) -> u64 {
    mix(ranks.map(|rank| u64::from(rank.0)), 0xcbf2_9ce4_8422_2325)
}

/// Each step is one to one in the digest and in the number.
fn mix(numbers: impl Iterator<Item = u64>, basis: u64) -> u64 {
    numbers.fold(basis, |digest, number| {
        let mixed = (digest.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    })
}

/// Decides, from the offers in the order of the list.
///
/// # Errors
/// `InvalidParam` on all members alike, when they named the list in different orders or speak different
/// versions.
pub(super) fn decide(members: &[Rank], offers: &[Offer]) -> Result<Topology> {
    let Some(first) = offers.first() else {
        return Err(Error::invalid(OP, "a group without members"));
    };
    for (rank, offer) in members.iter().zip(offers) {
        let bad = |what: &str| Err(Error::invalid(OP, what).with("rank", rank).with("other", members[0]));
        if offer.version != first.version {
            return bad("two members speak different versions of the protocol");
        }
        if offer.order != first.order {
            return bad("two members name the list in different orders");
        }
        if offer.sees.len() > members.len() {
            return bad("cannot decode a member's message");
        }
    }
    let count = members.len().min(offers.len());
    let page_seen = |a: usize, b: usize| {
        let sees = offers.get(a).map_or(&[][..], |offer| &offer.sees);
        let at = sees.binary_search_by_key(&b, |(place, _)| usize::from(*place)).ok()?;
        sees.get(at).map(|(_, page)| *page)
    };
    let sees = |a: usize, b: usize| offers[b].page != 0 && page_seen(a, b) == Some(offers[b].page);
    let mut hosts: Vec<Vec<usize>> = Vec::new();
    for member in by_rank(members, 0..count) {
        let fits = |host: &Vec<usize>| host.iter().all(|other| sees(member, *other) && sees(*other, member));
        match hosts.iter_mut().find(|host| fits(host)) {
            Some(host) => host.push(member),
            None => hosts.push(vec![member]),
        }
    }
    let seatings: Vec<Seating> = offers.iter().take(count).map(|offer| offer.seating).collect();
    Ok(choose_route(members, &seatings, hosts))
}

/// These places in the order of the members' ranks.
fn by_rank(members: &[Rank], places: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut places: Vec<usize> = places.into_iter().collect();
    let rank = |place: &usize| members.get(*place).copied();
    if !places.is_sorted_by_key(rank) {
        places.sort_unstable_by_key(rank);
    }
    places
}

/// Chooses the route for known hosts: `hosts` names each member once, by its place in the list. A member
/// without a slot shares no host.
pub(super) fn choose_route(members: &[Rank], seatings: &[Seating], hosts: Vec<Vec<usize>>) -> Topology {
    let is_seated = |member: usize| seatings.get(member).is_some_and(|seating| seating.slot.is_some());
    let mut split: Vec<Vec<usize>> = Vec::with_capacity(hosts.len());
    for host in hosts {
        let mut seated = by_rank(members, host);
        seated.retain(|member| {
            let stays = is_seated(*member);
            if !stays {
                split.push(vec![*member]);
            }
            stays
        });
        split.extend(Some(seated).filter(|seated| !seated.is_empty()));
    }
    split.sort_unstable_by_key(|host| host.first().and_then(|leader| members.get(*leader).copied()));
    let can_send = split.iter().flat_map(|host| host.first()).all(|leader| seatings[*leader].mailbox != 0);
    let route = match split.as_slice() {
        [host] if host.iter().all(|member| is_seated(*member)) => Route::IntraHost,
        _ if can_send => Route::Wire,
        _ => Route::Store,
    };
    let key = mix(seatings.iter().map(|seating| seating.nonce), order_of(members));
    let is_asymmetric = seatings.iter().all(|seating| seating.is_registered);
    Topology { route, hosts: split, is_asymmetric, key }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Offers of members that live on the hosts of these numbers.
    pub(in crate::group) fn offers(members: &[Rank], host_of: &[usize], mailboxes: bool) -> Vec<Offer> {
        let page = |member: usize| u32::try_from(member).unwrap() + 100;
        let offer = |member: usize| Offer {
            version: VERSION,
            order: order_of(members),
            seating: Seating {
                nonce: member as u64,
                slot: Some((0, 1)),
                is_registered: true,
                mailbox: if mailboxes { member as u64 + 1 } else { 0 },
            },
            page: page(member),
            sees: (0..members.len())
                .filter(|other| host_of[*other] == host_of[member])
                .map(|other| (u16::try_from(other).unwrap(), page(other)))
                .collect(),
            cores: Vec::new(),
        };
        (0..members.len()).map(offer).collect()
    }

    fn ranks(numbers: &[u32]) -> Vec<Rank> {
        numbers.iter().copied().map(Rank).collect()
    }

    #[test]
    fn lists_without_the_own_rank_or_with_duplicates_are_refused() {
        assert_eq!(check_members(&ranks(&[5, 2, 9]), Rank(9)).unwrap(), 2);
        assert!(check_members(&ranks(&[5, 2]), Rank(9)).unwrap_err().to_string().contains("not among"));
        assert_eq!(check_members(&ranks(&[5, 2, 5]), Rank(2)).unwrap_err().fact("rank"), Some("5"));
    }

    #[test]
    fn member_order_changes_the_digest_and_not_the_name() {
        assert_eq!(name_of("p", &ranks(&[3, 1, 2])), name_of("p", &ranks(&[1, 2, 3])));
        assert_ne!(name_of("p", &ranks(&[1, 2])), name_of("p", &ranks(&[1, 3])));
        let members = ranks(&[3, 1]);
        let mut mixed = offers(&members, &[0, 0], true);
        mixed[1].order = order_of(&ranks(&[1, 3]));
        assert!(decide(&members, &mixed).unwrap_err().to_string().contains("different orders"));
    }

    #[test]
    fn hosts_are_sets_of_mutually_visible_members() {
        let members = ranks(&[7, 3, 5, 1]);
        let topology = decide(&members, &offers(&members, &[0, 0, 1, 1], true)).unwrap();
        assert_eq!(topology.route, Route::Wire);
        assert_eq!(topology.hosts, [vec![3, 2], vec![1, 0]]);
        let topology = decide(&members, &offers(&members, &[0; 4], false)).unwrap();
        assert_eq!((topology.route, topology.hosts.len()), (Route::IntraHost, 1));
        let topology = decide(&members, &offers(&members, &[0, 0, 0, 1], false)).unwrap();
        assert_eq!(topology.route, Route::Store);
    }

    #[test]
    fn page_of_a_former_process_is_not_used() {
        let members = ranks(&[0, 1, 2]);
        let mut stale = offers(&members, &[0; 3], true);
        stale[0].sees[2].1 = 99;
        assert_eq!(decide(&members, &stale).unwrap().hosts, [vec![0, 1], vec![2]]);
        let mut full = offers(&members, &[0; 3], true);
        full[1].seating.slot = None;
        assert_eq!(decide(&members, &full).unwrap().hosts, [vec![0, 2], vec![1]]);
    }

    proptest! {
        #[test]
        fn each_member_belongs_to_a_single_host(host_of in prop::collection::vec(0usize..6, 1..40), cuts in prop::collection::vec((0usize..40, 0usize..40), 0..10)) {
            let members: Vec<Rank> = (0..host_of.len()).map(|n| Rank(u32::try_from(n * 7 % 41).unwrap())).collect();
            let mut offers = offers(&members, &host_of, true);
            for (a, b) in cuts {
                if a < members.len() && b < members.len() {
                    offers[a].sees.retain(|(place, _)| usize::from(*place) != b);
                }
            }
            let topology = decide(&members, &offers).unwrap();
            let mut all: Vec<usize> = topology.hosts.iter().flatten().copied().collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..members.len()).collect::<Vec<_>>());
            for host in &topology.hosts {
                for a in host {
                    for b in host {
                        let page = (u16::try_from(*b).unwrap(), offers[*b].page);
                        prop_assert!(a == b || offers[*a].sees.contains(&page));
                    }
                }
                prop_assert!(host.windows(2).all(|pair| members[pair[0]] < members[pair[1]]));
            }
        }
    }
}
