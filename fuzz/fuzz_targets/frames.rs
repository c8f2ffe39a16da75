// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bytes that arrive at a socket of the store: cut into frames, and each message read.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mf_store::fuzzing::frames(bytes));
