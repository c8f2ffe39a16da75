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
         C and Python calls return the code, and so does `smem_get_last_err_code`; the text of `smem_get_last_err_msg`\n\
         names the failure, the object or peer, the numbers and the remedy.\n\n\
         The end of the text says whether the same call may succeed again (`retry later`, `retry after reconnect`: when the\n\
         peer or the store is back, `retry at once`: the connection was given up because of another call, and the call may\n\
         have been done); so do `mfx_last_error_retry` and the attribute `retry` of the Python exceptions. The entries below\n\
         hold for most errors of a kind; a single error may differ.\n",
    );
    for kind in Kind::ALL {
        writeln!(page, "\n## {} ({})\n", kind.macro_name(), kind.code()).unwrap();
        writeln!(page, "Rust: `Kind::{kind:?}`. Means: {}.\n\nRemedy: {}.", kind.text(), kind.remedy())
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
