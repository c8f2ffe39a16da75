// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Process-wide state for callers that hold opaque handles and expect one state for all: C, C++, Python.
//!
//! * [`Seat`]: one tenant: its context while it is a member, and its objects.
//! * [`Handles`]: objects of one type by handle.
//!
//! **Order of the end.** [`Seat::end`] ends the objects of a tenant, then its context, and with it the
//! [membership](crate::Membership): after the last tenant the network closes, then the connection to the
//! store; a store server lingers until its last client has gone. Singletons of the process, below, end with
//! their last users, and so after these: the carrier (`mf_net::carrier`) with the last network,
//! the kernels' meta area with the last object, the threads of store clients and servers with the last of
//! each. Nothing ends explicitly when a process exits: the kernel frees everything, and others notice.
//!
//! A forked child has inherited all of it and may use none; state that it begins itself is its own.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mf_base::sync::rcu::ReadSection;
use mf_base::sync::slots::{Handle, SlotTable};
use mf_base::{Error, Kind, Result};

/// Object that belongs to the process that made it, and ends.
pub trait Owned {
    /// Refuses a forked child of that process.
    ///
    /// # Errors
    /// `NotInit` in a forked child.
    fn check_process(&self, operation: &'static str) -> Result<()>;

    /// Ends it, also while shares are still held. A second call changes nothing.
    fn end(&self);
}

/// At most `N` objects by handle.
pub struct Handles<T, const N: usize> {
    slots: SlotTable<T, N>,
    name: &'static str,
    origin: &'static str,
}

impl<T, const N: usize> Handles<T, N> {
    /// A table of objects that texts call `name` and that the function `origin` makes.
    pub const fn new(name: &'static str, origin: &'static str) -> Self {
        Self { slots: SlotTable::new(), name, origin }
    }

    /// Gives an object its handle.
    ///
    /// # Errors
    /// `NoResources` there are `N` objects.
    pub fn insert(&self, operation: &'static str, object: Arc<T>) -> Result<*mut c_void> {
        let handle = self.slots.insert(object).ok_or_else(|| {
            Error::new(Kind::NoResources, operation)
                .what(format!("no room for another {}", self.name))
                .with("most", N)
                .hint("end one that is not needed any more")
        })?;
        Ok(std::ptr::without_provenance_mut(usize::try_from(handle.0).unwrap_or_default()))
    }

