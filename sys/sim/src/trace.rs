// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The call trace: one JSON object a line for each call of an exported function that returns a number.
//!
//! ```text
//! {"ns":81230001,"process":412,"thread":413,"call":"aclrtFree","args":{"devPtr":"0x0"},"us":3,"result":100000,"error":"devPtr
//! is null"}
//! ```
//! `ns` is the monotonic clock when the call ended, which is the same in all processes; `us` is how long it
//! took. Each line is one write to a file opened for appending, so processes may share the file.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use mf_base::os::descriptor;

use crate::arg::Arg;
use crate::codes::acl;
use crate::fault::{Fault, Outcome};

pub(crate) struct Trace(File);

impl Trace {
    pub(crate) fn open(path: &Path) -> Outcome<Self> {
        descriptor::open_file(File::options().append(true).create(true), path).map(Self).map_err(|e| {
            Fault::new(
                acl::INVALID_PARAM,
                format_args!("ASCEND_SIM_TRACE={} cannot be opened: {e}", path.display()),
            )
        })
    }

    pub(crate) fn write(&self, name: &str, args: &[(&'static str, Arg)], fault: Option<&Fault>, since: u64) {
        let now = nanoseconds();
        let (process, thread) = (std::process::id(), rustix::thread::gettid().as_raw_nonzero());
        let mut line =
            format!(r#"{{"ns":{now},"process":{process},"thread":{thread},"call":"{name}","args":{{"#);
        for (index, (name, arg)) in args.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            // Writing to a string cannot fail; nor below.
            let _ = match arg {
                Arg::Pointer(address) => write!(line, r#"{comma}"{name}":"{address:#x}""#),
                Arg::Number(number) => write!(line, r#"{comma}"{name}":{number}"#),
                Arg::Opaque => write!(line, r#"{comma}"{name}":null"#),
            };
        }
        let micros = now.saturating_sub(since) / 1000;
        let _ = write!(line, r#"}},"us":{micros},"result":{}"#, fault.map_or(0, |fault| fault.code));
        if let Some(fault) = fault {
            line.push_str(r#","error":"#);
            quote(&mut line, &fault.text);
        }
        line.push_str("}\n");
        // A full disk must not affect the program.
        let _ = (&self.0).write(line.as_bytes());
    }
}

/// The monotonic clock.
pub(crate) fn nanoseconds() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let parts = [u64::try_from(now.tv_sec), u64::try_from(now.tv_nsec)].map(Result::unwrap_or_default);
    parts[0] * 1_000_000_000 + parts[1]
}

/// Appends a JSON string.
fn quote(line: &mut String, text: &str) {
    line.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => line.extend(['\\', character]),
            '\u{0}'..' ' => {
                let _ = write!(line, "\\u{:04x}", u32::from(character));
            }
            _ => line.push(character),
        }
    }
    line.push('"');
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_are_quoted() {
        let mut line = String::new();
        super::quote(&mut line, "a \"b\" \\ \n é");
        assert_eq!(line, r#""a \"b\" \\ \u000a é""#);
    }
}
