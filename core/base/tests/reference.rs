// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `docs/settings.md` and `docs/errors.md` are written from the tables in the code. This test compares them;
//! with `MF_TEST_REGENERATE=1` it writes them (`scripts/regen_docs`).

#![expect(clippy::unwrap_used, reason = "a test; helpers outside of test functions may fail it, too")]

use std::fmt::Write as _;
use std::path::PathBuf;

use mf_base::Kind;
use mf_base::settings::TABLE;

fn settings() -> String {
    let mut page = String::from(
        "# Settings\n\nGenerated from the table in `core/base/src/settings.rs` by `scripts/regen_docs`; do not edit.\n\n\
         A value comes from the argument of a call, else the environment, else the file named by `MF_SETTINGS_FILE`\n\
         (lines `MF_NAME=value`), else the default. `mf info --settings` prints every value and where it came from.\n\
         Unknown names that start with `MF_` are reported, with the known one that they resemble.\n\n\
         | setting | default | older names | meaning |\n|---|---|---|---|\n",
    );
    for key in TABLE {
        let default = if key.default.is_empty() { "(empty)" } else { key.default };
        let aliases = if key.aliases.is_empty() { "-".to_owned() } else { key.aliases.join(", ") };
        writeln!(page, "| `{}` | {default} | {aliases} | {} |", key.name, key.doc).unwrap();
    }
    page
}

fn errors() -> String {
    let mut page = String::from(
        "# Error catalogue\n\nGenerated from the table in `core/base/src/error.rs` by `scripts/regen_docs`; do not edit.\n\n\
         The code is what a C or Python call returns and what `smem_get_last_err_code` gives; the text of\n\
         `smem_get_last_err_msg` says what happened, to whom, with numbers, and what to do.\n\n\
         Whether the same call may succeed when it is made again stands at the end of the text (`retry later`, `retry after\n\
         reconnect`: when the peer or the store is back, `retry at once`: the connection was given up because of another call, and\n\
         the call may have been done), in `mfx_last_error_retry` and in the attribute `retry` of the Python exceptions. Below\n\
         is what holds for most errors of a kind; a single error may say otherwise.\n",
    );
    for kind in Kind::ALL {
        writeln!(page, "\n## {} ({})\n", kind.macro_name(), kind.code()).unwrap();
        writeln!(page, "Rust: `Kind::{kind:?}`. Means: {}.\n\nWhat to do: {}.", kind.text(), kind.remedy())
            .unwrap();
        let retry = if kind.retry().text().is_empty() { "no retry" } else { kind.retry().text() };
        writeln!(page, "\nTrying again: {retry}.").unwrap();
    }
    page
}

fn compare(name: &str, expected: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("MF_TEST_REGENERATE").is_some() {
        std::fs::write(&path, expected).unwrap();
    }
    let present = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(present == expected, "docs/{name} is out of date: run scripts/regen_docs");
}

#[test]
fn the_settings_reference_is_current() {
    compare("settings.md", &settings());
}

#[test]
fn the_error_catalogue_is_current() {
    compare("errors.md", &errors());
}

#[test]
fn codes_of_errors_are_those_of_the_c_interface() {
    for kind in Kind::ALL {
        let known = (kind.macro_name(), i128::from(kind.code()));
        assert!(mf_abi::smem::CONSTANTS.contains(&known), "{known:?}");
    }
}
