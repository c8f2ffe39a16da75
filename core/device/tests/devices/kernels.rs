// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Launches of kernels by the Ascend device: arguments, streams, and failures.
#![allow(clippy::print_stderr, reason = "the standard output of a test process is not read")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mf_base::{Kind, Result};
use mf_device::RawStream;
use mf_device::kernels::{Binary, Code, LaunchOptions};

use super::simulator::{A2, A3, A5, acl, count, device, run_on};
use super::suite::{KIND, Rig, map};

const ONE: LaunchOptions = LaunchOptions { blocks: 1, timeout: None, stream: None };

/// Returns the kernels of `kernels.c`; `None`, with a printed note, without a compiler.
fn compiled() -> Option<&'static [u8]> {
    static BYTES: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    BYTES.get_or_init(compile).as_deref()
}

fn compile() -> Option<Vec<u8>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let object = scratch("kernels.o");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut command = Command::new(&compiler);
    command.args(["-std=gnu11", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", "-I"]);
    command
        .arg(here.join("../../sys/sim/include"))
        .arg(here.join("tests/devices/kernels.c"))
        .arg("-o")
        .arg(&object);
    match command.output() {
        Err(error) => {
            eprintln!("skip kernels: no C compiler {compiler}: {error}");
            None
        }
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let bytes = fs::read(&object).unwrap();
            fs::remove_file(object).unwrap();
            Some(bytes)
        }
    }
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("mf-devices-{}-{name}", std::process::id()))
}

/// A device with memory at `base`, and the kernels loaded.
struct Bench {
    rig: Rig,
    base: u64,
    _window: Box<dyn mf_device::Window>,
    binary: Arc<dyn Binary>,
}

impl Bench {
    fn new(bytes: &[u8]) -> Self {
        let rig = device(0);
        let (granule, base) = (rig.granule(), rig.base(0));
        let window = rig.windows().reserve(KIND, base, granule, granule).unwrap();
        let memory = rig.windows().allocate(KIND, granule).unwrap();
        map(&*window, 0, &*memory, 0..granule);
        let binary = rig.0.kernels().unwrap().load(Code::Bytes(bytes)).unwrap();
        Self { rig, base, _window: window, binary }
    }

    fn launch(&self, kernel: &str, words: &[u64], options: &LaunchOptions) -> Result<()> {
        let arguments: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        // SAFETY: the kernels touch the memory of the bench, which stays.
        unsafe { self.binary.launch(kernel, &arguments, options) }
    }

    fn words(&self, count: usize) -> Vec<u64> {
        let bytes = self.rig.read(self.base, 8 * count);
        bytes.chunks(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap())).collect()
    }
}

/// Runs `body` on this product with the kernels, if there is a compiler.
fn bench_on(soc: &str, knobs: &[(&str, &str)], body: impl FnOnce(&Bench)) {
    run_on(soc, knobs, || {
        if let Some(bytes) = compiled() {
            body(&Bench::new(bytes));
        }
    });
}

fn refusal(outcome: Result<()>, kind: Kind, said: &[&str]) {
    let error = outcome.unwrap_err();
    let text = error.to_string();
    assert_eq!(error.kind(), kind, "{text}");
    for said in said {
        assert!(text.contains(said), "{said} is not in: {text}");
    }
}

#[test]
fn blocking_launch_completes_on_every_product() {
    let odd = &[("ADDR", "alias"), ("SCHEDULE", "random(3)")];
    for (soc, knobs) in [(A2, &[][..]), (A3, odd), (A5, &[("CANN", "8.1")])] {
        bench_on(soc, knobs, |bench| {
            let blocks = LaunchOptions { blocks: 5, ..ONE };
            bench.launch("fill", &[bench.base, 7, 3], &blocks).unwrap();
            assert_eq!(bench.words(5), [21; 5]);
            bench.launch("meet", &[], &blocks).unwrap();
            assert!(acl().context().unwrap_err().is_no_context(), "this thread had no device before");
        });
    }
}

#[test]
fn launches_take_a_stream_and_the_function_once() {
    bench_on(A3, &[], |bench| {
        let before = count("stream");
        for _ in 0..20 {
            bench.launch("fill", &[bench.base, 1, 1], &ONE).unwrap();
        }
        assert_eq!(count("stream"), before + 1);
    });
}

#[test]
fn threads_launch_at_the_same_time() {
    threads_launch(&[("SCHEDULE", "random(5)")]);
}

#[test]
fn threads_launch_at_the_same_time_by_the_calls_of_cann_8_1() {
    threads_launch(&[("SCHEDULE", "random(5)"), ("CANN", "8.1")]);
}

fn threads_launch(knobs: &[(&str, &str)]) {
    bench_on(A3, knobs, |bench| {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for _ in 0..10 {
                        bench.launch("fill", &[bench.base + 8 * thread, thread + 1, 1], &ONE).unwrap();
                    }
                });
            }
        });
        assert_eq!(bench.words(4), [1, 2, 3, 4]);
    });
}

#[test]
fn binary_loads_from_a_relative_path() {
    run_on(A3, &[], || {
        let Some(bytes) = compiled() else { return };
        let rig = device(0);
        let folder = scratch("folder");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("k.o"), bytes).unwrap();
        std::env::set_current_dir(&folder).unwrap();
        let kernels = rig.0.kernels().unwrap();
        let binary = kernels.load(Code::File(Path::new("k.o"))).unwrap();
        // SAFETY: the kernel touches no memory.
        unsafe { binary.launch("meet", &[], &ONE) }.unwrap();
        drop(binary);
        assert_eq!(count("binary"), 0);
        refusal(
            kernels.load(Code::File(Path::new("other.o"))).map(drop),
            Kind::NotExist,
            &["other.o", "cannot be read"],
        );
        fs::remove_dir_all(&folder).unwrap();
    });
}

