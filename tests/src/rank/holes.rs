// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies from and to memory of this process of which a part is not mapped.

use mf_base::Kind;
use mf_shmem::{Atomic, AtomicKind, Signal, SignalKind, Width, World};
use mf_smem::bm::{CopyMode, CopyType, Piece, Pool};
use mf_tests::{Answer, Failure};
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

/// Bytes of the mapped part, and of the part behind it that is not.
const PART: usize = 4 << 20;
/// Bytes of copies: short ones, and ones that are sent from where they lie.
const BYTES: [usize; 6] = [8, 4096, 8192, 64 << 10, HEAP_MOST, 3 << 20];
/// Longest one of a symmetric heap.
const HEAP_MOST: usize = 512 << 10;

/// End of the mapped part.
struct Holes(*mut u8);

impl Holes {
    fn new() -> Self {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping, which nothing else knows.
        let start = unsafe { mmap_anonymous(std::ptr::null_mut(), 2 * PART, access, MapFlags::PRIVATE) };
        let middle = start.unwrap().cast::<u8>().wrapping_add(PART);
        // SAFETY: the second half of it, to which nothing refers.
        unsafe { munmap(middle.cast(), PART) }.unwrap();
        Self(middle)
    }

    /// Starts of copies of so many bytes: in the mapped part, and beyond it.
    fn starts(&self, bytes: usize) -> [*mut u8; 2] {
        [self.0.wrapping_sub(bytes / 2), self.0]
    }
}

impl Drop for Holes {
    fn drop(&mut self) {
        // SAFETY: the copies are over.
        let _ = unsafe { munmap(self.0.wrapping_sub(PART).cast(), PART) };
    }
}

fn refused(what: &str, done: mf_base::Result<()>) -> Result<(), Failure> {
    match done {
        Err(error) if error.kind() == Kind::InvalidParam && error.to_string().contains(" here") => Ok(()),
        other => Err(Failure::wrong(format!("{what}: {other:?}"))),
    }
}

/// Has each copy between such memory and a place of a pool refused.
pub(crate) fn of_pool(pool: &Pool, there: *mut u8) -> Result<Answer, Failure> {
    let holes = Holes::new();
    for bytes in BYTES {
        for local in holes.starts(bytes) {
            for (copy_type, src, dst) in [(CopyType::H2G, local, there), (CopyType::G2H, there, local)] {
                let piece = Piece { src: src.cast_const(), dst, bytes: bytes as u64 };
                let what = format!("{copy_type:?}, {bytes} bytes");
                for mode in [CopyMode::Sync, CopyMode::Async] {
                    // SAFETY: unmapped memory is refused.
                    refused(&what, unsafe {
                        pool.copy_raw(piece.src, piece.dst, piece.bytes, copy_type, mode)
                    })?;
                    // A piece that is right, before and behind.
                    let (src, dst) = match copy_type {
                        CopyType::H2G => (holes.0.wrapping_sub(8), there),
                        _ => (there, holes.0.wrapping_sub(8)),
                    };
                    let good = Piece { src: src.cast_const(), dst, bytes: 8 };
                    // SAFETY: a batch with a piece in unmapped memory is refused.
                    let batch = unsafe { pool.copy_batch_raw(&[good, piece, good], copy_type, mode) };
                    match batch {
                        Err(error) if error.fact("element") == Some("1") => refused(&what, Err(error))?,
                        other => return Err(Failure::wrong(format!("{what} in a batch: {other:?}"))),
                    }
                }
            }
        }
    }
    pool.wait()?;
    Ok(Answer::Done)
}

/// The same for operations on a symmetric place at a PE.
pub(crate) fn of_heap(world: &World, there: *mut u8, pe: i32) -> Result<Answer, Failure> {
    let holes = Holes::new();
    for bytes in BYTES.into_iter().filter(|bytes| *bytes <= HEAP_MOST) {
        for local in holes.starts(bytes) {
            for (what, put) in
                [("put", World::put as Move), ("put_nbi", World::put_nbi), ("put_done", World::put_done)]
            {
                // SAFETY: unmapped memory is refused.
                refused(what, unsafe { put(world, there, local, bytes, pe) })?;
            }
            for (what, get) in [("get", World::get as Move), ("get_nbi", World::get_nbi)] {
                // SAFETY: unmapped memory is refused.
                refused(what, unsafe { get(world, local, there, bytes, pe) })?;
            }
            let address = there.addr() as u64;
            let signal = Signal { address, kind: SignalKind::Set, value: 1, width: Width::W64 };
            // SAFETY: unmapped memory is refused.
            refused("put_signal", unsafe { world.put_signal(there, local, bytes, &signal, pe) })?;
        }
    }
    let [local, behind] = holes.starts(32);
    // SAFETY: unmapped memory is refused.
    refused("iput", unsafe { world.iput(there, local, 1, 2, 2, 8, pe) })?;
    // SAFETY: unmapped memory is refused.
    refused("iget", unsafe { world.iget(local, there, 2, 1, 2, 8, pe) })?;
    let add = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
    // SAFETY: unmapped memory is refused.
    refused("atomic_nbi", unsafe { world.atomic_nbi(behind, there, add, pe) })?;
    world.quiet()?;
    Ok(Answer::Done)
}

type Move = unsafe fn(&World, *mut u8, *const u8, usize, i32) -> mf_base::Result<()>;
