// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Groups that are derived from a group: one allgather among its members. The store is not asked, and no
//! descriptor is opened: the members use their existing control pages and wire.

use std::sync::Arc;

use mf_base::sync::wait::Deadline;
use mf_base::{Error, Rank, Result, interrupt};

use super::create::{Assembly, Candidacy};
use super::intra_host::IntraHost;
use super::topology::{self, Index, Seating, VERSION};
use super::{Group, Routes};

const OP: &str = "group split";

/// Bytes of a [`SplitRequest`]: they travel beside the word of arrival.
const WISH_BYTES: usize = 48;
/// Slot number for "no slot".
const NO_SLOT: u16 = u16::MAX;

/// Message of a member to all others of the group that is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SplitRequest {
    version: u16,
    /// The reason that this member must not get a group; 0: no objection.
    refusal: u16,
    /// Number of members that it names; 0: it will be in no group.
    count: u32,
    /// Hash of the members in their order, and hash of their set.
    order: u64,
    set: u64,
    seating: Seating,
}

/// Reasons to refuse a list, by their numbers minus one.
const REFUSALS: [&str; 3] = [
    "it names a rank twice, or not itself",
    "it names a rank that is not in the group that is split",
    "it cannot be in a new group, or will not",
];
/// The number of the last of them.
const UNWILLING: u16 = 3;

impl SplitRequest {
    fn new(members: &[Rank], refusal: u16, seating: Seating) -> Self {
        Self {
            version: VERSION,
            refusal,
            count: u32::try_from(members.len()).unwrap_or(u32::MAX),
            order: topology::order_of(members),
            set: topology::set_of(members),
            seating,
        }
    }

    fn encode(&self) -> [u8; WISH_BYTES] {
        let Seating { nonce, slot, is_registered, mailbox } = self.seating;
        let (slot, generation) = slot.unwrap_or((NO_SLOT, 0));
        let mut bytes = [0; WISH_BYTES];
        let mut rest = bytes.as_mut_slice();
        let mut put = |value: &[u8]| {
            if let Some((head, tail)) = std::mem::take(&mut rest).split_at_mut_checked(value.len()) {
                head.copy_from_slice(value);
                rest = tail;
            }
        };
        put(&self.version.to_le_bytes());
        put(&self.refusal.to_le_bytes());
        put(&self.count.to_le_bytes());
        put(&self.order.to_le_bytes());
        put(&self.set.to_le_bytes());
        put(&nonce.to_le_bytes());
        put(&mailbox.to_le_bytes());
        put(&slot.to_le_bytes());
        put(&generation.to_le_bytes());
        put(&u16::from(is_registered).to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (version, rest) = bytes.split_first_chunk()?;
        let (refusal, rest) = rest.split_first_chunk()?;
        let (count, rest) = rest.split_first_chunk()?;
        let (order, rest) = rest.split_first_chunk()?;
        let (set, rest) = rest.split_first_chunk()?;
        let (nonce, rest) = rest.split_first_chunk()?;
        let (mailbox, rest) = rest.split_first_chunk()?;
        let (slot, rest) = rest.split_first_chunk()?;
        let (generation, rest) = rest.split_first_chunk()?;
        let (registered, _) = rest.split_first_chunk()?;
        let slot = u16::from_le_bytes(*slot);
        let seating = Seating {
            nonce: u64::from_le_bytes(*nonce),
            slot: (slot != NO_SLOT).then(|| (slot, u16::from_le_bytes(*generation))),
            is_registered: u16::from_le_bytes(*registered) == 1,
            mailbox: u64::from_le_bytes(*mailbox),
        };
        Some(Self {
            version: u16::from_le_bytes(*version),
            refusal: u16::from_le_bytes(*refusal),
            count: u32::from_le_bytes(*count),
            order: u64::from_le_bytes(*order),
            set: u64::from_le_bytes(*set),
            seating,
        })
    }
}

impl Group {
    /// Makes groups of some members each, by one allgather of this group. **Collective** over all its
    /// members; at most until `deadline`. `members`: the members of the new group that this member will be
    /// in, itself among them, in the same order on all of them; if empty, it will be in no group, and gets
    /// `None`. The new group lives on when this one is dropped.
    ///
    /// # Errors
    /// `InvalidParam` on all members alike: one names a rank twice, or not itself, or a rank that is not in
    /// this group, or members name different lists; the error names it · as [`allgather`](Self::allgather).
    /// This wait cannot be interrupted by the program.
    pub fn split(&self, members: &[Rank], deadline: impl Into<Deadline>) -> Result<Option<Arc<Self>>> {
        let [group] = self.split_into([members], deadline)?;
        Ok(group)
    }

