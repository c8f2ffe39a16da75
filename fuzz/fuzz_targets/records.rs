// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Records that members read in the store: tables of pools, free ranges, records, cards, offers of groups,
//! UCX addresses.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mf_fabric::fuzzing::records(bytes));
