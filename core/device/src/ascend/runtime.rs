// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The opened device: its context, its numbers, and the switching of threads into that context.
//!
//! **Our reference.** CANN counts the users of a device in a process; when the count falls to zero it frees
//! everything of the process there, mapped memory included. So a short-lived thread sets the device, which
//! adds one to the count, and takes the name of its primary context from there: the context of every program
//! that simply sets the device, so our calls and its calls meet in one context. A context of our own would
//! not count, and switching to it would cost every call. The reference is never dropped: other users of it
//! are not visible to us, and the end of the process drops it. ACL is never finalised, as others in the
//! process may use it.
//!
//! **Borrowing.** Every call runs in our context ([`Runtime::run`]). A thread that is there already (a
//! program on the same current device) pays one query. A thread elsewhere is switched, and switched back
//! however the call ends. A thread without a device must have none afterwards, so a thread of ours does the
//! work ([`DeviceThreads`]).

use std::sync::Arc;

use ascend_acl_sys::acl::{Context, Granularity};
use mf_base::{Error, Kind, Result};

use super::acl_memory::hbm;
use super::cann::{Cann, OrRefused};
use super::peers::Peers;
use super::product::Product;
use super::token::{Form, Ticket};
use crate::vmm::{DeviceThreads, Physical};

const OP: &str = "ascend device";

/// Blocks are made of huge pages.
const HUGE_PAGE_BYTES: u64 = 2 << 20;

/// The numbers of our device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    /// In this process, as ACL takes it.
    pub(super) user: i32,
    /// The same, as some of ACL's structures hold it.
    pub(super) index: u32,
    /// As the driver counts the devices that this process may see.
    pub(super) logical: u32,
    /// As the machine counts them.
    pub(super) physical: u32,
    /// Number in the super node; 0 outside of one.
    pub(super) super_node: u32,
    /// This process as the driver counts processes.
    pub(super) process: i32,
    /// Blocks are multiples of so many bytes.
    pub(super) granule_bytes: u64,
}

impl Numbers {
    fn query(cann: &Cann, user: i32) -> Result<Self> {
        let none = || Error::new(Kind::NotExist, OP).what("a device number is invalid").with("index", user);
        let unsigned = |number: i32| u32::try_from(number).map_err(|_| none());
        let acl = cann.acl();
        let libraries = cann.libraries();
        let logical = libraries.logical_of_user(user).or_refused()?;
        let physical = libraries.physical_of_logical(logical).or_refused()?;
        let index = unsigned(user)?;
        let granule = acl.granularity(&hbm(index), Granularity::Recommended);
        Ok(Self {
            user,
            index,
            logical: unsigned(logical)?,
            physical: unsigned(physical)?,
            super_node: libraries.super_node_of_user(user).unwrap_or(0),
            process: acl.bare_tgid().or_refused()?,
            granule_bytes: granule.map_or(HUGE_PAGE_BYTES, |bytes| bytes as u64).max(HUGE_PAGE_BYTES),
        })
    }

    /// A ticket for a block of this device.
    pub(super) fn ticket(&self, form: Form, handle: Vec<u8>) -> Ticket {
        Ticket { form, device: self.physical, process: self.process, handle }
    }
}

/// State shared by all parts of the device.
pub(super) struct Runtime {
    pub(super) cann: Cann,
    pub(super) numbers: Numbers,
    pub(super) product: Product,
    context: Context,
    threads: DeviceThreads,
    peers: Arc<Peers>,
    /// The allocator of device memory, or the reason that there is none.
    physical: Result<Box<dyn Physical>, String>,
}

