// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Address arithmetic of a pool: a window for each kind of memory, each as many strides long as there are
//! ranks.
//!
//! ```text
//! device base                          host base
//! | rank 0 | rank 1 | … device |  ……   | rank 0 | rank 1 | … host |
//! ```
//!
//! The windows lie anywhere and do not overlap; where one device serves both, the host window follows the
//! device window.

use std::ops::Range;

use mf_base::error::{Error, Result};
use mf_base::{ByteLen, Gva, MemKind, Rank};
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
    /// Length of the window of a kind in bytes, `None` when it overflows.
    pub fn window_bytes(&self, kind: MemKind) -> Option<u64> {
        self.max_bytes[kind.index()].checked_mul(u64::from(self.world))
    }

    /// Length of both windows in bytes, `None` when it overflows.
    pub fn total_bytes(&self) -> Option<u64> {
        let stride = self.max_bytes[0].checked_add(self.max_bytes[1])?;
        stride.checked_mul(u64::from(self.world))
    }

    /// Suggests a shape that fits.
    fn remedy(&self) -> String {
        let most = MAX_TOTAL_BYTES / u64::from(self.world.max(1)) / GRANULE_BYTES * GRANULE_BYTES;
        let each = self.max_bytes[0].saturating_add(self.max_bytes[1]);
        let ranks = match MAX_TOTAL_BYTES / each.max(1) {
            0 => "no number of ranks fits".to_owned(),
            ranks => format!("at most {ranks} ranks fit"),
        };
        format!(
            "the world size times maxDramSize + maxHbmSize may be 32 TiB, with enable56BitsGva as well, as pools lie at \
             addresses of 47 bits in all members: with {} ranks lower the maxima to {} in all, with these maxima {ranks}; or \
             spread the memory over several pools, of fewer bytes each",
            self.world,
            ByteLen(most),
        )
    }

    /// Validates the shape and returns the length of both windows.
    ///
    /// # Errors
    /// `InvalidParam` for a stride that is not a multiple of [`GRANULE_BYTES`], an empty or a too large
    /// space.
    pub fn check(&self) -> Result<u64> {
        let total_bytes = self.total_bytes().filter(|total| *total <= MAX_TOTAL_BYTES);
        let total_bytes = total_bytes.ok_or_else(|| {
            invalid_shape("the address space is larger than 32 TiB", *self).hint(self.remedy())
        })?;
        if total_bytes == 0 {
            return Err(invalid_shape("the address space is empty", *self));
        }
        if self.max_bytes.iter().any(|bytes| !bytes.is_multiple_of(GRANULE_BYTES)) {
            return Err(invalid_shape("a contribution is not a multiple of 2 MiB", *self));
        }
        Ok(total_bytes)
    }
}

#[cold]
fn invalid_shape(what: &str, shape: Shape) -> Error {
    Error::invalid("address space", what)
        .with("ranks", shape.world)
        .with("max_bytes", format!("{:?}", shape.max_bytes))
}

/// Window, owner and offset of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolPlace {
    /// The window.
    pub kind: MemKind,
    /// The owner.
    pub rank: Rank,
    /// Bytes from the start of the owner's segment.
    pub offset: u64,
}

/// A [`Shape`] at its bases.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    shape: Shape,
    /// Ascending by address, so that one comparison picks the only window that can hold an address.
    windows: [Window; 2],
}

#[derive(Clone, Copy, Debug)]
struct Window {
    base: u64,
    bytes: u64,
    stride: u64,
    /// ceil(2^64 / stride in granules), so that a multiplication replaces the division; 0 stands for 2^64.
    reciprocal: u64,
    kind: MemKind,
}

impl Window {
    fn new(kind: MemKind, base: u64, shape: Shape) -> Self {
        let stride = shape.max_bytes[kind.index()];
        let granules = stride >> GRANULE_SHIFT;
        let reciprocal = if granules > 1 { u64::MAX / granules + 1 } else { 0 };
        // An absent window lies at 0, which nothing is mapped at.
        let base = if stride == 0 { 0 } else { base };
        Self { base, bytes: stride * u64::from(shape.world), stride, reciprocal, kind }
    }

    fn range(&self) -> Range<u64> {
        self.base..self.base + self.bytes
    }
}

impl Layout {
    /// Places the windows of `shape` at `bases`; the base of an absent window is ignored.
    ///
    /// # Errors
    /// `InvalidParam` for a stride that is not a multiple of [`GRANULE_BYTES`], an empty or a too large
    /// space, and for windows that overlap or run over the end of the address space.
    pub fn new(bases: [u64; 2], shape: Shape) -> Result<Self> {
        let bad = |what: &str| invalid_shape(what, shape);
        shape.check()?;
        let mut windows = MemKind::ALL.map(|kind| Window::new(kind, bases[kind.index()], shape));
        windows.sort_unstable_by_key(|window| window.base);
        if windows.iter().any(|window| window.base.checked_add(window.bytes).is_none()) {
            return Err(bad("a window runs over the end of the address space"));
        }
        if windows[0].range().end > windows[1].base {
            return Err(bad("the windows overlap"));
        }
        Ok(Self { shape, windows })
    }

