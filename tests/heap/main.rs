// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Symmetric heaps over several processes: at 1, 2 and 4 PEs, with memory mapped or reached by the network
//! alone. With `MF_TEST_DEVICE=sim` heaps are in the memory of a simulated accelerator.

#[cfg(test)]
mod access;
#[cfg(test)]
mod blocks;
#[cfg(test)]
mod deaths;
#[cfg(test)]
mod devices;
#[cfg(test)]
mod ends;
#[cfg(test)]
mod pes;
#[cfg(test)]
mod teams;
#[cfg(test)]
mod together;
#[cfg(test)]
mod words;
