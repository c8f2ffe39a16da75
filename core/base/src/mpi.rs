// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Binding to the MPI that the program has loaded: found by its symbols, never linked and never loaded by us.
//!
//! MPI has one interface for C and two binary ones that are in use. In Open MPI's, a handle is the address of
//! an object of the library; in MPICH's and its relatives' (Intel MPI, MVAPICH, Cray MPICH) it is a number.
//! The symbols distinguish them. Only the functions for the exchange of addresses are declared.

use std::ffi::{c_int, c_void};

use crate::loader::{Candidate, LibrarySpec, LoadError, Loaded, Report};
use crate::{Error, Kind, Result};

const OPERATION: &str = "mpi";

crate::functions! {
    /// Used functions of MPI. Handles are passed as words: a number is in the lower half, and only that is
    /// read.
    #[allow(non_snake_case, reason = "the names of MPI")]
    struct Functions {
        required {
            MPI_Initialized: fn(*mut c_int) -> c_int;
            MPI_Finalized: fn(*mut c_int) -> c_int;
            MPI_Init: fn(*mut c_int, *mut c_void) -> c_int;
            MPI_Comm_rank: fn(usize, *mut c_int) -> c_int;
            MPI_Comm_size: fn(usize, *mut c_int) -> c_int;
            MPI_Bcast: fn(*mut c_void, c_int, usize, c_int, usize) -> c_int;
            MPI_Allgather: fn(*const c_void, c_int, usize, *mut c_void, c_int, usize, usize) -> c_int;
        }
    }
}

/// Values of an implementation's handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Handles {
    name: &'static str,
    world: usize,
    byte: usize,
}

/// Handles of MPICH and its relatives, the same in all releases.
const MPICH: Handles = Handles { name: "MPICH", world: 0x4400_0000, byte: 0x4c00_010d };

/// A communicator of this process's MPI, for exchanges of bytes.
///
/// Its functions are **collective** over its members, and block until all have called them. They are called
/// by a thread that may call MPI.
#[derive(Clone, Copy, Debug)]
pub struct Communicator {
    functions: Functions,
    handles: Handles,
    handle: usize,
    rank: u32,
    ranks: u32,
}

/// Initialises the MPI that this process has loaded, unless that is done; false: it has loaded none, or has
/// finalised it. **Collective** over the processes that MPI has started, by a thread that may call MPI.
///
/// # Errors
/// `Failed` the MPI lacks a function, or reports a failure.
pub fn initialize() -> Result<bool> {
    let Some(loaded) = loaded()? else { return Ok(false) };
    let functions = Functions::resolve(&loaded).map_err(|error| {
        Error::new(Kind::Failed, OPERATION).what("the MPI of this process cannot be used").source(error)
    })?;
    let (mut began, mut ended) = (0, 0);
    // SAFETY: these functions may be called at any time; the numbers are written before the return.
    check("MPI_Initialized", unsafe { (functions.MPI_Initialized)(&raw mut began) })?;
    // SAFETY: MPI_Finalized may be called at any time; it writes one number before it returns.
    check("MPI_Finalized", unsafe { (functions.MPI_Finalized)(&raw mut ended) })?;
    if began == 0 && ended == 0 {
        // SAFETY: it was not called before, and null pointers mean no arguments of the program.
        check("MPI_Init", unsafe { (functions.MPI_Init)(std::ptr::null_mut(), std::ptr::null_mut()) })?;
    }
    Ok(ended == 0)
}

impl Communicator {
    /// Returns `MPI_COMM_WORLD` of the MPI that this process has initialised. `None` if it has loaded no MPI,
    /// has not initialised it, or has finalised it. **Local.**
    ///
    /// # Errors
    /// `Failed` the MPI is of an unknown kind, or lacks a function; the text names its file.
    pub fn world() -> Result<Option<Self>> {
        Self::find(None)
    }

    /// As [`world`](Self::world), for a communicator of the caller.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// `handle` is an `MPI_Comm` of this process: its address in Open MPI, its number in MPICH.
    pub unsafe fn from_handle(handle: usize) -> Result<Option<Self>> {
        Self::find(Some(handle))
    }

