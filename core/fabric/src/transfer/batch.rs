// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Batch copies: many pieces in one call, or one that is not simply a put or a get; sorted by mover, then
//! moved.

use std::collections::BTreeMap;
use std::sync::Arc;

use mf_base::os::guarded::Depth;
use mf_base::sync::rcu::{self, ReadGuard};
use mf_base::{Error, Gva, Kind, Rank, Result, Retry};
use mf_device::engine::Piece;
use mf_device::{Locality, Mover, RawStream};
use mf_net::{Completion, Member, Operation, Remote, Span};

use super::lane::Repeats;
use super::relay;
use super::resolve::{Here, Memory, ends};
use super::spans::{carrying, span};
use super::staged::{self, Far};
use super::waiter::Waiter;
use super::{End, Lane, Mode, Resolver, Wanted, local, report};

const OP: &str = "copy";

/// Items by the member that they go to or come from.
type ByMember<Key, Item> = BTreeMap<Key, (Arc<Member>, Vec<Item>)>;

fn add<Key: Ord, Item>(lists: &mut ByMember<Key, Item>, key: Key, member: &Arc<Member>, item: Item) {
    lists.entry(key).or_insert_with(|| (Arc::clone(member), Vec::new())).1.push(item);
}

/// The pieces of one call, sorted by mover.
#[derive(Default)]
struct Batch {
    here: Vec<Piece>,
    puts: ByMember<Rank, Span>,
    gets: ByMember<Rank, Span>,
    between: Vec<(Arc<Member>, Arc<Member>, Piece)>,
    /// The same, where the process of the source does not reach the destination's.
    relayed: Vec<(Arc<Member>, Arc<Member>, Piece)>,
    /// Pieces with a local end in an accelerator's memory; the flag is set for puts.
    staged: ByMember<(Rank, bool), Piece>,
    /// Set if memory of another member is used, which is mapped only inside the section.
    is_lent: bool,
    /// A get goes to memory of the program of which the ends were probed.
    is_guarded: bool,
    bytes: u64,
}

/// Ends of pieces in memory of the program that a transport reads (puts), or writes, with the places of the
/// pieces in the list.
#[derive(Default)]
struct Doubtful([Vec<(usize, (Span, Depth))>; 2]);

impl Doubtful {
    fn add(&mut self, number: usize, piece: &Piece, is_put: bool, member: &Member) {
        self.0[usize::from(is_put)].push((number, (span(piece, is_put), member.depth())));
    }

    /// Refuses unmapped memory.
    ///
    /// # Errors
    /// `InvalidParam`, with the place of the piece in the list.
    fn check(&self) -> Result<(), (usize, Error)> {
        for (spans, is_put) in self.0.iter().zip([false, true]) {
            local::check(OP, spans.iter().map(|(_, span)| *span), is_put)
                .map_err(|(place, error)| (spans.get(place).map_or(0, |(number, _)| *number), error))?;
        }
        Ok(())
    }
}

impl Batch {
    /// Sorts pieces by mover; fails for the first that cannot be moved.
    fn sort<R: Resolver>(resolver: &R, section: &ReadGuard, pieces: &[Piece]) -> Result<Self> {
        let (mut batch, mut doubtful) = (Self::default(), Doubtful::default());
        let of_list = |error: Error, index: usize| match pieces.len() {
            1 => error,
            _ => error.with("element", index),
        };
        for (index, piece) in pieces.iter().enumerate() {
            let refused = || of_list(resolver.refusal(Wanted::Piece(piece)), index);
            let (from, to) = ends(resolver, section, piece)?.ok_or_else(refused)?;
            batch.bytes = batch.bytes.saturating_add(piece.bytes);
            match (from, to) {
                (End::Here(here), End::There { member, .. }) if here.is_doubtful(resolver) => {
                    doubtful.add(index, piece, true, member);
                }
                (End::There { member, .. }, End::Here(here)) if here.is_doubtful(resolver) => {
                    doubtful.add(index, piece, false, member);
                    batch.is_guarded |= local::is_guarded(member, piece.bytes);
                }
                _ => {}
            }
            match (from, to) {
                (End::Here(from), End::Here(to)) => {
                    if from.memory == Memory::Private && to.memory == Memory::Private {
                        return Err(refused());
                    }
                    batch.here.push(*piece);
                }
                (End::Here(here), End::There { member, .. }) => batch.carry(here, member, piece, true),
                (End::There { member, .. }, End::Here(here)) => batch.carry(here, member, piece, false),
                (End::There { member: from, .. }, End::There { member: to, .. }) => {
                    let has_route = from.address_of(to).is_some();
                    let list = if has_route { &mut batch.between } else { &mut batch.relayed };
                    list.push((Arc::clone(from), Arc::clone(to), *piece));
                }
            }
        }
        doubtful.check().map_err(|(index, error)| of_list(error, index))?;
        Ok(batch)
    }

