// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies with an end that is not mapped here: which transport carries them where.
//!
//! | source | destination | who moves the bytes |
//! |---|---|---|
//! | here | remote | a put |
//! | remote | here | a get |
//! | remote | remote | the source's process puts; nothing passes through this one |
//!
//! Here means private memory or memory that is mapped. Pieces of a batch that are wholly here are copied as always. Nothing
//! moves unless every piece is acceptable.

use std::collections::BTreeMap;
use std::sync::Arc;

use mf_base::sync::pin::{self, Pinned};
use mf_base::{Error, Gva, Kind, Rank, Result};

use super::Pool;
use super::copies::{Mode, Side};
use super::remote::RemoteMember;
use super::staged::{self, Route};
use crate::device::{Locality, Mover, RawStream};
use crate::engine::Piece;
use crate::space::Access;
use crate::transport::{Completion, Network, Operation, Remote, Span, Transport};

const OP: &str = "copy";

/// Where one end of a piece is.
enum End {
    Here,
    There(Arc<RemoteMember>),
}

/// What goes to or comes from each member.
type ByMember<Key, Item> = BTreeMap<Key, (Arc<RemoteMember>, Vec<Item>)>;

fn add<Key: Ord, Item>(lists: &mut ByMember<Key, Item>, key: Key, member: Arc<RemoteMember>, item: Item) {
    lists.entry(key).or_insert_with(|| (member, Vec::new())).1.push(item);
}

/// The pieces of one call, by who moves them.
#[derive(Default)]
struct Load {
    here: Vec<Piece>,
    puts: ByMember<Rank, Span>,
    gets: ByMember<Rank, Span>,
    between: Vec<(Arc<RemoteMember>, Arc<RemoteMember>, Piece)>,
    /// Pieces whose local end is an accelerator's memory; whether they are puts.
    staged: ByMember<(Rank, bool), Piece>,
    /// Whether memory of a member other than this one is used, which is mapped only inside the section.
    borrows: bool,
    bytes: u64,
}

impl Load {
    /// Everybody else who takes part.
    fn members(&self) -> impl Iterator<Item = &RemoteMember> {
        let ends = self.puts.values().chain(self.gets.values()).map(|(member, _)| member);
        let between = self.between.iter().flat_map(|(from, to, _)| [from, to]);
        ends.chain(self.staged.values().map(|(member, _)| member)).chain(between).map(|member| &**member)
    }

    /// The pieces that a transport carries without staging.
    fn carried(&self) -> impl Iterator<Item = Piece> {
        let puts = self.puts.values().flat_map(|(_, spans)| spans).map(|span| Piece {
            src: span.local,
            dst: Gva(span.address).as_ptr(),
            bytes: span.bytes,
        });
        let gets = self.gets.values().flat_map(|(_, spans)| spans).map(|span| Piece {
            src: Gva(span.address).as_ptr(),
            dst: span.local,
            bytes: span.bytes,
        });
        puts.chain(gets).chain(self.between.iter().map(|(_, _, piece)| *piece))
    }
}

/// The remote end of a piece that has one local end, and whether the piece goes there.
fn carried(from: &End, to: &End) -> Option<(Arc<RemoteMember>, bool)> {
    match (from, to) {
        (End::Here, End::There(member)) => Some((Arc::clone(member), true)),
        (End::There(member), End::Here) => Some((Arc::clone(member), false)),
        _ => None,
    }
}

