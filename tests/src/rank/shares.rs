// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The orders about share memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use mf_base::{Error, Gva, Kind, Rank};
use mf_device::{Locality, Transfer};
use mf_fabric::space::Presence;
use mf_smem::bm::Piece;
use mf_smem::shm::{Context, Options, ShareMemory};
use mf_tests::order::share::{Object, Share};
use mf_tests::{Answer, Failure, Init, deadline, pattern};

use crate::copies;
use crate::state::config;

/// Share-memory state of a rank.
#[derive(Default)]
pub(crate) struct Shares {
    context: Option<Context>,
    objects: BTreeMap<u32, ShareMemory>,
    statuses: Arc<Mutex<Vec<i32>>>,
}

impl Shares {
    pub(crate) fn carry_out(&mut self, order: Share) -> Result<Answer, Failure> {
        let done = |()| Answer::Done;
        match order {
            Share::Init(init) => self.init(&init),
            Share::Create(object) => self.create(object).map(done),
            Share::Shape(id) => {
                let object = self.object(id)?;
                let numbers = [
                    object.base().0,
                    object.symmetric_bytes(),
                    u64::from(object.rank().0),
                    u64::from(object.rank_size()),
                ];
                Ok(Answer::Numbers(numbers.to_vec()))
            }
            Share::Put(id, rank, offset, bytes, seed) => {
                let object = self.object(id)?;
                let there = object.address(Rank(rank))?.add(offset);
                let content = pattern::stream(seed, usize::try_from(bytes).unwrap());
                Ok(done(object.pool().put(&content, there)?))
            }
            Share::Check(id, rank, offset, bytes, seed) => {
                let object = self.object(id)?;
                let there = object.address(Rank(rank))?.add(offset);
                let mut found = vec![0xa5; usize::try_from(bytes).unwrap()];
                object.pool().get(there, &mut found)?;
                copies::compare(seed, &found)
            }
            Share::Barrier(id) => Ok(done(self.object(id)?.barrier()?)),
            Share::Allgather(id, bytes, seed) => {
                let object = self.object(id)?;
                let (rank, ranks) = (object.rank().0, object.rank_size());
                gathered(rank, ranks, bytes, seed, |own, all| object.allgather(own, all))
            }
            Share::SubBarrier(id, key, ranks, rank) => {
                Ok(done(self.object(id)?.subgroup_barrier(&key, ranks, rank)?))
            }
            Share::SubAllgather(id, key, ranks, rank, bytes, seed) => {
                let object = self.object(id)?;
                let call =
                    |own: &[u8], all: &mut [u8]| object.subgroup_allgather(&key, ranks, rank, own, all);
                gathered(rank, ranks, bytes, seed, call)
            }
            Share::Reach(id, rank) => Ok(Answer::Number(u64::from(self.object(id)?.reach(Rank(rank))?))),
            Share::SetContext(id, bytes, seed) => {
                let (object, content) = (self.object(id)?, pattern::stream(seed, bytes));
                object.set_context(&content)?;
                assert_eq!(object.context(), content);
                Ok(Answer::Done)
            }
            Share::Peek(address, bytes) => self.peek(address, bytes),
            Share::Alloc(id, limit) => Ok(Answer::Number(u64::from(self.object(id)?.alloc_value(limit)?))),
            Share::Release(id, value) => Ok(done(self.object(id)?.release_value(value)?)),
            Share::OnExit(id) => {
                let statuses = Arc::clone(&self.statuses);
                let callback = move |status| statuses.lock().unwrap().push(status);
                Ok(done(self.object(id)?.on_exit(Box::new(callback))?))
            }
            Share::ExitAll(id, status) => Ok(done(self.object(id)?.exit_all(status)?)),
            Share::AwaitExits(count) => {
                deadline::wait_until(|| self.statuses.lock().unwrap().len() >= count);
                let statuses = self.statuses.lock().unwrap();
                Ok(Answer::Numbers(statuses.iter().map(|status| u64::from(status.cast_unsigned())).collect()))
            }
            Share::AwaitGone(id, rank) => {
                let pool = self.object(id)?.pool();
                let is_gone = || pool.presence(Rank(rank)) != Presence::Joined;
                if deadline::wait_until(is_gone) { Ok(Answer::Done) } else { Err(Failure::wrong("it stays")) }
            }
            Share::Destroy(id) => {
                let object = self.objects.remove(&id).ok_or_else(missing)?;
                object.destroy();
                Ok(Answer::Done)
            }
            Share::DestroyOnly(id) => {
                self.object(id)?.destroy();
                Ok(Answer::Done)
            }
            Share::Shutdown => {
                self.context()?.shutdown();
                Ok(Answer::Done)
            }
        }
    }

    /// Gives everything up.
    pub(crate) fn finish(&mut self) {
        // Some objects are destroyed by their owner, the rest by the context.
        self.context = None;
        self.objects.clear();
        self.statuses.lock().unwrap().clear();
    }

    fn init(&mut self, init: &Init) -> Result<Answer, Failure> {
        let context = Context::init(config(init))?;
        let rank = context.rank();
        self.context = Some(context);
        Ok(Answer::Number(u64::from(rank.0)))
    }

    fn create(&mut self, object: Object) -> Result<(), Failure> {
        let Object { id, rank_size, rank, bytes, data_ops } = object;
        let options = Options { id, rank_size, rank: Rank(rank), local_bytes: bytes, data_ops };
        let made = self.context()?.create(options)?;
        self.objects.insert(id, made);
        Ok(())
    }

    fn peek(&self, address: u64, bytes: usize) -> Result<Answer, Failure> {
        let mut found = vec![0xa5; bytes];
        let source: *mut u8 = Gva(address).as_ptr();
        let piece = Piece { src: source.cast_const(), dst: found.as_mut_ptr(), bytes: bytes as u64 };
        let transfer = Transfer { piece, from: Locality::Device, to: Locality::Host };
        let mover = self.context()?.devices().mover().expect("an accelerator");
        // SAFETY: the test asks for memory that an object has mapped.
        unsafe { mover.copy(&[transfer]) }?;
        Ok(Answer::Value(Some(found)))
    }

    fn context(&self) -> Result<&Context, Failure> {
        self.context.as_ref().ok_or_else(missing)
    }

    fn object(&self, id: u32) -> Result<&ShareMemory, Failure> {
        self.objects.get(&id).ok_or_else(missing)
    }
}

fn missing() -> Failure {
    Error::new(Kind::NotExist, "order").what("this member has no such object").into()
}

fn gathered(
    rank: u32,
    ranks: u32,
    bytes: usize,
    seed: u64,
    call: impl FnOnce(&[u8], &mut [u8]) -> mf_base::Result<()>,
) -> Result<Answer, Failure> {
    let own = pattern::stream(seed + u64::from(rank), bytes);
    let mut all = vec![0xa5; bytes * ranks as usize];
    call(&own, &mut all)?;
    for (from, part) in (seed..).zip(all.chunks(bytes.max(1))) {
        copies::compare(from, part)?;
    }
    Ok(Answer::Done)
}