    /// Runs `body` on the object inside a read section; see [`SlotTable::with`].
    #[inline(always)]
    pub fn with<R>(&self, handle: *mut c_void, body: impl FnOnce(&T, ReadSection<'_>) -> R) -> Option<R> {
        self.slots.with(number(handle), body)
    }

    /// A share in the object, if the handle names one.
    pub fn find(&self, handle: *mut c_void) -> Option<Arc<T>> {
        self.slots.get(number(handle))
    }

    /// Returns a share in the object.
    ///
    /// # Errors
    /// As for [`refusal`](Self::refusal).
    pub fn get(&self, operation: &'static str, handle: *mut c_void, unknown: Kind) -> Result<Arc<T>> {
        self.find(handle).ok_or_else(|| self.refusal(operation, handle, unknown))
    }

    /// Takes the object out, if the handle names one; returns when no [`with`](Self::with) runs on it.
    pub fn remove(&self, handle: *mut c_void) -> Option<Arc<T>> {
        self.slots.remove(number(handle))
    }

    /// Takes out all objects that `is_meant`.
    pub fn remove_all(&self, is_meant: impl Fn(&Arc<T>) -> bool) -> impl Iterator<Item = Arc<T>> {
        let meant = move |handle: &Handle| self.slots.get(*handle).is_some_and(|object| is_meant(&object));
        self.slots.handles().into_iter().filter(meant).filter_map(|handle| self.slots.remove(handle))
    }

    /// All objects.
    pub fn all(&self) -> impl Iterator<Item = Arc<T>> {
        self.slots.handles().into_iter().filter_map(|handle| self.slots.get(handle))
    }

    /// Why a handle names no object: null is `InvalidParam`, anything else `unknown`.
    #[cold]
    pub fn refusal(&self, operation: &'static str, handle: *mut c_void, unknown: Kind) -> Error {
        if handle.is_null() {
            return Error::invalid(operation, "the handle is null");
        }
        Error::new(unknown, operation)
            .what(format!("the handle names no {} of this process", self.name))
            .with("handle", format!("{handle:p}"))
            .hint(format!("it was given up, or never came from {}", self.origin))
    }
}

/// Returns the number of a handle.
#[inline(always)]
fn number(handle: *mut c_void) -> Handle {
    Handle(handle.addr() as u64)
}

/// A tenant of this process: its context while it is a member, and the objects that it made.
pub struct Seat<C, T, const N: usize> {
    context: Mutex<Option<Arc<C>>>,
    /// Held while the process joins or leaves, which takes its time; the context can be read meanwhile.
    changing: Mutex<()>,
    /// The function that makes the process a member.
    init: &'static str,
    /// Objects of the tenant.
    pub objects: Handles<T, N>,
}

impl<C: Owned, T: Owned, const N: usize> Seat<C, T, N> {
    /// A tenant that becomes a member by the function `init`.
    pub const fn new(init: &'static str, objects: Handles<T, N>) -> Self {
        Self { context: Mutex::new(None), changing: Mutex::new(()), init, objects }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<C>>> {
        self.context.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the context, also an inherited one in a forked child. `None` if the process is not a member.
    pub fn current(&self) -> Option<Arc<C>> {
        self.lock().clone()
    }

    /// The context.
    ///
    /// # Errors
    /// `NotInit` while it is no member, and in a forked child that has not become one.
    pub fn context(&self, operation: &'static str) -> Result<Arc<C>> {
        let context = self.current().ok_or_else(|| self.not_init(operation))?;
        context.check_process(operation)?;
        Ok(context)
    }

    #[cold]
    fn not_init(&self, operation: &'static str) -> Error {
        Error::new(Kind::NotInit, operation).hint(format!("call {} first", self.init))
    }

    /// Becomes a member by `join`; does nothing if it is one already.
    ///
    /// # Errors
    /// As for `join`.
    pub fn begin(&self, operation: &'static str, join: impl FnOnce() -> Result<C>) -> Result<()> {
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        self.forget_inherited(operation);
        if self.lock().is_none() {
            let context = join()?;
            *self.lock() = Some(Arc::new(context));
        }
        Ok(())
    }

    /// Ends the tenant: its objects, then its context. Not a member: nothing.
    pub fn end(&self, operation: &'static str) {
        let context = {
            let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
            self.forget_inherited(operation);
            self.lock().take()
        };
        let is_own = |object: &Arc<T>| object.check_process(operation).is_ok();
        self.objects.remove_all(is_own).for_each(|object| object.end());
        if let Some(context) = context {
            context.end();
        }
    }

    /// Forgets the context of the process that a forked child comes from: it is not the child's to end.
    fn forget_inherited(&self, operation: &'static str) {
        std::mem::forget(self.lock().take_if(|context| context.check_process(operation).is_err()));
    }

    /// Gives a new object its handle, or ends it if the table is full.
    ///
    /// # Errors
    /// As for [`Handles::insert`].
    pub fn publish(&self, operation: &'static str, object: T) -> Result<*mut c_void> {
        let object = Arc::new(object);
        self.objects.insert(operation, Arc::clone(&object)).inspect_err(|_| object.end())
    }

    /// Returns a share in an object, for calls that take long.
    ///
    /// # Errors
    /// As for [`refusal`](Self::refusal); `NotInit` it was made by the parent of this process.
    pub fn object(&self, operation: &'static str, handle: *mut c_void, unknown: Kind) -> Result<Arc<T>> {
        let object = self.objects.find(handle).ok_or_else(|| self.refusal(operation, handle, unknown))?;
        object.check_process(operation)?;
        Ok(object)
    }

    /// Why a handle names no object: null is `InvalidParam`, no member `NotInit`, anything else `unknown`.
    #[cold]
    pub fn refusal(&self, operation: &'static str, handle: *mut c_void, unknown: Kind) -> Error {
        if !handle.is_null() && self.lock().is_none() {
            return self.not_init(operation);
        }
        self.objects.refusal(operation, handle, unknown)
    }

    /// Takes an object out and ends it; false: the handle names none.
    ///
    /// # Errors
    /// `NotInit` it was made by the parent of this process.
    pub fn end_object(&self, operation: &'static str, handle: *mut c_void) -> Result<bool> {
        if let Some(object) = self.objects.find(handle) {
            object.check_process(operation)?;
        }
        Ok(self.objects.remove(handle).inspect(|object| object.end()).is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Notes in a list that it ended.
    #[derive(Debug)]
    struct Noted {
        name: u32,
        ended: &'static Mutex<Vec<u32>>,
        is_foreign: AtomicBool,
    }

    impl Owned for Noted {
        fn check_process(&self, operation: &'static str) -> Result<()> {
            match self.is_foreign.load(Ordering::Relaxed) {
                true => Err(Error::new(Kind::NotInit, operation)),
                false => Ok(()),
            }
        }

        fn end(&self) {
            self.ended.lock().unwrap().push(self.name);
        }
    }

    #[test]
    fn objects_end_before_their_context_and_foreign_ones_stay() {
        static ENDED: Mutex<Vec<u32>> = Mutex::new(Vec::new());
        static SEAT: Seat<Noted, Noted, 2> = Seat::new("test_init", Handles::new("thing", "test_create"));
        let noted = |name| Noted { name, ended: &ENDED, is_foreign: AtomicBool::new(false) };
        let refused = |handle: *mut c_void| SEAT.object("test", handle, Kind::NotExist).err().unwrap().kind();
        let made_up = std::ptr::without_provenance_mut(7);
        assert_eq!((refused(std::ptr::null_mut()), refused(made_up)), (Kind::InvalidParam, Kind::NotInit));
        SEAT.begin("test", || Ok(noted(0))).unwrap();
        SEAT.begin("test", || panic!("it is a member already")).unwrap();
        assert_eq!(refused(made_up), Kind::NotExist);
        let first = SEAT.publish("test", noted(1)).unwrap();
        let second = SEAT.publish("test", noted(2)).unwrap();
        assert_eq!(SEAT.publish("test", noted(3)).unwrap_err().kind(), Kind::NoResources);
        assert_eq!(*ENDED.lock().unwrap(), [3]);
        let kept = SEAT.object("test", second, Kind::NotExist).unwrap();
        kept.is_foreign.store(true, Ordering::Relaxed);
        assert_eq!(SEAT.end_object("test", second).unwrap_err().kind(), Kind::NotInit);
        SEAT.end("test");
        assert_eq!(*ENDED.lock().unwrap(), [3, 1, 0]);
        assert!(SEAT.objects.find(first).is_none() && SEAT.objects.find(second).is_some());
        assert!(SEAT.context("test").unwrap_err().to_string().contains("test_init"));
        SEAT.end("test");
        assert_eq!(ENDED.lock().unwrap().len(), 3);
    }

    #[test]
    fn inherited_context_is_forgotten() {
        static ENDED: Mutex<Vec<u32>> = Mutex::new(Vec::new());
        let seat: Seat<Noted, Noted, 2> = Seat::new("test_init", Handles::new("thing", "test_create"));
        let noted = |name| Noted { name, ended: &ENDED, is_foreign: AtomicBool::new(false) };
        seat.begin("test", || Ok(noted(0))).unwrap();
        seat.context("test").unwrap().is_foreign.store(true, Ordering::Relaxed);
        assert_eq!(seat.context("test").err().unwrap().kind(), Kind::NotInit);
        seat.begin("test", || Ok(noted(1))).unwrap();
        seat.end("test");
        assert_eq!(*ENDED.lock().unwrap(), [1]);
    }
}
