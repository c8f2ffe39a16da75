// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Probes of the program's memory before a transport reads or writes it, since the program may have unmapped
//! it. A transport that met a hole would end the process, or the connection of all others.
//!
//! Long ranges that the kernel copies ([`Transport::finds_holes`](mf_transport::Transport::finds_holes))
//! are probed at their ends only. A hole between them ends a put with its connection, and other operations of
//! that connection may be retried; it ends a get alone
//! ([`Completion::guard`](mf_transport::Completion::guard)).

use mf_base::os::guarded::{self, Depth};
use mf_base::{Error, Result};

use mf_net::Member;
use mf_transport::Span;

/// Refuses spans with a local end that is not readable (put) or not writable (get).
///
/// # Errors
/// `InvalidParam`, with the place of the span in the list.
pub(crate) fn check(
    operation: &'static str,
    mut spans: impl Iterator<Item = (Span, Depth)> + Clone,
    is_put: bool,
) -> Result<(), (usize, Error)> {
    let range = |(span, depth): (Span, Depth)| {
        (span.local.expose_provenance(), usize::try_from(span.bytes).unwrap_or(usize::MAX), depth)
    };
    match guarded::first_hole(spans.clone().map(range), !is_put) {
        None => Ok(()),
        Some(number) => {
            let span = spans.nth(number);
            let (local, bytes) = span.map_or((std::ptr::null_mut(), 0), |(span, _)| (span.local, span.bytes));
            Err((
                number,
                hole(operation, is_put).with("address", format_args!("{local:p}")).with("bytes", bytes),
            ))
        }
    }
}

/// Returns true if a get of so many bytes into memory of the program must be guarded against holes between
/// its ends.
pub(super) fn is_guarded(member: &Member, bytes: u64) -> bool {
    /// Fewer are probed as a whole, at any address, with pages of any size.
    const LONG: u64 = 4096 * (guarded::FEW as u64 - 1);
    member.finds_holes && bytes > LONG
}

/// [`check`] of one span.
///
/// # Errors
/// `InvalidParam`.
pub(super) fn check_one(operation: &'static str, span: Span, is_put: bool, depth: Depth) -> Result<()> {
    check(operation, std::iter::once((span, depth)), is_put).map_err(|(_, error)| error)
}

#[cold]
fn hole(operation: &'static str, is_put: bool) -> Error {
    let what = match is_put {
        true => "the source is not readable here",
        false => "the destination is not writable here",
    };
    Error::invalid(operation, what)
}
