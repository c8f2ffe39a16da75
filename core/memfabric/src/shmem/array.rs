// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric arrays.
//!
//! The memory is never a Rust reference: all calls copy elements in and out, or change one word by one
//! instruction. A range is checked against the length of the array before its address is made.

use std::fmt;
use std::marker::PhantomData;

use mf_shmem::{Atomic, AtomicKind, Condition, Reduction, Signal, SignalKind, Width};

use super::{Comparison, Element, Operator, Word, World};
use crate::error::Wrap;
use crate::{Rank, Result};

/// Array of `length` elements on every PE. `Send` and `Sync`.
///
/// [`free`](Self::free) is collective; an array that is only dropped stays until the world ends.
pub struct Array<T: Element> {
    world: World,
    address: usize,
    length: usize,
    elements: PhantomData<T>,
}

impl<T: Element> Array<T> {
    pub(super) fn allocate(world: &World, length: usize) -> Result<Self> {
        let start = world.inner().calloc(length, size_of::<T>()).wrap()?;
        if start.is_null() {
            return Err(invalid("an array has at least one element")).wrap();
        }
        Ok(Self { world: world.clone(), address: start.expose_provenance(), length, elements: PhantomData })
    }

    /// Returns the world that it belongs to.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the number of its elements on each PE.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns true if it has no elements, which never happens.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the own address of `count` elements that begin at `index`.
    #[inline]
    fn at(&self, index: usize, count: usize) -> Result<*mut u8> {
        if index.checked_add(count).is_none_or(|end| end > self.length) {
            return Err(self.outside(index, count)).wrap();
        }
        Ok(std::ptr::with_exposed_provenance_mut(self.address + index * size_of::<T>()))
    }

    #[cold]
    fn outside(&self, index: usize, count: usize) -> mf_base::Error {
        invalid("the range is not inside the array")
            .with("index", index)
            .with("count", count)
            .with("length", self.length)
    }

    /// Copies `source` to the elements of `pe` that begin at `index`. **One-sided.** The owner sees it when
    /// the call returns.
    ///
    /// # Errors
    /// `InvalidParam` the range is not inside the array, or unknown PE · `NotConnected` the PE is gone.
    pub fn put(&self, pe: Rank, index: usize, source: &[T]) -> Result<()> {
        let dest = self.at(index, source.len())?;
        let access = self.world.inner().access();
        // SAFETY: the destination is inside the array, the source is a slice.
        unsafe { access.put_done(dest, source.as_ptr().cast(), size_of_val(source), number(pe)) }.wrap()
    }

    /// Fills `destination` from the elements of `pe` that begin at `index`. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn get(&self, pe: Rank, index: usize, destination: &mut [T]) -> Result<()> {
        let source = self.at(index, destination.len())?;
        let bytes = size_of_val(destination);
        let access = self.world.inner().access();
        // SAFETY: the source is inside the array, the destination is a slice of numbers, which any bits are.
        unsafe { access.get(destination.as_mut_ptr().cast(), source, bytes, number(pe)) }.wrap()
    }

    /// Returns the own elements.
    ///
    /// # Errors
    /// `NotInit` the world has ended.
    pub fn read(&self) -> Result<Vec<T>> {
        let mut elements = vec![T::default(); self.length];
        self.get(self.world.my_pe(), 0, &mut elements)?;
        Ok(elements)
    }

    /// Copies `source` to the own elements that begin at `index`.
    ///
    /// # Errors
    /// `InvalidParam` the range is not inside the array · `NotInit` the world has ended.
    pub fn write(&self, index: usize, source: &[T]) -> Result<()> {
        self.put(self.world.my_pe(), index, source)
    }

    /// Copies `source` to the elements of `pe` that begin at `index`, then sets a word of `signal` there to
    /// `value`: a PE that sees the signal sees the data. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put), for both ranges.
    pub fn put_signal(
        &self,
        pe: Rank,
        index: usize,
        source: &[T],
        signal: (&Array<u64>, usize),
        value: u64,
    ) -> Result<()> {
        let dest = self.at(index, source.len())?;
        let word = signal.0.at(signal.1, 1)?;
        let signal = Signal {
            address: word.expose_provenance() as u64,
            kind: SignalKind::Set,
            value,
            width: Width::W64,
        };
        let (bytes, pe) = (size_of_val(source), number(pe));
        // SAFETY: both destinations are inside arrays, the source is a slice.
        unsafe { self.world.inner().put_signal(dest, source.as_ptr().cast(), bytes, &signal, pe) }.wrap()
    }

    /// Copies the elements of `source` at PE `root` to this array on all PEs. Both have one length.
    /// **Collective.**
    ///
    /// # Errors
    /// `InvalidParam` lengths differ, one array is both, or a PE makes another call; it is named · `Timeout`
    /// names a PE that did not arrive · `NotConnected` names a PE that is gone.
    pub fn broadcast(&self, source: &Self, root: Rank) -> Result<()> {
        let (dest, source, bytes) = self.both(source, self.length, self.length)?;
        let world = self.world.inner();
        // SAFETY: both ranges are whole arrays, which are accessed by copies only.
        unsafe { world.broadcast(world.team_world(), dest, source, bytes, number(root)) }.wrap()
    }

    /// Concatenates `source` of all PEs into this array on all, in the order of PEs: it is as long as
    /// `source`, times the number of PEs. **Collective.**
    ///
    /// # Errors
    /// As [`broadcast`](Self::broadcast).
    pub fn collect(&self, source: &Self) -> Result<()> {
        let needed = source.length.saturating_mul(self.world.n_pes() as usize);
        let (dest, source, bytes) = self.both(source, source.length, needed)?;
        let world = self.world.inner();
        // SAFETY: as in `broadcast`.
        unsafe { world.fcollect(world.team_world(), dest, source, bytes) }.wrap()
    }

    /// Combines the elements of `source` of all PEs, one by one, into this array on all; `source` may be this
    /// array. Both have one length. **Collective.**
    ///
    /// # Errors
    /// As [`broadcast`](Self::broadcast) · `InvalidParam` a bitwise operator on floats.
    pub fn reduce(&self, source: &Self, operator: Operator) -> Result<()> {
        let (dest, source, _) = self.both(source, self.length, self.length)?;
        let reduction = Reduction::new(operator.inner(), T::OPERAND)
            .ok_or_else(|| invalid("the elements have no such operator"))
            .wrap()?;
        let world = self.world.inner();
        // SAFETY: as in `broadcast`.
        unsafe { world.reduce(world.team_world(), dest, source, self.length, reduction) }.wrap()
    }

    /// Returns the addresses of both arrays and the bytes of the source, after a check of their lengths.
    fn both(&self, source: &Self, taken: usize, needed: usize) -> Result<(*mut u8, *const u8, usize)> {
        if source.length != taken || self.length != needed {
            return Err(invalid("the lengths of the arrays do not fit")
                .with("source", source.length)
                .with("destination", self.length)
                .with("needed", needed))
            .wrap();
        }
        Ok((self.at(0, self.length)?, source.at(0, taken)?.cast_const(), taken * size_of::<T>()))
    }

    /// Frees it on every PE. **Collective.**
    ///
    /// # Errors
    /// As [`World::allocate`].
    pub fn free(self) -> Result<()> {
        let start = self.at(0, self.length)?;
        self.world.inner().free(start).wrap()
    }
}

