// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Address arithmetic of a pool: two windows, device memory first, each as many strides long as there are ranks.
//!
//! ```text
//! base                         base + world × device stride
//! | rank 0 | rank 1 | … device | rank 0 | rank 1 | … host |
//! ```

use mf_base::error::{Error, Result};
use mf_base::{Gva, MemKind, Rank};
use serde::{Deserialize, Serialize};

/// Strides are multiples of this many bytes.
pub const GRANULE_BYTES: u64 = 2 << 20;
const GRANULE_SHIFT: u32 = GRANULE_BYTES.trailing_zeros();

/// The largest address space of one pool, in bytes.
pub const MAX_TOTAL_BYTES: u64 = 32 << 40;

/// The size of a pool: members and bytes that each may contribute. Indexed by [`MemKind::index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Number of ranks.
    pub world: u32,
    /// Most bytes a rank contributes of each kind: the strides.
    pub max_bytes: [u64; 2],
}

impl Shape {
    /// Length of the whole address space in bytes, `None` when it overflows.
    pub fn total_bytes(&self) -> Option<u64> {
        let stride = self.max_bytes[0].checked_add(self.max_bytes[1])?;
        stride.checked_mul(u64::from(self.world))
    }
}

/// What an address means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The window.
    pub kind: MemKind,
    /// The owner.
    pub rank: Rank,
    /// Bytes from the start of the owner's segment.
    pub offset: u64,
}

/// A [`Shape`] at its base.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    base: u64,
    shape: Shape,
    total_bytes: u64,
    windows: [Window; 2],
}

#[derive(Clone, Copy, Debug)]
struct Window {
    start: u64,
    bytes: u64,
    stride: u64,
    /// ceil(2^64 / stride in granules), so that a multiplication replaces the division; 0 stands for 2^64.
    reciprocal: u64,
}

impl Layout {
    /// Places `shape` at `base`.
    ///
    /// # Errors
    /// `InvalidParam` for a stride that is not a multiple of [`GRANULE_BYTES`], an empty or a too large space.
    pub fn new(base: u64, shape: Shape) -> Result<Self> {
        const OP: &str = "address space";
        let bad = |what: &str| {
            Error::invalid(OP, what)
                .with("ranks", shape.world)
                .with("max_bytes", format!("{:?}", shape.max_bytes))
        };
        let total_bytes = shape.total_bytes().filter(|total| *total <= MAX_TOTAL_BYTES);
        let total_bytes = total_bytes.ok_or_else(|| {
            bad("the address space is larger than 32 TiB")
                .hint("fewer ranks, or a smaller maximum contribution")
        })?;
        if total_bytes == 0 {
            return Err(bad("the address space is empty"));
        }
        if shape.max_bytes.iter().any(|bytes| !bytes.is_multiple_of(GRANULE_BYTES)) {
            return Err(bad("a contribution is not a multiple of 2 MiB"));
        }
        let mut start = 0;
        let windows = shape.max_bytes.map(|stride| {
            let bytes = stride * u64::from(shape.world);
            let granules = stride >> GRANULE_SHIFT;
            let reciprocal = if granules > 1 { u64::MAX / granules + 1 } else { 0 };
            let window = Window { start, bytes, stride, reciprocal };
            start += bytes;
            window
        });
        Ok(Self { base, shape, total_bytes, windows })
    }

    /// The first address.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Length in bytes.
    pub fn total_bytes(&self) -> u64 {
        self.total_bytes
    }

