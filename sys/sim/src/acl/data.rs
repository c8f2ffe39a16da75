// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Values that programs hand to operators: 16-bit floats, data buffers, datasets.

mod float16;

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{LazyLock, Mutex};

use mf_base::sync::lock;

use super::arguments::not_null;
use crate::codes::acl;
use crate::fault::Outcome;
use crate::handles::HandleTable;
use crate::{arg, boundary, exports};

/// An address and a length of the program's.
#[derive(Clone, Copy)]
struct Extent {
    address: usize,
    bytes: usize,
}

static BUFFERS: LazyLock<HandleTable<Mutex<Extent>>> = LazyLock::new(|| HandleTable::new("data buffer"));
/// Each with the handles of its buffers, which the program keeps.
static DATASETS: LazyLock<HandleTable<Mutex<Vec<usize>>>> = LazyLock::new(|| HandleTable::new("dataset"));

/// Counts the buffers and datasets.
pub(crate) fn counts() -> usize {
    BUFFERS.count() + DATASETS.count()
}

exports! {
    /// Ends a buffer; the memory stays.
    fn aclDestroyDataBuffer(dataBuffer: *const c_void)
        => BUFFERS.remove(dataBuffer, acl::INVALID_PARAM).map(drop);
    /// Gives a buffer other memory.
    fn aclUpdateDataBuffer(dataBuffer: *mut c_void, data: *mut c_void, size: usize)
        => update(dataBuffer, data, size);
    /// Ends a dataset; its buffers stay.
    fn aclmdlDestroyDataset(dataset: *const c_void) => DATASETS.remove(dataset, acl::INVALID_PARAM).map(drop);
    /// Appends a buffer.
    fn aclmdlAddDatasetBuffer(dataset: *mut c_void, dataBuffer: *mut c_void) => add(dataset, dataBuffer);
}

/// Defines functions that return a value: `null` when they are refused.
macro_rules! answers {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $result:ty, $null:expr => $value:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the names are CANN's")]
        pub extern "C" fn $name($($arg: $type),*) -> $result {
            let mut answer = $null;
            boundary::call(
                stringify!($name),
                || [$((stringify!($arg), arg::Arg::from($arg))),*],
                || {
                    answer = $value;
                    Ok(())
                },
            );
            answer
        }
    )*};
}

answers! {
    /// A buffer; the memory stays the program's.
    fn aclCreateDataBuffer(data: *mut c_void, size: usize) -> *mut c_void, null_mut()
        => BUFFERS.insert_with(|_| Mutex::new(Extent { address: data.expose_provenance(), bytes: size })).0;
    /// Returns the address; null for an invalid buffer.
    fn aclGetDataBufferAddr(dataBuffer: *const c_void) -> *mut c_void, null_mut()
        => std::ptr::with_exposed_provenance_mut(extent(dataBuffer)?.address);
    /// Returns the size, saturated to 32 bits; 0 for an invalid buffer.
    fn aclGetDataBufferSize(dataBuffer: *const c_void) -> u32, 0
        => u32::try_from(extent(dataBuffer)?.bytes).unwrap_or(u32::MAX);
    /// Returns the size; 0 for an invalid buffer.
    fn aclGetDataBufferSizeV2(dataBuffer: *const c_void) -> usize, 0 => extent(dataBuffer)?.bytes;
    /// Bytes of an element; 0 for types without, and for those smaller than a byte.
    fn aclDataTypeSize(dataType: i32) -> usize, 0 => size_of_type(dataType);
    /// A dataset without buffers.
    fn aclmdlCreateDataset() -> *mut c_void, null_mut() => DATASETS.insert_with(|_| Mutex::default()).0;
    /// Returns the number of buffers; 0 for an invalid dataset.
    fn aclmdlGetDatasetNumBuffers(dataset: *const c_void) -> usize, 0 => buffers(dataset)?.len();
    /// Returns one of its buffers; null for an invalid index or dataset.
    fn aclmdlGetDatasetBuffer(dataset: *const c_void, index: usize) -> *mut c_void, null_mut()
        => buffers(dataset)?.get(index).map_or(null_mut(), |handle| std::ptr::without_provenance_mut(*handle));
}

/// The value of a 16-bit float.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the names are CANN's")]
pub extern "C" fn aclFloat16ToFloat(value: u16) -> f32 {
    float16::widen(value)
}

/// The nearest 16-bit float; of two, the even one.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the names are CANN's")]
pub extern "C" fn aclFloatToFloat16(value: f32) -> u16 {
    float16::narrow(value)
}

fn extent(buffer: *const c_void) -> Outcome<Extent> {
    Ok(*lock(&*BUFFERS.get(buffer, acl::INVALID_PARAM)?))
}

fn buffers(dataset: *const c_void) -> Outcome<Vec<usize>> {
    Ok(lock(&*DATASETS.get(dataset, acl::INVALID_PARAM)?).clone())
}

fn update(buffer: *const c_void, data: *mut c_void, bytes: usize) -> Outcome {
    not_null(buffer, "dataBuffer")?;
    let buffer = BUFFERS.get(buffer, acl::INVALID_PARAM)?;
    *lock(&*buffer) = Extent { address: data.expose_provenance(), bytes };
    Ok(())
}

fn add(dataset: *const c_void, buffer: *const c_void) -> Outcome {
    let dataset = DATASETS.get(dataset, acl::INVALID_PARAM)?;
    extent(buffer)?;
    lock(&*dataset).push(buffer.addr());
    Ok(())
}

/// By the numbers of `aclDataType`.
fn size_of_type(number: i32) -> usize {
    match number {
        2 | 4 | 12 | 34..=37 => 1,
        1 | 6 | 7 | 27 => 2,
        0 | 3 | 8 | 33 => 4,
        9 | 10 | 11 | 16 => 8,
        17 => 16,
        _ => 0,
    }
}
