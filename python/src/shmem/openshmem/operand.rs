// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Arguments that are memory with elements: arrays of NumPy, tensors by DLPack, anything with a buffer.

use mf_abi::smem::SMEM_INVALID_PARAM;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;

use super::array::{self, Fieldset};
use super::blocks;
use super::kind::ElementKind;
use crate::buffer::{dlpack, type_name};
use crate::evaluation::{self, Evaluate as _};
use crate::failure;

/// Layout of an operand's elements, in the order of their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// One behind the other.
    Flat,
    /// At equal distances of so many elements, two at least.
    Strided(isize),
    /// One behind the other, but in the order of Fortran.
    Fortran,
    /// Otherwise; how.
    Other(&'static str),
}

/// An argument that is memory with elements.
pub(super) struct Operand {
    /// The name of the argument.
    pub(super) name: &'static str,
    pub(super) address: usize,
    pub(super) count: usize,
    pub(super) kind: ElementKind,
    pub(super) layout: Layout,
    is_writable: bool,
    /// The extents of an array in the order of Fortran.
    shape: Vec<isize>,
    /// Owner of the memory, if it is not the argument itself.
    _keeper: Option<Py<PyAny>>,
}

impl Operand {
    /// The memory of `object`, which is called `name` in errors.
    ///
    /// # Errors
    /// `TypeError` it has none, or elements that are not copied between PEs.
    #[inline]
    pub(super) fn new(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        match array::fields(object)? {
            Some(fields) => Self::of_array(name, object, fields),
            None => Self::of_other(name, object),
        }
    }

    #[inline]
    fn of_array(name: &'static str, object: &Bound<'_, PyAny>, fields: Fieldset<'_>) -> PyResult<Self> {
        let kind = ElementKind::of_numpy(fields.number).ok_or_else(|| unknown_dtype(name, object))?;
        let count = fields.shape.iter().map(|extent| extent.unsigned_abs()).product();
        let mut operand = Self {
            name,
            address: fields.address,
            count,
            kind,
            layout: Layout::Flat,
            is_writable: fields.is_writable,
            shape: Vec::new(),
            _keeper: None,
        };
        if !fields.is_c_contiguous {
            operand.lay_out(fields.shape, fields.strides);
        }
        Ok(operand)
    }

    #[cold]
    fn of_other(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Some(tensor) = dlpack::described(object, |_| Ok(false), None)? else {
            return Self::of_buffer(name, object);
        };
        let (code, bits, lanes) = tensor.element;
        let kind = ElementKind::of_dlpack(code, bits, lanes).ok_or_else(|| unknown_dtype(name, object))?;
        let numbers = |all: &[i64], times: isize| -> Vec<isize> {
            all.iter().map(|number| isize::try_from(*number).unwrap_or(0) * times).collect()
        };
        let shape = numbers(&tensor.shape, 1);
        let mut operand = Self {
            name,
            address: tensor.address,
            count: shape.iter().map(|extent| extent.unsigned_abs()).product(),
            kind,
            layout: Layout::Flat,
            is_writable: !tensor.is_readonly,
            shape: Vec::new(),
            _keeper: Some(tensor.capsule),
        };
        if let Some(strides) = tensor.strides {
            operand.lay_out(&shape, &numbers(&strides, kind.bytes().cast_signed()));
        }
        Ok(operand)
    }

    fn of_buffer(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let refused = |_| {
            PyTypeError::new_err(format!(
                "{name} is {}, which has no memory to copy; an array of NumPy, a tensor with DLPack, or an object \
                 with a buffer is needed",
                type_name(object)
            ))
        };
        let view = PyMemoryView::from(object).map_err(refused)?;
        let array = evaluation::module(object.py(), c"numpy")?.needed("asarray")?.evaluate((view,))?;
        let Some(fields) = array::fields(&array)? else { return Err(unknown_dtype(name, object)) };
        let operand = Self::of_array(name, &array, fields)?;
        Ok(Self { _keeper: Some(array.unbind()), ..operand })
    }

