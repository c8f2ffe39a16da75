// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A failed call into CANN: which function, its code and name, what the code means, and CANN's own text.
//!
//! Callers decide by [`Class`], not by number: several codes mean the same, releases differ in which one they
//! return, and each library has numbers of its own. The number stays in the error as it came.

use std::fmt;

use crate::loader::{Library, Origin};
use crate::raw::types::*;

/// A failed call into CANN. One word wide, so that a `Result<()>` costs nothing on success.
pub struct AclError(Box<Inner>);

struct Inner {
    library: Library,
    function: &'static str,
    code: Option<i32>,
    class: Class,
    text: String,
}

/// What a code means to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// An argument is wrong: null, out of range, misaligned, of another object.
    InvalidArgument,
    /// A handle is closed, unknown, or of another context.
    InvalidHandle,
    /// No device of that number, or none at all.
    NoDevice,
    /// The calling thread has set no device.
    NoContext,
    /// ACL is not initialised.
    NotInitialized,
    /// It was done before: initialised twice, finalised twice.
    Repeated,
    /// Device or host memory is used up.
    OutOfMemory,
    /// Streams, events, notifies or another bounded resource are used up.
    OutOfResources,
    /// This process may not do that to that object.
    NoPermission,
    /// The product or the release does not have this.
    NotSupported,
    /// The library does not export the function.
    MissingFunction,
    /// A kernel, a symbol or a file is not there or not readable.
    NotFound,
    /// The host memory is registered already.
    AlreadyRegistered,
    /// The host memory is not registered.
    NotRegistered,
    /// A wait ended without what it waited for.
    TimedOut,
    /// Tasks were dropped by an abort.
    Aborted,
    /// Busy or full now; later the same call may work.
    Busy,
    /// A kernel or the memory of the device failed; the device needs care.
    DeviceFault,
    /// A link or a peer failed.
    PeerFault,
    /// Something inside CANN failed.
    Internal,
    /// No class for this code.
    Unknown,
}

impl Class {
    /// The class in words.
    pub const fn text(self) -> &'static str {
        match self {
            Class::InvalidArgument => "an argument is wrong",
            Class::InvalidHandle => "the handle is closed or unknown",
            Class::NoDevice => "no such device",
            Class::NoContext => "the calling thread has set no device",
            Class::NotInitialized => "ACL is not initialised",
            Class::Repeated => "it was done before",
            Class::OutOfMemory => "memory is used up",
            Class::OutOfResources => "a bounded resource is used up",
            Class::NoPermission => "this process is not permitted",
            Class::NotSupported => "this product or release does not have it",
            Class::MissingFunction => "the library does not export the function",
            Class::NotFound => "a kernel, symbol or file is not there",
            Class::AlreadyRegistered => "the host memory is registered already",
            Class::NotRegistered => "the host memory is not registered",
            Class::TimedOut => "the time is over",
            Class::Aborted => "tasks were dropped by an abort",
            Class::Busy => "busy or full at the moment",
            Class::DeviceFault => "a kernel or the device's memory failed",
            Class::PeerFault => "a link or a peer failed",
            Class::Internal => "something inside CANN failed",
            Class::Unknown => "no known meaning",
        }
    }
}

impl AclError {
    #[cold]
    pub(crate) fn new(library: Library, function: &'static str, code: i32, text: String) -> Self {
        let class = lookup(library, code).map_or(Class::Unknown, |known| known.class);
        Self(Box::new(Inner { library, function, code: Some(code), class, text }))
    }

    /// An error for a function that the opened library does not export.
    #[cold]
    pub(crate) fn missing(origin: &Origin, function: &'static str) -> Self {
        let file = origin.file().display();
        let version = origin.version().map(|version| format!(", ACL {version}")).unwrap_or_default();
        let since = origin.library.symbol(function).map(|symbol| format!("; {} has it", symbol.since));
        let text = format!("{file}{version} does not export it{}", since.unwrap_or_default());
        let class = Class::MissingFunction;
        Self(Box::new(Inner { library: origin.library, function, code: None, class, text }))
    }

