// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The library of the plain names, `liboshmem.so` (`core/oshmem/entries.S`, linked by
//! `scripts/lib/oshmem.sh`), for programs that link without our header, or look up a name at run time.
//!
//! Each name is one jump through the table of addresses to the symbol in the real library, so arguments and
//! results of every type pass untouched, and a function that replaces the symbol is called by the plain name
//! as well. A twin goes to the twin's symbol: a tool that replaced a function calls the twin, which must not
//! lead back to the tool.

use crate::{Row, openshmem};

/// An entry: its name, and the symbol that it jumps to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameEntry {
    /// The plain name.
    pub name: String,
    /// The symbol.
    pub symbol: String,
}

/// Returns every entry: all names of the standard, names outside of it, extensions, and the twins.
pub fn entries() -> Vec<NameEntry> {
    let mut entries = Vec::new();
    for function in openshmem::rows().flat_map(Row::functions) {
        let (symbol, twin) = (function.symbol(), function.twin_symbol());
        if let Some(name) = function.extension() {
            entries.push(NameEntry { name: format!("p{name}"), symbol: twin.clone() });
            entries.push(NameEntry { name, symbol: symbol.clone() });
        }
        entries.push(NameEntry { name: function.twin(), symbol: twin });
        entries.push(NameEntry { name: function.name, symbol });
    }
    entries.sort();
    entries
}
