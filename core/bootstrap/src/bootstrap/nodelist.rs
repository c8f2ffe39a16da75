// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Node lists as Slurm writes them: `gpu[001-016,020],login2`, `rack[1-2]node[05-06]`.
//!
//! Names are separated by commas outside of brackets. Brackets hold numbers and ranges of numbers, separated
//! by commas; leading zeros belong to the name. Several brackets in a name mean every combination, the last
//! one running fastest, so the first host has the first number of each.

/// Longest name of a host, in bytes.
const MAX_HOST_BYTES: usize = 255;

/// Returns the first host of `list`.
///
/// # Errors
/// A description of the fault; all of the list is read, so that a damaged list is not taken for a short one.
pub(crate) fn first_host(list: &str) -> Result<String, String> {
    let mut first = None;
    for name in names(list)? {
        let host = first_of(name)?;
        first.get_or_insert(host);
    }
    first.ok_or_else(|| "it is empty".to_owned())
}

/// Splits at the commas outside of brackets.
fn names(list: &str) -> Result<Vec<&str>, String> {
    let (mut names, mut start, mut inside) = (Vec::new(), 0, false);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'[' if inside => return Err("a bracket opens inside of another".to_owned()),
            b']' if !inside => return Err("a bracket closes that was not opened".to_owned()),
            b'[' => inside = true,
            b']' => inside = false,
            b',' if !inside => {
                names.extend(list.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    if inside {
        return Err("a bracket is not closed".to_owned());
    }
    names.extend(list.get(start..));
    Ok(names)
}

/// Expands the brackets of a name and returns its first host.
fn first_of(name: &str) -> Result<String, String> {
    let mut host = String::new();
    let mut rest = name;
    while let Some((plain, bracket)) = rest.split_once('[') {
        // `names` has seen that every bracket is closed.
        let (numbers, tail) = bracket.split_once(']').unwrap_or((bracket, ""));
        host.push_str(plain);
        host.push_str(first_number(numbers)?);
        rest = tail;
    }
    host.push_str(rest);
    let usable = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    if host.is_empty() || host.len() > MAX_HOST_BYTES || !host.bytes().all(usable) {
        return Err("it does not consist of names of hosts".to_owned());
    }
    Ok(host)
}

/// The first of the numbers and ranges in a bracket, as text.
fn first_number(numbers: &str) -> Result<&str, String> {
    let mut first = None;
    for part in numbers.split(',') {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let number =
            |text: &str| text.parse::<u64>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        match (number(low), number(high)) {
            (Some(from), Some(to)) if from <= to => {
                first.get_or_insert(low);
            }
            _ => return Err("a bracket does not hold numbers and ranges of numbers".to_owned()),
        }
    }
    first.ok_or_else(|| "a bracket is empty".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn first_hosts_are_found() {
        for (list, first) in [
            ("node1", "node1"),
            ("node1,node2", "node1"),
            ("node[1-4]", "node1"),
            ("node[001-016,020],login2", "node001"),
            ("gpu[7,3-5]", "gpu7"),
            ("rack[1-2]node[05-06]", "rack1node05"),
            ("rack[1-2]node[05-06]-ib", "rack1node05-ib"),
            ("n[5]", "n5"),
            ("node-a.example.org", "node-a.example.org"),
            ("10.0.0.7,10.0.0.8", "10.0.0.7"),
            ("10.0.0.[7-8]", "10.0.0.7"),
            ("[1-3]", "1"),
        ] {
            assert_eq!(first_host(list).as_deref(), Ok(first), "{list}");
        }
    }

    #[test]
    fn damaged_lists_are_refused() {
        for (list, part) in [
            ("", "names of hosts"),
            (",", "names of hosts"),
            ("node1,", "names of hosts"),
            (",node1", "names of hosts"),
            ("node[1-4", "not closed"),
            ("node1,node[2", "not closed"),
            ("node1-4]", "not opened"),
            ("node[[1]]", "inside of another"),
            ("node[]", "numbers"),
            ("node[1,]", "numbers"),
            ("node[a-b]", "numbers"),
            ("node[4-1]", "numbers"),
            ("node[1-2-3]", "numbers"),
            ("node[-1]", "numbers"),
            ("node[+1]", "numbers"),
            ("node[99999999999999999999]", "numbers"),
            ("no de", "names of hosts"),
            ("node1;reboot", "names of hosts"),
            ("n\u{f6}de", "names of hosts"),
        ] {
            let error = first_host(list).unwrap_err();
            assert!(error.contains(part), "{list}: {error}");
        }
        assert!(first_host(&"n".repeat(MAX_HOST_BYTES + 1)).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(list in "[\\[\\],a0-9\\-]{0,40}") {
            if let Ok(host) = first_host(&list) {
                prop_assert!(!host.is_empty() && !host.contains(['[', ']', ',']));
            }
        }

        #[test]
        fn ranges_begin_with_their_first(prefix in "[a-z]{1,8}", low in 0u32..9999, more in 0u32..9999, width in 0usize..6) {
            let list = format!("{prefix}[{low:0width$}-{:0width$}],other", low + more);
            prop_assert_eq!(first_host(&list), Ok(format!("{prefix}{low:0width$}")));
        }
    }
}