    /// Finds out how elements lie, from the extents and the distances in bytes.
    #[cold]
    fn lay_out(&mut self, shape: &[isize], strides: &[isize]) {
        self.layout = layout(shape, strides, self.kind.bytes().cast_signed());
        if self.layout == Layout::Fortran {
            self.shape = shape.to_vec();
        }
    }

    /// The distance of two elements, in elements; none: no single one.
    pub(super) fn stride(&self) -> Option<isize> {
        match self.layout {
            Layout::Flat => Some(1),
            Layout::Strided(stride) => Some(stride),
            Layout::Fortran | Layout::Other(_) => None,
        }
    }

    /// Refuses memory that may not be written.
    pub(super) fn check_writable(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_writable {
            return Ok(());
        }
        Err(invalid(py, &format!("{} is read-only; nothing was done", self.name)))
    }

    /// Refuses memory that has not so many elements at distances of `stride`, or that is not on the heap.
    #[inline]
    pub(super) fn check_symmetric(
        &self,
        object: &Bound<'_, PyAny>,
        count: usize,
        stride: isize,
    ) -> PyResult<()> {
        let bytes =
            if count == 0 { 0 } else { ((count - 1) * stride.unsigned_abs() + 1) * self.kind.bytes() };
        if blocks::is_live(self.address, bytes) { Ok(()) } else { Err(blocks::refuse(self.name, object)) }
    }

    /// Refuses memory outside of the heap, or without elements; of several elements the first is used.
    #[inline]
    pub(super) fn check_word(&self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.count == 0 {
            return Err(invalid(object.py(), &format!("{} has no element; nothing was done", self.name)));
        }
        self.check_symmetric(object, 1, 1)
    }

    /// Refuses elements that do not lie one behind the other.
    pub(super) fn check_flat(&self, py: Python<'_>) -> PyResult<()> {
        if self.layout == Layout::Flat { Ok(()) } else { Err(self.not_contiguous(py)) }
    }

    /// The exception for elements that do not lie as they should.
    #[cold]
    pub(super) fn not_contiguous(&self, py: Python<'_>) -> PyErr {
        let how = match self.layout {
            Layout::Other(how) => how,
            Layout::Fortran => "lie in the order of Fortran",
            _ => "do not lie one behind the other",
        };
        let text = format!("the elements of {} {how}; copy them first (numpy.ascontiguousarray)", self.name);
        invalid(py, &format!("{text}; nothing was done"))
    }
}

fn layout(shape: &[isize], strides: &[isize], bytes: isize) -> Layout {
    if shape.contains(&0) {
        return Layout::Flat;
    }
    // An extent of 1 has a distance that says nothing.
    let steps = || shape.iter().zip(strides).filter(|(extent, _)| **extent != 1);
    let Some((_, last)) = steps().next_back() else { return Layout::Flat };
    if is_even(*last, steps().rev()) {
        return match last {
            _ if *last == bytes => Layout::Flat,
            _ if *last <= 0 => Layout::Other("are one and the same, or lie backwards"),
            _ if last % bytes != 0 => Layout::Other("are not whole elements apart"),
            _ => Layout::Strided(last / bytes),
        };
    }
    if is_even(bytes, steps()) {
        return Layout::Fortran;
    }
    Layout::Other("lie in several pieces")
}

/// True if each stride is the previous one times the extent there, starting with `first`.
fn is_even<'a>(first: isize, mut steps: impl Iterator<Item = (&'a isize, &'a isize)>) -> bool {
    let mut expected = Some(first);
    steps.all(|(extent, stride)| {
        let is_so = expected == Some(*stride);
        expected = stride.checked_mul(*extent);
        is_so
    })
}

/// Layouts of target and source of a copy.
pub(super) struct Pair {
    pub(super) count: usize,
    /// The distances in target and source, in elements; none: all is one piece on both sides.
    pub(super) strides: Option<[isize; 2]>,
}

impl Pair {
    /// All elements of `source`, or the first `size`, to `target`.
    ///
    /// # Errors
    /// `TypeError` the types differ · `ValueError` there is not so much, or no room for it.
    #[inline]
    pub(super) fn new(
        py: Python<'_>,
        target: &Operand,
        source: &Operand,
        size: Option<usize>,
    ) -> PyResult<Self> {
        let count = size.unwrap_or(source.count);
        check_kinds(target, source)?;
        check_room(py, source, count)?;
        check_room(py, target, count)?;
        if target.layout == Layout::Flat && source.layout == Layout::Flat {
            return Ok(Self { count, strides: None });
        }
        Self::of_others(py, target, source, count)
    }

