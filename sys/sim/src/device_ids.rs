// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The three numbers of a device.
//!
//! *User* numbers are what programs pass: positions in `ASCEND_RT_VISIBLE_DEVICES`, or, without it, logical
//! numbers. *Logical* numbers count the devices of the server; *physical* ones are printed on the boards.
//! Here these two agree, and where a number must mean one device of the whole machine, the server's number
//! stands before it.

/// Most devices of a machine, over all its servers, and most servers.
pub const MOST_DEVICES: u32 = 1024;
/// Most devices of a server.
pub const MOST_OF_A_SERVER: u32 = 64;
/// Physical device numbers of a server start at its number times this.
pub const DEVICES_OF_A_SERVER: u32 = 4096;

/// The number of device `on_server` of `server` on the whole machine.
pub fn machine_wide(server: u32, on_server: u32) -> u32 {
    server * DEVICES_OF_A_SERVER + on_server
}

/// The number by which a super node knows a device: unique and stable. Assumed: chip and die count as the
/// device does.
pub fn super_node(server: u32, on_server: u32) -> u32 {
    server << SERVER_SHIFT | on_server << 16 | on_server
}

/// The server of a device that a super node knows by this number.
pub fn server_of(super_node: u32) -> u32 {
    super_node >> SERVER_SHIFT
}

const SERVER_SHIFT: u32 = 22;

/// The logical numbers a program sees, in the order of its user numbers. The list ends before the first entry
/// that is no number of a device. Assumed: or that was there before; so an empty list shows no device.
pub fn visible(list: Option<&str>, count: u32) -> Vec<u32> {
    let Some(list) = list else { return (0..count).collect() };
    let mut seen = Vec::new();
    for entry in list.split(',') {
        match entry.trim().parse() {
            Ok(device) if device < count && !seen.contains(&device) => seen.push(device),
            _ => break,
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn s3_user_numbers_are_positions_in_the_list() {
        assert_eq!(visible(None, 3), [0, 1, 2]);
        assert_eq!(visible(Some("2, 0"), 3), [2, 0]);
    }

    #[test]
    fn s3_an_invalid_entry_ends_the_list() {
        assert_eq!(visible(Some("1,x,0"), 3), [1]);
        assert_eq!(visible(Some("1,3,0"), 3), [1]);
        assert_eq!(visible(Some("1,-1,0"), 3), [1]);
        assert_eq!(visible(Some("1,1,0"), 3), [1]);
        assert!(visible(Some(""), 3).is_empty());
    }
}
