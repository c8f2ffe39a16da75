// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective calls of a team, or of an active set.
//!
//! The algorithms do not depend on the participants and their barriers: these are a [`Circle`], with
//! two implementations: teams (`meeting`), and active sets (`crate::active_set`).
//!
//! | file | what |
//! |---|---|
//! | `broadcast`, `collect`, `alltoall` | elements of PEs go to others |
//! | `ring` | small broadcasts of teams, in which PEs wait only for the root |
//! | `reduce`, `scan` | elements of PEs become one |
//! | `meeting` | meetings of a team's PEs, and detection of mismatched calls |
//! | `combine` | combination of two elements; pure |
//! | `slices` | division of work into parts; pure |
//!
//! # Algorithms
//! Destinations are ready on all PEs before any of them calls, so each PE writes to all of them when it
//! arrives, and they meet once ([`Call::push`]). Sources are ready once their PE has arrived: to read them,
//! PEs meet before and after ([`Call::pull`]). Small data goes with the meeting itself ([`Circle::gather`]):
//! a team's arrival words carry it. So PEs wait for each other once or twice, also if they outnumber the
//! cores.
//!
//! # Guarantees
//! * Reductions combine elements in the order of PEs' numbers, whatever their sizes and places: they repeat
//!   bit for bit, and are equal on all PEs.
//! * After an error the contents of the destination are undefined. Arguments that differ are detected and
//!   named by all PEs that wait for each other; the team stays usable (`meeting`).
//! * A PE that refuses its arguments notifies the others and returns. PEs that wait for it fail at once and
//!   name it; PEs that do not, as for a PE that only receives a small broadcast, go on.

mod alltoall;
mod broadcast;
mod collect;
pub(crate) mod combine;
mod meeting;
mod reduce;
mod ring;
mod scan;
mod slices;

use mf_base::{Error, Result};
use mf_device::engine;

use crate::access::Access;
pub(crate) use meeting::InTeam;

/// Kind of a call, for the others to compare.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CollectiveKind {
    Broadcast = 1,
    Collect,
    Fcollect,
    Alltoall,
    Alltoalls,
    Reduce,
    Scan,
}

/// The participants of a call, and their barriers. They count from 0.
pub(crate) trait Circle {
    /// Returns the number of this PE.
    fn place(&self) -> usize;

    /// Returns the number of PEs.
    fn count(&self) -> usize;

    /// Returns a PE's number in the world.
    fn pe(&self, place: usize) -> i32;

    /// Waits until all have arrived; a call meets at most three times, at stages 0 to 2. `digest` identifies
    /// its arguments.
    ///
    /// # Errors
    /// Names a PE that did not arrive, is gone, or made another call.
    fn meet(&self, stage: usize, digest: u64) -> Result<()>;

    /// Like [`meet`](Self::meet), and an allgather of `bytes` of each PE: `take` is called with the data of
    /// each, in the order of numbers. At most [`gathers`](Self::gathers) bytes.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// `own` is readable for the bytes.
    unsafe fn gather(
        &self,
        digest: u64,
        own: *const u8,
        bytes: usize,
        take: impl FnMut(usize, *const u8),
    ) -> Result<()>;

    /// Returns the most bytes that [`gather`](Self::gather) accepts.
    fn gathers(&self) -> usize;

    /// Returns true if PEs can wait for a single other PE.
    fn can_wait_for_root(&self) -> bool {
        false
    }

    /// Releases the others at the root, and waits for the root at the others; if PEs
    /// [can](Self::can_wait_for_root).
    ///
    /// # Errors
    /// As [`meet`](Self::meet).
    fn wait_for_root(&self, _root: usize) -> Result<()> {
        Ok(())
    }

    /// Broadcasts without a meeting; returns `None` if PEs of this circle must meet.
    ///
    /// # Safety
    /// As [`Collective::broadcast`].
    unsafe fn cast(&self, _call: &Call<'_, Self>, _cast: &Cast) -> Option<Result<()>>
    where
        Self: Sized,
    {
        None
    }

    /// Notes the beginning of a call.
    fn enter(&self, _kind: CollectiveKind, _arguments: [u64; 2]) {}

    /// Returns the sum of `own` over all PEs before this one.
    ///
    /// # Errors
    /// As [`meet`](Self::meet).
    fn sum_before(&self, digest: u64, own: u64) -> Result<u64>;
}

/// A broadcast.
pub(crate) struct Cast {
    pub(crate) root: usize,
    pub(crate) dest: *mut u8,
    pub(crate) source: *const u8,
    pub(crate) bytes: usize,
}

/// A collective operation of a circle.
pub(crate) struct Collective<'a, C> {
    access: Access<'a>,
    operation: &'static str,
    circle: &'a C,
}

