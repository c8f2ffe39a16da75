// SPDX-License-Identifier: Apache-2.0 OR MIT
//! GPUs of every vendor, on the simulator: one suite over all, failures, and memory shared by several
//! processes.

use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use gpu_sys::Stream;
use libloading::os::unix::Library;
use mf_base::{Gva, Kind, Result};
use mf_device::gpu::{self, AddressKind, Direction, Driver, Gpu, Memory, Search, Vendor};
use mf_device::{Device, Lane, Locality, Mover, RawStream, Share, Token, Transfer, Word};

mod drivers;
mod ends;
mod figures;
mod shared;

use super::isolated;
use super::suite::{self, KIND, Rig, map, pattern, transfer};

const DEFAULT: RawStream = RawStream(null_mut());
const GPUS: (&str, &str) = ("=GPUSIM_GPUS", "2:cuda,2:hip,2:musa,2:cndrv");
const PROMPT: (&str, &str) = ("=GPUSIM_LATE_US", "0");

/// A folder with the simulator under every name of every vendor.
fn links() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let file = own.with_file_name("libgpu_sim.so");
    assert!(file.exists(), "{} is a development dependency of this crate", file.display());
    let folder = own.with_file_name("gpu-sim-links");
    std::fs::create_dir_all(&folder).unwrap();
    for name in Vendor::ALL.iter().map(|vendor| vendor.files()[0]) {
        let link = folder.join(name);
        if !link.exists() {
            // Another process may be quicker.
            let _ = std::os::unix::fs::symlink(&file, link);
        }
    }
    folder
}

fn run(knobs: &[(&str, &str)], body: impl FnOnce()) {
    crew(1, knobs, |_, _| body());
}

/// Runs in processes that find the simulator as any program does.
fn crew(size: usize, knobs: &[(&str, &str)], body: impl FnOnce(usize, &isolated::Board)) {
    let folder = links();
    let path = ("=LD_LIBRARY_PATH", folder.to_str().unwrap());
    let knobs: Vec<(&str, &str)> = [path, GPUS].into_iter().chain(knobs.iter().copied()).collect();
    isolated::crew(size, &knobs, body);
}

/// The simulator's own functions.
fn simulator() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        // SAFETY: the simulator has no initialisers.
        unsafe { Library::open(Some(links().join("libcuda.so.1")), 2) }.unwrap()
    })
}

fn control<F: Copy>(name: &str) -> F {
    // SAFETY: the callers name functions with their types.
    *unsafe { simulator().get::<F>(name.as_bytes()) }.unwrap()
}

fn calls() -> u64 {
    control::<extern "C" fn() -> u64>("gpusim_calls")()
}

/// Returns the current context or device of this thread.
fn current(vendor: Vendor) -> u64 {
    let names = ["cuCtxGetCurrent", "hipGetDevice", "muCtxGetCurrent", "cnCtxGetCurrent"];
    let mut found = 0_u64;
    assert_eq!(control::<extern "C" fn(*mut u64) -> i32>(names[vendor.index()])(&raw mut found), 0);
    found
}

/// Address of bytes of the program.
fn of(bytes: &[u8]) -> u64 {
    bytes.as_ptr().expose_provenance() as u64
}

fn write(gpu: &Gpu, to: u64, bytes: &[u8]) -> Result<()> {
    // SAFETY: memory of the test, on both sides.
    unsafe { gpu.copy(to, of(bytes), bytes.len() as u64, Direction::HostToDevice) }
}

fn read(gpu: &Gpu, from: u64, length: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0xee_u8; length];
    let to = bytes.as_mut_ptr().expose_provenance() as u64;
    // SAFETY: `bytes` has that length, and the range lies in memory of the test.
    unsafe { gpu.copy(to, from, length as u64, Direction::DeviceToHost) }?;
    Ok(bytes)
}

