// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Parser of libucp's printed output: its resources, and the ones that an endpoint uses.

use std::ffi::{CStr, c_char};

/// Returns the output of a printing function.
pub(super) fn print(write: impl FnOnce(*mut libc::FILE)) -> String {
    let (mut text, mut bytes): (*mut c_char, usize) = (std::ptr::null_mut(), 0);
    // SAFETY: places for both results, which live longer than the file.
    let file = unsafe { libc::open_memstream(&raw mut text, &raw mut bytes) };
    if file.is_null() {
        return String::new();
    }
    write(file);
    // SAFETY: open, and not used after this.
    unsafe { libc::fclose(file) };
    if text.is_null() {
        return String::new();
    }
    // SAFETY: closing has ended the text with a zero.
    let owned = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    // SAFETY: made by `open_memstream`, and not used after this.
    unsafe { libc::free(text.cast()) };
    owned
}

/// `#   resource 2 : md 1 dev 1 flags -- tcp/lo`
pub(super) fn resources_of(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains("resource "));
    let last = lines.filter_map(|line| line.split_whitespace().last());
    last.filter(|word| word.contains('/')).map(str::to_owned).collect()
}

/// `#   lane[1]:  1:tcp/lo.0 md[1]   -> md[1]/tcp/sysdev[255] rma_bw#0 am`
pub(super) fn lanes_of(text: &str) -> Vec<(String, String)> {
    let lanes = text.lines().filter_map(|line| line.split_once("lane["));
    lanes
        .filter_map(|(_, lane)| {
            let mut words = lane.split_whitespace().skip(1);
            let (_, resource) = words.next()?.split_once(':')?;
            let resource = resource.rsplit_once('.').map_or(resource, |(name, _)| name);
            let uses = words.skip_while(|word| *word != "->").skip(2).collect::<Vec<_>>().join(" ");
            Some((resource.to_owned(), uses))
        })
        .collect()
}

/// Returns true if the card behind a resource reads and writes memory without the processor of the peer.
pub(super) fn copies_by_itself(resource: &str) -> bool {
    resource.starts_with("rc_") || resource.starts_with("dc_")
}

/// Returns true if a resource sends over TCP.
pub(super) fn is_tcp(resource: &str) -> bool {
    resource.starts_with("tcp/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libucp_output_is_parsed() {
        let text = "#\n#  lane[0]:  0:self/memory0.0 md[0]          -> md[0]/self/sysdev[255] amo#0 am am_bw#0\n\
                    #  lane[1]:  7:rc_mlx5/mlx5_0:1.0 md[4]      -> md[4]/ib/sysdev[0] rma_bw#0\n";
        let lanes = lanes_of(text);
        assert_eq!(lanes[0], ("self/memory0".to_owned(), "amo#0 am am_bw#0".to_owned()));
        assert_eq!(lanes[1], ("rc_mlx5/mlx5_0:1".to_owned(), "rma_bw#0".to_owned()));
        let text = "#  lane[0]:  1:tcp/lo.0 md[1]   -> md[1]/tcp/sysdev[255] rma_bw#0 am\n";
        assert!(is_tcp(&lanes_of(text)[0].0) && !lanes.iter().any(|(resource, _)| is_tcp(resource)));
        let text = "#            resource 0  :  md 0  dev 0  flags -- self/memory0\n# memory: 1MB\n";
        assert_eq!(resources_of(text), ["self/memory0"]);
    }
}
