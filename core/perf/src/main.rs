// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The program `mf-perf`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(mf_perf::main(std::env::args_os().collect()))
}
