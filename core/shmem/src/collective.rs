// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective calls of a team, or of an active set.
//!
//! The algorithms do not depend on the participants and their barriers: these are a [`Circle`], with
//! two implementations, teams (here) and active sets (`crate::active`).
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
pub(crate) mod meeting;
mod reduce;
pub(crate) mod ring;
mod scan;
mod slices;

use std::mem::MaybeUninit;

use mf_base::{Error, Result};
use mf_device::engine;

use crate::World;
use crate::team::Team;
use combine::Reduction;
use meeting::InTeam;

/// Kind of a call, for the others to compare.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
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
    fn follows(&self) -> bool {
        false
    }

    /// Releases the others at the root, and waits for the root at the others; if PEs [can](Self::follows).
    ///
    /// # Errors
    /// As [`meet`](Self::meet).
    fn follow(&self, _root: usize) -> Result<()> {
        Ok(())
    }

    /// Broadcasts without a meeting; returns `None` if PEs of this circle must meet.
    ///
    /// # Safety
    /// As [`World::broadcast`].
    unsafe fn cast(&self, _call: &Call<'_, Self>, _cast: &Cast) -> Option<Result<()>>
    where
        Self: Sized,
    {
        None
    }

    /// Notes the beginning of a call.
    fn enter(&self, _kind: Kind, _arguments: [u64; 2]) {}

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

/// A call of this PE.
pub(crate) struct Call<'a, C> {
    pub(crate) world: &'a World,
    pub(crate) operation: &'static str,
    pub(crate) circle: &'a C,
    digest: u64,
}

impl<'a, C: Circle> Call<'a, C> {
    /// Creates a call with these arguments, which must be the same on all PEs.
    pub(crate) fn new(
        world: &'a World,
        operation: &'static str,
        circle: &'a C,
        kind: Kind,
        arguments: [u64; 2],
    ) -> Result<Self> {
        world.check_host_memory(operation)?;
        circle.enter(kind, arguments);
        let digest = arguments.into_iter().fold(kind as u64, |digest, argument| {
            (digest ^ argument).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        });
        Ok(Self { world, operation, circle, digest })
    }

    /// Checks that a range is symmetric; an empty one always is.
    fn check_symmetric(&self, own: *const u8, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        if own.is_null() {
            return Err(Error::invalid(self.operation, "source or destination is null").with("bytes", bytes));
        }
        self.world.place(self.operation, own, bytes, self.pe(self.circle.place())).map(|_| ())
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
        unsafe { self.world.put_nbi(dest, source, bytes, self.pe(place)) }
    }

    /// Reads from a PE.
    ///
    /// # Safety
    /// `dest` is writable for the bytes.
    unsafe fn pull(&self, place: usize, dest: *mut u8, source: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.world.get(dest, source, bytes, self.pe(place)) }
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
        if self.world.is_all_mapped() { Ok(()) } else { self.world.quiet() }
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

/// Buffer for gathered data, on the stack if small.
struct Gathered {
    few: [MaybeUninit<u8>; Self::FEW],
    many: Vec<u8>,
}

impl Gathered {
    const FEW: usize = 1024;

    const fn new() -> Self {
        Self { few: [MaybeUninit::uninit(); Self::FEW], many: Vec::new() }
    }

    fn bytes(&mut self, bytes: usize) -> &mut [u8] {
        if bytes <= Self::FEW {
            let few = self.few.as_mut_ptr().cast::<u8>();
            // SAFETY: room for so many bytes.
            unsafe { few.write_bytes(0, bytes) };
            // SAFETY: they were just written.
            unsafe { std::slice::from_raw_parts_mut(few, bytes) }
        } else {
            self.many.resize(bytes, 0);
            &mut self.many
        }
    }
}

macro_rules! calls_of_teams {
    ($($(#[$doc:meta])* $name:ident by $generic:ident = $operation:literal
        ($($argument:ident: $type:ty),*) $(with $extra:expr)?;)*) => {
        impl World { $(
            $(#[$doc])*
            ///
            /// **Collective** over the team; `dest` is ready on all its PEs before any of them calls. On
            /// return the own `dest` is complete, and the own `source` may be changed. Waits at most for the
            /// control timeout at each meeting.
            ///
            /// # Errors
            /// `InvalidParam` an argument is not symmetric, null, out of range, or ranges overlap; nothing
            /// was done · a PE makes another call, or refuses its arguments: it is named · `Timeout` names
            /// a PE that did not arrive · `NotConnected` names a PE that is gone · `RepeatInvoke` another
            /// thread is in a call of the team · `NotInit`.
            ///
            /// # Safety
            /// Nothing else uses the ranges meanwhile.
            pub unsafe fn $name(&self, team: &Team, $($argument: $type),*) -> Result<()> {
                let circle = InTeam::new($operation, team)?;
                // SAFETY: passed on to the caller.
                let done = unsafe { self.$generic((&circle, $operation), $($argument),* $(, $extra)?) };
                done.inspect_err(|error| circle.refuse(self, error))
            }
        )* }
    };
}

calls_of_teams! {
    /// Copies `bytes` from `source` of PE `root` of the team to `dest` of all its PEs; at the root both
    /// may be the same.
    broadcast by broadcast_in = "symmetric broadcast"
        (dest: *mut u8, source: *const u8, bytes: usize, root: i32) with true;
    /// Concatenates `source` of all PEs into `dest` of all, in the order of their numbers; lengths may
    /// differ.
    collect by collect_in = "symmetric collect" (dest: *mut u8, source: *const u8, bytes: usize);
    /// As [`collect`](Self::collect), of equal lengths.
    fcollect by fcollect_in = "symmetric fcollect" (dest: *mut u8, source: *const u8, bytes: usize);
    /// Block j of `source` of PE i becomes block i of `dest` of PE j; `bytes`: of a block.
    alltoall by alltoall_in = "symmetric alltoall" (dest: *mut u8, source: *const u8, bytes: usize);
    /// As [`alltoall`](Self::alltoall), of blocks of `count` elements that are `dest_stride` and
    /// `source_stride` elements apart, both at least 1.
    alltoalls by alltoalls_in = "symmetric alltoalls"
        (dest: *mut u8, source: *const u8, strides: (isize, isize), count: usize, element_bytes: usize);
    /// Reduces: element i of `dest` of all PEs becomes the combination of the elements i of `source` of all
    /// PEs; both ranges may be the same.
    reduce by reduce_in = "symmetric reduce"
        (dest: *mut u8, source: *const u8, count: usize, reduction: Reduction);
    /// Inclusive scan: element i of `dest` becomes the combination of the elements i of `source` of the PEs
    /// up to this one; both ranges may be the same.
    inscan by scan_in = "symmetric inscan"
        (dest: *mut u8, source: *const u8, count: usize, reduction: Reduction) with true;
    /// As [`inscan`](Self::inscan), without the own elements; zeroes at the first PE.
    exscan by scan_in = "symmetric exscan"
        (dest: *mut u8, source: *const u8, count: usize, reduction: Reduction) with false;
}
