// SPDX-License-Identifier: Apache-2.0 OR MIT
//! OpenSHMEM for the package `openshmem`.
//!
//! * Any function of C by its name; and [`rows`], which functions here find by their row and an element
//!   type.
//! * [`array`], [`operand`]: arrays of NumPy and of others, as memory with elements; [`blocks`]: which
//!   memory of the heap arrays may use.
//! * [`rma`], [`signal`], [`atomic`], [`wait`], [`order`]: calls that take arrays.
//! * [`pending`]: objects kept alive until a quiet.

mod array;
mod atomic;
mod blocks;
mod kind;
mod operand;
mod order;
mod pending;
mod rma;
mod rows;
mod signal;
mod wait;

use pyo3::prelude::*;
use pyo3::types::PyModule;

use super::function::Function;
use rows::all;

/// A context or a team, as the library numbers it.
#[pyclass(frozen, subclass, module = "openshmem")]
pub(crate) struct Handle {
    number: usize,
}

#[pymethods]
impl Handle {
    #[new]
    fn new(handle: usize) -> Self {
        Self { number: handle }
    }

    /// The handle of C, as a number.
    #[getter]
    fn handle(&self) -> usize {
        self.number
    }
}

/// The function of OpenSHMEM that C knows by `name`.
#[pyfunction]
#[pyo3(signature = (name))]
fn function(name: &str) -> PyResult<Function> {
    Function::find(all(), "OpenSHMEM", name)
}

/// The names of all functions of OpenSHMEM.
#[pyfunction]
fn function_names() -> Vec<&'static str> {
    all().map(|entry| entry.name).collect()
}

/// Functions and classes behind the package `openshmem`, as a module of this name: functions report it as
/// theirs.
pub(crate) fn module(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    let module = PyModule::new(py, "openshmem")?;
    module.add_class::<Handle>()?;
    module.add_class::<blocks::Memory>()?;
    macro_rules! functions {
        ($($name:path)*) => { $(module.add_function(wrap_pyfunction!($name, &module)?)?;)* };
    }
    functions! {
        function function_names
        blocks::find_block blocks::forget_block blocks::forget_all
        operand::describe operand::address_of operand::block_of
        rma::put rma::get rma::put_nbi rma::get_nbi rma::iput rma::iget
        signal::put_signal signal::put_signal_nbi signal::signal_fetch signal::signal_set signal::signal_add
        order::quiet order::fence order::barrier_all
        pending::release_pending
        atomic::atomic_fetch atomic::atomic_set atomic::atomic_swap atomic::atomic_compare_swap
        atomic::atomic_inc atomic::atomic_add atomic::atomic_and atomic::atomic_or atomic::atomic_xor
        atomic::atomic_fetch_inc atomic::atomic_fetch_add atomic::atomic_fetch_and atomic::atomic_fetch_or
        atomic::atomic_fetch_xor
        atomic::atomic_fetch_nbi atomic::atomic_swap_nbi atomic::atomic_compare_swap_nbi
        atomic::atomic_fetch_inc_nbi atomic::atomic_fetch_add_nbi atomic::atomic_fetch_and_nbi
        atomic::atomic_fetch_or_nbi atomic::atomic_fetch_xor_nbi
        wait::wait_until wait::wait_until_all wait::wait_until_any wait::wait_until_some
        wait::wait_until_all_vector wait::wait_until_any_vector wait::wait_until_some_vector
        wait::test wait::test_all wait::test_any wait::test_some
        wait::test_all_vector wait::test_any_vector wait::test_some_vector
        wait::signal_wait_until
    }
    Ok(module)
}
