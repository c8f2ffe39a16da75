// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A wish where to listen, and a machine with interfaces.

#![no_main]

use mf_tcp::fuzzing;

libfuzzer_sys::fuzz_target!(|text: &str| fuzzing::nic(text));
