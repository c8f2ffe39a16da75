// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The loader against fake installations, whole and damaged.

#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "helpers of tests fail the test")]

mod fake;

use std::path::{Path, PathBuf};
use std::process::Command;

use ascend_acl_sys::loader::{
    ASCEND_HOME, Capability, EXPLICIT, Mark, OLDEST, Outcome, Reason, SYSTEM, Since, Symbol, TOOLKIT_HOME,
};
use ascend_acl_sys::{Class, Libraries, Library, LoadError, Search, Version};
use fake::Folder;

fn open(path: &Path) -> Result<Libraries, LoadError> {
    Libraries::open(&Search::default().explicit(path))
}

/// Opens the library at `path`, which must fail with an error that names everything in `words`.
fn refused(path: &Path, words: &[&str]) -> LoadError {
    let error = open(path).unwrap_err();
    let text = error.to_string();
    for word in words {
        assert!(text.contains(word), "{word:?} is not in: {text}");
    }
    assert!(!error.report().attempts().is_empty());
    error
}

/// A copy of a library in which the exported name `symbol` is another one.
fn without(library: &[u8], symbol: &str, to: &Path) {
    let name = [b"\0", symbol.as_bytes(), b"\0"].concat();
    let mut bytes = library.to_vec();
    let at = library.windows(name.len()).position(|window| window == name);
    bytes[at.unwrap_or_else(|| panic!("{symbol} is not exported")) + 1] = b'_';
    std::fs::write(to, bytes).unwrap();
}

#[test]
fn absent() {
    let folder = Folder::new("absent");
    let error = refused(folder.path(), &["libascendcl.so", "CANN toolkit"]);
    assert!(error.is_absent());
    let lines: Vec<String> = error.report().lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].ends_with("libascendcl.so (explicit path): not there"), "{lines:?}");
    assert!(lines[1].contains("lib64/libascendcl.so (explicit path)"), "{lines:?}");
    assert_eq!(lines[2], "libascendcl.so: libascendcl.so (loader path): not there");
}

#[test]
fn whole() {
    let folder = Folder::new("whole");
    let Some(path) = fake::build_acl(folder.path()) else { return };
    let libraries = open(folder.path()).unwrap();
    let origin = libraries.acl().origin();
    assert_eq!(origin.file(), path);
    assert_eq!(origin.version(), Some(Version { major: 1, minor: 14, patch: 0 }));
    assert_eq!(origin.simulator(), None);
    assert!(origin.missing().is_empty(), "{:?}", origin.missing());
    assert!(origin.can(Capability::SharingV2) && origin.can(Capability::MappingAccess));
    assert!(!origin.can(Capability::RemoteRanges), "that is the driver's");
    assert!(origin.has("aclrtMemcpyBatchAsync") && !origin.has("aclNoSuchFunction"));
    assert!(libraries.hccl().unwrap_err().is_absent());
    assert!(libraries.hal().unwrap_err().is_absent());
    let opened = libraries.report().lines().next().unwrap();
    assert!(opened.ends_with("(explicit path): opened, ACL 1.14.0"), "{opened}");

    // The file itself is an explicit path, too.
    assert_eq!(open(&path).unwrap().acl().origin().file(), path);
}

#[test]
fn s1_first_search_path_with_the_file_wins() {
    let folder = Folder::new("order");
    let places = ["explicit", "home", "toolkit"].map(|name| folder.sub(name));
    let [explicit, home, toolkit] = &places;
    let search = Search {
        explicit: Some(explicit.clone()),
        ascend_home: Some(home.clone()),
        toolkit_home: Some(toolkit.clone()),
        ..Search::default()
    };
    let expected = [TOOLKIT_HOME, ASCEND_HOME, EXPLICIT];
    for (root, place) in [toolkit, home, explicit].into_iter().zip(expected) {
        std::fs::create_dir_all(root.join("lib64")).unwrap();
        let Some(path) = fake::build_acl(&root.join("lib64")) else { return };
        let libraries = Libraries::open(&search).unwrap();
        assert_eq!(libraries.acl().origin().file(), path);
        let attempts = libraries.report().attempts().iter();
        let opened = attempts.filter(|attempt| matches!(attempt.outcome, Outcome::Opened { .. }));
        assert_eq!(opened.map(|attempt| attempt.place).collect::<Vec<_>>(), [place]);
    }

    // A damaged file is reported, not skipped.
    std::fs::write(explicit.join("libascendcl.so"), "not a library").unwrap();
    let error = Libraries::open(&search).unwrap_err();
    assert!(matches!(error.reason(), Reason::NotALibrary { path, .. } if path.starts_with(explicit)));
}

