// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The state of the process, all of it: [`PROCESS`]; and what happens once before anything else.
//!
//! In which order parts end, [`mf_job::process`] defines. Besides these there are the last error and the last
//! text of each thread, counters of calls, and the program's receivers of log lines and interrupts, which
//! live as long as the process.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once};

use mf_base::os::per_process::PerProcess;
use mf_base::settings::{Settings, loaded};
use mf_base::{Result, log};
use mf_device::Devices;
use mf_job::process::{Handles, Owned, Seat};
use mf_smem::bm::{self, Pool};
use mf_smem::kernel::Binary;
use mf_smem::shm::{self, ShareMemory};
use mf_smem::trans::{Endpoint, Prepared, Transfer};
use mf_store::Store;
use mf_tls::Access;

use crate::bootstrap::Hosted;
use crate::cache::single;
use crate::duplicate_library;
use crate::hmc;
use crate::mfx::device::{Allocation, Known, Opened};
use crate::mfx::stats;
use crate::shmem::cann::instances;
use crate::smem::acc::server::AccServer;
use crate::smem::bm::leader::LeaderCallback;
use crate::smem::store::servers::Served;
use crate::smem::store::session::{Session, Watches};
use crate::smem::trans::init;

/// The state of this process, one for all callers.
pub(crate) static PROCESS: Process = Process {
    big_memory: Seat::new("smem_bm_init", Handles::new("pool", "smem_bm_create")),
    share_memory: Seat::new("smem_shm_init", Handles::new("share memory", "smem_shm_create")),
    transfers: Seat::new("smem_trans_init", Handles::new("endpoint", "smem_trans_create")),
    started: Handles::new("transfer", "mfx_trans_start or mfx_trans_start_prepared"),
    prepared: Handles::new("prepared list", "mfx_trans_prepare"),
    binaries: Handles::new("kernel binary", "mfx_kernel_load"),
    allocations: PerProcess::new(BTreeMap::new()),
    known: PerProcess::new(BTreeMap::new()),
    opened: PerProcess::new(None),
    leader_callback: Mutex::new(None),
    watches: Watches::new(),
    stores: Handles::new("store", "mfx_store_connect"),
    caches: Handles::new("cache", "mfx_cache_open"),
    guests: PerProcess::new(BTreeMap::new()),
    servers: Handles::new("config store server", "smem_config_store_create_server"),
    served: PerProcess::new(BTreeMap::new()),
    server_access: Mutex::new(None),
    hosted: PerProcess::new(Hosted::new()),
    hmc_buffers: Handles::new("buffer", "mfx_hmc_buffer_create"),
    hmc_comms: Handles::new("communicator", "mfx_hmc_comm_create"),
    hmc_messages: Handles::new("message", "mfx_hmc_ctrl_recv"),
    acc_servers: Handles::new("server", "smem_acc_tcp_server_create or smem_acc_http_server_create"),
};

