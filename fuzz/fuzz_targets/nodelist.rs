// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The list of hosts of a Slurm job.

#![no_main]

libfuzzer_sys::fuzz_target!(|list: &str| mf_bootstrap::fuzzing::first_host(list));