    /// The first address of each window, 0 for an absent one; indexed by kind.
    pub fn bases(&self) -> [u64; 2] {
        MemKind::ALL.map(|kind| self.window(kind).base)
    }

    /// Returns the addresses of a window; empty for an absent one.
    pub fn range(&self, kind: MemKind) -> Range<u64> {
        self.window(kind).range()
    }

    fn window(&self, kind: MemKind) -> &Window {
        &self.windows[usize::from(self.windows[0].kind != kind)]
    }

    /// The shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns true if a range that begins outside the windows ends before the next one, and before the end
    /// of the address space.
    #[inline(always)]
    pub fn clears(&self, address: u64, bytes: u64) -> bool {
        // For a window below `address` the distance wraps to a huge number.
        let before = |window: &Window| bytes <= window.base.wrapping_sub(address);
        address.checked_add(bytes).is_some() && before(&self.windows[0]) && before(&self.windows[1])
    }

    /// Resolves `address` to its place; `None` outside the windows.
    #[inline(always)]
    pub fn locate(&self, address: u64) -> Option<PoolPlace> {
        let window = &self.windows[usize::from(address >= self.windows[1].base)];
        let offset = address.wrapping_sub(window.base);
        if offset >= window.bytes {
            return None;
        }
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
        Some(PoolPlace { kind: window.kind, rank, offset })
    }

    /// The addresses around `address` that are outside the windows, without 0; empty for one inside a window.
    pub fn gap(&self, address: u64) -> Range<u64> {
        let mut gap = 1..u64::MAX;
        for window in self.windows.iter().filter(|window| window.bytes > 0) {
            match window.range() {
                inside if inside.contains(&address) => return 0..0,
                above if above.start > address => gap.end = gap.end.min(above.start),
                below => gap.start = gap.start.max(below.end),
            }
        }
        gap
    }

    /// Bytes from the base of its window to the segment of `rank`; `None` for a rank or a window that does
    /// not exist.
    pub fn segment_offset(&self, kind: MemKind, rank: Rank) -> Option<u64> {
        let window = self.window(kind);
        (window.stride > 0 && rank.0 < self.shape.world).then(|| window.stride * u64::from(rank.0))
    }

