// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Counts of the calls of all exported functions.

use mf_abi::smem::{COUNT, SYMBOLS};
use mf_boundary::Calls;
use mf_job::metrics::table::{CALL_ERRORS, CALLS as CALLS_MADE};
use mf_job::metrics::{Sheet, add_source};

use crate::part::{self, CallCounts};

/// Counts of the functions `smem_*` and `mfx_*`.
pub(crate) static CALLS: Calls<COUNT> = Calls::new(SYMBOLS);

/// Returns calls and errors of every function that was called. Fast paths are not counted.
pub(crate) fn all() -> impl Iterator<Item = CallCounts> {
    CALLS.counts().chain(part::all().flat_map(|part| part.calls()))
}

/// Adds the counts to the metrics of the process.
pub(crate) fn add_to_metrics() {
    add_source(fill);
}

fn fill(sheet: &mut Sheet) {
    for (symbol, calls, errors) in all() {
        let labels = || vec![("function", symbol.name.to_string())];
        sheet.number(CALLS_MADE, labels(), calls);
        sheet.number(CALL_ERRORS, labels(), errors);
    }
}