    /// An error that this crate found before, or after, a call.
    #[cold]
    pub(crate) fn refused(library: Library, function: &'static str, class: Class, text: String) -> Self {
        Self(Box::new(Inner { library, function, code: None, class, text }))
    }

    /// The library.
    pub fn library(&self) -> Library {
        self.0.library
    }

    /// The function.
    pub fn function(&self) -> &'static str {
        self.0.function
    }

    /// What it returned; `None` when it was not called.
    pub fn code(&self) -> Option<i32> {
        self.0.code
    }

    /// The name of the code in the headers, when it is known.
    pub fn name(&self) -> Option<&'static str> {
        Some(lookup(self.0.library, self.0.code?)?.name)
    }

    /// What the code means.
    pub fn class(&self) -> Class {
        self.0.class
    }

    /// CANN's text beside the code; may be empty.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Device or host memory is used up.
    pub fn is_out_of_memory(&self) -> bool {
        self.0.class == Class::OutOfMemory
    }

    /// The calling thread has set no device.
    pub fn is_no_context(&self) -> bool {
        self.0.class == Class::NoContext
    }

    /// The product, the release or the opened library does not have this.
    pub fn is_not_supported(&self) -> bool {
        matches!(self.0.class, Class::NotSupported | Class::MissingFunction)
    }

    /// It was done before: initialised or finalised twice.
    pub fn is_repeated(&self) -> bool {
        self.0.class == Class::Repeated
    }

    /// A wait ended without what it waited for.
    pub fn is_timeout(&self) -> bool {
        self.0.class == Class::TimedOut
    }

    /// An argument or a handle is wrong: the caller's fault.
    pub fn is_invalid(&self) -> bool {
        matches!(self.0.class, Class::InvalidArgument | Class::InvalidHandle)
    }

    /// The device, a link or a peer failed: not the caller's fault, and no second try will help.
    pub fn is_fault(&self) -> bool {
        matches!(self.0.class, Class::DeviceFault | Class::PeerFault)
    }
}

impl fmt::Display for AclError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.function, self.0.class.text())?;
        if let Some(code) = self.0.code {
            match self.name() {
                Some(name) => write!(f, " ({name} {code})")?,
                None => write!(f, " ({} code {code})", self.0.library)?,
            }
        }
        if !self.0.text.is_empty() {
            write!(f, ": {}", self.0.text)?;
        }
        Ok(())
    }
}

impl fmt::Debug for AclError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AclError")
            .field("library", &self.0.library)
            .field("function", &self.0.function)
            .field("code", &self.0.code)
            .field("name", &self.name())
            .field("class", &self.0.class)
            .field("text", &self.0.text)
            .finish()
    }
}

impl std::error::Error for AclError {}

/// A known code.
struct Known {
    code: i32,
    name: &'static str,
    class: Class,
}

fn lookup(library: Library, code: i32) -> Option<&'static Known> {
    let table = match library {
        // The runtime returns the numbers of ACL.
        Library::Acl | Library::Runtime => ACL,
        Library::Hal => HAL,
        Library::Hccl => HCCL,
    };
    table.iter().find(|known| known.code == code)
}

macro_rules! codes {
    ($($class:ident: $($name:ident)*;)*) => {
        &[$($(Known { code: $name, name: stringify!($name), class: Class::$class },)*)*]
    };
}

