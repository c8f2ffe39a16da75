// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A unique id as bytes and as text: an accepted one has exactly these bytes.

#![no_main]

use mf_bootstrap::UniqueId;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(id) = UniqueId::parse(bytes) {
        assert_eq!(id.as_bytes(), bytes);
        assert_eq!(id.to_text().parse::<UniqueId>().ok(), Some(id));
    }
    if let Some(id) = std::str::from_utf8(bytes).ok().and_then(|text| text.parse::<UniqueId>().ok()) {
        assert_eq!(UniqueId::parse(id.as_bytes()).ok(), Some(id));
    }
});