impl<T: Word> Array<T> {
    fn atomic(&self, pe: Rank, index: usize, kind: AtomicKind, operand: T, compare: T) -> Result<T> {
        let word = self.at(index, 1)?;
        let atomic = Atomic { kind, width: T::WIDTH, operand: operand.to_bits(), compare: compare.to_bits() };
        self.world.inner().atomic(word, atomic, number(pe)).map(T::from_bits).wrap()
    }

    /// Adds to an element of `pe` and returns its old value; wraps. Atomic among all PEs. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn fetch_add(&self, pe: Rank, index: usize, value: T) -> Result<T> {
        self.atomic(pe, index, AtomicKind::Add, value, value)
    }

    /// Replaces an element of `pe` and returns its old value. Atomic among all PEs. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn swap(&self, pe: Rank, index: usize, value: T) -> Result<T> {
        self.atomic(pe, index, AtomicKind::Swap, value, value)
    }

    /// Replaces an element of `pe` if it equals `expected`, and returns its old value. Atomic among all PEs.
    /// **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn compare_and_swap(&self, pe: Rank, index: usize, expected: T, new: T) -> Result<T> {
        self.atomic(pe, index, AtomicKind::CompareSwap, new, expected)
    }

    /// Reads an element of `pe`. Atomic among all PEs. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn fetch(&self, pe: Rank, index: usize) -> Result<T> {
        self.atomic(pe, index, AtomicKind::Fetch, T::default(), T::default())
    }

    /// Waits until an own element compares with `value`, at most for the meeting limit. Returns it.
    /// **Local.**
    ///
    /// # Errors
    /// `InvalidParam` the index · `Timeout` names PEs that are gone · `NotInit` the world has ended.
    pub fn wait_until(&self, index: usize, comparison: Comparison, value: T) -> Result<T> {
        let word = self.at(index, 1)?;
        let condition = Condition { number: T::NUMBER, comparison: comparison.inner() };
        self.world.inner().wait_until(word, condition, value.to_bits()).map(T::from_bits).wrap()
    }

    /// Returns true if an own element compares with `value` now. **Local.**
    ///
    /// # Errors
    /// As [`wait_until`](Self::wait_until).
    pub fn test(&self, index: usize, comparison: Comparison, value: T) -> Result<bool> {
        let word = self.at(index, 1)?;
        let condition = Condition { number: T::NUMBER, comparison: comparison.inner() };
        self.world.inner().test(word, condition, value.to_bits()).wrap()
    }
}

/// Converts a PE; one beyond all numbers is refused by the call.
fn number(pe: Rank) -> i32 {
    i32::try_from(pe.0).unwrap_or(-1)
}

#[cold]
fn invalid(what: &str) -> mf_base::Error {
    mf_base::Error::invalid("symmetric array", what)
}

impl<T: Element> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array").field("len", &self.length).finish_non_exhaustive()
    }
}
