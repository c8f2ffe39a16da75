// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Counters of operations posted to transports, by transport and kind, at the cost of an addition: accepted
//! ones, their bytes, refused ones. `MF_NET_METRICS` measures durations.

use mf_base::sync::counters::Counters;
use mf_transport::{OperationKind, Transport};

use crate::choice::Engine;

/// The operations of one kind over one transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The transport's name.
    pub transport: &'static str,
    /// Kind of the operations.
    pub kind: OperationKind,
    /// Number of accepted operations.
    pub operations: u64,
    /// Bytes that these move.
    pub bytes: u64,
    /// Number of refused operations, for example because the peer has ended.
    pub refused: u64,
}

/// Engines with counters of their own; others count together behind them.
const COUNTED: [Engine; 3] = [Engine::Cma, Engine::Ucx, Engine::Tcp];
/// Operations, bytes, refused.
const EACH: usize = 3;
const KINDS: usize = OperationKind::ALL.len();

static COUNTERS: Counters<{ EACH * KINDS * (COUNTED.len() + 1) }> = Counters::new();

/// Counters of one transport.
#[derive(Clone, Copy)]
pub(crate) struct Counter(usize);

impl Counter {
    pub(crate) fn of(transport: &dyn Transport) -> Self {
        let known = COUNTED.iter().position(|engine| engine.as_str() == transport.name());
        Self(known.unwrap_or(COUNTED.len()))
    }

    /// Counts a posted operation.
    #[inline]
    pub(crate) fn count(self, kind: OperationKind, bytes: u64, is_taken: bool) {
        let first = EACH * (self.0 * KINDS + kind as usize);
        if is_taken {
            COUNTERS.add_each([(first, 1), (first + 1, bytes)]);
        } else {
            COUNTERS.add(first + 2, 1);
        }
    }
}

/// Returns the operations posted to transports in this process since it began; kinds without operations are
/// left out. **Local.**
pub fn posted() -> Vec<Posted> {
    let named = COUNTED.iter().map(|engine| engine.as_str()).chain(["other"]);
    let rows = named.enumerate().flat_map(|(counter, transport)| {
        OperationKind::ALL.map(|kind| {
            let first = EACH * (counter * KINDS + kind as usize);
            let [operations, bytes, refused] = [0, 1, 2].map(|more| COUNTERS.read(first + more));
            Posted { transport, kind, operations, bytes, refused }
        })
    });
    rows.filter(|row| row.operations + row.refused > 0).collect()
}
