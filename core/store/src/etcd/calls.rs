// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The [`Store`] trait on etcd.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::{Kind, Result};
use tokio::sync::MutexGuard;

use super::cluster::Call;
use super::gather::{self, Gather};
use super::names::{check_length, check_name};
use super::session::Standing;
use super::watches::{Callback, watch};
use super::{EtcdStore, Shared, locks};
use crate::api::{
    Entry, Leader, LeaderFn, LeaseId, Lifetime, Listing, Member, MembersFn, Page, Part, Store, Swap, View,
    WatchFn, WatchId,
};
use crate::client::after;
use crate::protocol::limits::{check_guest_key, check_value_bytes};

/// How long a caller that leaves a wait may still wait for etcd to know.
const WITHDRAW_LIMIT: Duration = Duration::from_millis(500);

impl Shared {
    /// Waits for one's turn to change `key` by reading and setting it.
    async fn turn(&self, key: &str) -> Option<MutexGuard<'_, ()>> {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let at = usize::try_from(hasher.finish() % self.turns.len() as u64).unwrap_or(0);
        match self.turns.get(at) {
            Some(turn) => Some(turn.lock().await),
            None => None,
        }
    }
}

impl EtcdStore {
    fn soon(&self) -> Instant {
        after(self.request_timeout)
    }

    /// Own changes reach own watches before the call returns.
    fn settle(&self, keys: &[&str], revision: i64) {
        let keys: Vec<Vec<u8>> = keys.iter().map(|key| self.shared.session.names.data(key)).collect();
        self.shared.watches.settle(&keys, revision, self.soon());
    }

    fn gather(
        &self,
        operation: &'static str,
        name: &str,
        members: u32,
        value: Option<Vec<u8>>,
        deadline: Instant,
    ) -> Result<Vec<Part>> {
        check_name(operation, "barrier name", name)?;
        let (name, world_size) = (name.to_owned(), self.member.world_size);
        let entered = name.clone();
        let met = self.run(operation, deadline, move |shared, call| async move {
            let value = value.as_deref();
            let gather =
                Gather { session: &shared.session, call: &call, world_size, name: &name, members, value };
            gather.run(&shared.inside).await
        });
        if let Err(error) = &met
            && error.kind() == Kind::Interrupted
        {
            self.tidy(
                move |shared, call| async move { gather::withdraw(&shared.session, &call, &entered).await },
            );
        }
        met
    }

    /// Takes back at the cluster what a call left there whose caller waits no more.
    fn tidy<F, Fut>(&self, work: F)
    where
        F: FnOnce(Arc<Shared>, Call) -> Fut,
        Fut: Future<Output = Result<()>> + Send + 'static,
    {
        if let Err(error) = self.run("store withdraw", after(WITHDRAW_LIMIT), work) {
            tracing::warn!(%error, "what a wait left in etcd that was interrupted goes with the session");
        }
    }

    fn watch_keys(
        &self,
        operation: &'static str,
        name: &str,
        exact: bool,
        callback: WatchFn,
    ) -> Result<WatchId> {
        let name = name.to_owned();
        self.run(operation, self.soon(), move |shared, call| async move {
            watch(&shared.session, &shared.watches, &call, &name, exact, callback).await
        })
    }

    /// A guest leaves the library's keys alone, as the store of a member's process sees to.
    fn check_writer(&self, operation: &'static str, key: &str) -> Result<()> {
        check_name(operation, "key", key)?;
        match self.shared.session.rank {
            Some(_) => Ok(()),
            None => check_guest_key(key).map_err(|failure| failure.into_error(operation)),
        }
    }
}

fn check_value(operation: &'static str, value: &[u8]) -> Result<()> {
    check_value_bytes(value.len()).map_err(|failure| failure.into_error(operation))
}

impl Store for EtcdStore {
    fn member(&self) -> &Member {
        &self.member
    }

    fn set(&self, key: &str, value: &[u8], lifetime: Lifetime) -> Result<u64> {
        const OP: &str = "store set";
        self.check_writer(OP, key)?;
        check_value(OP, value)?;
        let (name, value) = (key.to_owned(), value.to_vec());
        let revision = self.run(OP, self.soon(), move |shared, call| async move {
            shared.session.set(&call, &name, &value, lifetime).await
        })?;
        self.settle(&[key], revision);
        Ok(revision.unsigned_abs())
    }

