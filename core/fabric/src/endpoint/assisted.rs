// SPDX-License-Identifier: Apache-2.0 OR MIT
//! An accelerator for copies between host memory here and device memory of another process of this host: it
//! imports that memory. It is opened when a copy is long enough, as that takes a part of a second and memory
//! of the accelerator.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use mf_device::{Device, Locality};
use mf_transport::{OnDevice, Span};

use super::{Allocation, Endpoint};

/// Opens the accelerator; `None` if this process has none that reaches the memory.
pub type Open = Box<dyn Fn() -> Option<Arc<dyn Device>> + Send + Sync>;

/// Copies of so many bytes open it.
pub const LEAST_BYTES: u64 = 256 << 10;
/// Longer memory is not registered with it.
const REGISTERED_BYTES_MAX: u64 = 1 << 30;

/// An accelerator that may be opened.
pub(super) struct Assistant {
    open: Open,
    opened: OnceLock<Option<Opened>>,
}

struct Opened {
    device: Arc<dyn Device>,
    /// Memory of this process that is registered with it; ends before the memory.
    _registered: Vec<(Box<dyn Any + Send + Sync>, Arc<Allocation>)>,
}

impl Assistant {
    pub(super) fn new(open: Open) -> Self {
        Self { open, opened: OnceLock::new() }
    }

    /// The accelerator, for spans that are long enough, or once it is open.
    pub(super) fn serve(&self, endpoint: &Endpoint, spans: &[Span]) -> Option<OnDevice<'_>> {
        let is_long = || {
            let bytes = spans.iter().fold(0_u64, |sum, span| sum.saturating_add(span.bytes));
            bytes >= LEAST_BYTES
        };
        let opened = match self.opened.get() {
            Some(opened) => opened.as_ref(),
            None if is_long() => self.opened.get_or_init(|| self.begin(endpoint)).as_ref(),
            None => None,
        };
        let mover = opened?.device.mover()?;
        Some(OnDevice { mover, local: Locality::Host })
    }

    #[cold]
    fn begin(&self, endpoint: &Endpoint) -> Option<Opened> {
        let device = (self.open)()?;
        let mover = device.mover()?;
        let registered = |memory: Arc<Allocation>| {
            let range = (memory.start(), memory.bytes());
            Some((mover.registered(range.0, range.1)?, memory))
        };
        let all = endpoint.regions.allocations().into_iter();
        let all = all.filter(|memory| memory.bytes() <= REGISTERED_BYTES_MAX);
        let registered = all.filter_map(registered).collect();
        Some(Opened { device, _registered: registered })
    }
}
