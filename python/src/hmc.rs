// SPDX-License-Identifier: Apache-2.0 OR MIT
//! HMC for the package `hmc`: memory, buffers, communicators, the control channel, by their functions of C.
//!
//! Everything returns a status, as the functions of C do; the package makes enums and exceptions of them. The
//! text of a failure is the library's last error. Calls are made without the GIL, and Ctrl-C ends a wait.

mod buffer;
mod communicator;
mod control;
mod exporter;
mod memory;

use std::ffi::CString;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::failure::Family;

const FAMILY: Family = Family { name: "hmc", remedy: "make one" };

/// A text for C; an invalid one raises its own error, as no status describes it.
fn text(named: &str, text: &str) -> PyResult<CString> {
    CString::new(text).map_err(|_| PyValueError::new_err(format!("{named} contains a NUL character")))
}

/// Functions and classes behind the package `hmc`, as a module of this name: functions report it as theirs.
pub(crate) fn module(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    let module = PyModule::new(py, "hmc")?;
    module.add_class::<memory::Block>()?;
    module.add_class::<buffer::ConnBuffer>()?;
    module.add_class::<communicator::Communicator>()?;
    module.add("Exporter", exporter::kind(py)?)?;
    macro_rules! functions {
        ($($name:path)*) => { $(module.add_function(wrap_pyfunction!($name, &module)?)?;)* };
    }
    functions! {
        memory::memory_supported memory::memory_check memory::memory_kind memory::memory_copy
        memory::stream_synchronize memory::dlpack_on_device memory::allocate memory::address
        buffer::buffer_create communicator::communicator_create
        control::ctrl_start control::ctrl_stop control::ctrl_is_server control::ctrl_connect_tcp
        control::ctrl_connect_uds control::ctrl_has control::ctrl_send_tag control::ctrl_recv_tag
        control::ctrl_close control::ctrl_close_all control::ctrl_start_plain
        control::ctrl_plain_port control::ctrl_dial_plain control::ctrl_send_plain
        control::ctrl_recv_plain control::ctrl_close_plain
    }
    Ok(module)
}
