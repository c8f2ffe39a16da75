// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Jobs, objects, and repeated orders.

use mf_tests::order::share::{Object, Share};
use mf_tests::{Answer, Failure, Init, Job, Member, Order, accelerator, job};

pub(crate) const MIB: u64 = 1 << 20;

pub(crate) fn job(world: u32) -> Job {
    let mut job = Job::new(env!("CARGO_BIN_EXE_mf-rank"), world);
    accelerator::give(&mut job, &accelerator::chosen(crate::ACCELERATOR));
    job
}

pub(crate) fn has_accelerator() -> bool {
    accelerator::chosen(crate::ACCELERATOR) != accelerator::NONE
}

/// An order about share memory.
pub(crate) fn share(order: Share) -> Order {
    Order::Share(order)
}

/// An object of 4 MiB a rank.
pub(crate) fn object(id: u32, rank_size: u32, rank: u32) -> Object {
    Object { id, rank_size, rank, bytes: 4 * MIB, data_ops: 1 }
}

/// Processes that have found the job as share memory.
#[track_caller]
pub(crate) fn processes(job: &Job, inits: impl IntoIterator<Item = Init>) -> Vec<Member> {
    let mut members = Vec::new();
    for init in inits {
        let mut member = job.process(&format!("rank {}", init.rank.unwrap()));
        member.send(&share(Share::Init(init)));
        members.push(member);
    }
    job::answers(&mut members);
    members
}

/// All ranks of the job.
#[track_caller]
pub(crate) fn ranks(job: &Job, world: u32) -> Vec<Member> {
    processes(job, (0..world).map(|rank| job.init(rank)))
}

/// Each member carries out its order, at the same time.
pub(crate) fn together(
    members: &mut [Member],
    orders: impl IntoIterator<Item = Share>,
) -> Vec<Result<Answer, Failure>> {
    for (member, order) in members.iter_mut().zip(orders) {
        member.send(&share(order));
    }
    members.iter_mut().map(Member::answer).collect()
}

/// As [`together`]; all must succeed.
#[track_caller]
pub(crate) fn all_do(members: &mut [Member], orders: impl IntoIterator<Item = Share>) -> Vec<Answer> {
    let answers = together(members, orders);
    answers.into_iter().map(|answer| answer.unwrap_or_else(|failure| panic!("{}", failure.text))).collect()
}

/// The same of all.
#[track_caller]
pub(crate) fn each(members: &mut [Member], order: &Share) -> Vec<Answer> {
    let count = members.len();
    all_do(members, std::iter::repeat_n(order.clone(), count))
}

/// Makes an object of all members, placed in their order.
#[track_caller]
pub(crate) fn create(members: &mut [Member], id: u32) {
    let size = u32::try_from(members.len()).unwrap();
    all_do(members, (0..size).map(|rank| Share::Create(object(id, size, rank))));
}

/// Every member writes to every rank's part, and each checks the others' data.
#[track_caller]
pub(crate) fn all_reach_all(members: &mut [Member], id: u32) {
    const BYTES: u64 = 1001;
    let size = u32::try_from(members.len()).unwrap();
    let place = |from: u32| u64::from(from) * 2000 + 1;
    for (member, from) in members.iter_mut().zip(0..) {
        for to in 0..size {
            member.ok(&share(Share::Put(id, to, place(from), BYTES, u64::from(100 * from + to))));
        }
    }
    each(members, &Share::Barrier(id));
    for member in members.iter_mut() {
        for to in 0..size {
            for from in 0..size {
                member.ok(&share(Share::Check(id, to, place(from), BYTES, u64::from(100 * from + to))));
            }
        }
    }
    each(members, &Share::Barrier(id));
}

/// Base, symmetric bytes, own rank, number of ranks.
#[track_caller]
pub(crate) fn shape(member: &mut Member, id: u32) -> [u64; 4] {
    match member.ok(&share(Share::Shape(id))) {
        Answer::Numbers(numbers) => numbers.try_into().unwrap(),
        other => panic!("{other:?}"),
    }
}
