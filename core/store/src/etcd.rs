// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A store whose every operation runs on an etcd v3 cluster, so that nothing of ours is the single point of
//! failure.
//!
//! ```text
//! caller ──▶ etcd.rs, calls.rs      the Store trait: one task on the store's thread for each call
//!              ├─ values.rs         keys        ├─ gather.rs   barriers, allgathers
//!              ├─ locks.rs          locks, leases
//!              ├─ watches.rs        callbacks   └─ members.rs  the view
//!              ▼
//!            session.rs             lease, fence: writes that happen once
//!              ▼
//!            cluster.rs, feed.rs    requests and changes, at whichever member of the cluster answers
//! ```
//! `names.rs` says what is stored where, `ranks.rs` how one gets in.
//!
//! # What etcd does differently from the TCP store
//! - A member that dies without a goodbye is noticed when its lease runs out: etcd sees no connections, lets no
//!   lease live shorter than about two seconds. So leases of less than that live longer than asked for.
//! - Revisions are those of etcd: they grow with every change of the whole cluster, also of other jobs.
//! - What was acknowledged survives the death of any process; `add`, `append`, `compare_and_swap` happen once even
//!   when a member of the cluster dies over them.
//! - etcd keeps the history of all keys until it is compacted. Give it automatic compaction, with a retention of
//!   minutes; a watch that was cut off for longer than that ends with `StoreLost`.

mod calls;
mod cluster;
mod feed;
mod gather;
mod locks;
mod members;
mod names;
mod ranks;
mod session;
mod values;
mod watches;

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_base::interrupt::{self, Asker};
use mf_base::os::thread;
use mf_base::{Error, Kind, Rank, Result};
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};

use crate::api::{Member, RankWish};
use crate::client::locked;
use cluster::{Call, Cluster};
use gather::Inside;
use locks::Locks;
use members::Members;
use names::Names;
use session::{Session, Standing};
use watches::Watches;

const JOIN: &str = "etcd store join";
/// How much longer than a deadline a call may take to read or tidy up what is needed to end in order.
const MARGIN: Duration = Duration::from_secs(2);
/// How long a goodbye may take; without it the lease runs out.
const GOODBYE_LIMIT: Duration = Duration::from_millis(700);
const GOODBYE_SLACK: Duration = Duration::from_millis(200);
/// The rank in [`Store::member`](crate::Store::member) of one that has none.
const NO_RANK: Rank = Rank(u32::MAX);

/// Certificates for the connections to etcd, as PEM texts.
#[derive(Clone)]
pub struct EtcdTls {
    /// Who may have signed the certificates of the cluster.
    pub ca: Vec<u8>,
    /// The certificate of this process; empty: none.
    pub certificate: Vec<u8>,
    /// Its key.
    pub key: Vec<u8>,
    /// The name in the certificates of the cluster; none: its addresses.
    pub domain: Option<String>,
}

/// How to join a job on etcd.
#[derive(Clone)]
pub struct EtcdOptions {
    /// `host:port` of the members of the cluster for clients, at least one.
    pub endpoints: Vec<String>,
    /// What the keys of this job begin with.
    pub prefix: String,
    /// Number of ranks of the job; a guest may give 0.
    pub world_size: u32,
    /// Which rank is wanted.
    pub wish: RankWish,
    /// Number of the device this process uses.
    pub device: u16,
    /// Name of this host.
    pub host: String,
    /// How long the session outlives its process.
    pub lease: Duration,
    /// How long members that leave their rank to the store wait for others.
    pub rank_window: Duration,
    /// When joining is given up.
    pub connect_deadline: Instant,
    /// How long a call waits for etcd.
    pub request_timeout: Duration,
    /// The secret of the job, empty for none.
    pub secret: Vec<u8>,
    /// Encrypts; none: plaintext.
    pub tls: Option<EtcdTls>,
}

/// What the tasks of a store share.
struct Shared {
    session: Arc<Session>,
    watches: Arc<Watches>,
    members: Arc<Members>,
    locks: Locks,
    inside: Inside,
    /// Changes that begin with a read go one after the other within a process: only processes compete.
    turns: [tokio::sync::Mutex<()>; 16],
    /// How many keys are being [discarded](crate::Store::discard): later calls come behind them.
    discarding: watch::Sender<usize>,
}

/// The threads of a store.
struct Threads {
    stop: oneshot::Sender<()>,
    runtime: JoinHandle<()>,
    callbacks: JoinHandle<()>,
}

/// A member's place in a job on etcd. Dropping it closes it.
pub struct EtcdStore {
    member: Member,
    shared: Arc<Shared>,
    runtime: Handle,
    threads: Mutex<Option<Threads>>,
    place: String,
    request_timeout: Duration,
    closed: AtomicBool,
    process: u32,
}