#[test]
fn unusable_binaries_are_refused_with_the_reason() {
    run_on(A3, &[], || {
        let Some(bytes) = compiled() else { return };
        let rig = device(0);
        let load = |bytes: &[u8]| rig.0.kernels().unwrap().load(Code::Bytes(bytes)).map(drop);
        refusal(load(b""), Kind::InvalidParam, &["not a kernel binary"]);
        refusal(load(b"no ELF file, whatever it is"), Kind::InvalidParam, &["not a kernel binary"]);
        let mut device = bytes.to_vec();
        device[18..20].copy_from_slice(&0x1029_u16.to_le_bytes());
        refusal(load(&device), Kind::InvalidParam, &["another machine", "4137", "--emulate"]);
        refusal(load(&bytes[..bytes.len() / 3]), Kind::InvalidParam, &["is it whole", A3, "cut short"]);
        assert_eq!(count("binary"), 0);
        load(bytes).unwrap();
    });
}

#[test]
fn invalid_launches_are_refused_without_side_effects() {
    bench_on(A3, &[], |bench| {
        let fill = [bench.base, 1, 1];
        let before = count("stream");
        refusal(bench.launch("fil", &fill, &ONE), Kind::NotExist, &["fil", "it has: ", "meet"]);
        refusal(
            bench.launch("fill", &fill[..2], &ONE),
            Kind::InvalidParam,
            &["fill", "argument_bytes 16", "takes 3 arguments", "24 in slots of 8"],
        );
        refusal(
            bench.launch("fill", &fill, &LaunchOptions { blocks: 0, ..ONE }),
            Kind::InvalidParam,
            &["blocks 0"],
        );
        refusal(
            bench.launch("meet", &[], &LaunchOptions { blocks: 49, ..ONE }),
            Kind::InvalidParam,
            &["meet", "49 blocks", "48 Vector cores"],
        );
        bench.launch("fill", &fill, &ONE).unwrap();
        assert_eq!(count("stream"), before + 1, "streams of refused launches go");
    });
}

#[test]
fn failed_kernel_reports_the_device_error_and_the_next_works() {
    bench_on(A3, &[], |bench| {
        let four = LaunchOptions { blocks: 4, ..ONE };
        let before = count("stream");
        for _ in 0..2 {
            refusal(
                bench.launch("faulty", &[2], &four),
                Kind::Failed,
                &["the kernel failed", "kernel faulty", "block 2 of 4", "hazard K8", "add.cpp:7"],
            );
            bench.launch("fill", &[bench.base, 9, 1], &four).unwrap();
            assert_eq!(bench.words(4), [9; 4]);
        }
        assert_eq!(count("stream"), before + 1, "streams of failed kernels go");
    });
}

#[test]
fn endless_kernel_is_aborted() {
    bench_on(A3, &[("OP_TIMEOUT", "1")], |bench| {
        let limit = LaunchOptions { timeout: Some(Duration::from_millis(50)), ..ONE };
        refusal(bench.launch("spin", &[0], &limit), Kind::Timeout, &["spin", "limit_us 50000", "did not"]);
        // Without a limit of the launch the device's counts.
        refusal(bench.launch("spin", &[0], &ONE), Kind::Timeout, &["spin", "1s"]);
        bench.launch("fill", &[bench.base, 5, 1], &limit).unwrap();
        assert_eq!(bench.words(1), [5]);
    });
}

#[test]
fn kernel_on_a_callers_stream_keeps_memory_and_binary() {
    for (soc, context_of_its_own) in [(A3, false), (A2, true)] {
        bench_on(soc, &[], |bench| {
            acl().set_device(0).unwrap();
            if context_of_its_own {
                acl().create_context(0).unwrap();
            }
            let stream = acl().create_stream().unwrap();
            let options = LaunchOptions { stream: Some(RawStream(stream.as_raw())), ..ONE };
            bench.rig.write(bench.base, &[0; 16]);
            bench.launch("wait", &[bench.base], &options).unwrap();
            bench.launch("fill", &[bench.base + 8, 6, 7], &options).unwrap();
            assert_eq!(bench.words(2), [0, 0], "the call came back before the kernel ended");
            std::thread::scope(|scope| {
                let resting = scope.spawn(|| bench.rig.mover().quiesce());
                // It cannot be at rest before the word is written.
                bench.rig.write(bench.base, &1_u64.to_ne_bytes());
                resting.join().unwrap().unwrap();
            });
            assert_eq!(bench.words(2), [2, 42], "at rest means that both have ended");
        });
    }
}

#[test]
fn fault_on_a_callers_stream_is_reported_to_the_program() {
    bench_on(A3, &[], |bench| {
        acl().set_device(0).unwrap();
        let stream = acl().create_stream().unwrap();
        let options = LaunchOptions { stream: Some(RawStream(stream.as_raw())), ..ONE };
        bench.launch("faulty", &[0], &options).unwrap();
        bench.rig.mover().quiesce().unwrap();
        assert!(acl().synchronize_stream(stream, None).unwrap_err().text().contains("hazard K8"));
        bench.launch("fill", &[bench.base, 3, 1], &ONE).unwrap();
        assert_eq!(bench.words(1), [3]);
    });
}
