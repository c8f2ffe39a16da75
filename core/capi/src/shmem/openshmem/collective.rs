// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Collective calls of teams.

use std::ffi::{c_int, c_void};

use mf_base::{Error, Result};
use mf_shmem::Operator;

use super::operand::{Combined, reduction};
use super::types::Team;

/// SHMEM_TEAM_INVALID is refused as other handles are that no team has.
fn check(op: &'static str, team: Team) -> Result<()> {
    if team.is_invalid() {
        return Err(Error::invalid(op, "the team is invalid").hint("nothing was done"));
    }
    Ok(())
}

/// The length of so many elements. A length beyond all memory is refused together with the other PEs.
pub(super) fn bytes_of<T>(nelems: usize) -> usize {
    nelems.saturating_mul(size_of::<T>())
}

macro_rules! contiguous {
    ($mutable:ty, $constant:ty: $($name:ident)*) => { $(
        pub(crate) unsafe fn $name<T>(
            op: &'static str, team: Team, dest: $mutable, source: $constant, nelems: usize,
        ) -> Result<c_int> {
            check(op, team)?;
            let bytes = bytes_of::<T>(nelems);
            // SAFETY: the caller passes buffers of these lengths, which nothing else uses meanwhile.
            team.with(op, |world, team| unsafe { world.$name(team, dest.cast(), source.cast(), bytes) })?;
            Ok(0)
        }
    )* };
}

macro_rules! elements {
    ($mutable:ty, $constant:ty) => {
        contiguous! { $mutable, $constant: collect fcollect alltoall }

        pub(crate) unsafe fn broadcast<T>(
            op: &'static str,
            team: Team,
            dest: $mutable,
            source: $constant,
            nelems: usize,
            root: c_int,
        ) -> Result<c_int> {
            check(op, team)?;
            let bytes = bytes_of::<T>(nelems);
            team.with(op, |world, team| {
                // SAFETY: the caller passes buffers of these lengths, which nothing else uses meanwhile.
                unsafe { world.broadcast(team, dest.cast(), source.cast(), bytes, root) }
            })?;
            Ok(0)
        }

        pub(crate) unsafe fn alltoalls<T>(
            op: &'static str,
            team: Team,
            dest: $mutable,
            source: $constant,
            dst: isize,
            sst: isize,
            nelems: usize,
        ) -> Result<c_int> {
            check(op, team)?;
            team.with(op, |world, team| {
                let (dest, source) = (dest.cast(), source.cast());
                // SAFETY: the caller passes buffers of these lengths, which nothing else uses meanwhile.
                unsafe { world.alltoalls(team, dest, source, (dst, sst), nelems, size_of::<T>()) }
            })?;
            Ok(0)
        }
    };
}

macro_rules! combining {
    ($($name:ident = $method:ident $operator:ident;)*) => { $(
        pub(crate) unsafe fn $name<T: Combined>(
            op: &'static str, team: Team, dest: *mut T, source: *const T, nelems: usize,
        ) -> Result<c_int> {
            check(op, team)?;
            let reduction = reduction::<T>(op, Operator::$operator)?;
            team.with(op, |world, team| {
                // SAFETY: the caller passes buffers of these lengths, which nothing else uses meanwhile.
                unsafe { world.$method(team, dest.cast(), source.cast(), nelems, reduction) }
            })?;
            Ok(0)
        }
    )* };
}

/// Of a type.
pub(crate) mod typed {
    use super::*;

    elements! { *mut T, *const T }
    combining! { max_reduce = reduce Max; min_reduce = reduce Min; }

    /// Nothing of it is done directly.
    pub(crate) mod fast_path {
        use super::*;

        macro_rules! never {
            ($($name:ident($($argument:ty),*);)*) => { $(
                #[inline(always)]
                #[allow(clippy::extra_unused_type_parameters, reason = "the arguments are those of the row")]
                pub(crate) unsafe fn $name<T>(_: Team, _: *mut T, _: *const T, $(_: $argument),*) -> Option<c_int> {
                    None
                }
            )* };
        }
        never! {
            broadcast(usize, c_int); collect(usize); fcollect(usize); alltoall(usize);
            alltoalls(isize, isize, usize); max_reduce(usize); min_reduce(usize);
        }
    }
}

/// Of types that have bits.
pub(crate) mod bits {
    use super::*;

    combining! { and_reduce = reduce And; or_reduce = reduce Or; xor_reduce = reduce Xor; }
}

/// Of types that can be added.
pub(crate) mod sums {
    use super::*;

    combining! {
        sum_reduce = reduce Sum; prod_reduce = reduce Prod; sum_inscan = inscan Sum; sum_exscan = exscan Sum;
    }
}

/// Of bytes.
pub(crate) mod bytes {
    use super::*;

    mod all {
        use super::*;

        elements! { *mut c_void, *const c_void }
    }

    macro_rules! bytes {
        ($($name:ident = $plain:ident($($argument:ident: $type:ty),*);)*) => { $(
            pub(crate) unsafe fn $name(
                op: &'static str, team: Team, dest: *mut c_void, source: *const c_void, $($argument: $type),*
            ) -> Result<c_int> {
                // SAFETY: the caller passes buffers of these lengths, which nothing else uses meanwhile.
                unsafe { all::$plain::<u8>(op, team, dest, source, $($argument),*) }
            }
        )* };
    }

    bytes! {
        broadcastmem = broadcast(nelems: usize, root: c_int);
        collectmem = collect(nelems: usize);
        fcollectmem = fcollect(nelems: usize);
        alltoallmem = alltoall(nelems: usize);
        alltoallsmem = alltoalls(dst: isize, sst: isize, nelems: usize);
    }
}
