// SPDX-License-Identifier: Apache-2.0 OR MIT
//! S55 to S57: loading, and symbol lookup.

use super::compiled::Folder;
use super::*;

#[test]
fn s55_malformed_files_are_rejected_by_kind() {
    isolated::run(&[], || {
        let folder = Folder::new();
        assert_eq!(load(&folder.0.join("none.o")), Err(107_002), "no device is set");
        set_device(0);
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.0.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        assert_eq!(load(&folder.0.join("none.o")), Err(NO_FILE));
        assert!(last_error().contains("none.o"));
        assert_eq!(load(&folder.0), Err(NO_FILE));
        assert_eq!(load(&write("empty.o", b"")), Err(EMPTY_FILE));
        assert_eq!(load(&write("text.o", b"not a binary")), Err(NO_BINARY));
        assert_eq!(load(&write("kernels.json", b"{\"op\": {}}")), Err(207_000));
        assert_eq!(load(Path::new("")), Err(NO_FILE));
        let mut binary = null_mut();
        assert_eq!(call!(aclrtBinaryLoadFromFile(null(), null_mut(), &raw mut binary)), 100_000);
        assert!(binary.is_null());
        assert_eq!(load_data(b""), Err(EMPTY_FILE));
        assert_eq!(load_data(b"\x7fELF"), Err(NO_BINARY));
    });
}

#[test]
fn s55_relative_paths_start_at_the_working_directory() {
    isolated::run(&[], || {
        let Some(compiled) = Compiled::from_file("plain.c") else { return };
        set_device(0);
        let name = Path::new(compiled.path.file_name().unwrap());
        assert_eq!(load(name), Err(NO_FILE), "there is none in this folder");
        std::env::set_current_dir(compiled.path.parent().unwrap()).unwrap();
        for path in [name, &Path::new(".").join(name)] {
            function(load(path).unwrap(), "add");
        }
    });
}

#[test]
fn s55_options_are_checked() {
    isolated::run(&[], || {
        let Some(compiled) = Compiled::from_file("plain.c") else { return };
        set_device(0);
        let path = CString::new(compiled.path.to_str().unwrap()).unwrap();
        let load = |sort: u32, value: u32| {
            let value = aclrtBinaryLoadOptionValue { rsv: [value, 0, 0, 0] };
            let mut option = aclrtBinaryLoadOption { type_: sort, value };
            let mut options = aclrtBinaryLoadOptions { options: &raw mut option, numOpt: 1 };
            let mut binary = null_mut();
            let code = call!(aclrtBinaryLoadFromFile(path.as_ptr(), &raw mut options, &raw mut binary));
            (code, binary)
        };
        assert_eq!(load(1, 1).0, 0);
        assert_eq!(load(1, 2).0, WRONG);
        for (magic, kind) in [(0x4355_4245, 0), (0x4152_4146, 2), (0x4149_4343, 1)] {
            let (code, binary) = load(2, magic);
            assert_eq!(code, 0);
            let mut found = -1;
            assert_eq!(call!(aclrtGetFunctionAttribute(function(binary, "add"), 1, &raw mut found)), 0);
            assert_eq!(found, kind);
        }
        assert_eq!(load(2, 5), (WRONG, null_mut()));
        assert_eq!(load(3, 1).0, 207_000);
        assert_eq!(load(4, 0).0, 100_000);
    });
}