    fn get(&self, key: &str) -> Result<Option<Entry>> {
        const OP: &str = "store get";
        check_name(OP, "key", key)?;
        let key = key.to_owned();
        self.run(OP, self.soon(), move |shared, call| async move { shared.session.get(&call, &key).await })
    }

    fn wait(&self, key: &str, deadline: Instant) -> Result<Entry> {
        const OP: &str = "store wait";
        check_name(OP, "key", key)?;
        let key = key.to_owned();
        self.run(OP, deadline, move |shared, call| async move { shared.session.wait(&call, &key).await })
    }

    fn add(&self, key: &str, delta: i64) -> Result<i64> {
        const OP: &str = "store add";
        self.check_writer(OP, key)?;
        let name = key.to_owned();
        let changed = self.run(OP, self.soon(), move |shared, call| async move {
            let _turn = shared.turn(&name).await;
            shared.session.add(&call, &name, delta).await
        })?;
        self.settle(&[key], changed.revision);
        Ok(changed.result)
    }

    fn append(&self, key: &str, value: &[u8]) -> Result<u64> {
        const OP: &str = "store append";
        self.check_writer(OP, key)?;
        check_value(OP, value)?;
        let (name, value) = (key.to_owned(), value.to_vec());
        let changed = self.run(OP, self.soon(), move |shared, call| async move {
            let _turn = shared.turn(&name).await;
            shared.session.append(&call, &name, &value).await
        })?;
        self.settle(&[key], changed.revision);
        Ok(changed.result)
    }

    fn compare_and_swap(
        &self,
        key: &str,
        expected: Option<&[u8]>,
        new: &[u8],
        lifetime: Lifetime,
    ) -> Result<Swap> {
        const OP: &str = "store compare and swap";
        self.check_writer(OP, key)?;
        expected.map_or(Ok(()), |expected| check_value(OP, expected))?;
        check_value(OP, new)?;
        let (name, expected, new) = (key.to_owned(), expected.map(<[u8]>::to_vec), new.to_vec());
        let changed = self.run(OP, self.soon(), move |shared, call| async move {
            shared.session.compare_and_swap(&call, &name, expected.as_deref(), &new, lifetime).await
        })?;
        self.settle(&[key], changed.revision);
        Ok(changed.result)
    }

    fn delete(&self, key: &str) -> Result<bool> {
        const OP: &str = "store delete";
        self.check_writer(OP, key)?;
        let name = key.to_owned();
        let revision = self.run(OP, self.soon(), move |shared, call| async move {
            shared.session.delete(&call, &name).await
        })?;
        if let Some(revision) = revision {
            self.settle(&[key], revision);
        }
        Ok(revision.is_some())
    }

    fn discard(&self, key: &str) -> Result<()> {
        const OP: &str = "store delete";
        check_name(OP, "key", key)?;
        self.check(OP)?;
        let (name, shared) = (key.to_owned(), Arc::clone(&self.shared));
        let call = Call::new(OP, self.soon());
        shared.discarding.send_modify(|keys| *keys += 1);
        self.runtime.spawn(async move {
            if let Err(error) = shared.session.delete(&call, &name).await {
                tracing::debug!(%error, key = name, "a key stays until its session ends");
            }
            shared.discarding.send_modify(|keys| *keys -= 1);
        });
        Ok(())
    }

    fn list(&self, prefix: &str) -> Result<Listing> {
        const OP: &str = "store list";
        check_length(OP, "prefix", prefix)?;
        let prefix = prefix.to_owned();
        self.run(
            OP,
            self.soon(),
            move |shared, call| async move { shared.session.list(&call, &prefix).await },
        )
    }

    fn list_page(&self, prefix: &str, after: Option<&str>, limit: u32) -> Result<Page> {
        const OP: &str = "store list";
        check_length(OP, "prefix", prefix)?;
        after.map_or(Ok(()), |after| check_length(OP, "key", after))?;
        let (prefix, after) = (prefix.to_owned(), after.map(str::to_owned));
        self.run(OP, self.soon(), move |shared, call| async move {
            shared.session.page(&call, &prefix, after.as_deref(), limit).await
        })
    }