    /// As [`split`](Self::split) by several lists at once, which may overlap, in the time of one.
    /// **Collective** over all members, which pass equally many.
    ///
    /// # Errors
    /// As there, for any of the lists; no group is made then.
    pub fn split_into<const N: usize>(
        &self,
        lists: [&[Rank]; N],
        deadline: impl Into<Deadline>,
    ) -> Result<[Option<Arc<Self>>; N]> {
        let candidacies = lists.map(|members| self.candidacy(!members.is_empty()));
        let request = |list: usize| {
            SplitRequest::new(lists[list], self.check_list(lists[list]), candidacies[list].seating)
        };
        let requests = self.gather_requests(&std::array::from_fn::<_, N, _>(request), deadline)?;
        let mut groups = [const { None }; N];
        for (((group, members), requests), candidacy) in
            groups.iter_mut().zip(lists).zip(&requests).zip(candidacies)
        {
            if !members.is_empty() {
                *group = Some(self.child(members, requests, candidacy)?);
            }
        }
        Ok(groups)
    }

    /// Makes two groups by one allgather: one of all members, and one of the members that this one considers
    /// alike, itself among them, both in the order of this group. `label` is this member's label for the
    /// others; `is_alike` returns true for the labels of alike members. **Collective** over all members, and
    /// the relation must be symmetric and transitive; at most until `deadline`.
    ///
    /// # Errors
    /// As [`allgather`](Self::allgather) · `InvalidParam` this member is not alike itself.
    pub fn split_alike(
        &self,
        label: u64,
        is_alike: impl Fn(Rank, u64) -> bool,
        deadline: impl Into<Deadline>,
    ) -> Result<[Arc<Self>; 2]> {
        let [of_all, of_some] = [self.candidacy(true), self.candidacy(true)];
        let all = SplitRequest::new(&self.members, 0, of_all.seating);
        let labelled = SplitRequest { order: label, ..SplitRequest::new(&[], 0, of_some.seating) };
        let [requests, labels] = self.gather_requests(&[all, labelled], deadline)?;
        let labelled = self.members.iter().zip(&labels);
        let alike: Vec<Rank> = labelled
            .filter(|(rank, request)| is_alike(**rank, request.order))
            .map(|(rank, _)| *rank)
            .collect();
        Ok([self.child(&self.members, &requests, of_all)?, self.child(&alike, &labels, of_some)?])
    }

    /// Allocates the resources of this member for a new group; without a seat if it will be in no group.
    fn candidacy(&self, has_seat: bool) -> Candidacy {
        let own_page = self.room().map(IntraHost::own_page).filter(|_| has_seat);
        let has_other_hosts = !matches!(self.route, Routes::IntraHost(_));
        Candidacy::new(&self.origin, own_page, has_seat && has_other_hosts)
    }

    /// The group of some members, when it is known where all sit.
    fn child(&self, members: &[Rank], requests: &[SplitRequest], candidacy: Candidacy) -> Result<Arc<Self>> {
        let (origin, room, all) = (&self.origin, self.room(), Index::new(&self.members));
        let places: Vec<usize> = members.iter().filter_map(|rank| all.find(*rank)).collect();
        let seatings: Vec<Seating> =
            places.iter().filter_map(|place| Some(requests.get(*place)?.seating)).collect();
        let own = topology::check_members(members, origin.own)?;
        let topology = topology::choose_route(members, &seatings, self.hosts_of(members));
        let neighbour = |member: usize| Some(room?.member_slot(*places.get(member)?)?.neighbour());
        // A member that was lost since this group was made has missed the notice that the new one would get.
        let losses = self.losses;
        Assembly { origin, members, own, topology, seatings: &seatings, losses }.group(candidacy, neighbour)
    }