    fn carry(&mut self, here: Here, member: &Arc<Member>, piece: &Piece, is_put: bool) {
        if here.locality == Locality::Device {
            return add(&mut self.staged, (member.rank, is_put), member, *piece);
        }
        self.is_lent |= here.memory == Memory::Lent;
        let lists = if is_put { &mut self.puts } else { &mut self.gets };
        add(lists, member.rank, member, span(piece, is_put));
    }

    /// Returns true if it only reads memory of others, into memory here.
    fn is_read(&self) -> bool {
        self.here.is_empty()
            && self.puts.is_empty()
            && self.between.is_empty()
            && self.relayed.is_empty()
            && self.staged.keys().all(|(_, is_put)| !is_put)
    }

    /// All others that take part.
    fn members(&self) -> impl Iterator<Item = &Arc<Member>> {
        let ends = self.puts.values().chain(self.gets.values()).map(|(member, _)| member);
        let between = self.between.iter().chain(&self.relayed).flat_map(|(from, to, _)| [from, to]);
        ends.chain(between).chain(self.staged.values().map(|(member, _)| member))
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
        puts.chain(gets).chain(self.between.iter().chain(&self.relayed).map(|(_, _, piece)| *piece))
    }

    /// # Safety
    /// Every local range is valid until `completion` has been waited for.
    unsafe fn post(&self, lane: &Lane, completion: &Arc<Completion>) -> Result<()> {
        let deadline = lane.deadlines().after(self.bytes);
        if self.is_guarded {
            completion.guard();
        }
        for (lists, is_put) in [(&self.puts, true), (&self.gets, false)] {
            for (member, spans) in lists.values() {
                let operation = carrying(member, spans, is_put);
                // SAFETY: passed on to the caller.
                unsafe { member.post(&operation, completion, deadline) }?;
            }
        }
        for (from, to, piece) in &self.between {
            let operation = Operation::Copy {
                from: Remote { key: from.key, address: piece.src.addr() as u64 },
                to_peer: to.peer,
                to_address: from.address_of(to).unwrap_or_default(),
                to: Remote { key: to.key, address: piece.dst.addr() as u64 },
                bytes: piece.bytes,
            };
            // SAFETY: no local memory takes part.
            unsafe { from.post(&operation, completion, deadline) }?;
        }
        Ok(())
    }
}

/// Copies all pieces, in any order. Nothing moves unless every piece is acceptable.
///
/// # Errors
/// The refusal of the first piece that is not acceptable · errors of the transports and devices that copy.
///
/// # Safety
/// Private ends are valid until the copies are done; asynchronously until the resolver, and the lane, have
/// been waited for.
pub unsafe fn copy<R: Resolver>(
    resolver: &R,
    lane: &Lane,
    section: &ReadGuard,
    pieces: &[Piece],
    mode: Mode,
) -> Result<()> {
    let mut repeats = Repeats::default();
    loop {
        let batch = Batch::sort(resolver, section, pieces)?;
        let mover = resolver.devices().mover();
        if let (Mode::Stream(stream), Some(mover)) = (mode, mover) {
            // SAFETY: passed on to the caller.
            return unsafe { copy_on(resolver, lane, mover, stream, section, &batch) };
        }
        if mode == Mode::Async {
            // SAFETY: passed on to the caller.
            return unsafe { start(resolver, lane, section, pieces, &batch) };
        }
        // SAFETY: passed on to the caller.
        let Err(error) = (unsafe { finish(resolver, lane, section, &batch, mode) }) else { return Ok(()) };
        if error.retry_class() == Retry::AtOnce && batch.is_read() {
            repeats.again(error)?;
        } else if !batch.members().any(|member| resolver.came_back((member.rank, member.key), &error)) {
            return Err(error);
        }
    }
}