#[test]
fn wrong_architecture() {
    let folder = Folder::new("machine");
    let Some(path) = fake::build_acl(folder.path()) else { return };
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[18] = 22;
    bytes[19] = 0;
    std::fs::write(&path, bytes).unwrap();
    let error = refused(folder.path(), &[path.to_str().unwrap(), "s390", "64-bit", "for this machine"]);
    assert!(matches!(error.reason(), Reason::WrongArchitecture { .. }));
}

#[test]
fn not_a_library() {
    let folder = Folder::new("text");
    let path = folder.path().join("libascendcl.so");
    for content in ["", "GROUP ( /usr/lib/libascendcl.so.1 )"] {
        std::fs::write(&path, content).unwrap();
        let error = refused(folder.path(), &["is not a shared library"]);
        assert!(matches!(error.reason(), Reason::NotALibrary { .. }));
    }
}

#[test]
fn cut_short() {
    let folder = Folder::new("cut");
    let Some(path) = fake::build_acl(folder.path()) else { return };
    let bytes = std::fs::read(&path).unwrap();
    for bytes in [bytes.get(..100), bytes.get(..1000), bytes.get(..bytes.len() / 2)] {
        std::fs::write(&path, bytes.unwrap()).unwrap();
        let error = refused(folder.path(), &["is cut short", "install", path.to_str().unwrap()]);
        assert!(matches!(error.reason(), Reason::NotALibrary { .. }), "{error:?}");
    }
}

#[test]
fn half_installed_a_dependency_is_missing() {
    let folder = Folder::new("half");
    let dependency = "int fake_dependency(void) { return 0; }";
    if fake::build(folder.path(), "liberror_manager.so", dependency, &[]).is_none() {
        return;
    }
    let here = format!("-L{}", folder.path().display());
    let uses = format!(
        "int fake_dependency(void);\nint fake_use(void) {{ return fake_dependency(); }}\n{}",
        fake::VERSION
    );
    let source = fake::source("acl.h", &uses);
    fake::build(folder.path(), "libascendcl.so", &source, &[&here, "-lerror_manager"]).unwrap();
    std::fs::remove_file(folder.path().join("liberror_manager.so")).unwrap();
    let error =
        refused(folder.path(), &["libascendcl.so is there", "liberror_manager.so", "LD_LIBRARY_PATH"]);
    assert!(matches!(error.reason(), Reason::HalfInstalled { lacks, .. } if lacks == "liberror_manager.so"));
}

#[test]
fn half_installed_a_symbol_of_a_dependency_is_missing() {
    let folder = Folder::new("undefined");
    let uses = format!("int rtFake(void);\nint fake_use(void) {{ return rtFake(); }}\n{}", fake::VERSION);
    if fake::build(folder.path(), "libascendcl.so", &fake::source("acl.h", &uses), &[]).is_none() {
        return;
    }
    let error = refused(folder.path(), &["the symbol rtFake"]);
    assert!(matches!(error.reason(), Reason::HalfInstalled { .. }));
}

#[test]
fn half_installed_with_a_dangling_link() {
    let folder = Folder::new("link");
    let path = folder.path().join("libascendcl.so");
    std::os::unix::fs::symlink("../gone/libascendcl.so", &path).unwrap();
    let error = refused(folder.path(), &["../gone/libascendcl.so"]);
    assert!(matches!(error.reason(), Reason::HalfInstalled { .. }));
}

#[test]
fn half_installed_a_needed_library_is_missing() {
    let folder = Folder::new("needed");
    if fake::build_acl(folder.path()).is_none() {
        return;
    }
    let search = Search::default().explicit(folder.path()).need(Library::Hccl);
    let error = Libraries::open(&search).unwrap_err();
    assert!(matches!(error.reason(), Reason::HalfInstalled { lacks, .. } if lacks == "libhccl.so"));
    assert!(error.report().lines().any(|line| line.starts_with("libascendcl.so") && line.contains("opened")));
    assert!(error.report().lines().any(|line| line.starts_with("libhccl.so")));
}

