// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Batch copies: many pieces in one call, or one that is not simply a put or a get; sorted by route, then
//! moved.

use std::collections::BTreeMap;
use std::sync::Arc;

use mf_base::os::guarded::Depth;
use mf_base::sync::rcu::{self, ReadGuard};
use mf_base::{Error, Gva, Kind, Rank, Result, Retry};
use mf_device::engine::Piece;
use mf_device::{Mover, RawStream};
use mf_net::Member;
use mf_transport::{Completion, Operation, Remote, Span};

use super::lane::{Lane, Retries};
use super::remote_copy::{operation, span};
use super::resolve::{LocalPiece, Mode, Resolver};
use super::route::{RemoteCopy, Route};
use super::staged::{self, RemoteEnd};
use super::waiter::Waiter;
use super::{local, relay, report};

const OP: &str = "copy";

/// Items by the member that they go to or come from.
type ByMember<Key, Item> = BTreeMap<Key, (Arc<Member>, Vec<Item>)>;

fn add<Key: Ord, Item>(lists: &mut ByMember<Key, Item>, key: Key, member: &Arc<Member>, item: Item) {
    lists.entry(key).or_insert_with(|| (Arc::clone(member), Vec::new())).1.push(item);
}

/// The pieces of one call, sorted by route.
#[derive(Default)]
struct Batch {
    local: Vec<LocalPiece>,
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
    /// Sorts pieces by route; fails for the first that has none. `known`: the route of the only piece.
    fn sort<R: Resolver>(
        resolver: &R,
        section: &ReadGuard,
        pieces: &[Piece],
        mut known: Option<Route<'_>>,
    ) -> Result<Self> {
        let (mut batch, mut doubtful) = (Self::default(), Doubtful::default());
        let of_list = |error: Error, index: usize| match pieces.len() {
            1 => error,
            _ => error.with("element", index),
        };
        for (index, piece) in pieces.iter().enumerate() {
            let route = known.take().map_or_else(|| Route::of(resolver, section, piece), Ok);
            let route = route.map_err(|error| of_list(error, index))?;
            batch.bytes = batch.bytes.saturating_add(piece.bytes);
            match route {
                Route::Local { from, to } => {
                    if batch.local.is_empty() {
                        batch.local.reserve(pieces.len() - index);
                    }
                    batch.local.push(LocalPiece { piece: *piece, from, to });
                }
                Route::Remote(RemoteCopy { member, here, is_put }) => {
                    if here.is_doubtful(resolver) {
                        doubtful.add(index, piece, is_put, member);
                        batch.is_guarded |= !is_put && local::is_guarded(member, piece.bytes);
                    }
                    batch.is_lent |= here.is_lent();
                    let lists = if is_put { &mut batch.puts } else { &mut batch.gets };
                    add(lists, member.rank, member, span(piece, is_put));
                }
                Route::Staged { member, is_put } => {
                    add(&mut batch.staged, (member.rank, is_put), member, *piece);
                }
                Route::Between { from, to } => batch.between.push((Arc::clone(from), Arc::clone(to), *piece)),
                Route::Relay { from, to } => batch.relayed.push((Arc::clone(from), Arc::clone(to), *piece)),
            }
        }
        doubtful.check().map_err(|(index, error)| of_list(error, index))?;
        Ok(batch)
    }

    /// Returns true if all of it is between mapped memory.
    fn is_local(&self) -> bool {
        self.members().next().is_none()
    }

    /// Returns true if it only reads memory of others, into memory here.
    fn is_read(&self) -> bool {
        self.local.is_empty()
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
                let operation = operation(member, spans, is_put);
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

/// Copies all pieces, in any order. `known`: the route of the only piece, if it was chosen already.
///
/// # Errors
/// As [`copy`](super::copy()).
///
/// # Safety
/// As [`copy`](super::copy()).
pub(super) unsafe fn copy<R: Resolver>(
    resolver: &R,
    lane: &Lane,
    section: &ReadGuard,
    pieces: &[Piece],
    mode: Mode,
    mut known: Option<Route<'_>>,
) -> Result<()> {
    let mut retries = Retries::default();
    loop {
        let batch = Batch::sort(resolver, section, pieces, known.take())?;
        if batch.is_local() {
            // SAFETY: passed on to the caller; these pieces were resolved in this section.
            return unsafe { resolver.local_copy(section, &batch.local, mode) };
        }
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
            retries.count(error)?;
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
    if batch.local.is_empty() {
        return Ok(());
    }
    // SAFETY: passed on to the caller; these pieces were resolved in this section.
    unsafe { resolver.local_copy(section, &batch.local, Mode::Async) }
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
    let copied = match (&posted, batch.local.is_empty()) {
        // SAFETY: as above.
        (Ok(()), false) => unsafe { resolver.local_copy(section, &batch.local, mode) },
        _ => Ok(()),
    };
    let staged = match (&posted, resolver.devices().mover()) {
        (Ok(()), Some(mover)) => batch.staged.iter().try_for_each(|((_, is_put), (member, pieces))| {
            let far = RemoteEnd::new(lane, member, *is_put, batch.bytes);
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
        let far = RemoteEnd::new(lane, member, *is_put, batch.bytes);
        // SAFETY: passed on to the caller.
        unsafe { staged::copy_on(resolver.devices(), mover, stream, pieces, &far, lane.completion()) }?;
    }
    let others: Vec<Piece> = batch.carried().collect();
    if !others.is_empty() {
        let gone = || Error::new(Kind::NotExist, OP).what("the memory is being given up");
        let (resolver, own, outcome) = (resolver.share().ok_or_else(gone)?, lane.sibling(), lane.share());
        let work = move || {
            // SAFETY: the caller vouches for the local ends until the stream has done the copy.
            let done = unsafe { copy(&resolver, &own, &rcu::read_lock(), &others, Mode::Sync, None) };
            report(&outcome, done);
        };
        // SAFETY: passed on to the caller.
        unsafe { mover.run_on(stream, Box::new(work)) }?;
    }
    if batch.local.is_empty() {
        return Ok(());
    }
    // SAFETY: passed on to the caller; these pieces were resolved in this section.
    unsafe { resolver.local_copy(section, &batch.local, Mode::Stream(stream)) }
}