    /// Whether `address` lies in one of the windows.
    #[inline(always)]
    pub fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.base) < self.total_bytes
    }

    /// What `address` means; `None` outside the windows.
    #[inline(always)]
    pub fn locate(&self, address: u64) -> Option<Place> {
        let offset = address.wrapping_sub(self.base);
        if offset >= self.total_bytes {
            return None;
        }
        let kind = if offset < self.windows[0].bytes { MemKind::Device } else { MemKind::Host };
        let window = &self.windows[kind.index()];
        let offset = offset - window.start;
        let granule = offset >> GRANULE_SHIFT;
        // Exact: granule and stride are below 2^24, so the rounding error stays below one part.
        let rank = if window.reciprocal == 0 {
            granule
        } else {
            ((u128::from(granule) * u128::from(window.reciprocal)) >> 64) as u64
        };
        let offset = offset - rank * window.stride;
        #[expect(clippy::cast_possible_truncation, reason = "below the number of ranks")]
        let rank = Rank(rank as u32);
        Some(Place { kind, rank, offset })
    }

    /// Bytes from the base to the segment of `rank`; `None` for a rank or a window that does not exist.
    pub fn segment_offset(&self, kind: MemKind, rank: Rank) -> Option<u64> {
        let window = &self.windows[kind.index()];
        (window.stride > 0 && rank.0 < self.shape.world)
            .then(|| window.start + window.stride * u64::from(rank.0))
    }

    /// The address of the segment of `rank`; `None` for a rank or a window that does not exist.
    pub fn address(&self, kind: MemKind, rank: Rank) -> Option<Gva> {
        self.segment_offset(kind, rank).map(|offset| Gva(self.base + offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BASE: u64 = 0x2800_0000_0000;

    #[test]
    fn windows_lie_one_after_the_other() {
        let layout = Layout::new(BASE, Shape { world: 3, max_bytes: [2 << 20, 6 << 20] }).unwrap();
        assert_eq!(layout.address(MemKind::Device, Rank(2)), Some(Gva(BASE + (4 << 20))));
        assert_eq!(layout.address(MemKind::Host, Rank(0)), Some(Gva(BASE + (6 << 20))));
        assert_eq!(layout.address(MemKind::Host, Rank(3)), None);
        assert_eq!(layout.locate(BASE - 1), None);
        assert_eq!(layout.locate(BASE + layout.total_bytes()), None);
        assert!(!layout.contains(u64::MAX));
    }

    #[test]
    fn an_absent_window_has_no_addresses() {
        let layout = Layout::new(BASE, Shape { world: 2, max_bytes: [0, 2 << 20] }).unwrap();
        assert_eq!(layout.address(MemKind::Device, Rank(0)), None);
        assert_eq!(layout.locate(BASE).unwrap().kind, MemKind::Host);
    }

    #[test]
    fn impossible_shapes_are_refused() {
        for max_bytes in [[0, 0], [1, 0], [!(GRANULE_BYTES - 1), 0], [64 << 40, 0]] {
            assert!(Layout::new(BASE, Shape { world: 2, max_bytes }).is_err(), "{max_bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn locate_inverts_address(
            world in 1u32..=1024,
            device in 0u64..=4096,
            host in 0u64..=4096,
            rank in 0u32..1024,
            offset in 0u64..(4096 << 21),
        ) {
            prop_assume!(device + host > 0 && rank < world);
            let layout = Layout::new(BASE, Shape { world, max_bytes: [device << 21, host << 21] }).unwrap();
            for kind in MemKind::ALL {
                let stride = layout.shape().max_bytes[kind.index()];
                if stride == 0 { continue }
                let offset = offset % stride;
                let address = layout.address(kind, Rank(rank)).unwrap().add(offset);
                prop_assert_eq!(layout.locate(address.0), Some(Place { kind, rank: Rank(rank), offset }));
            }
        }

        #[test]
        fn the_largest_spaces_divide_exactly(world in 1u32..=1024, granule in 0u64..(1 << 24)) {
            let stride = (MAX_TOTAL_BYTES / u64::from(world)) & !(GRANULE_BYTES - 1);
            let layout = Layout::new(BASE, Shape { world, max_bytes: [0, stride] }).unwrap();
            let offset = granule << 21;
            prop_assume!(offset < layout.total_bytes());
            let place = layout.locate(BASE + offset).unwrap();
            prop_assert_eq!(u64::from(place.rank.0), offset / stride);
            prop_assert_eq!(place.offset, offset % stride);
        }
    }
}
