// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Messages between members of a host, leaders of groups and UCX processes.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mf_fabric::fuzzing::messages(bytes));
