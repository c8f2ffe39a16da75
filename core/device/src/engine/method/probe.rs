// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Selects the fastest method for copies of one size from measurements. Pure: no clock, no memory.
//!
//! Each method is tried twice in a row and only the second time counts: it then meets its own state of the
//! caches. [`ROUNDS`] rounds are made, and of each method the fastest trial counts, as any disturbance of a
//! copy only makes it slower. The method in use is only replaced by one that is clearly faster.

use super::Method;

const ROUNDS: u32 = 5;
/// Another method must be so much faster than the one in use.
const CLEARLY: f64 = 1.05;

const METHODS: usize = Method::ALL.len();
/// Number of copies in a round.
const ROUND: u32 = 6;
const _: () = assert!(ROUND as usize == 2 * METHODS);

/// One copy by a given method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trial {
    pub(super) method: Method,
    /// The second in a row.
    counts: bool,
}

/// The state of one measurement; it starts anew after its result.
#[derive(Debug)]
pub(super) struct Probe {
    done: u32,
    in_use: Method,
    /// Bytes per nanosecond of the fastest trial of each method.
    fastest: [f64; METHODS],
}

impl Probe {
    /// Number of copies in a measurement.
    pub(super) const TRIALS: u32 = ROUNDS * ROUND;

    pub(super) const fn new() -> Self {
        Self { done: 0, in_use: Method::Cached, fastest: [0.0; METHODS] }
    }

    /// The next trial. `in_use` is the method that copies take at present: the first trials are its own.
    pub(super) fn next(&mut self, in_use: Method) -> Trial {
        if self.done == 0 {
            self.in_use = in_use;
            self.fastest = [0.0; METHODS];
        }
        let turn = (self.done / 2) as usize + self.in_use as usize;
        Trial { method: Method::ALL[turn % METHODS], counts: self.done % 2 == 1 }
    }

    /// The trial moved `bytes` in `nanos` nanoseconds; returns the method to take from now on after the last
    /// one.
    pub(super) fn report(&mut self, trial: Trial, bytes: usize, nanos: u64) -> Option<Method> {
        if trial.counts {
            let rate = bytes as f64 / nanos.max(1) as f64;
            let fastest = &mut self.fastest[trial.method as usize];
            *fastest = fastest.max(rate);
        }
        self.done += 1;
        if self.done < Self::TRIALS {
            return None;
        }
        self.done = 0;
        let rate = |method: Method| self.fastest[method as usize];
        let fastest =
            Method::ALL.into_iter().max_by(|&a, &b| rate(a).total_cmp(&rate(b))).unwrap_or(self.in_use);
        Some(if rate(fastest) > rate(self.in_use) * CLEARLY { fastest } else { self.in_use })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BYTES: usize = 1 << 20;

    /// Runs a whole measurement on a machine with given rates of the methods, in bytes per microsecond;
    /// `noise` slows the trials of one round.
    fn measured(probe: &mut Probe, in_use: Method, rates: [u64; METHODS], noise: Option<u32>) -> Method {
        for round in 0..Probe::TRIALS {
            let trial = probe.next(in_use);
            let slowed = if noise == Some(round / ROUND) { 7 } else { 1 };
            let nanos = BYTES as u64 * 1000 * slowed / rates[trial.method as usize];
            if let Some(chosen) = probe.report(trial, BYTES, nanos) {
                assert_eq!(round + 1, Probe::TRIALS);
                return chosen;
            }
        }
        panic!("no result after all trials");
    }

    #[test]
    fn fastest_method_is_chosen_whichever_is_in_use() {
        for in_use in Method::ALL {
            for (fastest, method) in Method::ALL.into_iter().enumerate() {
                let mut rates = [10_000; METHODS];
                rates[fastest] = 20_000;
                assert_eq!(measured(&mut Probe::new(), in_use, rates, None), method);
            }
        }
    }

    #[test]
    fn a_small_gain_changes_nothing() {
        for in_use in Method::ALL {
            let mut rates = [10_400; METHODS];
            rates[in_use as usize] = 10_000;
            assert_eq!(measured(&mut Probe::new(), in_use, rates, None), in_use);
        }
    }

    #[test]
    fn a_disturbed_round_decides_nothing() {
        for round in 0..ROUNDS {
            let rates = [10_000, 20_000, 15_000];
            assert_eq!(measured(&mut Probe::new(), Method::Cached, rates, Some(round)), Method::Pages);
        }
    }

    #[test]
    fn next_measurement_finds_the_new_fastest_method() {
        let mut probe = Probe::new();
        assert_eq!(measured(&mut probe, Method::Cached, [10_000, 20_000, 9_000], None), Method::Pages);
        assert_eq!(measured(&mut probe, Method::Pages, [10_000, 2_000, 9_000], None), Method::Cached);
    }

    proptest! {
        #[test]
        fn chosen_method_is_never_clearly_slower(rates in prop::array::uniform3(1_000u64..50_000), in_use in 0u8..3) {
            let chosen = measured(&mut Probe::new(), Method::from_number(in_use), rates, None);
            let most = rates.into_iter().max().unwrap_or(0) as f64;
            prop_assert!(rates[chosen as usize] as f64 * CLEARLY * 1.001 >= most);
        }
    }
}
