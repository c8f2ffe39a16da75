// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Number of functions of each group, and their names: equal to the standard's and CANN SHMEM's.

use std::collections::{BTreeMap, BTreeSet};

use mf_shmem_table::{
    CANN_RELEASES, Function, Release, Row, aliases, cann, entries, generic, lists, openshmem,
};

/// Groups of OpenSHMEM 1.5 and their sizes, as the standard's pages add up.
const GROUPS: [(&str, usize); 27] = [
    ("life cycle, queries", 12),
    ("deprecated life cycle and heap names", 7),
    ("heap", 6),
    ("teams", 7),
    ("contexts", 4),
    ("RMA typed", 384),
    ("put_signal typed", 96),
    ("RMA sized", 60),
    ("put_signal sized", 20),
    ("RMA mem", 8),
    ("put_signal mem", 4),
    ("ordering", 4),
    ("locks", 3),
    ("AMO", 288),
    ("AMO nbi", 170),
    ("AMO deprecated", 30),
    ("signals", 2),
    ("barrier_all, sync_all", 2),
    ("team_sync", 1),
    ("active-set barrier, sync", 2),
    ("collectives typed and mem", 125),
    ("active-set collectives", 10),
    ("team reductions", 142),
    ("active-set reductions", 44),
    ("wait/test", 168),
    ("wait/test deprecated", 10),
    ("pcontrol", 1),
];

/// Additions of 1.6.
const ADDITIONS: [(&str, usize); 8] = [
    ("RMA typed, blocks", 96),
    ("RMA sized, blocks", 20),
    ("scans", 52),
    ("signal updates", 4),
    ("team pointers", 1),
    ("quiet of PEs", 2),
    ("sessions", 2),
    ("queries of 1.6", 1),
];

fn groups(functions: &[Function], release: Release) -> BTreeMap<&'static str, usize> {
    let mut groups = BTreeMap::new();
    for function in functions.iter().filter(|function| function.row.first == release) {
        *groups.entry(function.row.group).or_default() += 1;
    }
    groups
}

#[test]
fn groups_of_the_standard_have_their_sizes() {
    let functions = openshmem::functions();
    assert_eq!(groups(&functions, Release::Standard1_5), BTreeMap::from(GROUPS));
    assert_eq!(groups(&functions, Release::Standard1_6), BTreeMap::from(ADDITIONS));
    let (old, added) = functions.split_at(1610);
    assert!(old.iter().all(|function| function.row.first == Release::Standard1_5));
    assert!(added.iter().all(|function| function.row.first == Release::Standard1_6));
    assert_eq!(added.len(), 178);
    assert_eq!(functions.iter().filter(|function| function.row.is_deprecated).count(), 103);
}

#[test]
fn every_function_has_one_symbol_and_one_twin() {
    let functions = openshmem::functions();
    let names: BTreeSet<&str> = functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names.len(), 1788);
    let symbols: BTreeSet<String> =
        functions.iter().flat_map(|function| [function.symbol(), function.twin_symbol()]).collect();
    assert_eq!(symbols.len(), 3576);
    // And functions outside of the standard: swap without a type, our own extension, old atomics of other
    // types, waits of short, cache functions.
    let outside: Vec<Function> =
        openshmem::rows().flat_map(Row::functions).filter(|function| !function.is_standard()).collect();
    assert_eq!(outside.len(), 2 + 8 * 9 + 12 * 2 + 6);
    assert_eq!(lists::openshmem_symbols().len(), 3576 + 2 * outside.len());
    for (name, symbol, twin) in [
        ("shmem_long_put", "shmem15_long_put", "pshmem_long_put"),
        ("start_pes", "shmem15_start_pes", "pstart_pes"),
        ("_my_pe", "shmem15__my_pe", "p_my_pe"),
        ("shmalloc", "shmem15_shmalloc", "pshmalloc"),
    ] {
        let function = functions.iter().find(|function| function.name == name).expect(name);
        assert_eq!((function.symbol().as_str(), function.twin().as_str()), (symbol, twin));
    }
    let mut plain = BTreeSet::new();
    for entry in entries::entries() {
        let is_outside = outside.iter().any(|one| [one.symbol(), one.twin_symbol()].contains(&entry.symbol));
        assert!(symbols.contains(&entry.symbol) || is_outside, "{entry:?}");
        assert_eq!(entry.name.starts_with('p'), entry.symbol.starts_with('p'), "{entry:?}");
        assert!(plain.insert(entry.name.clone()), "{} has two entries", entry.name);
    }
    // Every name and twin, and the additions by their names as extensions.
    assert_eq!(plain.len(), 2 * (1788 + outside.len() + 178));
}

