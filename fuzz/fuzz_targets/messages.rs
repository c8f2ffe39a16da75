// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What members of a host, leaders of groups and UCX processes say to each other.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mf_fabric::fuzzing::messages(bytes));