/// Its parts, in the order in which they end.
pub(crate) struct Process {
    pub(crate) big_memory: Seat<bm::Context, Pool, 64>,
    pub(crate) share_memory: Seat<shm::Context, ShareMemory, 64>,
    /// Endpoints of transfers, each of which is a guest of its store.
    pub(crate) transfers: Seat<trans_init::Context, Endpoint, 512>,
    /// Transfers that were started, and prepared lists, of all endpoints; programs release them when they
    /// like.
    pub(crate) started: Handles<Transfer, 16384>,
    pub(crate) prepared: Handles<Prepared, 4096>,
    /// Each keeps what it was loaded on, as an allocation does: programs free them when they like.
    pub(crate) binaries: Handles<Binary, 256>,
    /// Memory of the accelerator by address.
    pub(crate) allocations: PerProcess<BTreeMap<usize, Allocation>>,
    /// Host memory that the accelerator knows, by address.
    pub(crate) known: PerProcess<BTreeMap<usize, Known>>,
    /// The accelerator that was opened without a pool.
    pub(crate) opened: PerProcess<Option<Opened>>,
    /// The callback for when another process leads the store of big memory.
    pub(crate) leader_callback: Mutex<Option<LeaderCallback>>,
    /// Watches of the membership of big memory.
    pub(crate) watches: Watches,
    /// Memberships in stores by themselves.
    pub(crate) stores: Handles<Session, 1024>,
    /// Caches in pools of big memory, which end before these.
    pub(crate) caches: Handles<mfx_cache::Opened, 64>,
    /// Guests of stores that were asked for the address of their leader, by URL.
    pub(crate) guests: PerProcess<BTreeMap<String, Arc<dyn Store>>>,
    /// Shares in the servers of `served`.
    pub(crate) servers: Handles<Served, 64>,
    /// Servers that were made by hand, by URL.
    pub(crate) served: PerProcess<BTreeMap<String, Arc<Served>>>,
    /// What servers that are made later prove themselves with; none: nothing was said.
    pub(crate) server_access: Mutex<Option<Access>>,
    /// Stores of jobs without a URL.
    pub(crate) hosted: PerProcess<Hosted>,
    /// Buffers, each of which lives as long as a communicator uses it.
    pub(crate) hmc_buffers: Handles<hmc::buffer::Made, 1024>,
    /// Communicators over them; programs end them when they like.
    pub(crate) hmc_comms: Handles<hmc::comm::Opened, 256>,
    /// Received messages of the control channel, until the program releases them.
    pub(crate) hmc_messages: Handles<mf_hmc::ctrl::Message, 1024>,
    /// Message and HTTP servers; programs end them when they like.
    pub(crate) acc_servers: Handles<AccServer, 256>,
}

impl Process {
    /// Ends a tenant. Stores of jobs without a URL linger when no tenant is left.
    pub(crate) fn end<C: Owned, T: Owned, const N: usize>(&self, op: &'static str, seat: &Seat<C, T, N>) {
        seat.end(op);
        if self.big_memory.current().is_none() && self.share_memory.current().is_none() {
            self.hosted.take().linger();
        }
    }

    /// The devices of this process, whichever tenant opened them.
    ///
    /// # Errors
    /// `NotInit` before all of `smem_bm_init`, `smem_shm_init` and `aclshmemx_init_attr`.
    pub(crate) fn devices(&self, op: &'static str) -> Result<Devices> {
        if let Ok(context) = self.share_memory.context(op) {
            return Ok(context.devices().clone());
        }
        let none = match self.big_memory.context(op) {
            Ok(context) => return Ok(context.devices().clone()),
            Err(none) => none,
        };
        if let Some(opened) = self.opened.lock().as_ref() {
            return Ok(opened.devices.clone());
        }
        match instances::current() {
            Some(instance) => Ok(instance.world.devices().clone()),
            None => {
                Err(none
                    .hint("call smem_shm_init, smem_bm_init, aclshmemx_init_attr or mfx_device_open first"))
            }
        }
    }
}

/// Whether the program chose a log level, which then beats the environment.
pub(crate) static LEVEL_WAS_SET: AtomicBool = AtomicBool::new(false);

/// Sets up logging and checks the surroundings, once; every entry that starts something calls it.
///
/// # Errors
/// `InvalidParam` for an unusable setting.
pub(crate) fn prepare() -> Result<()> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::install();
        if let Ok(loaded) = loaded() {
            choose_log(&loaded.settings);
            if !LEVEL_WAS_SET.load(Ordering::Relaxed) {
                log::set_level(i32::from(loaded.settings.log_level.0));
            }
            for warning in &loaded.warnings {
                tracing::warn!("{warning}");
            }
        }
        copies_loaded::report();
        mfx_stats::prepare();
    });
    loaded().map(drop)
}

/// What names of log files begin with, as CANN SHMEM's do.
const LOG_FILE: &str = "aclshmem";

/// Where log lines go that the program has no function for.
fn choose_log(settings: &Settings) {
    if settings.log_to_stdout {
        log::to_stdout();
    } else if !settings.log_path.is_empty()
        && let Err(error) = log::to_directory(Path::new(&settings.log_path), LOG_FILE)
    {
        tracing::warn!("no log file in {:?}, so lines go to standard error: {error}", settings.log_path);
    }
}
