// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The one thread of all servers of this process: started with the first of them, ended with the last.
//!
//! Each server is one task of it with a task set of its own, which is polled for a bounded number of steps at
//! a time. So a server with many busy clients gets the same share of the thread as one with few, and a server
//! that ends takes only its own tasks with it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use mf_base::os::descriptor;
use mf_base::os::per_process::PerProcess;
use mf_base::os::process::Owner;
use mf_base::os::thread;
use mf_base::sync::lock;
use tokio::runtime::{Builder, Handle};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{LocalSet, spawn_local};

static RUNNING: PerProcess<Option<LoopThread>> = PerProcess::new(None);

type Task = Pin<Box<dyn Future<Output = ()>>>;
type Begin = Box<dyn FnOnce() -> Task + Send>;

/// The thread, while it has servers.
struct LoopThread {
    servers: usize,
    begin: UnboundedSender<Begin>,
    handle: Handle,
    thread: JoinHandle<()>,
}

/// A slot on the thread for one server that begins: the thread runs at least until this, or its task, is
/// dropped.
pub(super) struct ThreadSlot {
    begin: UnboundedSender<Begin>,
    handle: Handle,
    retire: Retire,
}

/// The end of one server.
pub(super) struct ServerEnd(Mutex<Receiver<Option<JoinHandle<()>>>>);

/// Takes a server off the thread.
struct Retire {
    ended: Option<SyncSender<Option<JoinHandle<()>>>>,
    owner: Owner,
}

impl ThreadSlot {
    /// Reserves a place; starts the thread if it is not running.
    pub(super) fn reserve() -> std::io::Result<Self> {
        let mut running = RUNNING.lock();
        let running = match &mut *running {
            // A thread that panicked serves no server any more.
            Some(running) if !running.thread.is_finished() => running,
            none => none.insert(LoopThread::start()?),
        };
        running.servers += 1;
        let retire = Retire { ended: None, owner: Owner::current() };
        Ok(Self { begin: running.begin.clone(), handle: running.handle.clone(), retire })
    }

    /// The event loop in which sockets are to be registered.
    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Runs a server; `serve` is called on the thread.
    pub(super) fn run<F: Future<Output = ()> + 'static>(
        self,
        serve: impl FnOnce() -> F + Send + 'static,
    ) -> ServerEnd {
        // The thread that ends the last server must not wait for a notification.
        let (sender, ended) = sync_channel(1);
        let Self { begin, mut retire, .. } = self;
        retire.ended = Some(sender);
        let task: Begin = Box::new(move || {
            Box::pin(async move {
                // Dropped after the tasks of the server, also when one panics.
                let _retire = retire;
                LocalSet::new().run_until(serve()).await;
            })
        });
        // The thread runs as long as there is a slot.
        let _ = begin.send(task);
        ServerEnd(Mutex::new(ended))
    }
}

impl LoopThread {
    fn start() -> std::io::Result<Self> {
        let runtime =
            descriptor::reserving(|| Builder::new_current_thread().enable_io().enable_time().build())?;
        let handle = runtime.handle().clone();
        let (begin, begun) = unbounded_channel();
        let thread =
            thread::spawn("mf-store-server", move || LocalSet::new().block_on(&runtime, run(begun)))?;
        Ok(Self { servers: 0, begin, handle, thread })
    }
}

async fn run(mut begun: UnboundedReceiver<Begin>) {
    while let Some(begin) = begun.recv().await {
        spawn_local(begin());
    }
}

impl ServerEnd {
    /// Blocks until the server has ended, and the thread if it was its last one.
    pub(super) fn wait(self) {
        let last = lock(&self.0).recv();
        if let Ok(Some(thread)) = last {
            // A panic has been reported already.
            let _ = thread.join();
        }
    }
}

impl Drop for Retire {
    fn drop(&mut self) {
        if !self.owner.is_current() {
            return;
        }
        let mut running = RUNNING.lock();
        let last = running.take_if(|running| {
            running.servers -= 1;
            running.servers == 0
        });
        drop(running);
        // Without a sender the thread ends once it has nothing left to begin.
        let thread = last.map(|running| running.thread);
        if let Some(ended) = self.ended.take() {
            // A server that lingers is not waited for.
            let _ = ended.try_send(thread);
        }
    }
}
