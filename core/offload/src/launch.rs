// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations on a stream of the accelerator: kernels of this library. Their arguments are the addresses of
//! the arrays, so that a captured graph reads the arrays anew in each replay.

use std::sync::Arc;

use mf_base::{Error, Kind, Result};
use mf_device::kernels::{Binary, Code, Kernels, LaunchOptions, Target};
use mf_device::{Device, RawStream};

use crate::operation::{Operation, Table};
use crate::plan::no_table;
use crate::pool::KernelImage;

/// Blocks of a launch. The number of pieces is not known when it is made, so it is the number of vector
/// cores; on the simulator each block is a thread.
const CORES: u32 = 48;
const SIMULATED_CORES: u32 = 4;

/// Kernels of the four operations on one accelerator.
pub(crate) struct Launcher {
    binary: Arc<dyn Binary>,
    blocks: u32,
}

impl Launcher {
    /// Loads the kernels.
    ///
    /// # Errors
    /// `NotExist` the library has none for this accelerator · `Failed` the accelerator loads none · errors
    /// of the accelerator.
    pub(crate) fn load(device: &dyn Device, image: KernelImage<'_>) -> Result<Self> {
        let kernels = loader(device)?;
        let target = kernels.target();
        let blocks = if target == Target::Simulator { SIMULATED_CORES } else { CORES };
        Ok(Self { binary: kernels.load(Code::Bytes(image(&target)?))?, blocks })
    }

    /// Puts an operation on a stream, behind earlier work of that stream, and returns.
    ///
    /// # Errors
    /// `InvalidParam` a null argument, no table, or not a stream · errors of the accelerator.
    ///
    /// # Safety
    /// The stream belongs to the accelerator's runtime in this process. Until it is past the operation, and
    /// as long as a captured graph is replayed, all arrays and pieces are memory that the accelerator
    /// reaches.
    pub(crate) unsafe fn enqueue(
        &self,
        stream: RawStream,
        operation: &Operation,
        table: Option<&Table>,
    ) -> Result<()> {
        operation.check()?;
        let (kernel, words) = call(operation, table)?;
        let arguments: Vec<u8> = words.into_iter().flat_map(u64::to_ne_bytes).collect();
        let options = LaunchOptions { blocks: self.blocks, timeout: None, stream: Some(stream) };
        // SAFETY: the arguments match the signature of the kernel; the caller vouches for stream and memory.
        let launched = unsafe { self.binary.launch(kernel, &arguments, &options) };
        launched.map_err(|error| error.with("operation", operation.name()))
    }
}

fn loader(device: &dyn Device) -> Result<&dyn Kernels> {
    device.kernels().ok_or_else(|| {
        Error::new(Kind::Failed, "offload init")
            .what("this accelerator loads no kernels")
            .with("device", device.name())
    })
}

/// Returns the kernel of an operation and its arguments, each a word of 8 bytes.
fn call(operation: &Operation, table: Option<&Table>) -> Result<(&'static str, Vec<u64>)> {
    let mut words: Vec<u64> = operation.arguments().into_iter().map(|(_, address)| address).collect();
    let kernel = match operation {
        Operation::Sparse { .. } => "mf_offload_sparse_copy",
        Operation::GroupPack { .. } => "mf_offload_group_pack_copy",
        Operation::KvExchange { header, .. } => {
            words.push(u64::from(header.words()));
            "mf_offload_kv_exchange_copy"
        }
        Operation::EntryGather { .. } => {
            let Table { base, stride, entry_bytes, rows_per_slot } =
                *table.ok_or_else(|| no_table(operation))?;
            words.extend([base, stride, u64::from(entry_bytes), u64::from(rows_per_slot)]);
            "mf_offload_entry_gather"
        }
    };
    Ok((kernel, words))
}

#[cfg(test)]
mod tests {
    use crate::operation::Header;

    use super::*;

    #[test]
    fn kernels_get_the_addresses_of_the_arrays() {
        let sparse = Operation::Sparse { sources: 1, destinations: 2, lengths: 3, count: 4 };
        assert_eq!(call(&sparse, None).unwrap(), ("mf_offload_sparse_copy", vec![1, 2, 3, 4]));
        let exchange = Operation::KvExchange { meta: 8, header: Header::Words6 };
        assert_eq!(call(&exchange, None).unwrap(), ("mf_offload_kv_exchange_copy", vec![8, 6]));
        let gather = Operation::EntryGather { destination: 1, ids: 2, count: 3 };
        assert_eq!(call(&gather, None).unwrap_err().code(), -2000);
        let table = Table { base: 10, stride: 20, entry_bytes: 30, rows_per_slot: 40 };
        assert_eq!(
            call(&gather, Some(&table)).unwrap(),
            ("mf_offload_entry_gather", vec![1, 2, 3, 10, 20, 30, 40])
        );
    }
}
