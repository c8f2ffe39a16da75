// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Variables of launchers, one NAME=value a line: a place that contradicts itself is refused.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| mf_bootstrap::fuzzing::launcher(text));
