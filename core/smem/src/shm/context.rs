// SPDX-License-Identifier: Apache-2.0 OR MIT
//! This process as a rank of its job.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

use mf_base::sync::lock;
use mf_base::{Error, Kind, Rank, Result};
use mf_device::Devices;
use mf_fabric::objects::{Agreement, is_for_all};
use mf_job::process::Owned;
use mf_job::{Config, Membership, Tenant};
use mf_store::Store;

use super::create::Maker;
use super::memory::{Birth, ShareMemory, ShareMemoryInner};
use super::options::Options;

const TENANT: Tenant = Tenant::new("share memory");
const CREATE: &str = "shm create";

/// This process as a rank of its job. Dropping it ends all its objects.
pub struct Context {
    membership: Membership,
    objects: Mutex<BTreeMap<u32, Object>>,
}

/// State of an id.
#[derive(Default)]
struct Object {
    is_beginning: bool,
    made: Weak<ShareMemoryInner>,
    /// Number of failed creations in all ranks, since it last was an object.
    failed_tries: u32,
}

impl Context {
    /// Joins the job; the rank must be given, and rank 0 starts the store. Blocks at most for the init
    /// timeout. If another tenant of this process is a member of the job already, share memory takes part as
    /// that member.
    ///
    /// # Errors
    /// As for [`Membership::begin`], and `InvalidParam` for automatic ranks.
    pub fn init(config: Config) -> Result<Self> {
        const OP: &str = "shm init";
        if !config.names_rank() {
            return Err(Error::invalid(OP, "share memory takes no automatic ranks")
                .hint("pass the rank of this process"));
        }
        Ok(Self { membership: Membership::begin(TENANT, config, OP)?, objects: Mutex::default() })
    }

    /// The own rank.
    pub fn rank(&self) -> Rank {
        self.membership.rank()
    }

    /// Ranks of the job.
    pub fn world_size(&self) -> u32 {
        self.membership.world_size()
    }

    /// Devices of this process.
    pub fn devices(&self) -> &Devices {
        self.membership.devices()
    }

    /// The store of the job, without the keys of the library ([`mf_store::RESERVED`]).
    ///
    /// # Errors
    /// None at present.
    pub fn store(&self) -> Result<&Arc<dyn Store>> {
        self.membership.user_store("shm store")
    }

    /// Makes an object. **Collective** over its ranks: it succeeds in all or fails in all. Blocks until all
    /// parts are mapped everywhere, at most for the create timeout; the last step, a barrier, at most for
    /// the control timeout.
    ///
    /// # Errors
    /// `InvalidParam` the options are impossible, at once; or two ranks pass different options, named in all
    /// ranks · `Duplicated` the id is in use in this process, or by other ranks of the job, or two ranks
    /// have one place · `Timeout` names the missing ranks · `OutOfMemory`, `NoResources` a rank could not
    /// make or map a part: it is named.
    pub fn create(&self, options: Options) -> Result<ShareMemory> {
        let number = options.check(CREATE, self.world_size())?;
        self.membership.check_process(CREATE)?;
        let store = Arc::clone(self.membership.store(CREATE)?);
        let mut beginning = Beginning::new(self, options.id)?;
        let deadline = Instant::now() + self.membership.create_timeout();
        let prefix = format!(".mf/shm/{}/want/", options.id);
        let (id, own) = (options.id, options.terms_of_rank());
        let agreement = Agreement { store: &*store, operation: CREATE, id, prefix: &prefix, own };
        let agreed = agreement.agree(&mut beginning.tried, deadline);
        let ranks = agreed.inspect_err(|error| beginning.failed(error))?;
        let maker = Maker {
            membership: &self.membership,
            store: &store,
            ranks: &ranks,
            options: &options,
            number,
            deadline,
        };
        let part = maker.make();
        // All have agreed by now.
        (0..=beginning.tried).for_each(|tried| agreement.withdraw(tried));
        let part = part.inspect_err(|error| beginning.failed(error))?;
        beginning.succeeded();
        let inner = ShareMemoryInner::new(Birth {
            prefix: format!(".mf/shm/{}/{:016x}/", options.id, part.nonce),
            part,
            options,
            record: number.records().start,
            store: Arc::clone(&store),
            devices: self.devices().clone(),
            control_timeout: self.membership.control_timeout(),
        })?;
        beginning.insert_created(&inner);
        Ok(ShareMemory::new(inner))
    }

    /// Destroys all objects, and leaves the job unless another tenant of this process takes part in it. A
    /// second call changes nothing.
    pub fn shutdown(&self) {
        if !self.membership.is_own() {
            return;
        }
        let objects = std::mem::take(&mut *lock(&self.objects));
        for inner in objects.into_values().filter_map(|object| object.made.upgrade()) {
            inner.destroy();
        }
        self.membership.leave();
    }
}

impl Owned for Context {
    fn check_process(&self, operation: &'static str) -> Result<()> {
        self.membership.check_process(operation)
    }

    fn end(&self) {
        self.shutdown();
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.shutdown();
    }
}

/// An object that is being made: no other caller of this process makes one of its id meanwhile.
struct Beginning<'a> {
    context: &'a Context,
    id: u32,
    /// Number of the try.
    tried: u32,
}

impl<'a> Beginning<'a> {
    fn new(context: &'a Context, id: u32) -> Result<Self> {
        let mut objects = lock(&context.objects);
        let object = objects.entry(id).or_default();
        let is_there = object.made.upgrade().is_some_and(|inner| !inner.is_destroyed());
        if object.is_beginning || is_there {
            return Err(Error::new(Kind::Duplicated, CREATE)
                .what("the object exists in this process")
                .with("id", id)
                .hint("destroy it first, or use another id"));
        }
        object.is_beginning = true;
        let tried = object.failed_tries;
        Ok(Self { context, id, tried })
    }

    fn insert_created(&self, inner: &Arc<ShareMemoryInner>) {
        lock(&self.context.objects).entry(self.id).or_default().made = Arc::downgrade(inner);
    }

    /// All ranks could make their parts, and all know it.
    fn succeeded(&self) {
        lock(&self.context.objects).entry(self.id).or_default().failed_tries = 0;
    }

    /// Counts a failure that all ranks share, so that all meet in the next try.
    fn failed(&self, error: &Error) {
        if is_for_all(error) {
            lock(&self.context.objects).entry(self.id).or_default().failed_tries = self.tried + 1;
        }
    }
}

impl Drop for Beginning<'_> {
    fn drop(&mut self) {
        let mut objects = lock(&self.context.objects);
        objects.entry(self.id).or_default().is_beginning = false;
    }
}
