// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Times of our copies beside the drivers' own.

use super::*;

/// Ours against the simulator's own call, to the file that `MF_GPU_FIGURES` names; never asserted.
#[test]
fn figures_against_the_drivers_own_call() {
    let Some(file) = std::env::var_os("MF_GPU_FIGURES") else {
        println!("skipped: MF_GPU_FIGURES names no file");
        return;
    };
    isolated::run(&[], || {
        // A real one where there is one.
        let gpu = match real().first() {
            Some(vendor) => gpu::open(*vendor, 0).unwrap(),
            None => {
                let driver = Driver::open(Vendor::Nvidia, &Search::default().explicit(links())).unwrap();
                Gpu::open(&Arc::new(driver), 0).unwrap()
            }
        };
        let primary = gpu.driver().primary(0).unwrap();
        let _selected = gpu.driver().select(&primary).unwrap();
        let mut text = gpu.describe() + "\n";
        for (bytes, rounds) in [(8_usize, 20_000), (4 << 10, 20_000), (1 << 20, 1000), (16 << 20, 50)] {
            let address = gpu.allocate(bytes as u64, Memory::Plain).unwrap();
            let mut host = vec![1_u8; bytes];
            let at = host.as_mut_ptr();
            let own = |up: bool| {
                let at: *mut c_void = at.cast();
                // SAFETY: memory of the test.
                let up_done = up.then(|| unsafe { gpu.driver().to_device(address, at, bytes) });
                // SAFETY: both are memory of the test of that length.
                up_done.unwrap_or_else(|| unsafe { gpu.driver().to_host(at, address, bytes) }).unwrap();
            };
            let ours = |up: bool| {
                let at = at.expose_provenance() as u64;
                let (to, from, direction) = match up {
                    true => (address, at, Direction::HostToDevice),
                    false => (at, address, Direction::DeviceToHost),
                };
                // SAFETY: both are memory of the test of that length.
                unsafe { gpu.copy(to, from, bytes as u64, direction) }.unwrap();
            };
            for up in [true, false] {
                let mut best = [f64::MAX; 2];
                for _ in 0..9 {
                    for (which, best) in best.iter_mut().enumerate() {
                        let start = std::time::Instant::now();
                        (0..rounds).for_each(|_| if which == 0 { ours(up) } else { own(up) });
                        *best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(rounds));
                    }
                }
                let direction = if up { "to the device" } else { "from the device" };
                let [ours, own] = best;
                text += &format!("{bytes} bytes {direction}: {ours:.0} ns, own call {own:.0} ns\n");
            }
        }
        std::fs::write(&file, text).unwrap();
    });
}
