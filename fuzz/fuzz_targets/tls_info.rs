// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The `tls_info` text that names the files of an identity. Nothing is read from the disk here.

#![no_main]

use mf_tls::TlsFiles;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(files) = TlsFiles::from_info(text) {
        assert!(text.contains("tlsCaFile") && text.contains("tlsCert"), "{text:?} gave {files:?}");
    }
});
