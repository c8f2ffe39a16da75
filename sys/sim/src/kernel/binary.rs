// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Loaded binaries and their functions, as programs hold them.
//!
//! A binary belongs to the context in which it was loaded. Repeated lookups return the same handle. Unloading
//! ends the handles at once; the code stays until the last launch of it has ended.

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};
use std::sync::{Arc, LazyLock, Mutex};

use mf_base::sync::lock;

use super::abi::Description;
use super::arguments::{List, Parameter};
use super::attributes::Engine;
use super::library::{KernelEntry, Library};
use super::resident::Resident;
use crate::codes::acl;
use crate::device::Device;
use crate::fault::{Fault, Outcome, ensure};
use crate::handles::HandleTable;

/// Binaries in use.
pub static BINARIES: LazyLock<HandleTable<Binary>> = LazyLock::new(|| HandleTable::new("kernel binary"));
/// Functions in use.
pub static FUNCTIONS: LazyLock<HandleTable<Function>> = LazyLock::new(|| HandleTable::new("kernel function"));
/// Lists of arguments in use.
pub static LISTS: LazyLock<HandleTable<List>> = LazyLock::new(|| HandleTable::new("kernel arguments"));
/// Arguments in those lists.
pub static PARAMETERS: LazyLock<HandleTable<Parameter>> =
    LazyLock::new(|| HandleTable::new("kernel argument"));

/// Core types of the kernels in a binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreKind {
    /// For a whole AI core.
    AiCore,
    /// For cube cores.
    Cube,
    /// For vector cores.
    Vector,
    /// For both.
    Mixed,
    /// For AI CPUs.
    AiCpu,
}

impl CoreKind {
    /// The kind that a binary's magic number says.
    pub fn of_magic(magic: u32) -> Option<Self> {
        match magic {
            0x4355_4245 => Some(Self::AiCore),
            0x4152_4146 => Some(Self::Vector),
            0x4149_4343 => Some(Self::Cube),
            _ => None,
        }
    }

    /// As `aclrtGetFunctionAttribute` numbers it.
    pub fn number(self) -> i64 {
        match self {
            Self::AiCore => 0,
            Self::Cube => 1,
            Self::Vector => 2,
            Self::Mixed => 3,
            Self::AiCpu => 100,
        }
    }

    fn of_number(number: i32) -> Option<Self> {
        [Self::AiCore, Self::Cube, Self::Vector, Self::Mixed]
            .into_iter()
            .find(|kind| kind.number() == i64::from(number))
    }

    /// Returns the default core type for a launch.
    pub fn engine(self) -> Engine {
        if matches!(self, Self::Vector | Self::AiCpu) { Engine::Vector } else { Engine::Cube }
    }
}

/// A loaded binary.
pub struct Binary {
    handle: usize,
    /// Handle of its context.
    context: usize,
    device: Arc<Device>,
    code: Arc<Code>,
    kind: Option<CoreKind>,
    /// Handles by name; `None` once it was unloaded.
    functions: Mutex<Option<HashMap<String, usize>>>,
}

/// Parts that stay until the last launch has ended.
struct Code {
    // Before the library that they are part of.
    variables: Mutex<HashMap<String, (Resident, u64)>>,
    library: Library,
}

/// A function of a binary.
pub struct Function {
    name: CString,
    entry: KernelEntry,
    binary: usize,
    /// Handle of its context.
    context: usize,
    device: Arc<Device>,
    /// Kind of the kernel.
    pub kind: CoreKind,
    /// Vector cores for each cube core.
    pub ratio: i64,
    /// All blocks must run at once, unless the launch overrides it.
    pub all_at_once: bool,
    /// The size of each argument, where the binary declares it.
    pub argument_bytes: Option<Vec<u32>>,
    _code: Arc<Code>,
}

impl Binary {
    /// Makes a binary of a context, by its handle, on `device`.
    pub fn create(
        kind: Option<CoreKind>,
        context: usize,
        device: Arc<Device>,
        library: Library,
    ) -> *mut c_void {
        let code = Arc::new(Code { variables: Mutex::default(), library });
        let functions = Mutex::new(Some(HashMap::new()));
        let make =
            |handle: *mut c_void| Self { handle: handle.addr(), context, device, code, kind, functions };
        BINARIES.insert_with(make).0
    }

    /// Ends a binary, its functions and their lists of arguments.
    ///
    /// # Errors
    /// 107000 for an unknown handle.
    pub fn unload(handle: *const c_void) -> Outcome {
        let binary = BINARIES.remove(handle, acl::RT_PARAM_INVALID)?;
        binary.forget_functions();
        Ok(())
    }

    /// Ends the binaries of a context that ends.
    pub fn forget_context(context: usize) {
        for binary in BINARIES.remove_where(|binary| binary.context == context) {
            binary.forget_functions();
        }
    }

    fn forget_functions(&self) {
        let known = lock(&self.functions).take().unwrap_or_default();
        let lists = LISTS.remove_where(|list| known.values().any(|function| *function == list.function));
        PARAMETERS.remove_where(|parameter| lists.iter().any(|list| list.handle == parameter.list));
        FUNCTIONS.remove_where(|function| function.binary == self.handle);
    }