    /// Like [`split`](Self::split) into the group of the `count` members at the places `first`, `first +
    /// stride`, …; the others get `None`. **Collective** over all members, which pass the same.
    ///
    /// # Errors
    /// As there; `InvalidParam` at once, in every member that passes them: invalid places.
    pub fn split_strided(
        &self,
        first: usize,
        stride: usize,
        count: usize,
        deadline: impl Into<Deadline>,
    ) -> Result<Option<Arc<Self>>> {
        let place =
            |number: usize| self.members.get(stride.checked_mul(number)?.checked_add(first)?).copied();
        let members: Option<Vec<Rank>> = (0..count).map(place).collect();
        let members = members.filter(|members| !members.is_empty() && (stride > 0 || count == 1));
        let mut members = members.ok_or_else(|| {
            Error::invalid(OP, "invalid places in the group")
                .with("first", first)
                .with("stride", stride)
                .with("count", count)
                .with("members", self.members.len())
        })?;
        if !members.contains(&self.origin.own) {
            members.clear();
        }
        self.split(&members, deadline)
    }

    /// Takes part in a [`split_into`](Self::split_into) of the others into `N` groups
    /// ([`split`](Self::split): one), and makes it fail on all of them, since this member cannot make the
    /// call. **Collective** with their split.
    ///
    /// # Errors
    /// `InvalidParam` names this member, or another one that refuses · as [`allgather`](Self::allgather).
    pub fn refuse_split<const N: usize>(&self, deadline: impl Into<Deadline>) -> Result<()> {
        let seating = Seating { nonce: 0, slot: None, is_registered: false, mailbox: 0 };
        self.gather_requests(&[SplitRequest::new(&[], UNWILLING, seating); N], deadline).map(|_| ())
    }

    /// Gathers the requests of all members and validates them.
    fn gather_requests<const N: usize>(
        &self,
        own: &[SplitRequest; N],
        deadline: impl Into<Deadline>,
    ) -> Result<[Vec<SplitRequest>; N]> {
        let own: Vec<u8> = own.iter().flat_map(SplitRequest::encode).collect();
        let mut all = vec![0; own.len() * self.members.len()];
        // If members can detect it, splits into different numbers of groups do not break the group.
        if !interrupt::without(|| self.allgather_any_length(&own, &mut all, deadline))? {
            return Err(Error::invalid(OP, "members split this group into different numbers of groups")
                .with("groups", N)
                .hint("all members make the same call"));
        }
        let of_number = |number: usize| -> Vec<SplitRequest> {
            all.chunks_exact(WISH_BYTES).skip(number).step_by(N).filter_map(SplitRequest::decode).collect()
        };
        let requests: [Vec<SplitRequest>; N] = std::array::from_fn(of_number);
        requests.iter().try_for_each(|requests| check_wishes(&self.members, requests))?;
        Ok(requests)
    }

    /// Validates a list, as far as this member alone can determine.
    fn check_list(&self, members: &[Rank]) -> u16 {
        if members.is_empty() {
            0
        } else if topology::check_members(members, self.origin.own).is_err() {
            1
        } else {
            let all = Index::new(&self.members);
            u16::from(members.iter().any(|rank| all.find(*rank).is_none())) * 2
        }
    }

    fn room(&self) -> Option<&IntraHost> {
        match &self.route {
            Routes::IntraHost(room) => Some(room),
            Routes::InterHost(between) => between.room(),
            Routes::Store(_) => None,
        }
    }

