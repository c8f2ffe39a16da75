// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Inputs of models and operators, created by optional functions.

use std::marker::PhantomData;

use super::DeviceMemory;
use crate::raw::types::{ACL_ERROR_BAD_ALLOC, aclDataBuffer, aclmdlDataset, aclmdlDesc};
use crate::{Optional, Result};

/// Turns the status of a function that was called into a result.
fn checked(name: &'static str, code: i32) -> Result<()> {
    Optional::function(name).map_or(Ok(()), |function| Optional::check(function, code))
}

/// Checks an object returned by a function; null is a separate error.
fn made<T>(name: &'static str, object: *mut T) -> Result<*mut T> {
    if object.is_null() { checked(name, ACL_ERROR_BAD_ALLOC) } else { Ok(()) }.map(|()| object)
}

/// A data buffer: device memory as models and operators are given it.
#[derive(Debug)]
pub struct DataBuffer<'a> {
    optional: &'a Optional,
    buffer: *mut aclDataBuffer,
    memory: PhantomData<&'a DeviceMemory<'a>>,
}

impl<'a> DataBuffer<'a> {
    /// All of the memory.
    ///
    /// # Errors
    /// [`MissingFunction`](crate::Class::MissingFunction) · ACL's.
    pub fn new(optional: &'a Optional, memory: &'a DeviceMemory<'_>) -> Result<Self> {
        let create = optional.aclCreateDataBuffer()?;
        // SAFETY: the memory is this size and outlives the buffer.
        let buffer = unsafe { create(memory.address(), memory.bytes()) };
        Ok(Self { optional, buffer: made("aclCreateDataBuffer", buffer)?, memory: PhantomData })
    }

    /// The buffer as C has it.
    pub fn as_raw(&self) -> *mut aclDataBuffer {
        self.buffer
    }

    /// Its bytes.
    ///
    /// # Errors
    /// [`MissingFunction`](crate::Class::MissingFunction).
    pub fn bytes(&self) -> Result<usize> {
        let bytes = self.optional.aclGetDataBufferSizeV2()?;
        // SAFETY: the buffer is alive.
        Ok(unsafe { bytes(self.buffer) })
    }
}

impl Drop for DataBuffer<'_> {
    fn drop(&mut self) {
        if let Ok(destroy) = self.optional.aclDestroyDataBuffer() {
            // SAFETY: the buffer is alive, and the dataset that knew it is gone.
            let _ = unsafe { destroy(self.buffer) };
        }
    }
}

/// The inputs or outputs of a model, with their buffers.
#[derive(Debug)]
pub struct Dataset<'a> {
    optional: &'a Optional,
    dataset: *mut aclmdlDataset,
    buffers: Vec<DataBuffer<'a>>,
}

impl<'a> Dataset<'a> {
    /// One without buffers.
    ///
    /// # Errors
    /// [`MissingFunction`](crate::Class::MissingFunction) · ACL's.
    pub fn new(optional: &'a Optional) -> Result<Self> {
        let create = optional.aclmdlCreateDataset()?;
        // SAFETY: the function takes nothing.
        let dataset = made("aclmdlCreateDataset", unsafe { create() })?;
        Ok(Self { optional, dataset, buffers: Vec::new() })
    }

    /// Appends a buffer.
    ///
    /// # Errors
    /// [`MissingFunction`](crate::Class::MissingFunction) · ACL's.
    pub fn push(&mut self, buffer: DataBuffer<'a>) -> Result<()> {
        let add = self.optional.aclmdlAddDatasetBuffer()?;
        // SAFETY: both are alive; the buffer lives as long as the dataset, which keeps it.
        checked("aclmdlAddDatasetBuffer", unsafe { add(self.dataset, buffer.as_raw()) })?;
        self.buffers.push(buffer);
        Ok(())
    }

    /// The buffers, in order.
    pub fn buffers(&self) -> &[DataBuffer<'a>] {
        &self.buffers
    }

    /// The dataset as C has it.
    pub fn as_raw(&self) -> *mut aclmdlDataset {
        self.dataset
    }
}

impl Drop for Dataset<'_> {
    fn drop(&mut self) {
        if let Ok(destroy) = self.optional.aclmdlDestroyDataset() {
            // SAFETY: the dataset is alive, and goes before its buffers.
            let _ = unsafe { destroy(self.dataset) };
        }
    }
}

/// The description of a model.
#[derive(Debug)]
pub struct ModelDescription<'a> {
    optional: &'a Optional,
    description: *mut aclmdlDesc,
}

impl<'a> ModelDescription<'a> {
    /// Creates the description of a loaded model.
    ///
    /// # Errors
    /// [`MissingFunction`](crate::Class::MissingFunction) · ACL's: no such model.
    pub fn from_model(optional: &'a Optional, model: u32) -> Result<Self> {
        let (create, get) = (optional.aclmdlCreateDesc()?, optional.aclmdlGetDesc()?);
        // SAFETY: the function takes nothing.
        let description = made("aclmdlCreateDesc", unsafe { create() })?;
        let this = Self { optional, description };
        // SAFETY: the description is alive.
        checked("aclmdlGetDesc", unsafe { get(description, model) })?;
        Ok(this)
    }

    /// The description as C has it.
    pub fn as_raw(&self) -> *mut aclmdlDesc {
        self.description
    }
}

impl Drop for ModelDescription<'_> {
    fn drop(&mut self) {
        if let Ok(destroy) = self.optional.aclmdlDestroyDesc() {
            // SAFETY: the description is alive.
            let _ = unsafe { destroy(self.description) };
        }
    }
}
