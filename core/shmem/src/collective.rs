// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls that all PEs of a team, or of an active set, make together.
//!
//! What moves does not depend on who takes part and how they meet: that is a [`Circle`], of which there are
//! two, teams (here) and active sets (`crate::active`).
//!
//! | file | what |
//! |---|---|
//! | `broadcast`, `collect`, `alltoall` | elements of PEs go to others |
//! | `ring` | small broadcasts of teams, for which nobody waits but for the root |
//! | `reduce`, `scan` | elements of PEs become one |
//! | `meeting` | how PEs of a team meet, and find out that one does something else |
//! | `combine` | two elements become one; pure |
//! | `slices` | who works on which part; pure |
//!
//! # How
//! Destinations are ready on all PEs before any of them calls, so each PE writes to all of them when it
//! comes, and they meet once ([`Call::push`]). Sources are ready when their PE has come: where they are read,
//! PEs meet before and behind that ([`Call::pull`]). Little goes with the meeting itself
//! ([`Circle::gather`]): a team's words of arrival carry it. So PEs that are more than the cores wait for
//! each other once, or twice.
//!
//! # What holds
//! * Reductions combine elements in the order of PEs' numbers, whatever their sizes and places: they repeat
//!   bit for bit, and are equal on all PEs.
//! * On an error what has come to the destination is undefined. Arguments that differ are found out by all
//!   that wait for each other, and named; the team is of use afterwards (`meeting`).
//! * A PE that refuses its arguments says so to the others and returns. Those that wait for it fail at once
//!   and name it; where nobody waits for it, as for a PE that only gets a small broadcast, they go on.

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

/// What PEs do, for the others to compare.
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

/// PEs that make a call, and how they meet in it. They count from 0.
pub(crate) trait Circle {
    /// The number of this PE.
    fn place(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// The number in the world of one of them.
    fn pe(&self, place: usize) -> i32;

    /// Waits until all have come here; a call meets at most three times, at stages 0 to 2. `digest` stands
    /// for its arguments.
    ///
    /// # Errors
    /// Who did not come, is gone, or made another call.
    fn meet(&self, stage: usize, digest: u64) -> Result<()>;

    /// As [`meet`](Self::meet), and gives so many own bytes to all: `take` gets those of each, in the order
    /// of numbers. At most [`gathers`](Self::gathers) bytes.
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

    /// How much [`gather`](Self::gather) takes of each.
    fn gathers(&self) -> usize;

    /// Whether PEs can wait for one alone.
    fn follows(&self) -> bool {
        false
    }

    /// At the root lets the others go, at these waits for the root; where PEs [can](Self::follows).
    ///
    /// # Errors
    /// As [`meet`](Self::meet).
    fn follow(&self, _root: usize) -> Result<()> {
        Ok(())
    }

    /// Broadcasts without a meeting; none: PEs of this circle meet.
    ///
    /// # Safety
    /// As [`World::broadcast`].
    unsafe fn cast(&self, _call: &Call<'_, Self>, _cast: &Cast) -> Option<Result<()>>
    where
        Self: Sized,
    {
        None
    }

    /// A call begins.
    fn enter(&self, _kind: Kind, _arguments: [u64; 2]) {}

    /// The sum of `own` of all PEs before this one.
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
    /// A call with these arguments, which are the same on all PEs.
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

    /// Refuses what is not symmetric; of 0 bytes nothing.
    fn check_symmetric(&self, own: *const u8, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        if own.is_null() {
            return Err(Error::invalid(self.operation, "source or destination is null").with("bytes", bytes));
        }
        self.world.place(self.operation, own, bytes, self.pe(self.circle.place())).map(|_| ())
    }

    /// Refuses what is not symmetric, and ranges that overlap; they may be the same where that is said.
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

    /// The other PEs, beginning behind this one, so that not all begin with the same one.
    fn others(&self) -> impl Iterator<Item = usize> + use<C> {
        let (own, count) = (self.circle.place(), self.circle.count());
        (1..count).map(move |step| (own + step) % count)
    }

    /// Writes to a PE; there after [`meet`](Self::meet_after), and until then the source is in use.
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

    /// Completes what was pushed.
    fn complete(&self) -> Result<()> {
        if self.world.is_all_mapped() { Ok(()) } else { self.world.quiet() }
    }

    /// Completes what was pushed, and meets, also when something went wrong: the others wait.
    fn meet_after(&self, stage: usize, pushed: Result<()>) -> Result<()> {
        let completed = self.complete();
        let met = self.meet(stage);
        pushed.and(completed).and(met)
    }
}

/// The length of so many elements.
///
/// # Errors
/// `InvalidParam` there are no so large objects.
fn length(operation: &'static str, counts: [usize; 2], element_bytes: usize) -> Result<usize> {
    let [count, times] = counts;
    let bytes = count.checked_mul(times).and_then(|count| count.checked_mul(element_bytes));
    bytes.filter(|bytes| isize::try_from(*bytes).is_ok()).ok_or_else(|| {
        Error::invalid(operation, "the number of elements is too large")
            .with("nelems", count)
            .with("element_bytes", element_bytes)
    })
}

/// Room for what is gathered, on the stack where it is little.
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
            /// return the own `dest` is complete, and the own `source` may be changed. At most for the
            /// control timeout at each meeting.
            ///
            /// # Errors
            /// `InvalidParam` an argument is not symmetric, null, out of range, or ranges overlap; nothing
            /// was done · a PE makes another call, or refuses its arguments: it is named · `Timeout` names
            /// who did not come · `NotConnected` names a PE that is gone · `RepeatInvoke` another thread
            /// is in a call of the team · `NotInit`.
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
    /// Puts `source` of all PEs one behind the other into `dest` of all, in the order of their numbers; each
    /// may have another length.
    collect by collect_in = "symmetric collect" (dest: *mut u8, source: *const u8, bytes: usize);
    /// As [`collect`](Self::collect), of equal lengths.
    fcollect by fcollect_in = "symmetric fcollect" (dest: *mut u8, source: *const u8, bytes: usize);
    /// Block j of `source` of PE i becomes block i of `dest` of PE j; `bytes`: of a block.
    alltoall by alltoall_in = "symmetric alltoall" (dest: *mut u8, source: *const u8, bytes: usize);
    /// As [`alltoall`](Self::alltoall), of blocks of `count` elements that lie `dest_stride` and
    /// `source_stride` elements apart, both at least 1.
    alltoalls by alltoalls_in = "symmetric alltoalls"
        (dest: *mut u8, source: *const u8, strides: (isize, isize), count: usize, element_bytes: usize);
    /// Element i of `dest` of all PEs becomes what the elements i of `source` of all PEs are together; both
    /// ranges may be the same.
    reduce by reduce_in = "symmetric reduce"
        (dest: *mut u8, source: *const u8, count: usize, reduction: Reduction);
    /// Element i of `dest` becomes what the elements i of `source` of the PEs up to this one are together;
    /// both ranges may be the same.
    inscan by scan_in = "symmetric inscan"
        (dest: *mut u8, source: *const u8, count: usize, reduction: Reduction) with true;
    /// As [`inscan`](Self::inscan), without the own elements; zeroes at the first PE.
    exscan by scan_in = "symmetric exscan"
        (dest: *mut u8, source: *const u8, count: usize, reduction: Reduction) with false;
}
