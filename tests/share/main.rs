// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Objects of share memory over several processes. With `MF_TEST_DEVICE=sim` their memory is the simulator's,
//! and what kernels see of them is checked too.

/// Device from `MF_TEST_DEVICE`; by default the memory is host memory.
#[cfg(test)]
const ACCELERATOR: &str = mf_tests::accelerator::NONE;

#[cfg(test)]
mod beside_pools;
#[cfg(test)]
mod deaths;
#[cfg(test)]
mod kernels_view;
#[cfg(test)]
mod meetings;
#[cfg(test)]
mod objects;
#[cfg(test)]
mod ranks;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod services;
