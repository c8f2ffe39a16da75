// SPDX-License-Identifier: Apache-2.0 OR MIT
//! K21: divisions by zero.

use crate::launch;
use crate::program::Words;

#[test]
fn k21_divisions_by_zero_warn_and_give_zero() {
    launch::with("division.cpp", &[], |kernels| {
        let memory = Words::new(&[0; 16]);
        let text = kernels.warnings("divisions", 1, &[memory.address(), 0]);
        // Processors of other kinds trap nothing, and then there is nothing to warn of.
        assert!(text.contains("K21") || !cfg!(target_arch = "x86_64"), "{text}");
    });
}
