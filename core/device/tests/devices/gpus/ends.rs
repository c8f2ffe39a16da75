// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ends: contexts that the program destroys, and idle threads.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::*;

#[test]
fn reset_invalidates_the_gpu_and_reopening_works() {
    run(&[PROMPT], || {
        let reset = control::<extern "C" fn(i32) -> i32>("cuDevicePrimaryCtxReset_v2");
        let mut former: Vec<(Arc<Gpu>, u64)> = Vec::new();
        // The third context has the name of the first.
        for round in 0..4 {
            let gpu = gpu::open(Vendor::Nvidia, 1).unwrap();
            everything(&gpu, &|| ()).unwrap();
            large_copies(&gpu);
            let address = gpu.allocate(5000, Memory::Plain).unwrap();
            write(&gpu, address, b"new").unwrap();
            for (old, there) in &former {
                let refused = [
                    write(old, *there, b"old").unwrap_err(),
                    write(old, address, b"old").unwrap_err(),
                    old.allocate(8, Memory::Plain).unwrap_err(),
                    old.export(*there, 8).map(drop).unwrap_err(),
                ];
                for error in refused {
                    assert!(error.to_string().contains("has reset the device"), "{round}: {error}");
                }
                // Its memory is freed already, and no other memory is freed, even at the same address.
                // SAFETY: not allocated any more.
                unsafe { old.free(*there) }.unwrap();
                // SAFETY: only its own memory is freed, and the memory there is not its own.
                unsafe { old.free(address) }.unwrap();
            }
            assert_eq!(read(&gpu, address, 3).unwrap(), b"new");
            assert_eq!(reset(1), 0);
            let error = write(&gpu, address, b"late").unwrap_err();
            assert!(error.to_string().contains("CUDA_ERROR_CONTEXT_IS_DESTROYED"), "{error}");
            former.push((gpu, address));
        }
        // Other devices and vendors go on as they were.
        everything(&gpu::open(Vendor::Nvidia, 0).unwrap(), &|| ()).unwrap();
        everything(&gpu::open(Vendor::Amd, 1).unwrap(), &|| ()).unwrap();
    });
}

/// The threads of this process that carry large copies.
fn carriers() -> BTreeSet<String> {
    let named = |task: &std::fs::DirEntry| {
        let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        name.trim_end() == "mf-gpu-stage"
    };
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().filter_map(Result::ok);
    tasks.filter(named).map(|task| task.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn large_copies_share_threads_that_end_when_idle() {
    run(&[PROMPT], || {
        let gpu = gpu::open(Vendor::Nvidia, 0).unwrap();
        let (mut seen, is_over) = (BTreeSet::new(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let copies = scope.spawn(|| {
                std::thread::scope(|users| (0..4).for_each(|_| drop(users.spawn(|| large_copies(&gpu)))));
                is_over.store(true, Ordering::Release);
            });
            while !is_over.load(Ordering::Acquire) && !copies.is_finished() {
                seen.extend(carriers());
                std::thread::yield_now();
            }
        });
        // A thread for each of 64 copies would be many.
        assert!(seen.len() < 20, "{seen:?}");
        let end = Instant::now() + Duration::from_secs(60);
        while !carriers().is_empty() {
            assert!(Instant::now() < end, "threads stay: {:?}", carriers());
            std::thread::yield_now();
        }
    });
}

#[test]
fn failure_of_any_nth_call_of_a_large_copy_is_handled() {
    run(&[PROMPT], || {
        let gpu = gpu::open(Vendor::Nvidia, 0).unwrap();
        let length = (8 << 20) + 123;
        let memory = Held(&gpu, gpu.allocate(length as u64, Memory::Plain).unwrap());
        let fail = control::<extern "C" fn(u64)>("gpusim_fail");
        for nth in (1_u64..80).step_by(3) {
            let bytes = pattern(nth as u8, length);
            fail(nth);
            // A copy reported as done has stored its bytes.
            let copied = write(&gpu, memory.1, &bytes).and_then(|()| read(&gpu, memory.1, length));
            fail(0);
            match copied {
                Ok(found) => assert!(found == bytes, "{nth}"),
                Err(error) => assert!(error.to_string().contains("the driver refuses"), "{nth}: {error}"),
            }
            write(&gpu, memory.1, &bytes).unwrap();
            assert!(read(&gpu, memory.1, length).unwrap() == bytes, "{nth}");
        }
    });
}
