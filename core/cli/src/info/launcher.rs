// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The place in the job that the launcher of this process has given.

use std::time::Duration;

use mf_base::settings::launcher_environment;
use mf_bootstrap::Bootstrap;
use serde_json::json;

use super::report::Fact;

/// The facts, and whether the launcher's variables can be used. Nothing is handed on between ranks, and
/// nothing is waited for.
pub(super) fn summary() -> (Vec<Fact>, bool) {
    match Bootstrap::seen(&launcher_environment(), Duration::ZERO) {
        Ok(Some(place)) => (facts(&place), true),
        Ok(None) => {
            let none = "none: no launcher has started this process";
            (vec![Fact::with_text("place in the job", json!(null), none.to_owned())], true)
        }
        Err(error) => (vec![Fact::text("error", error.to_string())], false),
    }
}

fn facts(place: &Bootstrap) -> Vec<Fact> {
    let on_host = match (place.local_rank, place.local_size) {
        (Some(rank), Some(size)) => format!("rank {rank} of {size}"),
        (Some(rank), None) => format!("rank {rank}"),
        (None, Some(size)) => format!("one of {size}"),
        (None, None) => "not known".to_owned(),
    };
    let value = json!({
        "launcher": format!("{:?}", place.launcher),
        "rank": place.rank.map(|rank| rank.0),
        "world_size": place.world_size,
        "variable": place.origin.rank,
    });
    let local = json!({ "rank": place.local_rank, "size": place.local_size });
    vec![
        Fact::with_text("place in the job", value, place.place_text()),
        Fact::with_text("on this host", local, on_host),
        Fact::with_text("store", json!(place.store), place.store_text()),
    ]
}
