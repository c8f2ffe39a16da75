// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Two virtual machines with RDMA devices, which `tests/lab/rdma` starts: the test programs run in the
//! first and place members in both.

use std::process::Command;

/// Program that runs a command in a guest, `PROGRAM GUEST COMMAND…`; set by `tests/lab/rdma` alone.
pub const VARIABLE: &str = "MF_TEST_GUESTS";
/// Transport of the members there, by the name in `MF_TRANSPORTS`.
pub(crate) const TRANSPORT: &str = "ucx";
/// Number of the guests.
pub const COUNT: u32 = 2;

/// True if this program runs in the first guest.
pub fn are_used() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// The words of a command that runs in guest `number` what follows them; none for the first, which is this
/// machine.
pub fn through(number: u32) -> Vec<String> {
    match std::env::var(VARIABLE) {
        Ok(program) if number > 0 => vec![program, number.to_string()],
        _ => Vec::new(),
    }
}

/// Runs a command of the shell in a guest.
///
/// # Errors
/// Returns the command and its errors.
pub fn shell(number: u32, command: &str) -> Result<(), String> {
    let mut words = through(number);
    words.extend(["sh", "-c", command].map(str::to_owned));
    let output = Command::new(&words[0])
        .args(&words[1..])
        .output()
        .map_err(|error| format!("{}: {error}", words[0]))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command}: {}", String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ")))
}