    /// Groups some of the members by hosts, as places in that list; members of unknown host are alone.
    fn hosts_of(&self, members: &[Rank]) -> Vec<Vec<usize>> {
        let between = match &self.route {
            Routes::IntraHost(_) => return vec![(0..members.len()).collect()],
            Routes::Store(_) => return (0..members.len()).map(|member| vec![member]).collect(),
            Routes::InterHost(between) => between,
        };
        let index = Index::new(members);
        let place = |member: &usize| index.find(*self.members.get(*member)?);
        let hosts = between.hosts().iter().map(|host| host.iter().filter_map(place).collect::<Vec<_>>());
        hosts.filter(|host| !host.is_empty()).collect()
    }
}

/// Validates that the requests of all members, in the order of the list, match. Every member gets the same
/// result.
fn check_wishes(members: &[Rank], requests: &[SplitRequest]) -> Result<()> {
    if requests.len() != members.len() {
        return Err(Error::invalid(OP, "cannot decode a member's request"));
    }
    for (rank, request) in members.iter().zip(requests) {
        let bad = |what: &str| Err(Error::invalid(OP, what).with("rank", rank));
        if request.version != VERSION {
            return bad("a member speaks another version of the protocol");
        }
        if let Some(index) = usize::from(request.refusal).checked_sub(1) {
            let because = REFUSALS.get(index).copied().unwrap_or("it refuses");
            return bad("a member's list is not possible").map_err(|error| error.with("because", because));
        }
    }
    // By the list that they name, and by rank.
    let naming = members.iter().zip(requests).enumerate().filter(|(_, (_, request))| request.count > 0);
    let mut naming: Vec<(u64, Rank, usize)> =
        naming.map(|(place, (rank, request))| (request.order, *rank, place)).collect();
    if !naming.is_sorted() {
        naming.sort_unstable();
    }
    let mut first: Option<(usize, usize)> = None;
    for alike in naming.chunk_by(|one, other| one.0 == other.0) {
        let set = topology::digest(alike.iter().map(|(_, rank, _)| *rank));
        let differs = |request: &SplitRequest| request.count as usize != alike.len() || request.set != set;
        let different = alike.iter().filter(|(.., place)| requests.get(*place).is_none_or(differs));
        first = first.into_iter().chain(different.map(|(.., place)| (*place, alike.len()))).min();
    }
    let Some((place, alike)) = first else { return Ok(()) };
    Err(Error::invalid(OP, "a member names others that do not name the same list")
        .with("rank", members[place])
        .with("names", requests[place].count)
        .with("that_name_the_same", alike)
        .hint("all members of a new group pass the same list; those that will be in none pass an empty one"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(members: &[u32]) -> SplitRequest {
        let members: Vec<Rank> = members.iter().copied().map(Rank).collect();
        let seating = Seating { nonce: 3, slot: Some((2047, 9)), is_registered: true, mailbox: u64::MAX };
        SplitRequest::new(&members, 0, seating)
    }

    #[test]
    fn wishes_survive_encoding() {
        let seated = request(&[4, 5]);
        let slotless = SplitRequest {
            seating: Seating { slot: None, is_registered: false, ..seated.seating },
            ..seated
        };
        for request in [seated, slotless] {
            assert_eq!(SplitRequest::decode(&request.encode()), Some(request));
        }
        assert_eq!(SplitRequest::decode(&[0; WISH_BYTES - 10]), None);
    }

    #[test]
    fn conflicting_lists_are_refused_with_the_rank() {
        let members: Vec<Rank> = (0..4).map(Rank).collect();
        let rank_of = |requests: &[SplitRequest]| {
            check_wishes(&members, requests).map_err(|error| error.fact("rank").unwrap_or("?").to_owned())
        };
        let (even, odd, none) = (request(&[2, 0]), request(&[1, 3]), request(&[]));
        assert_eq!(rank_of(&[even, odd, even, odd]), Ok(()));
        assert_eq!(rank_of(&[even, none, even, none]), Ok(()));
        // Another order, a member that names none, a list of others, a refusal.
        assert_eq!(rank_of(&[even, odd, request(&[0, 2]), odd]), Err("0".to_owned()));
        assert_eq!(rank_of(&[even, odd, even, none]), Err("1".to_owned()));
        assert_eq!(rank_of(&[even, even, even, none]), Err("0".to_owned()));
        assert_eq!(rank_of(&[even, none, even, SplitRequest { refusal: 2, ..odd }]), Err("3".to_owned()));
        assert_eq!(rank_of(&[even]), Err("?".to_owned()));
    }
}