#[test]
fn kernels_for_ai_cpus_are_listed_in_a_file() {
    isolated::run(&[], || {
        let Some(compiled) = Compiled::from_file("plain.c") else { return };
        set_device(0);
        let folder = Folder::new();
        let list = folder.0.join("kernels.json");
        let load = |text: &str| {
            std::fs::write(&list, text).unwrap();
            let path = CString::new(list.to_str().unwrap()).unwrap();
            let value = aclrtBinaryLoadOptionValue { rsv: [0; 4] };
            let mut option = aclrtBinaryLoadOption { type_: 3, value };
            let mut options = aclrtBinaryLoadOptions { options: &raw mut option, numOpt: 1 };
            let mut binary = null_mut();
            match call!(aclrtBinaryLoadFromFile(path.as_ptr(), &raw mut options, &raw mut binary)) {
                0 => Ok(binary),
                code => Err(code),
            }
        };
        let good = r#"{"add": {"opInfo": {"kernelSo": "libkernels.so", "functionName": "add"}}}"#;
        assert_eq!(load(good), Err(NO_FILE), "there is no library beside it");
        std::fs::copy(&compiled.path, folder.0.join("libkernels.so")).unwrap();
        let two = r#"{"a": {"opInfo": {"kernelSo": "a.so"}}, "b": {"opInfo": {"kernelSo": "b.so"}}}"#;
        for wrong in ["", "[]", "{}", r#"{"a": {}}"#, r#"{"a": {"opInfo": {"kernelSo": "/"}}}"#, two] {
            assert_eq!(load(wrong), Err(NO_BINARY), "{wrong}");
        }
        let add = function(load(good).unwrap(), "add");
        let mut kind = 0;
        assert_eq!(call!(aclrtGetFunctionAttribute(add, 1, &raw mut kind)), 0);
        assert_eq!(kind, 100);
        let stream = stream();
        let (first, second, sum) = (Words::new(&[1, 2]), Words::new(&[10, 20]), Words::new(&[0, 0]));
        let arguments = [first.address(), second.address(), sum.address(), 4];
        assert_eq!(launch(add, 1, stream, &arguments), 0, "{}", last_error());
        assert_eq!(wait(stream), 0, "{}", last_error());
        assert_eq!(sum.get(), [11, 22]);
    });
}

#[test]
fn s55_a_binary_belongs_to_its_context() {
    with_binary("plain.c", &[], |binary, _| {
        let add = function(binary, "count");
        set_device(1);
        let counter = Words::new(&[0]);
        assert_eq!(launch(add, 1, null_mut(), &[counter.address()]), 107_044);
        assert!(last_error().contains("count"));
        set_device(0);
        assert_eq!(call!(aclrtResetDeviceForce(0)), 0);
        set_device(0);
        assert_eq!(launch(add, 1, null_mut(), &[0]), WRONG, "it went with its context");
    });
}

#[test]
fn s56_a_host_library_runs_and_a_device_binary_is_refused() {
    with_binary("plain.c", &[], |binary, stream| {
        let (a, b) = (Words::new(&[1 | 2 << 32, 3]), Words::new(&[10 | 20 << 32, 30]));
        let sum = Words::new(&[0, 0]);
        let arguments = [a.address(), b.address(), sum.address(), 3];
        assert_eq!(launch(function(binary, "add"), 4, stream, &arguments), 0);
        assert_eq!(wait(stream), 0);
        assert_eq!(sum.get(), [11 | 22 << 32, 33]);
    });
    isolated::run(&[], || {
        let Some(compiled) = Compiled::from_file("plain.c") else { return };
        set_device(0);
        let mut bytes = std::fs::read(&compiled.path).unwrap();
        (bytes[18], bytes[19]) = (0x29, 0x10);
        assert_eq!(load_data(&bytes), Err(207_000));
        assert!(last_error().contains("4137"), "names the machine");
    });
}

#[test]
fn s56_broken_libraries_report_the_loader_error() {
    isolated::run(&[], || {
        let Some(compiled) = Compiled::from_file("plain.c") else { return };
        set_device(0);
        let bytes = std::fs::read(&compiled.path).unwrap();
        for length in (64..bytes.len()).step_by(997) {
            assert_eq!(load_data(&bytes[..length]), Err(NO_BINARY), "{length} of {} bytes", bytes.len());
        }
        let Some(wanting) =
            Compiled::of_text("extern void nowhere(void); void mfk_launch_a(void) { nowhere(); }")
        else {
            return;
        };
        assert_eq!(load(&wanting.path), Err(NO_BINARY));
        assert!(last_error().contains("nowhere"), "the loader names what is missing");
    });
}

