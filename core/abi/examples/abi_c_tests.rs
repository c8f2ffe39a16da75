// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Writes the list of symbols and the C tests of functions and layouts into a folder: `abi_c_tests FOLDER`.
//! `tests/c/run.sh` compiles them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use mf_abi::Symbol;
use mf_abi::checks::check_of;
use mf_abi::header::symbols;
use mf_abi::smem::{CONSTANTS, DATA, STRUCTS, SYMBOLS, TYPES};

/// The declarations of these headers replace the present ones, so they have a C test of their own.
const OLD_ERA: &str = "smem/compat2025/";

fn includes<'a>(headers: impl IntoIterator<Item = &'a str>) -> String {
    headers.into_iter().fold(String::new(), |text, header| text + "#include \"" + header + "\"\n")
}

/// Returns the test that each function has the type of its row, is exported, and refuses nulls and an
/// invalid handle.
fn exports(is_old: bool) -> String {
    let rows: Vec<&Symbol> =
        SYMBOLS.iter().filter(|symbol| symbol.header.starts_with(OLD_ERA) == is_old).collect();
    let mut known = BTreeSet::new();
    let headers: Vec<&str> =
        rows.iter().map(|symbol| symbol.header).filter(|header| known.insert(*header)).collect();
    let (mut functions, mut calls) = (String::new(), String::new());
    for (number, header) in headers.iter().enumerate() {
        let checks: String =
            rows.iter().filter(|symbol| symbol.header == *header).map(|symbol| check_of(symbol)).collect();
        let _ = write!(functions, "\n/* {header} */\nstatic void part_{number}(void)\n{{\n{checks}}}\n");
        let _ = writeln!(calls, "    part_{number}();");
    }
    format!(
        "{}\n#include \"check.h\"\n#include \"check_exports.h\"\n{functions}\n\
         int main(void)\n{{\n{calls}    return check_result();\n}}\n",
        includes(headers)
    )
}

/// Returns the test of sizes, offsets and constants, which fails while compiling.
fn layout() -> String {
    let mut body = String::new();
    for layout in STRUCTS.iter().filter(|layout| !layout.rust.ends_with("V0")) {
        let name = layout.c[0];
        let _ = writeln!(body, "\nSIZE({name}, {}, {});", layout.size, layout.align);
        for field in layout.fields {
            let _ = writeln!(body, "AT({name}, {}, {}, {});", field.c, field.offset, field.size);
        }
        for other in &layout.c[1..] {
            let _ = writeln!(body, "BYTES({other}, {});", layout.size);
        }
    }
    for (_, names, bytes) in TYPES {
        for name in names.iter().filter(|name| !name.contains([' ', '('])) {
            let _ = writeln!(body, "BYTES({name}, {bytes});");
        }
    }
    for (name, value) in CONSTANTS {
        let suffix = if *value > i128::from(i32::MAX) { "LL" } else { "" };
        let _ = writeln!(body, "IS({name}, {value}{suffix});");
    }
    let headers: BTreeSet<&str> =
        SYMBOLS.iter().map(|symbol| symbol.header).filter(|header| !header.starts_with(OLD_ERA)).collect();
    format!(
        "{}\n#include \"check.h\"\n#include \"check_layout.h\"\n{body}\n\
         int main(void)\n{{\n    CHECK(smem_get_abi_version() == SMEM_ABI_VERSION);\n    return check_result();\n}}\n",
        includes(headers)
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("usage: abi_c_tests FOLDER")?);
    fs::create_dir_all(&folder)?;
    let listed = symbols(SYMBOLS).map_err(|name| format!("{name} is in two rows"))?;
    fs::write(folder.join("symbols.txt"), DATA.iter().fold(listed, |text, name| text + name + "\n"))?;
    fs::write(folder.join("exports.c"), exports(false))?;
    fs::write(folder.join("exports_2025.c"), exports(true))?;
    fs::write(folder.join("layout.c"), layout())?;
    Ok(())
}
