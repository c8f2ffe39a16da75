// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The compiled emulation is made once for all builds.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use mf_device_kernels::compile::cache::{default_cache, prepare};
use mf_device_kernels::compile::{Home, host};

use super::{SMALL, compiler, exported, program, scratch, small_emulation};

/// Test setup: a compiler that records its inputs, an emulation of two files, and a source that needs both.
struct Bench {
    folder: PathBuf,
    compiler: host::Compiler,
    home: Home,
}

fn bench(name: &str) -> Option<Bench> {
    let real = compiler()?;
    let folder = scratch(name);
    let wrapper = folder.join("c++");
    let command = real.command.to_string_lossy();
    program(&wrapper, &format!("echo \"$@\" >>{}/calls\nexec {command} \"$@\"\n", folder.display()));
    let home = Home {
        headers: folder.join("include"),
        emulation: folder.join("emulation"),
        simulator: folder.join("simulator"),
        prepared: None,
    };
    for made in [&home.headers, &home.emulation.join("src"), &home.simulator] {
        fs::create_dir_all(made).unwrap();
    }
    // As installations have it, for sources that name headers by an older folder.
    std::os::unix::fs::symlink(".", home.headers.join("lowlevel")).unwrap();
    small_emulation(&home.emulation);
    fs::write(home.simulator.join("ascend_sim_kernel.h"), "").unwrap();
    fs::write(folder.join("own.cpp"), format!("{SMALL} mfk_launch_own() {{ return one() + two(); }}\n"))
        .unwrap();
    let compiler = host::Compiler::find(Some(wrapper.into_os_string())).unwrap();
    Some(Bench { folder, compiler, home })
}

impl Bench {
    fn build(&self, scratch: &str, cache: Option<&Path>) -> Vec<String> {
        let sources = [self.folder.join("own.cpp")];
        let output = self.folder.join(format!("{scratch}.so"));
        let between = self.folder.join(scratch);
        let job = host::Job { sources: &sources, flags: &[], scratch: &between, cache, output: &output };
        host::compile(&self.compiler, &self.home, &job).unwrap();
        exported(&fs::read(&output).unwrap(), "mfk_launch_")
    }

    /// Sources that were compiled since the last time.
    fn compiled(&self) -> (usize, usize) {
        let calls = fs::read_to_string(self.folder.join("calls")).unwrap_or_default();
        let _ = fs::remove_file(self.folder.join("calls"));
        let compiled = calls.lines().filter(|call| call.contains(" -c "));
        let (kernels, emulation): (Vec<_>, Vec<_>) = compiled.partition(|call| call.contains("own.cpp"));
        (kernels.len(), emulation.len())
    }
}