/// Memory that is given back.
struct Held<'a>(&'a Gpu, u64);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // After a failure streams may still use it. Some tests request refusals.
        let _ = self.0.quiesce().or_else(|_| self.0.quiesce());
        // SAFETY: nobody else has it.
        let _ = unsafe { self.0.free(self.1) };
    }
}

/// Memory of a pool, at a place that no other call has; gone on return.
fn pooled(gpu: &Arc<Gpu>) -> Result<()> {
    static PLACES: AtomicU64 = AtomicU64::new(0);
    let rig = Rig(Arc::<Gpu>::clone(gpu));
    let (unit, base) = (rig.granule(), rig.base(100 + PLACES.fetch_add(1, Ordering::Relaxed)));
    let window = gpu.windows()?.reserve(KIND, base, 2 * unit, unit)?;
    let memory = gpu.windows()?.allocate(KIND, unit)?;
    // SAFETY: nobody else knows the window.
    unsafe { window.map(unit, &*memory, 0..unit) }?;
    assert_eq!(read(gpu, base + unit, 8)?, [0; 8]);
    let shares = memory.share(&gpu.identity()?)?;
    assert!(matches!(shares[..], [Share { token: Token::Descriptor(_), .. }]));
    write(gpu, base + unit, b"pool")?;
    assert_eq!(read(gpu, base + unit, 4)?, b"pool");
    // SAFETY: the window is this test's own, and nothing accesses that part.
    unsafe { window.unmap(unit, unit) }
}

/// Runs every operation of a GPU, with small memory. The result is right, or an error.
fn everything(gpu: &Gpu, after_each: &dyn Fn()) -> Result<()> {
    let plain = Held(gpu, gpu.allocate(5000, Memory::Plain)?);
    let peerable = Held(gpu, gpu.allocate(5000, Memory::Peerable)?);
    after_each();
    let bytes = pattern(3, 5000);
    write(gpu, peerable.1, &bytes)?;
    after_each();
    // SAFETY: memory of the test.
    unsafe { gpu.copy(plain.1, peerable.1, 5000, Direction::DeviceToDevice) }?;
    after_each();
    assert!(read(gpu, plain.1, 5000)? == bytes);
    after_each();

    // On a stream of the caller, in order.
    let other = pattern(4, 100);
    // SAFETY: memory of the test, which waits below.
    unsafe { gpu.copy_on(DEFAULT, plain.1, of(&other), 100, Direction::HostToDevice) }?;
    // SAFETY: both are memory of the test, which waits below.
    unsafe { gpu.copy_on(DEFAULT, peerable.1, plain.1, 100, Direction::DeviceToDevice) }?;
    let (sender, receiver) = std::sync::mpsc::channel();
    // SAFETY: the default stream.
    unsafe { gpu.run_on(DEFAULT, Box::new(move || sender.send(7).unwrap_or(()))) }?;
    after_each();
    // SAFETY: the default stream.
    unsafe { gpu.write_word_on(DEFAULT, plain.1 + 8, Word::U32(0x0403_0201)) }?;
    // SAFETY: the default stream.
    unsafe { gpu.synchronize(DEFAULT) }?;
    after_each();
    assert_eq!(receiver.try_recv(), Ok(7));
    assert!(read(gpu, peerable.1, 100)? == other);
    assert_eq!(read(gpu, plain.1 + 8, 4)?, [1, 2, 3, 4]);

    // On a lane.
    let lane: Box<dyn Lane> = gpu.lane()?;
    let there: *mut u8 = Gva(plain.1).as_ptr();
    let up: Transfer = transfer(other.as_ptr(), Locality::Host, there, Locality::Device, 100);
    // SAFETY: memory of the test, which waits.
    unsafe { lane.enqueue(&[up]) }?;
    // SAFETY: the word lies in memory of the test, which waits.
    unsafe { lane.write_word(plain.1, Word::U64(9)) }?;
    lane.wait()?;
    after_each();
    assert_eq!(read(gpu, plain.1, 8)?, 9_u64.to_le_bytes());
    assert!(read(gpu, plain.1 + 8, 92)? == other[8..]);

    let hosted: *mut u8 = Gva(peerable.1).as_ptr();
    let across = transfer(there, Locality::Device, hosted, Locality::Device, 100);
    // SAFETY: both are memory of the test, which waits.
    unsafe { lane.enqueue(&[across]) }?;
    lane.wait()?;
    assert!(read(gpu, peerable.1 + 8, 92)? == other[8..]);

    // In this process, a key is the address.
    let exported = gpu.export(plain.1 + 8, 16)?;
    assert_eq!(*gpu.import(exported.value())?.value(), plain.1 + 8);
    gpu.register(of(&bytes), 5000)?;
    gpu.unregister(of(&bytes), 5000);
    gpu.quiesce()?;
    after_each();
    if gpu.vendor() == Vendor::Nvidia {
        pooled(&gpu::open(Vendor::Nvidia, gpu.number())?)?;
        after_each();
    }
    Ok(())
}

