// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The URL of a store: it prints as one that means the same.

#![no_main]

use std::net::{IpAddr, Ipv4Addr};

use mf_bootstrap::StoreUrl;

libfuzzer_sys::fuzz_target!(|text: &str| {
    // Every name has an address, and no server is asked for it.
    let resolve = |_: &str| Ok(vec![IpAddr::V4(Ipv4Addr::new(10, 0, 0, 7))]);
    if let Ok(url) = StoreUrl::parse_by(text, &resolve) {
        assert_eq!(StoreUrl::parse(&url.to_string()).ok(), Some(url), "{text:?}");
    }
});