fn kept(cache: &Path) -> Vec<OsString> {
    fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

#[test]
fn concurrent_builds_share_the_cached_emulation() {
    let Some(bench) = bench("cache") else { return };
    let cache = bench.folder.join("cache");
    std::thread::scope(|scope| {
        for name in ["one", "two"] {
            let (bench, cache) = (&bench, &cache);
            scope.spawn(move || assert_eq!(bench.build(name, Some(cache)), ["own"]));
        }
    });
    assert_eq!(kept(&cache).len(), 1, "{:?}", kept(&cache));
    assert!(bench.compiled().1 > 0);
    assert_eq!(bench.build("three", Some(&cache)), ["own"]);
    assert_eq!(bench.compiled(), (1, 0));
    // Damage is mended.
    let whole = cache.join(&kept(&cache)[0]);
    let victim = fs::read_dir(&whole).unwrap().map(|entry| entry.unwrap().path());
    let victim = victim.into_iter().find(|path| path.extension().is_some_and(|kind| kind == "o")).unwrap();
    fs::remove_file(&victim).unwrap();
    assert_eq!(bench.build("four", Some(&cache)), ["own"]);
    assert!(victim.is_file());
    assert!(bench.compiled().1 > 0);
    // Files that another user may have written are not used: an open folder, a link in place of an object.
    fs::set_permissions(&whole, Permissions::from_mode(0o770)).unwrap();
    assert_eq!(bench.build("five", Some(&cache)), ["own"]);
    assert!(bench.compiled().1 > 0);
    assert_eq!(fs::metadata(&whole).unwrap().permissions().mode() & 0o777, 0o700);
    let elsewhere = bench.folder.join("elsewhere.o");
    fs::rename(&victim, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &victim).unwrap();
    assert_eq!(bench.build("six", Some(&cache)), ["own"]);
    assert!(bench.compiled().1 > 0 && !victim.is_symlink());
    // Other users lose the right to write to the cache itself.
    fs::set_permissions(&cache, Permissions::from_mode(0o777)).unwrap();
    assert_eq!(bench.build("seven", Some(&cache)), ["own"]);
    assert_eq!(fs::metadata(&cache).unwrap().permissions().mode() & 0o777, 0o755);
    // Another text is another emulation.
    assert_eq!(bench.compiled(), (1, 0));
    fs::write(bench.home.emulation.join("src/two.cpp"), "int two() { return 3; }\n").unwrap();
    assert_eq!(bench.build("other", Some(&cache)), ["own"]);
    assert_eq!((bench.compiled(), kept(&cache).len()), ((1, 2), 2));
    // A build without a writable cache works as well.
    let file = bench.folder.join("file");
    fs::write(&file, "").unwrap();
    assert_eq!(bench.build("eight", Some(&file.join("cache"))), ["own"]);
}

#[test]
fn installation_compiles_the_emulation_for_all_users() {
    let Some(mut bench) = bench("prepared") else { return };
    let (cache, all) = (bench.folder.join("cache"), bench.folder.join("lib/mf_kernels"));
    let refused = prepare(&bench.compiler, &bench.home, Some(&cache)).unwrap_err();
    assert!(refused.contains("no installation"), "{refused}");
    bench.home.prepared = Some(all.clone());
    // An older one goes.
    fs::create_dir_all(all.join("emulation-0")).unwrap();
    let kept = prepare(&bench.compiler, &bench.home, None).unwrap();
    assert_eq!((bench.compiled(), self::kept(&all).len()), ((0, 2), 1));
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(bench.build("one", Some(&cache)), ["own"]);
    assert_eq!(bench.compiled(), (1, 0));
    assert!(!cache.exists());
    // Objects that another user may have written are not used.
    let object = fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path());
    let object = object.into_iter().find(|path| path.extension().is_some_and(|kind| kind == "o")).unwrap();
    fs::set_permissions(&object, Permissions::from_mode(0o666)).unwrap();
    assert_eq!(bench.build("two", Some(&cache)), ["own"]);
    assert_eq!(bench.compiled(), (1, 2));
    // This user's own are copied.
    assert_eq!(prepare(&bench.compiler, &bench.home, Some(&cache)).unwrap(), kept);
    assert_eq!(bench.build("three", None), ["own"]);
    assert_eq!(bench.compiled(), (1, 0));
    // Headers of the simulator for other programs are in source trees alone.
    fs::write(bench.home.simulator.join("ascend_sim.h"), "").unwrap();
    assert_eq!(bench.build("again", None), ["own"]);
    assert_eq!(bench.compiled(), (1, 0));
    // Another text is another emulation.
    fs::write(bench.home.emulation.join("src/two.cpp"), "int two() { return 3; }\n").unwrap();
    assert_eq!(bench.build("four", None), ["own"]);
    assert_eq!(bench.compiled(), (1, 2));
}

#[test]
fn rebuild_in_the_same_folder_compiles_nothing_without_a_cache() {
    let Some(bench) = bench("own") else { return };
    assert_eq!(bench.build("between", None), ["own"]);
    assert_eq!(bench.compiled(), (1, 2));
    assert_eq!(bench.build("between", None), ["own"]);
    assert_eq!(bench.compiled(), (0, 0));
    let source = bench.folder.join("own.cpp");
    let text = fs::read_to_string(&source).unwrap();
    fs::write(&source, text.replace("launch_own", "launch_other")).unwrap();
    assert_eq!(bench.build("between", None), ["other"]);
    assert_eq!(bench.compiled(), (1, 0));
}

#[test]
fn default_cache_folder_belongs_to_the_user() {
    let cache = |pairs: &[(&str, &str)]| {
        default_cache(|name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    };
    assert_eq!(cache(&[("HOME", "/h")]), Some("/h/.cache/memfabric/kernels".into()));
    assert_eq!(cache(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/x")]), Some("/x/memfabric/kernels".into()));
    assert_eq!(cache(&[("HOME", "/h"), ("XDG_CACHE_HOME", "relative")]), cache(&[("HOME", "/h")]));
    assert_eq!(cache(&[]), None);
}
