// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Settings, from a file and from the environment.

#![no_main]

use std::collections::BTreeMap;

use mf_base::settings::{TABLE, load, parse_file};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(values) = parse_file(text) else { return };
    for (environment, file) in [(&values, &BTreeMap::new()), (&BTreeMap::new(), &values)] {
        let Ok(loaded) = load(environment, file) else { continue };
        assert_eq!(loaded.shown.len(), TABLE.len());
        // Output for people never holds the secret. Short ones are part of other words.
        let secret = &loaded.settings.job_secret.0;
        let shown = loaded.shown.iter().find(|shown| shown.key.name == "MF_JOB_SECRET");
        assert!(secret.is_empty() || shown.is_some_and(|shown| shown.value == "(set)"));
    }
});