#[test]
fn pools_use_memory_of_nvidia_gpus() {
    run(&[], || {
        let rig = Rig(gpu::open(Vendor::Nvidia, 1).unwrap());
        suite::a_segment_lives(&rig);
        suite::refusals_change_nothing(&rig);
        suite::growth_can_be_given_up(&rig);
        suite::copies_arrive(&rig);
        suite::lanes_keep_order(&rig);
        let primary = gpu::open(Vendor::Nvidia, 1).unwrap().driver().primary(1).unwrap();
        let driver = Arc::clone(gpu::open(Vendor::Nvidia, 1).unwrap().driver());
        let _selected = driver.select(&primary).unwrap();
        // SAFETY: the default stream always lives.
        suite::words_follow_data(&rig, DEFAULT, || unsafe { driver.stream_wait(Stream::DEFAULT) }.unwrap());
        assert_eq!(control::<extern "C" fn() -> u64>("gpusim_leaks")(), 0);
        let without = gpu::open(Vendor::Amd, 0).unwrap();
        assert!(without.windows().map(drop).unwrap_err().to_string().contains("the driver lacks it"));
    });
}

#[test]
fn every_vendors_gpu_passes_and_keeps_the_current_device() {
    run(&[], || {
        for vendor in Vendor::ALL {
            let gpu = gpu::open(vendor, 0).unwrap();
            let other = gpu::open(vendor, 1).unwrap();
            assert!(Arc::ptr_eq(&gpu, &gpu::open(vendor, 0).unwrap()));
            assert!(
                gpu.describe().contains("simulated") && gpu.name() == vendor.name(),
                "{}",
                gpu.describe()
            );
            everything(&gpu, &|| ()).unwrap();
            // Another device than the calls' is current.
            let primary = other.driver().primary(1).unwrap();
            let selected = other.driver().select(&primary).unwrap();
            let before = current(vendor);
            assert!(before != 0);
            everything(&gpu, &|| assert_eq!(current(vendor), before, "{vendor}")).unwrap();
            drop(selected);
        }
        let leaks = control::<extern "C" fn() -> u64>("gpusim_leaks")();
        assert_eq!(leaks, 0);
    });
}

#[test]
fn addresses_are_known_by_vendor_and_device() {
    run(&[], || {
        let all: Vec<Arc<Gpu>> = Vendor::ALL.iter().map(|vendor| gpu::open(*vendor, 1).unwrap()).collect();
        for gpu in &all {
            let vendor = gpu.vendor();
            let (plain, peerable) = (gpu.allocate(10, Memory::Plain), gpu.allocate(10, Memory::Peerable));
            for address in [plain.unwrap(), peerable.unwrap()] {
                assert_eq!(gpu.kind_of(address), AddressKind::Device { vendor, device: 1 });
                assert_eq!(gpu::kind_of(address), AddressKind::Device { vendor, device: 1 });
            }
        }
        let own = [0_u8; 64];
        assert_eq!(gpu::kind_of(of(&own)), AddressKind::Unknown);
        assert!(all[0].register(of(&own), 64).unwrap());
        assert_eq!(gpu::kind_of(of(&own)), AddressKind::Pinned(Vendor::Nvidia));
        all[0].unregister(of(&own), 64);
    });
}

