// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Static data of the main program that other PEs reach: its globals and statics, initialised or not.
//!
//! The pages of `.data` and `.bss` become pages of a memory file, which is the first part of this PE's memory
//! in the pool; the program keeps its addresses, and its variables their values. So a peer that maps the file
//! reads and writes the variables themselves, and network operations on the heap work on them, too.
//!
//! * `elf`: address of static data, and identity of the program; pure. `image`: the same for this process.
//! * `remap`: the exchange of the pages; untouched ones of `.bss` stay holes.
//! * `fork`: a forked child gets private pages, as without this library.
//!
//! **When.** In the constructor of the library, before `main` and before constructors of the main program,
//! since writes of another thread between copy and exchange would be lost, and no thread knows the variables
//! of the main program by then. Only if the main program itself is linked with the library: programs that
//! load it later pay nothing. A forked child that becomes a PE itself gets its own file when the world
//! begins, if it has one thread then.
//!
//! **Not symmetric** are variables of shared libraries, of threads, and read-only ones.

mod elf;
#[expect(unsafe_code, reason = "handlers of the C library")]
mod fork;
#[expect(unsafe_code, reason = "memory of the main program, as its headers say")]
mod image;
#[expect(unsafe_code, reason = "pages of the main program are exchanged")]
mod remap;

use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Mutex;

use mf_base::os::descriptor;
use mf_base::os::memfile::MemFile;
use mf_base::os::process::Owner;
use mf_base::settings::{Switch, Value};
use mf_base::sync::lock;
use mf_base::{Error, Gva, Rank};

use crate::fast_path::Mapped;
pub use elf::Import;
use elf::Part;

static STATE: Mutex<StaticsState> =
    Mutex::new(StaticsState::Off(Off { reason: String::new(), is_fault: false }));

enum StaticsState {
    /// Static data is private.
    Off(Off),
    Shared(Image),
}

/// Reason for which static data is private.
#[derive(Clone, Debug)]
pub(crate) struct Off {
    reason: String,
    /// True if that is a fault.
    is_fault: bool,
}

impl Off {
    fn by_choice(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), is_fault: false }
    }

    fn fault(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), is_fault: true }
    }
}

/// Static data that is in a memory file.
struct Image {
    parts: Vec<Part>,
    file: MemFile,
    identity: String,
    owner: Owner,
}

impl Image {
    /// Returns the range from the first to the last byte; offsets from its start are offsets in the file.
    fn span(&self) -> Range<u64> {
        span(&self.parts)
    }
}

fn span(parts: &[Part]) -> Range<u64> {
    parts.first().map_or(0, |part| part.range.start)..parts.last().map_or(0, |part| part.range.end)
}

/// Static data of this process, for a world.
#[derive(Debug)]
pub struct Statics(pub(crate) Result<Lent, Off>);

/// Static data that other PEs can reach.
#[derive(Debug)]
pub(crate) struct Lent {
    pub(crate) range: Range<u64>,
    pub(crate) descriptor: OwnedFd,
    /// Identity of the program.
    pub(crate) identity: String,
}

/// Makes the static data of the main program reachable for other PEs, if that program imports a library or a
/// symbol that `is_ours` accepts, unless `MF_SHMEM_STATICS` disables it. **Local.** For the constructor of a
/// library; never fails: problems are reported when a world begins.
pub fn adopt(is_ours: &dyn Fn(Import<'_>) -> bool) {
    // The settings are read later: the main program may still change its environment.
    let wanted = std::env::var("MF_SHMEM_STATICS").ok().and_then(|text| Switch::parse(&text).ok());
    let adopted = match wanted.unwrap_or(Switch::Auto) {
        Switch::Off => StaticsState::Off(Off::by_choice("MF_SHMEM_STATICS is off")),
        Switch::Auto if !image::imports(is_ours) => {
            StaticsState::Off(Off::by_choice("the main program is not linked with the library"))
        }
        Switch::Auto | Switch::On => share(),
    };
    *lock(&STATE) = adopted;
}

/// Exchanges the pages.
fn share() -> StaticsState {
    let Some((parts, identity)) = image::of_main_program() else {
        return StaticsState::Off(Off::fault("the headers of the main program were not found"));
    };
    if parts.is_empty() {
        return StaticsState::Off(Off::by_choice("the main program has no variables"));
    }
    match remap::share(&parts) {
        Ok(file) => {
            fork::watch(&parts, file.as_fd());
            StaticsState::Shared(Image { parts, file, identity, owner: Owner::current() })
        }
        Err(error) => StaticsState::Off(Off::fault(format!("its pages could not be exchanged: {error}"))),
    }
}

impl Statics {
    /// Returns the static data of this process. **Local.** Must be called before threads are started: the
    /// static data of a forked child is exchanged here.
    pub fn of_process() -> Self {
        let mut state = lock(&STATE);
        if let StaticsState::Shared(image) = &*state
            && !image.owner.is_current()
        {
            fork::leave_parent();
            *state = if has_one_thread() {
                share()
            } else {
                StaticsState::Off(Off::fault("this is a forked child with several threads"))
            };
        }
        Self(match &*state {
            StaticsState::Off(off) => Err(off.clone()),
            StaticsState::Shared(image) => match image.file.as_fd().try_clone_to_owned() {
                Ok(descriptor) => {
                    Ok(Lent { range: image.span(), descriptor, identity: image.identity.clone() })
                }
                Err(error) => Err(Off::fault(format!("its descriptor could not be duplicated: {error}"))),
            },
        })
    }

    /// Returns no static data, for that reason.
    pub(crate) fn unavailable(reason: &str) -> Self {
        Self(Err(Off::by_choice(reason)))
    }
}

fn has_one_thread() -> bool {
    descriptor::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
}

/// Program of a PE, compared with this one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    /// The same; its static data is reachable.
    Same,
    /// Unknown, as the static data of one of them is not reachable.
    Unknown,
    /// Different.
    Other,
}

