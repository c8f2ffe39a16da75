// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State of a job at its store, as JSON.

use std::ffi::c_char;

use mf_abi::smem::StoreHandle;
use mf_base::Result;
use mf_store::{Awaited, AwaitedKind, Contact, Peer};
use serde_json::{Value, json};

use super::session::Target;
use crate::last_error::c_text;
use crate::returned_text::hand_out;

pub(crate) fn mfx_store_state_json(op: &'static str, handle: StoreHandle) -> Result<*const c_char> {
    let store = Target::from_handle(op, handle)?.store;
    let view = store.view()?;
    // None of a store of an older release.
    let contacts = store.contacts()?.unwrap_or_default();
    let awaited = store.awaited()?;
    let member = |peer: &Peer| {
        let contact = contacts.iter().find(|contact| contact.session == peer.session);
        peer_json(peer, "contact", contact.map_or(Value::Null, contact_json))
    };
    let state = json!({
        "epoch": view.epoch,
        "members": view.members.iter().map(member).collect::<Vec<_>>(),
        "lost": view.dead.iter().map(|lost| peer_json(&lost.peer, "epoch", lost.epoch)).collect::<Vec<_>>(),
        "awaited": awaited.map(|all| all.iter().map(awaited_json).collect::<Vec<_>>()),
    });
    Ok(hand_out(c_text(&state.to_string())))
}

/// A member, with one more value.
fn peer_json(peer: &Peer, name: &str, value: impl Into<Value>) -> Value {
    json!({
        "rank": peer.rank.0, "session": peer.session, "host": peer.host, "pid": peer.pid,
        "device": peer.device, name: value.into(),
    })
}

fn contact_json(contact: &Contact) -> Value {
    json!({ "connected": contact.is_connected, "silentUs": contact.silent_us, "phase": contact.phase })
}

fn awaited_json(awaited: &Awaited) -> Value {
    let waiting = awaited.waiting.iter().map(
        |waiter| json!({ "rank": waiter.rank, "session": waiter.session, "waitedUs": waiter.waited_us }),
    );
    let (name, waiting) = (&awaited.name, waiting.collect::<Vec<_>>());
    match awaited.kind {
        AwaitedKind::Key => json!({ "kind": "key", "name": name, "waiting": waiting }),
        AwaitedKind::Barrier { members } => {
            json!({ "kind": "barrier", "name": name, "members": members, "waiting": waiting })
        }
        AwaitedKind::Lock { holder } => {
            json!({ "kind": "lock", "name": name, "holder": holder, "waiting": waiting })
        }
    }
}