    /// The address of the segment of `rank`; `None` for a rank or a window that does not exist.
    pub fn address(&self, kind: MemKind, rank: Rank) -> Option<Gva> {
        self.segment_offset(kind, rank).map(|offset| Gva(self.window(kind).base + offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BASE: u64 = 0x2800_0000_0000;

    /// The host window right behind the device window.
    fn adjacent(world: u32, max_bytes: [u64; 2]) -> Layout {
        let shape = Shape { world, max_bytes };
        Layout::new([BASE, BASE + shape.window_bytes(MemKind::Device).unwrap()], shape).unwrap()
    }

    #[test]
    fn adjacent_windows_are_located() {
        let layout = adjacent(3, [2 << 20, 6 << 20]);
        assert_eq!(layout.address(MemKind::Device, Rank(2)), Some(Gva(BASE + (4 << 20))));
        assert_eq!(layout.address(MemKind::Host, Rank(0)), Some(Gva(BASE + (6 << 20))));
        assert_eq!(layout.address(MemKind::Host, Rank(3)), None);
        assert_eq!(layout.locate(BASE - 1), None);
        assert_eq!(layout.locate(BASE + (24 << 20)), None);
        assert_eq!(layout.locate(u64::MAX), None);
        assert!(layout.clears(BASE - 8, 8));
        assert!(!layout.clears(BASE - 8, 9));
        assert!(layout.clears(BASE + (24 << 20), u64::MAX - BASE - (24 << 20)));
        assert!(!layout.clears(BASE + (24 << 20), u64::MAX));
    }

    #[test]
    fn windows_may_lie_apart_and_in_any_order() {
        for bases in [[BASE, BASE + (1 << 40)], [BASE + (1 << 40), BASE]] {
            let layout = Layout::new(bases, Shape { world: 2, max_bytes: [2 << 20, 4 << 20] }).unwrap();
            let [device, host] = bases;
            assert_eq!(layout.locate(device + (2 << 20)).unwrap().rank, Rank(1));
            assert_eq!(
                layout.locate(host + (4 << 20) + 7),
                Some(PoolPlace { kind: MemKind::Host, rank: Rank(1), offset: 7 })
            );
            for (outside, kind) in [(device + (4 << 20), MemKind::Device), (host + (8 << 20), MemKind::Host)]
            {
                assert_eq!(layout.locate(outside), None);
                assert_eq!(layout.range(kind).end, outside);
            }
            let (between, second) = (device.min(host) + (64 << 20), device.max(host));
            assert!(layout.clears(between, second - between));
            assert!(!layout.clears(between, second - between + 1));
            assert!(!layout.clears(device.min(host) - 1, 2));
        }
    }

    #[test]
    fn an_absent_window_has_no_addresses() {
        let layout = Layout::new([7, BASE], Shape { world: 2, max_bytes: [0, 2 << 20] }).unwrap();
        assert_eq!(layout.address(MemKind::Device, Rank(0)), None);
        assert_eq!(layout.locate(BASE).unwrap().kind, MemKind::Host);
        assert_eq!(layout.locate(0), None);
        assert_eq!(layout.bases(), [0, BASE]);
        assert!(layout.clears(1, 100));
        assert!(!layout.clears(1, BASE));
    }

    #[test]
    fn too_large_space_names_the_limits() {
        let text = Shape { world: 256, max_bytes: [0, 1 << 40] }.check().unwrap_err().to_string();
        for part in ["32 TiB", "enable56BitsGva", "256 ranks", "128 GiB", "at most 32 ranks fit"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        Shape { world: 256, max_bytes: [0, 128 << 30] }.check().unwrap();
        Shape { world: 32, max_bytes: [0, 1 << 40] }.check().unwrap();
        let text = Shape { world: 1, max_bytes: [0, 33 << 40] }.check().unwrap_err().to_string();
        assert!(text.contains("no number of ranks fits"), "{text}");
    }

    #[test]
    fn impossible_shapes_and_places_are_refused() {
        for max_bytes in [[0, 0], [1, 0], [!(GRANULE_BYTES - 1), 0], [64 << 40, 0]] {
            assert!(Layout::new([BASE; 2], Shape { world: 2, max_bytes }).is_err(), "{max_bytes:?}");
        }
        let shape = Shape { world: 2, max_bytes: [2 << 20, 2 << 20] };
        for bases in
            [[BASE, BASE], [BASE, BASE + (2 << 20)], [BASE + (2 << 20), BASE], [BASE, u64::MAX - 4096]]
        {
            assert!(Layout::new(bases, shape).is_err(), "{bases:x?}");
        }
    }

    #[test]
    fn gaps_end_at_the_windows_and_at_the_ends_of_memory() {
        let shape = Shape { world: 2, max_bytes: [2 << 20; 2] };
        let [device, host] = [BASE, BASE + (64 << 20)];
        let layout = Layout::new([device, host], shape).unwrap();
        assert_eq!(layout.gap(0x1000), 1..device);
        assert_eq!(layout.gap(device + (4 << 20)), device + (4 << 20)..host);
        assert_eq!(layout.gap(host + (4 << 20)), host + (4 << 20)..u64::MAX);
        assert!(layout.gap(device).is_empty() && layout.gap(host + (4 << 20) - 1).is_empty());
        let one = Layout::new([0, host], Shape { world: 2, max_bytes: [0, 2 << 20] }).unwrap();
        assert_eq!(one.gap(device), 1..host);
        // As `locate` and `clears` have it.
        for address in [1, 8, device - 8, device, host - 16, host, host + (4 << 20), u64::MAX - 8] {
            for bytes in [1, 8, 9, 16, 17] {
                let gap = layout.gap(address);
                let is_free = layout.locate(address).is_none() && layout.clears(address, bytes);
                assert_eq!(
                    gap.contains(&address) && bytes <= gap.end - address,
                    is_free,
                    "{address:#x} {bytes}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn locate_inverts_address(
            world in 1u32..=16_384,
            device in 0u64..=4096,
            host in 0u64..=4096,
            rank in 0u32..16_384,
            offset in 0u64..(4096 << 21),
            apart in 0u64..4096,
        ) {
            // A shape that fits: half of the largest space for each kind.
            let most = (MAX_TOTAL_BYTES >> 22) / u64::from(world);
            let (rank, device, host) = (rank % world, device.min(most), host.min(most));
            prop_assume!(device + host > 0);
            let shape = Shape { world, max_bytes: [device << 21, host << 21] };
            let behind = BASE + shape.window_bytes(MemKind::Device).unwrap() + (apart << 21);
            let layout = Layout::new([BASE, behind], shape).unwrap();
            for kind in MemKind::ALL {
                let stride = layout.shape().max_bytes[kind.index()];
                if stride == 0 { continue }
                let offset = offset % stride;
                let address = layout.address(kind, Rank(rank)).unwrap().add(offset);
                prop_assert_eq!(layout.locate(address.0), Some(PoolPlace { kind, rank: Rank(rank), offset }));
            }
        }

        #[test]
        fn the_largest_spaces_divide_exactly(world in 1u32..=16_384, granule in 0u64..(1 << 24)) {
            let stride = (MAX_TOTAL_BYTES / u64::from(world)) & !(GRANULE_BYTES - 1);
            let layout = adjacent(world, [0, stride]);
            let offset = granule << 21;
            prop_assume!(offset < layout.shape().total_bytes().unwrap());
            let place = layout.locate(BASE + offset).unwrap();
            prop_assert_eq!(u64::from(place.rank.0), offset / stride);
            prop_assert_eq!(place.offset, offset % stride);
        }
    }
}
