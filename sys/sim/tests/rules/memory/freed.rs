// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Freeing while others copy: S11, from many threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ascend_sim::acl::devices::*;
use ascend_sim::acl::memcpy::*;
use ascend_sim::acl::memory::*;
use ascend_sim::acl::register::*;

use super::*;
use crate::calls::{SharedHandle, nowhere};

/// Blocks that all threads know, and replace while others use them.
struct Blocks(Vec<Mutex<SharedHandle>>);

impl Blocks {
    fn get(&self, index: usize) -> Handle {
        self.0[index % self.0.len()].lock().unwrap().get()
    }
}

#[test]
fn s11_blocks_may_be_freed_while_others_copy_them() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        for bytes in [64, 5000, 5 * MIB] {
            let blocks = Arc::new(Blocks(
                (0..4).map(|_| Mutex::new(SharedHandle::new(device_memory(bytes)))).collect(),
            ));
            let (over, refused) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
            let copiers: Vec<_> = (0..3)
                .map(|number| {
                    let (blocks, over, refused) =
                        (Arc::clone(&blocks), Arc::clone(&over), Arc::clone(&refused));
                    std::thread::spawn(move || {
                        ok!(aclrtSetDevice(0));
                        let mut own = vec![0_u8; bytes];
                        let mut turn = number;
                        while !over.load(Ordering::Relaxed) {
                            turn += 1;
                            let (one, other) = (blocks.get(turn), blocks.get(turn + number));
                            let to = own.as_mut_ptr().cast();
                            let codes = [
                                code!(aclrtMemcpy(one, bytes, other, bytes, AUTO)),
                                code!(aclrtMemcpy(to, bytes, one, bytes, AUTO)),
                                code!(aclrtMemcpy(other, bytes, to, bytes, AUTO)),
                                code!(aclrtMemset(one, bytes, 1, bytes)),
                            ];
                            for code in codes {
                                assert!(code == 0 || code == 107000, "{code}");
                                refused.fetch_add(usize::from(code != 0), Ordering::Relaxed);
                            }
                        }
                    })
                })
                .collect();
            for turn in 0..300 {
                let index = turn % blocks.0.len();
                // The others may still use memory freed here: the call fails or succeeds, and never crashes.
                ok!(aclrtFree(blocks.get(index)));
                *blocks.0[index].lock().unwrap() = SharedHandle::new(device_memory(bytes));
            }
            over.store(true, Ordering::Relaxed);
            copiers.into_iter().for_each(|copier| copier.join().unwrap());
            (0..4).for_each(|index| ok!(aclrtFree(blocks.get(index))));
        }
    });
}

#[test]
fn s39_registrations_may_end_while_others_copy() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        let (own, block) = (own_pages(600), device_memory(600 * 4096));
        let over = Arc::new(AtomicBool::new(false));
        let (host, device) = (SharedHandle::new(own), SharedHandle::new(block));
        let copier = {
            let over = Arc::clone(&over);
            std::thread::spawn(move || {
                ok!(aclrtSetDevice(0));
                while !over.load(Ordering::Relaxed) {
                    ok!(aclrtMemcpy(host.get(), 600 * 4096, device.get(), 600 * 4096, D2H));
                    ok!(aclrtMemcpy(device.get(), 600 * 4096, host.get(), 600 * 4096, H2D));
                }
            })
        };
        for _ in 0..200 {
            ok!(aclrtHostRegister(own, 600 * 4096, 0, nowhere()));
            ok!(aclrtHostUnregister(own));
        }
        over.store(true, Ordering::Relaxed);
        copier.join().unwrap();
    });
}

#[test]
fn s9_slots_never_overlap() {
    both(&[], || {
        ok!(aclrtSetDevice(0));
        let threads: Vec<_> = (0..4_u8)
            .map(|mark| {
                std::thread::spawn(move || {
                    ok!(aclrtSetDevice(0));
                    let mut living: Vec<(Handle, usize)> = Vec::new();
                    let mut random = u64::from(mark) + 1;
                    for _ in 0..600 {
                        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                        let draw = usize::try_from(random >> 33).unwrap();
                        if living.len() > 40 || (draw.is_multiple_of(3) && !living.is_empty()) {
                            let (block, bytes) = living.swap_remove(draw % living.len());
                            assert!(
                                read(block, bytes).iter().all(|byte| *byte == mark),
                                "another wrote here"
                            );
                            ok!(aclrtFree(block));
                        } else {
                            let bytes = 1 + draw % [40, 3000, 300_000][draw % 3];
                            let block = device_memory(bytes);
                            assert!(read(block, bytes).iter().all(|byte| *byte == 0xCD));
                            ok!(aclrtMemset(block, bytes, mark.into(), bytes));
                            living.push((block, bytes));
                        }
                    }
                    for (block, bytes) in living {
                        assert!(read(block, bytes).iter().all(|byte| *byte == mark));
                        ok!(aclrtFree(block));
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(budget().0, budget().1);
    });
}
