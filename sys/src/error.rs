// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error of a call into CANN: function, code with name and meaning, and CANN's own message.
//!
//! Callers decide by [`Class`], not by number: several codes mean the same, releases return different ones,
//! and each library has its own numbers. The error keeps the original number.

use std::fmt;

use crate::loader::{Library, Origin};
use crate::raw::types::*;

/// A failed call into CANN. One word wide, so that a `Result<()>` costs nothing on success.
pub struct AclError(Box<AclErrorInner>);

struct AclErrorInner {
    library: Library,
    function: &'static str,
    code: Option<i32>,
    class: Class,
    text: String,
}

/// Meaning of a code for callers.
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
    /// A wait timed out.
    TimedOut,
    /// Tasks were dropped by an abort.
    Aborted,
    /// A stream is, or is not, being captured into a graph, and the call does not fit that.
    Capture,
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
            Class::Capture => "the capture of a graph does not allow it",
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
        Self(Box::new(AclErrorInner { library, function, code: Some(code), class, text }))
    }

    /// An error for a function that the opened library does not export.
    #[cold]
    pub(crate) fn missing(origin: &Origin, function: &'static str) -> Self {
        let file = origin.file().display();
        let version = origin.version().map(|version| format!(", ACL {version}")).unwrap_or_default();
        let since = origin.library.symbol(function).map(|symbol| format!("; {} has it", symbol.since));
        let text = format!("{file}{version} does not export it{}", since.unwrap_or_default());
        let class = Class::MissingFunction;
        Self(Box::new(AclErrorInner { library: origin.library, function, code: None, class, text }))
    }

    /// An error that this crate found before, or after, a call.
    #[cold]
    pub(crate) fn refused(library: Library, function: &'static str, class: Class, text: String) -> Self {
        Self(Box::new(AclErrorInner { library, function, code: None, class, text }))
    }

    /// The library.
    pub fn library(&self) -> Library {
        self.0.library
    }

    /// The function.
    pub fn function(&self) -> &'static str {
        self.0.function
    }

    /// Returns the code; `None` if the function was not called.
    pub fn code(&self) -> Option<i32> {
        self.0.code
    }

    /// The name of the code in the headers, when it is known.
    pub fn name(&self) -> Option<&'static str> {
        Some(lookup(self.0.library, self.0.code?)?.name)
    }

    /// Returns the class of the code.
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

    /// Returns true if a wait timed out.
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
struct CodeEntry {
    code: i32,
    name: &'static str,
    class: Class,
}

fn lookup(library: Library, code: i32) -> Option<&'static CodeEntry> {
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
        &[$($(CodeEntry { code: $name, name: stringify!($name), class: Class::$class },)*)*]
    };
}