/// # Safety
/// As [`copy`].
unsafe fn start<R: Resolver>(
    resolver: &R,
    lane: &Lane,
    section: &ReadGuard,
    pieces: &[Piece],
    batch: &Batch,
) -> Result<()> {
    if batch.is_lent || !batch.staged.is_empty() || !batch.relayed.is_empty() {
        // Lent memory stays mapped only while a thread is in a section, and copies in chunks are driven by
        // the thread that waits for them: the queue's thread does both.
        return resolver.queue(pieces);
    }
    // SAFETY: passed on to the caller, which keeps local memory valid until it has waited; own memory stays
    // mapped.
    unsafe { batch.post(lane, lane.completion()) }.inspect_err(|_| {
        // A part may be in flight, and a caller that is refused does not wait.
        lane.drain();
    })?;
    if batch.here.is_empty() {
        return Ok(());
    }
    // SAFETY: passed on to the caller; these pieces were resolved in this section.
    unsafe { resolver.copy_local(section, &batch.here, Mode::Async) }
}

/// # Safety
/// As [`copy`].
unsafe fn finish<R: Resolver>(
    resolver: &R,
    lane: &Lane,
    section: &ReadGuard,
    batch: &Batch,
    mode: Mode,
) -> Result<()> {
    let completion = Waiter::new();
    // SAFETY: all local memory is valid until the completion was waited for, which is done below in any case.
    let posted = unsafe { batch.post(lane, &completion) };
    let copied = match (&posted, batch.here.is_empty()) {
        // SAFETY: as above.
        (Ok(()), false) => unsafe { resolver.copy_local(section, &batch.here, mode) },
        _ => Ok(()),
    };
    let staged = match (&posted, resolver.devices().mover()) {
        (Ok(()), Some(mover)) => batch.staged.iter().try_for_each(|((_, is_put), (member, pieces))| {
            let far = Far::new(lane, member, *is_put, batch.bytes);
            // SAFETY: the local ends were found to be an accelerator's, and are valid during the call.
            unsafe { staged::copy(resolver.devices(), mover, pieces, &far) }
        }),
        _ => Ok(()),
    };
    let relayed = match &posted {
        Ok(()) => batch.relayed.iter().try_for_each(|(from, to, piece)| {
            relay::copy(from, to, piece, lane.deadlines().after(batch.bytes))
        }),
        Err(_) => Ok(()),
    };
    let first = batch.members().next().map(|member| &member.transport);
    // SAFETY: the batch has shares of all members, and no other reference from the section is used
    // afterwards.
    let carried = unsafe { lane.wait_for(resolver, section, first, &completion, batch.is_lent) };
    posted.and(carried).and(staged).and(relayed).and(copied)
}

/// Copies on the caller's stream. Copies that need no accelerator are done when the stream gets there, too.
///
/// # Safety
/// As [`copy`].
unsafe fn copy_on<R: Resolver>(
    resolver: &R,
    lane: &Lane,
    mover: &dyn Mover,
    stream: RawStream,
    section: &ReadGuard,
    batch: &Batch,
) -> Result<()> {
    for ((_, is_put), (member, pieces)) in &batch.staged {
        let far = Far::new(lane, member, *is_put, batch.bytes);
        // SAFETY: passed on to the caller.
        unsafe { staged::copy_on(resolver.devices(), mover, stream, pieces, &far, lane.completion()) }?;
    }
    let others: Vec<Piece> = batch.carried().collect();
    if !others.is_empty() {
        let gone = || Error::new(Kind::NotExist, OP).what("the memory is being given up");
        let (resolver, own, outcome) = (resolver.share().ok_or_else(gone)?, lane.sibling(), lane.share());
        let work = move || {
            // SAFETY: the caller vouches for the local ends until the stream has done the copy.
            let done = unsafe { copy(&resolver, &own, &rcu::read_lock(), &others, Mode::Sync) };
            report(&outcome, done);
        };
        // SAFETY: passed on to the caller.
        unsafe { mover.run_on(stream, Box::new(work)) }?;
    }
    if batch.here.is_empty() {
        return Ok(());
    }
    // SAFETY: passed on to the caller; these pieces were resolved in this section.
    unsafe { resolver.copy_local(section, &batch.here, Mode::Stream(stream)) }
}