#[test]
fn addresses_of_drivers_used_by_other_code_are_recognised() {
    run(&[], || {
        let own = [0_u8; 8];
        assert_eq!(gpu::kind_of(of(&own)), AddressKind::Unknown);
        for vendor in [Vendor::Nvidia, Vendor::Amd, Vendor::Moore] {
            let driver = Driver::open(vendor, &Search::default()).unwrap();
            driver.init().unwrap();
            let primary = driver.primary(1).unwrap();
            let selected = driver.select(&primary).unwrap();
            let address = driver.allocate(100, Memory::Plain).unwrap();
            drop(selected);
            assert_eq!(gpu::kind_of(address + 99), AddressKind::Device { vendor, device: 1 });
            assert_eq!(gpu::kind_of(of(&own)), AddressKind::Unknown);
        }
    });
}

#[test]
fn peerable_memory_of_moore_threads_is_pinned_host_memory() {
    run(&[], || {
        let gpu = gpu::open(Vendor::Moore, 0).unwrap();
        let address = gpu.allocate(100, Memory::Peerable).unwrap();
        assert!(address.is_multiple_of(128));
        write(&gpu, address, &pattern(1, 100)).unwrap();
        let at: *const u8 = Gva(address).as_ptr();
        // SAFETY: host memory of the test.
        assert_eq!(unsafe { at.wrapping_add(99).read_volatile() }, pattern(1, 100)[99]);
        // SAFETY: the last use.
        unsafe { gpu.free(address) }.unwrap();
        // SAFETY: refused.
        assert_eq!(unsafe { gpu.free(address) }.unwrap_err().kind(), Kind::InvalidParam);
    });
}

/// Copies large enough for pinned pieces, by them and by the driver.
fn large_copies(gpu: &Gpu) {
    let length = (17 << 20) + 123;
    let address = Held(gpu, gpu.allocate(length as u64, Memory::Plain).unwrap());
    for seed in 0..8 {
        let before = current(gpu.vendor());
        let bytes = pattern(seed, length);
        write(gpu, address.1, &bytes).unwrap();
        assert!(read(gpu, address.1, length).unwrap() == bytes, "{}, {seed}", gpu.vendor());
        assert_eq!(current(gpu.vendor()), before, "{}", gpu.vendor());
    }
}

#[test]
fn large_copies_are_correct_by_driver_and_pinned_pieces() {
    run(&[PROMPT], || Vendor::ALL.iter().for_each(|vendor| large_copies(&gpu::open(*vendor, 0).unwrap())));
}

/// Returns vendors with a real driver on this machine.
fn real() -> Vec<Vendor> {
    let real = |found: gpu::Found| {
        let driver = found.driver.ok().filter(|driver| driver.simulator().is_none());
        driver.map(|driver| driver.vendor())
    };
    gpu::report().into_iter().filter_map(real).collect()
}

#[test]
fn real_gpus_of_this_machine_do_everything() {
    isolated::crew(2, &[], |rank, board| {
        let vendors = real();
        if vendors.is_empty() {
            println!("skipped: this machine has no driver of a real GPU");
        }
        for vendor in vendors {
            let gpu = gpu::open(vendor, 0).unwrap();
            everything(&gpu, &|| ()).unwrap();
            large_copies(&gpu);
            if vendor != Vendor::Moore {
                shared::share(&gpu, rank, board);
            }
        }
    });
}

