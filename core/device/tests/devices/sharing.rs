// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Device memory in several processes.

use mf_base::Kind;
use mf_device::{Identity, Locality, Memory, Window};

use super::isolated::Board;
use super::simulator::{A2, A3, A5, add_faults, census, crew_on, device, run_on};
use super::suite::{KIND, Rig, at, decode, encode, map, pattern, transfer, unmap};

/// One member: its device, its window and its own memory, mapped at its rank.
struct Member {
    rig: Rig,
    window: Box<dyn Window>,
    own: Box<dyn Memory>,
    rank: u64,
    stride: u64,
}

impl Member {
    fn new(rank: usize, index: u32) -> Self {
        let rig = device(index);
        let stride = 3 * rig.granule();
        let window = rig.windows().reserve(KIND, rig.base(0), 4 * stride, stride).unwrap();
        let own = rig.windows().allocate(KIND, 2 * rig.granule()).unwrap();
        let rank = rank as u64;
        map(&*window, rank * stride, &*own, 0..own.bytes());
        Self { rig, window, own, rank, stride }
    }

    fn segment(&self, rank: u64) -> u64 {
        self.window.base() + rank * self.stride
    }

    fn introduce(&self, board: &Board) {
        let identity = self.rig.0.identity().unwrap();
        let text = format!("{}\n{}\n{}", identity.device, identity.process, identity.unit);
        board.post(&format!("identity-{}", self.rank), text.as_bytes());
    }

    fn peer(board: &Board, rank: u64) -> Identity {
        let text = String::from_utf8(board.take(&format!("identity-{rank}"))).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        Identity {
            device: lines[0].to_owned(),
            process: lines[1].parse().unwrap(),
            unit: lines[2].parse().unwrap(),
        }
    }

    /// Shares `memory` with a peer, under a name.
    fn share(&self, board: &Board, memory: &dyn Memory, peer: u64, name: &str) {
        let shares = memory.share(&Self::peer(board, peer)).unwrap();
        assert_eq!(shares.len(), memory.share_count());
        board.post(&format!("{name}-{}-{peer}", self.rank), &encode(&shares));
    }

    fn adopt(&self, board: &Board, from: u64, name: &str) -> Box<dyn Memory> {
        let shares = decode(&board.take(&format!("{name}-{from}-{}", self.rank)));
        self.rig.windows().adopt(KIND, shares).unwrap()
    }
}

/// Members on devices of their own, and two on one device, see each other's writes, growth included.
fn members_see_each_other(soc: &str, devices: [u32; 3], knobs: &[(&str, &str)]) {
    crew_on(soc, 3, knobs, |rank, board| {
        let me = Member::new(rank, devices[rank]);
        me.introduce(board);
        let others: Vec<u64> = (0..3).filter(|other| *other != me.rank).collect();
        for other in &others {
            me.share(board, &*me.own, *other, "memory");
        }
        for other in &others {
            let memory = me.adopt(board, *other, "memory");
            map(&*me.window, other * me.stride, &*memory, 0..memory.bytes());
        }
        board.meet("mapped", rank, 3);
        // Each writes a row into everyone's segment, by its own device.
        for owner in 0..3 {
            me.rig.write(me.segment(owner) + me.rank * 4096, &pattern(rank as u8, 4096));
        }
        board.meet("written", rank, 3);
        for owner in 0..3 {
            for writer in 0..3u8 {
                let row = me.segment(owner) + u64::from(writer) * 4096;
                assert!(me.rig.read(row, 4096) == pattern(writer, 4096), "{owner} {writer}");
            }
        }
        // Device to device, between two devices of others and from the own.
        let (from, to) = (me.segment(others[0]), me.segment(others[1]) + 64 * 1024 + me.rank * 4096);
        let copy = transfer(at(from + me.rank * 4096), Locality::Device, at(to), Locality::Device, 4096);
        // SAFETY: both segments are mapped.
        unsafe { me.rig.mover().copy(&[copy]) }.unwrap();
        assert!(me.rig.read(to, 4096) == pattern(rank as u8, 4096));
        board.meet("crossed", rank, 3);

        // Growth: the whole list is shared again, and only the new part is mapped.
        let granule = me.rig.granule();
        let longer = me.own.grown(3 * granule).unwrap();
        map(&*me.window, me.rank * me.stride + 2 * granule, &*longer, 2 * granule..3 * granule);
        for other in &others {
            me.share(board, &*longer, *other, "longer");
        }
        for other in &others {
            let memory = me.adopt(board, *other, "longer");
            let (offset, range) = (other * me.stride + 2 * granule, 2 * granule..3 * granule);
            map(&*me.window, offset, &*memory, range);
        }
        me.rig.write(me.segment(me.rank) + 3 * granule - 8, &[rank as u8 + 1; 8]);
        board.meet("grown", rank, 3);
        for owner in 0..3u8 {
            let end = me.segment(owner.into()) + 3 * granule - 8;
            assert_eq!(me.rig.read(end, 8), [owner + 1; 8]);
        }
        board.meet("read", rank, 3);
        for other in &others {
            unmap(&*me.window, other * me.stride, me.stride);
        }
        // The own memory is still there.
        assert_eq!(me.rig.read(me.segment(me.rank) + 3 * granule - 8, 8), [rank as u8 + 1; 8]);
        board.meet("end", rank, 3);
    });
}

