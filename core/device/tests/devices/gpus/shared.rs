// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of GPUs that two processes share.

use super::*;

#[test]
fn pool_memory_is_shared_between_two_processes() {
    crew(2, &[("=GPUSIM_LATE_US", "0")], |rank, board| {
        // Each on a different GPU.
        let rig = Rig(gpu::open(Vendor::Nvidia, rank as u32).unwrap());
        let (unit, base) = (rig.granule(), rig.base(0));
        let window = rig.windows().reserve(KIND, base, 4 * unit, 2 * unit).unwrap();
        let own = rig.windows().allocate(KIND, 2 * unit).unwrap();
        let segment = |rank: usize| base + rank as u64 * 2 * unit;
        map(&*window, segment(rank) - base, &*own, 0..2 * unit);
        rig.write(segment(rank) + 2 * unit - 8, &[rank as u8 + 1; 8]);
        let shares = own.share(&rig.0.identity().unwrap()).unwrap();
        board.post(&format!("shares-{rank}"), &suite::encode(&shares));
        let other = 1 - rank;
        let theirs = suite::decode(&board.take(&format!("shares-{other}")));
        let theirs = rig.windows().adopt(KIND, theirs).unwrap();
        map(&*window, segment(other) - base, &*theirs, 0..2 * unit);
        drop(theirs);
        assert_eq!(rig.read(segment(other) + 2 * unit - 8, 8), [other as u8 + 1; 8]);
        rig.write(segment(other), &[0xa0 + rank as u8; 8]);
        board.meet("crossed", rank, 2);
        assert_eq!(rig.read(segment(rank), 8), [0xa0 + other as u8; 8]);
        drop((window, own, shares));
        assert_eq!(control::<extern "C" fn() -> u64>("gpusim_leaks")(), 0);
    });
}

/// Shares memory: one process exports, another one maps.
pub(super) fn share(gpu: &Gpu, rank: usize, board: &isolated::Board) {
    let name = |what: &str| format!("{}-{what}", gpu.vendor());
    if rank == 0 {
        let address = gpu.allocate(1000, Memory::Peerable).unwrap();
        write(gpu, address, &pattern(5, 1000)).unwrap();
        let keys = [gpu.export(address + 100, 200).unwrap(), gpu.export(address + 500, 500).unwrap()];
        assert!(gpu.export(address + 500, 1 << 30).is_err());
        board.post(&name("a"), keys[0].value());
        board.post(&name("b"), keys[1].value());
        board.take(&name("done"));
        assert_eq!(read(gpu, address + 100, 4).unwrap(), *b"here");
    } else {
        let a = gpu.import(&board.take(&name("a"))).unwrap();
        let b = gpu.import(&board.take(&name("b"))).unwrap();
        assert!(read(gpu, *b.value(), 500).unwrap() == pattern(5, 1000)[500..]);
        drop(b);
        assert!(read(gpu, *a.value(), 200).unwrap() == pattern(5, 1000)[100..300]);
        write(gpu, *a.value(), b"here").unwrap();
        drop(a);
        // It is given up, so it can be mapped again.
        drop(gpu.import(&board.take(&name("a"))).unwrap());
        board.post(&name("done"), b"");
    }
}

#[test]
fn another_process_maps_exported_memory() {
    crew(2, &[], |rank, board| {
        for vendor in [Vendor::Nvidia, Vendor::Amd, Vendor::Cambricon] {
            share(&gpu::open(vendor, 0).unwrap(), rank, board);
        }
    });
}

#[test]
fn export_fails_if_the_driver_cannot_share() {
    run(&[("=GPUSIM_IPC", "0")], || {
        for vendor in Vendor::ALL {
            let gpu = gpu::open(vendor, 0).unwrap();
            let address = gpu.allocate(1000, Memory::Peerable).unwrap();
            assert!(gpu.export(address, 10).is_err());
            assert!(read(&gpu, address, 10).is_ok());
        }
    });
}
