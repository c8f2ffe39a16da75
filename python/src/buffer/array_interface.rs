// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `__array_interface__`, version 3: a dictionary that describes an array in memory.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Access, Keeper, Pin, contiguous_bytes, not_contiguous, objects, refused};
use crate::evaluation::Evaluate as _;

/// The bytes of `object`, or none when it has no such interface.
pub(super) fn pin(object: &Bound<'_, PyAny>, access: Access) -> PyResult<Option<Pin>> {
    let Some(interface) = object.attribute("__array_interface__")? else { return Ok(None) };
    let interface = interface.cast_into::<PyDict>().map_err(|_| malformed("is not a dictionary"))?;

    if holds_objects(&interface)? {
        return Err(objects(object));
    }
    let item_bytes = item_bytes(&interface)?;
    let shape: Vec<i64> = required(&interface, "shape")?.extract()?;
    let strides: Option<Vec<i64>> =
        present(&interface, "strides")?.map(|strides| strides.extract()).transpose()?;
    let bytes =
        contiguous_bytes(&shape, strides.as_deref(), item_bytes, 1).ok_or_else(|| not_contiguous(object))?;

    match present(&interface, "data")? {
        // A pointer and whether it is read-only; the array owns the memory.
        Some(data) if data.is_instance_of::<pyo3::types::PyTuple>() => {
            let (address, is_readonly): (usize, bool) = data.extract()?;
            let _keeper = Keeper::Object(object.clone().unbind());
            Ok(Some(Pin { address, bytes, is_readonly, _keeper }))
        }
        // An object with a buffer that holds the array somewhere.
        Some(data) => {
            let offset = present(&interface, "offset")?.map_or(Ok(0), |offset| offset.extract::<usize>())?;
            let inner = Pin::new(&data, access)?;
            if offset.checked_add(bytes).is_none_or(|end| end > inner.bytes) {
                return Err(refused(object, "says that its data lies outside the buffer that holds it"));
            }
            Ok(Some(Pin { address: inner.address + offset, bytes, ..inner }))
        }
        None => Err(malformed("has no data")),
    }
}

/// True if elements, or fields of them, are references to Python objects.
fn holds_objects(interface: &Bound<'_, PyDict>) -> PyResult<bool> {
    let is_object = |kind: &str| kind.get(1..2) == Some("O");
    let text: String = required(interface, "typestr")?.extract()?;
    match present(interface, "descr")? {
        // A list of (name, type, shape) with lists for types in it: a type stands in quotes, behind its byte
        // order.
        Some(fields) => {
            let fields = fields.repr()?.to_string();
            Ok(is_object(&text) || fields.split('\'').skip(1).step_by(2).any(|quoted| quoted == "|O"))
        }
        None => Ok(is_object(&text)),
    }
}

/// Bytes of an element, from the type string: byte order, kind, size.
fn item_bytes(interface: &Bound<'_, PyDict>) -> PyResult<i64> {
    let text: String = required(interface, "typestr")?.extract()?;
    let mut characters = text.chars();
    let (_order, kind) = (characters.next(), characters.next());
    // Behind the size of dates stands their unit, in brackets.
    let size = characters.as_str().split('[').next().unwrap_or_default();
    let number: i64 = size.parse().map_err(|_| malformed("has an unknown typestr"))?;
    match kind {
        Some('U') => Ok(number * 4),
        Some('b' | 'i' | 'u' | 'f' | 'c' | 'm' | 'M' | 'S' | 'V') => Ok(number),
        _ => Err(malformed("describes elements that are not plain bytes")),
    }
}

fn present<'py>(interface: &Bound<'py, PyDict>, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(interface.get_item(key)?.filter(|value| !value.is_none()))
}

fn required<'py>(interface: &Bound<'py, PyDict>, key: &str) -> PyResult<Bound<'py, PyAny>> {
    present(interface, key)?.ok_or_else(|| malformed(&format!("has no {key}")))
}

fn malformed(what: &str) -> PyErr {
    PyTypeError::new_err(format!("__array_interface__ {what}"))
}