#[test]
fn s28_s30_s33_members_see_each_other_on_a3() {
    members_see_each_other(A3, [0, 1, 2], &[]);
}

#[test]
fn s18_s38_members_see_each_other_on_a2() {
    members_see_each_other(A2, [0, 1, 2], &[]);
}

#[test]
fn s61_s63_members_see_each_other_on_950() {
    members_see_each_other(A5, [0, 1, 2], &[]);
}

#[test]
fn members_with_cann_8_1_see_each_other() {
    for soc in [A2, A3, A5] {
        members_see_each_other(soc, [0, 1, 2], &[("CANN", "8.1")]);
    }
}

#[test]
fn members_on_the_same_device_see_each_other() {
    members_see_each_other(A3, [0, 0, 1], &[]);
    members_see_each_other(A2, [1, 0, 1], &[]);
}

#[test]
fn s34_unlisted_process_may_not_import() {
    for soc in [A3, A5] {
        crew_on(soc, 3, &[], |rank, board| {
            let me = Member::new(rank, rank as u32);
            me.introduce(board);
            if rank == 0 {
                me.share(board, &*me.own, 1, "memory");
            } else {
                // Rank 2 got the token for rank 1.
                let memory = me.rig.windows().adopt(KIND, decode(&board.take("memory-0-1"))).unwrap();
                let before = census();
                // SAFETY: nobody else knows the window.
                let mapped = unsafe { me.window.map(0, &*memory, 0..memory.bytes()) };
                if rank == 1 {
                    mapped.unwrap();
                } else {
                    let error = mapped.unwrap_err();
                    assert_eq!(error.kind(), Kind::Failed, "{error}");
                    assert!(error.to_string().contains("not permitted"), "{error}");
                    assert_eq!(census(), before);
                }
            }
            board.meet("end", rank, 3);
        });
    }
}

#[test]
fn s27_memory_of_a_killed_owner_stays_and_late_shares_fail() {
    for soc in [A3, A5] {
        crew_on(soc, 2, &[], |rank, board| {
            let me = Member::new(rank, rank as u32);
            me.introduce(board);
            if rank == 0 {
                me.rig.write(me.segment(0), b"last words");
                me.share(board, &*me.own, 1, "memory");
                board.take("mapped");
                let longer = me.own.grown(3 * me.rig.granule()).unwrap();
                map(&*me.window, 2 * me.rig.granule(), &*longer, 2 * me.rig.granule()..longer.bytes());
                me.share(board, &*longer, 1, "longer");
                rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)
                    .unwrap();
                unreachable!();
            }
            let memory = me.adopt(board, 0, "memory");
            map(&*me.window, 0, &*memory, 0..memory.bytes());
            board.post("mapped", b"");
            let identity = Member::peer(board, 0);
            let longer = me.adopt(board, 0, "longer");
            while std::path::Path::new(&format!("/proc/{}/maps", identity.process)).exists()
                && !std::fs::read_to_string(format!("/proc/{}/maps", identity.process))
                    .unwrap_or_default()
                    .is_empty()
            {
                std::thread::yield_now();
            }
            assert_eq!(me.rig.read(me.segment(0), 10), b"last words");
            me.rig.write(me.segment(0), b"still here");
            assert_eq!(me.rig.read(me.segment(0), 10), b"still here");
            let granule = me.rig.granule();
            // SAFETY: nobody else knows the window.
            let late = unsafe { me.window.map(2 * granule, &*longer, 2 * granule..3 * granule) };
            let error = late.unwrap_err();
            assert_eq!(error.kind(), Kind::Failed, "{error}");
            unmap(&*me.window, 0, me.stride);
        });
    }
}

