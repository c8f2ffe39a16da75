// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rows of the kernel's tables in `/proc`.

/// Returns a row of `/proc/meminfo` in bytes.
pub fn meminfo(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    kernel_row(&text, name)
}

/// Returns a row of the status of a process, such as `VmRSS`, in bytes; 0 if it has ended.
pub fn process_bytes(process: u32, name: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    kernel_row(&text, name).unwrap_or(0)
}

/// Returns a row `NAME: 123 kB` of a table of the kernel, in bytes.
pub fn kernel_row(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kib: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_full_name() {
        assert_eq!(kernel_row("MemTotal:   16 kB\nMemTotalX: 1 kB\n", "MemTotal"), Some(16 << 10));
        assert_eq!(kernel_row("HugePages_Total:       0\n", "HugePages_Total"), None);
    }
}