impl Pool {
    /// Copies pieces of which one is not acceptable as a copy between mapped memory; `refused` is its place in a batch.
    ///
    /// # Errors
    /// As [`Pool::copy_batch`], and those of the transport.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`].
    #[cold]
    pub(super) unsafe fn carry(
        &self,
        section: &Pinned,
        pieces: &[Piece],
        sides: (Side, Side),
        mode: Mode,
        refused: Option<usize>,
    ) -> Result<()> {
        let network = match self.remote.network() {
            Some(network) if self.is_joined() => network,
            _ => return Err(self.refusal(pieces, sides, refused)),
        };
        self.check_process(OP)?;
        let load = self.sort(pieces, sides)?;
        if let (Mode::Stream(stream), Some(mover)) = (mode, self.devices.mover()) {
            // SAFETY: passed on to the caller.
            return unsafe { self.carry_on(network, mover, stream, section, &load, sides) };
        }
        // Staged copies are driven by who waits for them.
        if mode == Mode::Async && (load.borrows || !load.staged.is_empty()) {
            // What belongs to others stays mapped only while somebody is in a section: the queue's thread.
            return self.enqueue(pieces, sides);
        }
        if mode == Mode::Async {
            let copies = Arc::clone(&self.remote.copies);
            // SAFETY: passed on to the caller, who keeps local memory valid until it has waited; own memory stays mapped.
            unsafe { self.post(network, &load, &copies) }.inspect_err(|_| {
                // A part may be under way, and who is refused does not wait.
                copies.sleep(None);
            })?;
            if load.here.is_empty() {
                return Ok(());
            }
            // SAFETY: passed on to the caller; these pieces were accepted in this section.
            return unsafe { self.copy_accepted(section, &load.here, sides, mode) };
        }
        let completion = Arc::new(Completion::new());
        // SAFETY: all local memory is valid until the completion was waited for, which is done below in any case.
        let posted = unsafe { self.post(network, &load, &completion) };
        let copied = match (&posted, load.here.is_empty()) {
            // SAFETY: as above.
            (Ok(()), false) => unsafe { self.copy_accepted(section, &load.here, sides, mode) },
            _ => Ok(()),
        };
        let staged = match (&posted, self.devices.mover()) {
            (Ok(()), Some(mover)) => load.staged.iter().try_for_each(|((_, is_put), (member, pieces))| {
                let route = self.route_to(network, member, *is_put, load.bytes)?;
                // SAFETY: the local ends were found to be an accelerator's, and are valid during the call.
                unsafe { staged::copy(&self.devices, mover, pieces, &route) }
            }),
            _ => Ok(()),
        };
        let carrier = self.carrier(network, &load);
        let wait = || carrier.map_or(Ok(()), |carrier| carrier.wait(&completion));
        let carried = if load.borrows {
            wait()
        } else {
            let _pool = self.share();
            // SAFETY: nothing that was found in the section is used afterwards, and the pool is held by the share.
            unsafe { section.suspend(wait) }
        };
        match posted.and(carried).and(staged).and(copied) {
            Err(error) if load.members().any(|member| self.came_back(member, &error).is_some()) => {
                // SAFETY: passed on to the caller; nothing is under way any more.
                unsafe { self.carry(section, pieces, sides, mode, refused) }
            }
            outcome => outcome,
        }
    }

    /// Copies on the caller's stream. What needs no accelerator is done when the stream gets there, too.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`].
    unsafe fn carry_on(
        &self,
        network: &Network,
        mover: &dyn Mover,
        stream: RawStream,
        section: &Pinned,
        load: &Load,
        sides: (Side, Side),
    ) -> Result<()> {
        let outcome = &self.remote.copies;
        for ((_, is_put), (member, pieces)) in &load.staged {
            let route = self.route_to(network, member, *is_put, load.bytes)?;
            // SAFETY: passed on to the caller.
            unsafe { staged::copy_on(&self.devices, mover, stream, pieces, &route, outcome) }?;
        }
        let others: Vec<Piece> = load.carried().collect();
        if !others.is_empty() {
            let pool = self
                .share()
                .ok_or_else(|| Error::new(Kind::NotExist, OP).what("the pool is being dropped"))?;
            let outcome = Arc::clone(outcome);
            let work = move || {
                // SAFETY: the caller vouches for the local ends until the stream has done the copy.
                let done = unsafe { pool.carry(&pin::enter(), &others, sides, Mode::Sync, Some(0)) };
                if done.is_err() {
                    outcome.begin(1);
                    outcome.end(done);
                }
            };
            // SAFETY: passed on to the caller.
            unsafe { mover.run_on(stream, Box::new(work)) }?;
        }
        if load.here.is_empty() {
            return Ok(());
        }
        // SAFETY: passed on to the caller; these pieces were accepted in this section.
        unsafe { self.copy_accepted(section, &load.here, sides, Mode::Stream(stream)) }
    }

    fn route_to(&self, network: &Network, member: &RemoteMember, is_put: bool, bytes: u64) -> Result<Route> {
        let (way, key, deadline) = (self.way(member)?.clone(), member.key, network.deadline(bytes));
        Ok(Route { way, key, deadline, is_put })
    }

    /// The transport to wait with: any drives its own connections, and all others have threads.
    fn carrier(&self, network: &Network, load: &Load) -> Option<Arc<dyn Transport>> {
        let mut members = load.puts.values().chain(load.gets.values()).map(|(member, _)| member);
        let first = members.next().or(load.between.first().map(|(from, _, _)| from));
        let carrier = first.and_then(|member| self.way(member).ok()).map(|way| &way.transport);
        carrier.or(network.transports().first()).map(Arc::clone)
    }

