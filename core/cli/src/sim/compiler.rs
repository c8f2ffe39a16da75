// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The compiler of an installation, `bisheng`: scripts that start this program, and CMake's language ASC.

use std::path::Path;

use super::layout::quoted;

/// Folders with the compiler by its names; builds look into either.
const PROGRAMS: [&str; 4] =
    ["bin/bisheng", "bin/ccec", "compiler/ccec_compiler/bin/bisheng", "compiler/ccec_compiler/bin/ccec"];

/// Files with their text, by path inside an installation at `home`; of those that are programs.
pub(super) fn programs(home: &Path) -> Vec<(String, String)> {
    let Ok(own) = std::env::current_exe() else { return Vec::new() };
    let word = |path: &Path| quoted(&path.display().to_string());
    let text = format!("#!/bin/sh\nexec {} kernel cc {} \"$@\"\n", word(&own), word(home));
    PROGRAMS.iter().map(|name| ((*name).to_owned(), text.clone())).collect()
}

/// The same of files for CMake.
pub(super) fn cmake() -> Vec<(String, String)> {
    let files = [
        ("asc-config.cmake", include_str!("cmake/asc-config.cmake")),
        ("CMakeASCCompiler.cmake.in", include_str!("cmake/CMakeASCCompiler.cmake.in")),
        ("CMakeASCInformation.cmake", include_str!("cmake/CMakeASCInformation.cmake")),
        ("CMakeDetermineASCCompiler.cmake", include_str!("cmake/CMakeDetermineASCCompiler.cmake")),
        ("CMakeTestASCCompiler.cmake", include_str!("cmake/CMakeTestASCCompiler.cmake")),
    ];
    files.map(|(name, text)| (format!("lib64/cmake/asc/{name}"), text.to_owned())).to_vec()
}
