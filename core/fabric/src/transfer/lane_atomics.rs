// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Atomics on a lane: single words, signals, and signals behind data.
//!
//! | memory of the word | changed by |
//! |---|---|
//! | host memory that is mapped here | the processor |
//! | this member's device memory, or private one | the mover, under its lock |
//! | another member's device memory, mapped here | its owner, on request |
//! | memory of a member elsewhere | its owner, by the transport |

use std::sync::Arc;

use mf_base::os::guarded::Depth;
use mf_base::sync::rcu::ReadGuard;
use mf_base::{Error, Gva, Result};
use mf_device::engine::Piece;
use mf_device::{Access, Locality};
use mf_net::Member;
use mf_transport::{Atomic, Operation, Remote, SignalKind, Span, Spot, Width};

use super::copy::copy_on_route;
use super::lane::{Flags, Lane, Order, Ran, Retries, Until};
use super::local;
use super::remote_copy::span;
use super::resolve::{End, Memory, Mode, Resolver, Wanted};
use super::route::{RemoteCopy, Route};

const OP: &str = "copy";
const ATOMIC: &str = "atomic";

/// The change of a word that follows data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The word, a multiple of its width.
    pub address: u64,
    /// Operation on the signal.
    pub kind: SignalKind,
    /// Operand; of 32 bits the low half counts.
    pub value: u64,
    /// Its width.
    pub width: Width,
}