    /// Waits for the asynchronous copies over the network.
    pub(super) fn wait_carried(&self) -> Result<()> {
        let copies = &self.remote.copies;
        if copies.is_done() {
            return copies.outcome();
        }
        match self.remote.network().and_then(|network| network.transports().first()) {
            Some(transport) => transport.wait(copies),
            None => copies.outcome(),
        }
    }

    /// Waits as [`wait_carried`](Self::wait_carried); errors stay for that.
    pub(super) fn drain_carried(&self) {
        self.remote.copies.sleep(None);
    }

    /// # Safety
    /// Every local range is valid until `completion` has been waited for.
    unsafe fn post(&self, network: &Network, load: &Load, completion: &Arc<Completion>) -> Result<()> {
        let deadline = network.deadline(load.bytes);
        for (lists, is_put) in [(&load.puts, true), (&load.gets, false)] {
            for (member, spans) in lists.values() {
                let way = self.way(member)?;
                let key = member.key;
                let operation =
                    if is_put { Operation::Put { key, spans } } else { Operation::Get { key, spans } };
                // SAFETY: passed on to the caller.
                unsafe { way.transport.post(way.peer, &operation, completion, deadline) }?;
            }
        }
        for (from, to, piece) in &load.between {
            let (way, target) = (self.way(from)?, self.way(to)?);
            let operation = Operation::Copy {
                from: Remote { key: from.key, address: piece.src.addr() as u64 },
                to_peer: to.peer,
                to_address: &target.address,
                to: Remote { key: to.key, address: piece.dst.addr() as u64 },
                bytes: piece.bytes,
            };
            // SAFETY: no local memory takes part.
            unsafe { way.transport.post(way.peer, &operation, completion, deadline) }?;
        }
        Ok(())
    }

    /// Sorts pieces by who moves them; fails for the first that nobody may move.
    fn sort(&self, pieces: &[Piece], sides: (Side, Side)) -> Result<Load> {
        let mut load = Load::default();
        for (index, piece) in pieces.iter().enumerate() {
            let refused = || self.refusal(pieces, sides, (pieces.len() > 1).then_some(index));
            if piece.bytes == 0 || piece.src.is_null() || piece.dst.is_null() {
                return Err(refused());
            }
            let from = self.end(piece.src, piece.bytes, sides.0, Access::Read).ok_or_else(&refused)?;
            let to = self.end(piece.dst, piece.bytes, sides.1, Access::Write).ok_or_else(&refused)?;
            load.bytes = load.bytes.saturating_add(piece.bytes);
            if let (Some(mover), Some((member, is_put))) = (self.devices.mover(), carried(&from, &to)) {
                let transfer = self.route(mover, piece, sides)?;
                let local = if is_put { transfer.from } else { transfer.to };
                if local == Locality::Device {
                    add(&mut load.staged, (member.rank, is_put), member, *piece);
                    continue;
                }
            }
            let (src, dst) = (piece.src.addr() as u64, piece.dst.addr() as u64);
            match (from, to) {
                (End::Here, End::Here) => {
                    if !self.accepts(piece, sides) {
                        return Err(refused());
                    }
                    load.here.push(*piece);
                }
                (End::Here, End::There(member)) => {
                    load.borrows |= self.is_borrowed(src);
                    let span = Span { local: piece.src.cast_mut(), address: dst, bytes: piece.bytes };
                    add(&mut load.puts, member.rank, member, span);
                }
                (End::There(member), End::Here) => {
                    load.borrows |= self.is_borrowed(dst);
                    let span = Span { local: piece.dst, address: src, bytes: piece.bytes };
                    add(&mut load.gets, member.rank, member, span);
                }
                (End::There(from), End::There(to)) => load.between.push((from, to, *piece)),
            }
        }
        Ok(load)
    }

    fn end(&self, at: *const u8, bytes: u64, side: Side, access: Access) -> Option<End> {
        let address = at.addr() as u64;
        match self.layout.locate(address) {
            None => (side != Side::Global && self.layout.clears(address, bytes)).then_some(End::Here),
            Some(place) if self.extents.covers(place, bytes, access) => Some(End::Here),
            Some(place) => self.remote_member(place, bytes).map(End::There),
        }
    }

    /// Whether the address is mapped memory of another member.
    fn is_borrowed(&self, address: u64) -> bool {
        self.layout.locate(address).is_some_and(|place| place.rank != self.rank)
    }
}