#[test]
fn too_old() {
    let folder = Folder::new("old");
    let oldest = OLDEST;
    let with_minor = |minor: u32| fake::source("acl.h", &fake::VERSION.replace("14", &minor.to_string()));
    if fake::build(folder.path(), "libascendcl.so", &with_minor(oldest.minor - 1), &[]).is_none() {
        return;
    }
    let version = Version { minor: oldest.minor - 1, ..oldest };
    let error =
        refused(folder.path(), &[&format!("ACL {version}"), &format!("at least ACL {oldest}"), "update"]);
    let path = folder.path().join("libascendcl.so");
    assert_eq!(*error.reason(), Reason::WrongVersion { path, version, oldest: Some(oldest), below: None });

    let newer = folder.sub("newer");
    fake::build(&newer, "libascendcl.so", &with_minor(oldest.minor), &[]).unwrap();
    assert_eq!(open(&newer).unwrap().acl().origin().version(), Some(oldest));
}

#[test]
fn library_without_version_is_identified_by_its_symbols() {
    let folder = Folder::new("silent");
    let silent = "aclError aclrtGetVersion(int32_t *a, int32_t *b, int32_t *c) { return 100001; }\n";
    if fake::build(folder.path(), "libascendcl.so", &fake::source("acl.h", silent), &[]).is_none() {
        return;
    }
    assert_eq!(open(folder.path()).unwrap().acl().origin().version(), None);
}

#[test]
fn each_core_symbol_removed_in_turn() {
    let folder = Folder::new("core");
    let Some(path) = fake::build_acl(folder.path()) else { return };
    let library = std::fs::read(path).unwrap();
    let mut count = 0;
    for symbol in Library::Acl.symbols().iter().filter(|symbol| symbol.mark == Mark::Core) {
        let place = folder.sub(symbol.name);
        without(&library, symbol.name, &place.join("libascendcl.so"));
        let mut words = vec!["libascendcl.so", symbol.name, "CANN 8.1 (ACL 1.13) has it", "update"];
        if symbol.name != "aclrtGetVersion" {
            words.push("ACL 1.14.0");
        }
        let error = refused(&place, &words);
        match error.reason() {
            Reason::MissingSymbol { function, others: 0, version, .. } => {
                assert_eq!(function.name, symbol.name);
                assert_eq!(version.is_none(), symbol.name == "aclrtGetVersion");
            }
            kind => panic!("{}: {kind:?}", symbol.name),
        }
        count += 1;
    }
    assert_eq!(count, 77, "core symbols");
}

#[test]
fn several_missing_core_symbols_are_counted() {
    let folder = Folder::new("empty");
    if fake::build(folder.path(), "libascendcl.so", "int nothing;", &[]).is_none() {
        return;
    }
    let core = Library::Acl.symbols().iter().filter(|symbol| symbol.mark == Mark::Core).count();
    refused(folder.path(), &["aclGetRecentErrMsg", &format!("lacks {} more", core - 1)]);
}

#[test]
fn each_missing_optional_symbol_removes_a_capability() {
    let folder = Folder::new("optional");
    let Some(path) = fake::build_acl(folder.path()) else { return };
    let library = std::fs::read(path).unwrap();
    for symbol in Library::Acl.symbols().iter().filter(|symbol| symbol.mark != Mark::Core) {
        let place = folder.sub(symbol.name);
        without(&library, symbol.name, &place.join("libascendcl.so"));
        let libraries = open(&place).unwrap();
        let origin = libraries.acl().origin();
        assert_eq!(origin.missing(), [symbol]);
        assert!(!origin.has(symbol.name));
        let hal = [Capability::RemoteRanges];
        for capability in Capability::ALL.into_iter().filter(|capability| !hal.contains(capability)) {
            assert_eq!(origin.can(capability), symbol.mark != Mark::Part(capability), "{}", symbol.name);
        }
        let line = libraries.report().lines().next().unwrap();
        assert!(line.ends_with(&format!("without {}", symbol.name)), "{line}");
    }
}

/// Returns the functions of our headers that CANN 8.1 lacks.
fn later_than_81(library: Library) -> impl Iterator<Item = &'static Symbol> {
    library.symbols().iter().filter(|symbol| symbol.since != Since::Cann81)
}

