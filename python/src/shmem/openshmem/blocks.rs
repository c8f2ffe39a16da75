// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Which blocks of the symmetric heap arrays may use, and the objects that such arrays belong to.
//!
//! A block is live from the call that allocates it until it is freed or the heap ends. That its arrays are
//! collected changes nothing: to free is a call of all PEs, which no garbage collector makes.

use std::collections::BTreeMap;
use std::sync::Mutex;

use mf_abi::smem::SMEM_NOT_INIT;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::operand::{Operand, invalid};
use super::rows;
use crate::evaluation::Evaluate as _;
use crate::failure;
use crate::lock::lock;

/// The live blocks.
struct Live {
    /// Their bytes by their start.
    blocks: BTreeMap<usize, usize>,
    /// The block of the last query; most calls repeat it. The empty range means none.
    last: (usize, usize),
}

static LIVE: Mutex<Live> = Mutex::new(Live { blocks: BTreeMap::new(), last: (0, 0) });

/// Memory of a PE on the symmetric heap: a block of this one, or what another has at its place.
#[pyclass(frozen, module = "openshmem")]
pub(crate) struct Memory {
    address: usize,
    bytes: usize,
}

#[pymethods]
impl Memory {
    /// The bytes at an address; as a block of this PE they are live from now on.
    #[new]
    #[pyo3(signature = (address, nbytes, is_block))]
    fn new(address: usize, nbytes: usize, is_block: bool) -> Self {
        if is_block {
            lock(&LIVE).blocks.insert(address, nbytes);
        }
        Self { address, bytes: nbytes }
    }

    #[getter]
    fn address(&self) -> usize {
        self.address
    }

    #[getter]
    fn nbytes(&self) -> usize {
        self.bytes
    }

    /// As NumPy asks for it: bytes that may be written.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let described = PyDict::new(py);
        described.set_item("version", 3)?;
        described.set_item("typestr", "|u1")?;
        described.set_item("shape", (self.bytes,))?;
        described.set_item("data", (self.address, false))?;
        Ok(described)
    }
}

/// True if the bytes lie in one live block.
#[inline]
pub(super) fn is_live(address: usize, bytes: usize) -> bool {
    block_of(address).is_some_and(|(start, length)| bytes <= length - (address - start))
}

/// The live block that an address lies in, or at the end of.
#[inline]
pub(super) fn block_of(address: usize) -> Option<(usize, usize)> {
    let mut live = lock(&LIVE);
    if address.wrapping_sub(live.last.0) < live.last.1 {
        return Some(live.last);
    }
    let found = live.blocks.range(..=address).next_back().map(|(start, bytes)| (*start, *bytes))?;
    live.last = found;
    (address - found.0 <= found.1).then_some(found)
}

/// The exception for memory that is in no live block.
#[cold]
pub(super) fn refuse(name: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let py = object.py();
    if !is_begun() {
        let text = format!(
            "openshmem: {name} is used while there is no heap: OpenSHMEM has not begun, or has ended"
        );
        return failure::exception(py, SMEM_NOT_INIT, &text);
    }
    let why = if was_ours(object) {
        "was freed, or belongs to a heap that has ended"
    } else {
        "is not on the symmetric heap; make it with openshmem.empty and its like"
    };
    invalid(py, &format!("{name} {why}; nothing was done"))
}

/// True if an array belongs to memory allocated by this package.
fn was_ours(object: &Bound<'_, PyAny>) -> bool {
    let mut found = object.clone();
    for _ in 0..8 {
        if found.is_instance_of::<Memory>() {
            return true;
        }
        match found.needed("base") {
            Ok(base) => found = base,
            Err(_) => return false,
        }
    }
    false
}

fn is_begun() -> bool {
    let my_pe = rows::find::<_, ()>(rows::frequent::my_pe);
    // SAFETY: takes no argument, and answers at any time.
    my_pe.is_ok_and(|my_pe| unsafe { my_pe() } >= 0)
}

/// The address and the bytes of the block that an array begins.
#[pyfunction]
pub(super) fn find_block(array: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
    let operand = Operand::new("array", array)?;
    match block_of(operand.address) {
        Some(block) if block.0 == operand.address => Ok(block),
        Some((start, bytes)) if operand.address < start + bytes => Err(invalid(
            array.py(),
            &format!(
                "array begins {} bytes behind the start of its block; free the array that was allocated",
                operand.address - start
            ),
        )),
        _ => Err(refuse("array", array)),
    }
}

/// A block is no more.
#[pyfunction]
pub(super) fn forget_block(address: usize) {
    let mut live = lock(&LIVE);
    live.blocks.remove(&address);
    live.last = (0, 0);
}

/// The heap has ended.
#[pyfunction]
pub(super) fn forget_all() {
    let mut live = lock(&LIVE);
    live.blocks.clear();
    live.last = (0, 0);
}
