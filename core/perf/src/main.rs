// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The program `mf-perf`, which `mf` starts from its own folder.

use std::process::ExitCode;

fn main() -> ExitCode {
    mf_perf::main(std::env::args_os().collect()).into()
}