/// The line of a function in `cann_names.txt`.
fn with_releases(row: &Row, name: &str) -> String {
    let (first, last) = (row.first.name(), row.last.name());
    if first == last { format!("{name} {first}") } else { format!("{name} {first}..{last}") }
}

#[test]
fn functions_of_cann_are_those_of_its_headers() {
    let known: BTreeSet<&str> = include_str!("cann_names.txt").lines().collect();
    let functions: Vec<Function> = cann::rows().flat_map(Row::functions).collect();
    let ours: BTreeSet<String> =
        functions.iter().map(|function| with_releases(function.row, &function.name)).collect();
    assert_eq!(ours.len(), functions.len(), "a function stands in the table twice");
    assert_eq!(ours.iter().map(String::as_str).collect::<BTreeSet<_>>(), known);
    // Two names had other arguments in each of the first generations.
    assert_eq!((ours.len(), lists::cann_symbols().len()), (553, 551));
}

#[test]
fn every_cann_release_has_its_function_count() {
    let counts: Vec<(Release, usize)> =
        CANN_RELEASES.iter().map(|release| (*release, cann::functions(*release).len())).collect();
    for (release, count) in [
        (Release::V1_0, 341),
        (Release::V1_3_5, 344),
        (Release::V1_5_0, 349),
        (Release::July2026, 350),
        (Release::Head, 355),
    ] {
        assert!(counts.contains(&(release, count)), "{release:?}: {counts:?}");
    }
}

/// The reason for separate symbols of the standard's functions.
#[test]
fn openshmem_and_cann_share_forty_six_names() {
    let standard: BTreeSet<String> =
        openshmem::functions().into_iter().map(|function| function.name).collect();
    let cann = lists::cann_symbols();
    assert_eq!(standard.intersection(&cann).count(), 46);
    assert_eq!(lists::openshmem_symbols().intersection(&cann).count(), 0);
}

#[test]
fn every_name_in_a_list_of_elements_is_an_element() {
    for row in openshmem::rows().chain(cann::rows()) {
        let names: Vec<&str> = row.elements.iter().flat_map(|part| part.split_whitespace()).collect();
        let found: Vec<&str> =
            mf_shmem_table::elements::of(row.elements).map(|element| element.name).collect();
        assert_eq!(names, found);
        for function in row.functions() {
            let text = function.prototype(&function.name);
            assert!(!text.contains(['{', '}', '[', ']']) && !text.contains("NAME"), "{text}");
        }
    }
}

#[test]
fn generic_names_cover_each_c_type_once() {
    let names = generic::names();
    assert_eq!(names.len(), 70);
    for (name, types, on_context) in [
        ("shmem_put", 14, 14),
        ("shmem_g", 14, 14),
        ("shmem_ibput", 14, 14),
        ("shmem_put_signal_nbi", 14, 14),
        ("shmem_atomic_swap_nbi", 8, 8),
        ("shmem_atomic_inc", 6, 6),
        ("shmem_atomic_fetch_xor", 5, 5),
        ("shmem_wait_until", 8, 0),
        ("shmem_test_some_vector", 8, 0),
        ("shmem_alltoalls", 14, 0),
        ("shmem_and_reduce", 9, 0),
        ("shmem_max_reduce", 14, 0),
        ("shmem_sum_exscan", 16, 0),
        ("shmem_cswap", 6, 0),
        ("shmem_set", 8, 0),
    ] {
        let generic = names.iter().find(|generic| generic.name == name).expect(name);
        assert_eq!((generic.functions.len(), generic.on_context.len()), (types, on_context), "{name}");
    }
}

#[test]
fn former_cann_names_alias_current_functions() {
    let aliases = aliases::aliases();
    let today: BTreeSet<String> =
        cann::functions(Release::Head).into_iter().map(|function| function.name).collect();
    for (alias, name) in &aliases {
        assert!(today.contains(name) && !today.contains(alias), "{alias} is {name}");
    }
    let meant: BTreeSet<&String> = aliases.values().collect();
    assert_eq!(meant.len(), today.len(), "every function has an alias");
    let standard: BTreeSet<String> =
        openshmem::functions().into_iter().map(|function| function.name).collect();
    assert_eq!(standard.iter().filter(|name| aliases.contains_key(*name)).count(), 231);
    for release in [Release::G0, Release::G1] {
        let without: Vec<String> = cann::functions(release)
            .into_iter()
            .map(|function| function.name)
            .filter(|name| !aliases.contains_key(name))
            .collect();
        // Functions that the second generation removed from C.
        let mut expected = vec!["shmem_set_attr", "shmem_set_data_op_engine_type", "shmem_set_timeout"];
        if release == Release::G1 {
            expected.insert(1, "shmemx_set_attr_uniqueid_args");
        }
        assert_eq!(without, expected);
    }
}
