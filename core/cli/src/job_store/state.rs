// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State of a job at its store, from the library's JSON.

use mf_base::{Error, Kind, Rank, Result};
use mf_store::{Awaited, AwaitedKind, Contact, Lost, Peer, View, Waiter};
use serde_json::Value;

/// Members of a job, their connections and their waits.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) view: View,
    /// Connections, as far as they are known.
    pub(crate) contacts: Vec<Contact>,
    /// Waits at the store, as far as they are known.
    pub(crate) awaited: Vec<Awaited>,
}

impl State {
    /// Parses the text of `mfx_store_state_json`.
    ///
    /// # Errors
    /// `Failed` another form.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let refuse = || Error::new(Kind::Failed, "store state").what("cannot decode the state of the store");
        let state: Value = serde_json::from_str(text).map_err(|error| refuse().source(error))?;
        Self::of(&state).ok_or_else(refuse)
    }

    fn of(state: &Value) -> Option<Self> {
        let members = state["members"].as_array()?;
        let lost = |lost: &Value| Some(Lost { epoch: lost["epoch"].as_u64()?, peer: peer(lost)? });
        let view = View {
            epoch: state["epoch"].as_u64()?,
            members: members.iter().map(peer).collect::<Option<_>>()?,
            dead: state["lost"].as_array()?.iter().map(lost).collect::<Option<_>>()?,
        };
        let contacts = members.iter().filter(|member| !member["contact"].is_null()).map(contact);
        let awaited = state["awaited"].as_array().map_or(&[][..], Vec::as_slice).iter().map(awaited);
        Some(Self {
            view,
            contacts: contacts.collect::<Option<_>>()?,
            awaited: awaited.collect::<Option<_>>()?,
        })
    }
}

fn number(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

fn peer(of: &Value) -> Option<Peer> {
    Some(Peer {
        rank: Rank(number(&of["rank"])?),
        session: of["session"].as_u64()?,
        host: of["host"].as_str()?.to_owned(),
        pid: number(&of["pid"])?,
        device: u16::try_from(of["device"].as_u64()?).ok()?,
    })
}

fn contact(of: &Value) -> Option<Contact> {
    let contact = &of["contact"];
    Some(Contact {
        rank: Rank(number(&of["rank"])?),
        session: of["session"].as_u64()?,
        phase: contact["phase"].as_str()?.to_owned(),
        silent_us: contact["silentUs"].as_u64()?,
        is_connected: contact["connected"].as_bool()?,
    })
}

fn awaited(of: &Value) -> Option<Awaited> {
    let kind = match of["kind"].as_str()? {
        "key" => AwaitedKind::Key,
        "barrier" => AwaitedKind::Barrier { members: number(&of["members"])? },
        _ => AwaitedKind::Lock { holder: number(&of["holder"]) },
    };
    let waiter = |of: &Value| {
        let waited_us = of["waitedUs"].as_u64()?;
        Some(Waiter { rank: number(&of["rank"])?, session: of["session"].as_u64()?, waited_us })
    };
    let waiting = of["waiting"].as_array()?.iter().map(waiter).collect::<Option<_>>()?;
    Some(Awaited { kind, name: of["name"].as_str()?.to_owned(), waiting })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_of_a_job_is_parsed() {
        let text = r#"{"epoch": 7, "members": [
            {"rank": 0, "session": 12, "host": "node1", "pid": 4, "device": 1,
             "contact": {"connected": true, "silentUs": 812, "phase": "get"}},
            {"rank": 1, "session": 13, "host": "node1", "pid": 5, "device": 2, "contact": null}],
            "lost": [{"rank": 3, "session": 15, "host": "node2", "pid": 8, "device": 0, "epoch": 6}],
            "awaited": [
              {"kind": "barrier", "name": "start", "members": 4,
               "waiting": [{"rank": 0, "session": 12, "waitedUs": 5000}]},
              {"kind": "lock", "name": "l", "holder": null, "waiting": []},
              {"kind": "key", "name": "k", "waiting": []}]}"#;
        let state = State::parse(text).unwrap();
        assert_eq!((state.view.epoch, state.view.members.len(), state.contacts.len()), (7, 2, 1));
        assert_eq!((state.view.dead[0].epoch, state.view.dead[0].peer.rank), (6, Rank(3)));
        assert!(state.contacts[0].is_connected && state.contacts[0].silent_us == 812);
        let kinds: Vec<AwaitedKind> = state.awaited.iter().map(|awaited| awaited.kind).collect();
        let lock = AwaitedKind::Lock { holder: None };
        assert_eq!(kinds, [AwaitedKind::Barrier { members: 4 }, lock, AwaitedKind::Key]);
        let older = r#"{"epoch": 0, "members": [], "lost": [], "awaited": null}"#;
        assert!(State::parse(older).unwrap().awaited.is_empty());
        for text in ["", "{}", r#"{"epoch": 0, "members": [{}], "lost": []}"#] {
            assert!(State::parse(text).is_err(), "{text}");
        }
    }
}
