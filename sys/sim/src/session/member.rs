// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This process as a member of the machine: offered objects, held claims, and fetching.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::sync::lock;

use super::books::{Books, ClaimId};
use super::join::{Gate, Membership};
use super::kinds::{Location, Pool, Sort};
use super::layout::{Layout, Slot};
use super::listener::{self, Answer, FetchRequest, OfferedFacts, Refusal, Request};
use super::socket::{self, Names};
use super::{Claim, Fetched, Offer, fork, lease, number};
use crate::codes::acl;
use crate::fault::{Fault, Outcome};

/// Longest wait for an exporter.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A member.
pub(super) struct Member {
    pub(super) names: Names,
    pub(super) file: OwnedFd,
    pub(super) layout: &'static Layout,
    pub(super) slot: usize,
    incarnation: u64,
    pub(super) process: i32,
    server: u32,
    sequence: AtomicU64,
    offered: Mutex<HashMap<u64, Offered>>,
    /// Hold count of each claim in this process; the books count one hold per process.
    held: Mutex<HashMap<usize, usize>>,
}

struct Offered {
    offer: Offer,
    secret: u64,
    /// Processes of the importer's server when it is named, else of this one or, for the fabric, of any.
    allowed: HashSet<(Option<u32>, i32)>,
}

impl Member {
    pub(super) fn new(membership: Membership) -> (Self, OwnedFd, Gate) {
        let Membership { names, file, layout, slot, incarnation, process, server, listener, gate } =
            membership;
        let (offered, held) = (Mutex::default(), Mutex::default());
        let sequence = AtomicU64::new(1);
        let member =
            Self { names, file, layout, slot, incarnation, process, server, sequence, offered, held };
        (member, listener, gate)
    }

    pub(super) fn books(&self) -> Outcome<Books<'_>> {
        Books::open(self.layout, self.file.as_fd(), Some(self.slot))
    }

    pub(super) fn take(&self, location: Location, bytes: u64) -> Outcome<ClaimId> {
        let mut held = lock(&self.held);
        let claim = self.books()?.claim(self.slot, location, bytes)?;
        held.insert(claim.index, 1);
        Ok(claim)
    }

    pub(super) fn let_go(&self, claim: ClaimId) {
        if fork::is_forked() {
            return;
        }
        let mut held = lock(&self.held);
        let Some(count) = held.get_mut(&claim.index) else { return };
        *count -= 1;
        if *count == 0 {
            held.remove(&claim.index);
            // Without the lock nothing can be given back before this process ends.
            if let Ok(books) = self.books() {
                books.release(claim, self.slot);
            }
        }
    }

    pub(super) fn free_number(&self, device: u32, pool: Pool, number: u32) {
        if fork::is_forked() {
            return;
        }
        // As above.
        if let Ok(books) = self.books() {
            books.free_number(self.slot, device, pool, number);
        }
    }

    pub(super) fn offer(&self, offer: Offer, secret: u64) -> u64 {
        let mut offered = lock(&self.offered);
        loop {
            let sequence = self.sequence.fetch_add(1, Ordering::Relaxed);
            let number = number::compose(self.slot, self.incarnation, sequence);
            if let std::collections::hash_map::Entry::Vacant(free) = offered.entry(number) {
                free.insert(Offered { offer, secret, allowed: HashSet::new() });
                return number;
            }
        }
    }

    pub(super) fn withdraw(&self, number: u64) {
        let gone = lock(&self.offered).remove(&number);
        // Its claim takes other locks.
        drop(gone);
    }

    pub(super) fn set_open(&self, number: u64, open: bool) {
        if let Some(object) = lock(&self.offered).get_mut(&number) {
            object.offer.open = open;
        }
    }

    pub(super) fn allow(&self, number: u64, server: Option<u32>, processes: &[i32]) -> Outcome {
        let mut offered = lock(&self.offered);
        let listed = processes.iter().map(|process| (server, *process));
        match offered.get_mut(&number) {
            Some(object) if !object.offer.open => object.allowed.extend(listed),
            _ => {
                return Err(Fault::new(
                    acl::NO_PERMISSION,
                    "this object is open to all processes and has no list",
                ));
            }
        }
        Ok(())
    }

    /// Returns the object for `importer` on `server`.
    pub(super) fn open_offer(
        &self,
        wanted: &FetchRequest,
        importer: i32,
        server: u32,
    ) -> Result<(OfferedFacts, Arc<OwnedFd>), Refusal> {
        let offered = lock(&self.offered);
        let fits = |object: &&Offered| {
            object.offer.sort == wanted.sort && wanted.secret.is_none_or(|secret| secret == object.secret)
        };
        let object = offered.get(&wanted.number).filter(fits).ok_or(Refusal::Unknown)?;
        let within_reach = server == self.server || object.offer.fabric;
        let is_listed = |server| object.allowed.contains(&(server, importer));
        if !within_reach && !is_listed(Some(server)) {
            return Err(Refusal::OtherServer);
        }
        let listed = is_listed(Some(server)) || is_listed(None);
        if !object.offer.open && importer != self.process && !listed {
            return Err(Refusal::NotAllowed);
        }
        let claim = object.offer.claim.as_ref().map(|claim| claim.id);
        Ok((OfferedFacts { facts: object.offer.facts, claim }, Arc::clone(&object.offer.file)))
    }

    /// A number that says which process this is.
    pub(super) fn life(&self) -> u64 {
        number::compose(self.slot, self.incarnation, 0)
    }

    /// Returns true if the process that composed this number is alive.
    pub(super) fn lives(&self, number: u64) -> bool {
        let holder = |slot| lease::holder(self.file.as_fd(), slot);
        // For the own byte the system knows no other holder.
        self.slot_of(number).is_some_and(|(slot, _)| slot == self.slot || holder(slot).is_some())
    }

    fn slot_of(&self, number: u64) -> Option<(usize, &'static Slot)> {
        let (index, incarnation) = number::exporter(number);
        let slot = self.layout.slots.get(index)?;
        let alive = slot.state.load(Ordering::Acquire) != 0;
        (alive && slot.incarnation.load(Ordering::Relaxed) == incarnation).then_some((index, slot))
    }

    /// Asks the exporter for an object.
    fn query_exporter(
        &self,
        slot: usize,
        process: i32,
        wanted: FetchRequest,
    ) -> Outcome<Result<(OfferedFacts, OwnedFd), Refusal>> {
        let until = Instant::now() + TIMEOUT;
        let silent = || {
            Fault::internal(format_args!(
                "process {process}, which offers this, has not answered for {TIMEOUT:?}"
            ))
        };
        let connection = match socket::connect(&self.names.listener(slot), until) {
            Ok(connection) => connection,
            Err(rustix::io::Errno::AGAIN) => return Err(silent()),
            Err(rustix::io::Errno::CONNREFUSED) => return Ok(Err(Refusal::Unknown)),
            Err(errno) => {
                return Err(Fault::internal(format_args!("cannot reach process {process}: {errno}")));
            }
        };
        if !socket::peer(connection.as_fd()).is_some_and(socket::Peer::is_own_user) {
            return Ok(Err(Refusal::Unknown));
        }
        match listener::query(connection.as_fd(), &Request::Fetch(wanted), until) {
            Answer::Reply(Ok(given), Some(file)) => Ok(Ok((given, file))),
            Answer::Reply(Err(refusal), _) => Ok(Err(refusal)),
            Answer::Reply(Ok(_), None) => Err(Fault::internal(
                "the exporter's file did not arrive: this process has no free descriptor (RLIMIT_NOFILE)",
            )),
            Answer::Closed => Ok(Err(Refusal::Unknown)),
            Answer::Silence => Err(silent()),
        }
    }
}