#[test]
fn cann_8_1_opens_and_explains_missing_functions() {
    let folder = Folder::new("cann-8.1");
    let says = fake::VERSION.replace("14", "13");
    let Some(path) = fake::build(folder.path(), "libascendcl.so", &fake::source("acl.h", &says), &[]) else {
        return;
    };
    for symbol in later_than_81(Library::Acl) {
        without(&std::fs::read(&path).unwrap(), symbol.name, &path);
    }
    let libraries = open(folder.path()).unwrap();
    let acl = libraries.acl();
    let lacks = acl.origin().lacks();
    // All capabilities of ACL.
    assert_eq!(lacks.len(), Capability::ALL.len() - 1);
    assert_eq!(lacks.iter().map(|lack| lack.missing.len()).sum::<usize>(), 29 + 5);
    for lack in &lacks {
        assert!(!acl.origin().can(lack.capability));
        let text = lack.to_string();
        let expected = [lack.capability.without(), "ACL 1.13.0 has no ", ", CANN 8.5 (ACL 1.16) has: "];
        assert!(expected.iter().all(|expected| text.contains(expected)), "{text}");
        assert!(lack.missing.iter().all(|symbol| text.contains(symbol.name)), "{text}");
    }
    // Functions without an alternative are refused with symbol, version found, and first version that has
    // them.
    for error in [acl.create_notify().map(drop), acl.retain(std::ptr::null()).map(drop)] {
        let error = error.unwrap_err();
        assert_eq!(error.class(), Class::MissingFunction);
        let text = error.to_string();
        for expected in [error.function(), "ACL 1.13.0", "CANN 8.5 (ACL 1.16) has it", path.to_str().unwrap()]
        {
            assert!(text.contains(expected), "{expected} is not in: {text}");
        }
    }
}

#[test]
fn hccl_is_optional_but_must_be_complete() {
    let folder = Folder::new("hccl");
    if fake::build_acl(folder.path()).is_none() {
        return;
    }
    let path = fake::build(folder.path(), "libhccl.so", &fake::source("hccl.h", ""), &[]).unwrap();
    let whole = open(folder.path()).unwrap();
    assert_eq!(whole.hccl().unwrap().origin().file(), path);

    let part = folder.sub("part");
    std::fs::copy(folder.path().join("libascendcl.so"), part.join("libascendcl.so")).unwrap();
    without(&std::fs::read(&path).unwrap(), "HcclBarrier", &part.join("libhccl.so"));
    let libraries = open(&part).unwrap();
    let error = libraries.hccl().unwrap_err();
    assert!(
        matches!(error.reason(), Reason::MissingSymbol { function, .. } if function.name == "HcclBarrier")
    );
}

#[test]
fn simulator_is_identified_by_version_and_includes_its_driver() {
    let folder = Folder::new("simulator");
    let says = format!("const char *ascsim_version(void) {{ return \"0.1.0\"; }}\n{}", fake::VERSION);
    if fake::build(folder.path(), "libascendcl.so", &fake::source("acl.h", &says), &[]).is_none() {
        return;
    }
    let hal = fake::build(folder.path(), "libascend_hal.so", &fake::source("hal.h", ""), &[]).unwrap();
    let libraries = open(folder.path()).unwrap();
    assert_eq!(libraries.acl().origin().simulator(), Some("0.1.0"));
    let found = libraries.hal().unwrap().origin();
    assert_eq!(found.file(), hal);
    assert!(found.can(Capability::RemoteRanges));
    let line = libraries.report().lines().next().unwrap();
    assert!(line.ends_with("ACL 1.14.0, simulator 0.1.0"), "{line}");

    // Nothing beside the simulator comes from another installation.
    let home = folder.sub("home");
    std::fs::create_dir_all(home.join("lib64")).unwrap();
    fake::build(&home.join("lib64"), "libhccl.so", &fake::source("hccl.h", ""), &[]).unwrap();
    let search = Search { ascend_home: Some(home), ..Search::default().explicit(folder.path()) };
    assert!(Libraries::open(&search).unwrap().hccl().unwrap_err().is_absent());
}

#[test]
fn one_file_under_several_names_is_one_library() {
    let folder = Folder::new("names");
    let says = format!("const char *ascsim_version(void) {{ return \"0.1.0\"; }}\n{}", fake::VERSION);
    if fake::build(folder.path(), "libsimulator.so", &fake::source("acl.h", &says), &[]).is_none() {
        return;
    }
    let install = folder.sub("lib64");
    for name in ["libascendcl.so", "libruntime.so"] {
        std::os::unix::fs::symlink(folder.path().join("libsimulator.so"), install.join(name)).unwrap();
    }
    // Another has it open already, from where the links lead to.
    // SAFETY: the fake has no initialisers.
    let earlier = unsafe { libloading::Library::new(folder.path().join("libsimulator.so")) }.unwrap();
    let libraries = open(folder.path()).unwrap();
    assert_eq!(libraries.acl().origin().file(), install.join("libascendcl.so"));
    let runtime = libraries.rt().unwrap().origin();
    assert_eq!(
        runtime.file(),
        install.join("libruntime.so"),
        "the folder is that of the name that was asked for"
    );
    drop(earlier);
}