#[test]
fn malformed_shares_are_not_adopted() {
    run_on(A3, &[], || {
        let me = Member::new(0, 0);
        let granule = me.rig.granule();
        let identity = me.rig.0.identity().unwrap();
        let good = encode(&me.own.share(&identity).unwrap());
        let adopt = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = good.clone();
            change(&mut bytes);
            me.rig.windows().adopt(KIND, decode(&bytes)).map(drop)
        };
        adopt(&|_| {}).unwrap();
        // The size of a block, the version of a ticket, its form.
        for place in [0, 9, 10] {
            let error = adopt(&|bytes| bytes[place] ^= 0x41).unwrap_err();
            assert_eq!(error.kind(), Kind::InvalidParam, "{place}: {error}");
        }
        // A number that CANN never gave out.
        let mut bytes = good.clone();
        let end = bytes.len() - 1;
        bytes[end] ^= 0x55;
        let memory = me.rig.windows().adopt(KIND, decode(&bytes)).unwrap();
        let before = census();
        // SAFETY: nobody else knows the window.
        let error = unsafe { me.window.map(2 * me.stride, &*memory, 0..2 * granule) }.unwrap_err();
        assert_eq!(error.kind(), Kind::Failed, "{error}");
        assert_eq!(census(), before);
    });
}

#[test]
fn invisible_device_is_named() {
    crew_on(A2, 2, &[], |rank, board| {
        if rank == 1 {
            // SAFETY: no other thread of this process reads the environment now.
            unsafe { std::env::set_var("ASCEND_RT_VISIBLE_DEVICES", "3") };
        }
        let me = Member::new(rank, 0);
        me.introduce(board);
        if rank == 0 {
            me.share(board, &*me.own, 1, "memory");
        } else {
            let memory = me.adopt(board, 0, "memory");
            // SAFETY: nobody else knows the window.
            let error = unsafe { me.window.map(0, &*memory, 0..memory.bytes()) }.unwrap_err();
            assert!(error.to_string().contains("ASCEND_RT_VISIBLE_DEVICES"), "{error}");
            assert!(error.to_string().contains("physical_device 0"), "{error}");
        }
        board.meet("end", rank, 2);
    });
}

#[test]
fn s56_cut_link_fails_only_copies_to_that_peer() {
    crew_on(A3, 2, &[], |rank, board| {
        let me = Member::new(rank, rank as u32);
        me.introduce(board);
        me.share(board, &*me.own, 1 - me.rank, "memory");
        let memory = me.adopt(board, 1 - me.rank, "memory");
        map(&*me.window, (1 - me.rank) * me.stride, &*memory, 0..memory.bytes());
        board.meet("mapped", rank, 2);
        if rank == 0 {
            let lane = me.rig.mover().lane().unwrap();
            let across =
                transfer(at(me.segment(0)), Locality::Device, at(me.segment(1)), Locality::Device, 4096);
            let within = transfer(
                at(me.segment(0)),
                Locality::Device,
                at(me.segment(0) + 8192),
                Locality::Device,
                4096,
            );
            add_faults("link transfer@1=507056");
            // SAFETY: both segments are mapped.
            let error = unsafe { me.rig.mover().copy(&[across]) }.unwrap_err();
            assert_eq!(error.kind(), Kind::NotConnected, "{error}");
            add_faults("link transfer@1=507056");
            // SAFETY: both segments are mapped.
            unsafe { lane.enqueue(&[across]) }.unwrap();
            // SAFETY: both segments are mapped, and the lane is waited for.
            unsafe { lane.enqueue(&[within]) }.unwrap();
            let error = lane.wait().unwrap_err();
            assert_eq!(error.kind(), Kind::NotConnected, "{error}");
            // Once.
            lane.wait().unwrap();
            // SAFETY: both segments are mapped.
            unsafe { lane.enqueue(&[within, across]) }.unwrap();
            lane.wait().unwrap();
        }
        board.meet("end", rank, 2);
    });
}