impl EtcdStore {
    /// Joins a job. Blocks until a rank was given.
    ///
    /// # Errors
    /// `NotConnected` no member of the cluster answered until the deadline · `Duplicated` the rank is taken ·
    /// `InvalidParam` rank, world size or secret do not fit · `Timeout` no rank became free.
    pub fn join(options: EtcdOptions) -> Result<Self> {
        if options.tls.is_none() && options.endpoints.iter().any(|place| !is_loopback(place)) {
            tracing::warn!(prefix = options.prefix, "the connections to etcd are not encrypted");
        }
        let (runtime, runs, stop) = start_runtime()?;
        let (watches, queue) = Watches::new();
        let watches = Arc::new(watches);
        let place = place(&options);
        let request_timeout = options.request_timeout;
        let (answer, joined) = mpsc::sync_channel(1);
        let joining = enter(options, Arc::clone(&watches));
        runtime.spawn(async move {
            // Nobody receives when the caller has died.
            let _ = answer.send(joining.await);
        });
        let ended = || Err(Error::new(Kind::Failed, JOIN).what("the thread of the store ended"));
        // What is under way ends with the runtime, and its traces with its lease.
        let joined = answer_of(&joined, || {})
            .map_or_else(|| Err(interrupt::error(JOIN)), |it| it.unwrap_or_else(ended));
        let started = joined.and_then(|(member, shared)| {
            let delivering = Arc::clone(&watches);
            // The application's own signals may come to what it does in its callbacks.
            let callbacks = std::thread::Builder::new()
                .name("mf-store-watch".to_owned())
                .spawn(move || delivering.deliver(queue))
                .map_err(|error| no_thread("mf-store-watch", error))?;
            Ok((member, shared, callbacks))
        });
        match started {
            Ok((member, shared, callbacks)) => Ok(Self {
                member,
                shared,
                runtime,
                threads: Mutex::new(Some(Threads { stop, runtime: runs, callbacks })),
                place,
                request_timeout,
                closed: AtomicBool::new(false),
                process: std::process::id(),
            }),
            Err(error) => {
                drop(stop);
                // It has nothing to say.
                let _ = runs.join();
                Err(error)
            }
        }
    }

    /// Ends the session without goodbye, as if this process had died: its lease runs out.
    ///
    /// For tests of what happens to the others.
    pub fn sever(&self) {
        self.shared.session.end(Standing::Lost("the connection was cut on purpose".to_owned()));
    }