#[test]
fn driver_is_not_searched_beside_a_real_library() {
    let folder = Folder::new("driver");
    if fake::build_acl(folder.path()).is_none() {
        return;
    }
    fake::build(folder.path(), "libascend_hal.so", &fake::source("hal.h", ""), &[]).unwrap();
    assert!(open(folder.path()).unwrap().hal().unwrap_err().is_absent());
}

#[test]
fn libraries_stay_loaded_after_drop() {
    let folder = Folder::new("stay");
    let Some(path) = fake::build_acl(folder.path()) else { return };
    let libraries = open(folder.path()).unwrap();
    let function = *libraries.acl().table().aclrtSetDevice.as_ref().unwrap();
    drop(libraries);
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    assert!(maps.contains(path.to_str().unwrap()), "the library was unloaded");
    // SAFETY: the library is still loaded, as was just seen, and the fake takes any number.
    assert_eq!(unsafe { function(0) }, 0);
}

#[test]
fn shared_opens_once_and_keeps_the_first_search() {
    let folder = Folder::new("shared");
    if fake::build_acl(folder.path()).is_none() {
        return;
    }
    let first = Libraries::shared(|| Search::default().explicit(folder.path())).unwrap();
    let second = Libraries::shared(|| unreachable!("the first search is kept")).unwrap();
    assert!(std::ptr::eq(first, second));
}

/// Runs one test of this file as a child, marked by an environment variable, with its own loader path.
fn child(test: &str, loader_path: &Path) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env("FAKE_CHILD", loader_path)
        .env("LD_LIBRARY_PATH", loader_path)
        .output()
        .unwrap();
    let expected =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{expected}");
    assert!(expected.contains("child was here"), "{expected}");
}

fn child_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("FAKE_CHILD")?;
    println!("child was here");
    Some(folder.into())
}

#[test]
fn loader_path_is_searched_last_and_alone_for_the_driver() {
    if let Some(folder) = child_folder() {
        let libraries = Libraries::open(&Search::default()).unwrap();
        assert_eq!(libraries.acl().origin().file(), folder.join("libascendcl.so"));
        assert_eq!(libraries.hal().unwrap().origin().file(), folder.join("libascend_hal.so"));
        let places = libraries.report().attempts().iter().map(|attempt| attempt.place);
        assert!(places.into_iter().all(|place| place == SYSTEM));
        return;
    }
    let folder = Folder::new("loader-path");
    if fake::build_acl(folder.path()).is_none() {
        return;
    }
    fake::build(folder.path(), "libascend_hal.so", &fake::source("hal.h", ""), &[]).unwrap();
    child("loader_path_is_searched_last_and_alone_for_the_driver", folder.path());
}

#[test]
fn a_half_installation_on_the_loader_path_is_not_absent() {
    if child_folder().is_some() {
        let error = Libraries::open(&Search::default()).unwrap_err();
        let kind = error.reason();
        assert!(matches!(kind, Reason::HalfInstalled { lacks, .. } if lacks == "libgone.so"), "{kind:?}");
        return;
    }
    let folder = Folder::new("loader-half");
    if fake::build(folder.path(), "libgone.so", "int fake_gone(void) { return 0; }", &[]).is_none() {
        return;
    }
    let uses =
        format!("int fake_gone(void);\nint fake_use(void) {{ return fake_gone(); }}\n{}", fake::VERSION);
    let here = format!("-L{}", folder.path().display());
    fake::build(folder.path(), "libascendcl.so", &fake::source("acl.h", &uses), &[&here, "-lgone"]).unwrap();
    std::fs::remove_file(folder.path().join("libgone.so")).unwrap();
    child("a_half_installation_on_the_loader_path_is_not_absent", folder.path());
}

#[test]
fn environment_names_the_home_folders() {
    if let Some(folder) = child_folder() {
        assert_eq!(Search::from_environment(), Search { ascend_home: Some(folder), ..Search::default() });
        return;
    }
    let folder = Folder::new("environment");
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "environment_names_the_home_folders", "--nocapture"])
        .env("FAKE_CHILD", folder.path())
        .env("ASCEND_HOME_PATH", folder.path())
        .env("ASCEND_TOOLKIT_HOME", "")
        .output()
        .unwrap();
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("child was here"));
}