/// Static data of a world, as this PE sees it.
pub(crate) struct OwnStatics {
    /// Own addresses; empty if other PEs cannot reach it.
    range: Range<u64>,
    /// The reason for that.
    off: Option<Off>,
    /// Program of each PE.
    programs: Vec<Program>,
}

impl OwnStatics {
    pub(crate) fn new(statics: Statics, programs: Vec<Program>) -> Self {
        let (range, off) = match statics.0 {
            Ok(lent) => (lent.range, None),
            Err(off) => (0..0, Some(off)),
        };
        Self { range, off, programs }
    }

    /// Logs facts that the user must know at the start, each once per job.
    pub(crate) fn report(&self, own: Rank) {
        if let Some(off) = self.off.as_ref().filter(|off| off.is_fault) {
            tracing::warn!("static data of this PE is not symmetric: {}", off.reason);
        }
        let others = (0..).zip(&self.programs).filter(|(_, program)| **program == Program::Other);
        let others: Vec<String> = others.map(|(pe, _): (u32, _)| pe.to_string()).collect();
        // PE 0 logs for all.
        if own.0 == 0 && !others.is_empty() {
            tracing::warn!(
                "PEs run different programs, so static data is symmetric only among PEs of one program; those that \
                 do not run that of PE 0: {}",
                others.join(", ")
            );
        }
    }

    /// Returns the entry for a table, with the start of each PE's memory in `starts` (0: not mapped).
    pub(crate) fn table_entry(&self, own: Rank, starts: &[u64]) -> Mapped {
        let starts = (0..).zip(starts).map(|(pe, start)| match self.program(pe) {
            // The address that the program itself uses.
            Some(Program::Same) if pe == own.index() => self.range.start,
            Some(Program::Same) => *start,
            _ => 0,
        });
        Mapped { own: self.range.start, bytes: self.range.end - self.range.start, starts: starts.collect() }
    }

    /// Returns the program of a PE; `None` if there is no such PE.
    pub(crate) fn program(&self, pe: usize) -> Option<Program> {
        self.programs.get(pe).copied()
    }

    /// Returns the offset of an own range in PE `pe`'s memory; `None` if it is not in static data that can be
    /// reached there.
    pub(crate) fn distance_of(&self, own: *const u8, bytes: u64, pe: u32) -> Option<u64> {
        let own = own.addr() as u64;
        let is_inside = self.range.contains(&own) && bytes <= self.range.end - own;
        let is_same = self.program(usize::try_from(pe).ok()?) == Some(Program::Same);
        (is_inside && is_same).then(|| own - self.range.start)
    }

    /// Adds to an error the known facts about an address that is not symmetric.
    pub(crate) fn explain(&self, error: Error, own: *const u8, pe: u32) -> Error {
        let address = own.addr() as u64;
        let error = match &self.off {
            Some(off) => error.with("statics", format!("not symmetric: {}", off.reason)),
            None => error.with("statics", format!("{:#x}..{:#x}", self.range.start, self.range.end)),
        };
        let program = usize::try_from(pe).ok().and_then(|pe| self.program(pe));
        let reason = match program {
            Some(Program::Other) if self.range.contains(&address) => {
                "a static variable, and the PE runs another program"
            }
            Some(Program::Unknown) if self.range.contains(&address) => {
                "a static variable, and those of the PE cannot be reached"
            }
            _ => {
                return match image::place_of(Gva(address)) {
                    Some(text) => error.with("it_is", text),
                    None => error,
                };
            }
        };
        error.with("it_is", reason).with("pe", pe)
    }
}