impl<'a, C: Circle> Collective<'a, C> {
    pub(crate) fn new(access: Access<'a>, operation: &'static str, circle: &'a C) -> Self {
        Self { access, operation, circle }
    }
}

/// A call of this PE.
pub(crate) struct Call<'a, C> {
    access: Access<'a>,
    operation: &'static str,
    circle: &'a C,
    digest: u64,
}

impl<'a, C: Circle> Call<'a, C> {
    /// Begins a call with these arguments, which must be the same on all PEs.
    fn new(collective: &Collective<'a, C>, kind: CollectiveKind, arguments: [u64; 2]) -> Result<Self> {
        let Collective { access, operation, circle } = *collective;
        access.space().check_host_memory(operation)?;
        circle.enter(kind, arguments);
        let digest = arguments.into_iter().fold(kind as u64, |digest, argument| {
            (digest ^ argument).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        });
        Ok(Self { access, operation, circle, digest })
    }

    /// Checks that a range is symmetric; an empty one always is.
    fn check_symmetric(&self, own: *const u8, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        if own.is_null() {
            return Err(Error::invalid(self.operation, "source or destination is null").with("bytes", bytes));
        }
        self.access.resolve(self.operation, own, bytes, self.pe(self.circle.place())).map(|_| ())
    }

    /// Checks that ranges are symmetric and do not overlap; equal ranges may be allowed.
    fn check(
        &self,
        (dest, dest_bytes): (*const u8, usize),
        (source, source_bytes): (*const u8, usize),
        may_be_same: bool,
    ) -> Result<()> {
        self.check_symmetric(dest, dest_bytes)?;
        self.check_symmetric(source, source_bytes)?;
        let (to, from) = (dest.addr(), source.addr());
        let is_apart = dest_bytes == 0
            || source_bytes == 0
            || to.saturating_add(dest_bytes) <= from
            || from.saturating_add(source_bytes) <= to;
        if is_apart || may_be_same && to == from {
            return Ok(());
        }
        Err(Error::invalid(self.operation, "source and destination overlap")
            .with("dest", format!("{to:#x}"))
            .with("dest_bytes", dest_bytes)
            .with("source", format!("{from:#x}"))
            .with("source_bytes", source_bytes)
            .hint("nothing was done"))
    }

    fn pe(&self, place: usize) -> i32 {
        self.circle.pe(place)
    }

    /// Returns the other PEs, beginning after this one, so that not all begin with the same one.
    fn others(&self) -> impl Iterator<Item = usize> + use<C> {
        let (own, count) = (self.circle.place(), self.circle.count());
        (1..count).map(move |step| (own + step) % count)
    }

    /// Writes to a PE. Complete after [`meet`](Self::meet_after); until then the source is in use.
    ///
    /// # Safety
    /// The source is readable until then.
    unsafe fn push(&self, place: usize, dest: *mut u8, source: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.access.put_nbi(dest, source, bytes, self.pe(place)) }
    }

    /// Reads from a PE.
    ///
    /// # Safety
    /// `dest` is writable for the bytes.
    unsafe fn pull(&self, place: usize, dest: *mut u8, source: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.access.get(dest, source, bytes, self.pe(place)) }
    }

    /// Copies from the own source to the own destination, unless they are the same.
    ///
    /// # Safety
    /// The source is readable, the destination writable for the bytes, and they do not overlap.
    unsafe fn copy_own(&self, dest: *mut u8, source: *const u8, bytes: usize) {
        if bytes > 0 && !std::ptr::eq(dest, source) {
            // SAFETY: passed on to the caller.
            unsafe { engine::copy(source, dest, bytes) };
        }
    }

    fn meet(&self, stage: usize) -> Result<()> {
        self.circle.meet(stage, self.digest)
    }

    /// Completes pushes.
    fn complete(&self) -> Result<()> {
        if self.access.is_all_mapped() { Ok(()) } else { self.access.quiet() }
    }

    /// Completes pushes, and meets, also after an error: the others wait.
    fn meet_after(&self, stage: usize, pushed: Result<()>) -> Result<()> {
        let completed = self.complete();
        let met = self.meet(stage);
        pushed.and(completed).and(met)
    }
}

/// Computes the length of an array of elements.
///
/// # Errors
/// `InvalidParam` overflow.
fn length(operation: &'static str, counts: [usize; 2], element_bytes: usize) -> Result<usize> {
    let [count, times] = counts;
    let bytes = count.checked_mul(times).and_then(|count| count.checked_mul(element_bytes));
    bytes.filter(|bytes| isize::try_from(*bytes).is_ok()).ok_or_else(|| {
        Error::invalid(operation, "the number of elements is too large")
            .with("nelems", count)
            .with("element_bytes", element_bytes)
    })
}
