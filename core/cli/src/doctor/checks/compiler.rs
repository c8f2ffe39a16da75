// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kernel compilers, and built-in kernels.

use mf_device_kernels::compile::host::Compiler;

use crate::kernel::{SIMULATOR, built_in};

use super::super::finding::Finding;

/// CompilerFacts about compilers.
#[derive(Clone, Debug)]
pub(in super::super) struct CompilerFacts {
    /// The compiler of this host: its command and version, or the reason for its absence.
    pub(in super::super) compiler: Result<String, String>,
    /// True if `CXX` names it.
    pub(in super::super) is_named: bool,
    /// Why this build has no kernels for the simulator; none: it has.
    pub(in super::super) lacks_kernels: Option<String>,
}

/// Tries the compilers.
pub(in super::super) fn gather() -> CompilerFacts {
    let named = std::env::var_os("CXX").filter(|name| !name.is_empty());
    let is_named = named.is_some();
    let compiler =
        Compiler::find(named).map(|found| format!("{}: {}", found.command.to_string_lossy(), found.version));
    CompilerFacts { compiler, is_named, lacks_kernels: built_in(SIMULATOR).err() }
}

/// Decides if kernels can be compiled for the simulator.
pub(in super::super) fn diagnose(facts: &CompilerFacts) -> Vec<Finding> {
    let compiler = match &facts.compiler {
        Ok(text) => Finding::ok(format!("kernels for the simulator are compiled by {text}")),
        Err(reason) if facts.is_named => Finding::warning(
            format!("CXX names a compiler that cannot be used: {reason}"),
            "unset CXX, or correct it",
        ),
        Err(reason) => Finding::note(format!("kernels cannot be compiled for the simulator: {reason}"))
            .remedy("apt-get install g++ (Debian), or set CXX"),
    };
    let built_in = facts.lacks_kernels.as_ref().map(|reason| {
        Finding::note(format!("this build has no kernels of its own for the simulator: {reason}"))
            .remedy("build again where a C++ compiler is")
    });
    std::iter::once(compiler).chain(built_in).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::Severity::{self, Good, Note, Warning};
    use super::super::super::finding::severities;
    use super::*;

    type Row<'a> = (Result<String, String>, bool, Option<&'a str>, &'a [Severity]);

    #[test]
    fn a_compiler_is_needed_for_own_kernels_only() {
        let found = || Ok("c++: 12".to_owned());
        let none = || Err("there is none".to_owned());
        let table: [Row<'_>; 4] = [
            (found(), false, None, &[Good]),
            (found(), true, Some("no compiler"), &[Good, Note]),
            (none(), false, None, &[Note]),
            (none(), true, None, &[Warning]),
        ];
        for (compiler, is_named, lacks, expected) in table {
            let facts = CompilerFacts { compiler, is_named, lacks_kernels: lacks.map(str::to_owned) };
            assert_eq!(severities(&diagnose(&facts)), expected, "{facts:?}");
        }
    }
}
