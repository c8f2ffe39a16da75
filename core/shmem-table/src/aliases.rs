// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Macros of later CANN SHMEM headers that map the names of the first generations to the present names.
//!
//! They are macros of that header only, not symbols: 231 of them are names of the standard, too.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Release, Row, cann};

/// Functions of the extended family with an alias in the plain family.
const PLAIN: &str = "init_attr init_status get_uniqueid set_attr_uniqueid_args set_conf_store_tls \
    set_config_store_tls_key set_extern_logger set_log_level putmem_signal putmem_signal_nbi signal_op_on_stream \
    signal_wait_until_on_stream handle_wait";

/// Functions with other irregular former names.
const RENAMED: [(&str, &str); 4] = [
    ("shmem_mte_set_ub_params", "aclshmemx_set_mte_config"),
    ("shmem_set_mte_config", "aclshmemx_set_mte_config"),
    ("shmem_rdma_set_ub_params", "aclshmemx_set_rdma_config"),
    ("shmemx_get_ffts_config", "util_get_ffts_config"),
];

/// Former names of typed functions: the parts before and behind the element.
const TYPED: [(&str, &str, &str); 6] = [
    ("aclshmem_NAME_put", "shmem_put_", "_mem"),
    ("aclshmem_NAME_put_nbi", "shmem_put_", "_mem_nbi"),
    ("aclshmem_NAME_get", "shmem_get_", "_mem"),
    ("aclshmem_NAME_get_nbi", "shmem_get_", "_mem_nbi"),
    ("aclshmem_NAME_put_signal", "shmem_put_", "_mem_signal"),
    ("aclshmem_NAME_put_signal_nbi", "shmem_put_", "_mem_signal_nbi"),
];

/// Returns every alias, and the function that it means.
pub fn aliases() -> BTreeMap<String, String> {
    let mut aliases: BTreeMap<String, String> = BTreeMap::new();
    for function in cann::functions(Release::Head) {
        let name = function.name.clone();
        let former = TYPED.iter().find(|(pattern, ..)| *pattern == function.pattern);
        if let (Some((_, before, behind)), Some(element)) = (former, function.element) {
            aliases.insert(format!("{before}{}{behind}", element.name), name.clone());
        }
        if let Some(plain) = name.strip_prefix("aclshmem_") {
            aliases.insert(format!("shmem_{plain}"), name.clone());
        } else if let Some(extended) = name.strip_prefix("aclshmemx_") {
            let is_plain = PLAIN.split_whitespace().any(|known| known == extended);
            let family = if is_plain { "shmem" } else { "shmemx" };
            aliases.insert(format!("{family}_{extended}"), name.clone());
        }
    }
    aliases.extend(RENAMED.map(|(alias, name)| (alias.to_owned(), name.to_owned())));
    aliases
}

/// Returns the aliases of functions that the library has, and of our own, in C.
pub fn macros_in_library() -> String {
    let present: BTreeSet<String> =
        cann::in_header(Release::Head).flat_map(Row::functions).map(|function| function.name).collect();
    let mut known = aliases();
    known.retain(|_, name| present.contains(name));
    for name in present {
        if let Some(plain) = name.strip_prefix("aclshmem_") {
            known.entry(format!("shmem_{plain}")).or_insert(name);
        }
    }
    text(&known)
}

/// Returns the aliases in C.
pub fn macros() -> String {
    text(&aliases())
}

fn text(aliases: &BTreeMap<String, String>) -> String {
    aliases.iter().map(|(alias, name)| format!("#define {alias} {name}\n")).collect()
}
