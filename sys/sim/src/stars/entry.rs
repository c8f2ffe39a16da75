// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A task of the hardware scheduler, as 64 bytes in a submission queue. Pure.

use ascend_acl_sys::raw::types::{
    HAL_TASK_NOTIFY_RECORD, HAL_TASK_NOTIFY_WAIT, HAL_TASK_SDMA, HAL_TASK_TYPE_MASK, HAL_TASK_WRITE_VALUE,
};

use crate::product::Line;

/// Bytes of a task.
pub(super) const BYTES: usize = 64;

/// The only opcode of the copy engine that is a plain copy.
const OPCODE_COPY: u8 = 0;
/// Notify numbers are this wide.
const NOTIFY_MASK: u32 = 0x1fff;

/// Operation of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Sets a notify.
    Record {
        /// Its number.
        notify: u32,
    },
    /// Waits for a notify and takes it back.
    Wait {
        /// Its number.
        notify: u32,
        /// Seconds; 0: for ever.
        timeout: u32,
    },
    /// Writes an 8-byte word.
    Write {
        /// Destination address.
        address: u64,
        /// Value.
        value: u64,
    },
    /// Copies.
    Copy {
        /// From.
        source: u64,
        /// To.
        destination: u64,
        /// Number of bytes.
        bytes: u32,
    },
    /// None of these: refused when it runs.
    Unknown {
        /// The type.
        kind: u8,
        /// The opcode, for the copy engine.
        opcode: u8,
    },
}

/// A task as it was submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TaskEntry {
    /// Its operation.
    pub(super) work: Work,
    /// Number of its stream, for reports.
    pub(super) stream: u16,
    /// Its own number, for reports.
    pub(super) task: u16,
    /// Its type, for reports.
    pub(super) kind: u8,
}

/// Reads a task for a device of that line: the length of a copy stands at 28 on A2 and A3, at 48 on 950.
pub(super) fn parse(bytes: &[u8; BYTES], line: Line) -> TaskEntry {
    let kind = bytes[0] & HAL_TASK_TYPE_MASK;
    let work = match kind {
        HAL_TASK_NOTIFY_RECORD => Work::Record { notify: notify(bytes) },
        HAL_TASK_NOTIFY_WAIT => Work::Wait { notify: notify(bytes), timeout: word(bytes, 16) },
        HAL_TASK_WRITE_VALUE => write(bytes),
        HAL_TASK_SDMA if bytes[16] == OPCODE_COPY => {
            let length_at = if line == Line::A5 { 48 } else { 28 };
            Work::Copy {
                source: long(bytes, 32),
                destination: long(bytes, 40),
                bytes: word(bytes, length_at),
            }
        }
        _ => Work::Unknown { kind, opcode: bytes[16] },
    };
    TaskEntry { work, stream: half(bytes, 4), task: half(bytes, 6), kind }
}

/// Assumed: the number of a notify stands in the low bits of the word at 8.
fn notify(bytes: &[u8; BYTES]) -> u32 {
    word(bytes, 8) & NOTIFY_MASK
}

/// Assumed: address at 16, value at 32.
fn write(bytes: &[u8; BYTES]) -> Work {
    Work::Write { address: long(bytes, 16), value: long(bytes, 32) }
}

fn half(bytes: &[u8; BYTES], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn word(bytes: &[u8; BYTES], at: usize) -> u32 {
    u32::from(half(bytes, at)) | u32::from(half(bytes, at + 2)) << 16
}

fn long(bytes: &[u8; BYTES], at: usize) -> u64 {
    u64::from(word(bytes, at)) | u64::from(word(bytes, at + 4)) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_copy_is_read() {
        let mut bytes = [0; BYTES];
        bytes[0] = HAL_TASK_SDMA | 0x40;
        bytes[4..8].copy_from_slice(&[7, 0, 9, 1]);
        // As programs were seen to write it: opcode 0 under other bits.
        bytes[16..20].copy_from_slice(&0xde00_u32.to_le_bytes());
        bytes[28..32].copy_from_slice(&4096_u32.to_le_bytes());
        bytes[32..40].copy_from_slice(&0x1200_0000_1000_u64.to_le_bytes());
        bytes[40..48].copy_from_slice(&0x1400_0000_2000_u64.to_le_bytes());
        let work = Work::Copy { source: 0x1200_0000_1000, destination: 0x1400_0000_2000, bytes: 4096 };
        assert_eq!(parse(&bytes, Line::A3), TaskEntry { work, stream: 7, task: 265, kind: HAL_TASK_SDMA });
    }

    #[test]
    fn a_copy_of_the_950_has_its_length_in_word_12() {
        // As a program was seen to write it.
        let words = [
            0xb,
            0x1,
            0,
            0xfd_0000,
            0xf00,
            0x3000_0000,
            0x1_001f,
            0x1_001f,
            0,
            0x1200,
            0x78a0_0000,
            0x1139,
            0x20_0000,
            0,
            0,
            0_u32,
        ];
        let mut bytes = [0; BYTES];
        for (at, word) in words.into_iter().enumerate() {
            bytes[4 * at..][..4].copy_from_slice(&word.to_le_bytes());
        }
        let work = Work::Copy { source: 0x1200_0000_0000, destination: 0x1139_78a0_0000, bytes: 0x20_0000 };
        assert_eq!(parse(&bytes, Line::A5), TaskEntry { work, stream: 1, task: 0, kind: HAL_TASK_SDMA });
        assert_ne!(parse(&bytes, Line::A3).work, work);
    }

    #[test]
    fn unknown_types_and_opcodes_are_kept_for_the_report() {
        let mut bytes = [0; BYTES];
        bytes[0] = 63;
        assert_eq!(parse(&bytes, Line::A3).work, Work::Unknown { kind: 63, opcode: 0 });
        bytes[0] = HAL_TASK_SDMA;
        bytes[16] = 3;
        assert_eq!(parse(&bytes, Line::A3).work, Work::Unknown { kind: HAL_TASK_SDMA, opcode: 3 });
    }
}