const ACL: &[CodeEntry] = codes! {
    InvalidArgument:
        ACL_ERROR_INVALID_PARAM ACL_ERROR_FILE_MISSING_ATTR ACL_ERROR_FILE_ATTR_INVALID
        ACL_ERROR_INVALID_DUMP_CONFIG ACL_ERROR_INVALID_PROFILING_CONFIG ACL_ERROR_INVALID_MODEL_ID
        ACL_ERROR_DESERIALIZE_MODEL ACL_ERROR_PARSE_MODEL ACL_ERROR_MODEL_SIZE_INVALID
        ACL_ERROR_MODEL_MISSING_ATTR ACL_ERROR_MODEL_INPUT_NOT_MATCH ACL_ERROR_MODEL_OUTPUT_NOT_MATCH
        ACL_ERROR_OP_TYPE_NOT_MATCH ACL_ERROR_OP_INPUT_NOT_MATCH ACL_ERROR_OP_OUTPUT_NOT_MATCH
        ACL_ERROR_OP_ATTR_NOT_MATCH ACL_ERROR_FORMAT_NOT_MATCH ACL_ERROR_INVALID_QUEUE_ID
        ACL_ERROR_STREAM_NOT_SUBSCRIBE ACL_ERROR_THREAD_NOT_SUBSCRIBE ACL_ERROR_RT_PARAM_INVALID
        ACL_ERROR_RT_MODEL_CONTEXT ACL_ERROR_RT_STREAM_MODEL ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID
        ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL ACL_ERROR_RT_ADDR_UNALIGNED ACL_ERROR_RT_STREAM_SUBSCRIBE
        ACL_ERROR_RT_THREAD_SUBSCRIBE ACL_ERROR_RT_STREAM_NO_CB_REG ACL_ERROR_RT_INVALID_MEMORY_TYPE
        ACL_ERROR_RT_INVALID_MALLOC_TYPE ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY
        ACL_ERROR_RT_MODEL_UPDATE_FAILED ACL_ERROR_RT_INVALID_SYMBOL ACL_ERROR_GE_PARAM_INVALID
        ACL_ERROR_GE_EXEC_MODEL_ID_INVALID ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID
        ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID ACL_ERROR_GE_EXEC_MODEL_QUEUE_ID_INVALID
        ACL_ERROR_GE_DYNAMIC_INPUT_ADDR_INVALID ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID
        ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID ACL_ERROR_GE_AIPP_BATCH_EMPTY ACL_ERROR_GE_AIPP_MODE_INVALID
        ACL_ERROR_GE_OP_TASK_TYPE_INVALID ACL_ERROR_GE_OP_KERNEL_TYPE_INVALID ACL_ERROR_GE_FORMAT_INVALID
        ACL_ERROR_GE_SHAPE_INVALID ACL_ERROR_GE_DATATYPE_INVALID ACL_ERROR_PROF_API_CONFLICT
        ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED
        ACL_ERROR_INVALID_BUNDLE_MODEL_ID ACL_ERROR_MEMORY_ADDRESS_UNALIGNED ACL_ERROR_RESOURCE_NOT_MATCH
        ACL_ERROR_GE_DATA_NOT_ALIGNED ACL_ERROR_RT_INVALID_DIEID;
    InvalidHandle:
        ACL_ERROR_RT_STREAM_CONTEXT ACL_ERROR_RT_INVALID_HANDLE ACL_ERROR_RT_INVALID_DEVICE_FUNCTION
        ACL_ERROR_INVALID_RESOURCE_HANDLE ACL_ERROR_RT_IPC_ERROR;
    NoDevice: ACL_ERROR_RT_INVALID_DEVICEID ACL_ERROR_INVALID_DEVICE ACL_ERROR_RT_NO_DEVICE;
    NoContext: ACL_ERROR_RT_CONTEXT_NULL;
    NotInitialized:
        ACL_ERROR_UNINITIALIZE ACL_ERROR_GROUP_NOT_SET ACL_ERROR_GROUP_NOT_CREATE ACL_ERROR_PROF_NOT_RUN
        ACL_ERROR_DUMP_NOT_RUN ACL_ERROR_RT_GROUP_NOT_SET ACL_ERROR_RT_GROUP_NOT_CREATE
        ACL_ERROR_RT_SYSPARAMOPT_NOT_SET ACL_ERROR_GE_EXEC_NOT_INIT ACL_ERROR_RT_RINGBUFFER_NOT_INIT
        ACL_ERROR_RT_DIE_MODE_NOT_SET;
    Repeated:
        ACL_ERROR_REPEAT_INITIALIZE ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED
        ACL_ERROR_KERNEL_ALREADY_REGISTERED ACL_ERROR_REPEAT_SUBSCRIBE ACL_ERROR_REPEAT_FINALIZE
        ACL_ERROR_PROF_ALREADY_RUN ACL_ERROR_DUMP_ALREADY_RUN ACL_ERROR_GE_EXEC_LOAD_MODEL_REPEATED
        ACL_ERROR_PROF_REPEAT_SUBSCRIBE ACL_ERROR_RT_REPEATED_INIT ACL_ERROR_RT_KERNEL_DUPLICATE;
    OutOfMemory:
        ACL_ERROR_BAD_ALLOC ACL_ERROR_RT_MEMORY_ALLOCATION ACL_ERROR_RT_DEVICE_OOM
        ACL_ERROR_GE_MEMORY_ALLOCATION;
    OutOfResources:
        ACL_ERROR_RT_RESOURCE_ALLOC_FAIL ACL_ERROR_RT_NO_EVENT_RESOURCE ACL_ERROR_RT_NO_STREAM_RESOURCE
        ACL_ERROR_RT_NO_NOTIFY_RESOURCE ACL_ERROR_RT_NO_MODEL_RESOURCE ACL_ERROR_RT_NO_CDQ_RESOURCE
        ACL_ERROR_RT_OVER_LIMIT ACL_ERROR_STORAGE_OVER_LIMIT;
    NoPermission: ACL_ERROR_RT_NO_PERMISSION;
    NotSupported:
        ACL_ERROR_MODEL_NOT_DYNAMIC ACL_ERROR_UNSUPPORTED_DATA_TYPE ACL_ERROR_NOT_STATIC_AIPP
        ACL_ERROR_COMPILING_STUB_MODE ACL_ERROR_RT_STREAM_NOT_SUPPORT_OPERA ACL_ERROR_OP_UNSUPPORTED_DYNAMIC
        ACL_ERROR_UNSUPPORTED_JPEG ACL_ERROR_API_NOT_SUPPORT ACL_ERROR_FEATURE_UNSUPPORTED
        ACL_ERROR_PROF_MODULES_UNSUPPORTED ACL_ERROR_RT_FEATURE_NOT_SUPPORT
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT_UPDATE_OP ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED
        ACL_ERROR_RT_SOC_VERSION ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT;
    NotFound:
        ACL_ERROR_INVALID_FILE ACL_ERROR_WRITE_FILE ACL_ERROR_INVALID_FILE_SIZE ACL_ERROR_PARSE_FILE
        ACL_ERROR_READ_MODEL_FAILURE ACL_ERROR_OP_NOT_FOUND ACL_ERROR_OP_LOAD_FAILED
        ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED ACL_ERROR_KERNEL_NOT_FOUND ACL_ERROR_RT_FILE_OPEN
        ACL_ERROR_RT_FILE_WRITE ACL_ERROR_RT_SYMBOL_NOT_FOUND ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID
        ACL_ERROR_GE_AIPP_NOT_EXIST ACL_ERROR_GE_PLGMGR_PATH_INVALID ACL_ERROR_INVALID_OPP_PATH
        ACL_ERROR_RT_KERNEL_LOOKUP;
    AlreadyRegistered: ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    NotRegistered: ACL_ERROR_HOST_MEMORY_NOT_REGISTERED;
    TimedOut:
        ACL_ERROR_WAIT_CALLBACK_TIMEOUT ACL_ERROR_RT_WAIT_TIMEOUT ACL_ERROR_RT_TASK_TIMEOUT
        ACL_ERROR_RT_TIMEOUT ACL_ERROR_RT_REPORT_TIMEOUT ACL_ERROR_RT_STREAM_SYNC_TIMEOUT
        ACL_ERROR_RT_EVENT_SYNC_TIMEOUT ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT ACL_ERROR_GE_MODEL_EXECUTE_TIMEOUT;
    Aborted:
        ACL_ERROR_RT_DEVICE_TASK_ABORT ACL_ERROR_RT_STREAM_ABORT ACL_ERROR_RT_TASK_ABORT_STOP
        ACL_ERROR_RT_MODEL_ABORT_NORMAL;
    DeviceFault:
        ACL_ERROR_RT_AICORE_OVER_FLOW ACL_ERROR_RT_AIVEC_OVER_FLOW ACL_ERROR_RT_OVER_FLOW
        ACL_ERROR_GE_DEVICE_MEMORY_OPERATE_FAILED ACL_ERROR_GE_SUBHEALTHY ACL_ERROR_GE_USER_RAISE_EXCEPTION
        ACL_ERROR_RT_TS_ERROR ACL_ERROR_RT_LOST_HEARTBEAT ACL_ERROR_RT_MODEL_EXECUTE ACL_ERROR_RT_SYS_DMA
        ACL_ERROR_RT_AICORE_TIMEOUT ACL_ERROR_RT_AICORE_EXCEPTION ACL_ERROR_RT_AICORE_TRAP_EXCEPTION
        ACL_ERROR_RT_AICPU_TIMEOUT ACL_ERROR_RT_AICPU_EXCEPTION ACL_ERROR_RT_AICPU_DATADUMP_RSP_ERR
        ACL_ERROR_RT_AICPU_MODEL_RSP_ERR ACL_ERROR_RT_VECTOR_CORE_TIMEOUT ACL_ERROR_RT_VECTOR_CORE_EXCEPTION
        ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW
        ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW ACL_ERROR_RT_VECTOR_CORE_TRAP_READ_OVERFLOW
        ACL_ERROR_RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW ACL_ERROR_RT_FFTS_PLUS_TIMEOUT
        ACL_ERROR_RT_FFTS_PLUS_EXCEPTION ACL_ERROR_RT_FFTS_PLUS_TRAP_EXCEPTION ACL_ERROR_RT_DEVICE_MEM_ERROR
        ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR ACL_ERROR_RT_SUSPECT_DEVICE_MEM_ERROR
        ACL_ERROR_RT_AICPU_INTERNAL_ERROR ACL_ERROR_RT_AICPU_INFO_LOAD_RSP_ERR ACL_ERROR_RT_CCU_TIMEOUT
        ACL_ERROR_RT_CCU_EXCEPTION;
    PeerFault:
        ACL_ERROR_RT_LINK_ERROR ACL_ERROR_RT_SUSPECT_REMOTE_ERROR ACL_ERROR_RT_SOCKET_CLOSE
        ACL_ERROR_RT_COMM_OP_RETRY_FAIL ACL_ERROR_RT_L3_PORT_ERROR;
    Internal:
        ACL_ERROR_RT_MEMORY_FREE ACL_ERROR_GE_MEMORY_OPERATE_FAILED ACL_ERROR_INTERNAL_ERROR
        ACL_ERROR_FAILURE ACL_ERROR_GE_FAILURE ACL_ERROR_RT_FAILURE ACL_ERROR_DRV_FAILURE
        ACL_ERROR_PROFILING_FAILURE ACL_ERROR_RT_INTERNAL_ERROR ACL_ERROR_RT_END_OF_SEQUENCE
        ACL_ERROR_RT_CONTEXT_RELEASE_ERROR ACL_ERROR_RT_PROFILING_ERROR ACL_ERROR_RT_KERNEL_UNREGISTERING
        ACL_ERROR_RT_DEBUG_REGISTER_FAIL ACL_ERROR_RT_DEBUG_UNREGISTER_FAIL ACL_ERROR_RT_LABEL_CONTEXT
        ACL_ERROR_RT_PROGRAM_USE_OUT ACL_ERROR_RT_DEV_SETUP_ERROR ACL_ERROR_RT_CDQ_BATCH_ABNORMAL
        ACL_ERROR_RT_DIE_MODE_CHANGE_ERROR ACL_ERROR_RT_DIE_SET_ERROR ACL_ERROR_RT_SEND_MSG
        ACL_ERROR_RT_COPY_DATA ACL_ERROR_RT_DRV_INTERNAL_ERROR ACL_ERROR_SNAPSHOT_LOCK_FAILED
        ACL_ERROR_SNAPSHOT_UNLOCK_FAILED ACL_ERROR_SNAPSHOT_BACKUP_FAILED ACL_ERROR_SNAPSHOT_RESTORE_FAILED
        ACL_ERROR_SNAPSHOT_CALLBACK_FAILED ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED
        ACL_ERROR_GE_INTERNAL_ERROR ACL_ERROR_GE_LOAD_MODEL ACL_ERROR_GE_EXEC_LOAD_MODEL_PARTITION_FAILED
        ACL_ERROR_GE_EXEC_LOAD_WEIGHT_PARTITION_FAILED ACL_ERROR_GE_EXEC_LOAD_TASK_PARTITION_FAILED
        ACL_ERROR_GE_EXEC_LOAD_KERNEL_PARTITION_FAILED ACL_ERROR_GE_EXEC_RELEASE_MODEL_DATA
        ACL_ERROR_GE_COMMAND_HANDLE ACL_ERROR_GE_GET_TENSOR_INFO ACL_ERROR_GE_UNLOAD_MODEL;
    Capture:
        ACL_ERROR_RT_CAPTURE_DEPENDENCY ACL_ERROR_RT_STREAM_UNJOINED ACL_ERROR_RT_MODEL_CAPTURED
        ACL_ERROR_RT_STREAM_CAPTURED ACL_ERROR_RT_EVENT_CAPTURED ACL_ERROR_RT_STREAM_NOT_CAPTURED
        ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT
        ACL_ERROR_STREAM_CAPTURE_CONFLICT ACL_ERROR_STREAM_TASK_GROUP_STATUS
        ACL_ERROR_STREAM_TASK_GROUP_INTR ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED
        ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC
        ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED;
    Busy:
        ACL_ERROR_RT_MODEL_RUNNING ACL_ERROR_RT_QUEUE_EMPTY ACL_ERROR_RT_QUEUE_FULL
        ACL_ERROR_RT_STREAM_TASK_FULL ACL_ERROR_RT_STREAM_TASK_EMPTY ACL_ERROR_RT_STREAM_NOT_COMPLETE
        ACL_ERROR_RT_EVENT_NOT_COMPLETE ACL_ERROR_RT_RINGBUFFER_NO_DATA ACL_ERROR_GE_REDEPLOYING;
};

const HAL: &[CodeEntry] = codes! {
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

const HCCL: &[CodeEntry] = codes! {
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
    fn error_text_has_function_meaning_name_code_and_cann_message() {
        let error = AclError::new(Library::Acl, "aclrtMalloc", 207001, "size 4096".to_owned());
        let wanted = "aclrtMalloc: memory is used up (ACL_ERROR_RT_MEMORY_ALLOCATION 207001): size 4096";
        assert_eq!(error.to_string(), wanted);
        assert!(error.is_out_of_memory());
    }

    #[test]
    fn unknown_code_is_kept() {
        let error = AclError::new(Library::Hccl, "HcclBarrier", 77, String::new());
        assert_eq!(error.to_string(), "HcclBarrier: no known meaning (libhccl.so code 77)");
        assert_eq!((error.code(), error.class()), (Some(77), Class::Unknown));
    }

    #[test]
    fn error_class_depends_on_the_library() {
        let class = |library| AclError::new(library, "f", 6, String::new()).class();
        assert_eq!(class(Library::Hal), Class::OutOfMemory);
        assert_eq!(class(Library::Hccl), Class::NotFound);
        assert_eq!(class(Library::Acl), Class::Unknown);
    }
}