    #[cold]
    fn of_others(py: Python<'_>, target: &Operand, source: &Operand, count: usize) -> PyResult<Self> {
        // The same index at the same place on both sides.
        let is_alike = target.layout == Layout::Fortran && source.layout == Layout::Fortran;
        if is_alike && target.shape == source.shape && count == source.count {
            return Ok(Self { count, strides: None });
        }
        let stride = |operand: &Operand| operand.stride().ok_or_else(|| operand.not_contiguous(py));
        Ok(Self { count, strides: Some([stride(target)?, stride(source)?]) })
    }

    /// The distance in the target.
    #[inline]
    pub(super) fn target_stride(&self) -> isize {
        self.strides.map_or(1, |[target, _]| target)
    }

    /// The distance in the source.
    #[inline]
    pub(super) fn source_stride(&self) -> isize {
        self.strides.map_or(1, |[_, source]| source)
    }
}

/// Refuses two operands with elements of different types.
#[inline]
pub(super) fn check_kinds(one: &Operand, other: &Operand) -> PyResult<()> {
    if one.kind == other.kind { Ok(()) } else { Err(other_kind(one, other)) }
}

#[cold]
fn other_kind(one: &Operand, other: &Operand) -> PyErr {
    PyTypeError::new_err(format!(
        "{} has elements of type {}, and {} of type {}; nothing was done",
        one.name,
        one.kind.name(),
        other.name,
        other.kind.name()
    ))
}

/// Refuses an operand that has fewer elements.
#[inline]
pub(super) fn check_room(py: Python<'_>, operand: &Operand, count: usize) -> PyResult<()> {
    if count <= operand.count { Ok(()) } else { Err(too_small(py, operand, count)) }
}

#[cold]
fn too_small(py: Python<'_>, operand: &Operand, count: usize) -> PyErr {
    let Operand { name, count: present, .. } = operand;
    invalid(py, &format!("{name} has {present} elements, and {count} are to be copied; nothing was done"))
}

#[cold]
fn unknown_dtype(name: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let dtype = object.needed("dtype").and_then(|dtype| dtype.str()).map(|text| text.to_string());
    PyTypeError::new_err(format!(
        "{name} has elements of type {}, which are not copied between PEs; numbers and bool of this machine's byte \
         order are",
        dtype.unwrap_or_else(|_| type_name(object))
    ))
}

/// The exception for an invalid argument.
#[cold]
pub(super) fn invalid(py: Python<'_>, text: &str) -> PyErr {
    failure::exception(py, SMEM_INVALID_PARAM, &format!("openshmem: {text}"))
}

/// The names of arguments that Python checks.
fn known(name: &str) -> &'static str {
    const NAMES: [&str; 4] = ["target", "source", "array", "lock"];
    NAMES.into_iter().find(|known| *known == name).unwrap_or("the argument")
}

/// Address, number of elements, bytes of one and its type, of contiguous memory. On the heap, unless
/// `symmetric` is false.
#[pyfunction]
#[pyo3(signature = (name, array, symmetric=true))]
pub(super) fn describe(
    name: &str,
    array: &Bound<'_, PyAny>,
    symmetric: bool,
) -> PyResult<(usize, usize, usize, &'static str)> {
    let operand = Operand::new(known(name), array)?;
    operand.check_flat(array.py())?;
    if symmetric {
        operand.check_symmetric(array, operand.count, 1)?;
    }
    Ok((operand.address, operand.count, operand.kind.bytes(), operand.kind.name()))
}

/// Address of an array's first element.
#[pyfunction]
pub(super) fn address_of(array: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(Operand::new("array", array)?.address)
}

/// Start and bytes of the block on the heap that an array lies in.
#[pyfunction]
pub(super) fn block_of(name: &str, array: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
    let operand = Operand::new(known(name), array)?;
    blocks::block_of(operand.address).ok_or_else(|| blocks::refuse(operand.name, array))
}
