// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Optional functions: every name of the list is declared, bound and described, and a missing one is an error
//! that names the missing file or symbol.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod fake;

use std::collections::BTreeMap;

use ascend_acl_sys::loader::Since;
use ascend_acl_sys::optional::{FUNCTIONS, Home, Optional};
use ascend_acl_sys::{Class, Libraries, Library, Search};

/// Name, release and library of every optional function, as they are written down.
fn listed() -> Vec<[&'static str; 3]> {
    let lines = include_str!("../abi/functions.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().try_into().unwrap()).collect()
}

fn release(since: Since) -> &'static str {
    match since {
        Since::Cann81 => "8.1",
        Since::Cann85 => "8.5",
        Since::Cann90 => "9.0",
        Since::Cann91 => "9.1",
        Since::Cann92 => "9.2",
        Since::Unreleased => "2026",
        Since::Driver | Since::Runtime => "none of the list",
    }
}

#[test]
fn function_table_matches_the_list() {
    let bound: Vec<[&str; 3]> =
        FUNCTIONS.iter().map(|f| [f.name, release(f.since), f.home.soname()]).collect();
    assert_eq!(bound, listed());
    let mut names: Vec<&str> = bound.iter().map(|[name, ..]| *name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 524, "names are listed once");
    for library in Library::ALL {
        let twice: Vec<&str> = names.iter().copied().filter(|name| library.symbol(name).is_some()).collect();
        assert!(twice.is_empty(), "opening {library} searches optional functions: {twice:?}");
    }
}

#[test]
fn headers_declare_listed_functions_with_their_release() {
    let mut declared = BTreeMap::new();
    for entry in std::fs::read_dir(fake::abi()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".h") {
            continue;
        }
        let text = std::fs::read_to_string(fake::abi().join(&name)).unwrap();
        if !text.contains("All functions are optional") {
            continue;
        }
        let mut comment = String::new();
        for line in text.lines() {
            if let Some(words) = line.strip_prefix("///") {
                comment.push_str(words);
                continue;
            }
            let head = line.split('(').next().unwrap();
            if line.contains('(') && !line.starts_with([' ', '/', '#']) && !line.starts_with("typedef") {
                let name = head.rsplit([' ', '*']).next().unwrap().to_owned();
                let since = match comment.as_str() {
                    text if text.contains("Since CANN 8.5.") => "8.5",
                    text if text.contains("Since CANN 9.0.") => "9.0",
                    text if text.contains("Since CANN 9.1.") => "9.1",
                    text if text.contains("Since CANN 9.2.") => "9.2",
                    text if text.contains("Since the runtime of August 2026.") => "2026",
                    _ => "8.1",
                };
                declared.insert(name, since);
            }
            comment.clear();
        }
    }
    // Defined in the header.
    assert_eq!(declared.remove("HcclCommConfigInit"), Some("8.1"));
    let wanted: BTreeMap<String, &str> =
        listed().into_iter().map(|[name, since, _]| (name.to_owned(), since)).collect();
    assert_eq!(declared, wanted);
}

#[test]
fn every_function_method_uses_its_table_index() {
    let text = include_str!("../src/raw/optional.rs");
    for (place, [name, ..]) in listed().iter().enumerate() {
        let method = text.split_once(&format!("pub fn {name}(")).unwrap_or_else(|| panic!("{name}")).1;
        let found = method.split_once("self.find(").unwrap().1.split_once(')').unwrap().0;
        assert_eq!(found.parse(), Ok(place), "{name}");
    }
}

#[test]
fn absent_function_error_names_function_library_and_release() {
    let folder = fake::Folder::new("optional");
    if fake::build_acl(folder.path()).is_none() {
        return;
    }
    // One function is in the main library, one in a separate library.
    let own = "int aclprofStr2Id(void) { return 7; }";
    fake::build(folder.path(), "libmsprofiler.so", own, &[]).unwrap();
    let libraries = Libraries::open(&Search::default().explicit(folder.path())).unwrap();
    let optional = libraries.optional();
    let absent = optional.aclmdlRIExecute().unwrap_err();
    assert_eq!((absent.function(), absent.class()), ("aclmdlRIExecute", Class::MissingFunction));
    assert!(absent.is_not_supported() && absent.code().is_none());
    let text = absent.to_string();
    assert!(text.contains("libascendcl.so") && text.contains("CANN 8.5"), "{text}");
    let other = optional.aclopCompile().unwrap_err().to_string();
    assert!(other.contains("libacl_op_compiler.so") && other.contains("CANN 8.1"), "{other}");
    assert!(optional.has("aclprofStr2Id") && optional.aclprofStr2Id().is_ok());
    assert!(!optional.has("aclmdlRIExecute") && !optional.has("no such name"));
    assert_eq!(Optional::function("aclprofStr2Id").unwrap().home, Home::Profiler);
    let refused = Optional::check(Optional::function("HcclGroupEnd").unwrap(), 5).unwrap_err();
    assert_eq!((refused.class(), refused.library()), (Class::NotSupported, Library::Hccl));
}
