// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The program `mf`, and by other names `oshrun` and `mfcli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(mf_cli::main(std::env::args_os().collect()))
}
