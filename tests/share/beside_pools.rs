// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Big memory and share memory in one process: one member of the job, in either order.

use mf_base::Kind;
use mf_tests::order::share::Share;
use mf_tests::{Init, Order, PoolSizes};

use super::ranks::{MIB, all_reach_all, create, each, has_accelerator, job, share};

const SIZES: PoolSizes = PoolSizes { host: 2 * MIB, device: 2 * MIB, max_host: 0, max_device: 0 };

#[test]
fn pool_and_share_form_one_member_in_any_order() {
    for (shares_first, pools_go_first) in [(false, false), (true, true), (false, true), (true, false)] {
        let job = job(2);
        let mut members: Vec<_> = (0..2).map(|rank| job.process(&format!("rank {rank}"))).collect();
        for is_second in [false, true] {
            for (member, rank) in members.iter_mut().zip(0..) {
                let init = job.init(rank);
                let is_share = shares_first != is_second;
                member.send(&if is_share { share(Share::Init(init)) } else { Order::Init(init) });
            }
            mf_tests::job::answers(&mut members);
        }
        create(&mut members, 0);
        mf_tests::job::each(&mut members, &Order::Create(0, SIZES));
        mf_tests::job::each(&mut members, &Order::Join(0));
        all_reach_all(&mut members, 0);
        members[0].ok(&Order::Put(0, mf_tests::host(1, 5), 1000, 8));
        members[1].ok(&Order::Check(0, mf_tests::host(1, 5), 1000, 8));
        if pools_go_first {
            mf_tests::job::each(&mut members, &Order::Drop(0));
            mf_tests::job::each(&mut members, &Order::Shutdown);
            all_reach_all(&mut members, 0);
            create(&mut members, 1);
        } else {
            each(&mut members, &Share::Destroy(0));
            each(&mut members, &Share::Shutdown);
            members[1].ok(&Order::Put(0, mf_tests::host(0, 5), 1000, 9));
            mf_tests::job::each(&mut members, &Order::Barrier("still here".to_owned(), 2));
        }
        job.finish(members);
    }
}

#[test]
fn share_must_match_the_rank_of_the_pool() {
    let job = job(2);
    let mut member = job.process("one");
    member.ok(&Order::Init(Init { rank: Some(0), ..job.init(0) }));
    let other = share(Share::Init(job.init(1)));
    member.refused(&other).expect(Kind::InvalidParam, &["another rank", "is 0", "asked 1"]);
    let larger = share(Share::Init(Init { world: 3, ..job.init(0) }));
    member.refused(&larger).expect(Kind::InvalidParam, &["another world size", "is 2", "asked 3"]);
    // Nothing of the refused remains: the right one works, and the other rank is free.
    member.ok(&share(Share::Init(job.init(0))));
    let mut other = job.process("two");
    other.ok(&share(Share::Init(job.init(1))));
    other.refused(&Order::Init(job.init(0))).expect(Kind::InvalidParam, &["is 1", "asked 0"]);
    // Automatic ranks spread over devices by chance.
    if has_accelerator() {
        other.ok(&Order::Init(job.init(1)));
    } else {
        assert_eq!(other.number(&Order::Init(Init { rank: None, ..job.init(1) })), 1);
    }
    let mut members = vec![member, other];
    create(&mut members, 0);
    job.finish(members);
}

#[test]
fn process_may_initialise_again_after_leaving() {
    let job = job(1);
    let mut member = job.process("one");
    for _ in 0..3 {
        member.ok(&share(Share::Init(job.init(0))));
        member.ok(&Order::Init(job.init(0)));
        member.ok(&share(Share::Create(super::ranks::object(0, 1, 0))));
        member.ok(&share(Share::Barrier(0)));
        member.ok(&share(Share::Destroy(0)));
        member.ok(&share(Share::Shutdown));
        member.ok(&Order::Shutdown);
    }
    job.finish(vec![member]);
}