    fn grant_lease(&self, ttl: Duration) -> Result<LeaseId> {
        self.run("store grant lease", self.soon(), move |shared, call| async move {
            locks::grant_lease(&shared.session, &call, ttl).await
        })
    }

    fn keep_alive(&self, lease: LeaseId) -> Result<()> {
        self.run("store keep alive", self.soon(), move |shared, call| async move {
            locks::keep_alive(&shared.session, &call, lease).await
        })
    }

    fn revoke_lease(&self, lease: LeaseId) -> Result<bool> {
        let ended = self.run("store revoke lease", self.soon(), move |shared, call| async move {
            locks::revoke_lease(&shared.session, &call, lease).await
        })?;
        let Some((revision, keys)) = ended else { return Ok(false) };
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        self.settle(&keys, revision);
        Ok(true)
    }

    fn lock(&self, name: &str, deadline: Instant) -> Result<u64> {
        const OP: &str = "store lock";
        check_name(OP, "lock name", name)?;
        let name = name.to_owned();
        let wanted = name.clone();
        let got = self.run(OP, deadline, move |shared, call| async move {
            shared.locks.lock(&shared.session, &call, &name).await
        });
        if let Err(error) = &got
            && error.kind() == Kind::Interrupted
        {
            self.tidy(move |shared, call| async move { locks::leave(&shared.session, &call, &wanted).await });
        }
        got
    }

    fn try_lock(&self, name: &str) -> Result<Option<u64>> {
        const OP: &str = "store try lock";
        check_name(OP, "lock name", name)?;
        let name = name.to_owned();
        self.run(OP, self.soon(), move |shared, call| async move {
            shared.locks.try_lock(&shared.session, &call, &name).await
        })
    }

    fn unlock(&self, name: &str) -> Result<()> {
        const OP: &str = "store unlock";
        check_name(OP, "lock name", name)?;
        let name = name.to_owned();
        self.run(OP, self.soon(), move |shared, call| async move {
            shared.locks.unlock(&shared.session, &call, &name).await
        })
    }

    fn watch_key(&self, key: &str, callback: WatchFn) -> Result<WatchId> {
        const OP: &str = "store watch key";
        check_name(OP, "key", key)?;
        self.watch_keys(OP, key, true, callback)
    }

    fn view(&self) -> Result<View> {
        self.run("store view", self.soon(), move |shared, call| async move {
            shared.members.view(&shared.session, &call).await
        })
    }

    fn watch_members(&self, callback: MembersFn) -> Result<WatchId> {
        self.run("store watch members", self.soon(), move |shared, _| async move {
            Ok(shared.members.watch(&shared.watches, callback))
        })
    }

    fn watch_leader(&self, callback: LeaderFn) -> Result<WatchId> {
        self.check("store watch leader")?;
        Ok(self.shared.watches.add(Callback::Leader(callback), Vec::new(), Vec::new(), || 0))
    }

    fn leader(&self) -> Leader {
        Leader { term: 1, place: self.place.clone(), here: false }
    }

    fn watch(&self, prefix: &str, callback: WatchFn) -> Result<WatchId> {
        const OP: &str = "store watch";
        check_length(OP, "prefix", prefix)?;
        self.watch_keys(OP, prefix, false, callback)
    }

    fn unwatch(&self, id: WatchId) -> Result<()> {
        const OP: &str = "store unwatch";
        if !self.shared.watches.on_callback_thread() {
            self.check(OP)?;
        }
        self.shared.watches.remove(OP, id)
    }

    fn barrier(&self, name: &str, members: u32, deadline: Instant) -> Result<()> {
        self.gather("store barrier", name, members, None, deadline).map(|_| ())
    }

    fn allgather(&self, name: &str, members: u32, value: &[u8], deadline: Instant) -> Result<Vec<Part>> {
        self.gather("store allgather", name, members, Some(value.to_vec()), deadline)
    }

    fn close(&self) {
        self.end();
    }

    fn is_connected(&self) -> bool {
        *self.shared.session.standing().borrow() == Standing::Open
    }
}

/// The store's tasks are shared between threads.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Arc<Shared>>();
};
