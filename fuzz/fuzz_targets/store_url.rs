// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The URL of a store: it prints as one that means the same.

#![no_main]

use mf_store::StoreUrl;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(url) = StoreUrl::parse(text) {
        assert_eq!(StoreUrl::parse(&url.to_string()).ok(), Some(url), "{text:?}");
    }
});
