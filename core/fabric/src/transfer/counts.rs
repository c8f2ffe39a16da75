// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations that were handed to transports, counted where it costs an addition: how many, how much, how
//! many were refused; by transport and kind. How long they took is measured by `MF_NET_METRICS`.

use mf_base::sync::counters::Counters;

use crate::transport::choice::Engine;
use crate::transport::{OperationKind, Transport};

/// The operations of one kind over one transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The transport's name.
    pub transport: &'static str,
    /// What they are.
    pub kind: OperationKind,
    /// How many it took.
    pub operations: u64,
    /// How much those move.
    pub bytes: u64,
    /// How many it refused, for example because the peer is gone.
    pub refused: u64,
}

/// Those that have counters of their own; others count together behind them.
const CARRIERS: [Engine; 3] = [Engine::Cma, Engine::Ucx, Engine::Tcp];
/// Operations, bytes, refused.
const EACH: usize = 3;
const KINDS: usize = OperationKind::ALL.len();

static COUNTERS: Counters<{ EACH * KINDS * (CARRIERS.len() + 1) }> = Counters::new();

/// Where the operations of one transport count.
#[derive(Clone, Copy)]
pub(super) struct Carrier(usize);

impl Carrier {
    pub(super) fn of(transport: &dyn Transport) -> Self {
        let known = CARRIERS.iter().position(|engine| engine.as_str() == transport.name());
        Self(known.unwrap_or(CARRIERS.len()))
    }

    /// Counts an operation that was handed over.
    #[inline]
    pub(super) fn count(self, kind: OperationKind, bytes: u64, is_taken: bool) {
        let first = EACH * (self.0 * KINDS + kind as usize);
        if is_taken {
            COUNTERS.add_each([(first, 1), (first + 1, bytes)]);
        } else {
            COUNTERS.add(first + 2, 1);
        }
    }
}

/// What was handed to transports in this process since it began; kinds of which there was nothing are
/// missing. **Local.**
pub fn posted() -> Vec<Posted> {
    let named = CARRIERS.iter().map(|engine| engine.as_str()).chain(["other"]);
    let rows = named.enumerate().flat_map(|(carrier, transport)| {
        OperationKind::ALL.map(|kind| {
            let first = EACH * (carrier * KINDS + kind as usize);
            let [operations, bytes, refused] = [0, 1, 2].map(|more| COUNTERS.read(first + more));
            Posted { transport, kind, operations, bytes, refused }
        })
    });
    rows.filter(|row| row.operations + row.refused > 0).collect()
}
