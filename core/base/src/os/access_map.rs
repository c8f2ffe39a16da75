// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Snapshot of the memory that this process can read and write, for checks of many ranges at a time:
//! [`guarded`](super::guarded) asks the kernel about each page.

use std::io;
use std::ops::Range;

use super::descriptor;

/// Readable and writable addresses of this process when the snapshot was made.
#[derive(Debug, Default)]
pub struct AccessMap {
    readable: Vec<Range<u64>>,
    writable: Vec<Range<u64>>,
}

impl AccessMap {
    /// Reads the mappings of this process. Costs about a microsecond for each.
    ///
    /// # Errors
    /// `/proc` is not there.
    pub fn read() -> io::Result<Self> {
        Ok(Self::parse(&descriptor::read("/proc/self/maps")?))
    }

    fn parse(text: &[u8]) -> Self {
        let mut map = Self::default();
        for line in text.split(|byte| *byte == b'\n') {
            let Some((range, [can_read, can_write])) = parse_line(line) else { continue };
            for (list, is_allowed) in [(&mut map.readable, can_read), (&mut map.writable, can_write)] {
                match list.last_mut() {
                    _ if !is_allowed => {}
                    Some(last) if last.end == range.start => last.end = range.end,
                    _ => list.push(range.clone()),
                }
            }
        }
        map
    }

    /// Returns true if all bytes of a range can be read.
    #[inline]
    pub fn is_readable(&self, address: u64, bytes: u64) -> bool {
        contains(&self.readable, address, bytes)
    }

    /// Returns true if all bytes of a range can be written.
    #[inline]
    pub fn is_writable(&self, address: u64, bytes: u64) -> bool {
        contains(&self.writable, address, bytes)
    }
}

#[inline]
fn contains(ranges: &[Range<u64>], address: u64, bytes: u64) -> bool {
    let next = ranges.partition_point(|range| range.start <= address);
    let Some(range) = next.checked_sub(1).and_then(|last| ranges.get(last)) else { return bytes == 0 };
    bytes == 0 || address.checked_add(bytes).is_some_and(|end| end <= range.end)
}

/// Returns a mapping's range, and whether it can be read and written.
fn parse_line(line: &[u8]) -> Option<(Range<u64>, [bool; 2])> {
    let mut fields = line.split(|byte| *byte == b' ');
    let mut ends = fields.next()?.split(|byte| *byte == b'-').map(parse_hex);
    let range = ends.next()??..ends.next()??;
    let rights = fields.next()?;
    Some((range, [rights.first() == Some(&b'r'), rights.get(1) == Some(&b'w')]))
}

fn parse_hex(digits: &[u8]) -> Option<u64> {
    let value = |digit: &u8| char::from(*digit).to_digit(16).map(u64::from);
    digits.iter().try_fold(0_u64, |sum, digit| Some(sum.checked_mul(16)? + value(digit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_mappings_with_equal_rights_are_one_range() {
        let map = AccessMap::parse(
            b"1000-2000 r--p 00000000 fd:00 42 /a b\n2000-4000 rw-p 00000000 00:00 0\n\
              4000-5000 ---p 00000000 00:00 0 \n7f0000000000-7f0000001000 rw-s 0 00:01 1 /\xff\nnonsense\n",
        );
        assert!(map.is_readable(0x1000, 0x3000) && map.is_readable(0x3fff, 1) && map.is_readable(0x1fff, 2));
        assert!(!map.is_readable(0xfff, 2) && !map.is_readable(0x3fff, 2) && !map.is_readable(0x4000, 1));
        assert!(map.is_writable(0x2000, 0x2000) && !map.is_writable(0x1fff, 2));
        assert!(map.is_writable(0x7f00_0000_0000, 0x1000) && !map.is_writable(0x7f00_0000_0000, 0x1001));
        assert!(!map.is_readable(u64::MAX, 2) && !map.is_readable(0x2000, u64::MAX) && map.is_readable(0, 0));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no maps")]
    fn own_memory_is_readable_and_constants_are_not_writable() {
        static CONSTANT: [u8; 4096] = [7; 4096];
        let (map, own) = (AccessMap::read().unwrap(), [0_u8; 100]);
        let own = own.as_ptr().addr() as u64;
        assert!(map.is_readable(own, 100) && map.is_writable(own, 100));
        let constant = CONSTANT.as_ptr().addr() as u64;
        assert!(map.is_readable(constant, 4096) && !map.is_writable(constant, 4096));
        assert!(!map.is_readable(8, 8));
    }
}