/// See [`super::Session::fetch`].
pub(super) fn fetch(
    member: &Arc<Member>,
    sort: Sort,
    number: u64,
    secret: Option<u64>,
    unknown: i32,
) -> Outcome<Fetched> {
    let gone = || Fault::new(unknown, format_args!("no process offers number {number:#x}, or not any more"));
    let Some((index, slot)) = member.slot_of(number) else { return Err(gone()) };
    let exporter = slot.process.load(Ordering::Relaxed);
    let server = slot.server.load(Ordering::Relaxed);
    let wanted = FetchRequest { slot: member.slot, incarnation: member.incarnation, sort, number, secret };
    let answer = if index == member.slot {
        member
            .open_offer(&wanted, member.process, member.server)
            .and_then(|(given, file)| Ok((given, file.try_clone().map_err(|_| Refusal::Unknown)?)))
    } else {
        member.query_exporter(index, exporter, wanted)?
    };
    let (given, file) = match answer {
        Ok(found) => found,
        Err(Refusal::Unknown) => {
            // If its exporter died, its resources are wanted back.
            member.books()?.collect();
            return Err(gone());
        }
        Err(Refusal::OtherServer) => {
            return Err(Fault::new(
                unknown,
                format_args!(
                    "number {number:#x} is of server {server} and good only there; this is server {}",
                    member.server
                ),
            ));
        }
        Err(Refusal::NotAllowed) => {
            return Err(Fault::new(
                acl::NO_PERMISSION,
                format_args!("process {exporter} does not let process {} import this", member.process),
            ));
        }
        Err(refusal @ (Refusal::Imposter | Refusal::Version)) => {
            return Err(Fault::internal(format_args!(
                "process {exporter} refuses to talk to this one: {refusal:?}"
            )));
        }
    };
    let claim = match given.claim {
        Some(id) => Some(hold(member, id).ok_or_else(gone)?),
        None => None,
    };
    Ok(Fetched { file, claim, facts: given.facts, exporter, server })
}

/// Holds a claim of another process, or once more one of this. None when it has ended with its last holder.
fn hold(member: &Arc<Member>, id: ClaimId) -> Option<Arc<Claim>> {
    let mut held = lock(&member.held);
    let (location, bytes) = member.books().ok()?.hold(id, member.slot)?;
    *held.entry(id.index).or_insert(0) += 1;
    Some(Arc::new(Claim { location, bytes, id, member: Arc::clone(member) }))
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member")
            .field("slot", &self.slot)
            .field("process", &self.process)
            .finish_non_exhaustive()
    }
}