#[test]
fn s56_binary_failing_to_attach_is_refused() {
    isolated::run(&[], || {
        let Some(compiled) = Compiled::from_file("unwilling.c") else { return };
        set_device(0);
        assert_eq!(load(&compiled.path), Err(NO_BINARY));
        assert!(last_error().contains("answers 9"));
    });
}

#[test]
fn s56_each_load_has_separate_variables() {
    with_binary("plain.c", &[], |first, stream| {
        let compiled = Compiled::from_file("plain.c").unwrap();
        let bytes = std::fs::read(&compiled.path).unwrap();
        let others =
            [load(&compiled.path).unwrap(), load(&compiled.path).unwrap(), load_data(&bytes).unwrap()];
        let result = Words::new(&[0]);
        let total = |binary: *mut c_void| {
            result.set(&[0]);
            assert_eq!(launch(function(binary, "total"), 1, stream, &[result.address()]), 0);
            assert_eq!(wait(stream), 0);
            result.get()[0]
        };
        let set = |binary: *mut c_void, words: [u32; 4]| {
            let (mut at, mut bytes) = (null_mut(), 0);
            assert_eq!(
                call!(aclrtBinaryGetGlobal(binary, c"table".as_ptr(), &raw mut at, &raw mut bytes)),
                0
            );
            assert_eq!(bytes, 16);
            assert_eq!(call!(aclrtMemcpy(at, 16, words.as_ptr().cast(), 16, 1)), 0, "{}", last_error());
        };
        set(first, [100, 0, 0, 0]);
        set(others[1], [0, 0, 0, 7]);
        assert_eq!(total(first), 100);
        assert_eq!(others.map(total), [10, 7, 10]);
    });
}

#[test]
fn s56_binary_image_can_be_loaded_later() {
    isolated::run(&[], || {
        let Some(compiled) = Compiled::from_file("plain.c") else { return };
        set_device(0);
        let bytes = std::fs::read(&compiled.path).unwrap();
        let image = call!(aclrtCreateBinary(bytes.as_ptr().cast(), bytes.len()));
        assert!(!image.is_null());
        drop(bytes);
        let mut binary = null_mut();
        assert_eq!(call!(aclrtBinaryLoad(image, &raw mut binary)), 0);
        function(binary, "add");
        assert_eq!(call!(aclrtDestroyBinary(image)), 0);
        assert_eq!(call!(aclrtDestroyBinary(image)), WRONG);
        assert_eq!(call!(aclrtBinaryLoad(image, &raw mut binary)), WRONG);
        function(binary, "add");
        assert!(call!(aclrtCreateBinary(null(), 4)).is_null());
    });
}

#[test]
fn s57_unknown_names_are_rejected() {
    with_binary("plain.c", &[], |binary, _| {
        let mut out = null_mut();
        assert_eq!(call!(aclrtBinaryGetFunction(binary, c"substract".as_ptr(), &raw mut out)), WRONG);
        assert!(out.is_null(), "the result is untouched");
        let text = last_error();
        assert!(text.contains("substract") && text.contains("add"), "{text}");
        let mut bytes = 0;
        assert_eq!(
            call!(aclrtBinaryGetGlobal(binary, c"tables".as_ptr(), &raw mut out, &raw mut bytes)),
            107_042
        );
        assert_eq!(
            call!(aclrtBinaryGetGlobal(binary, c"mfk_launch_add".as_ptr(), &raw mut out, &raw mut bytes)),
            107_042,
            "a function is no variable"
        );
        assert_eq!(call!(aclrtBinaryGetFunctionByEntry(binary, 8, &raw mut out)), WRONG);
        assert!(out.is_null());
        assert_eq!(call!(aclrtBinaryGetFunction(null(), c"add".as_ptr(), &raw mut out)), 100_000);
        assert_eq!(call!(aclrtBinaryGetFunction(binary, null(), &raw mut out)), 100_000);
        assert_eq!(call!(aclrtBinaryGetFunction(binary, c"add".as_ptr(), null_mut())), 100_000);
    });
}