    /// The handle of the function with this name.
    ///
    /// # Errors
    /// 107000 for an unknown kernel.
    pub fn function(&self, name: &CStr) -> Outcome<*mut c_void> {
        let text = name.to_string_lossy();
        let mut functions = lock(&self.functions);
        let functions = functions.as_mut().ok_or_else(|| {
            Fault::new(acl::RT_PARAM_INVALID, "the binary is being unloaded by another thread")
        })?;
        if let Some(known) = functions.get(text.as_ref()) {
            return Ok(std::ptr::without_provenance_mut(*known));
        }
        let library = &self.code.library;
        let entry = library.kernel(&text).ok_or_else(|| {
            Fault::new(
                acl::RT_PARAM_INVALID,
                format_args!("the binary has no kernel {text}; it has: {}", library.kernel_names()),
            )
        })?;
        let facts = library.description(&text).map(KernelProperties::read).transpose()?.unwrap_or_default();
        let kind = facts.kind.or(self.kind).unwrap_or(CoreKind::Vector);
        let make = |_| Function {
            name: name.to_owned(),
            entry,
            binary: self.handle,
            context: self.context,
            device: Arc::clone(&self.device),
            kind,
            ratio: facts.ratio,
            all_at_once: facts.all_at_once,
            argument_bytes: facts.argument_bytes,
            _code: Arc::clone(&self.code),
        };
        let (handle, _) = FUNCTIONS.insert_with(make);
        functions.insert(text.into_owned(), handle.addr());
        Ok(handle)
    }

    /// Device address and size of a variable.
    ///
    /// # Errors
    /// 107042 for an unknown variable.
    pub fn variable(&self, name: &CStr) -> Outcome<(u64, u64)> {
        let text = name.to_string_lossy();
        let mut variables = lock(&self.code.variables);
        if let Some((memory, bytes)) = variables.get(text.as_ref()) {
            return Ok((memory.address(), *bytes));
        }
        let found = self.code.library.variable(&text).filter(|(_, bytes)| *bytes > 0);
        let (at, bytes) = found.ok_or_else(|| {
            Fault::new(acl::SYMBOL_NOT_FOUND, format_args!("the binary has no variable {text}"))
        })?;
        let memory = Resident::variable(self.device.physical, at, bytes)?;
        let address = memory.address();
        variables.insert(text.into_owned(), (memory, bytes));
        Ok((address, bytes))
    }
}

impl Function {
    /// The function behind a handle.
    ///
    /// # Errors
    /// 107000 for an unknown handle.
    pub fn from_handle(handle: *const c_void) -> Outcome<Arc<Self>> {
        FUNCTIONS.get(handle, acl::RT_PARAM_INVALID)
    }

    /// Refuses a launch from another context than the binary's.
    ///
    /// Assumed: 107044, because a binary belongs to the context in which it was loaded.
    ///
    /// # Errors
    /// That.
    pub fn check_context(&self, context: usize) -> Outcome {
        ensure(self.context == context, acl::INVALID_DEVICE_FUNCTION, || {
            format!(
                "kernel {} was loaded in context {:#x} of device {}, current is {context:#x}",
                self.name(),
                self.context,
                self.device.user
            )
        })
    }

    /// Its name.
    pub fn name(&self) -> std::borrow::Cow<'_, str> {
        self.name.to_string_lossy()
    }

    /// Its name, as C has it.
    pub fn c_name(&self) -> &CStr {
        &self.name
    }

    /// Its entry; valid as long as the function is.
    pub fn entry(&self) -> KernelEntry {
        self.entry
    }
}

/// Properties declared by a binary for a kernel.
#[derive(Default)]
struct KernelProperties {
    kind: Option<CoreKind>,
    ratio: i64,
    all_at_once: bool,
    argument_bytes: Option<Vec<u32>>,
}

impl KernelProperties {
    fn read(at: *const Description) -> Outcome<Self> {
        // SAFETY: the symbol of this name has this type, as the interface for kernel binaries says, and never
        // changes.
        let facts = unsafe { at.read_unaligned() };
        ensure(
            facts.version > 0 && facts.bytes as usize >= size_of::<Description>(),
            acl::PARSE_FILE,
            || {
                format!(
                    "the description of a kernel has version {} and {} bytes; 1 and {} are the least",
                    facts.version,
                    facts.bytes,
                    size_of::<Description>()
                )
            },
        )?;
        let bytes = (0..facts.arguments as usize).map(|index| {
            let at = facts.argument_bytes.wrapping_add(index);
            // SAFETY: the table has `arguments` entries, by the same contract.
            unsafe { at.read_unaligned() }
        });
        Ok(Self {
            kind: Some(CoreKind::of_number(facts.kind).ok_or_else(|| {
                Fault::new(
                    acl::PARSE_FILE,
                    format_args!("a kernel describes itself as of type {}", facts.kind),
                )
            })?),
            ratio: facts.ratio.into(),
            all_at_once: facts.schedule == 1,
            argument_bytes: (!facts.argument_bytes.is_null()).then(|| bytes.collect()),
        })
    }
}