    fn find(handle: Option<usize>) -> Result<Option<Self>> {
        let Some(loaded) = loaded()? else { return Ok(None) };
        let unknown = |error: LoadError| {
            Error::new(Kind::Failed, OPERATION).what("the MPI of this process cannot be used").source(error)
        };
        let functions = Functions::resolve(&loaded).map_err(unknown)?;
        if !is_running(&functions)? {
            return Ok(None);
        }
        let handles = handles_of(&loaded).ok_or_else(|| {
            Error::new(Kind::Failed, OPERATION)
                .what("the MPI of this process is neither Open MPI nor one with the interface of MPICH")
                .with("file", loaded.file().display())
                .hint("use one of them, or pass a unique id")
        })?;
        let handle = handle.unwrap_or(handles.world);
        let number = |function: unsafe extern "C" fn(usize, *mut c_int) -> c_int, name: &'static str| {
            let mut number = 0;
            // SAFETY: MPI runs, the handle is a communicator's, and the number is written before the return.
            check(name, unsafe { function(handle, &raw mut number) })?;
            u32::try_from(number).map_err(|_| {
                Error::new(Kind::Failed, OPERATION)
                    .what("MPI gave a number below 0")
                    .with("function", name)
                    .with("number", number)
            })
        };
        let rank = number(functions.MPI_Comm_rank, "MPI_Comm_rank")?;
        let ranks = number(functions.MPI_Comm_size, "MPI_Comm_size")?;
        tracing::debug!(mpi = handles.name, file = %loaded.file().display(), rank, ranks, "MPI found");
        Ok(Some(Self { functions, handles, handle, rank, ranks }))
    }

    /// Rank of this process.
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// Returns the name of the implementation that defined this MPI's binary interface.
    pub fn interface(&self) -> &'static str {
        self.handles.name
    }

    /// Gives every rank the bytes of rank 0; all pass the same number.
    ///
    /// # Errors
    /// `InvalidParam` too many bytes · `Failed` MPI reports it, where its default handler does not end the
    /// job.
    pub fn broadcast(&self, bytes: &mut [u8]) -> Result<()> {
        let count = count(bytes.len())?;
        self.check_process()?;
        // SAFETY: MPI runs, the handles are its own, and the bytes are as many as the count.
        check("MPI_Bcast", unsafe {
            (self.functions.MPI_Bcast)(bytes.as_mut_ptr().cast(), count, self.handles.byte, 0, self.handle)
        })
    }

    /// The bytes of all ranks, in order; all pass the same number.
    ///
    /// # Errors
    /// As [`broadcast`](Self::broadcast).
    pub fn allgather(&self, own: &[u8]) -> Result<Vec<u8>> {
        let (count, byte) = (count(own.len())?, self.handles.byte);
        self.check_process()?;
        let mut all = vec![0; own.len().saturating_mul(self.ranks as usize)];
        // SAFETY: MPI runs, the handles are its own, and `all` has room for the bytes of each rank.
        check("MPI_Allgather", unsafe {
            let (from, to) = (own.as_ptr().cast(), all.as_mut_ptr().cast());
            (self.functions.MPI_Allgather)(from, count, byte, to, count, byte, self.handle)
        })?;
        Ok(all)
    }

    fn check_process(&self) -> Result<()> {
        if is_running(&self.functions)? {
            return Ok(());
        }
        Err(Error::new(Kind::NotInit, OPERATION).what("MPI has been finalised in this process"))
    }
}

/// Returns true if this process has loaded an MPI, initialised or not. **Local.**
pub fn is_loaded() -> bool {
    matches!(loaded(), Ok(Some(_)))
}

/// The MPI that this process has loaded.
fn loaded() -> Result<Option<Loaded>> {
    const SONAMES: [&str; 6] =
        ["libmpi.so.40", "libmpi.so.80", "libmpi.so.20", "libmpi.so.12", "libmpich.so.12", "libmpi.so"];
    let mut candidates = vec![Candidate::program()];
    candidates.extend(SONAMES.map(Candidate::loaded));
    let wanted = LibrarySpec {
        candidates,
        required: Functions::REQUIRED.iter().copied().map(Into::into).collect(),
        ..LibrarySpec::new("libmpi", "an MPI library")
    };
    match wanted.open(&mut Report::default()) {
        Ok(loaded) => Ok(Some(loaded)),
        Err(error) if error.is_absent() => Ok(None),
        Err(error) => Err(Error::new(Kind::Failed, OPERATION)
            .what("the MPI of this process cannot be used")
            .source(error)),
    }
}

/// Returns the form of this library's handles. `None` if it is unknown.
fn handles_of(loaded: &Loaded) -> Option<Handles> {
    // SAFETY: only the addresses are taken; what lies there is the library's.
    let address = |name| unsafe { loaded.function::<*const c_void>(name) };
    match (address("ompi_mpi_comm_world"), address("ompi_mpi_byte")) {
        (Some(world), Some(byte)) => {
            Some(Handles { name: "Open MPI", world: world.addr(), byte: byte.addr() })
        }
        // The public header of MPICH's family names it; the standard's own binary interface has none such.
        _ => address("MPIR_Dup_fn").map(|_| MPICH),
    }
}

/// Returns true while MPI is initialised and not finalised. May be called at any time.
fn is_running(functions: &Functions) -> Result<bool> {
    let (mut began, mut ended) = (0, 0);
    // SAFETY: these functions may be called at any time; the numbers are written before the return.
    check("MPI_Initialized", unsafe { (functions.MPI_Initialized)(&raw mut began) })?;
    // SAFETY: MPI_Finalized may be called at any time; it writes one number before it returns.
    check("MPI_Finalized", unsafe { (functions.MPI_Finalized)(&raw mut ended) })?;
    Ok(began != 0 && ended == 0)
}

fn count(bytes: usize) -> Result<c_int> {
    c_int::try_from(bytes)
        .map_err(|_| Error::invalid(OPERATION, "too many bytes for one call of MPI").with("bytes", bytes))
}

fn check(function: &'static str, code: c_int) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    Err(Error::new(Kind::Failed, OPERATION)
        .what("a function of MPI failed")
        .with("function", function)
        .with("code", code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn world_is_none_without_mpi() {
        assert!(Communicator::world().unwrap().is_none());
    }
}