const ACL: &[Known] = codes! {
    InvalidArgument:
        ACL_ERROR_INVALID_PARAM ACL_ERROR_RT_PARAM_INVALID ACL_ERROR_RT_ADDR_UNALIGNED ACL_ERROR_RT_INVALID_MALLOC_TYPE
        ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL ACL_ERROR_STREAM_NOT_SUBSCRIBE
        ACL_ERROR_THREAD_NOT_SUBSCRIBE ACL_ERROR_RT_STREAM_SUBSCRIBE ACL_ERROR_RT_THREAD_SUBSCRIBE
        ACL_ERROR_RT_STREAM_NO_CB_REG;
    InvalidHandle:
        ACL_ERROR_RT_INVALID_HANDLE ACL_ERROR_RT_STREAM_CONTEXT ACL_ERROR_RT_IPC_ERROR
        ACL_ERROR_RT_INVALID_DEVICE_FUNCTION;
    NoDevice: ACL_ERROR_RT_INVALID_DEVICEID ACL_ERROR_RT_NO_DEVICE;
    NoContext: ACL_ERROR_RT_CONTEXT_NULL;
    NotInitialized: ACL_ERROR_UNINITIALIZE;
    Repeated: ACL_ERROR_REPEAT_INITIALIZE ACL_ERROR_REPEAT_FINALIZE;
    OutOfMemory: ACL_ERROR_RT_MEMORY_ALLOCATION ACL_ERROR_RT_DEVICE_OOM;
    OutOfResources:
        ACL_ERROR_RT_RESOURCE_ALLOC_FAIL ACL_ERROR_RT_NO_EVENT_RESOURCE ACL_ERROR_RT_NO_STREAM_RESOURCE
        ACL_ERROR_RT_NO_NOTIFY_RESOURCE ACL_ERROR_RT_OVER_LIMIT;
    NoPermission: ACL_ERROR_RT_NO_PERMISSION;
    NotSupported: ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    NotFound:
        ACL_ERROR_INVALID_FILE ACL_ERROR_INVALID_FILE_SIZE ACL_ERROR_PARSE_FILE ACL_ERROR_KERNEL_NOT_FOUND
        ACL_ERROR_RT_FILE_OPEN ACL_ERROR_RT_SYMBOL_NOT_FOUND;
    AlreadyRegistered: ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    NotRegistered: ACL_ERROR_HOST_MEMORY_NOT_REGISTERED;
    TimedOut:
        ACL_ERROR_WAIT_CALLBACK_TIMEOUT ACL_ERROR_RT_WAIT_TIMEOUT ACL_ERROR_RT_TASK_TIMEOUT ACL_ERROR_RT_REPORT_TIMEOUT
        ACL_ERROR_RT_STREAM_SYNC_TIMEOUT ACL_ERROR_RT_EVENT_SYNC_TIMEOUT;
    Aborted: ACL_ERROR_RT_DEVICE_TASK_ABORT ACL_ERROR_RT_STREAM_ABORT;
    DeviceFault:
        ACL_ERROR_RT_MODEL_EXECUTE ACL_ERROR_RT_AICORE_TIMEOUT ACL_ERROR_RT_AICORE_EXCEPTION
        ACL_ERROR_RT_VECTOR_CORE_TIMEOUT ACL_ERROR_RT_VECTOR_CORE_EXCEPTION ACL_ERROR_RT_DEVICE_MEM_ERROR
        ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR;
    PeerFault: ACL_ERROR_RT_LINK_ERROR ACL_ERROR_RT_SUSPECT_REMOTE_ERROR;
    Internal:
        ACL_ERROR_INTERNAL_ERROR ACL_ERROR_FAILURE ACL_ERROR_GE_FAILURE ACL_ERROR_RT_FAILURE ACL_ERROR_DRV_FAILURE ACL_ERROR_PROFILING_FAILURE
        ACL_ERROR_RT_INTERNAL_ERROR ACL_ERROR_RT_DRV_INTERNAL_ERROR;
};

const HAL: &[Known] = codes! {
    InvalidArgument:
        DRV_ERROR_INVALID_VALUE DRV_ERROR_PARA_ERROR DRV_ERROR_INVALID_MALLOC_TYPE DRV_ERROR_MEMORY_OPT_FAIL;
    InvalidHandle: DRV_ERROR_INVALID_HANDLE;
    NoDevice: DRV_ERROR_NO_DEVICE DRV_ERROR_INVALID_DEVICE;
    NotInitialized: DRV_ERROR_UNINIT;
    Repeated: DRV_ERROR_REPEATED_INIT;
    OutOfMemory: DRV_ERROR_OUT_OF_MEMORY;
    OutOfResources:
        DRV_ERROR_NO_RESOURCES DRV_ERROR_OVER_LIMIT DRV_ERROR_MALLOC_FAIL DRV_ERROR_NO_EVENT_RESOURCES
        DRV_ERROR_NO_STREAM_RESOURCES DRV_ERROR_NO_NOTIFY_RESOURCES;
    NoPermission: DRV_ERROR_OPER_NOT_PERMITTED;
    NotSupported: DRV_ERROR_NOT_SUPPORT;
    NotFound: DRV_ERROR_NOT_EXIST;
    TimedOut: DRV_ERROR_WAIT_TIMEOUT;
    Busy: DRV_ERROR_BUSY DRV_ERROR_TRY_AGAIN DRV_ERROR_SQID_FULL;
    Internal: DRV_ERROR_INNER_ERR DRV_ERROR_IOCTL_FAIL;
};