impl Runtime {
    /// Takes a reference of device `index`, in an initialised ACL; `choose` selects its memory calls, with
    /// the device's context current.
    ///
    /// # Errors
    /// CANN's errors on the first calls on the device.
    pub(super) fn open(
        cann: Cann,
        index: i32,
        choose: impl FnOnce(&Cann, Numbers, &Arc<Peers>) -> Result<Box<dyn Physical>, String> + Send,
    ) -> Result<Arc<Self>> {
        let work = move || {
            let acl = cann.acl();
            acl.set_device(index).or_refused()?;
            let context = acl.context().or_refused()?;
            let numbers = Numbers::query(&cann, index)?;
            let product = Product::from_soc(&acl.soc_name().unwrap_or_default());
            let peers = Arc::new(Peers::new(cann.clone(), &product, numbers.physical));
            let physical = choose(&cann, numbers, &peers);
            let lent = cann.clone();
            Ok(Self {
                peers,
                threads: DeviceThreads::new(move || {
                    lent.relax_this_thread();
                    lent.acl().set_context(context).or_refused()
                }),
                cann,
                numbers,
                product,
                context,
                physical,
            })
        };
        // A separate thread, so that the device of no other thread changes.
        let opened = std::thread::scope(|scope| {
            std::thread::Builder::new()
                .name("mf-ascend-open".to_owned())
                .spawn_scoped(scope, work)?
                .join()
                .map_err(|_| std::io::Error::other("the thread panicked"))
        });
        let opened = opened.map_err(|error| {
            Error::new(Kind::NoResources, OP).what("no thread could open the device").source(error)
        })?;
        opened.map(Arc::new)
    }

    /// Runs `work` with the device's context current; the calling thread's own device and context are
    /// restored on return.
    ///
    /// # Errors
    /// The context cannot be made current; errors of `work` are in its result.
    #[inline]
    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R> {
        match self.cann.acl().context() {
            Ok(context) if context == self.context => Ok(work()),
            Ok(other) => match self.switch(other, self.context) {
                Ok(_back) => Ok(work()),
                // Threads of ours have switched long ago, so that releases still reach CANN.
                Err(_) => self.threads.run(work),
            },
            Err(_) => self.threads.run(work),
        }
    }

    /// Makes the device current in the calling thread, if that has none.
    pub(super) fn become_current(&self) {
        let acl = self.cann.acl();
        if acl.context().is_err()
            && let Err(error) = acl.set_context(self.context).or_refused()
        {
            tracing::warn!("the calling thread stays without a device: {error}");
        }
    }

    /// Runs `work` in a context of the program, as [`run`](Self::run) does in ours.
    ///
    /// # Errors
    /// As [`run`](Self::run), for example if the context was destroyed.
    pub(super) fn run_in<R: Send>(&self, context: Context, work: impl FnOnce() -> R + Send) -> Result<R> {
        match self.cann.acl().context() {
            Ok(current) if current == context => Ok(work()),
            Ok(other) => self.switch(other, context).map(|_back| work()),
            Err(_) => self.threads.run(|| self.switch(self.context, context).map(|_back| work()))?,
        }
    }

    #[cold]
    fn switch(&self, from: Context, to: Context) -> Result<Back<'_>> {
        self.cann.acl().set_context(to).or_refused()?;
        Ok(Back { cann: &self.cann, context: from })
    }

    /// The device's own context.
    pub(super) fn context(&self) -> Context {
        self.context
    }

    /// Returns true if `context` is the device's own.
    pub(super) fn is_own(&self, context: Context) -> bool {
        context == self.context
    }

    /// Returns the allocator of device memory.
    ///
    /// # Errors
    /// `Failed` with the reason that this CANN offers no device memory that can be shared.
    pub(super) fn physical(&self) -> Result<&dyn Physical> {
        match &self.physical {
            Ok(physical) => Ok(&**physical),
            Err(reason) => Err(Error::new(Kind::Failed, OP)
                .what("this device offers no memory for a pool")
                .with("reason", reason)
                .hint("mf info lists what the device can do; a pool of host memory alone works")),
        }
    }

    /// Other devices.
    pub(super) fn peers(&self) -> &Peers {
        &self.peers
    }
}

/// Switches the thread back to a context of the program.
struct Back<'a> {
    cann: &'a Cann,
    context: Context,
}

impl Drop for Back<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.cann.acl().set_context(self.context) {
            tracing::warn!("the caller's device is no longer its current one: {error}");
        }
    }
}