#[test]
fn failure_of_any_nth_call_is_handled() {
    run(&[PROMPT], || {
        for vendor in Vendor::ALL {
            let gpu = gpu::open(vendor, 0).unwrap();
            for nth in 1..9 {
                control::<extern "C" fn(u64)>("gpusim_fail")(nth);
                let opened = Gpu::open(gpu.driver(), 1);
                assert!(opened.is_ok() || opened.is_err_and(|error| error.kind() == Kind::NotExist));
                control::<extern "C" fn(u64)>("gpusim_fail")(0);
            }
            for nth in 1.. {
                let start = calls();
                // A separate thread: its current device may be lost if restoring it fails.
                let result = std::thread::scope(|scope| {
                    scope
                        .spawn(|| {
                            control::<extern "C" fn(u64)>("gpusim_fail")(nth);
                            everything(&gpu, &|| ())
                        })
                        .join()
                });
                let result = result.unwrap();
                if calls() - start < nth {
                    control::<extern "C" fn(u64)>("gpusim_fail")(0);
                    result.unwrap();
                    assert!(nth > 50, "{vendor}: {nth} calls are too few");
                    break;
                }
                if let Err(error) = result {
                    assert!(error.to_string().contains("the driver refuses"), "{error}");
                }
            }
            everything(&gpu, &|| ()).unwrap();
        }
    });
}

#[test]
fn a_full_device_and_wrong_arguments_are_errors() {
    run(&[("=GPUSIM_MEMORY_BYTES", "200000")], || {
        for vendor in [Vendor::Nvidia, Vendor::Amd, Vendor::Cambricon] {
            let gpu = gpu::open(vendor, 0).unwrap();
            let first = gpu.allocate(65_537, Memory::Peerable).unwrap();
            // 128 KiB are taken, 64 KiB are not, and 69 KiB are.
            let error = gpu.allocate(69 << 10, Memory::Plain).unwrap_err();
            assert_eq!(error.kind(), Kind::OutOfMemory, "{error}");
            assert_eq!(gpu.allocate(0, Memory::Plain).unwrap_err().kind(), Kind::InvalidParam);
            assert_eq!(gpu.allocate(u64::MAX, Memory::Peerable).unwrap_err().kind(), Kind::InvalidParam);
            let bytes = [0_u8; 8];
            for (to, from, length) in [(0, of(&bytes), 8), (first, 0, 0), (first, of(&bytes), u64::MAX)] {
                // SAFETY: refused before anything is touched.
                let refused = unsafe { gpu.copy(to, from, length, Direction::HostToDevice) };
                assert_eq!(refused.unwrap_err().kind(), Kind::InvalidParam);
            }
            // SAFETY: nothing to do; null is nothing.
            unsafe { gpu.copy(first, of(&bytes), 0, Direction::HostToDevice) }.unwrap();
            // SAFETY: null is no memory.
            unsafe { gpu.free(0) }.unwrap();
            assert!(gpu.import(&[0; 97]).is_err() && gpu.import(b"x").is_err());
            assert_eq!(gpu::open(vendor, 2).err().unwrap().kind(), Kind::NotExist);
            let buffer = gpu.allocate_buffer(100).unwrap();
            assert!(buffer.address().is_multiple_of(64));
        }
    });
}

#[test]
fn memory_is_freed_at_exit_without_an_error() {
    static LAST: OnceLock<(Arc<Gpu>, u64)> = OnceLock::new();
    extern "C" fn last() {
        let (gpu, address) = LAST.get().unwrap();
        // SAFETY: the last use.
        let freed = unsafe { gpu.free(*address) };
        if freed.is_err() || write(gpu, *address, b"late").is_err() {
            // SAFETY: ends the process with a failure.
            unsafe { libc::_exit(9) };
        }
    }
    run(&[], || {
        // SAFETY: a function without arguments; it runs after functions that are registered later.
        unsafe { libc::atexit(last) };
        let gpu = gpu::open(Vendor::Nvidia, 0).unwrap();
        let address = gpu.allocate(1000, Memory::Plain).unwrap();
        assert!(LAST.set((gpu, address)).is_ok());
    });
}