const HCCL: &[Known] = codes! {
    InvalidArgument: HCCL_E_PARA HCCL_E_PTR;
    OutOfMemory: HCCL_E_MEMORY HCCL_E_OOM;
    OutOfResources: HCCL_E_UNAVAIL;
    NotSupported: HCCL_E_NOT_SUPPORT;
    NotFound: HCCL_E_NOT_FOUND HCCL_E_OPEN_FILE_FAILURE;
    TimedOut: HCCL_E_TIMEOUT;
    Busy: HCCL_E_AGAIN;
    Aborted: HCCL_E_SUSPENDING;
    PeerFault:
        HCCL_E_TCP_CONNECT HCCL_E_ROCE_CONNECT HCCL_E_TCP_TRANSFER HCCL_E_ROCE_TRANSFER HCCL_E_NETWORK HCCL_E_REMOTE
        HCCL_E_OPRETRY_FAIL;
    Internal: HCCL_E_INTERNAL HCCL_E_SYSCALL HCCL_E_RUNTIME HCCL_E_DRV HCCL_E_PROFILING HCCL_E_CCE;
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Names and values of the constants of a type in the generated file, without success.
    fn constants(of: &str) -> BTreeMap<i32, &'static str> {
        let line = |line: &'static str| {
            let (name, rest) = line.strip_prefix("pub const ")?.split_once(": ")?;
            let value = rest.strip_prefix(of)?.strip_prefix(" = ")?.strip_suffix(';')?;
            Some((value.parse().ok()?, name))
        };
        include_str!("raw/types.rs").lines().filter_map(line).filter(|(value, _)| *value != 0).collect()
    }

    #[test]
    fn every_code_of_the_headers_has_a_name_and_a_class() {
        for (library, of) in
            [(Library::Acl, "aclError"), (Library::Hal, "drvError_t"), (Library::Hccl, "HcclResult")]
        {
            let constants = constants(of);
            assert!(constants.len() > 20, "{of}: {constants:?}");
            for (code, name) in constants {
                let known = lookup(library, code).unwrap_or_else(|| panic!("{name} has no class"));
                assert_eq!(known.name, name);
                assert_ne!(known.class, Class::Unknown);
            }
        }
    }

    #[test]
    fn the_text_says_function_meaning_name_code_and_cann_s_own_words() {
        let error = AclError::new(Library::Acl, "aclrtMalloc", 207001, "size 4096".to_owned());
        let wanted = "aclrtMalloc: memory is used up (ACL_ERROR_RT_MEMORY_ALLOCATION 207001): size 4096";
        assert_eq!(error.to_string(), wanted);
        assert!(error.is_out_of_memory());
    }

    #[test]
    fn an_unknown_code_stays_as_it_came() {
        let error = AclError::new(Library::Hccl, "HcclBarrier", 77, String::new());
        assert_eq!(error.to_string(), "HcclBarrier: no known meaning (libhccl.so code 77)");
        assert_eq!((error.code(), error.class()), (Some(77), Class::Unknown));
    }

    #[test]
    fn one_number_means_different_things_in_different_libraries() {
        let class = |library| AclError::new(library, "f", 6, String::new()).class();
        assert_eq!(class(Library::Hal), Class::OutOfMemory);
        assert_eq!(class(Library::Hccl), Class::NotFound);
        assert_eq!(class(Library::Acl), Class::Unknown);
    }
}
