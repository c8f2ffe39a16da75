// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Simultaneous connect: tie-break when two processes dial each other and have two links.
//!
//! If the later link replaced the earlier one, as after a rank is claimed again, each end could close the
//! link that the other one keeps. So both keep the one dialled by the lower rank (the lower address, if peers
//! have no ranks), and no message is lost: each end sends no more on the other link and closes that direction
//! ([`Link::pass_on`]), and reads it to its end before the one that stays.
//!
//! Links cross if one was dialled and one accepted within [`GREETING_TIMEOUT`], unless they are known to lead
//! to two processes (`identity.rs`): no end can know whether the other one had dialled before it accepted,
//! but a process that connects again much later does not cross. A link that the peer has closed never stays:
//! the peer has connected again, and its earlier messages are read first. The hello of the older link, or its
//! end, may arrive after the hello of the newer one. So the order in which they were accepted counts, and the
//! kernel is asked whether any process still has the other end of the older one.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::os::peer_credentials::{TcpPeer, tcp_peer};
use mf_base::sync::lock;
use mf_base::{Kind, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::GREETING_TIMEOUT;
use super::address::{LinkAddress, Process};
use super::admission::Ends;
use super::frame::{Head, Inbox};
use super::link::{Link, RECV};
use super::table::Peer;
use crate::fair_mutex::Wait;

/// Most links that are read before another one.
const BEFORE_MAX: usize = 64;

/// Origin of a link: how and when it was made, and the links that are read before it.
pub(super) struct Origin {
    made: Instant,
    is_dialled: bool,
    /// Rank that this process announced when it dialled.
    own: Option<u32>,
    /// Address or path that it dialled.
    place: Option<LinkAddress>,
    /// Id of the process at the other end, if it announced one.
    process: Option<Process>,
    /// Links that crossed it, and the deadlines for reading them.
    before: Mutex<Vec<(Arc<Link>, Instant)>>,
}

impl Origin {
    /// Creates the origin of a link that was accepted at `made`.
    pub(super) fn accepted(made: Instant, process: Option<Process>) -> Self {
        Self { made, is_dialled: false, own: None, place: None, process, before: Mutex::default() }
    }

    pub(super) fn dialled(own: Option<u32>, place: LinkAddress, process: Option<Process>) -> Self {
        Self { is_dialled: true, own, place: Some(place), ..Self::accepted(Instant::now(), process) }
    }

    /// Returns the dialled address or path; `None` if the peer dialled.
    pub(super) fn place(&self) -> Option<&LinkAddress> {
        self.place.as_ref()
    }

    /// Returns the id of the process at the other end; `None` if it announced none.
    pub(super) fn process(&self) -> Option<Process> {
        self.process
    }

    /// Returns true if one of the two was dialled and one accepted, a short time apart.
    pub(super) fn may_cross(&self, former: &Self) -> bool {
        let apart = self.made.saturating_duration_since(former.made);
        self.is_dialled != former.is_dialled && apart < GREETING_TIMEOUT
    }

    /// Returns true if both were accepted, and this one before the other.
    fn is_older(&self, other: &Self) -> bool {
        !self.is_dialled && !other.is_dialled && self.made < other.made
    }

    /// Returns true if both are known to come from the same process.
    fn is_of_same(&self, other: &Self) -> bool {
        !self.is_dialled && !other.is_dialled && self.process.is_some() && self.process == other.process
    }

    /// Returns true if this process has dialled.
    pub(super) fn is_dialled(&self) -> bool {
        self.is_dialled
    }

    /// Returns true if a link may have crossed this one without being known yet.
    pub(super) fn is_recent(&self) -> bool {
        self.made.elapsed() < GREETING_TIMEOUT
    }

    fn first(&self) -> Option<(Arc<Link>, Instant)> {
        lock(&self.before).first().cloned()
    }

    fn is_read(&self, before: &Arc<Link>) {
        lock(&self.before).retain(|(known, _)| !Arc::ptr_eq(known, before));
    }

    /// Returns the links that are read before it.
    pub(super) fn predecessors(&self) -> Vec<Arc<Link>> {
        lock(&self.before).iter().map(|(before, _)| Arc::clone(before)).collect()
    }
}

/// Decision about two links to one peer.
pub(super) struct Outcome {
    pub(super) stays: Arc<Link>,
    pub(super) goes: Arc<Link>,
    /// True if `goes` is read to its end before `stays`.
    pub(super) is_read_first: bool,
}

/// Decides which of two links to one peer stays. `are_two`: they are known to lead to two processes.
pub(super) fn decide(new: &Arc<Link>, former: &Arc<Link>, are_two: bool) -> Outcome {
    let (later, earlier) = if new.origin().is_older(former.origin()) { (former, new) } else { (new, former) };
    let crossed = if are_two { None } else { crossed(later, earlier) };
    let (stays, goes) = crossed.unwrap_or((later, earlier));
    Outcome { stays: Arc::clone(stays), goes: Arc::clone(goes), is_read_first: crossed.is_some() }
}

/// Returns the link that stays, and the other one, which is read first; `None` if the later one simply
/// replaces the earlier.
fn crossed<'a>(later: &'a Arc<Link>, earlier: &'a Arc<Link>) -> Option<(&'a Arc<Link>, &'a Arc<Link>)> {
    let comes_anew = is_closed(earlier) || later.origin().is_of_same(earlier.origin());
    if comes_anew && !earlier.has_ended() {
        return Some((later, earlier));
    }
    if !later.origin().may_cross(earlier.origin()) {
        return None;
    }
    let (dialled, accepted) = if later.origin().is_dialled { (later, earlier) } else { (earlier, later) };
    let (stays, goes) = match is_own_lower(dialled)? {
        true => (dialled, accepted),
        false => (accepted, dialled),
    };
    if stays.has_ended() {
        return None;
    }
    Some(if is_closed(stays) { (goes, stays) } else { (stays, goes) })
}