    /// Runs the work of a call on the thread of the store.
    fn run<T, F, Fut>(&self, operation: &'static str, deadline: Instant, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(Arc<Shared>, Call) -> Fut,
        Fut: Future<Output = Result<T>> + Send + 'static,
    {
        self.check(operation)?;
        let session = Arc::clone(&self.shared.session);
        let mut standing = session.standing();
        if *standing.borrow() != Standing::Open {
            return Err(session.over(operation));
        }
        let work = work(Arc::clone(&self.shared), Call::new(operation, deadline));
        let mut discarding = self.shared.discarding.subscribe();
        let (answer, result) = mpsc::sync_channel(1);
        let over = Arc::clone(&session);
        let (cancel, cancelled) = oneshot::channel::<()>();
        let mut cancel = Some(cancel);
        self.runtime.spawn(async move {
            let behind = async move {
                // At its deadline the work itself says that etcd does not answer.
                let idle = discarding.wait_for(|keys| *keys == 0);
                let _ = tokio::time::timeout_at(deadline.into(), idle).await;
                work.await
            };
            let result = tokio::select! {
                result = behind => result,
                Ok(()) = cancelled => Err(interrupt::error(operation)),
                _ = standing.wait_for(|standing| *standing != Standing::Open) => Err(over.over(operation)),
            };
            // The caller waits for nothing else.
            let _ = answer.send(result);
        });
        let leave = || {
            if let Some(cancel) = cancel.take() {
                // It has answered in this moment otherwise.
                let _ = cancel.send(());
            }
        };
        let answered = match answer_of(&result, leave) {
            Some(answered) => answered,
            None => result.recv().ok(),
        };
        answered.unwrap_or_else(|| Err(session.over(operation)))
    }

    /// Whether calls may be made here.
    fn check(&self, operation: &'static str) -> Result<()> {
        if self.process != std::process::id() {
            return Err(Error::new(Kind::NotInit, operation)
                .what("this store client belongs to the parent process")
                .hint("connect anew in the child"));
        }
        if self.shared.watches.on_callback_thread() {
            return Err(Error::new(Kind::Failed, operation)
                .what("a watch callback called the store it was called by")
                .hint("hand the work to another thread"));
        }
        Ok(())
    }

    fn end(&self) {
        // A forked child has the memory of the session but not its threads.
        if self.process != std::process::id() || self.closed.swap(true, Ordering::AcqRel) {
            return;
        }
        self.shared.watches.close();
        let session = Arc::clone(&self.shared.session);
        if session.end(Standing::Closed) {
            let (done, finished) = mpsc::sync_channel(1);
            self.runtime.spawn(async move {
                let call = Call::new("etcd store close", Instant::now() + GOODBYE_LIMIT);
                if let Err(error) = session.goodbye(&call).await {
                    tracing::warn!(%error, "no goodbye to the etcd store, its lease will run out");
                }
                let _ = done.send(());
            });
            // Each step inside has its limit; this one is for a thread that does not get to run.
            let _ = finished.recv_timeout(GOODBYE_LIMIT + GOODBYE_SLACK);
        }
        let Some(threads) = locked(&self.threads).take() else { return };
        drop(threads.stop);
        // They have nothing to say; panics of callbacks were caught and logged.
        let _ = threads.runtime.join();
        if !self.shared.watches.on_callback_thread() {
            let _ = threads.callbacks.join();
        }
    }
}

/// Waits for an answer; none inside: nobody will give one. None: the wait was left, and `leave` called.
fn answer_of<T>(answer: &mpsc::Receiver<T>, leave: impl FnOnce()) -> Option<Option<T>> {
    /// Longer than any call takes.
    const LONG: Duration = Duration::from_secs(3600);
    let mut asker = Asker::new();
    loop {
        match answer.recv_timeout(asker.within(LONG)) {
            Ok(answer) => return Some(Some(answer)),
            Err(mpsc::RecvTimeoutError::Disconnected) => return Some(None),
            Err(mpsc::RecvTimeoutError::Timeout) if asker.is_left() => {
                leave();
                return None;
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
    }
}

impl Drop for EtcdStore {
    fn drop(&mut self) {
        self.end();
    }
}

impl fmt::Debug for EtcdStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EtcdStore")
            .field("place", &self.place)
            .field("member", &self.member)
            .finish_non_exhaustive()
    }
}

/// Whether `host:port` is on this host.
pub(crate) fn is_loopback(place: &str) -> bool {
    place.parse::<SocketAddr>().is_ok_and(|place| place.ip().is_loopback()) || place.starts_with("localhost:")
}

fn place(options: &EtcdOptions) -> String {
    format!("etcd://{}/{}", options.endpoints.join(","), options.prefix.trim_start_matches('/'))
}

/// Everything from the first contact to the rank.
async fn enter(options: EtcdOptions, watches: Arc<Watches>) -> Result<(Member, Arc<Shared>)> {
    let call = Call::new(JOIN, options.connect_deadline);
    let cluster = Arc::new(Cluster::prepare(JOIN, &options.endpoints, options.tls.as_ref()).await?);
    let names = Names::new(&options.prefix);
    let granted = Instant::now();
    let opened = Session::open(cluster, names, &call, options.lease, options.request_timeout).await;
    let mut session = opened.map_err(|error| match error.kind() {
        Kind::Timeout => {
            Error::new(Kind::NotConnected, JOIN).what("the etcd cluster cannot be reached").source(error)
        }
        _ => error,
    })?;
    // Renewed from here on: waiting for a rank may take longer than the lease lives.
    let renewing = tokio::spawn(session.renewal(granted));
    let joined = match ranks::join(&session, &call, &options).await {
        Ok(joined) => joined,
        Err(error) => {
            renewing.abort();
            let tidying = Call::new(JOIN, Instant::now() + GOODBYE_LIMIT);
            if let Err(error) = session.revoke(&tidying, session.lease).await {
                tracing::debug!(%error, "the lease of a session that found no place runs out by itself");
            }
            return Err(error);
        }
    };
    session.rank = joined.rank;
    let session = Arc::new(session);
    let member = Member {
        rank: joined.rank.unwrap_or(NO_RANK),
        world_size: joined.world_size,
        session: session.number(),
        job_token: joined.job_token,
    };
    let members = Members::follow(&session, &watches, &call, joined.rank.map(|_| joined.revision)).await?;
    let ending = (Arc::clone(&session), Arc::clone(&watches));
    tokio::spawn(async move {
        let (session, watches) = ending;
        let over = session.standing().wait_for(|standing| *standing != Standing::Open).await.is_ok();
        if over && matches!(*session.standing().borrow(), Standing::Lost(_)) {
            tracing::warn!(session = session.number(), "the session on etcd is lost");
            watches.over();
            watches.send(None).await;
        }
    });
    let shared = Shared {
        session,
        watches,
        members,
        locks: Locks::default(),
        inside: Inside::default(),
        turns: Default::default(),
        discarding: watch::Sender::new(0),
    };
    Ok((member, Arc::new(shared)))
}

/// One thread with the tasks of a store. It ends when the sender goes.
fn start_runtime() -> Result<(Handle, JoinHandle<()>, oneshot::Sender<()>)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| {
        Error::new(Kind::NoResources, JOIN).what("no event loop for the store").source(error)
    })?;
    let handle = runtime.handle().clone();
    let (stop, stopped) = oneshot::channel();
    let run = move || {
        // An error means that the sender has gone, which is the sign as well.
        let _ = runtime.block_on(stopped);
    };
    let thread = thread::spawn("mf-store-etcd", run).map_err(|error| no_thread("mf-store-etcd", error))?;
    Ok((handle, thread, stop))
}

fn no_thread(name: &str, error: std::io::Error) -> Error {
    Error::new(Kind::NoResources, JOIN)
        .what("a thread could not be started")
        .with("thread", name)
        .source(error)
}
