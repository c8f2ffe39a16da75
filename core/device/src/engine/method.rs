// SPDX-License-Identifier: Apache-2.0 OR MIT
//! By which method a large copy is moved.
//!
//! Which is fastest depends on the processor, its caches and the virtual machine around it, by up to a factor
//! of three in either direction, and no property of the machine shows it. So from some MiB on the first
//! copies of each size are measured ([`probe`]), from time to time again, and all others take the fastest.
//! `MF_STREAM_FROM` replaces the measurement by a fixed size.

mod probe;

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use super::config::{Config, STREAM_FROM, measured_from};
use super::stream;
use probe::{Probe, Trial};

/// Method of moving bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Method {
    /// By the C library, in pieces: through the caches.
    Cached = 0,
    /// Past the caches, several pages side by side.
    Pages = 1,
    /// Past the caches, one line after the other.
    Lines = 2,
}

impl Method {
    pub(super) const ALL: [Self; 3] = [Self::Cached, Self::Pages, Self::Lines];

    pub(super) const fn from_number(number: u8) -> Self {
        match number {
            1 => Self::Pages,
            2 => Self::Lines,
            _ => Self::Cached,
        }
    }

    /// Returns the number of pages that a streaming copy walks side by side; `None`: the copy goes through
    /// the caches.
    pub(super) const fn pages(self) -> Option<usize> {
        match self {
            Self::Cached => None,
            Self::Pages => Some(stream::PAGES),
            Self::Lines => Some(1),
        }
    }
}

/// Shape of a copy: one range, or a batch of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    One = 0,
    Batch = 1,
}

/// Classes of sizes: each twice the one before, from 2 MiB on; the last is 64 MiB and more.
const CLASSES: usize = 6;

/// Bytes of one size after which it is measured again, within these numbers of copies: the cost of measuring
/// is small against them.
const MEASURE_EVERY: usize = 16 << 30;
const MEASURE_EVERY_COPIES: (usize, usize) = (64, 4096);

/// One shape and size of copies.
struct Class {
    /// Number of the method; 255: the processor's default.
    chosen: AtomicU8,
    /// Copies until the next measurement; 0: it is running.
    left: AtomicU32,
    probe: Mutex<Probe>,
}

const UNKNOWN: u8 = u8::MAX;

static TABLE: [[Class; CLASSES]; 2] = [const {
    [const { Class { chosen: AtomicU8::new(UNKNOWN), left: AtomicU32::new(0), probe: Mutex::new(Probe::new()) } };
        CLASSES]
}; 2];

fn class_of(bytes: usize) -> usize {
    ((bytes / STREAM_FROM).max(1).ilog2() as usize).min(CLASSES - 1)
}

impl Class {
    fn chosen(&self, bytes: usize) -> Method {
        match self.chosen.load(Ordering::Relaxed) {
            UNKNOWN => super::config::by_processor(bytes),
            number => Method::from_number(number),
        }
    }
}

/// One copy, or a part of one: the method that it takes, and, when it is measured, since when.
pub(super) struct Turn {
    pub(super) method: Method,
    measured: Option<Measured>,
}

struct Measured {
    class: &'static Class,
    /// Of the whole copy.
    bytes: usize,
    probe: MutexGuard<'static, Probe>,
    trial: Trial,
    since: Instant,
}

/// Returns the class of a copy that may be measured; `None`: its method is fixed.
fn measured(shape: Shape, bytes: usize, config: &Config) -> Option<&'static Class> {
    let is_measured = stream::AVAILABLE && config.stream_from.is_none() && bytes >= measured_from();
    is_measured.then(|| &TABLE[shape as usize][class_of(bytes)])
}

/// Returns the settled method for a copy of `bytes` bytes, independent of a running measurement.
pub(super) fn settled(shape: Shape, bytes: usize, config: &Config) -> Method {
    match (measured(shape, bytes, config), config.stream_from) {
        (Some(class), _) => class.chosen(bytes),
        (None, Some(from)) if stream::AVAILABLE && bytes >= from => Method::Pages,
        (None, _) => Method::Cached,
    }
}