impl Lane {
    /// Changes a word and returns its old value, zero-extended. Sequentially consistent among all members;
    /// for device memory not with concurrent accesses of kernels. **One-sided.** Blocks for a round trip if
    /// the word is elsewhere, or in device memory of another member.
    ///
    /// # Errors
    /// The reason of a refusal · errors of the transport.
    pub fn atomic<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        address: u64,
        atomic: Atomic,
    ) -> Result<u64> {
        let mut old = 0;
        // SAFETY: the old value outlives the call, which waits.
        unsafe { self.change(resolver, section, address, atomic, (&raw mut old).cast(), Until::Done) }?;
        Ok(u64::from_le(old))
    }

    /// Changes a word; stores its old value, as many bytes as the word has, at `old`, unless that is null.
    /// **One-sided.** A word of device memory that is mapped here is changed when the call returns, for any
    /// `until`.
    ///
    /// # Errors
    /// As [`atomic`](Self::atomic) · errors of operations that were only started are reported by
    /// [`quiet`](Self::quiet).
    ///
    /// # Safety
    /// `old` is null, or valid for writing until the operation is done; when it was only started until the
    /// lane has been waited for.
    pub unsafe fn change<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        address: u64,
        atomic: Atomic,
        old: *mut u8,
        until: Until,
    ) -> Result<()> {
        let until = match until {
            // Nothing of the caller's memory is in use when the old value is not wanted.
            Until::Reusable if old.is_null() => Until::Started,
            Until::Reusable => Until::Done,
            until => until,
        };
        let bytes = atomic.width.bytes();
        let mut retries = Retries::default();
        loop {
            let before = match held(resolver, section, address, atomic.width)? {
                // SAFETY: the word is aligned, and stays mapped during the section.
                WordOwner::Here(spot) => unsafe { atomic.change(spot) },
                WordOwner::Lent => resolver.change_lent(section, address, atomic),
                WordOwner::There(member) => {
                    // If the call waits, the old value is on the stack of this library.
                    if until != Until::Done && !old.is_null() {
                        local::check_one(ATOMIC, Span { local: old, address, bytes }, false, Depth::All)?;
                    }
                    let operation =
                        Operation::Atomic { at: Remote { key: member.key, address }, atomic, old };
                    let order = Order::of(member, 0);
                    // SAFETY: passed on to the caller.
                    let ran = unsafe {
                        self.run(resolver, section, member, &operation, bytes, order, until, Flags::default())
                    };
                    match ran? {
                        Ran::Done => return Ok(()),
                        Ran::Returned => continue,
                        Ran::Interrupted(error) => {
                            retries.count(error)?;
                            continue;
                        }
                    }
                }
            }?;
            if !old.is_null() {
                // SAFETY: passed on to the caller.
                unsafe { atomic.width.write(before, old) };
            }
            return Ok(());
        }
    }

    /// Changes a word: a signal without data. **One-sided.**
    ///
    /// # Errors
    /// As [`change`](Self::change).
    pub fn signal<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        signal: Signal,
        until: Until,
    ) -> Result<()> {
        let atomic = signal.kind.atomic(signal.width, signal.value);
        // SAFETY: the old value is not wanted.
        unsafe { self.change(resolver, section, signal.address, atomic, std::ptr::null_mut(), until) }
    }

    /// Copies a piece (of 0 bytes: nothing), then changes a word of the same member: a reader that sees the
    /// signal also sees the data. **One-sided.**
    ///
    /// # Errors
    /// As [`copy`](Self::copy) and [`change`](Self::change). The signal is unchanged then.
    ///
    /// # Safety
    /// As [`copy`](Self::copy).
    pub unsafe fn put_signal<R: Resolver>(
        &self,
        resolver: &R,
        section: &ReadGuard,
        piece: &Piece,
        signal: Signal,
        until: Until,
    ) -> Result<()> {
        if piece.bytes == 0 {
            return self.signal(resolver, section, signal, until);
        }
        loop {
            let target = held(resolver, section, signal.address, signal.width)?;
            let (member, here) = match (target, Route::of(resolver, section, piece)?) {
                (WordOwner::There(target), Route::Remote(RemoteCopy { member, here, is_put: true }))
                    if target.key == member.key =>
                {
                    (member, here)
                }
                (_, route) => {
                    // SAFETY: passed on to the caller.
                    unsafe { copy_on_route(resolver, self, section, piece, route, Until::Done, Mode::Sync) }?;
                    return self.signal(resolver, section, signal, until);
                }
            };
            if here.is_doubtful(resolver) {
                local::check_one(OP, span(piece, true), true, member.depth())?;
            }
            let is_lent = here.is_lent();
            let until = match until {
                _ if is_lent => Until::Done,
                Until::Reusable if piece.bytes <= member.eager_bytes => Until::Started,
                Until::Reusable => Until::Done,
                until => until,
            };
            let spans = [span(piece, true)];
            let operation = Operation::Signal {
                key: member.key,
                spans: &spans,
                signal: signal.address,
                width: signal.width,
                kind: signal.kind,
                value: signal.value,
            };
            let (bytes, order) = (piece.bytes, Order::of(member, piece.bytes));
            let flags = Flags { is_lent, is_guarded: false };
            // SAFETY: passed on to the caller.
            let ran = unsafe { self.run(resolver, section, member, &operation, bytes, order, until, flags) }?;
            match ran {
                Ran::Done => return Ok(()),
                Ran::Returned => {}
                Ran::Interrupted(error) => return Err(error),
            }
        }
    }
}

/// The party that changes a word.
enum WordOwner<'s> {
    /// This process.
    Here(Spot<'s>),
    /// The member that owns the device memory, which is mapped here.
    Lent,
    /// The member elsewhere.
    There(&'s Arc<Member>),
}

fn held<'s, R: Resolver>(
    resolver: &'s R,
    section: &'s ReadGuard,
    address: u64,
    width: Width,
) -> Result<WordOwner<'s>> {
    let refused = || -> Error { resolver.refusal(Wanted::Word { address, width }) };
    if !address.is_multiple_of(width.bytes()) {
        return Err(refused());
    }
    let here = match resolver.resolve(section.section(), address, width.bytes(), Access::Write)? {
        Some(End::Here(here)) => here,
        Some(End::There(member)) => return Ok(WordOwner::There(member)),
        None => return Err(refused()),
    };
    match (here.locality, here.memory, resolver.devices().mover()) {
        (Locality::Host, ..) => Ok(WordOwner::Here(Spot::Host(Gva(address).as_ptr()))),
        (Locality::Device, Memory::Lent(_), _) => Ok(WordOwner::Lent),
        (Locality::Device, _, Some(mover)) => Ok(WordOwner::Here(Spot::Device { address, mover })),
        (Locality::Device, _, None) => Err(refused()),
    }
}