/// Returns true if the peer sends no more on it; unread bytes may be left, or still arrive.
pub(super) fn is_closed(link: &Link) -> bool {
    let found = link
        .with_socket(|socket| poll(&mut [PollFd::new(socket, PollFlags::RDHUP)], Some(&Timespec::default())));
    found.is_none_or(|found| found.is_ok_and(|found| found > 0)) || !link.origin().is_dialled && is_left(link)
}

/// Returns true if no process of this host has the other end of an accepted link open any more.
fn is_left(link: &Link) -> bool {
    match link.with_socket(|socket| Ends::of_socket(RECV, socket)) {
        Some(Ok(ends @ Ends::Tcp { ours, theirs, .. })) if ends.are_here() => {
            tcp_peer(ours, theirs) == TcpPeer::Gone
        }
        _ => false,
    }
}

/// Returns true if this process is the lower end of a link that it dialled; `None` if both are the same.
fn is_own_lower(dialled: &Arc<Link>) -> Option<bool> {
    match dialled.peer() {
        Peer::Rank(peer) => dialled.origin().own.filter(|own| *own != peer).map(|own| own < peer),
        Peer::Address(peer) => own_address(dialled).filter(|own| *own != peer).map(|own| own < peer),
    }
}

fn own_address(link: &Arc<Link>) -> Option<IpAddr> {
    let address = link.with_socket(|socket| rustix::net::getsockname(socket).and_then(SocketAddr::try_from));
    let address = address?.ok()?;
    Some(address.ip().to_canonical())
}

impl Link {
    /// Replaces this link by another one, which first delivers the messages of this one.
    pub(super) fn replace_by_link(self: &Arc<Self>, stays: &Link) {
        // First: a caller that finds no link before the other one knows then that no such link exists.
        self.mark_passed();
        let mut all = std::mem::take(&mut *lock(&self.origin().before));
        all.push((Arc::clone(self), Instant::now() + GREETING_TIMEOUT));
        // If no caller receives, a peer that connects again and again must not use up descriptors.
        let (unread, read): (Vec<_>, Vec<_>) = all.into_iter().partition(|(link, _)| !link.is_over());
        let excess = unread.len().saturating_sub(BEFORE_MAX);
        let (dropped, mut all) = (unread.iter().take(excess), unread.iter().skip(excess).cloned().collect());
        dropped.chain(&read).for_each(|(link, _)| link.end("another took its place"));
        lock(&stays.origin().before).append(&mut all);
    }

    /// Receives the next message of the links before this one; `None` if all were read to their ends.
    pub(super) fn receive_before<R>(
        &self,
        wait: &mut Wait,
        take: &mut dyn FnMut(Head, &mut Inbox) -> Result<R>,
    ) -> Option<Result<R>> {
        loop {
            let (before, until) = self.origin().first()?;
            let left = until.saturating_duration_since(Instant::now()).min(wait.pause());
            let received = before.receive_alone(&mut Wait::new(RECV, Some(left)), take);
            match received {
                Err(_) if before.has_ended() => self.origin().is_read(&before),
                Err(error) if error.kind() == Kind::Timeout => {
                    if Instant::now() >= until {
                        before.end("another took its place");
                        self.origin().is_read(&before);
                    } else if let Err(error) = wait.check() {
                        return Some(Err(error));
                    }
                }
                received => return Some(received),
            }
        }
    }

    /// Returns true if no message is left on the links before this one, and no more can come.
    pub(super) fn is_before_over(&self) -> bool {
        self.origin().predecessors().iter().all(|before| before.is_over())
    }
}

/// Longest wait for the lock of a sender: none, as it closes the link itself.
pub(super) const AT_ONCE: Option<Duration> = Some(Duration::ZERO);