/// Returns true if copies of this size are being measured.
pub(super) fn measures(shape: Shape, bytes: usize, config: &Config) -> bool {
    measured(shape, bytes, config).is_some_and(|class| class.left.load(Ordering::Relaxed) == 0)
}

impl Turn {
    /// The next copy of `bytes` bytes, or the next part of one: of a size that is being measured it is one
    /// more trial, unless another thread measures at the moment.
    pub(super) fn begin(shape: Shape, bytes: usize, config: &Config) -> Self {
        let Some(class) = measured(shape, bytes, config) else {
            return Self { method: settled(shape, bytes, config), measured: None };
        };
        let left = class.left.load(Ordering::Relaxed);
        if left > 0 {
            // Two threads may both count down from the same number: then the next measurement comes later.
            class.left.store(left - 1, Ordering::Relaxed);
        } else if let Ok(mut probe) = class.probe.try_lock() {
            let trial = probe.next(class.chosen(bytes));
            let measured = Measured { class, bytes, probe, trial, since: Instant::now() };
            return Self { method: trial.method, measured: Some(measured) };
        }
        Self { method: class.chosen(bytes), measured: None }
    }

    /// The copy is done: so many bytes were moved.
    pub(super) fn end(self, moved: usize) {
        let Some(Measured { class, bytes, mut probe, trial, since }) = self.measured else { return };
        let nanos = u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let Some(fastest) = probe.report(trial, moved, nanos) else { return };
        class.chosen.store(fastest as u8, Ordering::Relaxed);
        let (fewest, most) = MEASURE_EVERY_COPIES;
        let copies = (MEASURE_EVERY / bytes).clamp(fewest, most);
        class.left.store(u32::try_from(copies).unwrap_or(u32::MAX), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_double_in_size() {
        assert_eq!(class_of(1), 0);
        assert_eq!(class_of(STREAM_FROM), 0);
        assert_eq!(class_of(2 * STREAM_FROM - 1), 0);
        assert_eq!(class_of(2 * STREAM_FROM), 1);
        assert_eq!(class_of(64 << 20), CLASSES - 1);
        assert_eq!(class_of(usize::MAX), CLASSES - 1);
    }

    #[test]
    fn size_is_measured_until_a_method_is_chosen() {
        if !stream::AVAILABLE {
            return;
        }
        let config = Config { stream_from: None, assist: mf_base::settings::Switch::Off };
        // A size and shape that no other test copies.
        let bytes = 40 << 20;
        let mut trials = 0;
        while measures(Shape::Batch, bytes, &config) {
            let turn = Turn::begin(Shape::Batch, bytes, &config);
            assert!(turn.measured.is_some());
            // While one thread measures, another uses the former choice.
            assert!(Turn::begin(Shape::Batch, bytes, &config).measured.is_none());
            let started = Instant::now();
            while turn.method != Method::Lines && started.elapsed().as_micros() < 200 {}
            turn.end(bytes);
            trials += 1;
        }
        assert_eq!(trials, Probe::TRIALS);
        let turn = Turn::begin(Shape::Batch, bytes, &config);
        assert!(turn.measured.is_none());
        assert_eq!(turn.method, settled(Shape::Batch, bytes, &config));
    }

    #[test]
    fn a_fixed_size_is_not_measured() {
        let config = Config { stream_from: Some(1 << 20), assist: mf_base::settings::Switch::Off };
        assert!(!measures(Shape::One, 8 << 20, &config));
        let streams = if stream::AVAILABLE { Method::Pages } else { Method::Cached };
        assert_eq!(settled(Shape::One, 8 << 20, &config), streams);
        assert_eq!(Turn::begin(Shape::One, 512 << 10, &config).method, Method::Cached);
    }
}