#[test]
fn s57_functions_report_their_names_and_attributes() {
    with_binary("plain.c", &[], |binary, stream| {
        let add = function(binary, "add");
        assert_eq!(function(binary, "add"), add, "the same handle again");
        let mut name = [0x55_i8; 8];
        assert_eq!(call!(aclrtGetFunctionName(add, 4, name.as_mut_ptr().cast())), 0);
        assert_eq!(name[..5].iter().map(|byte| byte.cast_unsigned()).collect::<Vec<_>>(), *b"add\0\x55");
        assert_eq!(call!(aclrtGetFunctionName(add, 3, name.as_mut_ptr().cast())), WRONG);
        let mut value = 0;
        assert_eq!(call!(aclrtGetFunctionAttribute(add, 4, &raw mut value)), 100_000);
        let mut entry = null_mut();
        assert_eq!(call!(aclrtBinaryGetFunctionByEntry(binary, 7, &raw mut entry)), 0);
        let result = Words::new(&[0]);
        assert_eq!(launch(entry, 1, stream, &[result.address()]), 0);
        assert_eq!(wait(stream), 0);
        assert_eq!(result.get(), [7]);
    });
    with_binary("attached.c", &[], |binary, _| {
        let mixed = function(binary, "mixed");
        for (attribute, expected) in [(1, 3), (2, 2), (3, 1)] {
            let mut value = -1;
            assert_eq!(call!(aclrtGetFunctionAttribute(mixed, attribute, &raw mut value)), 0);
            assert_eq!(value, expected);
        }
    });
}

#[test]
fn s57_a_variable_is_device_memory() {
    with_binary("plain.c", &[("ADDR", "alias")], |binary, stream| {
        let (mut at, mut bytes) = (null_mut(), 0);
        assert_eq!(call!(aclrtBinaryGetGlobal(binary, c"table".as_ptr(), &raw mut at, &raw mut bytes)), 0);
        let copy = Words::bytes(16);
        assert_eq!(call!(aclrtMemcpyAsync(copy.at, 16, at, 16, 3, stream)), 0);
        assert_eq!(wait(stream), 0, "{}", last_error());
        assert_eq!(copy.get(), [1 | 2 << 32, 3 | 4 << 32]);
        assert_eq!(call!(aclrtFree(at)), WRONG, "it is not the program's to free");
        let mut facts = aclrtPtrAttributes::default();
        assert_eq!(call!(aclrtPointerGetAttributes(at, &raw mut facts)), 0);
        assert_eq!((facts.location.type_, facts.location.id), (1, 0));
        assert_eq!(call!(aclrtBinaryUnLoad(binary)), 0);
        assert_ne!(call!(aclrtMemcpy(copy.at, 16, at, 16, 3)), 0, "it went with its binary");
    });
}

#[test]
fn s57_unloading_waits_for_queued_launches() {
    with_binary("plain.c", &[("SCHEDULE", "slow(2000)")], |binary, stream| {
        let counter = Words::new(&[0]);
        let count = function(binary, "count");
        for _ in 0..20 {
            assert_eq!(launch(count, 4, stream, &[counter.address()]), 0);
        }
        assert_eq!(call!(aclrtBinaryUnLoad(binary)), 0);
        assert_eq!(call!(aclrtBinaryUnLoad(binary)), WRONG);
        assert_eq!(launch(count, 4, stream, &[counter.address()]), WRONG, "its functions are gone");
        assert_eq!(wait(stream), 0);
        assert_eq!(counter.get(), [80]);
    });
}
